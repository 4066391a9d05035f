// SPDX-License-Identifier: BSD-3-Clause
//
// Drives against published numbers, closed forms and the second law.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"

extern const rutDriveType rut_drive_direct, rut_drive_open, rut_drive_torsen,
    rut_drive_torque_biasing, rut_drive_locked;

enum { MAX_FIELDS = 32, RL = 0, RR, FL, FR };
enum { FRONT, REAR, ALL };

static const double car_x[] = {0, 0, 1.8, 1.8}, car_y[] = {0.9, -0.9, 0.9, -0.9};
static const double radius[] = {0.3, 0.3, 0.3, 0.3}, yaw[] = {0, 0, 0, 0};
static const double inertia[] = {0.4, 0.4, 0.4, 0.4};
static const int steered[] = {0, 0, 1, 1}, unsteered[] = {0, 0, 0, 0};
static const int driven[] = {1, 1, 1, 1}, driven_but_caster[] = {1, 1, 0};
static const rutVehicleLayout car = {.wheels = 4,
                                     .x = car_x,
                                     .y = car_y,
                                     .radius = radius,
                                     .mount_yaw = yaw,
                                     .inertia = inertia,
                                     .steered = steered,
                                     .driven = driven,
                                     .left = RL,
                                     .right = RR,
                                     .front_left = FL,
                                     .front_right = FR,
                                     .rear_left = RL,
                                     .rear_right = RR,
                                     .wheelbase = 1.8,
                                     .track = 1.8,
                                     .max_steer = 0.5,
                                     .mass = 300,
                                     .gravity = 9.81};

static void defaults(const rutDriveType* type, double* param) {
  for (int i = 0; i < type->base.fields; i++) param[i] = type->base.field[i].def;
}
static void set(const rutDriveType* type, double* param, const char* field, double value) {
  for (int i = 0; i < type->base.fields; i++) {
    if (strcmp(type->base.field[i].name, field) == 0) {
      param[i] = value;
      return;
    }
  }
  fail_msg("no field %s", field);
}

