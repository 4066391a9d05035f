// SPDX-License-Identifier: BSD-3-Clause
//
// Shafts and differentials of the powertrain against closed forms and the second law.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "drive/differential.h"
#include "powertrain_bench.h"

// Shafts have the energy of the three whose turns are those of planetary gears, and the wheels see
// no other inertia; half-shafts turn with the wheels.
static void test_shafts(void** state) {
  uint64_t seed = 11;
  (void)state;
  for (int i = 0; i < 1000; i++) {
    Bench b;
    start(&b);
    const double f = 0.5 + 0.4 * draw(&seed), left = 0.5 + 0.2 * draw(&seed);
    set(&b, "front_rear_split", f);
    set(&b, "front_left_right_split", left);
    run(&b);
    drive->couple(b.param, &b.layout, 1, b.state, b.shaft_ratio, b.inverse_inertia);
    assert_int_equal(drive->shafts(b.param, &b.layout), 2);
    double energy = 0;
    for (int w = 0; w < WHEELS; w++) b.speed[w] = 10 * draw(&seed);
    for (int s = 0; s < 2; s++) {
      double speed = 0;
      for (int w = 0; w < WHEELS; w++) speed += b.shaft_ratio[s * WHEELS + w] * b.speed[w];
      energy += speed * speed / b.inverse_inertia[s];
    }
    const double w1 = left * b.speed[FL] + (1 - left) * b.speed[FR];
    const double w2 = 0.5 * (b.speed[RL] + b.speed[RR]), w = f * w1 + (1 - f) * w2;
    const double expected = AXLE * (w1 * w1 + w2 * w2) + (CENTRE + 625 * 0.3) * w * w;
    assert_near(energy, expected, 1e-10 * (1 + expected));
  }
  double momentum;
  Bench b;
  start(&b);
  assert_near(drive->inertia(b.param, &momentum), 0.4, 0);
  assert_near(momentum, 0.4, 0);
}

// One axle: M = [J1 + Jc/4, Jc/4; Jc/4, J2 + Jc/4], both wheels get half the torque.
static void test_open_axle(void** state) {
  const double ground[WHEELS] = {0, 0, 100, 700};
  Bench b;
  (void)state;
  start(&b);
  set(&b, "driven", REAR);
  b.inertia[RL] = 2;
  b.inertia[RR] = 3;
  press(&b, 1);
  for (int i = 0; i < 2000; i++) run(&b);
  step(&b, ground);
  assert_near(b.torque[RL], b.torque[RR], 1e-14 * b.torque[RL]);
  assert_near(b.torque[FL], 0, 0);
  const double q = 0.25 * (AXLE + CENTRE + 625 * 0.3);
  const double t1 = b.torque[RL] - 100, t2 = b.torque[RR] - 700;
  const double det = (2 + q) * (3 + q) - q * q;
  assert_near(b.speed[RL], b.dt * ((3 + q) * t1 - q * t2) / det, 1e-12);
  assert_near(b.speed[RR], b.dt * ((2 + q) * t2 - q * t1) / det, 1e-12);
}

// Locked: one speed, and the sum of all torques on the sum of all inertias.
static void test_locked(void** state) {
  const double ground[WHEELS] = {3000, -50, 200, 0};
  (void)state;
  for (int kind = 0; kind < 8; kind++) {
    Bench b;
    start(&b);
    set(&b, "centre_differential", kind & 1 ? LOCKED : OPEN);
    set(&b, "front_differential", kind & 2 ? LOCKED : OPEN);
    set(&b, "rear_differential", kind & 4 ? LOCKED : OPEN);
    const int locks = (kind & 1) + (kind >> 1 & 1) + (kind >> 2 & 1);
    assert_int_equal(drive->shafts(b.param, &b.layout), kind & 1 ? 1 + locks : 2 + locks);
    press(&b, 1);
    for (int i = 0; i < 300; i++) step(&b, ground);
    const double* w = b.speed;
    if (kind & 1) assert_near(w[FL] + w[FR], w[RL] + w[RR], 1e-9);
    if (kind & 2) assert_near(w[FL], w[FR], 1e-9);
    if (kind & 4) assert_near(w[RL], w[RR], 1e-9);
    if (!(kind & 2)) assert_true(fabs(w[FL] - w[FR]) > 1);
    if (!(kind & 4)) assert_true(fabs(w[RL] - w[RR]) > 1);
    if (kind != 7) continue;
    const double before = w[FL];
    step(&b, ground);
    const double all = 4 * WHEEL + 2 * AXLE + CENTRE + 625 * 0.3;
    assert_near((w[FL] - before) / b.dt, (sum_of(b.torque) - 3150) / all, 1e-7);
  }
}

// One wheel on ice: an open axle pulls twice what the ice takes, a biasing one 1 + TBR times.
static void test_biasing(void** state) {
  Bench b;
  (void)state;
  start(&b);
  set(&b, "driven", REAR);
  press(&b, 1);
  for (int kind = OPEN; kind <= BIASING; kind++) {
    set(&b, "rear_differential", kind);
    set(&b, "rear_left_right_bias", 3);
    b.speed[RL] = 8;
    b.speed[RR] = 0;
    for (int i = 0; i < 300; i++) run(&b);
    assert_near(b.torque[RR] / b.torque[RL], kind == OPEN ? 1 : 3, 1e-9);
    const double ground[WHEELS] = {0};
    double last = 8;
    b.demand = 0;
    for (int i = 0; i < 400 && kind == BIASING; i++) {  // never past equal speeds
      set(&b, "preload", 500);
      step(&b, ground);
      const double apart = b.speed[RL] - b.speed[RR];
      assert_true(apart >= -1e-9 && apart <= last + 1e-9);
      last = apart;
    }
    if (kind == BIASING) assert_near(last, 0, 1e-3);
  }
}

