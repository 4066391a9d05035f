// SPDX-License-Identifier: BSD-3-Clause
//
// Motors, battery, shaft friction and engine against data sheets, closed forms and the second law.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "drive/lugre.h"
#include "rut/component.h"

extern const rutDriveType rut_drive_dc_motor, rut_drive_engine;
static const rutDriveType* const motor = &rut_drive_dc_motor;
static const rutDriveType* const engine = &rut_drive_engine;

#define PI  3.14159265358979323846
#define RPM (PI / 30.0)

enum { MAX_NUMBERS = 96, MAX_STATES = 64, WHEELS = 4 };
enum { EACH_WHEEL, EACH_SIDE, WHOLE_VEHICLE };
// Magmotor S28-150: published constants.
static const double K = 0.03757, R = 0.064, NO_LOAD_CURRENT = 3.4;

// A drive of four wheels, of which the first few are driven.
typedef struct Bench {
  double param[MAX_NUMBERS], state[MAX_STATES], inertia[WHEELS], demand[WHEELS], speed[WHEELS],
      torque[WHEELS], dt;
  int driven[WHEELS];
  rutVehicleLayout layout;
} Bench;

static void set(Bench* b, const rutDriveType* type, const char* field, double value) {
  for (int i = 0; i < type->base.fields; i++) {
    if (strcmp(type->base.field[i].name, field) == 0) {
      b->param[i] = value;
      return;
    }
  }
  fail_msg("no field %s", field);
}
// Put a list behind the numbers that stand there already.
static void set_list(Bench* b, const rutDriveType* type, const char* field, int* used, int n,
                     const double* number) {
  set(b, type, field, *used);
  b->param[(*used)++] = n;
  for (int i = 0; i < n; i++) b->param[(*used)++] = number[i];
}

static void start(Bench* b, const rutDriveType* type, int driven, double inertia) {
  static const double x[] = {0, 0, 1.8, 1.8}, y[] = {0.9, -0.9, 0.9, -0.9}, zero[WHEELS] = {0};
  static const double radius[] = {0.4, 0.4, 0.4, 0.4};
  static const int steered[WHEELS] = {0};
  *b = (Bench){.dt = 1e-3};
  for (int i = 0; i < type->base.fields; i++) b->param[i] = type->base.field[i].def;
  for (int i = 0; i < WHEELS; i++) {
    b->inertia[i] = inertia;
    b->driven[i] = i < driven;
  }
  b->layout = (rutVehicleLayout){.wheels = WHEELS,
                                 .x = x,
                                 .y = y,
                                 .radius = radius,
                                 .mount_yaw = zero,
                                 .inertia = b->inertia,
                                 .steered = steered,
                                 .driven = b->driven,
                                 .left = 0,
                                 .right = 1,
                                 .front_left = -1,
                                 .front_right = -1,
                                 .rear_left = 0,
                                 .rear_right = 1,
                                 .mass = 300,
                                 .gravity = 9.81};
  if (type == engine) {
    int used = engine->base.fields;
    const double one = 1.0;
    set_list(b, engine, "gears", &used, 1, &one);
    set_list(b, engine, "curve_speed", &used, 0, NULL);
    set_list(b, engine, "curve_torque", &used, 0, NULL);
  }
}
static void start_motor(Bench* b, int driven, double inertia, double voltage) {
  start(b, motor, driven, inertia);
  set(b, motor, "command", EACH_WHEEL);
  set(b, motor, "battery_voltage", voltage);
}
// As good as no friction, current or power limit.
static void let_go(Bench* b) {
  set(b, motor, "coulomb_friction", 1e-30);
  set(b, motor, "static_friction", 1e-30);
  set(b, motor, "bristle_damping", 0);
  set(b, motor, "max_current", 1e9);
  set(b, motor, "battery_current", 1e9);
}
static void run(Bench* b, const rutDriveType* type) {
  type->torque(b->param, &b->layout, &(rutDriveIn){1, b->dt, b->demand, b->speed, NULL}, b->state,
               b->torque);
}
static double power_of(Bench* b, const rutDriveType* type) {
  double power = NAN;
  type->power(b->param, &b->layout, 1, b->speed, b->state, &power);
  return power;
}

