// SPDX-License-Identifier: BSD-3-Clause
#include "embree.h"

#include <stdlib.h>

#include "base/dynamic.h"
#include "math/rut_math.h"

#ifdef RUT_HAVE_EMBREE
#include <embree3/rtcore.h>

enum { PACKET = 16 };

typedef struct Functions {
  RTCDevice (*new_device)(const char* config);
  void (*release_device)(RTCDevice device);
  void (*set_monitor)(RTCDevice device, RTCMemoryMonitorFunction function, void* user);
  RTCScene (*new_scene)(RTCDevice device);
  void (*release_scene)(RTCScene scene);
  RTCGeometry (*new_geometry)(RTCDevice device, enum RTCGeometryType type);
  void* (*new_buffer)(RTCGeometry geometry, enum RTCBufferType type, unsigned slot,
                      enum RTCFormat format, size_t stride, size_t items);
  void (*commit_geometry)(RTCGeometry geometry);
  unsigned (*attach)(RTCScene scene, RTCGeometry geometry);
  void (*release_geometry)(RTCGeometry geometry);
  void (*commit_scene)(RTCScene scene);
  void (*intersect_1)(RTCScene scene, struct RTCIntersectContext* context, struct RTCRayHit* ray);
  void (*intersect_16)(const int* valid, RTCScene scene, struct RTCIntersectContext* context,
                       struct RTCRayHit16* ray);
} Functions;

struct mapEmbree {
  Functions call;
  RTCDevice device;
  RTCScene scene;
  double bytes;
};

static bool load(Functions* f) {
  const rutSymbol symbol[] = {
      {"rtcNewDevice", &f->new_device},
      {"rtcReleaseDevice", &f->release_device},
      {"rtcSetDeviceMemoryMonitorFunction", &f->set_monitor},
      {"rtcNewScene", &f->new_scene},
      {"rtcReleaseScene", &f->release_scene},
      {"rtcNewGeometry", &f->new_geometry},
      {"rtcSetNewGeometryBuffer", &f->new_buffer},
      {"rtcCommitGeometry", &f->commit_geometry},
      {"rtcAttachGeometry", &f->attach},
      {"rtcReleaseGeometry", &f->release_geometry},
      {"rtcCommitScene", &f->commit_scene},
      {"rtcIntersect1", &f->intersect_1},
      {"rtcIntersect16", &f->intersect_16},
  };
  return rut_dynamic_load(RUT_EMBREE_LIBRARY, symbol, sizeof symbol / sizeof symbol[0]);
}

static bool count_bytes(void* user, ssize_t bytes, bool after) {
  (void)after;
  *(double*)user += (double)bytes;
  return true;
}

static bool put_triangles(const Functions* call, RTCGeometry geometry, const rutHeightField* f) {
  const size_t nodes = (size_t)f->nx * (size_t)f->ny;
  const size_t cells = (size_t)(f->nx - 1) * (size_t)(f->ny - 1);
  float* at = call->new_buffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                               3 * sizeof(float), nodes);
  unsigned* corner = call->new_buffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                      3 * sizeof(unsigned), 2 * cells);
  if (!at || !corner) return false;
  for (size_t i = 0; i < nodes; i++) {
    *at++ = (float)(f->origin[0] + f->spacing * (double)(i % (size_t)f->nx));
    *at++ = (float)(f->origin[1] + f->spacing * (double)(i / (size_t)f->nx));
    *at++ = (float)f->height[i];
  }
  for (int iy = 0; iy < f->ny - 1; iy++) {
    for (int ix = 0; ix < f->nx - 1; ix++) {
      const unsigned a = (unsigned)(iy * f->nx + ix), b = a + (unsigned)f->nx;
      const unsigned both[6] = {a, a + 1, b, a + 1, b + 1, b};
      for (int k = 0; k < 6; k++) *corner++ = both[k];
    }
  }
  return true;
}

