// SPDX-License-Identifier: BSD-3-Clause
//
// rut bench sensors WORLD: what each sensor of a world costs.
#ifndef RUT_CLI_BENCH_SENSORS_H
#define RUT_CLI_BENCH_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

// Measure and print, as a table or as JSON. Returns the exit code.
int cli_bench_sensors(const char* world, bool json, int64_t workers);

#endif  // RUT_CLI_BENCH_SENSORS_H
