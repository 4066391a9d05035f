// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of drives: four wheels at given speeds, for a number of steps.
#include <math.h>
#include <stdlib.h>

#include "law.h"

// Wheels 0 to 3: front left, front right, rear left, rear right. `from` is the speed at which all
// start; it becomes that of each wheel within the first half of the steps. `pairs`: of wheels, 2 at
// the front and the rear, 1 at the rear only; `undriven`: bits of wheels that are not driven;
// `rear_y`: how far the rear wheels are from the middle, which is `aside` of the origin;
// inertia_right: 0: as on the left.
#define IN(X)         \
  X(dt, 0.001)        \
  X(steps, 1)         \
  X(demand, 0)        \
  X(demand2, 0)       \
  X(demand3, 0)       \
  X(demand4, 0)       \
  X(fl, 0)            \
  X(fr, 0)            \
  X(rl, 0)            \
  X(rr, 0)            \
  X(inertia, 10)      \
  X(inertia_right, 0) \
  X(from, 0) X(throttle, 0) X(pairs, 2) X(undriven, 0) X(rear_y, 0.9) X(aside, 0)
// Torques; power drawn; full demand; inertia and momentum of the drive at a wheel. Torque per first
// and second demand, of a wheel on each side; least and largest of both demands; currents. Energy
// of the shafts at these speeds, and how fast those that are locked turn. What the drive tells.
#define OUT(X)  \
  X(fl)         \
  X(fr)         \
  X(rl)         \
  X(rr)         \
  X(sum)        \
  X(power)      \
  X(full)       \
  X(reflected)  \
  X(momentum)   \
  X(gain_fl)    \
  X(gain_rr)    \
  X(gain2_fl)   \
  X(gain2_rr)   \
  X(low)        \
  X(high)       \
  X(low2)       \
  X(high2)      \
  X(current_fl) \
  X(current_rr) \
  X(shafts)     \
  X(locked)     \
  X(tells0)     \
  X(tells1) X(tells2) X(tells3) X(tells4) X(tells5) X(tells8) X(tells9) X(tells10)

typedef struct DriveIn {
  IN(CLI_BENCH_IN)
} DriveIn;
typedef struct DriveOut {
  OUT(CLI_BENCH_OUT)
} DriveOut;

enum { WHEELS = 4, STATES = 256, PLAN = 1 << 16, MOST_INPUTS = 4 };

typedef struct Run {
  const cliLaw* law;
  const rutVehicleLayout* layout;
  const DriveIn* in;
  const double *demand, *speed;  // [input], [wheel] at the end
  double *state, *plan, *torque;
} Run;

// Gains, limits and currents of the last step.
static void ask(const Run* run, DriveOut* out) {
  const rutDriveType* type = (const rutDriveType*)(const void*)run->law->type;
  const void* param = run->law->param;
  const rutDriveIn in = {
      .lanes = 1, .dt = run->in->dt, .demand = run->demand, .speed = run->speed, .plan = run->plan};
  const rutDriveResult result = {run->in->dt, run->demand, run->speed, run->torque, run->state, 1};
  const int inputs = type->inputs(param, run->layout);
  double gain[MOST_INPUTS * WHEELS] = {0}, tells[RUT_MAX_OUTPUT_NUMBERS] = {0};
  double low[MOST_INPUTS] = {-1e9, -1e9}, high[MOST_INPUTS] = {1e9, 1e9}, current[WHEELS] = {0};
  if (type->gain && inputs <= 2) type->gain(param, run->layout, &in, run->state, gain);
  if (type->limits && inputs <= 2) {
    type->limits(param, run->layout, &in, run->state, low, high);
  }
  if (type->current) type->current(param, run->layout, &result, current);
  if (type->observe) type->observe(param, run->layout, &result, tells);
  out->gain_fl = gain[0];
  out->gain_rr = gain[3];
  out->gain2_fl = gain[WHEELS];
  out->gain2_rr = gain[WHEELS + 3];
  out->low = low[0];
  out->high = high[0];
  out->low2 = low[1];
  out->high2 = high[1];
  out->current_fl = current[0];
  out->current_rr = current[3];
  out->tells0 = tells[0];
  out->tells1 = tells[1];
  out->tells2 = tells[2];
  out->tells3 = tells[3];
  out->tells4 = tells[4];
  out->tells5 = tells[5];
  out->tells8 = tells[8];
  out->tells9 = tells[9];
  out->tells10 = tells[10];
}

