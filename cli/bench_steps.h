// SPDX-License-Identifier: BSD-3-Clause
//
// rut bench steps WORLD: how long the steps of a world take, the longest above all.
#ifndef RUT_CLI_BENCH_STEPS_H
#define RUT_CLI_BENCH_STEPS_H

#include <stdbool.h>
#include <stdint.h>

// Measure and print, as a table or as JSON. Returns the exit code.
int cli_bench_steps(const char* world, bool json, int64_t workers);

#endif  // RUT_CLI_BENCH_STEPS_H