// Repeatable numbers in [-1, 1].
static double draw(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

// ---- motor ------------------------------------------------------------------------------------

// Full voltage on a free rotor: w = w_0 (1 - exp(-t/tau)), tau = R J/K^2 = 9.07 ms.
static void test_no_load_step(void** state) {
  Bench b;
  const double tau = R * 2e-4 / (K * K), end = 24.0 / K;
  (void)state;
  assert_near(tau, 9.07e-3, 5e-6);
  start_motor(&b, 1, 2e-4, 24.0);
  let_go(&b);
  b.dt = 1e-6;
  b.demand[0] = 1e3;
  for (int i = 1; i <= 40000; i++) {
    run(&b, motor);
    b.speed[0] += b.dt * b.torque[0] / b.inertia[0];
    if (i % 1000 == 0) assert_near(b.speed[0], end * (1.0 - exp(-i * b.dt / tau)), 1e-4 * end);
  }
}

// Steps of half to fifty time constants: a free rotor comes to the no-load speed without overshoot,
// a loaded one to w_0 - R T/K^2, and a stalled one draws V/R, all as in short steps.
static void test_long_steps(void** state) {
  static const double step[] = {5e-3, 2e-2, 0.5};
  const double end = 24.0 / K, loaded = end - R * 0.2 / (K * K);
  (void)state;
  for (int k = 0; k < RUT_COUNT_OF(step); k++) {
    Bench b;
    start_motor(&b, 1, 2e-4, 24.0);
    let_go(&b);
    b.dt = step[k];
    b.demand[0] = 1e3;
    for (int i = 0; i < 200; i++) {
      run(&b, motor);
      b.speed[0] += b.dt * b.torque[0] / b.inertia[0];
      assert_true(b.speed[0] >= 0.0 && b.speed[0] <= end * (1.0 + 1e-9));
    }
    assert_near(b.speed[0], end, 1e-6 * end);
    for (int i = 0; i < 200; i++) {
      run(&b, motor);
      b.speed[0] += b.dt * (b.torque[0] - 0.2) / b.inertia[0];
    }
    assert_near(b.speed[0], loaded, 1e-6 * end);
    b.speed[0] = 0.0;
    for (int i = 0; i < 20000; i++) run(&b, motor);
    assert_near(b.torque[0] / K, 375.0, 1e-3);
  }
}

static void settle(Bench* b, double speed) {
  b->speed[0] = speed;
  for (int i = 0; i < 200; i++) run(b, motor);
}

// Published and derived figures of the motor at 24 V and 36 V: stall 375 A and 562 A, no-load
// speed, largest mechanical power, and torque, speed, power and efficiency at 80 A.
static void test_data_sheet(void** state) {
  static const struct {
    double volt, stall, no_load_rpm, most, rpm, mechanical, efficiency;
  } sheet[] = {{24, 375.0, 6045, 2209, 4799, 1446, 0.753},
               {36, 562.5, 9095, 5001, 7849, 2365, 0.821}};
  (void)state;
  for (int i = 0; i < 2; i++) {
    Bench b;
    start_motor(&b, 1, 0.05, sheet[i].volt);
    let_go(&b);
    set(&b, motor, "coulomb_friction", K * NO_LOAD_CURRENT);
    set(&b, motor, "static_friction", K * NO_LOAD_CURRENT);
    b.demand[0] = 1e3;
    run(&b, motor);
    assert_near(b.torque[0] / K, sheet[i].stall, 1e-9);
    assert_near(power_of(&b, motor), sheet[i].volt * sheet[i].stall, 1e-8);
    settle(&b, sheet[i].no_load_rpm * RPM);
    assert_near(b.torque[0] / K, 0.0, 0.06);  // 1 rpm is 0.06 A

    settle(&b, sheet[i].rpm * RPM);
    assert_near(b.torque[0], 2.878, 2e-3);
    assert_near(b.torque[0] * b.speed[0], sheet[i].mechanical, 1.5);
    assert_near(power_of(&b, motor), sheet[i].volt * 80.0, 1.5);
    const double efficiency = b.torque[0] * b.speed[0] / power_of(&b, motor);
    assert_near(efficiency, sheet[i].efficiency, 1e-3);

    double most = 0.0;
    for (double rpm = 0.0; rpm < sheet[i].no_load_rpm; rpm += 20.0) {
      settle(&b, rpm * RPM);
      most = fmax(most, b.torque[0] * b.speed[0]);
    }
    assert_near(most, sheet[i].most, 1.0);
  }
}

// Electrical power is copper loss and what turns: P = sum(R i^2 + K w i), whatever limits.
static void test_power_balance(void** state) {
  uint64_t seed = 3;
  (void)state;
  for (int round = 0; round < 20000; round++) {
    Bench b;
    start_motor(&b, 4, 0.05, 36.0);
    let_go(&b);
    set(&b, motor, "gear", 12.0);
    set(&b, motor, "charging_current", 1e9);
    set(&b, motor, "max_current", 150.0);
    if (round % 2) set(&b, motor, "battery_current", 80.0);
    if (round % 3 == 0) set(&b, motor, "battery_resistance", 0.05);
    double sum = 0.0, size = 1e-300;
    for (int m = 0; m < WHEELS; m++) {
      b.demand[m] = 80.0 * draw(&seed);
      b.speed[m] = 100.0 * draw(&seed);
    }
    run(&b, motor);
    for (int m = 0; m < WHEELS; m++) {
      const double i = b.torque[m] / (12.0 * K), emf = 12.0 * K * b.speed[m];
      sum += R * i * i + emf * i;
      size += R * i * i + fabs(emf * i);
    }
    assert_near(power_of(&b, motor), sum, 1e-12 * size);
  }
}

// ---- battery ----------------------------------------------------------------------------------

// 36 V, 80 A and four stalled motors: 4 R i^2 = 2880 W, 106 A each; the limit of 100 A comes first.
static void test_stalled_motors(void** state) {
  Bench b;
  (void)state;
  start_motor(&b, 4, 0.05, 36.0);
  for (int m = 0; m < WHEELS; m++) b.demand[m] = 50.0;
  run(&b, motor);
  for (int m = 0; m < WHEELS; m++) assert_near(b.torque[m] / K, 100.0, 1e-9);
  assert_near(power_of(&b, motor), 4 * 0.064 * 1e4, 1e-8);
  set(&b, motor, "max_current", 1e6);
  run(&b, motor);
  for (int m = 0; m < WHEELS; m++) assert_near(b.torque[m] / K, 106.066017, 1e-5);
  assert_near(power_of(&b, motor), 2880.0, 1e-8);
}

// The common factor against its formula, s = (-b + sqrt(b^2 + 4 a V I))/(2 a); it keeps the ratios
// and sets in without a jump.
static void test_common_factor(void** state) {
  static const double part[WHEELS] = {1.0, 0.5, -0.25, 0.8}, speed[WHEELS] = {300, 280, 250, 310};
  double before[WHEELS] = {0};
  bool limited = false;
  (void)state;
  for (int step = 0; step <= 2000; step++) {
    Bench b;
    double a = 0.0, c = 0.0;
    const double ampere = 0.05 * step;  // as far as voltage does not limit any
    start_motor(&b, 4, 0.05, 36.0);
    let_go(&b);
    set(&b, motor, "battery_current", 30.0);
    for (int m = 0; m < WHEELS; m++) {
      b.speed[m] = speed[m];
      b.demand[m] = K * ampere * part[m];
      a += R * ampere * part[m] * ampere * part[m];
      c += K * speed[m] * ampere * part[m];
    }
    run(&b, motor);
    const double s = a > 0 ? fmin((-c + sqrt(c * c + 4 * a * 36.0 * 30.0)) / (2 * a), 1.0) : 1.0;
    limited = limited || s < 0.9;
    for (int m = 0; m < WHEELS; m++) {
      assert_near(b.torque[m], s * b.demand[m], 1e-12);
      assert_near(b.torque[m], before[m], K * 0.05 * 1.0001);
      before[m] = b.torque[m];
    }
  }
  assert_true(limited);
}

// Never more than the battery gives, never more charging than allowed, and no more voltage on a
// motor than there is.
static void test_battery_limits(void** state) {
  uint64_t seed = 11;
  (void)state;
  for (int round = 0; round < 200000; round++) {
    Bench b;
    const double volt = 30.0 + 20.0 * draw(&seed), ampere = 50.0 + 50.0 * draw(&seed);
    const double ohm = round % 2 ? 0.0 : 0.2 + 0.2 * draw(&seed);
    const double charging = round % 3 ? 0.0 : 20.0 + 20.0 * draw(&seed);
    start_motor(&b, 4, 0.05, volt);
    let_go(&b);
    set(&b, motor, "battery_current", ampere);
    set(&b, motor, "battery_resistance", ohm);
    set(&b, motor, "charging_current", charging);
    set(&b, motor, "max_current", 500.0);
    for (int m = 0; m < WHEELS; m++) {
      b.demand[m] = 20.0 * draw(&seed) * draw(&seed);
      b.speed[m] = 3.0 * volt / K * draw(&seed) * draw(&seed);
    }
    run(&b, motor);
    const double best = ohm > 0 ? fmin(ampere, volt / (2 * ohm)) : ampere;
    const double power = power_of(&b, motor);
    double size = 0.0;  // of the powers that add up to it
    for (int m = 0; m < WHEELS; m++) {
      const double i = b.torque[m] / K;
      size += R * i * i + fabs(K * b.speed[m] * i);
    }
    assert_true(power <= best * (volt - ohm * best) + 1e-14 * size);
    assert_true(power >= -charging * volt * (1 + 1e-12));
    // what comes back may raise the voltage above that without load
    const double terminal = 0.5 * (volt + sqrt(volt * volt + 4 * ohm * charging * volt));
    for (int m = 0; m < WHEELS; m++) {
      assert_true(fabs(R * b.torque[m] / K + K * b.speed[m]) <= terminal * (1 + 1e-12));
    }
  }
}

// One motor at full voltage behind an internal resistance draws at most V^2/(4 R_b), and its
// voltage is one that the battery has at that power.
static void test_internal_resistance(void** state) {
  Bench b;
  (void)state;
  start_motor(&b, 1, 0.05, 36.0);
  let_go(&b);
  set(&b, motor, "battery_resistance", 0.5);
  b.demand[0] = 1e3;
  run(&b, motor);
  const double power = power_of(&b, motor), i = b.torque[0] / K;
  assert_true(power > 0.0 && power <= 36.0 * 36.0 / 2.0 * (1 + 1e-12));
  assert_true(i * R <= 0.5 * (36.0 + sqrt(fmax(36.0 * 36.0 - 2.0 * power, 0.0))) * (1 + 1e-12));
  // a stalled winding of 0.064 ohm takes the largest power in: R i^2 = 648 W, 100.6 A
  assert_near(i, sqrt(648.0 / R), 1e-9);
}

// ---- demands and gear ---------------------------------------------------------------------------

static void test_demands(void** state) {
  Bench b;
  (void)state;
  start_motor(&b, 4, 0.05, 36.0);
  let_go(&b);
  assert_int_equal(motor->inputs(b.param, &b.layout), 4);
  set(&b, motor, "command", EACH_SIDE);
  assert_int_equal(motor->inputs(b.param, &b.layout), 2);
  b.demand[0] = 1.0, b.demand[1] = -2.0;
  run(&b, motor);
  assert_near(b.torque[0], 1.0, 1e-14);
  assert_near(b.torque[1], -2.0, 1e-14);
  assert_near(b.torque[2], 1.0, 1e-14);
  assert_near(b.torque[3], -2.0, 1e-14);

  // of three driven wheels each gets a third of the vehicle's demand, the caster nothing
  b.driven[3] = 0;
  set(&b, motor, "command", WHOLE_VEHICLE);
  assert_int_equal(motor->inputs(b.param, &b.layout), 1);
  b.demand[0] = 6.0;
  run(&b, motor);
  for (int w = 0; w < 3; w++) assert_near(b.torque[w], 2.0, 1e-14);
  assert_near(b.torque[3], 0.0, 0.0);

  set(&b, motor, "gear", 15.0);
  double momentum;
  assert_near(motor->inertia(b.param, &momentum), 225 * 2e-4, 1e-16);
  assert_near(momentum, 15 * 2e-4, 1e-16);
}

// Through a gear of 80 % a driving motor gives 0.8 of its torque, a driven one takes 1/0.8.
static void test_gear_efficiency(void** state) {
  Bench b;
  (void)state;
  start_motor(&b, 1, 0.05, 36.0);
  let_go(&b);
  set(&b, motor, "gear", 10.0);
  set(&b, motor, "efficiency", 0.8);
  b.demand[0] = 5.0;
  b.speed[0] = 40.0;
  run(&b, motor);
  assert_near(b.torque[0], 4.0, 1e-4);
  b.demand[0] = -5.0;
  run(&b, motor);
  assert_near(b.torque[0], -6.25, 1e-4);
  b.speed[0] = 0.0;
  run(&b, motor);
  assert_near(b.torque[0], -5.0, 1e-14);
}

static void test_check(void** state) {
  Bench b;
  rutError err = {0};
  (void)state;
  start_motor(&b, 4, 0.05, 36.0);
  assert_int_equal(motor->base.check(b.param, &err), RUT_OK);
  set(&b, motor, "static_friction", 0.1);
  assert_int_not_equal(motor->base.check(b.param, &err), RUT_OK);
  assert_non_null(strstr(err.message, "static_friction"));
}

// ---- shaft friction ---------------------------------------------------------------------------

static rutLugre magmotor(void) {
  return (rutLugre){.coulomb = 0.128,
                    .break_away = 0.19,
                    .stribeck_speed = 1.0,
                    .viscous = 1e-4,
                    .stiffness = 50.0,
                    .damping = 0.2,
                    .sharpness = 1000.0};
}

// Constant speed: T = g(w) sgn w + s2 w, at any step.
static void test_friction_steady(void** state) {
  static const double speed[] = {-900, -20, -1, -0.1, 0.05, 0.5, 2, 100, 900};
  static const double step[] = {1e-7, 65e-6, 1e-3, 5e-3, 0.1};
  const rutLugre f = magmotor();
  (void)state;
  for (int i = 0; i < RUT_COUNT_OF(speed); i++) {
    for (int k = 0; k < RUT_COUNT_OF(step); k++) {
      const double w = speed[i], g = 0.128 + (0.19 - 0.128) * exp(-w * w);
      const double steady = copysign(g, w) + 1e-4 * w;
      // start at rest where 5000 steps go many times as far as bristles bend, else at the end
      const bool far = fabs(w) * 5000 * step[k] > 40 * 0.19 / 50;
      double z = far ? 0.0 : copysign(g, w) / 50, torque = 0.0;
      for (int n = 0; n < 5000; n++) torque = rut_lugre_torque(&f, w, step[k], &z);
      assert_near(torque, steady, 1e-12);
      assert_true(fabs(z) <= 0.19 / 50.0 * (1 + 1e-15));
    }
  }
}

// The state after one long step of constant speed is that of the differential equation, here solved
// by ten thousand Runge-Kutta steps.
static void test_friction_exact_in_step(void** state) {
  static const double speed[] = {-3.0, -0.2, 0.004, 0.7, 5.0};
  const rutLugre f = magmotor();
  (void)state;
  for (int i = 0; i < RUT_COUNT_OF(speed); i++) {
    const double w = speed[i], g = 0.128 + 0.062 * exp(-w * w), dt = 2e-3;
    const double a = 50.0 * w * tanh(1000.0 * w) / g, h = dt / 10000;
    double z = 1e-3, exact = 1e-3;
    for (int n = 0; n < 10000; n++) {
      const double k1 = w - a * exact, k2 = w - a * (exact + 0.5 * h * k1);
      const double k3 = w - a * (exact + 0.5 * h * k2), k4 = w - a * (exact + h * k3);
      exact += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    rut_lugre_torque(&f, w, dt, &z);
    assert_near(z, exact, 1e-14);
  }
}

// A current that rises slowly leaves the shaft at rest up to the static friction, then it runs.
static void test_break_away(void** state) {
  for (int k = 0; k < 2; k++) {
    Bench b;
    (void)state;
    start_motor(&b, 1, 2e-4, 36.0);
    b.dt = k ? 1e-3 : 1e-4;
    double torque = 0.0;
    while (torque < 0.3 && fabs(b.speed[0]) < 5.0) {
      torque += 0.05 * b.dt;
      b.demand[0] = torque;
      run(&b, motor);
      b.speed[0] += b.dt * b.torque[0] / b.inertia[0];
      // the law creeps at (dT/dt)/s0/(1 - T/T_s)
      if (torque < 0.18) assert_near(b.speed[0], 0.0, 0.001 / (1 - torque / 0.19) + 1e-3);
    }
    assert_near(torque, 0.19, 0.003);
  }
}

// Bristles stay within T_s/s0 through any motion, and a free shaft comes to rest at any step.
static void test_friction_bounded(void** state) {
  static const double step[] = {1e-5, 1e-3, 5e-3, 0.05};
  const rutLugre law = magmotor();
  uint64_t seed = 5;
  double z = 0.0;
  (void)state;
  for (int i = 0; i < 200000; i++) {
    const double w = 1000.0 * pow(draw(&seed), 9), dt = 0.01 * pow(fabs(draw(&seed)), 5) + 1e-9;
    rut_lugre_torque(&law, w, dt, &z);
    assert_true(fabs(z) <= 0.19 / 50.0 * (1 + 1e-15));
  }
  // a creep so slow that w tanh(k w) is far below |w| does not bend them further either
  for (int i = 0; i < 10000; i++) rut_lugre_torque(&law, 3e-4, 0.1, &z);
  assert_near(z, 0.19 / 50.0, 1e-15);
  for (int k = 0; k < RUT_COUNT_OF(step); k++) {
    const rutLugre f = rut_lugre_for_step(&law, 2e-4, step[k]);
    double w = 100.0;
    z = 0.0;
    // 100 rad/s at 0.128 N m on 2e-4 kg m2 take 0.16 s
    for (double t = 0; t < 0.5 + 200 * step[k]; t += step[k]) {
      w -= step[k] * rut_lugre_torque(&f, w, step[k], &z) / 2e-4;
      assert_true(fabs(w) <= 100.0);
    }
    assert_near(w, 0.0, 0.01);
  }
}

// ---- second law ---------------------------------------------------------------------------------

static double bristle_energy(const rutLugre* f, double bristle) {
  return 0.5 * f->stiffness * bristle * bristle;
}

// Friction takes at least what the bristles store, through any jumps of speed and any damping.
static void test_friction_passive(void** state) {
  uint64_t seed = 13;
  (void)state;
  for (int round = 0; round < 20000; round++) {
    rutLugre f = magmotor();
    f.viscous = 0.0;
    f.damping = pow(10.0, 2.0 * draw(&seed));
    double z = 0.0;
    for (int i = 0; i < 50; i++) {
      const double w = 1000.0 * pow(draw(&seed), 9), dt = 0.05 * pow(fabs(draw(&seed)), 9) + 1e-7;
      const double before = bristle_energy(&f, z);
      const double taken = rut_lugre_torque(&f, w, dt, &z) * w * dt;
      assert_true(taken - (bristle_energy(&f, z) - before) >= -1e-12 * fabs(taken) - 1e-18);
    }
  }
}

// What battery gives, less what the wheels get, less what the bristles store, is never negative.
static void test_motor_passive(void** state) {
  uint64_t seed = 17;
  (void)state;
  for (int round = 0; round < 20000; round++) {
    Bench b;
    start_motor(&b, 4, 0.05, 36.0);
    const double gear = 1.0 + 20.0 * fabs(draw(&seed));
    set(&b, motor, "gear", gear);
    set(&b, motor, "efficiency", 0.75 + 0.25 * draw(&seed));
    set(&b, motor, "charging_current", round % 2 ? 0.0 : 1e9);
    set(&b, motor, "battery_resistance", round % 3 ? 0.0 : 0.1);
    set(&b, motor, "viscous_friction", round % 5 ? 0.0 : 1e-3);
    set(&b, motor, "bristle_damping", 0.5 * fabs(draw(&seed)));
    b.dt = 0.01 * pow(fabs(draw(&seed)), 3) + 1e-7;
    rutLugre f = magmotor();
    f = rut_lugre_for_step(&f, b.inertia[0] / (gear * gear), b.dt);
    for (int step = 0; step < 10; step++) {
      double before = 0.0, after = 0.0, out = 0.0, size = 1.0;
      for (int m = 0; m < WHEELS; m++) {
        b.demand[m] = 100.0 * pow(draw(&seed), 3);
        b.speed[m] = 1500.0 / gear * pow(draw(&seed), 5);
        before += bristle_energy(&f, b.state[m]);
      }
      run(&b, motor);
      for (int m = 0; m < WHEELS; m++) {
        after += bristle_energy(&f, b.state[m]);
        out += b.torque[m] * b.speed[m];
        size += fabs(b.torque[m] * b.speed[m]);
      }
      assert_true(power_of(&b, motor) - out - (after - before) / b.dt >= -1e-9 * size);
    }
  }
}

static void test_engine_passive(void** state) {
  uint64_t seed = 23;
  (void)state;
  for (int round = 0; round < 200000; round++) {
    Bench b;
    const double thermal = 0.5 + 0.4 * draw(&seed);
    double mean = 0.0, sum = 0.0, out = 0.0, size = 1.0;
    start(&b, engine, 4, 1.0);
    set(&b, engine, "efficiency", 0.75 + 0.25 * draw(&seed));
    set(&b, engine, "drag", 20.0);
    set(&b, engine, "drag_rate", 0.1);
    set(&b, engine, "idle_speed", round % 2 ? 100.0 : 0.0);
    set(&b, engine, "thermal_efficiency", thermal);
    for (int w = 0; w < WHEELS; w++) {
      b.speed[w] = 300.0 * pow(draw(&seed), 5);
      mean += 0.25 * b.speed[w];
    }
    b.demand[0] = 3000.0 * pow(draw(&seed), 3);
    run(&b, engine);
    for (int w = 0; w < WHEELS; w++) {
      sum += b.torque[w];
      out += b.torque[w] * b.speed[w];
      size += fabs(b.torque[w] * b.speed[w]);
      assert_near(b.torque[w], b.torque[0], 0.0);
    }
    // the differentials take nothing, the engine burns what it gives at least
    assert_near(out, sum * mean, 1e-12 * size);
    assert_true(power_of(&b, engine) * thermal - out >= -1e-9 * size);
    assert_true(power_of(&b, engine) >= 0.0);
  }
}

// ---- engine -------------------------------------------------------------------------------------

// The straight line of MAVS, T_max (1 - rpm/rpm_max), times 3.3, shared by four wheels.
static void test_engine_line(void** state) {
  Bench b;
  (void)state;
  start(&b, engine, 4, 1.0);
  assert_int_equal(engine->inputs(b.param, &b.layout), 1);
  b.demand[0] = 1e6;
  run(&b, engine);
  for (int w = 0; w < WHEELS; w++) assert_near(b.torque[w], 583.0 * 3.3 / 4, 1e-10);
  for (int i = 0; i < WHEELS; i++) b.speed[i] = 40.0 + 10.0 * i;  // mean 55
  run(&b, engine);
  const double rpm = 55.0 * 3.3 / RPM;
  for (int w = 0; w < WHEELS; w++) {
    assert_near(b.torque[w], 583.0 * (1 - rpm / 4500.0) * 3.3 / 4, 1e-10);
  }
  assert_near(power_of(&b, engine), 4 * b.torque[0] * 55.0 / 0.3, 1e-8);

  // less than that is given as asked, and only driven wheels get it
  b.driven[2] = b.driven[3] = 0;
  b.demand[0] = 300.0;
  run(&b, engine);
  assert_near(b.torque[0], 150.0, 1e-12);
  assert_near(b.torque[1], 150.0, 1e-12);
  assert_near(b.torque[2], 0.0, 0.0);
  b.demand[0] = 0.0;
  run(&b, engine);
  assert_near(b.torque[0], 0.0, 0.0);
  assert_near(power_of(&b, engine), 0.0, 0.0);
}

// Full load of the 6.2 litre diesel of the M998 [N m] over rpm.
static const double diesel_rpm[] = {600, 800, 1200, 1600, 2000, 2400, 2800, 3200, 3600, 3800, 3900};
static const double diesel_torque[] = {200, 270, 305, 330, 339, 332, 318, 305, 297, 150, 0};

static void start_diesel(Bench* b, int gears, const double* gear, double efficiency) {
  double speed[RUT_COUNT_OF(diesel_rpm)];
  start(b, engine, 4, 1.0);
  for (int i = 0; i < RUT_COUNT_OF(diesel_rpm); i++) speed[i] = diesel_rpm[i] * RPM;
  int used = engine->base.fields;
  set_list(b, engine, "gears", &used, gears, gear);
  set_list(b, engine, "curve_speed", &used, RUT_COUNT_OF(diesel_rpm), speed);
  set_list(b, engine, "curve_torque", &used, RUT_COUNT_OF(diesel_rpm), diesel_torque);
  set(b, engine, "final_drive", 5.24);
  set(b, engine, "efficiency", efficiency);
  set(b, engine, "max_speed", 3900 * RPM);
  set(b, engine, "governor_band", 100 * RPM);
  set(b, engine, "drag", 20.0);
  set(b, engine, "drag_rate", 0.012 / RPM);
}
// Sum of the wheel torques at equal speeds.
static double engine_sum(Bench* b, double speed, double demand) {
  b->demand[0] = demand;
  for (int w = 0; w < WHEELS; w++) b->speed[w] = speed;
  run(b, engine);
  return b->torque[0] + b->torque[1] + b->torque[2] + b->torque[3];
}

static void test_engine_curve(void** state) {
  Bench b;
  const double one = 1.0;
  rutError err = {0};
  (void)state;
  start_diesel(&b, 1, &one, 0.85);
  assert_int_equal(engine->base.check(b.param, &err), RUT_OK);
  assert_near(engine_sum(&b, 2000 * RPM / 5.24, 1e6), 339 * 5.24 * 0.85, 1e-9);
  assert_near(engine_sum(&b, 1800 * RPM / 5.24, 1e6), 334.5 * 5.24 * 0.85, 1e-9);
  assert_near(engine_sum(&b, 100 * RPM / 5.24, 1e6), 200 * 5.24 * 0.85, 1e-9);

  // 150 hp at 3600 rpm, taken from the fuel at 30 %
  engine_sum(&b, 3600 * RPM / 5.24, 1e6);
  assert_near(power_of(&b, engine) * 0.3, 111.9e3, 200.0);

  // drag 20 + 0.012 rpm, which the gears make larger; no fuel for it
  assert_near(engine_sum(&b, 3000 * RPM / 5.24, -1e6), -56.0 * 5.24 / 0.85, 1e-9);
  assert_near(power_of(&b, engine), 0.0, 0.0);
  assert_near(engine_sum(&b, -3000 * RPM / 5.24, 1e6), 56.0 * 5.24 / 0.85, 1e-9);
}

// Neither forwards nor backwards beyond the governed speed: no torque there, and free wheels end
// just below it.
static void test_engine_governor(void** state) {
  Bench b;
  const double one = 1.0, top = 3900 * RPM / 5.24;
  (void)state;
  start_diesel(&b, 1, &one, 1.0);
  for (int sign = -1; sign <= 1; sign += 2) {
    assert_near(engine_sum(&b, sign * top, sign * 1e6), 0.0, 1e-9);
    assert_near(engine_sum(&b, sign * 2 * top, sign * 1e6), 0.0, 0.0);
    double speed = 0.0;
    for (int i = 0; i < 4000; i++) {
      speed += 1e-3 * engine_sum(&b, speed, sign * 1e6) / 40.0;
      assert_true(fabs(speed) <= top);
    }
    assert_true(fabs(speed) > 0.9 * top);
  }

  // A curve that ends at 297 N m is cut on a line over the last 100 rpm.
  const double full = 297 * 5.24;
  set(&b, engine, "max_speed", 3700 * RPM);
  b.param[(int)b.param[engine->base.fields - 1]] = 9;  // points of the curve: up to 3600 rpm
  b.param[(int)b.param[engine->base.fields - 2]] = 9;
  assert_near(engine_sum(&b, 3600 * RPM / 5.24, 1e6), full, 1e-9);
  assert_near(engine_sum(&b, 3650 * RPM / 5.24, 1e6), 0.5 * full, 1e-9);
  assert_near(engine_sum(&b, 3700 * RPM / 5.24, 1e6), 0.0, 1e-9);
  assert_near(engine_sum(&b, 3800 * RPM / 5.24, 1e6), 0.0, 0.0);
}

// At rest the engine can set off both ways, and the limits have no jump there.
static void test_engine_direction(void** state) {
  Bench b;
  const double one = 1.0;
  (void)state;
  start_diesel(&b, 1, &one, 0.85);
  for (int sign = -1; sign <= 1; sign += 2) {
    assert_near(engine_sum(&b, 0.0, sign * 1e6), sign * 200 * 5.24 * 0.85, 1e-9);
    const double ahead = engine_sum(&b, 1e-9, sign * 1e6);
    assert_near(ahead, engine_sum(&b, -1e-9, sign * 1e6), 1e-4);
  }
  // turning round takes fuel for 200 N m at the speed at which the clutch slips
  set(&b, engine, "idle_speed", 600 * RPM);
  engine_sum(&b, 1e-9, -1e6);
  assert_near(power_of(&b, engine), 200 * 600 * RPM / 0.3, 1e-2);
  for (double w = -1.0; w < 1.0; w += 1e-3) {
    assert_near(engine_sum(&b, w, -1e6), engine_sum(&b, w + 1e-3, -1e6), 3.0);
  }
}

// Three gears, 2.48, 1.48 and 1: most torque of all wins. With the low transfer (2.61) and a
// converter that doubles the torque 19.5 kN m at stall.
static void test_engine_gears(void** state) {
  static const double gear[] = {2.48, 1.48, 1.0}, low = 2.48 * 2.61, rising[] = {1.0, 1.48};
  Bench b;
  rutError err = {0};
  (void)state;
  start_diesel(&b, 3, gear, 0.85);
  assert_near(engine_sum(&b, 2000 * RPM / (5.24 * 2.48), 1e6), 339 * 2.48 * 5.24 * 0.85, 1e-9);
  // at 3850 rpm in first 75 N m half cut by the governor: second has 297.6 at 2297.6 rpm
  const double w = 3850 * RPM / (5.24 * 2.48), rpm = 3850 * 1.48 / 2.48;
  const double second = 339 + (332 - 339) * (rpm - 2000) / 400;
  assert_near(engine_sum(&b, w, 1e6), second * 1.48 * 5.24 * 0.85, 1e-8);
  // third carries to 33.8 m/s on wheels of 0.47 m at 3600 rpm
  assert_near(engine_sum(&b, 33.8 / 0.47, 1e6), 297 * 5.24 * 0.85, 1.0);
  assert_near(engine_sum(&b, 3900 * RPM / 5.24, 1e6), 0.0, 1e-9);

  start_diesel(&b, 1, &low, 0.85);
  const double stall = 2000 * RPM;  // of the converter
  set(&b, engine, "idle_speed", stall);
  assert_near(2 * engine_sum(&b, 0.0, 1e6), 19.5e3, 50.0);

  start_diesel(&b, 2, rising, 1.0);
  assert_int_not_equal(engine->base.check(b.param, &err), RUT_OK);
  assert_non_null(strstr(err.message, "gears"));
}

static void test_engine_check(void** state) {
  static const double one = 1.0, speed[] = {100, 200, 150}, torque[] = {10, 20};
  Bench b;
  rutError err = {0};
  (void)state;
  start(&b, engine, 4, 1.0);
  int used = engine->base.fields;
  set_list(&b, engine, "gears", &used, 1, &one);
  set_list(&b, engine, "curve_speed", &used, 3, speed);
  const int there = used;
  set_list(&b, engine, "curve_torque", &used, 2, torque);
  assert_int_not_equal(engine->base.check(b.param, &err), RUT_OK);
  assert_non_null(strstr(err.message, "3 numbers"));
  used = there;
  set_list(&b, engine, "curve_torque", &used, 3, speed);
  assert_int_not_equal(engine->base.check(b.param, &err), RUT_OK);
  assert_non_null(strstr(err.message, "rise"));
  set_list(&b, engine, "gears", &used, 0, NULL);
  set(&b, engine, "curve_speed", b.param[engine->base.fields - 3]);
  set(&b, engine, "curve_torque", b.param[engine->base.fields - 3]);
  assert_int_not_equal(engine->base.check(b.param, &err), RUT_OK);
  assert_non_null(strstr(err.message, "at least one"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_load_step),
      cmocka_unit_test(test_long_steps),
      cmocka_unit_test(test_data_sheet),
      cmocka_unit_test(test_power_balance),
      cmocka_unit_test(test_stalled_motors),
      cmocka_unit_test(test_common_factor),
      cmocka_unit_test(test_battery_limits),
      cmocka_unit_test(test_internal_resistance),
      cmocka_unit_test(test_demands),
      cmocka_unit_test(test_gear_efficiency),
      cmocka_unit_test(test_check),
      cmocka_unit_test(test_friction_steady),
      cmocka_unit_test(test_friction_exact_in_step),
      cmocka_unit_test(test_break_away),
      cmocka_unit_test(test_friction_bounded),
      cmocka_unit_test(test_friction_passive),
      cmocka_unit_test(test_motor_passive),
      cmocka_unit_test(test_engine_passive),
      cmocka_unit_test(test_engine_line),
      cmocka_unit_test(test_engine_curve),
      cmocka_unit_test(test_engine_governor),
      cmocka_unit_test(test_engine_direction),
      cmocka_unit_test(test_engine_gears),
      cmocka_unit_test(test_engine_check),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