// Energy of the shafts, and the speeds of those that cannot turn.
static void turn_shafts(const Run* run, DriveOut* out) {
  const rutDriveType* type = (const rutDriveType*)(const void*)run->law->type;
  double ratio[RUT_MAX_SHAFTS * WHEELS] = {0}, inverse[RUT_MAX_SHAFTS] = {0};
  if (!type->couple) return;
  const int shafts = type->shafts(run->law->param, run->layout);
  type->couple(run->law->param, run->layout, 1, run->state, ratio, inverse);
  for (int k = 0; k < shafts && k < RUT_MAX_SHAFTS; k++) {
    double speed = 0;
    for (int w = 0; w < WHEELS; w++) speed += ratio[k * WHEELS + w] * run->speed[w];
    if (inverse[k] > 0) out->shafts += 0.5 * speed * speed / inverse[k];
    if (!(inverse[k] > 0)) out->locked += fabs(speed);
  }
}

static void turn(const Run* run) {
  const cliLaw* law = run->law;
  const rutVehicleLayout* layout = run->layout;
  const DriveIn* in = run->in;
  const rutDriveType* type = (const rutDriveType*)(const void*)law->type;
  const double* demand = run->demand;
  double *state = run->state, *plan = run->plan, *torque = run->torque;
  const double end[WHEELS] = {in->fl, in->fr, in->rl, in->rr};
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
  static const double x[WHEELS] = {1.6, 1.6, -1.6, -1.6};
  const double y[WHEELS] = {in->aside + 0.9, in->aside - 0.9, in->aside + in->rear_y,
                            in->aside - in->rear_y};
  static const double radius[WHEELS] = {0.47, 0.47, 0.47, 0.47}, yaw[WHEELS] = {0};
  static const int steered[WHEELS] = {1, 1, 0, 0};
  int driven[WHEELS];
  double inertia[WHEELS], state[STATES] = {0}, torque[WHEELS] = {0};
  for (int w = 0; w < WHEELS; w++) {
    inertia[w] = w % 2 && in->inertia_right > 0 ? in->inertia_right : in->inertia;
    driven[w] = !((unsigned)in->undriven >> w & 1);
  }
  const int ahead = in->pairs > 1;
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
                                   .front_left = ahead ? 0 : -1,
                                   .front_right = ahead ? 1 : -1,
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
  const double full = type->full_demand ? type->full_demand(law->param) : 0;
  const double demand[WHEELS] = {in->demand + in->throttle * full, in->demand2, in->demand3,
                                 in->demand4};
  const double speed[WHEELS] = {in->fl, in->fr, in->rl, in->rr};
  const Run run = {law, &layout, in, demand, speed, state, plan, torque};
  turn(&run);
  *out = (DriveOut){.fl = torque[0], .fr = torque[1], .rl = torque[2], .rr = torque[3]};
  out->sum = torque[0] + torque[1] + torque[2] + torque[3];
  ask(&run, out);
  turn_shafts(&run, out);
  if (type->power) type->power(law->param, &layout, 1, speed, state, &out->power);
  if (type->full_demand) out->full = type->full_demand(law->param);
  if (type->inertia) out->reflected = type->inertia(law->param, &out->momentum);
  free(plan);
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_drive = {
    .name = "drive", .kind = "drive", CLI_BENCH_NAMES, .run = run_drive};
