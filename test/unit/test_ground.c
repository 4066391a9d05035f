// SPDX-License-Identifier: BSD-3-Clause
//
// The surface under wheels: sources above each other, holes, shapes blended onto them, and what the
// ground is made of.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "terrain/ground.h"

#define PI 3.14159265358979323846

extern const rutTerrainType rut_terrain_plane, rut_terrain_sine;

static uint32_t seed = 11;
static double between(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * ((seed >> 8) + 0.5) / 16777216.0;
}

typedef struct Point {
  double z, slope_x, slope_y;
} Point;

static Point surface(const rutGround* ground, double x, double y, double below) {
  Point p;
  rut_ground_surface(ground, NULL, &(rutGroundPoints){1, &x, &y}, &below,
                     &(rutGroundSurface){&p.z, &p.slope_x, &p.slope_y});
  return p;
}

static void assert_none(Point p) {
  assert_true(isnan(p.z));
  assert_true(p.slope_x == 0 && p.slope_y == 0);
}

static rutGroundSource rectangle(double z, double half) {
  rutGroundSource s = {.kind = RUT_GROUND_PLANE,
                       .z = z,
                       .cos_yaw = 1,
                       .x_min = -half,
                       .x_max = half,
                       .y_min = -half,
                       .y_max = half};
  rut_ground_source_box(&s);
  return s;
}

static rutGroundSource turned(rutGroundKind kind, double x, double y, double yaw) {
  rutGroundSource s = {.kind = kind,
                       .x = x,
                       .y = y,
                       .cos_yaw = cos(yaw),
                       .sin_yaw = sin(yaw),
                       .x_min = -1,
                       .x_max = 3,
                       .y_min = -2,
                       .y_max = 2,
                       .height = 0.8};
  rut_ground_source_box(&s);
  return s;
}

static const rutGroundSource level = {
    .kind = RUT_GROUND_LEVEL, .cos_yaw = 1, .box = {-INFINITY, INFINITY, -INFINITY, INFINITY}};

// ---- sources ----

static void no_ground_is_level(void** state) {
  (void)state;
  const rutGround none = {.level = true};
  const Point p = surface(&none, 1e6, -3, -50);
  assert_true(p.z == 0 && p.slope_x == 0 && p.slope_y == 0);
  const rutGroundSource ramp = turned(RUT_GROUND_RAMP, 0, 0, 0);
  const rutGround with_ramp = {.sources = 1, .source = &ramp, .level = true};
  assert_near(surface(&with_ramp, 1, 0, 5).z, 0.4, 1e-15);
  assert_near(surface(&with_ramp, 10, 0, 5).z, 0, 0);
}

enum { NX = 9, NY = 7 };
static rutHeightField field_of(double height[NX * NY]) {
  const double origin[2] = {-2, 3};
  for (int i = 0; i < NX * NY; i++) height[i] = between(-1, 1);
  rutHeightField field;
  rut_height_field_init(&field, NX, NY, 0.5, origin, height);
  return field;
}

// The surface of a height field is that of its look-up, in bits, whatever the number of points.
static void field_is_its_own_surface(void** state) {
  (void)state;
  enum { MOST = 130 };
  double height[NX * NY], x[MOST], y[MOST], below[MOST], z[MOST], sx[MOST], sy[MOST];
  rutHeightField field = field_of(height);
  rutGroundSource source = {.kind = RUT_GROUND_FIELD, .field = &field};
  rut_ground_source_box(&source);
  const rutGround ground = {.sources = 1, .source = &source};
  for (int n = 1; n <= MOST; n++) {
    for (int i = 0; i < n; i++) {
      x[i] = between(-3, 3);
      y[i] = between(2, 7);
      below[i] = between(-9, 9);
    }
    rut_ground_surface(&ground, NULL, &(rutGroundPoints){n, x, y}, below,
                       &(rutGroundSurface){z, sx, sy});
    for (int i = 0; i < n; i++) {
      double want, normal[3];
      // what is far below it has come under it
      if (!rut_height_field_at(&field, x[i], y[i], &want, normal) || want > below[i] + 2) {
        assert_none((Point){z[i], sx[i], sy[i]});
        continue;
      }
      assert_memory_equal(&z[i], &want, sizeof want);
      assert_near(sx[i], -normal[0] / normal[2], 1e-14);
      assert_near(sy[i], -normal[1] / normal[2], 1e-14);
    }
  }
}

