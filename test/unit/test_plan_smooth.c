// SPDX-License-Identifier: BSD-3-Clause
//
// Smoothing of paths: its gradient against differences, the cubic that has the least second
// differences, curvature and clearance that it gives, and what it must not touch.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/rng.h"
#include "plan/smooth.h"
#include "repetitions.h"

static const double PI = 3.14159265358979323846;
enum { SIDE = 120, MOST = 400 };
static uint16_t cost[SIDE * SIDE];
static int32_t squared[SIDE * SIDE], scratch[3 * SIDE];
static double work[RUT_PLAN_SMOOTH_WORK * MOST];
static rutPlanPoint point[MOST], before[MOST];

// 30 m x 30 m of cells of 0.25 m, with a block [m].
static rutPlanGround ground_of(double x0, double y0, double x1, double y1) {
  for (int i = 0; i < SIDE * SIDE; i++) {
    const double x = .25 * (i % SIDE + .5), y = .25 * (i / SIDE + .5);
    cost[i] = !(x > x0 && x < x1 && y > y0 && y < y1);
  }
  const rutPlanGround g = {{SIDE, SIDE, cost, false}, .25, {0, 0}};
  rut_plan_distances(&g.grid, squared, scratch);
  return g;
}

static void test_gradient(void** state) {
  (void)state;
  enum { N = 12 };
  const rutPlanGround g = ground_of(10, 10, 14, 12);
  const rutPlanSmoothing smoothing = {&g, squared, {3, 1, 2}, 4, .1, 50};
  double held[N] = {1, 1}, p[2 * N], gradient[2 * N];
  double spacing[N];
  for (int i = 0; i < N; i++) spacing[i] = .5 + .02 * i;
  const rutSection s = {&smoothing, N, held, spacing};
  int checked = 0;
  for (uint32_t n = 0; n < (uint32_t)repetitions(200, 20); n++) {
    for (uint32_t i = 0; i < 2 * N; i++) {
      p[i] = (i % 2 ? 9 : 5 + .4 * i) + .5 * rut_uniform(1, 2, n, i);
    }
    const double sum = rut_smooth_sum(&s, p, gradient);
    assert_near(rut_smooth_sum(&s, p, NULL), sum, 0);
    for (int i = 0; i < 2 * N; i++) {
      const double at = p[i], step = 1e-6;
      p[i] = at + step;
      const double more = rut_smooth_sum(&s, p, NULL);
      p[i] = at - step;
      const double less = rut_smooth_sum(&s, p, NULL);
      p[i] = at;
      if (held[i / 2] > 0) {
        assert_near(gradient[i], 0, 0);
        continue;
      }
      // differences of both sides tell where a residual begins or a cell ends
      const double right = (more - sum) / step, left = (sum - less) / step;
      if (fabs(right - left) > 1e-2 * (1 + fabs(right))) continue;
      assert_near(gradient[i], (more - less) / (2 * step), 1e-5 * (1 + fabs(gradient[i])));
      checked++;
    }
  }
  assert_true(checked > repetitions(3000, 300));
}

// Path of n points from a function.
static void make_path(int n, void (*at)(double t, double xy[2])) {
  for (int i = 0; i < n; i++) {
    double xy[2];
    at((double)i / (n - 1), xy);
    point[i] = (rutPlanPoint){.pose = {xy[0], xy[1], 0}, .gear = 1};
    if (i == 0) continue;
    const rutPlanPose *a = &point[i - 1].pose, *b = &point[i].pose;
    point[i].distance = point[i - 1].distance + hypot(b->x - a->x, b->y - a->y);
    point[i].pose.yaw = atan2(b->y - a->y, b->x - a->x);
  }
  point[0].pose.yaw = point[1].pose.yaw;
  for (int i = 0; i < n; i++) before[i] = point[i];
}

static void corner(double t, double xy[2]) {
  xy[0] = t < .5 ? 4 + 20 * t : 14;
  xy[1] = t < .5 ? 15 : 15 + 20 * (t - .5);
}

