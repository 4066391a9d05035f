// SPDX-License-Identifier: BSD-3-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "format/matrix.h"
#include "geom/height_field.h"
#include "math/rut_math.h"

static uint32_t seed = 3;
static double random_unit(void) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0;
}

// A field of z = function(x, y) with origin (-2, 3), spacing 0.5, 9 x 7 nodes.
enum { NX = 9, NY = 7 };
static rutHeightField sampled(double (*function)(double x, double y), double height[NX * NY]) {
  const double origin[2] = {-2, 3};
  for (int iy = 0; iy < NY; iy++) {
    for (int ix = 0; ix < NX; ix++) {
      height[iy * NX + ix] = function(-2 + 0.5 * ix, 3 + 0.5 * iy);
    }
  }
  rutHeightField field;
  rut_height_field_init(&field, NX, NY, 0.5, origin, height);
  return field;
}

static double plane(double x, double y) { return 0.3 + 0.15 * x - 0.4 * y; }
static double saddle(double x, double y) { return 1 + 0.2 * x + 0.1 * y - 0.3 * x * y; }
static double random_height(double x, double y) {
  (void)x, (void)y;
  return random_unit();
}

// A bilinear function is its own bilinear interpolant, on every cell.
static void bilinear_surface_is_exact(void** state) {
  (void)state;
  double height[NX * NY], normal[3], z;
  rutHeightField f = sampled(saddle, height);
  for (int i = 0; i < 1000; i++) {
    double x = -2 + 4 * random_unit(), y = 3 + 3 * random_unit();
    assert_true(rut_height_field_at(&f, x, y, &z, normal));
    assert_near(z, saddle(x, y), 1e-14);
    double zx = 0.2 - 0.3 * y, zy = 0.1 - 0.3 * x, length = sqrt(1 + zx * zx + zy * zy);
    assert_near(normal[0], -zx / length, 1e-13);
    assert_near(normal[1], -zy / length, 1e-13);
    assert_near(normal[2], 1 / length, 1e-13);
  }
}

static void surface_holds_a_plane(void** state) {
  (void)state;
  double height[NX * NY], z;
  rutHeightField f = sampled(plane, height);
  for (int i = 0; i < 1000; i++) {
    double x = -2 + 4 * random_unit(), y = 3 + 3 * random_unit();
    assert_true(rut_height_field_at(&f, x, y, &z, NULL));
    assert_near(z, plane(x, y), 1e-14);
  }
}

// One cell with a single raised corner: the patch by hand.
static void surface_of_one_cell(void** state) {
  (void)state;
  const double height[4] = {0, 1, 0, 0}, origin[2] = {0, 0};  // z(1, 0) = 1
  double z;
  rutHeightField f;
  rut_height_field_init(&f, 2, 2, 1, origin, height);
  assert_near(f.z_min, 0, 0);
  assert_near(f.z_max, 1, 0);
  rut_height_field_at(&f, 0.75, 0.25, &z, NULL);
  assert_near(z, 0.75 * 0.75, 1e-15);  // u (1 - v)
  rut_height_field_at(&f, 0.25, 0.75, &z, NULL);
  assert_near(z, 0.25 * 0.25, 1e-15);
}

static void no_ground_outside(void** state) {
  (void)state;
  double height[NX * NY], z, normal[3];
  rutHeightField f = sampled(plane, height);
  const double outside[][2] = {{-2.001, 4}, {2.001, 4}, {0, 2.999}, {0, 6.001}, {(double)NAN, 4}};
  for (int i = 0; i < 5; i++) {
    assert_false(rut_height_field_at(&f, outside[i][0], outside[i][1], &z, normal));
    assert_true(isnan(z));
    assert_near(normal[2], 1, 0);
  }
  // the border belongs to the field
  assert_true(rut_height_field_at(&f, 2, 6, &z, NULL));
  assert_near(z, plane(2, 6), 1e-15);
}

static void batch_equals_single_points(void** state) {
  (void)state;
  enum { N = 100 };
  double height[NX * NY], x[N], y[N], z[N], zx[N], zy[N];
  rutHeightField f = sampled(random_height, height);
  for (int i = 0; i < N; i++) {
    x[i] = -2.5 + 5 * random_unit();
    y[i] = 2.5 + 4 * random_unit();
  }
  rut_height_field_at_n(&f, &(rutGroundPoints){N, x, y}, &(rutGroundSurface){z, zx, zy});
  for (int i = 0; i < N; i++) {
    double one, normal[3];
    bool inside = rut_height_field_at(&f, x[i], y[i], &one, normal);
    assert_int_equal(inside, !isnan(z[i]));
    if (!inside) continue;
    assert_near(z[i], one, 0);
    assert_near(zx[i], -normal[0] / normal[2], 1e-12);
    assert_near(zy[i], -normal[1] / normal[2], 1e-12);
  }
}

