// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_CLI_SWEEP_RANKS_H
#define RUT_CLI_SWEEP_RANKS_H

#include <stdbool.h>

// Rank of this process among those that mpirun or srun started. Ranks of a sweep exchange no
// messages, so that what the launcher tells in the environment is enough. False if there is none.
bool cli_sweep_rank(int* rank, int* ranks);

#endif  // RUT_CLI_SWEEP_RANKS_H