// Repeatable numbers in [-1, 1].
static double draw(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static void test_direct_sides(void** state) {
  double param[MAX_FIELDS], torque[4];
  const double demand[] = {3.0, 5.0}, speed[4] = {0};
  (void)state;
  defaults(&rut_drive_direct, param);
  assert_int_equal(rut_drive_direct.inputs(param, &car), 2);
  rut_drive_direct.torque(param, &car, &(rutDriveIn){1, 0.01, demand, speed, NULL}, NULL, torque);
  assert_near(torque[FL], 3.0, 0.0);
  assert_near(torque[FR], 5.0, 0.0);
  assert_near(torque[RL], 0.0, 0.0);
  assert_near(torque[RR], 0.0, 0.0);

  // Two driven wheels and a caster on the centre line.
  const double x[] = {0, 0, 0.3}, y[] = {0.25, -0.25, 0.02};
  rutVehicleLayout robot = {.wheels = 3,
                            .x = x,
                            .y = y,
                            .radius = radius,
                            .mount_yaw = yaw,
                            .inertia = inertia,
                            .mass = 20,
                            .steered = unsteered,
                            .driven = driven_but_caster,
                            .left = 0,
                            .right = 1,
                            .front_left = -1,
                            .front_right = -1,
                            .rear_left = -1,
                            .rear_right = -1};
  rut_drive_direct.torque(param, &robot, &(rutDriveIn){1, 0.01, demand, speed, NULL}, NULL, torque);
  assert_near(torque[0], 3.0, 0.0);
  assert_near(torque[1], 5.0, 0.0);
  assert_near(torque[2], 0.0, 0.0);

  // All axles of a truck of three have motors, but wheels that are not driven have none.
  const double truck_x[] = {0, 0, 3, 3, 1, 1}, truck_y[] = {1, -1, 1, -1, 1, -1};
  const double six_radii[] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, at_rest[6] = {0};
  const double six_inertias[] = {0.4, 0.4, 0.4, 0.4, 0.4, 0.4};
  const int truck_driven[] = {1, 0, 1, 1, 1, 1};
  double of_six[6];
  rutVehicleLayout truck = car;
  truck.wheels = 6;
  truck.x = truck_x;
  truck.y = truck_y;
  truck.driven = truck_driven;
  truck.radius = six_radii;
  truck.inertia = six_inertias;
  set(&rut_drive_direct, param, "driven", ALL);
  rut_drive_direct.torque(param, &truck, &(rutDriveIn){1, 0.01, demand, at_rest, NULL}, NULL,
                          of_six);
  for (int i = 0; i < 6; i++) {
    assert_near(of_six[i], !truck_driven[i] ? 0 : (truck_y[i] > 0 ? 3 : 5), 0.0);
  }
  set(&rut_drive_direct, param, "driven", FRONT);
  rut_drive_direct.torque(param, &truck, &(rutDriveIn){1, 0.01, demand, at_rest, NULL}, NULL,
                          of_six);
  for (int i = 0; i < 6; i++) {
    assert_near(of_six[i], i == FL ? 3 : (i == FR ? 5 : 0), 0.0);
  }

  // Skid steering: every wheel of a side gets the side's torque.
  rutVehicleLayout skid = car;
  skid.wheelbase = 0.0;
  defaults(&rut_drive_direct, param);
  rut_drive_direct.torque(param, &skid, &(rutDriveIn){1, 0.01, demand, speed, NULL}, NULL, torque);
  assert_near(torque[RL] + torque[FL], 6.0, 0.0);
  assert_near(torque[RR] + torque[FR], 10.0, 0.0);
  // unless only an axle has motors
  set(&rut_drive_direct, param, "driven", FRONT);
  rut_drive_direct.torque(param, &skid, &(rutDriveIn){1, 0.01, demand, speed, NULL}, NULL, torque);
  assert_near(torque[RL] + torque[RR], 0.0, 0.0);
  assert_near(torque[FL], 3.0, 0.0);
}

// Torque of each wheel of the car at one speed, for one demand on both sides.
static double direct_at(const double* param, const rutVehicleLayout* layout, double demand,
                        double speed) {
  const double demands[] = {demand, demand}, speeds[] = {speed, speed, speed, speed};
  double torque[4];
  rut_drive_direct.torque(param, layout, &(rutDriveIn){1, 1e-3, demands, speeds, NULL}, NULL,
                          torque);
  assert_near(torque[FL], torque[FR], 0.0);
  return torque[FL];
}

// Four motors pull with the weight of 300 kg at rest, and turn at 10 m/s/0.3 m without load; half
// way they have their largest power, 9.80665 x 10/4 W/kg.
static void test_direct_line(void** state) {
  double param[MAX_FIELDS];
  const double stall = 300 * 9.80665 * 0.3 / 4, top = 10 / 0.3, much = 1e6;
  (void)state;
  defaults(&rut_drive_direct, param);
  set(&rut_drive_direct, param, "driven", ALL);
  assert_near(direct_at(param, &car, much, 0), stall, 1e-12 * stall);
  assert_near(direct_at(param, &car, much, 0.25 * top), 0.75 * stall, 1e-12 * stall);
  assert_near(4 * direct_at(param, &car, much, 0.5 * top) * 0.5 * top, 300 * 24.516625, 1e-9);
  assert_near(direct_at(param, &car, much, top), 0, 1e-12 * stall);
  assert_near(direct_at(param, &car, much, 3 * top), 0, 0);
  // what brakes has the stall torque at any speed
  assert_near(direct_at(param, &car, -much, 0.5 * top), -stall, 1e-12 * stall);
  assert_near(direct_at(param, &car, -much, 3 * top), -stall, 1e-12 * stall);
  assert_near(direct_at(param, &car, much, -3 * top), stall, 1e-12 * stall);
  // backward the same
  assert_near(direct_at(param, &car, -much, -0.25 * top), -0.75 * stall, 1e-12 * stall);
  assert_near(direct_at(param, &car, -much, -top), 0, 1e-12 * stall);
  // what it has it gives as it is
  assert_near(direct_at(param, &car, 0.7 * stall, 0.25 * top), 0.7 * stall, 0);
  assert_near(direct_at(param, &car, -0.9 * stall, 3 * top), -0.9 * stall, 0);
  assert_near(direct_at(param, &car, 0, 3 * top), 0, 0);

  // two motors have twice as much; the place does not matter
  rutVehicleLayout moon = car;
  moon.gravity = 1.62;
  set(&rut_drive_direct, param, "driven", FRONT);
  assert_near(direct_at(param, &moon, much, 0), 2 * stall, 1e-12 * stall);

  set(&rut_drive_direct, param, "max_torque", 50);
  assert_near(direct_at(param, &car, much, 0.5 * top), 25, 1e-12);
  set(&rut_drive_direct, param, "no_load_speed", 20);
  assert_near(direct_at(param, &car, much, 5), 37.5, 1e-12);
  set(&rut_drive_direct, param, "no_load_speed", 0);
  assert_near(direct_at(param, &car, much, 1e4), 50, 0);
  assert_near(direct_at(param, &car, -much, 1e4), -50, 0);
  set(&rut_drive_direct, param, "max_torque", 0);
  assert_near(direct_at(param, &car, much, 1e4), much, 0);
}

// A wheel that nothing holds: I w' = T (1 - w/w_0) up to w_0, which it does not pass, however light
// it is for the step.
static void test_direct_free_wheel(void** state) {
  static const double masses[] = {0.4, 0.05, 1e-3, 1e-7};
  const double stall = 40, top = 50, dt = 5e-3;
  double param[MAX_FIELDS];
  (void)state;
  defaults(&rut_drive_direct, param);
  set(&rut_drive_direct, param, "max_torque", stall);
  set(&rut_drive_direct, param, "no_load_speed", top);
  for (int k = 0; k < 4; k++) {
    const double light[] = {masses[k], masses[k], masses[k], masses[k]};
    const double demand[] = {1e3, 1e3}, time = masses[k] * top / stall;
    double speed[4] = {0}, torque[4];
    rutVehicleLayout layout = car;
    layout.inertia = light;
    for (int i = 1; i <= 600; i++) {
      const double before = speed[FL];
      rut_drive_direct.torque(param, &layout, &(rutDriveIn){1, dt, demand, speed, NULL}, NULL,
                              torque);
      for (int w = 0; w < 4; w++) speed[w] += dt * torque[w] / light[w];
      assert_true(speed[FL] >= before && speed[FL] <= top * (1 + 1e-12));
      if (k == 0) assert_near(speed[FL], top * (1 - exp(-i * dt / time)), 0.5 * top * dt / time);
    }
    assert_near(speed[FL], top, 0.01 * top);
  }
}

// Limits of the demands are those of the motor of a side that has most; beyond its own a motor does
// not follow.
static void test_direct_limits(void** state) {
  double param[MAX_FIELDS], gain[8] = {0};
  double low[] = {-1e3, -10}, high[] = {1e3, 10};
  // the rear left wheel spins
  const double speed[] = {45, 10, 10, 10}, demand[] = {30, -30};
  (void)state;
  defaults(&rut_drive_direct, param);
  set(&rut_drive_direct, param, "driven", ALL);
  set(&rut_drive_direct, param, "max_torque", 40);
  set(&rut_drive_direct, param, "no_load_speed", 50);
  rut_drive_direct.limits(param, &car, &(rutDriveIn){1, 1e-3, NULL, speed, NULL}, NULL, low, high);
  assert_near(low[0], -40, 0);
  assert_near(high[0], 32, 1e-12);
  assert_near(low[1], -10, 0);
  assert_near(high[1], 10, 0);
  rut_drive_direct.gain(param, &car, &(rutDriveIn){1, 1e-3, demand, speed, NULL}, NULL, gain);
  assert_near(gain[RL], 0, 0);
  assert_near(gain[FL], 1, 0);
  assert_near(gain[4 + RR], 1, 0);
  assert_near(gain[4 + RL], 0, 0);
  assert_false(rut_drive_direct.gain_holds(param, &car));
  set(&rut_drive_direct, param, "driven", REAR);
  assert_true(rut_drive_direct.gain_holds(param, &car));
}

static void test_open_shares(void** state) {
  double param[MAX_FIELDS], torque[4];
  const double demand = 100.0, speed[4] = {1, 2, 3, 4};
  (void)state;
  defaults(&rut_drive_open, param);
  assert_int_equal(rut_drive_open.inputs(param, &car), 1);
  rut_drive_open.torque(param, &car, &(rutDriveIn){1, 0.01, &demand, speed, NULL}, NULL, torque);
  for (int i = 0; i < 4; i++) assert_near(torque[i], 25.0, 1e-14);
  set(&rut_drive_open, param, "front_rear_split", 0.4);
  set(&rut_drive_open, param, "front_left_right_split", 0.3);
  set(&rut_drive_open, param, "rear_left_right_split", 0.6);
  rut_drive_open.torque(param, &car, &(rutDriveIn){1, 0.01, &demand, speed, NULL}, NULL, torque);
  assert_near(torque[FL], 12.0, 1e-12);
  assert_near(torque[FR], 28.0, 1e-12);
  assert_near(torque[RL], 36.0, 1e-12);
  assert_near(torque[RR], 24.0, 1e-12);
  set(&rut_drive_open, param, "driven", REAR);
  rut_drive_open.torque(param, &car, &(rutDriveIn){1, 0.01, &demand, speed, NULL}, NULL, torque);
  assert_near(torque[FL], 0.0, 0.0);
  assert_near(torque[RL], 60.0, 1e-12);
}

// Shares for wheel speeds (w1, w2), bias 1.5, split 0.5: d = (M - 1.5 m)/M taken off the faster.
static void test_torsen_shares(void** state) {
  static const double row[][3] = {{20, 10, 0.375},  {30, 10, 0.25}, {100, 1, 0.0075},
                                  {10, 20, 0.625},  {12, 10, 0.5},  {0, 10, 0.5},
                                  {-20, 10, 0.375}, {10, 10, 0.5}};
  double param[MAX_FIELDS], torque[4];
  const double demand = 1.0;
  (void)state;
  defaults(&rut_drive_torsen, param);
  set(&rut_drive_torsen, param, "driven", FRONT);
  for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
    double speed[4] = {7, 7, row[i][0], row[i][1]};
    rut_drive_torsen.torque(param, &car, &(rutDriveIn){1, 0.01, &demand, speed, NULL}, NULL,
                            torque);
    assert_near(torque[FL], row[i][2], 1e-14);
    assert_near(torque[FR], 1.0 - row[i][2], 1e-14);
    assert_near(torque[RL], 0.0, 0.0);
  }
  // Between the axles the sums of the wheel speeds count: (40, 20) as (20, 10).
  set(&rut_drive_torsen, param, "driven", ALL);
  const double speed[4] = {10, 10, 20, 20};
  rut_drive_torsen.torque(param, &car, &(rutDriveIn){1, 0.01, &demand, speed, NULL}, NULL, torque);
  assert_near(torque[FL] + torque[FR], 0.375, 1e-14);
}

