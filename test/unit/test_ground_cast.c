// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against the ground: sources and shapes in closed form.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ground_cast_fixture.h"

#define PI 3.14159265358979323846

extern const rutTerrainType rut_terrain_plane, rut_terrain_sine, rut_terrain_step,
    rut_terrain_half_round, rut_terrain_ditch, rut_terrain_ramp;

// ---------------------------------------------------------------------------------------------
// Sources in closed form

static void a_world_without_ground_is_level(void** state) {
  (void)state;
  const rutGround none = {.level = true};
  const rutGroundScene scene = {&none, NULL, NULL};
  const double r2 = sqrt(2);
  const Hit h = cast(&scene, 1e6, -3, 2, 0, 1, -1);
  assert_hit(h, 2 * r2, 0, 0, 1, 1e-15);
  assert_int_equal(h.index, -1);
  assert_none(cast(&scene, 0, 0, 2, 1, 0, 0));
  assert_none(cast(&scene, 0, 0, 2, 1, 0, 0.001));
  // on the ground: level and upward rays see nothing, downward ones at once
  assert_none(cast(&scene, 0, 0, 0, 1, 0, 0));
  assert_none(cast(&scene, 0, 0, 0, 0, 0, 1));
  assert_hit(cast(&scene, 0, 0, 0, 1, 0, -0.1), 0, 0, 0, 1, 0);
  // below it: solid
  assert_hit(cast(&scene, 0, 0, -0.1, 1, 0, 0), 0, 0, 0, 1, 0);
  // a hit at max_range counts
  assert_near(cast_within(&scene, 2, (double[]){0, 0, 2}, (double[]){0, 0, -1}).range, 2, 0);
  assert_none(cast_within(&scene, 1.9999, (double[]){0, 0, 2}, (double[]){0, 0, -1}));
}

static void storeys_are_seen_from_both_sides(void** state) {
  (void)state;
  const double yaw = 0.6;
  const rutGroundSource floors[2] = {source_at(RUT_GROUND_PLANE, 5, 5, 0, 0),
                                     source_at(RUT_GROUND_PLANE, 5, 5, 3, yaw)};
  const rutGround ground = {.sources = 2, .source = floors};
  const rutGroundScene scene = {&ground, NULL, NULL};
  Hit h = cast(&scene, 5, 5, 4, 0, 0, -1);
  assert_hit(h, 1, 0, 0, 1, 0);
  assert_int_equal(h.index, 1);
  h = cast(&scene, 5, 5, 2, 0.1, 0, 1);
  assert_hit(h, sqrt(1.01), 0, 0, -1, 1e-15);
  h = cast(&scene, 5, 5, 2, 0, 0, -1);
  assert_hit(h, 2, 0, 0, 1, 0);
  assert_int_equal(h.index, 0);
  assert_none(cast(&scene, 5, 5, 2, 1, 0, 0));
  // level with a floor, and beside both
  assert_none(cast(&scene, -5, 5, 3, 1, 0, 0));
  assert_none(cast(&scene, 0, 0, 4, 0, 0, -1));
  // just inside and outside of the turned edge, 2 m to the left of its x axis
  const double x = 5 - 2 * sin(yaw), y = 5 + 2 * cos(yaw), e = 1e-6;
  assert_hit(cast(&scene, x + e * sin(yaw), y - e * cos(yaw), 4, 0, 0, -1), 1, 0, 0, 1, 0);
  assert_true(cast(&scene, x - e * sin(yaw), y + e * cos(yaw), 4, 0, 0, -1).range > 1);
  // the upper one moves
  const double lift[2] = {0, -0.5};
  const rutGroundScene moved = {&ground, lift, NULL};
  assert_hit(cast(&moved, 5, 5, 4, 0, 0, -1), 1.5, 0, 0, 1, 0);
}

