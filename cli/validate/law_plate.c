// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of deformable soils: a plate pushed into them.
#include "law.h"

#define IN(X)  X(depth, 0.05) X(side, 0.3)
#define OUT(X) X(pressure) X(stiffness) X(work)

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
  double derived[CLI_LAW_NUMBERS] = {0}, strength[6];
  const rutPlateIn from = {.side = in->side, .depth = &in->depth};
  const rutPlateOut to = {.pressure = &out->pressure,
                          .stiffness = &out->stiffness,
                          .work = &out->work,
                          .cohesion = &strength[0],
                          .tan_phi = &strength[1],
                          .adhesion = &strength[2],
                          .tan_delta = &strength[3],
                          .front_cohesion = &strength[4],
                          .front_weight = &strength[5]};
  lab->failed = !type->plate || type->derived > CLI_LAW_NUMBERS;
  if (lab->failed) return;
  if (type->derive) type->derive(law->param, derived);
  type->plate(law->param, derived, 1, &from, &to);
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_plate = {
    .name = "plate", .kind = "soil", CLI_BENCH_NAMES, .run = run_plate};
