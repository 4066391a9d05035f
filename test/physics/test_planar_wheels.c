// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels of planar vehicles that weigh much, slide, or stand under stiff speed loops: no swings
// from step to step, whatever their inertia, gain, friction and step; and the motion that the
// equations of the whole vehicle have.
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
#include "repetitions.h"
#include "vehicle_world.h"

static uint64_t seed = 1;
static double uniform(double low, double high) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}
static double decades(double low, double high) { return exp(uniform(log(low), log(high))); }
// Every second time 0.
static double maybe(double value) { return uniform(0, 1) < 0.5 ? 0 : value; }

// A robot of 18 kg, its wheels of radius 0.15 m.
typedef struct Robot {
  int wheels;  // 2 or 4
  double timestep, inertia, friction, bearing;
  const char *coupling, *controller;
} Robot;

static World open_robot(Robot r) {
  char text[3000], wheels[1200];
  int n = 0;
  for (int w = 0; w < r.wheels; w++) {
    static const char* const two[] = {"left", "right"};
    static const char* const four[] = {"rear_left", "rear_right", "front_left", "front_right"};
    const double x = r.wheels == 2 ? 0 : (w < 2 ? -0.2 : 0.2);
    n += snprintf(wheels + n, sizeof wheels - (size_t)n,
                  "<wheel place='%s' position='%g %g' mass='1.5' radius='0.15' width='0.05' "
                  "inertia='%.17g'/>",
                  r.wheels == 2 ? two[w] : four[w], x, w % 2 ? -0.25 : 0.25, r.inertia);
  }
  snprintf(text, sizeof text,
           "<world timestep='%.17g'><vehicle name='r' wheel_coupling='%s'>"
           "<chassis mass='15' z_min='0.05' z_max='0.4' "
           "outline='-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2'/>%s"
           "<tyre type='coulomb' friction='%.17g' bearing_damping='%.17g'/><drive type='direct'/>"
           "%s</vehicle></world>",
           r.timestep, r.coupling ? r.coupling : "implicit", wheels, r.friction, r.bearing,
           r.controller);
  return open_world(text);
}

static double speed_of(const World* w) {
  return rut_vehicle_state(w->model, w->data, 0).velocity[0];
}
static double yaw_rate_of(const World* w) {
  return rut_vehicle_state(w->model, w->data, 0).rate[2];
}
static double spin_of(const World* w, int wheel) {
  return rut_wheel_state(w->model, w->data, wheel).speed;
}

// Two wheels of I/r^2 = 8.9 kg each, whose torques differ by a part in 10^9:
//   (m + 2 I/r^2) v' = 2 T/r - 2 c v/r^2.
static void test_heavy_wheels_drive_straight(void** state) {
  static const double step[] = {1e-4, 1e-3, 5e-3, 0.02};
  (void)state;
  for (int i = 0; i < 4; i++) {
    const Robot robot = {2,
                         step[i],
                         0.2,
                         0.7,
                         0.05,
                         NULL,
                         "<controller type='raw' torque_left='1.5' torque_right='1.5000000015'/>"};
    const double m = 18 + 2 * 0.2 / 0.0225, c = 2 * 0.05 / 0.0225, fastest = 2 * 1.5 / 0.15 / c;
    World w = open_robot(robot);
    run_until(&w, 3);
    const double expected = fastest * (1 - exp(-c / m * 3));
    assert_near(speed_of(&w), expected, 0.2 * step[i] + 1e-6);
    assert_true(fabs(yaw_rate_of(&w)) < 1e-6);
    close_world(&w);
  }
}

// Turning on the spot: (I_z + sum I y^2/r^2) w' = 2 T y/r, with I_z of the chassis, 1.5 kg at each
// wheel's place, and wheels as cylinders.
static void test_heavy_wheels_turn(void** state) {
  static const double step[] = {1e-3, 0.02};
  (void)state;
  for (int i = 0; i < 2; i++) {
    const Robot robot = {2,
                         step[i],
                         0.4,
                         0.9,
                         0,
                         NULL,
                         "<controller type='raw' torque_left='-1' torque_right='1'/>"};
    const double chassis = 15 * (0.36 + 0.16) / 12;
    const double wheel = 1.5 * (0.0625 + (3 * 0.0225 + 0.0025) / 12);
    const double whole = chassis + 2 * wheel + 2 * 0.4 * 0.0625 / 0.0225;
    World w = open_robot(robot);
    run_until(&w, 1);
    assert_near(yaw_rate_of(&w), 2 * 0.25 / 0.15 / whole, 1e-9);
    close_world(&w);
  }
}