static void unit(const double d[3], double out[3]) {
  double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  for (int k = 0; k < 3; k++) out[k] = d[k] / length;
}

// Ray against the plane z = 0.3 + 0.15 x - 0.4 y in closed form.
static void rays_against_a_plane(void** state) {
  (void)state;
  double height[NX * NY];
  rutHeightField f = sampled(plane, height);
  int hits = 0;
  for (int i = 0; i < 20000; i++) {
    const double from[3] = {-4 + 8 * random_unit(), 1 + 7 * random_unit(), 1 + random_unit()};
    const double way[3] = {random_unit() - 0.5, random_unit() - 0.5, -random_unit()};
    double d[3];
    unit(way, d);
    double above = from[2] - plane(from[0], from[1]);
    double t = above / (0.15 * d[0] - 0.4 * d[1] - d[2]);
    double x = from[0] + t * d[0], y = from[1] + t * d[1];
    bool inside = t > 0 && x > -2 && x < 2 && y > 3 && y < 6;
    if (!inside) continue;
    hits++;
    assert_near(rut_height_field_cast(&f, from, d, 0, 1e3, NULL), t, 1e-12 * (1 + t));
    assert_near(rut_height_field_cast(&f, from, d, 0, t * 0.999, NULL), (double)INFINITY, 0);
  }
  assert_true(hits > 1000);
}

// Along x = s, y = 4 + s over the saddle z = 1 + 0.2 x + 0.1 y - 0.3 x y, a level ray at height h
// meets it where 1.4 - 0.9 s - 0.3 s^2 = h: s = (-0.9 + sqrt(0.81 + 1.2 (1.4 - h))) / 0.6, coming
// from s > that.
static void level_ray_meets_a_saddle(void** state) {
  (void)state;
  double height[NX * NY];
  rutHeightField f = sampled(saddle, height);
  const double h = 1.3, start = 1.9, r = sqrt(0.5);
  const double from[3] = {start, 4 + start, h}, d[3] = {-r, -r, 0};
  double s = (-0.9 + sqrt(0.81 + 1.2 * (1.4 - h))) / 0.6;
  assert_near(rut_height_field_cast(&f, from, d, 0, 100, NULL), (start - s) * sqrt(2.0), 1e-12);
}

static void vertical_rays(void** state) {
  (void)state;
  double height[NX * NY];
  const double down[3] = {0, 0, -1}, up[3] = {0, 0, 1}, inf = (double)INFINITY;
  rutHeightField f = sampled(random_height, height);
  for (int i = 0; i < 1000; i++) {
    const double from[3] = {-2 + 4 * random_unit(), 3 + 3 * random_unit(), 5};
    const double below[3] = {from[0], from[1], -5};
    double z;
    rut_height_field_at(&f, from[0], from[1], &z, NULL);
    assert_near(rut_height_field_cast(&f, from, down, 0, inf, NULL), 5 - z, 1e-13);
    assert_near(rut_height_field_cast(&f, from, up, 0, inf, NULL), inf, 0);
    assert_near(rut_height_field_cast(&f, below, up, 0, inf, NULL), 0, 0);
  }
}

// On rough ground: the hit lies on the surface, and no point of the ray before it lies below.
static void rays_on_rough_ground(void** state) {
  (void)state;
  int hits = 0;
  for (int round = 0; round < 200; round++) {
    double height[NX * NY];
    rutHeightField f = sampled(random_height, height);
    for (int i = 0; i < 100; i++) {
      const double from[3] = {-2 + 4 * random_unit(), 3 + 3 * random_unit(), 1 + random_unit()};
      const double way[3] = {random_unit() - 0.5, random_unit() - 0.5, -0.5 * random_unit()};
      double d[3], z;
      unit(way, d);
      double t = rut_height_field_cast(&f, from, d, 0, 50, NULL);
      double last = isinf(t) ? 5 : t;
      for (int k = 0; k < 200; k++) {
        double s = last * k / 200;
        if (rut_height_field_at(&f, from[0] + s * d[0], from[1] + s * d[1], &z, NULL)) {
          assert_true(from[2] + s * d[2] > z - 1e-12);
        }
      }
      if (isinf(t)) continue;
      hits++;
      double x = from[0] + t * d[0], y = from[1] + t * d[1];
      // a hit on the border may lie outside by rounding
      x = rut_clamp(x, -2, 2);
      y = rut_clamp(y, 3, 6);
      rut_height_field_at(&f, x, y, &z, NULL);
      assert_near(from[2] + t * d[2], z, 1e-11);
    }
  }
  assert_true(hits > 5000);
}

