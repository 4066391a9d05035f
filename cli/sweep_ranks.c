// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_ranks.h"

#include <stdlib.h>

#include "options.h"

static bool read_whole(const char* name, int* value) {
  const char* text = getenv(name);
  char* end = NULL;
  const long number = text && *text ? strtol(text, &end, 10) : -1;
  if (number < 0 || number > 1000000 || *end) return false;
  *value = (int)number;
  return true;
}

bool cli_sweep_rank(int* rank, int* ranks) {
  static const char* const known[][2] = {
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},  // Open MPI
      {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},    // MVAPICH
      {"PMI_RANK", "PMI_SIZE"},                          // MPICH, Intel MPI
      {"SLURM_PROCID", "SLURM_NTASKS"},                  // srun
  };
  for (int i = 0; i < CLI_COUNT(known); i++) {
    if (read_whole(known[i][0], rank) && read_whole(known[i][1], ranks) && *rank < *ranks) {
      return true;
    }
  }
  return false;
}
