// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of what tyres tell of themselves: outputs of one wheel after a step.
#include <math.h>
#include <string.h>

#include "law.h"

#define IN(X)              \
  X(dt, 0.01)              \
  X(radius, 0.47)          \
  X(load, 6500)            \
  X(speed, 0)              \
  X(vx, 0)                 \
  X(vy, 0)                 \
  X(fx, 0)                 \
  X(fy, 0)                 \
  X(torque, 0)             \
  X(mass, 10)              \
  X(inertia, 0.1)          \
  X(friction, (double)NAN) \
  X(rolling, (double)NAN)  \
  X(gx, 0)                 \
  X(gy, 0)                 \
  X(deflection, 0.02) X(patch_x, 0) X(patch_y, 0) X(aligning, 0) X(inclination, 0) X(side, 1)
#define OUT(X)            \
  X(radial_stiffness)     \
  X(elastic_energy)       \
  X(relaxation_length_x)  \
  X(relaxation_length_y)  \
  X(transient_slip)       \
  X(transient_slip_angle) \
  X(slip_stiffness)       \
  X(cornering_stiffness)  \
  X(pneumatic_trail)      \
  X(slip_velocity_x)      \
  X(slip_velocity_y)      \
  X(friction_limit)       \
  X(friction_utilisation) X(resistance_force) X(friction_limit_x) X(friction_limit_y)

typedef struct SeenIn {
  IN(CLI_BENCH_IN)
} SeenIn;
CLI_BENCH_TABLES(IN, OUT)

static void run_seen(cliLab* lab, const cliLaw* law, const double* numbers, double* result) {
  const rutTyreType* type = (const rutTyreType*)(const void*)law->type;
  const SeenIn* in = (const SeenIn*)(const void*)numbers;
  double state[16] = {0}, told[32] = {0};
  const rutTyreResult wheel = {.dt = in->dt,
                               .radius = in->radius,
                               .load = in->load,
                               .speed = in->speed,
                               .vx = in->vx,
                               .vy = in->vy,
                               .gx = in->gx,
                               .gy = in->gy,
                               .fx = in->fx,
                               .fy = in->fy,
                               .torque = in->torque,
                               .mass = in->mass,
                               .inertia = in->inertia,
                               .friction = in->friction,
                               .rolling = in->rolling,
                               .state = state,
                               .stride = 1,
                               .deflection = in->deflection,
                               .patch_x = in->patch_x,
                               .patch_y = in->patch_y,
                               .aligning = in->aligning,
                               .inclination = in->inclination,
                               .side = in->side};
  lab->failed = !type->observe || type->outputs > CLI_COUNT(told);
  if (lab->failed) return;
  type->observe(law->param, &wheel, told);
  for (int k = 0; k < CLI_COUNT(output_names); k++) {
    result[k] = (double)NAN;
    for (int i = 0; i < type->outputs; i++) {
      if (strcmp(type->output[i].name, output_names[k]) == 0) result[k] = told[i];
    }
  }
}

const cliBench cli_bench_seen = {.name = "seen", .kind = "tyre", CLI_BENCH_NAMES, .run = run_seen};
