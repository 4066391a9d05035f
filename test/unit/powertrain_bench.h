// SPDX-License-Identifier: BSD-3-Clause
//
// A powertrain with two axles on a bench. Included after cmocka.h.
#ifndef RUT_TEST_UNIT_POWERTRAIN_BENCH_H
#define RUT_TEST_UNIT_POWERTRAIN_BENCH_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rut/component.h"

extern const rutDriveType rut_drive_powertrain;
static const rutDriveType* const drive = &rut_drive_powertrain;

#define PI  3.14159265358979323846
#define RPM (PI / 30.0)

enum { MAX_NUMBERS = 400, MAX_STATES = 32, WHEELS = 4, LANES = 8 };
enum { FL, FR, RL, RR };
enum { FRONT, REAR, ALL };
enum { CONVERTER, CLUTCH, RIGID };
enum { OPEN, BIASING, LOCKED };
// The states that a test looks at.
enum { ENGINE = 0, GEAR = 1, BLEND = 2, JOINED = 7 };

// Inertia of wheel and half-shaft, of an axle's shaft and casing, and of the drive shaft, all seen
// at the wheels [kg m2]; then what the input shaft of 0.3 kg m2 adds in each gear.
static const double WHEEL = 7.38782 + 0.4, AXLE = 0.6 + 25 * 0.5, CENTRE = 25 * 0.5;
static const double RATIO[] = {25, 12.5, 6.25};
static const double MASS = 2573.138, RADIUS = 0.459;

// A vehicle of two axles with the powertrain.
typedef struct Bench {
  double param[MAX_NUMBERS], state[MAX_STATES], torque[WHEELS], speed[WHEELS], demand, dt;
  double shaft_ratio[RUT_MAX_SHAFTS * WHEELS], inverse_inertia[RUT_MAX_SHAFTS];
  int used, driven[WHEELS];
  double inertia[WHEELS];
  rutVehicleLayout layout;
} Bench;

static inline void set(Bench* b, const char* field, double value) {
  for (int i = 0; i < drive->base.fields; i++) {
    if (strcmp(drive->base.field[i].name, field) == 0) {
      b->param[i] = value;
      return;
    }
  }
  fail_msg("no field %s", field);
}
static inline void set_list(Bench* b, const char* field, int n, const double* number) {
  assert_true(b->used + n < MAX_NUMBERS);
  set(b, field, b->used);
  b->param[b->used++] = n;
  for (int i = 0; i < n; i++) b->param[b->used++] = number[i];
}

// Defaults of any drive, its lists behind its fields. Returns how many numbers there are.
static inline int defaults(const rutDriveType* type, double* param) {
  int used = type->base.fields;
  for (int i = 0; i < type->base.fields; i++) {
    const rutField* f = &type->base.field[i];
    param[i] = f->def;
    if (f->type != RUT_VECTOR) continue;
    const int count = used++;
    param[i] = count;
    for (char *at = (char*)(uintptr_t)f->text, *end; *at; at = end) {
      assert_true(used < MAX_NUMBERS);
      param[used++] = strtod(at, &end);
    }
    param[count] = used - count - 1;
  }
  return used;
}

static inline void start(Bench* b) {
  static const double x[] = {3.3, 3.3, 0, 0}, y[] = {0.9, -0.9, 0.9, -0.9}, zero[WHEELS] = {0};
  static const double radius[] = {0.459, 0.459, 0.459, 0.459};
  static const int steered[] = {1, 1, 0, 0};
  *b = (Bench){.dt = 1e-3};
  b->used = defaults(drive, b->param);
  for (int w = 0; w < WHEELS; w++) {
    b->driven[w] = 1;
    b->inertia[w] = WHEEL;
  }
  b->layout = (rutVehicleLayout){.wheels = WHEELS,
                                 .x = x,
                                 .y = y,
                                 .radius = radius,
                                 .mount_yaw = zero,
                                 .inertia = b->inertia,
                                 .steered = steered,
                                 .driven = b->driven,
                                 .left = RL,
                                 .right = RR,
                                 .front_left = FL,
                                 .front_right = FR,
                                 .rear_left = RL,
                                 .rear_right = RR,
                                 .mass = MASS,
                                 .gravity = 9.81,
                                 .max_steer = 0.5};
}
static inline double full_of(const Bench* b) { return drive->full_demand(b->param); }
static inline void press(Bench* b, double throttle) {
  b->layout.full_demand = full_of(b);
  b->demand = throttle * b->layout.full_demand;
}
static inline void run(Bench* b) {
  drive->torque(b->param, &b->layout, &(rutDriveIn){1, b->dt, &b->demand, b->speed, NULL}, b->state,
                b->torque);
}
static inline double sum_of(const double* four) { return four[0] + four[1] + four[2] + four[3]; }
static inline double mean_of(const Bench* b) { return 0.25 * sum_of(b->speed); }
static inline void spin(Bench* b, double speed) {
  for (int w = 0; w < WHEELS; w++) b->speed[w] = speed;
}

// Solves a x = y in place, n unknowns.
static inline void solve(int n, double a[8][9]) {
  for (int i = 0; i < n; i++) {
    int best = i;
    for (int r = i + 1; r < n; r++) best = fabs(a[r][i]) > fabs(a[best][i]) ? r : best;
    for (int c = 0; c <= n; c++) {
      const double kept = a[i][c];
      a[i][c] = a[best][c];
      a[best][c] = kept;
    }
    for (int r = 0; r < n; r++) {
      const double factor = r == i ? 0 : a[r][i] / a[i][i];
      for (int c = i; c <= n && factor != 0; c++) a[r][c] -= factor * a[i][c];
    }
  }
  for (int i = 0; i < n; i++) a[i][n] /= a[i][i];
}

// One step of the wheels and of the shafts that couple them, against torques of the ground: wheel
// momentum J (w' - w) = h (T - ground) - sum of turns times the shafts' impulses.
static inline void step(Bench* b, const double* ground) {
  run(b);
  drive->couple(b->param, &b->layout, 1, b->state, b->shaft_ratio, b->inverse_inertia);
  const int shafts = drive->shafts(b->param, &b->layout);
  double a[8][9] = {{0}};
  const int n = WHEELS + shafts;
  for (int w = 0; w < WHEELS; w++) {
    a[w][w] = b->inertia[w];
    a[w][n] = b->inertia[w] * b->speed[w] + b->dt * (b->torque[w] - ground[w]);
  }
  for (int s = 0; s < shafts; s++) {
    const double* shaft_ratio = b->shaft_ratio + s * WHEELS;
    for (int w = 0; w < WHEELS; w++) {
      a[w][WHEELS + s] = a[WHEELS + s][w] = shaft_ratio[w];
      if (b->inverse_inertia[s] > 0) a[WHEELS + s][n] += shaft_ratio[w] * b->speed[w];
    }
    a[WHEELS + s][WHEELS + s] = -b->inverse_inertia[s];
  }
  solve(n, a);
  for (int w = 0; w < WHEELS; w++) b->speed[w] = a[w][n];
}

// Repeatable numbers in [-1, 1].
static inline double draw(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

#endif  // RUT_TEST_UNIT_POWERTRAIN_BENCH_H
