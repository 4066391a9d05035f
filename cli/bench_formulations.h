// SPDX-License-Identifier: BSD-3-Clause
//
// rut bench formulations: one car in several formulations of its equations of motion.
#ifndef RUT_CLI_BENCH_FORMULATIONS_H
#define RUT_CLI_BENCH_FORMULATIONS_H

#include <stdbool.h>

// Measure and print, as a table or as JSON. Returns the exit code.
int cli_bench_formulations(bool json);

// Size of a formulation, and time of one evaluation of the accelerations [ns], NaN where a library
// is missing.
typedef struct cliFormulationSize {
  int coordinates, constraints, equations;
  double time;
} cliFormulationSize;
// Those of n methods, by their order in the bench, over a second. False where the command has none,
// or no memory.
bool cli_formulation_sizes(int n, const int* method, cliFormulationSize* out);

#endif  // RUT_CLI_BENCH_FORMULATIONS_H