static void holes_have_no_ground(void** state) {
  (void)state;
  double height[NX * NY];
  rutHeightField field = field_of(height);
  height[3 * NX + 4] = NAN;  // the node at (0, 4.5)
  const double origin[2] = {-2, 3};
  rut_height_field_init(&field, NX, NY, 0.5, origin, height);
  assert_true(field.z_min >= -1 && field.z_max <= 1);
  rutGroundSource source = {.kind = RUT_GROUND_FIELD, .field = &field};
  rut_ground_source_box(&source);
  const rutGround ground = {.sources = 1, .source = &source};
  int holes = 0;
  for (int i = 0; i < 2000; i++) {
    const double x = between(-2, 2), y = between(3, 6);
    const bool hole = fabs(x) < 0.5 && fabs(y - 4.5) < 0.5;
    const Point p = surface(&ground, x, y, 0);
    bool found;
    rut_ground_height(&ground, NULL, x, y, 0, &found);
    assert_int_equal(found, !hole);
    if (hole) assert_none(p);
    if (!hole) assert_true(isfinite(p.z));
    holes += hole;
  }
  assert_true(holes > 50);
  // a ray straight down goes through, one beside it does not
  const double down[3] = {0, 0, -1}, above_hole[3] = {0.1, 4.4, 5}, beside[3] = {-1.2, 4.4, 5};
  assert_true(isinf(rut_height_field_cast(&field, above_hole, down, 0, 100, NULL)));
  assert_true(rut_height_field_cast(&field, beside, down, 0, 100, NULL) < 7);
}

static void wheels_stay_on_their_storey(void** state) {
  (void)state;
  const rutGroundSource storeys[] = {rectangle(0, 10), rectangle(3, 5)};
  const rutGround ground = {.sources = 2, .source = storeys};
  assert_near(surface(&ground, 1, 1, 1).z, 0, 0);
  assert_near(surface(&ground, 1, 1, 3.4).z, 3, 0);
  assert_near(surface(&ground, 7, 1, 3.4).z, 0, 0);
  assert_none(surface(&ground, 10.5, 1, 3.4));
  // a hub pressed a little below the sheet is still on it, one far below is not
  assert_near(surface(&ground, 1, 1, -0.05).z, 0, 0);
  assert_none(surface(&ground, 1, 1, -0.2));
  const double lift[2] = {0.25, 0};
  double x = 1, y = 1, below = 1, z, sx, sy;
  rut_ground_surface(&ground, lift, &(rutGroundPoints){1, &x, &y}, &below,
                     &(rutGroundSurface){&z, &sx, &sy});
  assert_near(z, 0.25, 0);
}

// Ramps and bumps in closed form, turned by any angle; slopes from differences.
static void ramps_and_bumps_have_their_slopes(void** state) {
  (void)state;
  const rutGroundKind kinds[] = {RUT_GROUND_RAMP, RUT_GROUND_BUMP};
  for (int k = 0; k < 2; k++) {
    const double yaw = 0.7;
    const rutGroundSource s = turned(kinds[k], 4, -2, yaw);
    const rutGround ground = {.sources = 1, .source = &s};
    for (int i = 0; i < 500; i++) {
      const double u = between(-1.5, 3.5), v = between(-2.5, 2.5);
      const double x = 4 + cos(yaw) * u - sin(yaw) * v, y = -2 + sin(yaw) * u + cos(yaw) * v;
      const bool inside = u > -1 && u < 3 && fabs(v) < 2;
      const Point p = surface(&ground, x, y, 2);
      if (!inside) {
        assert_none(p);
        continue;
      }
      const double bump = 0.8 * sqrt(1 - 0.25 * v * v), ramp = 0.8 * (u + 1) / 4;
      assert_near(p.z, k ? bump : ramp, 1e-13);
      const double along = k ? 0 : 0.2, across = k ? -0.8 * 0.25 * v / sqrt(1 - 0.25 * v * v) : 0;
      if (k && fabs(v) > 1.99) continue;
      assert_near(p.slope_x, cos(yaw) * along - sin(yaw) * across, 1e-11);
      assert_near(p.slope_y, sin(yaw) * along + cos(yaw) * across, 1e-11);
    }
  }
}

