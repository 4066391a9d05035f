// SPDX-License-Identifier: BSD-3-Clause
//
// Controllers against closed forms and published numbers.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "control/steering.h"

extern const rutControllerType rut_controller_raw, rut_controller_twist_pid,
    rut_controller_twist_ideal, rut_controller_twist_front_steer_pid,
    rut_controller_front_steer_pid;

enum { MAX_FIELDS = 32, RL = 0, RR, FL, FR };

static const double robot_x[] = {0, 0}, robot_y[] = {0.25, -0.25};
static const double car_x[] = {0, 0, 3.3, 3.3}, car_y[] = {0.9, -0.9, 0.9, -0.9};
static const double radius[] = {0.15, 0.15, 0.15, 0.15}, yaw[] = {0, 0, 0, 0};
static const double inertia[] = {0.1, 0.1, 0.1, 0.1};
static const int steered[] = {0, 0, 1, 1}, unsteered[] = {0, 0};
static const rutVehicleLayout robot = {.wheels = 2,
                                       .x = robot_x,
                                       .y = robot_y,
                                       .radius = radius,
                                       .mount_yaw = yaw,
                                       .inertia = inertia,
                                       .steered = unsteered,
                                       .left = 0,
                                       .right = 1,
                                       .front_left = -1,
                                       .front_right = -1,
                                       .rear_left = -1,
                                       .rear_right = -1,
                                       .mass = 18,
                                       .gravity = 9.81,
                                       .torque_gain = 2};
static const rutVehicleLayout car = {.wheels = 4,
                                     .x = car_x,
                                     .y = car_y,
                                     .radius = radius,
                                     .mount_yaw = yaw,
                                     .inertia = inertia,
                                     .steered = steered,
                                     .left = RL,
                                     .right = RR,
                                     .front_left = FL,
                                     .front_right = FR,
                                     .rear_left = RL,
                                     .rear_right = RR,
                                     .wheelbase = 3.3,
                                     .track = 1.8,
                                     .max_steer = 0.6,
                                     .mass = 300,
                                     .gravity = 9.81,
                                     .torque_gain = 2};

// A controller under test with its parameters, state, measurements and outputs.
typedef struct Bench {
  const rutControllerType* type;
  const rutVehicleLayout* layout;
  int inputs;
  double dt, param[MAX_FIELDS], state[32], command[4];
  double odo_speed, odo_rate, pitch, wheel_speed[4], wheel_yaw[4];
  double demand[2], steer, twist[3];
} Bench;

static void set(Bench* bench, const char* field, double value) {
  for (int i = 0; i < bench->type->base.fields; i++) {
    if (strcmp(bench->type->base.field[i].name, field) == 0) {
      bench->param[i] = value;
      return;
    }
  }
  fail_msg("no field %s", field);
}

static Bench bench_of(const rutControllerType* type, const rutVehicleLayout* layout, int inputs) {
  Bench bench = {.type = type, .layout = layout, .inputs = inputs, .dt = 0.01};
  for (int i = 0; i < type->base.fields; i++) bench.param[i] = type->base.field[i].def;
  return bench;
}

static void update(Bench* b) {
  const double zero = 0.0;
  const rutControlIn in = {.lanes = 1,
                           .demands = b->inputs,
                           .dt = b->dt,
                           .command = b->command,
                           .vx = &zero,
                           .vy = &zero,
                           .yaw_rate = &zero,
                           .odo_speed = &b->odo_speed,
                           .odo_rate = &b->odo_rate,
                           .pitch = &b->pitch,
                           .speed = b->wheel_speed,
                           .steer = b->wheel_yaw};
  const rutControlOut out = {.demand = b->demand, .steer = &b->steer, .twist = b->twist};
  b->type->update(b->param, b->layout, &in, b->state, &out);
}

static void test_raw(void** state) {
  Bench b = bench_of(&rut_controller_raw, &car, 2);
  (void)state;
  b.command[0] = 3.0;
  b.command[1] = 4.0;
  b.command[2] = 0.1;
  update(&b);
  assert_near(b.demand[0], 3.0, 0.0);
  assert_near(b.demand[1], 4.0, 0.0);
  assert_near(b.steer, 0.1, 0.0);
  b.inputs = 1;
  update(&b);
  assert_near(b.demand[0], 7.0, 0.0);
}

// Speeds of the sides are v -+ w b/2; P and I parts; the limit.
static void test_twist_pid_parts(void** state) {
  Bench b = bench_of(&rut_controller_twist_pid, &robot, 2);
  (void)state;
  set(&b, "proportional_gain", 10.0);
  b.command[0] = 1.0;
  b.command[1] = 0.8;
  b.odo_speed = 0.5;
  b.odo_rate = 0.4;
  update(&b);
  assert_near(b.demand[0], 10.0 * (0.5 - 0.25 * 0.4), 1e-12);
  assert_near(b.demand[1], 10.0 * (0.5 + 0.25 * 0.4), 1e-12);

  set(&b, "integral_gain", 4.0);
  set(&b, "proportional_gain", 0.0);
  b.command[1] = b.odo_rate = 0.0;
  for (int i = 0; i < 100; i++) update(&b);
  assert_near(b.demand[0], 4.0 * 0.5 * 1.0, 1e-12);
  set(&b, "max_torque", 1.5);
  update(&b);
  assert_near(b.demand[0], 1.5, 0.0);
}

