// SPDX-License-Identifier: BSD-3-Clause
//
// rut bench rays_mesh: rays against a mesh and against many bodies.
#ifndef RUT_CLI_BENCH_MESH_H
#define RUT_CLI_BENCH_MESH_H

#include <stdbool.h>

// Measure and print, as a table or as JSON. Returns the exit code.
int cli_bench_mesh(bool json);

#endif  // RUT_CLI_BENCH_MESH_H
