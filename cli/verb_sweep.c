// SPDX-License-Identifier: BSD-3-Clause
//
// rut sweep: run a study, or merge results of its shards.
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "clock.h"
#include "interrupt.h"
#include "json.h"
#include "progress.h"
#include "rut/host.h"
#include "rut/study.h"
#include "shard.h"
#include "slurm.h"
#include "study_summary.h"
#include "table.h"
#include "text.h"

typedef struct SweepOptions {
  bool resume, dry_run, json, quiet;
  int64_t workers;
  const char *output, *shard, *journal, *csv;
  cliCluster cluster;
  cliList plugin;
  cliAllowed allowed;
} SweepOptions;

static const cliOption options[] = {
    {"workers", 'j', CLI_INTEGER, "N", 1, 1024, offsetof(SweepOptions, workers),
     "threads; results are the same for any number (default: one per core)"},
    {"output", 'o', CLI_TEXT, "FILE.db", 0, 0, offsetof(SweepOptions, output),
     "database of the results (default: STUDY.db, or STUDY.K-of-N.db of a shard)"},
    {"resume", 'r', CLI_FLAG, "", 0, 0, offsetof(SweepOptions, resume),
     "go on with a database that is there; what it has is not run again"},
    {"shard", 0, CLI_TEXT, "K/N", 0, 0, offsetof(SweepOptions, shard),
     "run part K of N, of which each has a database of its own"},
    {"dry-run", 'n', CLI_FLAG, "", 0, 0, offsetof(SweepOptions, dry_run),
     "tell what would be run, or write the scripts for Slurm only"},
    CLI_CLUSTER_OPTIONS(SweepOptions, cluster),
    {"journal", 0, CLI_TEXT, "MODE", 0, 0, offsetof(SweepOptions, journal),
     "of the database: wal, rollback, or auto: rollback on file systems over a network"},
    {"csv", 'c', CLI_TEXT, "FILE.csv", 0, 0, offsetof(SweepOptions, csv),
     "also write the results as a table"},
    {"json", 0, CLI_FLAG, "", 0, 0, offsetof(SweepOptions, json),
     "print the summary as one JSON object"},
    {"quiet", 'q', CLI_FLAG, "", 0, 0, offsetof(SweepOptions, quiet),
     "no progress, no warnings, no table"},
    {"plugin", 0, CLI_TEXTS, "FILE.so", 0, 0, offsetof(SweepOptions, plugin),
     "load component types from a shared library; may be repeated"},
    CLI_ALLOW_OPTIONS(SweepOptions, allowed),
};

enum { PATH_SIZE = 4096, TOLD = 5, SHOWN = 4 };

// Set by the signal handler, read between runs.
static volatile sig_atomic_t interrupted;
static void interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

typedef struct Sweep {
  const SweepOptions* option;
  cliWorld world;  // for its context and report
  rutStudy* study;
  char path[PATH_SIZE];
  int shard, shards, workers;
  cliProgress progress;
  bool quiet;    // no progress, no failures one by one
  int told;      // failures
  double start;  // of the runs [s]
  rutSweepState state;
} Sweep;

// ---- contexts of threads ----

static rutStatus open_context(uint64_t seed, rutContext** out, void* user, rutError* err) {
  const SweepOptions* option = user;
  return cli_context_create(&option->allowed, &option->plugin, 1, seed, out, err);
}

// ---- the command line ----

static int read_journal(const SweepOptions* option, rutSweepJournal* journal) {
  static const char* const words[] = {"auto", "wal", "rollback"};
  *journal = RUT_JOURNAL_AUTO;
  if (!option->journal) return CLI_GO_ON;
  for (int i = 0; i < CLI_COUNT(words); i++) {
    if (strcmp(option->journal, words[i]) != 0) continue;
    *journal = (rutSweepJournal)i;
    return CLI_GO_ON;
  }
  return cli_usage_error(&cli_verb_sweep, "--journal is auto, wal or rollback, not '%s'",
                         option->journal);
}

