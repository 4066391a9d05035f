// SPDX-License-Identifier: BSD-3-Clause
//
// Speed along a path: closed forms of constant acceleration on straights and a curve, convergence
// to them, and the table of speeds from which a vehicle stops in sight.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/map.h"
#include "rut/plan.h"

static const double PI = 3.14159265358979323846;
enum { MOST = 20000 };
static double distance[MOST], curvature[MOST], speed[MOST], times[MOST], limit[MOST];

// 50 m straight, a right angle of radius 20 m, 50 m straight, with an equal number of intervals of
// about ds on each.
static rutPlanTrack corner(double ds) {
  const double length[] = {50, 10 * PI, 50}, bend[] = {0, 1. / 20, 0};
  int n = 1;
  distance[0] = curvature[0] = 0;
  for (int part = 0; part < 3; part++) {
    const int steps = (int)ceil(length[part] / ds);
    const double begin = distance[n - 1];
    for (int i = 1; i <= steps; i++, n++) {
      distance[n] = begin + length[part] * i / steps;
      curvature[n] = bend[part];
    }
    // both ends of the curve are limited as it is
    if (part == 0) curvature[n - 1] = bend[1];
  }
  return (rutPlanTrack){n, distance, curvature, NULL};
}

static void test_corner(void** state) {
  (void)state;
  rutPlanLimits l = rut_default_plan_limits();
  double before = INFINITY;
  for (double ds = .4; ds > .01; ds /= 2) {
    const rutPlanTrack t = corner(ds);
    const double whole = rut_plan_speeds(&t, &l, speed, times), off = fabs(whole - 16.08168);
    assert_near(whole, times[t.n - 1], 0);
    assert_true(off < .05 * ds && off <= before + 1e-5);
    before = off;
  }
  const rutPlanTrack t = corner(.01);
  assert_near(rut_plan_speeds(&t, &l, speed, NULL), 16.08168, 2e-4);
  double peak[2] = {0}, curve = 0;
  for (int i = 0; i < t.n; i++) {
    if (curvature[i] > 0) curve = speed[i];
    double* most = &peak[distance[i] > 65];
    *most = fmax(*most, speed[i]);
  }
  assert_near(curve, 9.71597, 6e-6);
  assert_near(peak[0], 12.83745, 2e-2);
  assert_near(peak[1], 14.00952, 2e-2);
  assert_true(speed[0] == 0 && speed[t.n - 1] == 0);
  // to the right as to the left
  for (int i = 0; i < t.n; i++) curvature[i] *= -1;
  assert_near(rut_plan_speeds(&t, &l, speed, NULL), 16.08168, 2e-4);
}

// A spacing of 0.1 m from the start on, whatever lies between: no further off than the 16.0800 s of
// another program at this spacing.
static void test_corner_of_tenths(void** state) {
  (void)state;
  const double end = 100 + 10 * PI;
  int n = 0;
  for (; n * .1 < end; n++) {
    distance[n] = n * .1;
    curvature[n] = distance[n] >= 50 && distance[n] <= 50 + 10 * PI ? 1. / 20 : 0;
  }
  distance[n] = end;
  curvature[n++] = 0;
  const rutPlanTrack t = {n, distance, curvature, NULL};
  const rutPlanLimits l = rut_default_plan_limits();
  assert_near(rut_plan_speeds(&t, &l, speed, NULL), 16.08168, 1.68e-3);
}

// Constant acceleration to the top speed, and braking from it: exact at any spacing.
static void test_straight(void** state) {
  (void)state;
  const rutPlanLimits l = {.speed = 20,
                           .lateral = 5,
                           .acceleration = 2,
                           .deceleration = 4,
                           .friction = 1,
                           .gravity = 10,
                           .sight = INFINITY,
                           .start = 4};
  // 96 m to 20 m/s in 8 s, 50 m to rest in 5 s, 54 m between in 2.7 s
  const double at[] = {0, 12, 96, 100, 150, 168, 200}, bend[7] = {0};
  const rutPlanTrack t = {7, at, bend, NULL};
  assert_near(rut_plan_speeds(&t, &l, speed, times), 8 + 2.7 + 5, 1e-12);
  assert_near(speed[1], 8, 1e-12);
  assert_near(times[1], 2, 1e-12);
  assert_near(speed[3], 20, 1e-12);
  assert_near(speed[5], 16, 1e-12);
  assert_near(times[5], 11.7, 1e-12);
  // a limit of a place: past it no faster, and braked for in time
  const double some[] = {INFINITY, INFINITY, INFINITY, INFINITY, 10, INFINITY, INFINITY};
  const rutPlanTrack limited = {7, at, bend, some};
  rut_plan_speeds(&limited, &l, speed, NULL);
  assert_near(speed[4], 10, 0);
  assert_near(speed[3], 20, 1e-12);
  assert_near(speed[5], sqrt(100 + 2 * 2 * 18), 1e-12);
  // at rest for good
  const double stop[] = {0, 0, 0, 0, 0, 0, 0};
  const rutPlanTrack stopped = {7, at, bend, stop};
  assert_true(isinf(rut_plan_speeds(&stopped, &l, speed, NULL)));
  assert_true(rut_plan_speeds(&(rutPlanTrack){0, at, bend, NULL}, &l, speed, NULL) == 0);
}

