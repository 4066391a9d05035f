// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_CLI_SWEEP_SLURM_H
#define RUT_CLI_SWEEP_SLURM_H

#include "sweep.h"

// Write STUDY.slurm, a job array whose tasks are shards, and STUDY.merge.slurm, a job that merges
// their results; submit both with sbatch unless it is a dry run. Returns the exit code.
int cli_sweep_submit(const cliSweepOptions* option, const char* study);

#endif  // RUT_CLI_SWEEP_SLURM_H