static void test_differential_is_passive(void** state) {
  uint64_t seed = 9;
  double least = 1;
  (void)state;
  for (int i = 0; i < 1000000; i++) {
    const double f = 0.5 + 0.5 * draw(&seed), torque = 1e4 * draw(&seed);
    const double w1 = 50 * draw(&seed), w2 = 50 * draw(&seed);
    const rutGearFriction friction = {1 + 3 * fabs(draw(&seed)), 200 * fabs(draw(&seed)), 0.5, 1};
    const double moved = rut_biased_torque(&friction, 1e-3, torque, w1, w2);
    const double t1 = f * torque - moved, t2 = (1 - f) * torque + moved;
    const double loss = torque * (f * w1 + (1 - f) * w2) - t1 * w1 - t2 * w2;
    least = fmin(least, loss / (1 + fabs(torque) * 50));
  }
  assert_true(least >= -1e-12);
}

// Six and eight driven wheels share equally, on one shaft; wheels that are not driven get nothing.
static void test_many_wheels(void** state) {
  static const double x[] = {3, 3, 0, 0, -1.5, -1.5}, y[] = {1, -1, 1, -1, 1, -1};
  static const double radius[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, inertia[] = {5, 5, 5, 5, 5, 5};
  const double speed[6] = {1, 2, 3, 4, 5, 6};
  int driven[] = {1, 1, 1, 1, 1, 1};
  double torque[6], shaft_ratio[6 * RUT_MAX_SHAFTS], inverse_inertia[RUT_MAX_SHAFTS];
  Bench b;
  (void)state;
  start(&b);
  rutVehicleLayout truck = b.layout;
  truck.wheels = 6;
  truck.x = x;
  truck.y = y;
  truck.radius = radius;
  truck.inertia = inertia;
  truck.driven = driven;
  press(&b, 1);
  for (int drop = 0; drop < 2; drop++) {
    for (int i = 0; i < 2000; i++) {
      drive->torque(b.param, &truck, &(rutDriveIn){1, b.dt, &b.demand, speed, NULL}, b.state,
                    torque);
    }
    drive->couple(b.param, &truck, 1, b.state, shaft_ratio, inverse_inertia);
    assert_int_equal(drive->shafts(b.param, &truck), 1);
    assert_true(torque[0] > 0);
    for (int w = 0; w < 6; w++) {
      assert_near(torque[w], drop && w == 5 ? 0 : torque[0], 1e-9);
      assert_near(shaft_ratio[w], drop ? (w == 5 ? 0 : 0.2) : 1.0 / 6, 1e-15);
    }
    assert_near(1 / inverse_inertia[0], 2 * AXLE + CENTRE + 625 * 0.3, 1e-9);
    driven[5] = 0;
  }
}

// Eight lanes couple as each of them alone.
static void test_lanes(void** state) {
  uint64_t seed = 17;
  double demand[LANES], speed[WHEELS * LANES], torque[WHEELS * LANES],
      all[MAX_STATES * LANES] = {0};
  double shaft_ratio[RUT_MAX_SHAFTS * WHEELS * LANES], inverse_inertia[RUT_MAX_SHAFTS * LANES];
  Bench b;
  (void)state;
  start(&b);
  set(&b, "rear_differential", LOCKED);
  set(&b, "shift_time", 0.01);
  double one[LANES][MAX_STATES] = {{0}};
  const int shafts = drive->shafts(b.param, &b.layout);
  for (int i = 0; i < 2000; i++) {
    for (int l = 0; l < LANES; l++) {
      demand[l] = 2e4 * draw(&seed);
      for (int w = 0; w < WHEELS; w++) speed[w * LANES + l] = i * 0.01 + l + 0.1 * draw(&seed);
    }
    drive->torque(b.param, &b.layout, &(rutDriveIn){LANES, b.dt, demand, speed, NULL}, all, torque);
    drive->couple(b.param, &b.layout, LANES, all, shaft_ratio, inverse_inertia);
    for (int l = 0; l < LANES; l++) {
      for (int w = 0; w < WHEELS; w++) b.speed[w] = speed[w * LANES + l];
      b.demand = demand[l];
      memcpy(b.state, one[l], sizeof one[l]);
      run(&b);
      memcpy(one[l], b.state, sizeof one[l]);
      drive->couple(b.param, &b.layout, 1, b.state, b.shaft_ratio, b.inverse_inertia);
      for (int s = 0; s < shafts; s++) {
        assert_memory_equal(&b.inverse_inertia[s], &inverse_inertia[s * LANES + l], sizeof(double));
        for (int w = 0; w < WHEELS; w++) {
          const int at = s * WHEELS + w;
          assert_memory_equal(&b.shaft_ratio[at], &shaft_ratio[at * LANES + l], sizeof(double));
        }
      }
      for (int w = 0; w < WHEELS; w++) {
        assert_memory_equal(&b.torque[w], &torque[w * LANES + l], sizeof(double));
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shafts),
      cmocka_unit_test(test_open_axle),
      cmocka_unit_test(test_locked),
      cmocka_unit_test(test_biasing),
      cmocka_unit_test(test_differential_is_passive),
      cmocka_unit_test(test_many_wheels),
      cmocka_unit_test(test_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