// The slower wheel gets at most the bias ratio times the torque of the faster one.
static void test_torque_bias_ratio(void** state) {
  double param[MAX_FIELDS], torque[4];
  const double speed[4] = {0, 0, 40, 10};
  (void)state;
  defaults(&rut_drive_torque_biasing, param);
  set(&rut_drive_torque_biasing, param, "driven", FRONT);
  set(&rut_drive_torque_biasing, param, "front_left_right_bias", 3.0);
  for (int sign = -1; sign <= 1; sign += 2) {
    const double demand = sign * 200.0;
    rut_drive_torque_biasing.torque(param, &car, &(rutDriveIn){1, 0.005, &demand, speed, NULL},
                                    NULL, torque);
    assert_near(torque[FL] + torque[FR], demand, 1e-12);
    // Driving: 50 and 150 N m. Braking: the faster wheel brakes more, -150 and -50.
    assert_near(torque[FL], sign > 0 ? 50.0 : -150.0, 1e-9);
  }
  const double demand = 0.0;
  set(&rut_drive_torque_biasing, param, "preload", 30.0);
  rut_drive_torque_biasing.torque(param, &car, &(rutDriveIn){1, 0.005, &demand, speed, NULL}, NULL,
                                  torque);
  assert_near(torque[FL], -15.0, 1e-9);
  assert_near(torque[FR], 15.0, 1e-9);
}

