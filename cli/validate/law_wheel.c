// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of tyres of planar vehicles: one wheel in one step.
#include <math.h>

#include "law.h"

#define IN(X)  \
  X(dt, 0.01)  \
  X(vx, 0)     \
  X(vy, 0)     \
  X(gx, 0)     \
  X(gy, 0)     \
  X(speed, 0)  \
  X(torque, 0) \
  X(load, 100) \
  X(mass, 10)  \
  X(radius, 0.2) X(inertia, 0.1) X(friction, (double)NAN) X(rolling, (double)NAN) X(scrub, 0)
#define OUT(X) X(fx) X(fy) X(drag) X(spin) X(roll) X(limit)

typedef struct WheelIn {
  IN(CLI_BENCH_IN)
} WheelIn;
typedef struct WheelOut {
  OUT(CLI_BENCH_OUT)
} WheelOut;

static void run_wheel(cliLab* lab, const cliLaw* law, const double* numbers, double* result) {
  const rutTyreType* type = (const rutTyreType*)(const void*)law->type;
  const WheelIn* in = (const WheelIn*)(const void*)numbers;
  WheelOut* out = (WheelOut*)(void*)result;
  const rutTyreIn from = {.dt = in->dt,
                          .gravity = 9.81,
                          .vx = &in->vx,
                          .vy = &in->vy,
                          .gx = &in->gx,
                          .gy = &in->gy,
                          .speed = &in->speed,
                          .torque = &in->torque,
                          .load = &in->load,
                          .mass = &in->mass,
                          .radius = &in->radius,
                          .inertia = &in->inertia,
                          .friction = &in->friction,
                          .rolling = &in->rolling,
                          .scrub = &in->scrub};
  const rutTyreOut to = {&out->fx, &out->fy, &out->drag, &out->spin, &out->roll, &out->limit};
  double state[16] = {0};
  lab->failed = !type->force;
  if (type->force) type->force(law->param, 1, &from, state, &to);
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_wheel = {
    .name = "wheel", .kind = "tyre", CLI_BENCH_NAMES, .run = run_wheel};