// On a circle the acceleration is what the friction circle leaves: with v = sqrt(mu g R)
// sin(u)^(1/2) its speed follows v dv/ds = sqrt((mu g)^2 - v^4/R^2), so that v^2 = mu g R sin(2
// s/R).
static void test_friction_circle(void** state) {
  (void)state;
  const double grip = .8 * 9.81, radius = 30;
  rutPlanLimits l = rut_default_plan_limits();
  l.lateral = INFINITY;
  l.acceleration = l.deceleration = INFINITY;
  l.speed = 1000;
  l.end = 1000;
  const int n = 4001;
  for (int i = 0; i < n; i++) {
    distance[i] = .9 * PI / 4 * radius * i / (n - 1);
    curvature[i] = 1 / radius;
  }
  const rutPlanTrack t = {n, distance, curvature, NULL};
  rut_plan_speeds(&t, &l, speed, NULL);
  for (int i = 0; i < n; i += 100) {
    assert_near(speed[i] * speed[i], grip * radius * sin(2 * distance[i] / radius),
                1e-3 * grip * radius);
  }
  // braking is the same the other way round
  l.start = 1000;
  l.end = 0;
  rut_plan_speeds(&t, &l, speed, NULL);
  const double end = distance[n - 1];
  for (int i = 0; i < n; i += 100) {
    assert_near(speed[i] * speed[i], grip * radius * sin(2 * (end - distance[i]) / radius),
                1e-3 * grip * radius);
  }
}

// Every limit holds at every point, on a path that winds.
static void test_limits_hold(void** state) {
  (void)state;
  const rutPlanLimits l = rut_default_plan_limits();
  const int n = 3000;
  for (int i = 0; i < n; i++) {
    distance[i] = .1 * i;
    curvature[i] = .12 * sin(.05 * distance[i]) * sin(.31 * distance[i]);
    limit[i] = i > 1000 && i < 1100 ? 3 : INFINITY;
  }
  const rutPlanTrack t = {n, distance, curvature, limit};
  rut_plan_speeds(&t, &l, speed, NULL);
  for (int i = 0; i < n; i++) {
    assert_true(speed[i] <= fmin(l.speed, limit[i]) + 1e-12);
    assert_true(speed[i] * speed[i] * fabs(curvature[i]) <= l.lateral + 1e-9);
    if (i == 0) continue;
    const double a = (speed[i] * speed[i] - speed[i - 1] * speed[i - 1]) / .2;
    assert_true(a <= l.acceleration + 1e-9 && a >= -l.deceleration - 1e-9);
    const double across = speed[i - 1] * speed[i - 1] * curvature[i - 1];
    if (a > 0) assert_true(hypot(a, across) <= .8 * 9.81 + 1e-9);
  }
}