// ---- a cluster ----

static int submit(const SweepOptions* option, const char* path) {
  const cliSlurm slurm = {.verb = cli_verb_sweep.name,
                          .input = path,
                          .database = option->output,
                          .option = "output",
                          .workers = option->workers,
                          .dry_run = option->dry_run,
                          .failures_fine = true,
                          .cluster = &option->cluster,
                          .plugin = &option->plugin,
                          .allowed = &option->allowed};
  return cli_slurm_submit(&slurm);
}

// ---- what would be run ----

static void put_value(rutStudyValue value, char* text, size_t size) {
  if (value.text) snprintf(text, size, "%s", value.text);
  if (!value.text) snprintf(text, size, "%.6g", value.number);
}

static void print_inputs(const Sweep* sweep) {
  static const char* const header[] = {"input", "type", "unit", "values", "first runs"};
  const rutStudyInfo info = rut_study_info(sweep->study);
  cliTable table;
  cli_table_init(&table, CLI_COUNT(header) + SHOWN - 1);
  for (int i = 0; i < CLI_COUNT(header); i++) cli_table_add(&table, "%s", header[i]);
  for (int i = 1; i < SHOWN; i++) cli_table_add(&table, "%s", "");
  for (int i = 0; i < info.inputs; i++) {
    const rutStudyInput in = rut_study_input(sweep->study, i);
    cli_table_add(&table, "%s", in.name);
    cli_table_add(&table, "%s", in.type);
    cli_table_add(&table, "%s", in.unit);
    if (in.levels > 0) cli_table_add(&table, "%d%s", in.levels, in.dimension < 0 ? "" : " drawn");
    if (in.levels == 0) cli_table_add(&table, "%s", "");
    for (int k = 0; k < SHOWN; k++) {
      rutStudyValue* value = calloc((size_t)info.inputs, sizeof *value);
      char text[CLI_TABLE_CELL] = "";
      const int64_t run = k * (int64_t)info.replicas;
      if (value && run < info.runs && rut_study_values(sweep->study, run, value, NULL) == RUT_OK) {
        put_value(value[i], text, sizeof text);
      }
      cli_table_add(&table, "%s", text);
      free(value);
    }
  }
  if (info.inputs > 0) cli_table_print(&table, "llllrrrr", stdout);
  cli_table_free(&table);
}

// Runs that are looked at for whether they share lanes.
typedef struct Lanes {
  int looked_at, matched;
} Lanes;

// Of eight runs that follow each other at the beginning, in the middle and at the end of the shard.
static Lanes look_at_lanes(const Sweep* sweep, int64_t runs) {
  enum { TIMES = 3, EACH = 8 };
  Lanes lanes = {0};
  rutStudyRunner* runner = NULL;
  if (rut_study_runner_create(sweep->study, &runner, NULL) != RUT_OK) return lanes;
  for (int64_t time = 0, next = 0; time < TIMES; time++) {
    int64_t first = time * (runs - EACH) / (TIMES - 1), run[EACH];
    if (first < next) first = next;
    int n = 0, matched = 0;
    for (; n < EACH && first + n < runs; n++) {
      run[n] = sweep->shard + (first + n) * sweep->shards;
    }
    next = first + n;
    if (n == 0 || rut_study_matched(runner, n, run, &matched, NULL) != RUT_OK) continue;
    lanes.looked_at += n;
    lanes.matched += matched;
  }
  rut_study_runner_destroy(runner);
  return lanes;
}

