// SPDX-License-Identifier: BSD-3-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "geom/polygon.h"
#include "is_convex.h"
#include "math/rut_math.h"

static uint32_t seed = 1;
static double random_unit(void) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0;
}

static void hull_drops_inner_and_collinear_points(void** state) {
  (void)state;
  double point[] = {0, 0, 2, 0, 1, 0, 2, 2, 0, 2, 1, 1, 0, 1, 2, 0, 1.5, 0.2};
  double hull[20];
  assert_int_equal(rut_polygon_hull(9, point, hull), 4);
  const double expected[] = {0, 0, 2, 0, 2, 2, 0, 2};
  for (int i = 0; i < 8; i++) assert_near(hull[i], expected[i], 0);
}

static void hull_of_degenerate_points(void** state) {
  (void)state;
  double hull[10], same[] = {1, 2, 1, 2, 1, 2}, line[] = {0, 0, 3, 3, 1, 1, 2, 2};
  assert_int_equal(rut_polygon_hull(0, same, hull), 0);
  assert_int_equal(rut_polygon_hull(3, same, hull), 1);
  assert_int_equal(rut_polygon_hull(4, line, hull), 2);
}

// Rounding lets a point of a line turn left both ways, and where products overflow every turn is
// NaN: the hull stays within its n + 1 points even so.
static void hull_stays_in_its_room(void** state) {
  (void)state;
  enum { N = 3, ROOM = N + 1, GUARDS = 4 };
  for (int round = 0; round < 100000; round++) {
    const double x = random_unit(), y = random_unit(), along = random_unit(), up = random_unit();
    const double scale = round % 2 ? 1 : 1e200;
    double point[2 * N], hull[2 * (ROOM + GUARDS)];
    for (int i = 0; i < N; i++) {
      const double t = random_unit();
      point[2 * i] = scale * (x + t * along);
      point[2 * i + 1] = scale * (y + t * up);
    }
    for (int i = 0; i < 2 * GUARDS; i++) hull[2 * ROOM + i] = 7;
    const int n = rut_polygon_hull(N, point, hull);
    assert_true(n >= 1 && n <= N);
    for (int i = 0; i < 2 * GUARDS; i++) assert_near(hull[2 * ROOM + i], 7, 0);
  }
}

static void hull_contains_all_points(void** state) {
  (void)state;
  enum { N = 200 };
  for (int round = 0; round < 50; round++) {
    double point[2 * N], copy[2 * N], hull[2 * N + 2];
    for (int i = 0; i < 2 * N; i++) point[i] = random_unit() * 10 - 5;
    memcpy(copy, point, sizeof copy);
    int n = rut_polygon_hull(N, point, hull);
    assert_true(is_convex(n, hull));
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < n; j++) {
        const double *a = hull + 2 * j, *b = hull + 2 * ((j + 1) % n), *p = copy + 2 * i;
        assert_true((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > -1e-12);
      }
    }
  }
}

// Rectangle: m (a^2 + b^2) / 12. Right triangle with legs a, b: centroid (a/3, b/3), m (a^2 + b^2)
// / 18. Regular hexagon of side s: m 5 s^2 / 12. (Beer and Johnston, Vector Mechanics, tables.)
static void mass_properties_match_closed_forms(void** state) {
  (void)state;
  double com[2], inertia;
  const double box[] = {1000, -2000, 1004, -2000, 1004, -1998, 1000, -1998};
  assert_near(rut_polygon_mass(4, box, 6, com, &inertia), 8, 1e-12);
  assert_near(com[0], 1002, 1e-12);
  assert_near(com[1], -1999, 1e-12);
  assert_near(inertia, 6 * (16 + 4) / 12.0, 1e-11);

  const double triangle[] = {0, 3, 6, 0, 0, 0};  // clockwise
  assert_near(rut_polygon_mass(3, triangle, 9, com, &inertia), 9, 1e-12);
  assert_near(com[0], 2, 1e-14);
  assert_near(com[1], 1, 1e-14);
  assert_near(inertia, 9 * (36 + 9) / 18.0, 1e-12);
  assert_near(rut_polygon_area(3, triangle), -9, 1e-14);

  double hexagon[12], h = sqrt(3.0) / 2;
  const double corners[] = {1, 0, 0.5, h, -0.5, h, -1, 0, -0.5, -h, 0.5, -h};
  for (int i = 0; i < 12; i++) hexagon[i] = 2 * corners[i];
  assert_near(rut_polygon_mass(6, hexagon, 3, com, &inertia), 1.5 * sqrt(3.0) * 4, 1e-12);
  assert_near(com[0], 0, 1e-15);
  assert_near(inertia, 3 * 5 * 4 / 12.0, 1e-12);
}

