// SPDX-License-Identifier: BSD-3-Clause
#include "shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "world.h"

static bool read_whole(const char* name, int* value) {
  const char* text = getenv(name);
  char* end = NULL;
  const long number = text && *text ? strtol(text, &end, 10) : -1;
  if (number < 0 || number > 1000000 || *end) return false;
  *value = (int)number;
  return true;
}

static bool find_rank(int* rank, int* ranks) {
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

int cli_shard_read(const cliVerb* verb, const char* text, bool mpi, cliShard* out) {
  int used = 0;
  *out = (cliShard){.shards = 1, .rank = mpi};
  if (mpi) {
    if (text) return cli_usage_error(verb, "--mpi and --shard exclude each other");
    if (find_rank(&out->shard, &out->shards)) return CLI_GO_ON;
    return cli_usage_error(verb, "--mpi needs ranks: mpirun -n 4 rut %s --mpi ...", verb->name);
  }
  if (!text) return CLI_GO_ON;
  if (sscanf(text, "%d/%d%n", &out->shard, &out->shards, &used) != 2 || text[used] ||
      out->shard < 1 || out->shards < 1 || out->shard > out->shards || out->shards > 1000000) {
    return cli_usage_error(verb, "--shard is K/N with K from 1 to N, not '%s'", text);
  }
  out->shard--;
  return CLI_GO_ON;
}

int cli_stem(const char* name) {
  const char* dot = strrchr(name, '.');
  // not the dot of ".name" or of a folder
  const bool ends = dot && dot > name && dot[-1] != '/' && !strchr(dot, '/');
  return ends ? (int)(dot - name) : (int)strlen(name);
}

int cli_shard_path(const cliShard* shard, const char* given, const char* input, char* path,
                   size_t size) {
  const char* name = given ? given : cli_base_name(input);
  int length;
  if (given && !shard->rank) {
    length = snprintf(path, size, "%s", given);
  } else if (shard->shards > 1 || shard->rank) {
    length = snprintf(path, size, "%.*s.%d-of-%d.db", cli_stem(name), name, shard->shard + 1,
                      shard->shards);
  } else {
    length = snprintf(path, size, "%.*s.db", cli_stem(name), name);
  }
  if (length < (int)size) return CLI_GO_ON;
  fprintf(stderr, "rut: error: the name of the database is too long: at most %zu bytes\n",
          size - 1);
  return CLI_USAGE;
}
