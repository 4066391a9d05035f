// SPDX-License-Identifier: BSD-3-Clause
#include "embree.h"

#ifdef RUT_HAVE_EMBREE
#include <embree3/rtcore.h>
#include <stdlib.h>

#include "base/dynamic.h"

// The functions of the library, which is loaded when the first mesh is made.
struct raysEmbree {
  RTCDevice device;
  RTCScene scene;
  RTCDevice (*new_device)(const char*);
  void (*release_device)(RTCDevice);
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
};

static bool load(raysEmbree* e) {
  const rutSymbol symbol[] = {{"rtcNewDevice", &e->new_device},
                              {"rtcReleaseDevice", &e->release_device},
                              {"rtcNewScene", &e->new_scene},
                              {"rtcReleaseScene", &e->release_scene},
                              {"rtcSetSceneFlags", &e->set_flags},
                              {"rtcCommitScene", &e->commit_scene},
                              {"rtcNewGeometry", &e->new_geometry},
                              {"rtcReleaseGeometry", &e->release_geometry},
                              {"rtcCommitGeometry", &e->commit_geometry},
                              {"rtcAttachGeometry", &e->attach},
                              {"rtcSetNewGeometryBuffer", &e->new_buffer},
                              {"rtcIntersect1", &e->intersect}};
  return rut_dynamic_load(RUT_EMBREE_LIBRARY, symbol, sizeof symbol / sizeof symbol[0]);
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

raysEmbree* rays_embree_new(const rutTriangleMesh* mesh) {
  raysEmbree* e = calloc(1, sizeof *e);
  if (!e || !load(e) || !(e->device = e->new_device("threads=1"))) {
    free(e);
    return NULL;
  }
  e->scene = e->new_scene(e->device);
  e->set_flags(e->scene, RTC_SCENE_FLAG_ROBUST);
  RTCGeometry geometry = e->new_geometry(e->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  const bool filled = fill(e, geometry, mesh);
  e->commit_geometry(geometry);
  e->attach(e->scene, geometry);
  e->release_geometry(geometry);
  e->commit_scene(e->scene);
  if (filled) return e;
  rays_embree_free(e);
  return NULL;
}

void rays_embree_free(raysEmbree* e) {
  if (!e) return;
  e->release_scene(e->scene);
  e->release_device(e->device);
  free(e);
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
    const bool hit = r.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    out->range[i] = hit ? r.ray.tfar : (float)INFINITY;
    out->triangle[i] = hit ? (int)r.hit.primID : -1;
  }
}

#else

raysEmbree* rays_embree_new(const rutTriangleMesh* mesh) {
  (void)mesh;
  return 0;
}
void rays_embree_free(raysEmbree* embree) { (void)embree; }
void rays_embree_cast(const raysEmbree* embree, const rutRayBatch* rays,
                      const raysEmbreeHits* out) {
  (void)embree;
  (void)rays;
  (void)out;
}
#endif
