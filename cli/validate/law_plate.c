// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of deformable soils: a plate pushed into them.
#include "law.h"

#define IN(X)    \
  X(depth, 0.05) \
  X(side, 0.3)   \
  X(pressed, 0) X(strength, (double)NAN) X(moisture, (double)NAN) X(soft_depth, (double)NAN)
#define OUT(X) \
  X(pressure)  \
  X(stiffness) \
  X(work)      \
  X(rut)       \
  X(cohesion)  \
  X(tan_phi)   \
  X(adhesion)  \
  X(tan_delta) \
  X(front_cohesion) X(front_weight) X(slip_layer) X(tested_pressure) X(tested_sinkage)

typedef struct PlateIn {
  IN(CLI_BENCH_IN)
} PlateIn;
typedef struct PlateOut {
  OUT(CLI_BENCH_OUT)
} PlateOut;

static void run_plate(cliLab* lab, const cliLaw* law, const double* numbers, double* result) {
  const rutSoilType* type = (const rutSoilType*)(const void*)law->type;
  const PlateIn* in = (const PlateIn*)(const void*)numbers;
  PlateOut* out = (PlateOut*)(void*)result;
  double derived[CLI_LAW_NUMBERS] = {0};
  const rutSoilPlaces places = {&in->strength, &in->moisture, &in->soft_depth};
  const rutPlateIn from = {.side = in->side,
                           .depth = &in->depth,
                           .places = &places,
                           .pressed = in->pressed > 0 ? &in->pressed : NULL};
  const rutPlateOut to = {.pressure = &out->pressure,
                          .stiffness = &out->stiffness,
                          .work = &out->work,
                          .cohesion = &out->cohesion,
                          .tan_phi = &out->tan_phi,
                          .adhesion = &out->adhesion,
                          .tan_delta = &out->tan_delta,
                          .front_cohesion = &out->front_cohesion,
                          .front_weight = &out->front_weight,
                          .rut = &out->rut};
  lab->failed = !type->plate || type->derived > CLI_LAW_NUMBERS;
  if (lab->failed) return;
  if (type->derive) type->derive(law->param, derived);
  type->plate(law->param, derived, 1, &from, &to);
  if (type->slip_layer) out->slip_layer = type->slip_layer(law->param);
  if (type->tested) type->tested(law->param, &out->tested_pressure, &out->tested_sinkage);
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_plate = {
    .name = "plate", .kind = "soil", CLI_BENCH_NAMES, .run = run_plate};
