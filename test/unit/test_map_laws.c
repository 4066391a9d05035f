// SPDX-License-Identifier: BSD-3-Clause
//
// Laws of speed made good against closed forms and numbers worked out by hand.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/map.h"

static const double PSI = 6894.757293168361;

static void test_sight(void** state) {
  (void)state;
  const double sight[4] = {10, 20, 50, 100};
  const double firm[4] = {7.11, 10.72, 17.94, 26.12}, weak[4] = {5.40, 8.00, 13.18, 19.03};
  for (int i = 0; i < 4; i++) {
    assert_near(rut_map_sight_speed(sight[i], 3.924, 0.5), firm[i], 6e-3);
    assert_near(rut_map_sight_speed(sight[i], 2, 0.5), weak[i], 6e-3);
    // the way of the reaction and of braking is the sight
    const double v = rut_map_sight_speed(sight[i], 3, 0.7);
    assert_near(0.7 * v + v * v / 6, sight[i], 1e-9);
  }
  assert_true(rut_map_sight_speed(INFINITY, 2, 0.5) == INFINITY);
  assert_true(rut_map_sight_speed(10, -1, 0.5) == 0);
  assert_true(rut_map_sight_speed(NAN, 2, 0.5) == 0);
}

static void test_means(void** state) {
  (void)state;
  assert_near(rut_map_mean_speed(3, (double[]){3, 10, 8}), 5.3731, 1e-4);
  assert_true(rut_map_mean_speed(2, (double[]){3, 0}) == 0);
  assert_true(rut_map_mean_speed(0, NULL) == 0);
  rutMapPatch p[4] = {{.1, 1}, {.4, 12}, {.2, 4}, {.3, 8}};
  assert_near(rut_map_percentile_speed(4, p, 50), 10.909, 1e-3);
  assert_near(rut_map_percentile_speed(4, p, 90), 7.448, 1e-3);
  assert_near(rut_map_percentile_speed(4, p, 100), 4.528, 1e-3);
  rutMapPatch q[2] = {{1, 0}, {9, 5}};
  assert_near(rut_map_percentile_speed(2, q, 90), 5, 1e-12);
  assert_true(rut_map_percentile_speed(2, q, 91) == 0);
  assert_true(rut_map_percentile_speed(0, NULL, 50) == 0);
}

// 100 m from 2 m/s at 1 and 4 m/s2: peak sqrt(4 + 200 x 0.8) = 12.806 m/s, in 10.806/0.8 s. Capped
// at 10 m/s: 8/0.8 = 10 s over 60 m, and 40 m more in 4 s.
static void test_obstacles(void** state) {
  (void)state;
  assert_near(rut_map_obstacle_speed(2, 100, 50, 1, 4), 100 / (10.80625 / 0.8), 1e-3);
  assert_near(rut_map_obstacle_speed(2, 100, 10, 1, 4), 100 / 14.0, 1e-9);
  assert_true(rut_map_obstacle_speed(12, 100, 10, 1, 4) == 10);
  assert_true(rut_map_obstacle_speed(0, 100, 10, 1, 4) == 0);
  assert_true(rut_map_obstacle_speed(2, INFINITY, 10, 1, 4) == 10);
}

// Of a mean of 300 and a variation of 0.5: sigma^2 = ln 1.25 = 0.22314, median 300/sqrt(1.25).
static void test_quantiles(void** state) {
  (void)state;
  assert_near(rut_map_quantile(300, 0.5, 0.5), 268.328, 1e-3);
  const double factor = exp(1.2815515655446004 * sqrt(0.22314355131420976));
  assert_near(rut_map_quantile(300, 0.5, 0.9), 268.3281573 * factor, 1e-3);
  assert_near(rut_map_quantile(300, 0.5, 0.1), 268.3281573 / factor, 1e-3);
  assert_true(rut_map_quantile(300, 0, 0.1) == 300);
  assert_true(isnan(rut_map_quantile(NAN, 0.3, 0.1)));
}

// A wheelbase of 4 m sags 4^2/(8 r) below its chord, 0.4 m for a radius of 5 m. Ends 1 m beyond an
// axle meet a hollow of that radius (4 + 1)/(2 x 5) = 0.5 m above the wheels' contact.
static void test_clearance(void** state) {
  (void)state;
  const rutMapShape s = {4, 1, 0.5, 0.45};
  assert_near(rut_map_clearance(&s, 0), 0.45, 1e-12);
  assert_near(rut_map_clearance(&s, -0.2), 0.05, 1e-12);
  assert_near(rut_map_clearance(&s, 0.2), -0.05, 1e-12);
}

// Four driven wheels; 20 kN, 60 kW without a limit of force but 15 kN, no drag.
static rutMapVehicle plain(void) {
  const rutMobilityTyre tyre = {5000, 0.9, 0.3, 0.26, 0.04};
  const rutMobilityAxle axle = {tyre, 2, true};
  rutMapVehicle v = {.axles = {.axles = 2, .axle = {axle, axle}, .clearance = 0.4},
                     .shape = {3, 0.5, 0.5, 0.4},
                     .weight = 20e3,
                     .gravity = 9.81,
                     .height = 0.8,
                     .track = 1.8,
                     .brakes = 0.9,
                     .top_speed = 30,
                     .speeds = 61,
                     .spacing = 0.5};
  for (int k = 0; k < 61; k++) v.effort[k] = fmin(15e3, 60e3 / (0.5 * k + 1e-9));
  return v;
}