// ---- shapes ----

enum { PARAMS = 16 };
static rutGroundShape sloping(const double param[PARAMS], rutBlend blend) {
  rutGroundShape s = {.type = &rut_terrain_plane,
                      .param = param,
                      .cos_yaw = 1,
                      .x_min = -INFINITY,
                      .x_max = INFINITY,
                      .y_min = -INFINITY,
                      .y_max = INFINITY,
                      .blend = blend};
  rut_ground_shape_box(&s);
  return s;
}

// Fields after those that all shapes have: slopes along x and y.
static const double flat[PARAMS] = {0}, tenth[PARAMS] = {[8] = 0.1}, fifth[PARAMS] = {[8] = 0.2};

static void shapes_add_up(void** state) {
  (void)state;
  rutGroundShape shapes[3] = {sloping(tenth, RUT_BLEND_ADD), sloping(fifth, RUT_BLEND_ADD),
                              sloping(flat, RUT_BLEND_MAX)};
  shapes[1].z = 2;
  shapes[1].sin_yaw = 1;  // rises along the world's y
  shapes[1].cos_yaw = 0;
  const rutGround ground = {.sources = 1, .source = &level, .shapes = 2, .shape = shapes};
  const Point p = surface(&ground, 3, 4, 0);
  assert_near(p.z, 0.3 + 0.8 + 2, 1e-14);
  assert_near(p.slope_x, 0.1, 1e-14);
  assert_near(p.slope_y, 0.2, 1e-14);
  // the third fills what is below 1 m
  shapes[2].z = 1;
  const rutGround filled = {.sources = 1, .source = &level, .shapes = 3, .shape = shapes};
  assert_near(surface(&filled, 3, 4, 0).z, 3.1, 1e-14);
  const Point low = surface(&filled, -30, 4, 0);
  assert_near(low.z, 1, 1e-14);
  assert_near(low.slope_x, 0, 1e-14);
  // in order of the file: what comes later may take all of it away
  shapes[2].blend = RUT_BLEND_REPLACE;
  assert_near(surface(&filled, 3, 4, 0).z, 1, 1e-14);
}

static void planar_vehicles_see_the_same(void** state) {
  (void)state;
  const double wave[PARAMS] = {[8] = 0.3, [9] = 4, [10] = 0.1};
  rutGroundShape shape = sloping(wave, RUT_BLEND_ADD);
  shape.type = &rut_terrain_sine;
  const rutGroundSource storeys[] = {rectangle(0, 50), rectangle(3, 5)};
  const rutGround ground = {.sources = 2, .source = storeys, .shapes = 1, .shape = &shape};
  for (int i = 0; i < 300; i++) {
    const double x = between(-60, 60), y = between(-10, 10), below = i % 2 ? 1 : 5;
    const Point p = surface(&ground, x, y, below);
    bool found;
    const double z = rut_ground_height(&ground, NULL, x, y, below, &found);
    assert_int_equal(found, !isnan(p.z));
    if (!found) continue;
    assert_memory_equal(&z, &p.z, sizeof z);
    const bool upper = fabs(x) <= 5 && fabs(y) <= 5 && below > 3;
    assert_near(z, (upper ? 3 : 0) + 0.3 * sin(2 * PI * x / 4 + 0.1), 1e-12);
  }
}