// Least squares of second differences between two held points at both ends: fourth differences are
// 0, so that it is a cubic of the number of the point, here by Lagrange's formula.
static void test_cubic(void** state) {
  (void)state;
  enum { N = 41 };
  const rutPlanGround g = ground_of(0, 0, .5, .5);
  make_path(N, corner);
  const rutPlanSmoothing smoothing = {&g, squared, {.5, .5, .5}, 0, 1e9, 50};
  assert_int_equal(rut_plan_smooth(&smoothing, N, point, work), N - 4);
  const int held[] = {0, 1, N - 2, N - 1};
  for (int i = 0; i < N; i++) {
    double x = 0, y = 0;
    for (int k = 0; k < 4; k++) {
      double share = 1;
      for (int j = 0; j < 4; j++) {
        if (j != k) share *= (double)(i - held[j]) / (held[k] - held[j]);
      }
      x += share * before[held[k]].pose.x;
      y += share * before[held[k]].pose.y;
    }
    assert_near(point[i].pose.x, x, 1e-9);
    assert_near(point[i].pose.y, y, 1e-9);
  }
  // neither longer than the corner nor shorter than the straight line
  const double length = point[N - 1].distance;
  assert_true(length > hypot(10, 10) && length < 20);
}

static void circle(double t, double xy[2]) {
  xy[0] = 15 + 8 * cos(1.5 * PI * t);
  xy[1] = 15 + 8 * sin(1.5 * PI * t);
}

// Headings and curvatures follow the points: on a circle driven forward and in reverse.
static void test_follows(void** state) {
  (void)state;
  enum { N = 150 };
  const rutPlanGround g = ground_of(0, 0, .5, .5);
  const rutPlanSmoothing smoothing = {&g, squared, {.5, .5, .5}, 0, 1e9, 1};
  for (int gear = 1; gear >= -1; gear -= 2) {
    make_path(N, circle);
    for (int i = 0; i < N; i++) point[i].gear = gear;
    // no iteration: nothing moves
    rutPlanSmoothing none = smoothing;
    none.iterations = 0;
    rut_plan_smooth(&none, N, point, work);
    for (int i = 2; i < N - 2; i++) {
      const double angle = 1.5 * PI * i / (N - 1) + (gear > 0 ? .5 : -.5) * PI;
      assert_near(point[i].pose.x, before[i].pose.x, 0);
      assert_near(remainder(point[i].pose.yaw - angle, 2 * PI), 0, 1e-9);
      assert_near(point[i].curvature, gear / 8., 1e-9);
    }
  }
}

static double most_curved(int n) {
  double most = 0;
  for (int i = 2; i < n - 2; i++) most = fmax(most, fabs(point[i].curvature));
  return most;
}

static double least_distance(const rutPlanSmoothing* s, int n) {
  double least = INFINITY, gradient[2];
  for (int i = 0; i < n; i++) {
    const double at[] = {point[i].pose.x, point[i].pose.y};
    least = fmin(least, rut_smooth_distance(s, at, gradient));
  }
  return least;
}

// The corner of a way that passes a block closely: it keeps away as far as it is told, bends as
// little, and stays free.
static void test_corner(void** state) {
  (void)state;
  enum { N = 81 };
  const rutPlanGround g = ground_of(5, 17, 12, 25);
  make_path(N, corner);
  const rutPlanSmoothing smoothing = {&g, squared, {.6, .6, 1.2}, 1.5, .3, 50};
  double least[2];
  for (int i = 0; i < 2; i++) {
    rutPlanSmoothing s = smoothing;
    s.clearance = i == 0 ? 1.2 : 1.8;
    for (int k = 0; k < N; k++) point[k] = before[k];
    rut_plan_smooth(&s, N, point, work);
    least[i] = least_distance(&s, N);
  }
  assert_near(least[0], 1.2, .03);
  assert_near(least[1], 1.8, .03);
  for (int k = 0; k < N; k++) point[k] = before[k];
  rut_plan_smooth(&smoothing, N, point, work);
  // the corner itself is of the size of its spacing; now its curvature is soft, but near
  assert_true(most_curved(N) < 1.1 * .3);
  for (int i = 0; i < N; i++) {
    assert_false(rut_plan_collides(&g, &smoothing.footprint, &point[i].pose));
  }
  // ends and their headings stay
  for (int k = 0; k < 2; k++) {
    assert_near(point[k].pose.x, before[k].pose.x, 0);
    assert_near(point[N - 1 - k].pose.y, before[N - 1 - k].pose.y, 0);
  }
}