static int tell_plan(const Sweep* sweep) {
  const rutStudyInfo info = rut_study_info(sweep->study);
  const int64_t runs = (info.runs - sweep->shard + sweep->shards - 1) / sweep->shards;
  const Lanes lanes = look_at_lanes(sweep, runs);
  char* command = rut_study_command(sweep->study, sweep->shard, (double)NAN, false);
  if (sweep->option->json) {
    cliJson json;
    cli_json_init(&json, stdout);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "study", info.name);
    cli_json_text(&json, "world", info.world);
    cli_json_text(&json, "design", info.design);
    cli_json_integer(&json, "runs", info.runs);
    cli_json_integer(&json, "combinations", info.combinations);
    cli_json_integer(&json, "points", info.points);
    cli_json_integer(&json, "replicas", info.replicas);
    cli_json_integer(&json, "shard_runs", runs);
    cli_json_integer(&json, "looked_at", lanes.looked_at);
    cli_json_integer(&json, "in_lanes", lanes.matched);
    cli_json_text(&json, "database", sweep->path);
    cli_json_text(&json, "command", command ? command : "");
    cli_json_end(&json);
  } else {
    if (info.description[0]) printf("%s\n\n", CLI_CLEAN(info.description));
    print_inputs(sweep);
    printf("\n%" PRId64 " runs: %" PRId64 " combinations x %" PRId64 " points (%s) x %d replicas",
           info.runs, info.combinations, info.points, info.design, info.replicas);
    if (sweep->shards > 1) printf("; %" PRId64 " in this shard", runs);
    if (lanes.looked_at > 0) {
      printf("\n%d of %d runs that were looked at share lanes of vectors with others",
             lanes.matched, lanes.looked_at);
    }
    printf("\nresults go to %s; the first run is\n  %s\n", sweep->path,
           command ? CLI_CLEAN(command) : "");
  }
  free(command);
  return CLI_DONE;
}

// ---- runs ----

static void tell_failed(Sweep* sweep, const rutStudyResult* run) {
  if (++sweep->told > TOLD) return;
  cli_progress_end(&sweep->progress);
  char* command = rut_study_command(sweep->study, run->run, (double)NAN, false);
  fprintf(stderr, "rut: warning: run %" PRId64 " %s %s: %s\n  %s\n", run->run,
          run->end == RUT_STUDY_diverged ? "has" : "is", rut_study_end_name(run->end),
          CLI_CLEAN(run->reason), command ? command : "");
  free(command);
}

static bool go_on(const rutSweepState* state, const rutStudyResult* run, void* user) {
  Sweep* sweep = user;
  if (run && !sweep->quiet) tell_failed(sweep, run);
  if (!run) {
    if (sweep->start == 0) {
      sweep->start = cli_clock();
      cli_progress_begin(&sweep->progress, (double)(state->runs - state->before), sweep->quiet);
      sweep->progress.unit = "runs";
    }
    const int64_t failed = state->ends[RUT_STUDY_diverged] + state->ends[RUT_STUDY_invalid];
    if (failed > 0) {
      snprintf(sweep->progress.note, sizeof sweep->progress.note, ", %" PRId64 " failed", failed);
    }
    cli_progress_update(&sweep->progress, (double)(state->done - state->before));
  }
  return !interrupted;
}

// The results, from the database. Returns the exit code.
static int tell_results(const Sweep* sweep, double wall) {
  const rutSweepState* s = &sweep->state;
  rutStudyTable* table = NULL;
  rutError err = {0};
  rutStatus status = rut_study_table_open(sweep->path, &table, &err);
  if (status == RUT_OK && sweep->option->csv) {
    status = rut_study_table_save(table, sweep->option->csv, &err);
  }
  if (status != RUT_OK) {
    rut_study_table_close(table);
    return cli_tell_failure(status, &err);
  }
  const int64_t now = s->done - s->before;
  if (sweep->option->json) {
    cliJson json;
    cli_json_init(&json, stdout);
    cli_json_object(&json, NULL);
    cli_study_json(table, &json);
    cli_json_text(&json, "database", sweep->path);
    cli_json_integer(&json, "shard_runs", s->runs);
    cli_json_integer(&json, "before", s->before);
    cli_json_integer(&json, "now", now);
    cli_json_integer(&json, "in_lanes", s->in_lanes);
    cli_json_number(&json, "wall", wall);
    cli_json_number(&json, "simulated", s->simulated);
    cli_json_end(&json);
  } else if (!sweep->option->quiet) {
    cli_study_print(table, stdout);
    printf("%" PRId64 " runs now in %.3g s with %d workers: %.3g runs/s, x%.3g real time; %s\n",
           now, wall, sweep->workers, wall > 0 ? (double)now / wall : 0,
           wall > 0 ? s->simulated / wall : 0, sweep->path);
  }
  rut_study_table_close(table);
  return CLI_DONE;
}

