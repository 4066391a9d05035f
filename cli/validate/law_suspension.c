// SPDX-License-Identifier: BSD-3-Clause
//
// Bench of suspensions along a slide.
#include "law.h"

#define IN(X)  X(travel, 0) X(rate, 0) X(preload, 5000)
#define OUT(X) X(force) X(stiffness) X(damping) X(energy) X(low) X(high)

typedef struct SlideIn {
  IN(CLI_BENCH_IN)
} SlideIn;
typedef struct SlideOut {
  OUT(CLI_BENCH_OUT)
} SlideOut;

static void run_suspension(cliLab* lab, const cliLaw* law, const double* numbers, double* result) {
  const rutSuspensionType* type = (const rutSuspensionType*)(const void*)law->type;
  const SlideIn* in = (const SlideIn*)(const void*)numbers;
  SlideOut* out = (SlideOut*)(void*)result;
  const rutSuspensionOut to = {&out->force, &out->stiffness, &out->damping, &out->energy};
  lab->failed = !type->force;
  if (!type->force) return;
  type->force(law->param, 1, &in->travel, &in->rate, &in->preload, &to);
  type->range(law->param, &out->low, &out->high);
}

CLI_BENCH_TABLES(IN, OUT)
const cliBench cli_bench_suspension = {
    .name = "suspension", .kind = "suspension", CLI_BENCH_NAMES, .run = run_suspension};