static void test_hard_ground(void** state) {
  (void)state;
  const rutMapVehicle v = plain();
  // friction holds up to mu - 0.015, the grade being what is along over what is normal
  const double mu = 0.6;
  for (int k = 0; k < 2; k++) {
    const double grade = 0.585 + (k ? 1e-6 : -1e-6);
    const rutMapPace p = rut_map_formula(&v, RUT_MAP_HARD, mu, grade, 0);
    assert_true((p.limit.speed > 0) == (k == 0));
    if (k) assert_true(p.limit.reason == RUT_MAP_SLOPE);
  }
  // 60 kW against sin + 0.015 cos of 20 kN, between points of the table
  const double angle = atan(0.3);
  const double speed = 60e3 / (20e3 * (sin(angle) + 0.015 * cos(angle)));
  const rutMapPace up = rut_map_formula(&v, RUT_MAP_HARD, 0.8, 0.3, 0);
  assert_near(up.limit.speed, speed, 0.01);
  assert_true(up.limit.reason == RUT_MAP_POWER);
  assert_near(rut_map_formula(&v, RUT_MAP_HARD, 0.8, -0.1, 0).limit.speed, 30, 1e-12);
  // brakes: friction, or what they have, and gravity
  assert_near(rut_map_formula(&v, RUT_MAP_HARD, 0.6, -0.3, 0).deceleration,
              9.81 * (0.6 * cos(angle) - sin(angle)), 1e-9);
  assert_near(rut_map_formula(&v, RUT_MAP_HARD, 1.2, 0, 0).deceleration, 9.81 * 0.9, 1e-9);
  // tips at half of the track over the height; slides at the friction
  assert_true(rut_map_formula(&v, RUT_MAP_HARD, 2, 0, 1.124).limit.speed > 0);
  assert_true(rut_map_formula(&v, RUT_MAP_HARD, 2, 0, 1.126).limit.reason == RUT_MAP_SIDE_SLOPE);
  assert_true(rut_map_formula(&v, RUT_MAP_HARD, 0.5, 0, 0.499).limit.speed > 0);
  assert_true(rut_map_formula(&v, RUT_MAP_HARD, 0.5, 0, 0.501).limit.reason == RUT_MAP_SIDE_SLOPE);
  assert_true(rut_map_formula(&v, RUT_MAP_HARD, NAN, 0, 0).limit.reason == RUT_MAP_NO_DATA);
}

// Net pull by the excess of RCI over VCI1: 0, .2498, .4091 at 0, 5, 10 psi.
static void test_fine_soil(void** state) {
  (void)state;
  rutMapVehicle v = plain();
  // contact pressure above 4 psi
  assert_true(5000 / (0.5 * 0.9 * 0.3) > 4 * PSI);
  const double vci = rut_vci1(&v.axles), net[2] = {.2498, .4091};
  assert_true(rut_map_formula(&v, RUT_MAP_FINE, 0.999 * vci, 0, 0).limit.reason ==
              RUT_MAP_TRACTION);
  for (int k = 0; k < 2; k++) {
    const double strength = vci + (k + 1) * 5 * PSI;
    assert_true(rut_map_formula(&v, RUT_MAP_FINE, strength, net[k] - 1e-3, 0).limit.speed > 0);
    const rutMapPace p = rut_map_formula(&v, RUT_MAP_FINE, strength, net[k] + 1e-3, 0);
    assert_true(p.limit.speed == 0 && p.limit.reason == RUT_MAP_SLOPE);
  }
}

static rutMapLimit limit_of(double grade, const rutMapPlace* change) {
  const rutMapVehicle v = plain();
  const rutMapDriver driver = {3.924, 1, 0.5};
  rutMapPlace place = *change;
  place.grade = grade;
  const rutMapPace pace = rut_map_formula(&v, RUT_MAP_HARD, 0.8, grade, 0);
  return rut_map_limit(&pace, &place, &driver, &v.shape, v.gravity);
}

static void test_limits(void** state) {
  (void)state;
  const rutMapPlace free = {0, 0, INFINITY, INFINITY, INFINITY, INFINITY};
  rutMapPlace p = free;
  assert_near(limit_of(0, &p).speed, 30, 1e-9);
  p.sight = 20;
  assert_near(limit_of(0, &p).speed, 10.72, 5e-3);
  assert_true(limit_of(0, &p).reason == RUT_MAP_VISIBILITY);
  // downhill the same braking has gravity against it
  const double sine = 0.2 / sqrt(1.04);
  assert_near(limit_of(-0.2, &p).speed, rut_map_sight_speed(20, 3.924 - 9.81 * sine, 0.5), 1e-9);
  assert_true(limit_of(-0.45, &p).reason == RUT_MAP_BRAKING);
  p = free;
  p.ride = 6;
  assert_true(limit_of(0, &p).speed == 6 && limit_of(0, &p).reason == RUT_MAP_RIDE);
  p = free;
  p.crossing = 0;
  assert_true(limit_of(0, &p).speed == 0 && limit_of(0, &p).reason == RUT_MAP_OBSTACLE);
  p = free;
  p.curvature = -8 * 0.41 / 9;
  assert_true(limit_of(0, &p).reason == RUT_MAP_CLEARANCE);
  p = free;
  p.curvature = NAN;
  assert_true(limit_of(0, &p).reason == RUT_MAP_NO_DATA);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sight),     cmocka_unit_test(test_means),
      cmocka_unit_test(test_obstacles), cmocka_unit_test(test_quantiles),
      cmocka_unit_test(test_clearance), cmocka_unit_test(test_hard_ground),
      cmocka_unit_test(test_fine_soil), cmocka_unit_test(test_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