static void mass_of_a_shape_with_a_notch(void** state) {
  (void)state;
  // L: 2 x 2 square without its upper right unit square, by Steiner from its two boxes
  const double ell[] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2};
  double com[2], inertia;
  assert_near(rut_polygon_mass(6, ell, 3, com, &inertia), 3, 1e-15);
  assert_near(com[0], 5.0 / 6, 1e-15);
  double low = 2 * (4 + 1) / 12.0 + 2 * ((1 - 5.0 / 6) * (1 - 5.0 / 6) + 1.0 / 9);
  double high = 1 / 6.0 + (0.5 - 5.0 / 6) * (0.5 - 5.0 / 6) + (1.5 - 5.0 / 6) * (1.5 - 5.0 / 6);
  assert_near(inertia, low + high, 1e-14);
}

static void mass_without_area(void** state) {
  (void)state;
  const double line[] = {0, 0, 1, 1, 2, 2};
  double com[2], inertia = 5;
  assert_near(rut_polygon_mass(3, line, 1, com, &inertia), 0, 0);
  assert_near(com[0], 1, 1e-15);
  assert_near(inertia, 0, 0);
}

static void simplify_keeps_the_large_corners(void** state) {
  (void)state;
  double square[] = {0, 0, 1, -0.01, 2, 0, 2.02, 1, 2, 2, 0, 2};
  assert_int_equal(rut_polygon_simplify(6, square, 4), 4);
  const double expected[] = {0, 0, 2, 0, 2, 2, 0, 2};
  for (int i = 0; i < 8; i++) assert_near(square[i], expected[i], 0);
}

static void transform_bounds(void** state) {
  (void)state;
  double point[] = {1, 0, 0, 2}, box[4];
  rut_polygon_transform(2, point, (rutPlanePose){10, 20, 0, 1}, point);  // a quarter turn
  assert_near(point[0], 10, 0);
  assert_near(point[1], 21, 0);
  assert_near(point[2], 8, 0);
  assert_near(point[3], 20, 0);
  rut_polygon_bounds(2, point, box);
  assert_near(box[0], 8, 0);
  assert_near(box[1], 20, 0);
  assert_near(box[2], 10, 0);
  assert_near(box[3], 21, 0);
}

static void tiles_share_no_point(void** state) {
  (void)state;
  // four unit squares around the origin: every point, on edges and corners too, is in exactly one
  for (int i = 0; i < 1000; i++) {
    double x = (int)(random_unit() * 5) * 0.5 - 1, y = (int)(random_unit() * 5) * 0.5 - 1;
    if (x >= 1 || y >= 1) continue;
    int count = 0;
    for (int q = 0; q < 4; q++) {
      double a = (q & 1) - 1, b = (q >> 1) - 1;
      const double tile[] = {a, b, a + 1, b, a + 1, b + 1, a, b + 1};
      count += rut_polygon_contains(4, tile, x, y);
    }
    assert_int_equal(count, 1);
  }
}

static void separation_of_squares(void** state) {
  (void)state;
  const double a[] = {0, 0, 1, 0, 1, 1, 0, 1};
  double b[8];
  rut_polygon_transform(4, a, (rutPlanePose){1.5, 0.25, 1, 0}, b);
  assert_near(rut_polygon_separation(4, a, 4, b), 0.5, 1e-15);
  rut_polygon_transform(4, a, (rutPlanePose){0.2, -0.9, 1, 0}, b);
  assert_near(rut_polygon_separation(4, a, 4, b), -0.1, 1e-15);
  // a corner of b, a square on its tip, 0.3 above the top of a: only an edge of a tells
  rut_polygon_transform(4, a, (rutPlanePose){0.5, 1.3, sqrt(0.5), sqrt(0.5)}, b);
  assert_near(rut_polygon_separation(4, a, 4, b), 0.3, 1e-15);
  assert_near(rut_polygon_separation(4, b, 4, a), 0.3, 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hull_drops_inner_and_collinear_points),
      cmocka_unit_test(hull_of_degenerate_points),
      cmocka_unit_test(hull_stays_in_its_room),
      cmocka_unit_test(hull_contains_all_points),
      cmocka_unit_test(mass_properties_match_closed_forms),
      cmocka_unit_test(mass_of_a_shape_with_a_notch),
      cmocka_unit_test(mass_without_area),
      cmocka_unit_test(simplify_keeps_the_large_corners),
      cmocka_unit_test(transform_bounds),
      cmocka_unit_test(tiles_share_no_point),
      cmocka_unit_test(separation_of_squares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
