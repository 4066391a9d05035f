// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of carcasses.
#include "law.h"

#define IN(X) X(deflection, 0.02) X(rate, 0) X(radius, 0.47)
#define OUT(X) \
  X(load) X(stiffness) X(damping) X(energy) X(relaxation_x) X(relaxation_y) X(crossover) X(bearing)

typedef struct CarcassIn {
  IN(CLI_BENCH_IN)
} CarcassIn;
typedef struct CarcassOut {
  OUT(CLI_BENCH_OUT)
} CarcassOut;

static void run_carcass(cliLab* lab, const cliLaw* law, const double* numbers, double* result) {
  const rutTyreType* type = (const rutTyreType*)(const void*)law->type;
  const CarcassIn* in = (const CarcassIn*)(const void*)numbers;
  CarcassOut* out = (CarcassOut*)(void*)result;
  const rutCarcassOut to = {&out->load,         &out->stiffness,    &out->damping,   &out->energy,
                            &out->relaxation_x, &out->relaxation_y, &out->crossover, &out->bearing};
  lab->failed = !type->carcass;
  if (type->carcass) type->carcass(law->param, 1, &in->deflection, &in->rate, &in->radius, &to);
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_carcass = {
    .name = "carcass", .kind = "tyre", CLI_BENCH_NAMES, .run = run_carcass};