// A wedge from u = -1 to 3, 4 m wide, 2 m high, on a floor at 0.5 m.
static void ramps_are_solid(void** state) {
  (void)state;
  const double yaw = 2.1, c = cos(yaw), s = sin(yaw);
  const rutGroundSource ramp = source_at(RUT_GROUND_RAMP, 7, -4, 0.5, yaw);
  const rutGround ground = {.sources = 1, .source = &ramp};
  const rutGroundScene scene = {&ground, NULL, NULL};
  const double slope = sqrt(1 + 0.25);
  // places and directions in its own frame
  const struct {
    double from[3], way[3], range, normal[3];
  } rays[] = {
      {{-5, 0, 1.5}, {1, 0, 0}, 6, {-0.5 / slope, 0, 1 / slope}},        // up the incline, at u = 1
      {{1, 1, 5}, {0, 0, -1}, 3.5, {-0.5 / slope, 0, 1 / slope}},        // down onto it
      {{5, 1, 1.5}, {-1, 0, 0}, 2, {1, 0, 0}},                           // its back
      {{1, 5, 1}, {0, -1, 0}, 3, {0, 1, 0}},                             // its left side
      {{1, -5, 1}, {0, 1, 0}, 3, {0, -1, 0}},                            // its right side
      {{1, 0, -1}, {0, 0, 1}, 1.5, {0, 0, -1}},                          // its floor
      {{5, 0, 2.499}, {-1, 0, 0}, 2, {1, 0, 0}},                         // just below its ridge
      {{-5, 0, 0.501}, {1, 0, 0}, 4.002, {-0.5 / slope, 0, 1 / slope}},  // just above its floor
      {{0, 5, 1.3}, {0, -1, 0}, HUGE_VAL, {0}},                          // before it gets so high
      {{2, 0, 1}, {1, 0, 0}, HUGE_VAL, {0}},                             // from inside
      {{5, 0, 2.6}, {-1, 0, 0}, HUGE_VAL, {0}},
      {{-2, 0, 5}, {0, 0, -1}, HUGE_VAL, {0}}};
  for (int i = 0; i < (int)(sizeof rays / sizeof rays[0]); i++) {
    const double *f = rays[i].from, *w = rays[i].way, *n = rays[i].normal;
    const Hit h = cast(&scene, 7 + c * f[0] - s * f[1], -4 + s * f[0] + c * f[1], f[2],
                       c * w[0] - s * w[1], s * w[0] + c * w[1], w[2]);
    if (isinf(rays[i].range)) {
      assert_none(h);
      continue;
    }
    assert_hit(h, rays[i].range, c * n[0] - s * n[1], s * n[0] + c * n[1], n[2], 1e-12);
  }
}

// Half an elliptic cylinder, 2 m high and 2 m to each side: half a circle.
static void bumps_are_half_cylinders(void** state) {
  (void)state;
  const rutGroundSource bump = source_at(RUT_GROUND_BUMP, 0, 0, 0, 0);
  const rutGround ground = {.sources = 1, .source = &bump};
  const rutGroundScene scene = {&ground, NULL, NULL};
  assert_hit(cast(&scene, 1, -5, 1.2, 0, 1, 0), 5 - 1.6, 0, -0.8, 0.6, 1e-14);
  assert_hit(cast(&scene, 1, 5, 1.2, 0, -1, 0), 5 - 1.6, 0, 0.8, 0.6, 1e-14);
  assert_hit(cast(&scene, 1, 1.2, 5, 0, 0, -1), 5 - 1.6, 0, 0.6, 0.8, 1e-14);
  assert_hit(cast(&scene, -4, 0.5, 1, 1, 0, 0), 3, -1, 0, 0, 1e-14);
  // towards the axis from any side: one radius before it
  for (double a = 0.1; a < 3.1; a += 0.2) {
    const Hit h = cast(&scene, 0.5, 6 * cos(a), 6 * sin(a), 0, -cos(a), -sin(a));
    assert_hit(h, 4, 0, cos(a), sin(a), 1e-14);
  }
  assert_none(cast(&scene, 1, -5, 2.001, 0, 1, 0));
  assert_none(cast(&scene, 0, 0, 1, 0, 1, 0));
}

