// SPDX-License-Identifier: BSD-3-Clause
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "geom/convex.h"

typedef struct shape {
  double xy[32], normal[32];
  rutConvex convex;
} shape;

static void make(shape* s, int n, const double* corner) {
  s->convex.n = rut_convex_prepare(n, corner, s->xy, s->normal);
  s->convex.xy = s->xy;
  s->convex.normal = s->normal;
}

// Box of size (2 a, 2 b) about (x, y), turned by `angle`.
static void make_box(shape* s, double x, double y, double a, double b, double angle) {
  static const double sx[] = {-1, 1, 1, -1}, sy[] = {-1, -1, 1, 1};
  double corner[8], cs = cos(angle), sn = sin(angle);
  for (int i = 0; i < 4; i++) {
    corner[2 * i] = x + cs * sx[i] * a - sn * sy[i] * b;
    corner[2 * i + 1] = y + sn * sx[i] * a + cs * sy[i] * b;
  }
  make(s, 4, corner);
}

static void test_prepare_cleans_corners(void** state) {
  (void)state;
  double clockwise[] = {0, 0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0}, xy[32], normal[32];
  assert_int_equal(rut_convex_prepare(6, clockwise, xy, normal), 4);
  double area = 0;
  for (int i = 0, j = 3; i < 4; j = i++)
    area += xy[2 * j] * xy[2 * i + 1] - xy[2 * i] * xy[2 * j + 1];
  assert_near(area, 2, 1e-15);
  for (int i = 0; i < 4; i++) {
    // outward: away from the middle
    double x = xy[2 * i] - 0.5, y = xy[2 * i + 1] - 0.5;
    assert_near(normal[2 * i] * x + normal[2 * i + 1] * y, 0.5, 1e-15);
  }
  double point[] = {3, 3, 3, 3, 3, 3}, plate[] = {0, 0, 1, 0, 1, 0}, bad[] = {0, 0, NAN, 1, 1, 1};
  assert_int_equal(rut_convex_prepare(3, point, xy, normal), 1);
  assert_int_equal(rut_convex_prepare(3, plate, xy, normal), 2);
  assert_near(normal[1], -1, 0);
  assert_near(normal[3], 1, 0);
  assert_int_equal(rut_convex_prepare(3, bad, xy, normal), 0);
  assert_int_equal(rut_convex_prepare(0, bad, xy, normal), 0);
}

static void test_closest_points_of_boxes(void** state) {
  (void)state;
  shape a, b;
  make_box(&a, 0, 0, 1, 1, 0);
  // corner to corner: (1, 1) and (4, 5)
  make_box(&b, 5, 6, 1, 1, 0);
  rutClosest c = rut_convex_closest(&a.convex, &b.convex);
  assert_near(c.distance, 5, 1e-14);
  assert_false(c.edge_a || c.edge_b);
  assert_near(c.a[0], 1, 1e-14);
  assert_near(c.b[1], 5, 1e-14);
  // corner of a box on its tip to an edge: 3 - sqrt 2 - 1
  make_box(&b, 3, 0.25, 1, 1, acos(-1) / 4);
  c = rut_convex_closest(&a.convex, &b.convex);
  assert_near(c.distance, 2 - sqrt(2), 1e-14);
  assert_true(c.edge_a && !c.edge_b);
  assert_near(c.a[0], 1, 1e-14);
  assert_near(c.a[1], 0.25, 1e-14);
  c = rut_convex_closest(&b.convex, &a.convex);
  assert_true(c.edge_b && !c.edge_a);
}

static void test_parallel_faces_touch_in_two_points(void** state) {
  (void)state;
  shape a, b;
  rutManifold m;
  make_box(&a, 0, 0, 1, 1, 0);
  const double gaps[] = {0.02, 0, -0.1};
  for (int k = 0; k < 3; k++) {
    make_box(&b, 1.5 + gaps[k], 0.5, 0.5, 1, 0);
    assert_int_equal(rut_convex_collide(&a.convex, &b.convex, 0.05, 0, 0, &m), 2);
    assert_near(m.normal[0], 1, 1e-14);
    assert_near(m.normal[1], 0, 1e-14);
    for (int i = 0; i < 2; i++) {
      assert_near(m.gap[i], gaps[k], 1e-14);
      assert_near(m.point[i][0], 1 + gaps[k] / 2, 1e-14);
    }
    // faces share y from -0.5 to 1
    assert_near(fmin(m.point[0][1], m.point[1][1]), -0.5, 1e-14);
    assert_near(fmax(m.point[0][1], m.point[1][1]), 1, 1e-14);
    assert_int_not_equal(m.id[0], m.id[1]);
  }
  make_box(&b, 1.56, 0.5, 0.5, 1, 0);
  assert_int_equal(rut_convex_collide(&a.convex, &b.convex, 0.05, 0, 0, &m), 0);
}

