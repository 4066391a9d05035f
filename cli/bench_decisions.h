// SPDX-License-Identifier: BSD-3-Clause
//
// rut bench decisions WORLD: what each controller, stability control and sensor costs per decision
// or sample.
#ifndef RUT_CLI_BENCH_DECISIONS_H
#define RUT_CLI_BENCH_DECISIONS_H

#include <stdbool.h>
#include <stdint.h>

// Measure and print, as a table or as JSON. Returns the exit code.
int cli_bench_decisions(const char* world, bool json);

#endif  // RUT_CLI_BENCH_DECISIONS_H
