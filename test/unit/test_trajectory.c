// SPDX-License-Identifier: BSD-3-Clause
//
// The controller that follows points with times, through the public interface: numbers worked by
// hand from pure pursuit's curvature 2 y/d^2, and a circle, on which that is exact.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "world_fixture.h"

#define ROBOT(place, trajectory)                                                          \
  "<world timestep='5 ms'><vehicle name='a' " place                                       \
  "><chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"                   \
  "<wheel position='0 0.25' place='left' mass='1' radius='0.1'/>"                         \
  "<wheel position='0 -0.25' place='right' mass='1' radius='0.1'/>"                       \
  "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_ideal' name='d'/>" \
  "<controller type='trajectory' commands='d' " trajectory "/></vehicle></world>"

static double told(const World* w, const char* name) {
  const int n = rut_variables(w->model, RUT_VEHICLE, 0, RUT_OUTPUT);
  for (int i = 0; i < n; i++) {
    const rutVariableInfo v = rut_variable(w->model, RUT_VEHICLE, 0, RUT_OUTPUT, i);
    const rutVariableRange one = {RUT_VEHICLE, 0, RUT_OUTPUT, i, 1};
    double value = NAN;
    if (strcmp(v.name, name) != 0) continue;
    assert_int_equal(rut_variables_read(w->model, w->data, &one, 1, &value), RUT_OK);
    return value;
  }
  fail_msg("no output %s", name);
  return NAN;
}

static const rutComponent* const none[] = {NULL};

static World open_world(const char* text) { return open_world_with(text, 0, none); }

static void run_until(World* w, double time) {
  run(w, (int)lround((time - rut_time(w->data)) / 0.005));
}

// On a straight line it is where the reference is, but for the first step from rest, and stops at
// the end.
static void test_straight_line(void** state) {
  (void)state;
  World w = open_world(ROBOT("", "times='0 10' points='0 0 10 0'"));
  run_until(&w, 5.0);
  assert_near(told(&w, "speed"), 1.0, 1e-12);
  assert_near(told(&w, "yaw_rate"), 0.0, 1e-12);
  assert_near(rut_vehicle_state(w.model, w.data, 0).position[0], 5.0, 0.0051);
  run_until(&w, 20.0);
  assert_near(told(&w, "speed"), 0.0, 0.0);
  assert_near(rut_vehicle_state(w.model, w.data, 0).position[0], 10.0, 0.0051);
  close_world(&w);
}

// 0.2 m to the left, with 1 m of lookahead: 1 m/s 2 (-0.2 m)/(1.04 m2); and the mirror image.
static void test_offset(void** state) {
  (void)state;
  World left =
      open_world(ROBOT("position='0 0.2'", "lookahead='1' times='0 10' points='0 0 10 0'"));
  run_until(&left, 0.005);
  assert_near(told(&left, "yaw_rate"), -0.4 / 1.04, 1e-12);
  assert_near(told(&left, "reference_error"), 0.2, 1e-12);
  close_world(&left);
  World right =
      open_world(ROBOT("position='0 -0.2'", "lookahead='1' times='0 10' points='0 0 10 0'"));
  run_until(&right, 0.005);
  assert_near(told(&right, "yaw_rate"), 0.4 / 1.04, 1e-12);
  close_world(&right);
}

// Across the path, the arc to a point 0.5 m to the right has the curvature -4: at 0.3 rad/s that
// is 0.075 m/s.
static void test_keeps_curvature(void** state) {
  (void)state;
  World w = open_world(ROBOT("yaw='90 deg'", "max_yaw_rate='0.3' times='0 10' points='0 0 10 0'"));
  run_until(&w, 0.005);
  assert_near(told(&w, "yaw_rate"), -0.3, 1e-9);
  assert_near(told(&w, "speed"), 0.075, 1e-9);
  close_world(&w);
}

// Round a circle of 5 m in 20 s, as 60 chords, three times and a half. A vehicle on the circle
// that heads along it sees every point of it on an arc of its curvature.
static void test_circle(void** state) {
  (void)state;
  enum { CHORDS = 60 };
  static char world[8192];
  char times[1024] = "", points[2048] = "";
  size_t t = 0, p = 0;
  for (int i = 0; i <= CHORDS; i++) {
    const double angle = 2.0 * 3.14159265358979 * i / CHORDS;
    t += (size_t)snprintf(times + t, sizeof times - t, "%g ", 20.0 * i / CHORDS);
    p += (size_t)snprintf(points + p, sizeof points - p, "%.9f %.9f ", 5.0 * sin(angle),
                          5.0 - 5.0 * cos(angle));
  }
  snprintf(world, sizeof world, ROBOT("", "closed='true' times='%s' points='%s'"), times, points);
  World w = open_world(world);
  run_until(&w, 70.0);
  // chords are shorter than arcs by (pi/60)^2/6
  const rutVehicleState a = rut_vehicle_state(w.model, w.data, 0);
  assert_near(told(&w, "speed"), 2.0 * 3.14159265 * 5.0 / 20.0, 0.001);
  assert_near(hypot(a.position[0], a.position[1] - 5.0), 5.0, 0.01);
  assert_near(a.position[1], 10.0, 0.02);
  assert_true(told(&w, "reference_error") < 0.06);
  close_world(&w);
}

// Two points at one place are a pause; before its first time it waits as well.
static void test_pauses(void** state) {
  (void)state;
  World w = open_world(ROBOT("", "times='2 7 12 17' points='0 0 5 0 5 0 10 0'"));
  run_until(&w, 1.0);
  assert_near(told(&w, "speed"), 0.0, 0.0);
  run_until(&w, 9.0);
  assert_near(told(&w, "speed"), 0.0, 0.0);
  assert_near(rut_vehicle_state(w.model, w.data, 0).position[0], 5.0, 0.0051);
  run_until(&w, 14.0);
  assert_near(told(&w, "speed"), 1.0, 1e-12);
  close_world(&w);
}

// At half the pace it drives at half the speed, and comes half as far.
static void test_pace(void** state) {
  (void)state;
  World w = open_world(ROBOT("", "pace='0.5' times='0 10' points='0 0 10 0'"));
  run_until(&w, 4.0);
  assert_near(told(&w, "speed"), 0.5, 1e-12);
  assert_near(told(&w, "clock"), 0.5 * 3.995, 1e-9);
  assert_near(rut_vehicle_state(w.model, w.data, 0).position[0], 2.0, 0.0051);
  close_world(&w);
}

static void refuse(const char* world, const char* why) {
  World w;
  assert_false(load_world(&w, world, 0, none));
  if (!strstr(w.message, why)) fail_msg("'%s' does not say '%s'", w.message, why);
  close_world(&w);
}

static void test_refusals(void** state) {
  (void)state;
  refuse(ROBOT("", "times='0' points='0 0'"), "a trajectory needs 2");
  refuse(ROBOT("", "times='0 1 2' points='0 0 1 0'"), "3 times for 2 points");
  refuse(ROBOT("", "times='0 0' points='0 0 1 0'"), "time 2 (0 s) is not after time 1 (0 s)");
  refuse(ROBOT("", "times='0 1 1.001' points='0 0 1 0 5 0'"),
         "from point 2 to point 3 it would go at 4000 m/s");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_straight_line),   cmocka_unit_test(test_offset),
      cmocka_unit_test(test_keeps_curvature), cmocka_unit_test(test_circle),
      cmocka_unit_test(test_pauses),          cmocka_unit_test(test_pace),
      cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
