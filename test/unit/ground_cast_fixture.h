// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against the ground for tests: one ray with its checks, and sources, maps and shapes.
// Include cmocka.h before.
#ifndef RUT_TEST_UNIT_GROUND_CAST_FIXTURE_H
#define RUT_TEST_UNIT_GROUND_CAST_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assert_near.h"
#include "terrain/ground_cast.h"

static uint32_t seed = 7;
static inline double between(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * ((seed >> 8) + 0.5) / 16777216.0;
}

// ---------------------------------------------------------------------------------------------
// One ray

typedef struct Hit {
  double range, normal[3];
  int index;
} Hit;

static inline Hit cast_within(const rutGroundScene* scene, double max_range, const double o[3],
                              const double way[3]) {
  const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  double d[3], range, normal[3];
  unsigned char target;
  int index;
  for (int k = 0; k < 3; k++) d[k] = way[k] / length;
  const rutRayBatch rays = {.n = 1,
                            .origin = {&o[0], &o[1], &o[2]},
                            .direction = {&d[0], &d[1], &d[2]},
                            .max_range = max_range};
  const rutRayResult out = {
      &range, {&normal[0], &normal[1], &normal[2]}, &target, &index, NULL, {NULL, NULL}};
  rut_rays_begin(&rays, &out);
  rut_ground_cast(scene, &rays, &out);
  assert_int_equal(target, range < HUGE_VAL ? RUT_RAY_GROUND : RUT_RAY_NOTHING);
  if (range < HUGE_VAL) {
    double size = 0, facing = 0;
    for (int k = 0; k < 3; k++) size += normal[k] * normal[k];
    for (int k = 0; k < 3; k++) facing += normal[k] * d[k];
    assert_near(size, 1, 1e-12);
    if (range > 0) assert_true(facing < 1e-6);
  }
  return (Hit){range, {normal[0], normal[1], normal[2]}, index};
}

static inline Hit cast(const rutGroundScene* scene, double x, double y, double z, double dx,
                       double dy, double dz) {
  return cast_within(scene, HUGE_VAL, (double[]){x, y, z}, (double[]){dx, dy, dz});
}

static inline void assert_hit(Hit h, double range, double nx, double ny, double nz,
                              double tolerance) {
  assert_near(h.range, range, tolerance);
  assert_near(h.normal[0], nx, 1e-6);
  assert_near(h.normal[1], ny, 1e-6);
  assert_near(h.normal[2], nz, 1e-6);
}

static inline void assert_none(Hit h) { assert_true(isinf(h.range)); }

// ---------------------------------------------------------------------------------------------
// Ground

static inline rutGroundSource source_at(rutGroundKind kind, double x, double y, double z,
                                        double yaw) {
  rutGroundSource s = {.kind = kind,
                       .x = x,
                       .y = y,
                       .z = z,
                       .cos_yaw = cos(yaw),
                       .sin_yaw = sin(yaw),
                       .x_min = -1,
                       .x_max = 3,
                       .y_min = -2,
                       .y_max = 2,
                       .height = 2};
  rut_ground_source_box(&s);
  return s;
}

enum { NX = 60, NY = 50 };
typedef struct Map {
  double height[NX * NY], top[100];
  float cells[5461];
  rutHeightMaxima maxima;
  rutHeightPyramid pyramid;
  rutHeightField field;
  rutGroundSource source;
} Map;

static inline void map_make(Map* m, bool holes) {
  for (int i = 0; i < NX * NY; i++) {
    const double x = 0.5 * (i % NX), y = 0.5 * (i / NX);
    m->height[i] = 0.8 * sin(0.5 * x) * cos(0.4 * y) + between(-0.05, 0.05);
    if (holes && between(0, 1) < 0.004) m->height[i] = NAN;
  }
  const double origin[2] = {-10, -12};
  rut_height_field_init(&m->field, NX, NY, 0.5, origin, m->height);
  assert_true(rut_height_pyramid_size(NX, NY) <= 100);
  rut_height_pyramid_build(&m->field, m->top, &m->pyramid);
  assert_int_equal(rut_height_maxima_size(NX, NY), 5461);
  rut_height_maxima_build(&m->field, m->cells, &m->maxima);
  m->source = (rutGroundSource){.kind = RUT_GROUND_FIELD, .field = &m->field, .cos_yaw = 1};
  rut_ground_source_box(&m->source);
}

static inline void random_ray(double o[3], double d[3]) {
  const double way[3] = {between(-1, 1), between(-1, 1), between(-0.4, 0.1)};
  const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  for (int k = 0; k < 3; k++) d[k] = way[k] / length;
  o[0] = between(-14, 24);
  o[1] = between(-16, 17);
  o[2] = between(-0.5, 3);
}

enum { PARAMS = 24 };

static inline rutGroundShape shape_at(const rutTerrainType* type, const double* param, double x,
                                      double y, double yaw) {
  rutGroundShape s = {.type = type,
                      .param = param,
                      .x = x,
                      .y = y,
                      .cos_yaw = cos(yaw),
                      .sin_yaw = sin(yaw),
                      .x_min = -HUGE_VAL,
                      .x_max = HUGE_VAL,
                      .y_min = -HUGE_VAL,
                      .y_max = HUGE_VAL};
  if (type->plan_size) {
    const size_t size = (type->plan_size(param) + 63) & ~(size_t)63;
    void* plan = aligned_alloc(64, size);
    memset(plan, 0, size);
    type->plan(param, plan);
    s.plan = plan;
  }
  rut_ground_shape_box(&s);
  return s;
}

static const rutGroundSource level = {
    .kind = RUT_GROUND_LEVEL, .cos_yaw = 1, .box = {-HUGE_VAL, HUGE_VAL, -HUGE_VAL, HUGE_VAL}};

static inline rutGround shaped(int n, const rutGroundShape* shape) {
  return (rutGround){.sources = 1, .source = &level, .shapes = n, .shape = shape};
}

#endif  // RUT_TEST_UNIT_GROUND_CAST_FIXTURE_H