// A shape with an edge comes in without a step, in any blend, at any angle; slopes stay those of
// the heights.
static void edges_are_smooth(void** state) {
  (void)state;
  const double base[PARAMS] = {[8] = 0.05, [9] = -0.02};
  const rutBlend blends[] = {RUT_BLEND_ADD, RUT_BLEND_MAX, RUT_BLEND_REPLACE};
  for (int b = 0; b < 3; b++) {
    rutGroundShape shapes[2] = {sloping(base, RUT_BLEND_ADD), sloping(fifth, blends[b])};
    rutGroundShape* s = &shapes[1];
    s->x = 2;
    s->y = -1;
    s->z = 0.7;
    s->cos_yaw = cos(0.5);
    s->sin_yaw = sin(0.5);
    s->x_min = -3;
    s->x_max = 4;
    s->y_min = -2;
    s->y_max = 2;
    s->edge = 0.8;
    rut_ground_shape_box(s);
    const rutGround ground = {.sources = 1, .source = &level, .shapes = 2, .shape = shapes};
    for (int i = 0; i < 3000; i++) {
      const double x = between(-4, 8), y = between(-6, 5), h = 1e-6;
      const Point p = surface(&ground, x, y, 0);
      const Point east = surface(&ground, x + h, y, 0), north = surface(&ground, x, y + h, 0);
      // a jump would be a thousand times this
      assert_near(east.z, p.z, 5e-6);
      assert_near(north.z, p.z, 5e-6);
      if (b == RUT_BLEND_MAX && fabs(east.slope_x - p.slope_x) > 1e-4) continue;
      if (b == RUT_BLEND_MAX && fabs(north.slope_y - p.slope_y) > 1e-4) continue;
      assert_near((east.z - p.z) / h, p.slope_x, 3e-5);
      assert_near((north.z - p.z) / h, p.slope_y, 3e-5);
    }
    // in the middle it is there in full, outside not at all
    const double inside = surface(&ground, 2, -1, 0).z, outside = surface(&ground, -9, 3, 0).z;
    assert_near(inside, blends[b] == RUT_BLEND_ADD ? 0.12 + 0.7 : 0.7, 1e-14);
    assert_near(outside, -0.45 - 0.06, 1e-14);
  }
}

static void shapes_leave_holes_open(void** state) {
  (void)state;
  const rutGroundSource floor_source = rectangle(0, 5);
  for (int b = 0; b < 3; b++) {
    const rutGroundShape shape = sloping(tenth, (rutBlend)b);
    const rutGround ground = {.sources = 1, .source = &floor_source, .shapes = 1, .shape = &shape};
    assert_none(surface(&ground, 6, 0, 9));
    assert_near(surface(&ground, 4, 0, 9).z, 0.4, 1e-15);
    double x = 6, y = 0, z = NAN, sx = 3, sy = 4;
    rut_ground_add_shapes(&ground, &(rutGroundPoints){1, &x, &y},
                          &(rutGroundSurface){&z, &sx, &sy});
    assert_none((Point){z, sx, sy});
  }
}

// Many points of everything together are the same as one by one, in bits.
static void batches_are_points(void** state) {
  (void)state;
  enum { N = 200 };
  double height[NX * NY], x[N], y[N], below[N], z[N], sx[N], sy[N];
  rutHeightField field = field_of(height);
  rutGroundSource sources[4] = {{.kind = RUT_GROUND_FIELD, .field = &field},
                                rectangle(0.5, 2.5),
                                turned(RUT_GROUND_RAMP, 0, 2, 0.3),
                                turned(RUT_GROUND_BUMP, 1, 4, 2)};
  rut_ground_source_box(&sources[0]);
  rutGroundShape shapes[2] = {sloping(tenth, RUT_BLEND_ADD), sloping(fifth, RUT_BLEND_MAX)};
  shapes[1].x_min = 0;
  shapes[1].edge = 0.5;
  rut_ground_shape_box(&shapes[1]);
  const rutGround ground = {.sources = 4, .source = sources, .shapes = 2, .shape = shapes};
  for (int i = 0; i < N; i++) {
    x[i] = between(-4, 5);
    y[i] = between(-4, 8);
    below[i] = between(0, 2);
  }
  x[5] = NAN;
  x[6] = 1e300;
  rut_ground_surface(&ground, NULL, &(rutGroundPoints){N, x, y}, below,
                     &(rutGroundSurface){z, sx, sy});
  assert_none((Point){z[6], sx[6], sy[6]});
  for (int i = 0; i < N; i++) {
    const Point p = surface(&ground, x[i], y[i], below[i]);
    assert_int_equal(isnan(p.z), isnan(z[i]));
    if (isnan(p.z)) continue;
    assert_memory_equal(&p.z, &z[i], sizeof p.z);
    assert_memory_equal(&p.slope_x, &sx[i], sizeof p.z);
    assert_memory_equal(&p.slope_y, &sy[i], sizeof p.z);
  }
}

