// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of hard ground and of soils by cone index: forces over load of a wheel that slips.
#include <math.h>

#include "law.h"

#define IN(X)         \
  X(slip_x, 0)        \
  X(slip_y, 0)        \
  X(load, 6500)       \
  X(deflection, 0.03) \
  X(diameter, 0.94)   \
  X(width, 0.3175)    \
  X(section, 0.2604) X(crossover, 0.09) X(strength, (double)NAN) X(friction, (double)NAN)
// friction: that of the surface, which tyres with a law of their own take.
#define OUT(X) \
  X(mu_x)      \
  X(mu_y) X(secant_x) X(secant_y) X(rho) X(resistance) X(peak) X(net) X(friction)

typedef struct TractionIn {
  IN(CLI_BENCH_IN)
} TractionIn;
typedef struct TractionOut {
  OUT(CLI_BENCH_OUT)
} TractionOut;

static void run_traction(cliLab* lab, const cliLaw* law, const double* numbers, double* result) {
  const rutSoilType* type = (const rutSoilType*)(const void*)law->type;
  const TractionIn* in = (const TractionIn*)(const void*)numbers;
  TractionOut* out = (TractionOut*)(void*)result;
  double derived[CLI_LAW_NUMBERS] = {0};
  const rutTractionIn from = {&in->slip_x,   &in->slip_y,  &in->load,    &in->deflection,
                              &in->diameter, &in->width,   &in->section, &in->crossover,
                              &in->strength, &in->friction};
  const rutTractionOut to = {&out->mu_x, &out->mu_y,       &out->secant_x, &out->secant_y,
                             &out->rho,  &out->resistance, &out->peak};
  lab->failed = !type->traction || type->derived > CLI_LAW_NUMBERS;
  if (lab->failed) return;
  if (type->derive) type->derive(law->param, derived);
  type->traction(law->param, derived, 1, &from, &to);
  out->net = out->mu_x - out->resistance;
  if (type->friction) out->friction = type->friction(law->param);
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_traction = {
    .name = "traction", .kind = "soil", CLI_BENCH_NAMES, .run = run_traction};
