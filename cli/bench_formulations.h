// SPDX-License-Identifier: BSD-3-Clause
//
// rut bench formulations: one car in several formulations of its equations of motion.
#ifndef RUT_CLI_BENCH_FORMULATIONS_H
#define RUT_CLI_BENCH_FORMULATIONS_H

#include <stdbool.h>

// Measure and print, as a table or as JSON. Returns the exit code.
int cli_bench_formulations(bool json);

#endif  // RUT_CLI_BENCH_FORMULATIONS_H
