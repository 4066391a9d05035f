// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of a work that processes do apart from each other, each with a database of its own.
#ifndef RUT_CLI_SHARD_H
#define RUT_CLI_SHARD_H

#include <stddef.h>

#include "options.h"

typedef struct cliShard {
  int shard, shards;  // this one, from 0, of so many
  bool rank;          // it is that of a rank, with whom others share their options
} cliShard;

// What --shard K/N says, or with --mpi the rank of this process among those that mpirun or srun
// started: ranks exchange no messages, so that what the launcher tells in the environment is
// enough. All of the work without both. Returns CLI_GO_ON, or the exit code after an error was
// told. Nullable: text.
int cli_shard_read(const cliVerb* verb, const char* text, bool mpi, cliShard* out);
// Name of the database: what was given, or by the name of the input, NAME.db in the working folder.
// That of a shard or a rank is NAME.K-of-N.db, for ranks also where one was given. Returns
// CLI_GO_ON, or the exit code after telling that it is longer than path. Nullable: given.
int cli_shard_path(const cliShard* shard, const char* given, const char* input, char* path,
                   size_t size);
// Length of a file's name without its last ending.
int cli_stem(const char* name);

#endif  // RUT_CLI_SHARD_H
