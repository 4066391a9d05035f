// SPDX-License-Identifier: BSD-3-Clause
//
// What the parts of rut sweep share.
#ifndef RUT_CLI_SWEEP_H
#define RUT_CLI_SWEEP_H

#include "world.h"

typedef struct cliSweepOptions {
  bool resume, dry_run, json, quiet, mpi, slurm;
  int64_t workers, tasks;
  const char *output, *shard, *journal, *csv;
  cliList plugin, slurm_options;
  cliAllowed allowed;
} cliSweepOptions;

#endif  // RUT_CLI_SWEEP_H
