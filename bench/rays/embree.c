// SPDX-License-Identifier: BSD-3-Clause
#include "embree.h"

#ifdef RUT_HAVE_EMBREE
#include <embree3/rtcore.h>
#include <stdlib.h>

#include "base/dynamic.h"

enum { PACKET = 16 };

// The functions of the library, which is loaded when the first mesh is made.
struct raysEmbree {
  RTCDevice device;
  RTCScene scene;
  double bytes;
  RTCDevice (*new_device)(const char*);
  void (*release_device)(RTCDevice);
  void (*set_monitor)(RTCDevice, RTCMemoryMonitorFunction, void*);
  RTCScene (*new_scene)(RTCDevice);
  void (*release_scene)(RTCScene);
  void (*set_flags)(RTCScene, enum RTCSceneFlags);
  void (*commit_scene)(RTCScene);
  RTCGeometry (*new_geometry)(RTCDevice, enum RTCGeometryType);
  void (*release_geometry)(RTCGeometry);
  void (*commit_geometry)(RTCGeometry);
  unsigned (*attach)(RTCScene, RTCGeometry);
  void* (*new_buffer)(RTCGeometry, enum RTCBufferType, unsigned, enum RTCFormat, size_t, size_t);
  void (*intersect)(RTCScene, struct RTCIntersectContext*, struct RTCRayHit*);
  void (*intersect_16)(const int*, RTCScene, struct RTCIntersectContext*, struct RTCRayHit16*);
};

static bool load(raysEmbree* e) {
  const rutSymbol symbol[] = {{"rtcNewDevice", &e->new_device},
                              {"rtcReleaseDevice", &e->release_device},
                              {"rtcSetDeviceMemoryMonitorFunction", &e->set_monitor},
                              {"rtcNewScene", &e->new_scene},
                              {"rtcReleaseScene", &e->release_scene},
                              {"rtcSetSceneFlags", &e->set_flags},
                              {"rtcCommitScene", &e->commit_scene},
                              {"rtcNewGeometry", &e->new_geometry},
                              {"rtcReleaseGeometry", &e->release_geometry},
                              {"rtcCommitGeometry", &e->commit_geometry},
                              {"rtcAttachGeometry", &e->attach},
                              {"rtcSetNewGeometryBuffer", &e->new_buffer},
                              {"rtcIntersect1", &e->intersect},
                              {"rtcIntersect16", &e->intersect_16}};
  return rut_dynamic_load(RUT_EMBREE_LIBRARY, symbol, sizeof symbol / sizeof symbol[0]);
}

static bool count_bytes(void* user, ssize_t bytes, bool after) {
  (void)after;
  *(double*)user += (double)bytes;
  return true;
}

static bool fill(const raysEmbree* e, RTCGeometry geometry, const rutTriangleMesh* mesh) {
  const size_t points = (size_t)mesh->points, triangles = (size_t)mesh->triangles;
  float* point = e->new_buffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                               3 * sizeof *point, points);
  unsigned* index = e->new_buffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                  3 * sizeof *index, triangles);
  for (size_t i = 0; point && i < 3 * points; i++) point[i] = (float)mesh->point[i];
  for (size_t i = 0; index && i < 3 * triangles; i++) index[i] = (unsigned)mesh->triangle[i];
  return point && index;
}

// Device and scene, or false.
static bool open_scene(raysEmbree* e, bool robust) {
  e->device = e->new_device("threads=1");
  if (!e->device) return false;
  e->set_monitor(e->device, count_bytes, &e->bytes);
  e->scene = e->new_scene(e->device);
  if (e->scene && robust) e->set_flags(e->scene, RTC_SCENE_FLAG_ROBUST);
  return e->scene != NULL;
}

static bool put_mesh(const raysEmbree* e, const rutTriangleMesh* mesh) {
  RTCGeometry geometry = e->new_geometry(e->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  if (!geometry) return false;
  const bool filled = fill(e, geometry, mesh);
  if (filled) {
    e->commit_geometry(geometry);
    e->attach(e->scene, geometry);
    e->commit_scene(e->scene);
  }
  e->release_geometry(geometry);
  return filled;
}

void rays_embree_free(raysEmbree* e) {
  if (!e) return;
  if (e->scene) e->release_scene(e->scene);
  if (e->device) e->release_device(e->device);
  free(e);
}

static raysEmbree* scene_of(const rutTriangleMesh* mesh, bool robust) {
  raysEmbree* e = calloc(1, sizeof *e);
  if (!e || !load(e)) {
    free(e);
    return NULL;
  }
  if (open_scene(e, robust) && put_mesh(e, mesh)) return e;
  rays_embree_free(e);
  return NULL;
}

raysEmbree* rays_embree_new(const rutTriangleMesh* mesh) { return scene_of(mesh, true); }
raysEmbree* rays_embree_new_fast(const rutTriangleMesh* mesh) { return scene_of(mesh, false); }

double rays_embree_bytes(const raysEmbree* e) { return e->bytes; }

static void put_hit(const raysEmbreeHits* out, int i, float range, unsigned geometry,
                    unsigned triangle) {
  const bool hit = geometry != RTC_INVALID_GEOMETRY_ID;
  out->range[i] = hit ? range : (float)INFINITY;
  if (out->triangle) out->triangle[i] = hit ? (int)triangle : -1;
}

void rays_embree_cast(const raysEmbree* e, const rutRayBatch* rays, const raysEmbreeHits* out) {
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
    e->intersect(e->scene, &context, &r);
    put_hit(out, i, r.ray.tfar, r.hit.geomID, r.hit.primID);
  }
}

void rays_embree_packets(const raysEmbree* e, bool coherent, const rutRayBatch* rays,
                         const raysEmbreeHits* out) {
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
    e->intersect_16(valid, e->scene, &context, &r);
    for (int i = 0; i < PACKET && first + i < rays->n; i++) {
      put_hit(out, first + i, r.ray.tfar[i], r.hit.geomID[i], r.hit.primID[i]);
    }
  }
}

#else

raysEmbree* rays_embree_new(const rutTriangleMesh* mesh) {
  (void)mesh;
  return 0;
}
raysEmbree* rays_embree_new_fast(const rutTriangleMesh* mesh) {
  (void)mesh;
  return 0;
}
void rays_embree_free(raysEmbree* embree) { (void)embree; }
double rays_embree_bytes(const raysEmbree* embree) {
  (void)embree;
  return 0;
}
void rays_embree_cast(const raysEmbree* embree, const rutRayBatch* rays,
                      const raysEmbreeHits* out) {
  (void)embree, (void)rays, (void)out;
}
void rays_embree_packets(const raysEmbree* embree, bool coherent, const rutRayBatch* rays,
                         const raysEmbreeHits* out) {
  (void)embree, (void)coherent, (void)rays, (void)out;
}
#endif