// ---- what it is made of ----

static void places_are_made_of_something(void** state) {
  (void)state;
  // an L of two strips, not convex
  const double corner[] = {0, 0, 4, 0, 4, 1, 1, 1, 1, 4, 0, 4};
  const rutRegion regions[] = {
      {{-5, -5, -1}, {5, 5, 1}, 0.5, 0.02, 2e5, NAN, NAN, 2, 0, NULL, false},
      {{0, 0, -1e3}, {4, 4, 1e3}, NAN, NAN, NAN, NAN, NAN, 3, 6, corner, false},
  };
  const unsigned char soil[] = {4, RUT_NO_SOIL, 5, 6};
  const float strength[] = {1e5f, 3e5f, NAN, 4e5f};
  const rutGroundMap maps[] = {
      {RUT_MAP_SOIL, 2, 2, 2, {9, 9}, soil, NULL, false},
      {RUT_MAP_STRENGTH, 2, 2, 2, {9, 9}, NULL, strength, false},
      {RUT_MAP_FRICTION, 2, 2, 2, {3, 9}, NULL, strength, false},
  };
  const rutGround ground = {.regions = 2, .region = regions, .maps = 3, .map = maps, .soil = 1};
  enum { N = 9 };
  const double x[N] = {-2, 0.5, 2, 3, 8.1, 11.9, 9, 12.1, 0},
               y[N] = {0, 3, 2, 0.5, 8.1, 9, 11, 9, 0};
  const double z[N] = {0, 0, 0, 0, 0, 0, 0, 0, 2};
  const int want_soil[N] = {2, 3, 2, 3, 4, 1, 5, 1, 1};
  const double want_strength[N] = {2e5, 2e5, 2e5, 2e5, 1e5, 3e5, NAN, NAN, NAN};
  const double want_friction[N] = {0.5, 0.5, 0.5, 0.5, NAN, NAN, NAN, NAN, NAN};
  int got_soil[N];
  double got_strength[N], got_friction[N];
  rut_ground_material(&ground, &(rutGroundPoints){N, x, y}, z,
                      &(rutGroundMaterial){got_soil, got_strength, got_friction, NULL, NULL});
  for (int i = 0; i < N - 1; i++) {
    assert_int_equal(got_soil[i], want_soil[i]);
    if (isnan(want_strength[i])) assert_true(isnan(got_strength[i]));
    if (!isnan(want_strength[i])) assert_near(got_strength[i], want_strength[i], 0);
    if (isnan(want_friction[i])) assert_true(isnan(got_friction[i]));
    if (!isnan(want_friction[i])) assert_near(got_friction[i], want_friction[i], 0);
  }
  // above the box of the first region, but in the prism of the second
  assert_int_equal(got_soil[8], 3);
  assert_true(isnan(got_friction[8]));
  double friction, rolling;
  rut_ground_properties(&ground, -2, 0, 0, &friction, &rolling);
  assert_near(friction, 0.5, 0);
  assert_near(rolling, 0.02, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_ground_is_level),
      cmocka_unit_test(field_is_its_own_surface),
      cmocka_unit_test(holes_have_no_ground),
      cmocka_unit_test(wheels_stay_on_their_storey),
      cmocka_unit_test(ramps_and_bumps_have_their_slopes),
      cmocka_unit_test(shapes_add_up),
      cmocka_unit_test(planar_vehicles_see_the_same),
      cmocka_unit_test(edges_are_smooth),
      cmocka_unit_test(shapes_leave_holes_open),
      cmocka_unit_test(batches_are_points),
      cmocka_unit_test(places_are_made_of_something),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