// A slalom so narrow that the smoothest way collides: points are held, and all stay free.
static void test_held(void** state) {
  (void)state;
  enum { N = 81 };
  const rutPlanGround g = ground_of(6, 10, 7, 20);
  make_path(N, corner);
  const rutPlanSmoothing smoothing = {&g, squared, {.3, .3, .5}, 0, 1e9, 50};
  // the way goes through the block, and any other one would
  int collide = 0;
  for (int i = 0; i < N; i++)
    collide += rut_plan_collides(&g, &smoothing.footprint, &point[i].pose);
  assert_true(collide > 0);
  const int moved = rut_plan_smooth(&smoothing, N, point, work);
  // a section that collides whatever is held stays as it was
  assert_int_equal(moved, 0);
  for (int i = 0; i < N; i++) {
    assert_memory_equal(&point[i].pose, &before[i].pose, sizeof before[i].pose);
  }
  const rutPlanGround free_below = ground_of(9, 15.6, 12.9, 18);
  const rutPlanSmoothing other = {&free_below, squared, {.3, .3, .5}, 0, 1e9, 50};
  for (int i = 0; i < N; i++) {
    assert_false(rut_plan_collides(&free_below, &other.footprint, &point[i].pose));
  }
  const int some = rut_plan_smooth(&other, N, point, work);
  assert_true(some > 0 && some < N - 4);
  for (int i = 0; i < N; i++) {
    assert_false(rut_plan_collides(&free_below, &other.footprint, &point[i].pose));
  }
}

// A manoeuvre: where the gear changes nothing moves, all stays free, and curvatures jump less.
static void test_manoeuvre(void** state) {
  (void)state;
  const rutPlanGround g = ground_of(10, 14, 20, 30);
  const rutPlanCar car = rut_default_plan_car();
  const rutPlanPose from = {5, 25, -PI / 2}, to = {25, 25, PI};
  rutPlanHybrid* h;
  rutPlanPath path;
  assert_int_equal(rut_plan_hybrid_create(&car, &g, &h, NULL), RUT_OK);
  assert_int_equal(rut_plan_hybrid_ground(h, &g, NULL), RUT_OK);
  assert_int_equal(rut_plan_hybrid_find(h, &from, &to, &path, NULL), RUT_OK);
  assert_int_equal(path.answer, RUT_PLAN_FOUND);
  const rutPlanSampling sampling = {from, path.pieces, path.piece, .3};
  const int n = rut_plan_sample(&sampling, MOST, point);
  assert_true(n < MOST && path.gear_changes > 0);
  for (int i = 0; i < n; i++) before[i] = point[i];
  const rutPlanSmoothing smoothing = {&g, squared, car.footprint, 1.5, 1 / car.turning_radius, 50};
  const int moved = rut_plan_smooth(&smoothing, n, point, work);
  assert_true(moved > n / 2);
  double jumps = 0, jumps_before = 0;
  for (int i = 0; i < n; i++) {
    assert_false(rut_plan_collides(&g, &car.footprint, &point[i].pose));
    const bool cusp = i == 0 || i == n - 1 || before[i].gear != before[i + 1].gear;
    if (cusp) assert_memory_equal(&point[i].pose, &before[i].pose, sizeof before[i].pose);
    assert_int_equal(point[i].gear, before[i].gear);
    if (i == 0 || cusp || before[i].gear != before[i - 1].gear) continue;
    jumps += pow(point[i].curvature - point[i - 1].curvature, 2);
    jumps_before += pow(before[i].curvature - before[i - 1].curvature, 2);
  }
  assert_true(jumps < jumps_before);
  assert_near(point[n - 1].distance, path.length, .05 * path.length);
  rut_plan_hybrid_destroy(h);
  // what is not finite, and too little
  point[3].pose.x = NAN;
  assert_int_equal(rut_plan_smooth(&smoothing, n, point, work), 0);
  assert_int_equal(rut_plan_smooth(&smoothing, 3, point, work), 0);
  assert_int_equal(rut_plan_smooth(&smoothing, 0, point, work), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gradient), cmocka_unit_test(test_cubic),
      cmocka_unit_test(test_follows),  cmocka_unit_test(test_corner),
      cmocka_unit_test(test_held),     cmocka_unit_test(test_manoeuvre),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