static void rays_do_not_leak_at_cell_edges(void** state) {
  (void)state;
  double height[NX * NY];
  rutHeightField f = sampled(random_height, height);
  for (int i = 0; i < 100000; i++) {
    // aimed exactly at nodes and cell edges from high above
    double x = -1.5 + 0.5 * (int)(7 * random_unit()), y = 3.5 + 0.5 * (int)(5 * random_unit());
    if (i % 2) y = 3.5 + 2 * random_unit();
    const double from[3] = {x + random_unit() - 0.5, y + random_unit() - 0.5, 20};
    const double way[3] = {x - from[0], y - from[1], -20};
    double d[3];
    unit(way, d);
    assert_true(rut_height_field_cast(&f, from, d, 0, 100, NULL) < 21);
  }
}

// Hills with cliffs, pits and holes, on more nodes than a block of the pyramid has.
enum { WIDE = 83, HIGH = 41 };
typedef struct Rough {
  double height[WIDE * HIGH], top[100];
  rutHeightPyramid pyramid;
  rutHeightField plain, field;  // without and with a pyramid
} Rough;

static Rough* rough_new(bool holes) {
  Rough* r = calloc(1, sizeof *r);
  for (int i = 0; i < WIDE * HIGH; i++) {
    const double x = 0.25 * (i % WIDE), y = 0.25 * (i / WIDE);
    r->height[i] = sin(0.7 * x) * cos(0.9 * y) + 0.05 * random_unit();
    if (random_unit() < 0.01) r->height[i] += 4 * random_unit() - 2;
    if (holes && random_unit() < 0.01) r->height[i] = NAN;
  }
  const double origin[2] = {-3, 2};
  rut_height_field_init(&r->plain, WIDE, HIGH, 0.25, origin, r->height);
  r->field = r->plain;
  assert_int_equal(rut_height_pyramid_size(WIDE, HIGH), 11 * 5 + 6 * 3 + 3 * 2 + 2 * 1 + 1);
  rut_height_pyramid_build(&r->field, r->top, &r->pyramid);
  assert_int_equal(r->pyramid.levels, 5);
  return r;
}

// A ray over the field or beside it, often through its nodes and along its lines.
static void random_ray(double from[3], double d[3]) {
  double way[3] = {random_unit() - 0.5, random_unit() - 0.5, -0.3 * random_unit() * random_unit()};
  from[0] = -6 + 26 * random_unit();
  from[1] = -1 + 16 * random_unit();
  from[2] = 3 * random_unit() - 0.5;
  const int kind = (int)(6 * random_unit());
  if (kind == 0) way[0] = 0;
  if (kind == 1) way[1] = way[0];
  if (kind <= 2) from[0] = 0.25 * (int)(4 * from[0]);
  if (kind <= 2) from[1] = 0.25 * (int)(4 * from[1]);
  if (kind == 3) way[2] = 0;
  unit(way, d);
}

static void pyramid_changes_no_bit(void** state) {
  (void)state;
  int hits = 0;
  for (int round = 0; round < 4; round++) {
    Rough* r = rough_new(round > 1);
    for (int i = 0; i < 50000; i++) {
      double from[3], d[3], normal[3] = {0}, plain_normal[3] = {0};
      random_ray(from, d);
      const double t_min = i % 4 ? 0 : random_unit(), t_max = i % 3 ? 1e3 : 8 * random_unit();
      const double t = rut_height_field_cast(&r->field, from, d, t_min, t_max, normal);
      const double plain = rut_height_field_cast(&r->plain, from, d, t_min, t_max, plain_normal);
      assert_memory_equal(&t, &plain, sizeof t);
      assert_memory_equal(normal, plain_normal, sizeof normal);
      hits += t < HUGE_VAL;
    }
    free(r);
  }
  assert_true(hits > 50000);
}