// Power into the casing less power out of the wheels is never negative.
static void test_passive(void** state) {
  const rutDriveType* types[] = {&rut_drive_open, &rut_drive_torque_biasing};
  uint64_t seed = 7;
  (void)state;
  for (int k = 0; k < 2; k++) {
    double param[MAX_FIELDS], torque[4], speed[4];
    for (int i = 0; i < 100000; i++) {
      defaults(types[k], param);
      const double f = 0.5 + 0.4 * draw(&seed), fl = 0.5 + 0.4 * draw(&seed);
      const double rl = 0.5 + 0.4 * draw(&seed), demand = 300.0 * draw(&seed);
      set(types[k], param, "front_rear_split", f);
      set(types[k], param, "front_left_right_split", fl);
      set(types[k], param, "rear_left_right_split", rl);
      for (int w = 0; w < 4; w++) speed[w] = 50.0 * draw(&seed);
      types[k]->torque(param, &car, &(rutDriveIn){1, 0.005, &demand, speed, NULL}, NULL, torque);
      const double casing = f * (fl * speed[FL] + (1 - fl) * speed[FR]) +
                            (1 - f) * (rl * speed[RL] + (1 - rl) * speed[RR]);
      double out = 0.0;
      for (int w = 0; w < 4; w++) out += torque[w] * speed[w];
      assert_true(demand * casing - out >= -1e-9);
    }
  }
}