static void maps_are_cast_exactly(void** state) {
  (void)state;
  Map m;
  map_make(&m, true);
  m.source.z = 0.75;
  const double lift = -0.25;
  const rutGround ground = {.sources = 1, .source = &m.source};
  const rutGroundScene scene = {&ground, &lift, NULL};
  int hits = 0;
  for (int i = 0; i < 20000; i++) {
    double o[3], d[3], normal[3];
    random_ray(o, d);
    const Hit h = cast_within(&scene, i % 2 ? HUGE_VAL : 12, o, d);
    const double below[3] = {o[0], o[1], o[2] - 0.5};
    const double t = rut_height_field_cast(&m.field, below, d, 0, i % 2 ? 1e9 : 12, normal);
    assert_near(h.range, t, 1e-12);
    if (isinf(t)) continue;
    hits++;
    for (int k = 0; k < 3; k++) assert_near(h.normal[k], normal[k], 1e-12);
  }
  assert_true(hits > 8000);
  // from far below a map is not there; from a little below it is solid
  assert_none(cast(&scene, 3, 3, -3, 0.3, 0.2, 1));
  assert_near(cast(&scene, 3, 3, -0.8, 0.3, 0.2, 1).range, 0, 0);
}

// ---------------------------------------------------------------------------------------------
// Shapes in closed form

// A plane of 20 % grade, endless: z = 0.2 u.
static void endless_incline(void** state) {
  (void)state;
  const double param[PARAMS] = {[8] = 0.2}, yaw = 0.9;
  const rutGroundShape shape = shape_at(&rut_terrain_plane, param, 1, 2, yaw);
  const rutGround ground = shaped(1, &shape);
  const rutGroundScene scene = {&ground, NULL, NULL};
  const double size = sqrt(1.04), n[3] = {-0.2 * cos(yaw) / size, -0.2 * sin(yaw) / size, 1 / size};
  int hits = 0;
  for (int i = 0; i < 5000; i++) {
    double o[3], d[3];
    random_ray(o, d);
    const double u = cos(yaw) * (o[0] - 1) + sin(yaw) * (o[1] - 2);
    const double above = o[2] - 0.2 * u, rate = 0.2 * (cos(yaw) * d[0] + sin(yaw) * d[1]) - d[2];
    const Hit h = cast_within(&scene, 1e3, o, d);
    if (above < 0) {
      assert_near(h.range, 0, 0);
    } else if (above > 999 * rate) {
      assert_none(h);
    } else {
      assert_hit(h, above / rate, n[0], n[1], n[2], 2e-9);
      hits++;
    }
  }
  assert_true(hits > 1000);
}

// A 45 degree ramp 4 m ahead of a level ray half a metre up: 4.5 m. Its drop 6 m on, from behind.
static void ramp_ahead(void** state) {
  (void)state;
  const double param[PARAMS] = {[8] = 2, 2, 0, 0};
  const rutGroundShape shape = shape_at(&rut_terrain_ramp, param, 4, 0, 0);
  const rutGround ground = shaped(1, &shape);
  const rutGroundScene scene = {&ground, NULL, NULL};
  const double r = sqrt(0.5);
  assert_hit(cast(&scene, 0, 0, 0.5, 1, 0, 0), 4.5, -r, 0, r, 1e-9);
  assert_hit(cast(&scene, 0, 0, 0.5, 1, 0.3, 0), 4.5 * sqrt(1.09), -r, 0, r, 2e-9);
  assert_none(cast(&scene, 0, 0, 2.01, 1, 0, 0));
  assert_hit(cast(&scene, 10, 0, 1.7, -1, 0, 0), 4, 1, 0, 0, 1e-8);
  assert_hit(cast(&scene, 5, 0, 4, 0, 0, -1), 3, -r, 0, r, 1e-9);
}