mapEmbree* map_embree_new(const rutHeightField* field, double* bytes) {
  mapEmbree* e = calloc(1, sizeof *e);
  if (!e || !load(&e->call)) {
    free(e);
    return NULL;
  }
  const Functions* call = &e->call;
  e->device = call->new_device("threads=1");
  if (e->device) call->set_monitor(e->device, count_bytes, &e->bytes);
  e->scene = e->device ? call->new_scene(e->device) : NULL;
  RTCGeometry geometry =
      e->scene ? call->new_geometry(e->device, RTC_GEOMETRY_TYPE_TRIANGLE) : NULL;
  const bool filled = geometry && put_triangles(call, geometry, field);
  if (filled) {
    call->commit_geometry(geometry);
    call->attach(e->scene, geometry);
    call->commit_scene(e->scene);
  }
  if (geometry) call->release_geometry(geometry);
  *bytes = e->bytes;
  if (filled) return e;
  map_embree_free(e);
  return NULL;
}

void map_embree_free(mapEmbree* e) {
  if (!e) return;
  if (e->scene) e->call.release_scene(e->scene);
  if (e->device) e->call.release_device(e->device);
  free(e);
}

void map_embree_packets(const mapEmbree* e, bool coherent, const rutRayBatch* rays, double* range) {
  struct RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  if (coherent) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  for (int first = 0; first < rays->n; first += PACKET) {
    _Alignas(64) struct RTCRayHit16 r = {0};
    _Alignas(64) int valid[PACKET];
    for (int i = 0; i < PACKET; i++) {
      const int k = first + i < rays->n ? first + i : first;
      valid[i] = first + i < rays->n ? -1 : 0;
      r.ray.org_x[i] = (float)rays->origin[0][k];
      r.ray.org_y[i] = (float)rays->origin[1][k];
      r.ray.org_z[i] = (float)rays->origin[2][k];
      r.ray.dir_x[i] = (float)rays->direction[0][k];
      r.ray.dir_y[i] = (float)rays->direction[1][k];
      r.ray.dir_z[i] = (float)rays->direction[2][k];
      r.ray.tfar[i] = (float)rays->max_range;
      r.ray.mask[i] = ~0u;
      r.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
    }
    e->call.intersect_16(valid, e->scene, &context, &r);
    for (int i = 0; i < PACKET && first + i < rays->n; i++) {
      const bool hit = r.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID;
      range[first + i] = hit ? (double)r.ray.tfar[i] : RUT_INFINITY;
    }
  }
}

void map_embree_single(const mapEmbree* e, const rutRayBatch* rays, double* range) {
  struct RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  for (int i = 0; i < rays->n; i++) {
    struct RTCRayHit r = {.ray = {.org_x = (float)rays->origin[0][i],
                                  .org_y = (float)rays->origin[1][i],
                                  .org_z = (float)rays->origin[2][i],
                                  .dir_x = (float)rays->direction[0][i],
                                  .dir_y = (float)rays->direction[1][i],
                                  .dir_z = (float)rays->direction[2][i],
                                  .tfar = (float)rays->max_range,
                                  .mask = ~0u},
                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    e->call.intersect_1(e->scene, &context, &r);
    range[i] = r.hit.geomID != RTC_INVALID_GEOMETRY_ID ? (double)r.ray.tfar : RUT_INFINITY;
  }
}

#else

mapEmbree* map_embree_new(const rutHeightField* field, double* bytes) {
  (void)field, (void)bytes;
  return NULL;
}
void map_embree_free(mapEmbree* e) { (void)e; }
void map_embree_packets(const mapEmbree* e, bool coherent, const rutRayBatch* rays, double* range) {
  (void)e, (void)coherent, (void)rays, (void)range;
}
void map_embree_single(const mapEmbree* e, const rutRayBatch* rays, double* range) {
  (void)e, (void)rays, (void)range;
}
#endif