// Free wheels behind a torque-biasing differential come to one speed without overshoot.
static void test_biasing_does_not_chatter(void** state) {
  double param[MAX_FIELDS], torque[4], speed[4] = {0, 0, 30, -10};
  const double demand = 0.0;
  (void)state;
  defaults(&rut_drive_torque_biasing, param);
  set(&rut_drive_torque_biasing, param, "driven", FRONT);
  set(&rut_drive_torque_biasing, param, "preload", 500.0);
  set(&rut_drive_torque_biasing, param, "full_bias_speed", 0.001);
  for (int i = 0; i < 200; i++) {
    const double before = speed[FL] - speed[FR];
    rut_drive_torque_biasing.torque(param, &car, &(rutDriveIn){1, 0.005, &demand, speed, NULL},
                                    NULL, torque);
    for (int w = 0; w < 4; w++) speed[w] += 0.005 * torque[w] / inertia[w];
    assert_true(speed[FL] - speed[FR] >= -1e-9 && speed[FL] - speed[FR] <= before + 1e-9);
  }
  assert_near(speed[FL], 10.0, 1e-6);
}

// Wheels against constant ground torques: the lock moves lambda = (T_r - T_l)/2 with equal wheels,
// speeds stay equal, and the sum follows 2 J dw/dt = T - r F_l - r F_r.
static void test_locked_axle(void** state) {
  double param[MAX_FIELDS], torque[4], speed[4] = {0}, twist[3] = {0};
  const double demand = 100.0, ground[2] = {5.0, 60.0}, dt = 0.005;
  (void)state;
  defaults(&rut_drive_locked, param);
  set(&rut_drive_locked, param, "driven", FRONT);
  for (int i = 0; i < 400; i++) {
    rut_drive_locked.torque(param, &car, &(rutDriveIn){1, dt, &demand, speed, NULL}, twist, torque);
    speed[FL] += dt * (torque[FL] - ground[0]) / inertia[FL];
    speed[FR] += dt * (torque[FR] - ground[1]) / inertia[FR];
  }
  assert_near(speed[FL], 2.0 * 35.0 / 0.8, 0.05);
  assert_near(speed[FL] - speed[FR], 0.0, 1e-6);
  assert_near(torque[FL], 50.0 - 27.5, 1e-4);
  assert_near(torque[FR], 50.0 + 27.5, 1e-4);
}

// A lock of all wheels brings them to the mean speed, and slips at its limit.
static void test_locked_centre_and_limit(void** state) {
  double param[MAX_FIELDS], torque[4], speed[4] = {4, 8, 20, 16}, twist[3] = {0};
  const double demand = 0.0;
  (void)state;
  defaults(&rut_drive_locked, param);
  for (int i = 0; i < 2000; i++) {
    rut_drive_locked.torque(param, &car, &(rutDriveIn){1, 0.005, &demand, speed, NULL}, twist,
                            torque);
    for (int w = 0; w < 4; w++) speed[w] += 0.005 * torque[w] / inertia[w];
  }
  for (int w = 0; w < 4; w++) assert_near(speed[w], 12.0, 1e-6);

  const double apart[4] = {0, 0, 100, -100};
  set(&rut_drive_locked, param, "driven", FRONT);
  set(&rut_drive_locked, param, "limit", 25.0);
  for (int i = 0; i < 3; i++) {
    rut_drive_locked.torque(param, &car, &(rutDriveIn){1, 0.005, &demand, apart, NULL}, twist,
                            torque);
    assert_near(torque[FL], -25.0, 1e-12);
    assert_near(torque[FR], 25.0, 1e-12);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_direct_sides),
      cmocka_unit_test(test_open_shares),
      cmocka_unit_test(test_torsen_shares),
      cmocka_unit_test(test_torque_bias_ratio),
      cmocka_unit_test(test_passive),
      cmocka_unit_test(test_biasing_does_not_chatter),
      cmocka_unit_test(test_direct_line),
      cmocka_unit_test(test_direct_free_wheel),
      cmocka_unit_test(test_direct_limits),
      cmocka_unit_test(test_locked_axle),
      cmocka_unit_test(test_locked_centre_and_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