// Speeds from which a vehicle stops 5 m before the end of its sight; printed to 0.1 m/s.
static void test_sight(void** state) {
  (void)state;
  const double g = 9.81, reaction[] = {0, .25, .5};
  const double table[][7] = {{25, 15.3, 13.9, 12.7, 12.5, 11.6, 10.7},
                             {50, 23.0, 21.6, 20.3, 18.8, 17.8, 16.9},
                             {75, 28.7, 27.3, 25.9, 23.4, 22.5, 21.6},
                             {100, 33.4, 32.0, 30.6, 27.3, 26.3, 25.4}};
  const double at[] = {0, 200, 400}, bend[3] = {0};
  const rutPlanTrack t = {3, at, bend, NULL};
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 6; k++) {
      const double a = (k < 3 ? .6 : .4) * g, tau = reaction[k % 3], sight = table[i][0];
      const double v = rut_plan_sight_speed(sight - 5, a, tau);
      assert_near(v, table[i][k + 1], .051);
      assert_near(v * tau + v * v / (2 * a), sight - 5, 1e-12 * sight);
      rutPlanLimits l = rut_default_plan_limits();
      l.speed = 100;
      l.acceleration = l.deceleration = a;
      l.sight = sight;
      l.reaction = tau;
      rut_plan_speeds(&t, &l, speed, NULL);
      assert_near(speed[1], v, 1e-12);
      assert_near(rut_map_sight_speed(sight - 5, a, tau), v, 0);
    }
  }
  assert_true(rut_plan_sight_speed(0, 5, 1) == 0 && rut_plan_sight_speed(-1, 5, 1) == 0);
  assert_true(rut_plan_sight_speed(5, 0, 1) == 0 && isinf(rut_plan_sight_speed(INFINITY, 5, 1)));
}

// Samples of a path that goes 32 m, back round a curve for 9 m, and 18 m on: at rest between, and
// slow enough for the curve where it begins.
// A step between two rests, shorter than the points' distance: up to sqrt(2 s/(1/a + 1/b)) and
// down.
static void test_two_points(void** state) {
  (void)state;
  rutPlanLimits l = rut_default_plan_limits();
  l.acceleration = 1;
  l.deceleration = 3;
  l.start = l.end = 0;
  const double place[2] = {0, 0.06}, bend[2] = {0, 0};
  const rutPlanTrack track = {2, place, bend, NULL};
  double pace[2], time[2];
  assert_near(rut_plan_speeds(&track, &l, pace, time), 0.4, 1e-12);
  assert_near(time[1], 0.4, 1e-12);
  // no faster than 0.1 m/s: 0.0066667 m of gaining and losing speed, 0.5333 s for the rest
  l.speed = 0.1;
  assert_near(rut_plan_speeds(&track, &l, pace, time), 0.6 + 0.05 * (1 + 1.0 / 3), 1e-12);
}

static void test_points(void** state) {
  (void)state;
  const rutPlanPiece piece[] = {{32, 0}, {-9, .5}, {-18, 0}};
  const rutPlanSampling sampling = {{0, 0, 0}, 3, piece, .25};
  rutPlanPoint point[300];
  static double work[900];
  const int n = rut_plan_sample(&sampling, 300, point);
  assert_true(n == 1 + 4 * 59);
  rutPlanLimits l = rut_default_plan_limits();
  l.lateral = 2;
  l.acceleration = l.deceleration = 1;
  const double whole = rut_plan_point_speeds(n, point, &l, work, speed, times);
  const int turn = 4 * 32, straight = 4 * 41;
  assert_near(speed[turn], 0, 0);
  assert_near(speed[turn / 2], sqrt(32), 1e-9);
  assert_near(times[turn], 2 * sqrt(32), 1e-9);
  // sqrt(2 m/s2 * 2 m) = 2 m/s after 2 m, to the end of the curve
  for (int i = turn + 4 * 2; i <= straight; i++) assert_near(speed[i], 2, 1e-2);
  assert_near(times[straight] - times[turn], 2 + 7 / 2., 2e-2);
  // from 2 m/s to a peak and down to rest within 18 m: v^2 = 20
  const double peak = sqrt(20);
  assert_near(whole - times[straight], (peak - 2) + peak, 1e-2);
  // the other way round, the brakes hold for the curve before it begins
  const rutPlanPiece back[] = {{18, 0}, {9, -.5}};
  const rutPlanSampling other = {{0, 0, 0}, 2, back, .25};
  const int m = rut_plan_sample(&other, 300, point);
  rut_plan_point_speeds(m, point, &l, work, speed, times);
  assert_near(speed[72], 2, 1e-9);
  assert_near(speed[68], sqrt(4 + 2), 1e-2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_corner),      cmocka_unit_test(test_corner_of_tenths),
      cmocka_unit_test(test_straight),    cmocka_unit_test(test_friction_circle),
      cmocka_unit_test(test_limits_hold), cmocka_unit_test(test_sight),
      cmocka_unit_test(test_two_points),  cmocka_unit_test(test_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
