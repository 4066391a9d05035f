// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of drives: four wheels at given speeds, for a number of steps.
#include <math.h>
#include <stdlib.h>

#include "law.h"

// Wheels 0 to 3: front left, front right, rear left, rear right. `from` is the speed at which all
// start; it becomes that of each wheel within the first half of the steps.
#define IN(X)   \
  X(dt, 0.001)  \
  X(steps, 1)   \
  X(demand, 0)  \
  X(demand2, 0) \
  X(demand3, 0) \
  X(demand4, 0) X(fl, 0) X(fr, 0) X(rl, 0) X(rr, 0) X(inertia, 10) X(from, 0) X(throttle, 0)
#define OUT(X) \
  X(fl) X(fr) X(rl) X(rr) X(sum) X(power) X(full) X(reflected) X(momentum) X(state0) X(state1)

typedef struct DriveIn {
  IN(CLI_BENCH_IN)
} DriveIn;
typedef struct DriveOut {
  OUT(CLI_BENCH_OUT)
} DriveOut;

enum { WHEELS = 4, STATES = 256, PLAN = 1 << 16 };

static void turn(const cliLaw* law, const rutVehicleLayout* layout, const DriveIn* in,
                 double* state, double* plan, double* torque) {
  const rutDriveType* type = (const rutDriveType*)(const void*)law->type;
  const double end[WHEELS] = {in->fl, in->fr, in->rl, in->rr};
  const double full = type->full_demand ? type->full_demand(law->param) : 0;
  const double demand[WHEELS] = {in->demand + in->throttle * full, in->demand2, in->demand3,
                                 in->demand4};
  double speed[WHEELS] = {in->from, in->from, in->from, in->from};
  if (type->start) type->start(law->param, layout, 1, in->from != 0 ? speed : end, state);
  if (type->plan) type->plan(law->param, layout, in->dt, plan);
  for (int k = 0; k < (int)in->steps; k++) {
    const double part = in->from != 0 ? fmin(2.0 * (k + 1) / in->steps, 1) : 1;
    for (int w = 0; w < WHEELS; w++) speed[w] = in->from + part * (end[w] - in->from);
    const rutDriveIn from = {
        .lanes = 1, .dt = in->dt, .demand = demand, .speed = speed, .plan = plan};
    type->torque(law->param, layout, &from, state, torque);
  }
}

static void run_drive(cliLab* lab, const cliLaw* law, const double* numbers, double* result) {
  const rutDriveType* type = (const rutDriveType*)(const void*)law->type;
  const DriveIn* in = (const DriveIn*)(const void*)numbers;
  DriveOut* out = (DriveOut*)(void*)result;
  static const double x[WHEELS] = {1.6, 1.6, -1.6, -1.6}, y[WHEELS] = {0.9, -0.9, 0.9, -0.9};
  static const double radius[WHEELS] = {0.47, 0.47, 0.47, 0.47}, yaw[WHEELS] = {0};
  static const int steered[WHEELS] = {1, 1, 0, 0}, driven[WHEELS] = {1, 1, 1, 1};
  double inertia[WHEELS], state[STATES] = {0}, torque[WHEELS] = {0};
  for (int w = 0; w < WHEELS; w++) inertia[w] = in->inertia;
  const rutVehicleLayout layout = {.wheels = WHEELS,
                                   .x = x,
                                   .y = y,
                                   .radius = radius,
                                   .mount_yaw = yaw,
                                   .inertia = inertia,
                                   .steered = steered,
                                   .driven = driven,
                                   .left = 2,
                                   .right = 3,
                                   .front_left = 0,
                                   .front_right = 1,
                                   .rear_left = 2,
                                   .rear_right = 3,
                                   .wheelbase = 3.2,
                                   .track = 1.8,
                                   .mass = 2000,
                                   .gravity = 9.81};
  double* plan = calloc(1, PLAN);
  lab->failed = !plan || type->plan_size > PLAN || !type->torque;
  if (lab->failed) {
    free(plan);
    return;
  }
  turn(law, &layout, in, state, plan, torque);
  const double speed[WHEELS] = {in->fl, in->fr, in->rl, in->rr};
  *out = (DriveOut){
      torque[0], torque[1], torque[2], torque[3], torque[0] + torque[1] + torque[2] + torque[3],
      0,         0,         0,         0,         state[0],
      state[1]};
  if (type->power) type->power(law->param, &layout, 1, speed, state, &out->power);
  if (type->full_demand) out->full = type->full_demand(law->param);
  if (type->inertia) out->reflected = type->inertia(law->param, &out->momentum);
  free(plan);
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_drive = {
    .name = "drive", .kind = "drive", CLI_BENCH_NAMES, .run = run_drive};
