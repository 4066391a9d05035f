// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of deformable soils: a wheel at a depth, in one step.
#include "law.h"

#define IN(X)      \
  X(dt, 0.001)     \
  X(slip_x, 0)     \
  X(slip_y, 0)     \
  X(direction, 1)  \
  X(depth, 0.04)   \
  X(rate, 0)       \
  X(radius, 0.3)   \
  X(width, 0.2)    \
  X(load, 0)       \
  X(k, 1e14)       \
  X(c, 0)          \
  X(sinkage, 0.04) \
  X(pressed, 0)    \
  X(passes, 0)     \
  X(pass_slip, 0)  \
  X(footprint, 0)  \
  X(distance, 0)   \
  X(resistance, 0) X(strength, (double)NAN) X(moisture, (double)NAN) X(soft_depth, (double)NAN)
#define OUT(X) \
  X(load)      \
  X(stiffness) \
  X(damping)   \
  X(sinkage)   \
  X(rut)       \
  X(pressed)   \
  X(torque)    \
  X(side)      \
  X(secant_x)  \
  X(secant_y)  \
  X(rho)       \
  X(resistance) X(net) X(peak) X(overturning) X(aligning) X(footprint) X(slip_sinkage) X(pressure)

typedef struct SinkIn {
  IN(CLI_BENCH_IN)
} SinkIn;
typedef struct SinkOut {
  OUT(CLI_BENCH_OUT)
} SinkOut;

static void run_sink(cliLab* lab, const cliLaw* law, const double* numbers, double* result) {
  const rutSoilType* type = (const rutSoilType*)(const void*)law->type;
  const SinkIn* in = (const SinkIn*)(const void*)numbers;
  SinkOut* out = (SinkOut*)(void*)result;
  double derived[CLI_LAW_NUMBERS] = {0};
  const rutSoilPlaces places = {&in->strength, &in->moisture, &in->soft_depth};
  const rutSinkIn from = {.dt = in->dt,
                          .slip_x = &in->slip_x,
                          .slip_y = &in->slip_y,
                          .direction = &in->direction,
                          .depth = &in->depth,
                          .rate = &in->rate,
                          .radius = &in->radius,
                          .width = &in->width,
                          .tyre_load = &in->load,
                          .tyre_stiffness = &in->k,
                          .tyre_damping = &in->c,
                          .sinkage = &in->sinkage,
                          .pressed = &in->pressed,
                          .passes = &in->passes,
                          .pass_slip = &in->pass_slip,
                          .footprint = &in->footprint,
                          .distance = &in->distance,
                          .resistance = &in->resistance,
                          .places = &places};
  const rutSinkOut to = {.load = &out->load,
                         .stiffness = &out->stiffness,
                         .damping = &out->damping,
                         .sinkage = &out->sinkage,
                         .rut = &out->rut,
                         .pressed = &out->pressed,
                         .mu_x = &out->torque,
                         .mu_y = &out->side,
                         .secant_x = &out->secant_x,
                         .secant_y = &out->secant_y,
                         .normalised_slip = &out->rho,
                         .resistance = &out->resistance,
                         .peak = &out->peak,
                         .overturning = &out->overturning,
                         .aligning = &out->aligning,
                         .footprint = &out->footprint,
                         .slip_sinkage = &out->slip_sinkage,
                         .pressure = &out->pressure};
  lab->failed = !type->sink || type->derived > CLI_LAW_NUMBERS;
  if (lab->failed) return;
  if (type->derive) type->derive(law->param, derived);
  type->sink(law->param, derived, 1, &from, &to);
  // forces [N]
  out->torque *= out->load;
  out->side *= out->load;
  out->resistance *= out->load;
  out->peak *= out->load;
  out->net = out->torque - out->resistance;
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_sink = {.name = "sink", .kind = "soil", CLI_BENCH_NAMES, .run = run_sink};