// How far the speeds of the wheels go back and forth from step to step, over the last second of
// `until` [rad/s]: the sum of all changes that the next step takes back. A loop that rings slowly
// turns once in many steps, where its changes are smallest.
static double swings(World* w, int wheels, double until) {
  double last[4], before[4] = {0}, back[4] = {0}, most = 0;
  run_until(w, until - 1);
  for (int i = 0; i < wheels; i++) last[i] = spin_of(w, i);
  while (rut_time(w->data) < until - 1e-9) {
    step_world(w);
    for (int i = 0; i < wheels; i++) {
      const double change = spin_of(w, i) - last[i];
      if (change * before[i] < 0) back[i] += fmin(fabs(change), fabs(before[i]));
      before[i] = change;
      last[i] += change;
    }
  }
  for (int i = 0; i < wheels; i++) most = fmax(most, back[i]);
  return most;
}

// Speed loops of any gain, with wheels of a twentieth to twenty times a disc's inertia, on ground
// of any friction, at any step: the robot starts, keeps its speed, and stops, all without swings.
static void test_stiff_loops(void** state) {
  (void)state;
  for (int round = 0; round < repetitions(200, 20); round++) {
    char controller[400];
    // drawn one by one, so that every compiler draws the same
    const double friction = decades(0.02, 1.5), gain = decades(3, 1e5);
    const int wheels = round % 2 ? 4 : 2;
    const double integral = maybe(uniform(0, gain)), derivative = maybe(gain * decades(1e-3, 0.1));
    const double filter = maybe(decades(10, 1000)), torque = maybe(decades(1, 100));
    const double step = decades(5e-4, 0.02), inertia = 0.0168 * decades(0.05, 20);
    snprintf(controller, sizeof controller,
             "<controller type='twist_pid' speed='0.5' proportional_gain='%.17g' "
             "integral_gain='%.17g' derivative_gain='%.17g' derivative_filter='%.17g' "
             "max_torque='%.17g'/>",
             gain, integral, derivative, filter, torque);
    const Robot robot = {wheels, step, inertia, friction, 0.01, NULL, controller};
    World w = open_robot(robot);
    // time to get there at the limit of friction; then the integral takes its own time P/I to
    // settle
    const double settle = integral > 0 ? fmin(3 * gain / integral, 10) : 0;
    const double top = 0.5 / (friction * 9.81) + 4 + settle;
    assert_true(swings(&w, wheels, top + 1) < 1e-6);
    assert_near(speed_of(&w), 0.5, 0.03);
    const double stop[2] = {0, 0};
    assert_int_equal(rut_command(w.model, w.data, 0, 2, stop), RUT_OK);
    assert_true(swings(&w, wheels, 2 * top + 2) < 1e-6);
    // below 0.05 m/s it is left to roll
    assert_true(fabs(speed_of(&w)) < 0.05);
    close_world(&w);
  }
}