// What a hit must be: on the surface, with its normal, or on the wall of a border or a hole, which
// is level and across a line of nodes; and no place before it is below the surface.
static void hits_have_normals_and_are_the_first(void** state) {
  (void)state;
  int surfaces = 0, walls = 0, inside = 0;
  for (int round = 0; round < 4; round++) {
    Rough* r = rough_new(round > 1);
    for (int i = 0; i < 10000; i++) {
      double from[3], d[3], normal[3], want[3], z;
      random_ray(from, d);
      const double t = rut_height_field_cast(&r->field, from, d, 0, 1e3, normal);
      const double last = t < HUGE_VAL ? t : 30;
      for (int k = 0; k < 300; k++) {
        const double s = last * k / 300, x = from[0] + s * d[0], y = from[1] + s * d[1];
        if (t > 0 && rut_height_field_at(&r->field, x, y, &z, NULL))
          assert_true(from[2] + s * d[2] > z - 1e-11);
      }
      if (!(t < HUGE_VAL)) continue;
      assert_near(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2], 1, 1e-14);
      if (t == 0) {
        inside++;
        assert_true(normal[2] > 0);
        continue;
      }
      assert_true(normal[0] * d[0] + normal[1] * d[1] + normal[2] * d[2] < 1e-12);
      if (normal[2] == 0) {
        // a hair behind it there is higher ground, a hair before it none
        const double h = 1e-9, x = from[0] + t * d[0], y = from[1] + t * d[1];
        const double u = 4 * (x + 3), v = 4 * (y - 2), along = normal[0] != 0 ? v : u;
        if (fabs(along - rint(along)) < 1e-6) continue;
        assert_true(rut_height_field_at(&r->field, x - h * normal[0], y - h * normal[1], &z, NULL));
        assert_true(z > from[2] + t * d[2]);
        assert_false(
            rut_height_field_at(&r->field, x + h * normal[0], y + h * normal[1], &z, NULL));
        walls++;
        continue;
      }
      // a hair before the hit, so that it is in the same cell; not where cells meet
      const double h = 1e-9, x = from[0] + (t - h) * d[0], y = from[1] + (t - h) * d[1];
      if (!rut_height_field_at(&r->field, x, y, &z, want)) continue;
      assert_near(from[2] + t * d[2], z, 1e-7);
      const double u = 4 * (x + 3), v = 4 * (y - 2), edge = 1e-6;
      if (fabs(u - rint(u)) < edge || fabs(v - rint(v)) < edge) continue;
      if (fabs(u - v - rint(u - v)) < edge) continue;
      for (int k = 0; k < 3; k++) assert_near(normal[k], want[k], 1e-6);
      surfaces++;
    }
    free(r);
  }
  assert_true(surfaces > 5000 && walls > 1000 && inside > 1000);
}

// 1e5 rays straight down from above hit once, where the height is, and leave the field never.
static void every_downward_ray_hits(void** state) {
  (void)state;
  Rough* r = rough_new(false);
  for (int i = 0; i < 100000; i++) {
    double x = -3 + 20.5 * random_unit(), y = 2 + 10 * random_unit(), z, normal[3];
    if (i % 3 == 0) x = -3 + 0.25 * (1 + (int)(81 * random_unit()));
    if (i % 5 == 0) y = 2 + 0.25 * (1 + (int)(39 * random_unit()));
    const double from[3] = {x, y, 7}, down[3] = {0, 0, -1};
    assert_true(rut_height_field_at(&r->field, x, y, &z, NULL));
    const double t = rut_height_field_cast(&r->field, from, down, 0, HUGE_VAL, normal);
    assert_near(t, 7 - z, 1e-13);
    assert_true(normal[2] > 0);
    // slanting, aimed at the same place; over a peak near the border it may leave the field
    if (x < -1.5 || x > 16 || y < 3.5 || y > 10.5) continue;
    const double side[3] = {x + 3 * random_unit() - 1.5, y + 3 * random_unit() - 1.5, 7};
    const double way[3] = {x - side[0], y - side[1], z - 7};
    double d[3];
    unit(way, d);
    assert_true(rut_height_field_cast(&r->field, side, d, 0, HUGE_VAL, NULL) < 20);
  }
  free(r);
}