// A curb across the way at any angle: where it is, and which way it looks.
static void upright_faces_have_level_normals(void** state) {
  (void)state;
  const double param[PARAMS] = {[8] = 0.15, 0};
  for (int i = 0; i < 200; i++) {
    const double yaw = between(-4, 4), c = cos(yaw), s = sin(yaw), at = between(2, 60);
    const rutGroundShape shape = shape_at(&rut_terrain_step, param, at * c, at * s, yaw);
    const rutGround ground = shaped(1, &shape);
    const rutGroundScene scene = {&ground, NULL, NULL};
    const double slant = between(-1.2, 1.2), x = c * cos(slant) - s * sin(slant);
    const double y = s * cos(slant) + c * sin(slant);
    assert_hit(cast(&scene, 0, 0, 0.1, x, y, 0), at / cos(slant), -c, -s, 0, 1e-8);
    assert_none(cast(&scene, 0, 0, 0.16, x, y, 0));
    // down onto what is behind it
    const Hit h = cast(&scene, 0, 0, 1.15, x, y, -0.5 / (at / cos(slant)));
    assert_hit(h, 2 * sqrt(0.25 + at * at / cos(slant) / cos(slant)), 0, 0, 1, 1e-8);
  }
}

// A post of 0.3 m x 0.3 m, 3 m high, 10 m ahead and to the left.
static void posts_are_seen(void** state) {
  (void)state;
  const double param[PARAMS] = {[8] = 3, 0};
  rutGroundShape shape = shape_at(&rut_terrain_step, param, 10, 0, 0);
  shape.x_max = 0.3;
  shape.y_min = 0.2;
  shape.y_max = 0.5;
  rut_ground_shape_box(&shape);
  const rutGround ground = shaped(1, &shape);
  const rutGroundScene scene = {&ground, NULL, NULL};
  for (double z = 0.05; z < 3; z += 0.1) {
    assert_hit(cast(&scene, 0, 0.3, z, 1, 0, 0), 10, -1, 0, 0, 1e-8);
    assert_hit(cast(&scene, 20, 0.3, z, -1, 0, 0), 9.7, 1, 0, 0, 1e-8);
    assert_hit(cast(&scene, 10.1, -4, z, 0, 1, 0), 4.2, 0, -1, 0, 1e-8);
    assert_hit(cast(&scene, 10.1, 4, z, 0, -1, 0), 3.5, 0, 1, 0, 1e-8);
  }
  assert_none(cast(&scene, 0, 0.1, 1, 1, 0, 0));
  assert_none(cast(&scene, 0, 0.3, 3.01, 1, 0, 0));
  assert_hit(cast(&scene, 10.1, 0.3, 5, 0, 0, -1), 2, 0, 0, 1, 1e-9);
  // inside it one is below ground
  assert_near(cast(&scene, 10.1, 0.3, 1, 1, 0, 0).range, 0, 0);
}

// A log across the way: a circle of radius 0.5 m on the ground.
static void logs_are_round(void** state) {
  (void)state;
  const double param[PARAMS] = {[8] = 0.5};
  const rutGroundShape shape = shape_at(&rut_terrain_half_round, param, 6, 0, 0);
  const rutGround ground = shaped(1, &shape);
  const rutGroundScene scene = {&ground, NULL, NULL};
  for (double a = 0.2; a < 2.9; a += 0.1) {
    const Hit h = cast(&scene, 6 + 3 * cos(a), 1, 3 * sin(a), -cos(a), 0, -sin(a));
    assert_hit(h, 2.5, cos(a), 0, sin(a), 1e-8);
  }
  assert_hit(cast(&scene, 0, 0, 0.3, 1, 0, 0), 5.6, -0.8, 0, 0.6, 1e-8);
}

