// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_CLI_SLURM_H
#define RUT_CLI_SLURM_H

#include "world.h"

// How a command uses a cluster.
typedef struct cliCluster {
  bool mpi, slurm;
  int64_t tasks;  // 0: four
  cliList lines;  // for #SBATCH
} cliCluster;
// What one merge takes, and Slurm itself unless its MaxArraySize is another.
enum { CLI_MOST_TASKS = 1000 };
#define CLI_CLUSTER_OPTIONS(type, member)                                       \
  {"mpi",                                                                       \
   0,                                                                           \
   CLI_FLAG,                                                                    \
   "",                                                                          \
   0,                                                                           \
   0,                                                                           \
   offsetof(type, member.mpi),                                                  \
   "under mpirun or srun: each rank runs a shard"},                             \
      {"slurm",                                                                 \
       0,                                                                       \
       CLI_FLAG,                                                                \
       "",                                                                      \
       0,                                                                       \
       0,                                                                       \
       offsetof(type, member.slurm),                                            \
       "write a job array for Slurm, whose tasks are shards, and submit it"},   \
      {"tasks",                                                                 \
       0,                                                                       \
       CLI_INTEGER,                                                             \
       "N",                                                                     \
       1,                                                                       \
       CLI_MOST_TASKS,                                                          \
       offsetof(type, member.tasks),                                            \
       "of this array (default 4)"},                                            \
  {                                                                             \
    "slurm-option", 0, CLI_TEXTS, "OPTION", 0, 0, offsetof(type, member.lines), \
        "line for #SBATCH, such as partition=long; may be repeated"             \
  }
// Options that exclude or need each other. Returns CLI_GO_ON or an exit code. Nullable: shard, the
// text of --shard.
int cli_cluster_check(const cliVerb* verb, const cliCluster* cluster, const char* shard);

// A work whose shards are tasks of a job array. Texts are borrowed.
typedef struct cliSlurm {
  const char* verb;      // of rut, whose verb "merge" merges the databases of shards
  const char* input;     // file that it works on
  const char* database;  // as given; NULL: by the name of the input
  const char* option;    // that names the database of a shard: "output"
  int64_t workers;       // threads of a task; 0: one
  bool dry_run;          // write the scripts only
  bool failures_fine;    // exit code 4 of a shard, some of whose runs diverged, is no failure
  const cliCluster* cluster;
  const cliList* plugin;  // Nullable
  const cliAllowed* allowed;
  // Options of the verb for the merged database, given after the merge; NULL: the merge is all.
  const cliList* last;
} cliSlurm;

// Write NAME.slurm, a job array whose tasks are shards, and NAME.merge.slurm, a job that merges
// their results; submit both with sbatch unless it is a dry run. Returns the exit code.
int cli_slurm_submit(const cliSlurm* slurm);

#endif  // RUT_CLI_SLURM_H