// A filtered derivative of a ramp e = a t settles at K_D a (not at K_D e); the first call gives 0.
static void test_derivative(void** state) {
  Bench b = bench_of(&rut_controller_twist_pid, &robot, 2);
  (void)state;
  set(&b, "proportional_gain", 0.0);
  set(&b, "derivative_gain", 2.0);
  b.command[0] = 1.0;
  update(&b);
  assert_near(b.demand[0], 0.0, 0.0);
  b.odo_speed = -0.03;
  update(&b);
  assert_near(b.demand[0], 2.0 * 0.03 / 0.01, 1e-12);
  set(&b, "derivative_filter", 20.0);
  for (int i = 2; i < 300; i++) {
    b.odo_speed = -0.03 * i;
    update(&b);
  }
  assert_near(b.demand[0], 6.0, 1e-9);
}

// Back-calculation: with constant error e the integral settles where K_I e = (K_I/K_P) cut, that
// is K_P e beyond the limit less the proportional part: integral = limit.
static void test_anti_windup(void** state) {
  Bench b = bench_of(&rut_controller_twist_pid, &robot, 2);
  (void)state;
  b.dt = 1e-4;
  set(&b, "proportional_gain", 10.0);
  set(&b, "integral_gain", 50.0);
  set(&b, "max_torque", 5.0);
  set(&b, "anti_windup", 1.0);
  b.command[0] = 1.0;
  for (int i = 0; i < 50000; i++) update(&b);
  assert_near(b.demand[0], 5.0, 1e-12);
  // The integral holds 5, so that the torque leaves the limit as soon as the error changes sign.
  b.odo_speed = 1.1;
  update(&b);
  assert_near(b.demand[0], 5.0 - 1.0, 0.02);
}

// First-order set point filter: 1 - exp(-t/T); second order: 1 - (1 + t/T) exp(-t/T) for small dt.
static void test_set_point_filter(void** state) {
  (void)state;
  for (int order = 1; order <= 2; order++) {
    Bench b = bench_of(&rut_controller_twist_pid, &robot, 2);
    b.dt = 1e-4;
    set(&b, "proportional_gain", 1.0);
    set(&b, "set_point_time", 0.2);
    set(&b, "set_point_order", order);
    b.command[0] = 1.0;
    for (int i = 0; i < 3000; i++) update(&b);
    const double decay = exp(-0.3 / 0.2);
    assert_near(b.demand[0], order == 1 ? 1.0 - decay : 1.0 - (1.0 + 1.5) * decay,
                order == 1 ? 1e-9 : 2e-4);
  }
}

// Stopping: a wound-up integral may not push back, and below 0.05 m/s there is no torque at all.
// MVSim asks the filtered set point alone whether the vehicle shall stand, and empties the filter
// then: at 5 ms, 0.1 s and order 2 a set point of 0.3 m/s, filtered 0.7 mm/s at first, never
// starts.
static void test_filtered_set_point_starts(void** state) {
  Bench b = bench_of(&rut_controller_twist_pid, &robot, 2);
  (void)state;
  b.dt = 0.005;
  set(&b, "proportional_gain", 10.0);
  set(&b, "set_point_time", 0.1);
  set(&b, "set_point_order", 2);
  b.command[0] = 0.3;
  for (int i = 1; i <= 200; i++) update(&b);
  // both stages of the lag of 0.1 s after 1 s: 1 - (1 + 10) exp(-10), for small steps
  assert_near(b.demand[0], 10 * 0.3 * (1 - 11 * exp(-10)), 1e-3);
}

static void test_stop(void** state) {
  Bench b = bench_of(&rut_controller_twist_pid, &robot, 2);
  (void)state;
  set(&b, "integral_gain", 100.0);
  b.command[0] = 1.0;
  for (int i = 0; i < 50; i++) update(&b);
  assert_true(b.demand[0] > 20.0);
  b.command[0] = 0.0;
  b.odo_speed = 0.5;
  update(&b);
  assert_near(b.demand[0], 0.0, 0.0);
  b.odo_speed = -0.5;
  update(&b);
  assert_true(b.demand[0] > 0.0);
  b.odo_speed = 0.049;
  update(&b);
  assert_near(b.demand[0], 0.0, 0.0);
  for (int i = 0; i < 2 * 6; i++) assert_near(b.state[i], 0.0, 0.0);
}