// Wheels that take the velocity of a step before: below the limits that rut warns of a yaw rate
// dies out, and the swings of an acceleration do, above they grow. s = sum m_p x^2/I_z = 0.646.
static void test_limits_of_explicit_wheels(void** state) {
  (void)state;
  for (int k = 0; k < 4; k++) {
    const double part = k % 2 ? 1.05 : 0.95;
    const int turning = k / 2;
    const double yaw_inertia = 1.3, side = 5.25 * 4 * 0.04 / yaw_inertia;
    const double along = part * 21 * 0.0225 / 4;
    const double about = part * (1 - 0.5 * side) * yaw_inertia * 0.0225 / (4 * 0.0625);
    const Robot robot = {4,
                         5e-3,
                         turning ? about : along,
                         100,
                         0,
                         "explicit",
                         turning
                             ? "<controller type='raw' torque_left='-1e-3' torque_right='1e-3'/>"
                             : "<controller type='raw' torque_left='1e-3' torque_right='1e-3'/>"};
    double change[2], last = 0;
    World w = open_robot(robot);
    for (int i = 0; i < 2; i++) {
      run_until(&w, i ? 1.5 : 0.05);
      last = turning ? yaw_rate_of(&w) : speed_of(&w);
      step_world(&w);
      change[i] = (turning ? yaw_rate_of(&w) : speed_of(&w)) - last;
      last += change[i];
      step_world(&w);
      change[i] -= (turning ? yaw_rate_of(&w) : speed_of(&w)) - last;
    }
    if (part < 1) {
      assert_true(fabs(change[1]) < 0.1 * fabs(change[0]));
    } else {
      assert_true(fabs(change[1]) > 10 * fabs(change[0]));
    }
    close_world(&w);
  }
}

// The same wheels under stiff loops on slippery ground: they slide without swings, from gains on
// that turn them about within a step (MVSim's Jackal with twist_pid has 2).
static void test_explicit_wheels_slide(void** state) {
  (void)state;
  for (int round = 0; round < 50; round++) {
    char controller[200];
    const double friction = uniform(0.02, 0.2), step = 5e-3, inertia = 2e-3;
    const double gain = decades(1.95, 20) * inertia / (step * 0.15);
    snprintf(controller, sizeof controller,
             "<controller type='twist_pid' speed='1' proportional_gain='%.17g'/>", gain);
    const Robot robot = {4, step, inertia, friction, 0.01, "explicit", controller};
    World w = open_robot(robot);
    const double slides = 1 / (friction * 9.81);
    run_until(&w, 0.5 * slides);
    // all the way with the force of friction
    assert_near(speed_of(&w), 0.5, 0.02);
    assert_true(swings(&w, 4, 3 * slides + 2) < 1e-6);
    assert_near(speed_of(&w), 1, 0.03);
    const double stop[2] = {0, 0};
    assert_int_equal(rut_command(w.model, w.data, 0, 2, stop), RUT_OK);
    run_until(&w, 6 * slides + 4);
    assert_true(fabs(speed_of(&w)) < 0.05);
    close_world(&w);
  }
}

// A loop acts on what it was told where something stands between it and the wheels. Its first
// torque K_P (4 m/s) holds for four steps where it is late, after as many without any, or clocked,
// an actuator's limit of 1 N m for longer: v = (2 T/r) t/(m + 2 I/r^2).
static void test_what_stands_between(void** state) {
  enum { LATE, CLOCKED, LIMITED };
  static const char* const attributes[] = {"output_delay='0.02'", "period='0.02' phase='0.02'", ""};
  static const double begins[] = {0.02, 0.02, 0}, holds[] = {0.02, 0.02, 0.5};
  const double step = 0.005, mass = 18 + 2 * 0.02 / 0.0225;
  (void)state;
  for (int i = LATE; i <= LIMITED; i++) {
    char controller[300];
    snprintf(controller, sizeof controller,
             "<controller type='twist_pid' %s proportional_gain='0.5' integral_gain='0' "
             "max_torque='5' speed='4'/>%s",
             attributes[i], i == LIMITED ? "<actuator type='torque' upper='1' lower='-1'/>" : "");
    World w = open_robot((Robot){2, step, 0.02, 0.9, 0, NULL, controller});
    const double force = (i == LIMITED ? 1 : 0.5 * 4) * 2 / 0.15;
    run_until(&w, begins[i]);
    assert_true(speed_of(&w) == 0);
    run_until(&w, begins[i] + holds[i]);
    assert_near(speed_of(&w), force / mass * holds[i], 1e-9);
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_heavy_wheels_drive_straight),
      cmocka_unit_test(test_heavy_wheels_turn),
      cmocka_unit_test(test_stiff_loops),
      cmocka_unit_test(test_limits_of_explicit_wheels),
      cmocka_unit_test(test_explicit_wheels_slide),
      cmocka_unit_test(test_what_stands_between),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
