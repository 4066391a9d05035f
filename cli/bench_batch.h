// SPDX-License-Identifier: BSD-3-Clause
//
// Speed of many copies of a world in a batch (rut/batch.h).
#ifndef RUT_CLI_BENCH_BATCH_H
#define RUT_CLI_BENCH_BATCH_H

#include "world.h"

typedef struct cliBatchResult {
  int64_t steps;                 // in one measurement
  double timestep, ns_per_step;  // of all copies together
  double bytes;                  // of the copies
  int in_lanes;                  // copies that share vectors
} cliBatchResult;

// Step so many copies of a built world, each with set points of its own. Returns CLI_DONE or
// another exit code.
int cli_bench_batch(cliWorld* world, int copies, cliBatchResult* out);

#endif  // RUT_CLI_BENCH_BATCH_H