static int run_sweep(Sweep* sweep) {
  const SweepOptions* option = sweep->option;
  rutSweepDef def = rut_default_sweep();
  int code = read_journal(option, &def.journal);
  if (code != CLI_GO_ON) return code;
  if (rut_context_has_read(sweep->world.context, sweep->path)) {
    return cli_usage_error(&cli_verb_sweep, "'%s' was read: it is no place for results",
                           sweep->path);
  }
  def.path = sweep->path;
  def.workers = sweep->workers;
  def.shard = sweep->shard;
  def.shards = sweep->shards;
  def.resume = option->resume;
  def.go_on = go_on;
  def.user = sweep;
  sweep->quiet = option->quiet || (option->cluster.mpi && sweep->shard > 0);
  cli_catch_interrupts(interrupt);
  signal(SIGUSR1, interrupt);
  const double start = cli_clock();
  rutError err = {0};
  const rutStatus status = rut_sweep(sweep->study, &def, &sweep->state, &err);
  const double wall = cli_clock() - start;
  cli_progress_end(&sweep->progress);
  if (status != RUT_OK) return cli_report_failure(&sweep->world.report, status, &err);
  if (sweep->told > TOLD && !sweep->quiet) {
    fprintf(stderr, "rut: warning: %d more runs failed; their rows tell why\n", sweep->told - TOLD);
  }
  code = tell_results(sweep, wall);
  if (code != CLI_DONE) return code;
  if (sweep->state.done < sweep->state.runs) return CLI_INTERRUPTED;
  const int64_t* ends = sweep->state.ends;
  return ends[RUT_STUDY_diverged] + ends[RUT_STUDY_invalid] > 0 ? CLI_DIVERGED : CLI_DONE;
}

static int load_study(Sweep* sweep, const char* path) {
  rutError err = {0};
  const rutStudyHost host = {open_context, (void*)sweep->option};
  const rutStatus status = rut_study_load(sweep->world.context, path, &host, &sweep->study, &err);
  if (status == RUT_OK) return CLI_GO_ON;
  const int code = cli_report_failure(&sweep->world.report, status, &err);
  return code == CLI_USAGE ? CLI_INVALID : code;
}

static int sweep_study(const SweepOptions* option, const char* path) {
  Sweep* sweep = calloc(1, sizeof *sweep);
  if (!sweep) return CLI_IO;
  sweep->option = option;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  sweep->workers = option->workers > 0   ? (int)option->workers
                   : option->cluster.mpi ? 1
                                         : (int)cores;
  if (sweep->workers < 1) sweep->workers = 1;
  cliShard shard;
  int code = cli_shard_read(&cli_verb_sweep, option->shard, option->cluster.mpi, &shard);
  if (code == CLI_GO_ON)
    code = cli_shard_path(&shard, option->output, path, sweep->path, sizeof sweep->path);
  sweep->shard = shard.shard;
  sweep->shards = shard.shards;
  if (code == CLI_GO_ON) code = cli_world_open(&sweep->world, stderr, 1, 0);
  sweep->world.report.quiet = option->quiet;
  if (code == CLI_GO_ON) code = cli_world_allow(&sweep->world, &option->allowed);
  if (code == CLI_GO_ON) code = cli_world_plugins(&sweep->world, &option->plugin);
  if (code == CLI_GO_ON) code = load_study(sweep, path);
  if (code == CLI_GO_ON && option->cluster.slurm) code = submit(option, path);
  if (code == CLI_GO_ON && option->dry_run) code = tell_plan(sweep);
  if (code == CLI_GO_ON) code = run_sweep(sweep);
  rut_study_destroy(sweep->study);
  cli_world_close(&sweep->world);
  free(sweep);
  return code;
}