// Uphill (nose up, negative pitch) the feed-forward carries m g sin r, shared by two wheels.
static void test_slope_feedforward(void** state) {
  Bench b = bench_of(&rut_controller_twist_pid, &robot, 2);
  (void)state;
  set(&b, "slope_feedforward", 1.0);
  b.pitch = -atan(0.15);
  b.command[0] = b.odo_speed = 1.0;
  update(&b);
  assert_near(b.demand[0], 18.0 * 9.81 * sin(atan(0.15)) * 0.15 / 2.0, 1e-12);
  assert_near(b.demand[1], b.demand[0], 0.0);
}

// Angles for an equivalent angle of 0.3 and 0.5 rad at track 1.8 m and wheelbase 3.3 m; both front
// wheels and the rear axle meet in one point.
static void test_ackermann(void** state) {
  double left, right;
  (void)state;
  rut_ackermann(0.3, &car, &left, &right);
  assert_near(left, 0.32579903, 5e-9);
  assert_near(right, 0.27788852, 5e-9);
  rut_ackermann(-0.5, &car, &left, &right);
  assert_near(left, -0.44382568, 5e-9);
  assert_near(right, -0.57069337, 5e-9);
  for (double a = -0.6; a < 0.61; a += 0.1) {
    rut_ackermann(a, &car, &left, &right);
    if (fabs(a) < 1e-9) continue;
    assert_near(0.9 + 3.3 / tan(left), -0.9 + 3.3 / tan(right), 1e-12 * 3.3 / fabs(tan(a)));
  }
  rut_ackermann(0.0, &car, &left, &right);
  assert_near(left, 0.0, 0.0);
  rut_ackermann(1.5, &car, &left, &right);
  assert_near(3.3 / tan(left) + 0.9, 3.3 / tan(0.6), 1e-12);
}

static void test_steer_of_twist(void** state) {
  (void)state;
  assert_near(rut_steer_of_twist(2.0, 0.3, 3.3), atan(3.3 * 0.3 / 2.0), 1e-15);
  assert_near(rut_steer_of_twist(-2.0, 0.3, 3.3), -atan(3.3 * 0.3 / 2.0), 1e-15);
  assert_near(rut_steer_of_twist(0.0, -0.3, 3.3), -acos(0.0), 1e-15);
  assert_near(rut_steer_of_twist(0.0, 0.0, 3.3), 0.0, 0.0);
}

// In perfect motion along the wanted circle no torque is asked for, in both steering controllers;
// a speed error e asks for K e times the growth of speed from rear axle to wheel.
static void test_front_steer_pid(void** state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    Bench b = bench_of(
        kind ? &rut_controller_front_steer_pid : &rut_controller_twist_front_steer_pid, &car, 2);
    const double angle = 0.25, rate = 2.0 * tan(angle) / 3.3;
    b.command[0] = 2.0;
    b.command[1] = kind ? angle : rate;
    b.odo_speed = 2.0;
    b.odo_rate = rate;
    rut_ackermann(angle, &car, &b.wheel_yaw[FL], &b.wheel_yaw[FR]);
    update(&b);
    assert_near(b.steer, angle, 1e-15);
    assert_near(b.demand[0], 0.0, 1e-12);
    assert_near(b.demand[1], 0.0, 1e-12);
    b.odo_speed = 1.9;
    b.odo_rate = 0.95 * rate;
    update(&b);
    const double turn = 3.3 / tan(angle);
    assert_near(b.demand[0], 100.0 * 0.1 * hypot(turn - 0.9, 3.3) / turn, 1e-9);
    assert_near(b.demand[1], 100.0 * 0.1 * hypot(turn + 0.9, 3.3) / turn, 1e-9);
    b.inputs = 1;
    memset(b.state, 0, sizeof b.state);
    update(&b);
    assert_near(b.demand[0], 10.0, 1e-12);
  }
}

static void test_twist_ideal(void** state) {
  Bench b = bench_of(&rut_controller_twist_ideal, &car, 2);
  (void)state;
  b.command[0] = 1.0;
  b.command[1] = 0.1;
  b.command[2] = 0.2;
  update(&b);
  assert_true(b.type->imposes_twist);
  assert_near(b.twist[0], 1.0, 0.0);
  assert_near(b.twist[1], 0.1, 0.0);
  assert_near(b.twist[2], 0.2, 0.0);
  assert_near(b.steer, atan(0.66), 1e-15);
  assert_near(b.demand[0], 0.0, 0.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_raw),
      cmocka_unit_test(test_twist_pid_parts),
      cmocka_unit_test(test_derivative),
      cmocka_unit_test(test_anti_windup),
      cmocka_unit_test(test_set_point_filter),
      cmocka_unit_test(test_filtered_set_point_starts),
      cmocka_unit_test(test_stop),
      cmocka_unit_test(test_slope_feedforward),
      cmocka_unit_test(test_ackermann),
      cmocka_unit_test(test_steer_of_twist),
      cmocka_unit_test(test_front_steer_pid),
      cmocka_unit_test(test_twist_ideal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