// From the floor of a ditch, below the level of the ground around, to both of its walls and out.
static void ditches_have_walls(void** state) {
  (void)state;
  const double param[PARAMS] = {[8] = 1, 4, 0};
  const rutGroundShape shape = shape_at(&rut_terrain_ditch, param, 10, 0, 0);
  const rutGround ground = shaped(1, &shape);
  const rutGroundScene scene = {&ground, NULL, NULL};
  assert_hit(cast(&scene, 10, 0, -0.5, 1, 0, 0), 2, -1, 0, 0, 1e-8);
  assert_hit(cast(&scene, 10, 0, -0.5, -1, 0, 0), 2, 1, 0, 0, 1e-8);
  assert_none(cast(&scene, 10, 0, -0.5, 1, 0, 0.3));
  assert_hit(cast(&scene, 10, 0, -0.5, 1, 0, -0.5), sqrt(1.25), 0, 0, 1, 1e-8);
  assert_hit(cast(&scene, 5, 0, 1, 1, 0, -0.25), 7 * sqrt(1 + 1. / 16), -1, 0, 0, 1e-8);
  assert_hit(cast(&scene, 5, 0, 1, 1, 0, -0.5), 2 * sqrt(1.25), 0, 0, 1, 1e-8);
}

// Waves: the hit is on them, and no place before it is below them.
static void waves_hide_what_is_behind_them(void** state) {
  (void)state;
  const double param[PARAMS] = {[8] = 0.4, 3, 0.2};
  const rutGroundShape shape = shape_at(&rut_terrain_sine, param, 0, 0, 0);
  const rutGround ground = shaped(1, &shape);
  const rutGroundScene scene = {&ground, NULL, NULL};
  int hits = 0;
  for (int i = 0; i < 3000; i++) {
    double o[3], d[3];
    random_ray(o, d);
    o[2] += 0.9;
    const Hit h = cast_within(&scene, 50, o, d);
    const double last = h.range < 50 ? h.range : 50;
    for (int k = 0; k < 2000; k++) {
      const double t = last * k / 2000, x = o[0] + t * d[0];
      // what dips in for a centimetre may go unseen: by how much at these slopes
      assert_true(o[2] + t * d[2] > 0.4 * sin(2 * PI * x / 3 + 0.2) - 1e-4);
    }
    if (h.range > 50) continue;
    const double a = 2 * PI * (o[0] + h.range * d[0]) / 3 + 0.2;
    assert_near(o[2] + h.range * d[2], 0.4 * sin(a), 1e-9);
    assert_near(-h.normal[0] / h.normal[2], 0.4 * 2 * PI / 3 * cos(a), 1e-6);
    hits++;
  }
  assert_true(hits > 1500);
}

// What is nearer already stays.
static void ranges_are_only_shortened(void** state) {
  (void)state;
  const rutGround none = {.level = true};
  const rutGroundScene scene = {&none, NULL, NULL};
  const double x[2] = {0, 0}, z[2] = {2, 2}, dz[2] = {-1, -1};
  double range[2] = {1.5, 2.5};
  unsigned char target[2] = {RUT_RAY_PRISM, RUT_RAY_PRISM};
  int index[2] = {4, 4};
  const rutRayBatch rays = {.n = 2, .origin = {x, x, z}, .direction = {x, x, dz}, .max_range = 10};
  const rutRayResult out = {.range = range, .target = target, .index = index};
  rut_ground_cast(&scene, &rays, &out);
  assert_near(range[0], 1.5, 0);
  assert_near(range[1], 2, 0);
  assert_int_equal(target[0], RUT_RAY_PRISM);
  assert_int_equal(target[1], RUT_RAY_GROUND);
  assert_int_equal(index[1], -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_world_without_ground_is_level),
      cmocka_unit_test(storeys_are_seen_from_both_sides),
      cmocka_unit_test(ramps_are_solid),
      cmocka_unit_test(bumps_are_half_cylinders),
      cmocka_unit_test(maps_are_cast_exactly),
      cmocka_unit_test(endless_incline),
      cmocka_unit_test(ramp_ahead),
      cmocka_unit_test(upright_faces_have_level_normals),
      cmocka_unit_test(posts_are_seen),
      cmocka_unit_test(logs_are_round),
      cmocka_unit_test(ditches_have_walls),
      cmocka_unit_test(waves_hide_what_is_behind_them),
      cmocka_unit_test(ranges_are_only_shortened),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