// ---- merge ----

static int merge(const SweepOptions* option, const cliList* files) {
  if (files->n < 2) return cli_usage_error(&cli_verb_sweep, "merge needs databases: merge DB...");
  if (!option->output && !option->csv) {
    return cli_usage_error(&cli_verb_sweep, "merge needs --output FILE.db or --csv FILE.csv");
  }
  if (!option->output && files->n > 2) {
    return cli_usage_error(&cli_verb_sweep, "merge of several databases needs --output FILE.db");
  }
  rutError err = {0};
  rutStatus status = RUT_OK;
  int64_t missing = 0;
  const char* merged = files->item[1];
  for (int i = 1; option->output && i < files->n; i++) {
    if (strcmp(files->item[i], option->output) != 0) continue;
    return cli_usage_error(&cli_verb_sweep, "'%s' is read and cannot be the output",
                           option->output);
  }
  if (option->output) {
    status = rut_sweep_merge(files->n - 1, files->item + 1, option->output, &missing, &err);
    merged = option->output;
  }
  rutStudyTable* table = NULL;
  if (status == RUT_OK) status = rut_study_table_open(merged, &table, &err);
  if (status == RUT_OK && option->csv) status = rut_study_table_save(table, option->csv, &err);
  if (status != RUT_OK) {
    rut_study_table_close(table);
    return cli_tell_failure(status, &err);
  }
  if (option->json) {
    cliJson json;
    cli_json_init(&json, stdout);
    cli_json_object(&json, NULL);
    cli_study_json(table, &json);
    cli_json_end(&json);
  } else if (!option->quiet) {
    cli_study_print(table, stdout);
  }
  rut_study_table_close(table);
  if (missing > 0 && !option->quiet) {
    fprintf(stderr, "rut: warning: %" PRId64 " runs are missing\n", missing);
  }
  return missing > 0 ? CLI_SHORT : CLI_DONE;
}

static int run_verb(int argc, char** argv) {
  SweepOptions option = {.workers = 0};
  cliList arguments;
  const int code = cli_parse(&cli_verb_sweep, argc, argv, &option, &arguments);
  if (code != CLI_GO_ON) return code;
  if (strcmp(arguments.item[0], "merge") == 0) return merge(&option, &arguments);
  if (arguments.n > 1) {
    return cli_usage_error(&cli_verb_sweep, "one study at a time; '%s' is one too many",
                           arguments.item[1]);
  }
  const int checked = cli_cluster_check(&cli_verb_sweep, &option.cluster, option.shard);
  if (checked != CLI_GO_ON) return checked;
  return sweep_study(&option, arguments.item[0]);
}

const cliVerb cli_verb_sweep = {
    .name = "sweep",
    .arguments = "STUDY | merge DB...",
    .min_arguments = 1,
    .max_arguments = CLI_LIST_SIZE,
    .summary = "run a study: a world many times with other values, or merge its results",
    .details =
        "STUDY is a study file: rut doc study, rut doc vary and rut doc measure explain it.\n"
        "Results go to a database of SQLite with a row for each run; rut plot draws them. A run\n"
        "is in it whole or not at all; after an interruption, of whatever kind, --resume runs "
        "what\n"
        "is missing. merge makes one database of those of shards, with the same bytes however\n"
        "the runs were distributed. Exit code 4: some runs diverged or were not possible.",
    .examples =
        "  rut sweep worlds/studies/lane_change.xml --dry-run\n"
        "  rut sweep worlds/studies/lane_change.xml -j 8 -o lane_change.db\n"
        "  rut sweep study.xml --shard 2/3\n"
        "  rut sweep merge study.*-of-3.db -o study.db --csv study.csv\n"
        "  mpirun -n 16 rut sweep study.xml --mpi --resume\n"
        "  rut sweep study.xml --slurm --tasks 64 --slurm-option time=2:00:00",
    .option = options,
    .options = CLI_COUNT(options),
    .run = run_verb,
};