static void test_corners_touch_along_their_distance(void** state) {
  (void)state;
  shape a, b;
  rutManifold m;
  make_box(&a, 0, 0, 1, 1, 0);
  make_box(&b, 2.03, 2.04, 1, 1, 0);
  assert_int_equal(rut_convex_collide(&a.convex, &b.convex, 0.06, 0, 0, &m), 1);
  assert_near(m.gap[0], 0.05, 1e-12);
  assert_near(m.normal[0], 0.6, 1e-12);
  assert_near(m.normal[1], 0.8, 1e-12);
  assert_int_equal(rut_convex_collide(&a.convex, &b.convex, 0.049, 0, 0, &m), 0);
}

// The normal points from the first to the second whichever owns the face.
static void test_swapped_arguments_give_the_opposite_normal(void** state) {
  (void)state;
  shape a, b;
  rutManifold m, n;
  make_box(&a, 0, 0, 2, 0.5, 0.3);
  make_box(&b, 0.2, 1.0, 0.6, 0.6, 1.0);
  int forward = rut_convex_collide(&a.convex, &b.convex, 0.2, 0, 0, &m);
  assert_true(forward > 0);
  assert_int_equal(rut_convex_collide(&b.convex, &a.convex, 0.2, 0, 0, &n), forward);
  assert_near(m.normal[0], -n.normal[0], 1e-12);
  assert_near(m.normal[1], -n.normal[1], 1e-12);
  assert_near(m.gap[0], n.gap[0], 1e-12);
}

// Edges that are inside a larger body make no contact.
static void test_blocked_edges(void** state) {
  (void)state;
  shape a, b;
  rutManifold m;
  make_box(&b, 0, 0, 1, 1, 0);
  // the body presses 0.3 into the right side and lies 0.05 below the top
  make_box(&a, 1.2, 1.45, 0.5, 0.5, 0);
  assert_true(rut_convex_collide(&a.convex, &b.convex, 0.1, 0, 0.1, &m) > 0);
  assert_near(m.normal[1], -1, 1e-12);
  // with the top blocked (edge 2) only the deeper side is left: taken within the slack, else none
  assert_true(rut_convex_collide(&a.convex, &b.convex, 0.1, 4u, 0.5, &m) > 0);
  assert_near(m.normal[0], -1, 1e-12);
  assert_near(m.gap[0], -0.3, 1e-12);
  assert_int_equal(rut_convex_collide(&a.convex, &b.convex, 0.1, 4u, 0.1, &m), 0);
  // apart, and what faces the gap is blocked: no contact
  make_box(&a, 0, 1.55, 0.5, 0.5, 0);
  assert_true(rut_convex_collide(&a.convex, &b.convex, 0.1, 0, 0.1, &m) > 0);
  assert_int_equal(rut_convex_collide(&a.convex, &b.convex, 0.1, 4u, 0.1, &m), 0);
}

// Tiny, flat and coincident shapes give finite answers.
static void test_degenerate_shapes(void** state) {
  (void)state;
  shape a, b;
  rutManifold m;
  double plate[] = {0, -1, 0, 1};
  make(&a, 2, plate);
  make_box(&b, 1.01, 0, 1, 0.5, 0);
  assert_true(rut_convex_collide(&a.convex, &b.convex, 0.05, 0, 0, &m) > 0);
  assert_near(fabs(m.normal[0]), 1, 1e-12);
  assert_near(m.gap[0], 0.01, 1e-12);
  make_box(&a, 0, 0, 1e-7, 1e-7, 0);
  make_box(&b, 0, 0, 1e-7, 1e-7, 0);
  int n = rut_convex_collide(&a.convex, &b.convex, 0.05, 0, 0, &m);
  for (int i = 0; i < n; i++) assert_true(isfinite(m.gap[i]) && isfinite(m.point[i][0]));
  assert_near(hypot(m.normal[0], m.normal[1]), 1, 1e-9);
  make_box(&a, 1e6, -1e6, 1, 1, 0.5);
  make_box(&b, 1e6 + 1.9, -1e6, 1, 1, 0.5);
  n = rut_convex_collide(&a.convex, &b.convex, 0.05, 0, 0, &m);
  assert_true(n > 0);
  // overlap along the face normal: 2 - 1.9 cos(0.5)
  if (1.9 * cos(0.5) > 1.9 * sin(0.5)) assert_near(m.gap[0], 1.9 * cos(0.5) - 2, 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_prepare_cleans_corners),
      cmocka_unit_test(test_closest_points_of_boxes),
      cmocka_unit_test(test_parallel_faces_touch_in_two_points),
      cmocka_unit_test(test_corners_touch_along_their_distance),
      cmocka_unit_test(test_swapped_arguments_give_the_opposite_normal),
      cmocka_unit_test(test_blocked_edges),
      cmocka_unit_test(test_degenerate_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
