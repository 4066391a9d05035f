// SPDX-License-Identifier: BSD-3-Clause
//
// rut bench crashes: audit of the balance of energy, and of what passes through what, in random
// crashes.
#ifndef RUT_CLI_BENCH_CRASHES_H
#define RUT_CLI_BENCH_CRASHES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cliCrashOptions {
  int64_t count, first;  // seeds first to first + count - 1
  int64_t workers;
  bool json;
  const char* folder;  // Nullable: gets the worlds that fail, and the worst ones
} cliCrashOptions;

// Run and print, as a table or as JSON. Returns the exit code.
int cli_bench_crashes(const cliCrashOptions* option);

#endif  // RUT_CLI_BENCH_CRASHES_H