static void rays_that_are_not_numbers_hit_nothing(void** state) {
  (void)state;
  Rough* r = rough_new(false);
  const double good[3] = {0, 3, 5}, down[3] = {0, 0, -1};
  const double bad[][3] = {{NAN, 3, 5}, {0, HUGE_VAL, 5}, {0, 3, NAN}};
  for (int i = 0; i < 3; i++) {
    assert_true(isinf(rut_height_field_cast(&r->field, bad[i], down, 0, HUGE_VAL, NULL)));
    assert_true(isinf(rut_height_field_cast(&r->field, good, bad[i], 0, HUGE_VAL, NULL)));
  }
  assert_true(isinf(rut_height_field_cast(&r->field, good, down, 0, NAN, NULL)));
  assert_true(isinf(rut_height_field_cast(&r->field, good, (double[3]){0}, 0, 9, NULL)));
  free(r);
}

// ---------------------------------------------------------------------------------------------
// MVSim's layout

static char* read_text(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  char* text = calloc(1, 1 << 20);
  size_t n = fread(text, 1, (1 << 20) - 1, file);
  text[n] = '\0';
  fclose(file);
  return text;
}

// Field of a world's <elevation_data_matrix>, centred, 2 m between nodes.
static bool load_slope(const char* name, rutHeightField* field, double** height) {
  char path[1024];
  snprintf(path, sizeof path, "%s/data/mvsim/conformance/%s.world.xml", RUT_SHARED_DIR, name);
  char* text = read_text(path);
  if (!text) return false;
  char* start = strstr(text, "<elevation_data_matrix>") + strlen("<elevation_data_matrix>");
  char* end = strstr(start, "</");
  rutReporter reporter = {0};
  rutMatrix m;
  assert_int_equal(
      rut_matrix_parse(start, (size_t)(end - start), (rutPlace){path, 4, 1}, "", &reporter, &m),
      RUT_OK);
  *height = malloc(sizeof **height * (size_t)(m.rows * m.cols));
  rut_height_field_from_rows(m.rows, m.cols, m.value, *height);
  const double origin[2] = {-0.5 * 2 * (m.rows - 1), -0.5 * 2 * (m.cols - 1)};
  rut_height_field_init(field, m.rows, m.cols, 2, origin, *height);
  rut_matrix_free(&m);
  free(text);
  return true;
}

static void slopes_of_the_conformance_worlds(void** state) {
  (void)state;
  rutHeightField f;
  double *height, z;
  if (!load_slope("slope15x_diff4_rest", &f, &height)) {
    print_message("no shared data, skipped\n");
    skip();
  }
  // 15 % along x: matrix rows go along +x
  for (double x = -19; x < 20; x += 3.7) {
    rut_height_field_at(&f, x, 1.3, &z, NULL);
    assert_near(z, 0.15 * x, 1e-12);
  }
  free(height);
  assert_true(load_slope("slope15y_diff4_rest", &f, &height));
  for (double y = -19; y < 20; y += 3.7) {
    rut_height_field_at(&f, 1.3, y, &z, NULL);
    assert_near(z, 0.15 * y, 1e-12);
  }
  free(height);
}

static void rows_go_along_x(void** state) {
  (void)state;
  const double value[6] = {1, 2, 3, 4, 5, 6};  // 2 rows, 3 columns
  double height[6];
  rut_height_field_from_rows(2, 3, value, height);
  const double expected[6] = {1, 4, 2, 5, 3, 6};  // 3 rows of y with 2 of x
  for (int i = 0; i < 6; i++) assert_near(height[i], expected[i], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bilinear_surface_is_exact),
      cmocka_unit_test(surface_holds_a_plane),
      cmocka_unit_test(surface_of_one_cell),
      cmocka_unit_test(no_ground_outside),
      cmocka_unit_test(batch_equals_single_points),
      cmocka_unit_test(rays_against_a_plane),
      cmocka_unit_test(level_ray_meets_a_saddle),
      cmocka_unit_test(vertical_rays),
      cmocka_unit_test(rays_on_rough_ground),
      cmocka_unit_test(rays_do_not_leak_at_cell_edges),
      cmocka_unit_test(pyramid_changes_no_bit),
      cmocka_unit_test(hits_have_normals_and_are_the_first),
      cmocka_unit_test(every_downward_ray_hits),
      cmocka_unit_test(rays_that_are_not_numbers_hit_nothing),
      cmocka_unit_test(rows_go_along_x),
      cmocka_unit_test(slopes_of_the_conformance_worlds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
