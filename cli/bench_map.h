// SPDX-License-Identifier: BSD-3-Clause
//
// rut bench rays_map: rays against an elevation map, beside Embree.
#ifndef RUT_CLI_BENCH_MAP_H
#define RUT_CLI_BENCH_MAP_H

#include <stdbool.h>

// Measure and print, as a table or as JSON. Returns the exit code.
int cli_bench_map(bool json);

#endif  // RUT_CLI_BENCH_MAP_H
