// SPDX-License-Identifier: BSD-3-Clause
//
// All runs of a shard: threads simulate, the caller's thread writes.
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/report.h"
#include "host/file_system.h"
#include "host/study_runner.h"
#include "host/study_store.h"
#include "math/rut_math.h"

enum {
  MOST_WAITING = 4096,  // results that wait to be written: then threads wait, too
  MANY_WAITING = 256,   // results that are written at once
  MOST_WORKERS = 1024
};
static const double PERIOD = 0.1;  // between commits [s]

// A result that waits to be written. Its measures stand behind it.
typedef struct Waiting {
  struct Waiting* next;
  rutStudyResult result;
  double measure[];
} Waiting;

typedef struct Sweep {
  const rutStudy* study;
  const rutSweepDef* def;
  int measures;
  unsigned char* done;  // a bit for each run of the shard that is in the database
  int64_t runs, next;   // of the shard; which is looked at next
  pthread_mutex_t lock;
  pthread_cond_t written, ready;  // room for results; results to write
  Waiting *first, **last;
  int waiting, working;  // results; threads
  bool stop;
  rutError err;  // of a thread
  rutSweepState state;
  rutStore store;
} Sweep;

rutSweepDef rut_default_sweep(void) {
  return (rutSweepDef){.struct_size = sizeof(rutSweepDef), .workers = 1, .shards = 1};
}

// ---- threads ----

// The next run that is not done, -1 for none. The lock is held.
static int64_t take_run(Sweep* sweep) {
  while (sweep->waiting >= MOST_WAITING && !sweep->stop) {
    pthread_cond_wait(&sweep->written, &sweep->lock);
  }
  while (!sweep->stop && sweep->next < sweep->runs) {
    const int64_t i = sweep->next++;
    if (!(sweep->done[i / 8] >> (i % 8) & 1)) return sweep->def->shard + i * sweep->def->shards;
  }
  return -1;
}

// Of the runs that are left, a worker begins its share at once, so that others have work as well.
static bool has_its_share(const Sweep* sweep, int held) {
  const int64_t left = sweep->runs - sweep->next;
  return held > 0 && (int64_t)held * sweep->def->workers >= left + held;
}

static rutStudyResult* next_run(int held, void* user) {
  Sweep* sweep = user;
  Waiting* w = calloc(1, sizeof(Waiting) + (size_t)sweep->measures * sizeof(double));
  pthread_mutex_lock(&sweep->lock);
  int64_t run = -1;
  if (!w) {
    rut_error_set(&sweep->err, RUT_ERR_MEMORY, "no memory for results");
    sweep->stop = true;
  } else if (!has_its_share(sweep, held)) {
    run = take_run(sweep);
  }
  pthread_mutex_unlock(&sweep->lock);
  if (run < 0) {
    free(w);
    return NULL;
  }
  w->result.run = run;
  w->result.measure = w->measure;
  return &w->result;
}

static void end_run(rutStudyResult* result, bool whole, void* user) {
  Sweep* sweep = user;
  Waiting* w = (Waiting*)(void*)((char*)result - offsetof(Waiting, result));
  if (!whole) {
    free(w);
    return;
  }
  pthread_mutex_lock(&sweep->lock);
  *sweep->last = w;
  sweep->last = &w->next;
  if (++sweep->waiting >= MANY_WAITING) pthread_cond_signal(&sweep->ready);
  pthread_mutex_unlock(&sweep->lock);
}

static void* thread(void* argument) {
  Sweep* sweep = argument;
  rutStudyRunner* runner = NULL;
  rutError err = {0};
  rutStatus status = rut_study_runner_create(sweep->study, &runner, &err);
  const rutStudyFeed feed = {next_run, end_run, sweep};
  if (status == RUT_OK) status = rut_study_work(runner, &feed, &err);
  rut_study_runner_destroy(runner);
  pthread_mutex_lock(&sweep->lock);
  if (status != RUT_OK) {
    err.status = status;
    if (sweep->err.status == RUT_OK) sweep->err = err;
    sweep->stop = true;
    pthread_cond_broadcast(&sweep->written);
  }
  sweep->working--;
  pthread_cond_signal(&sweep->ready);
  pthread_mutex_unlock(&sweep->lock);
  return NULL;
}

// ---- writing ----

static void count(rutSweepState* state, rutStudyEnd end, int pass, int64_t n) {
  state->done += n;
  state->ends[end] += n;
  if (pass == 1) state->passed += n;
  if (pass == 0) state->failed += n;
}

// What the database has from earlier.
static rutStatus read_done(Sweep* sweep, rutError* err) {
  rutStatement* s = NULL;
  rutStatus status =
      rut_database_prepare(sweep->store.db, "SELECT run, ends, pass FROM run", &s, err);
  for (bool row = true; status == RUT_OK && row;) {
    status = rut_statement_step(s, &row, err);
    if (status != RUT_OK || !row) break;
    const int64_t run = rut_statement_get_integer(s, 0);
    const int64_t i = (run - sweep->def->shard) / sweep->def->shards;
    if (run < 0 || i >= sweep->runs || run != sweep->def->shard + i * sweep->def->shards) {
      status = rut_error_set(err, RUT_ERR_VERSION,
                             "'%.200s' has run %lld, which is not of this "
                             "shard",
                             sweep->def->path, (long long)run);
      break;
    }
    int end = 0;
    const char* name = rut_statement_get_text(s, 1);
    while (end < RUT_STUDY_ENDS - 1 && strcmp(rut_study_end_name((rutStudyEnd)end), name) != 0) {
      end++;
    }
    sweep->done[i / 8] |= (unsigned char)(1u << (i % 8));
    count(&sweep->state, (rutStudyEnd)end,
          rut_statement_is_null(s, 2) ? -1 : (int)rut_statement_get_integer(s, 2), 1);
  }
  rut_statement_free(s);
  sweep->state.before = sweep->state.done;
  return status;
}

// Write results in one transaction, so that each is there whole or not at all.
static rutStatus write_all(Sweep* sweep, const Waiting* list, rutError* err) {
  if (!list) return RUT_OK;
  rutStatus status = rut_database_run(sweep->store.db, "BEGIN IMMEDIATE", err);
  for (const Waiting* w = list; w && status == RUT_OK; w = w->next) {
    status = rut_store_add(&sweep->store, &w->result, err);
  }
  if (status == RUT_OK) status = rut_database_run(sweep->store.db, "COMMIT", err);
  return status;
}

// Tell the caller what is written. False if it wants to end.
static bool tell(Sweep* sweep, const Waiting* list) {
  const rutSweepDef* def = sweep->def;
  bool go_on = true;
  for (const Waiting* w = list; w; w = w->next) {
    count(&sweep->state, w->result.end, w->result.pass, 1);
    sweep->state.in_lanes += w->result.in_lanes;
    sweep->state.simulated += w->result.time;
    if (w->result.end == RUT_STUDY_finished || w->result.end == RUT_STUDY_stopped) continue;
    if (def->go_on) go_on = def->go_on(&sweep->state, &w->result, def->user) && go_on;
  }
  return (!def->go_on || def->go_on(&sweep->state, NULL, def->user)) && go_on;
}

static void free_list(Waiting* list) {
  for (Waiting* next; list; list = next) {
    next = list->next;
    free(list);
  }
}

// Wait for results, at most a period. Returns those that are there; *end: there will be no more.
static Waiting* wait_for(Sweep* sweep, bool* end) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += (long)(PERIOD * 1e9);
  if (until.tv_nsec >= 1000000000L) {
    until.tv_nsec -= 1000000000L;
    until.tv_sec++;
  }
  pthread_mutex_lock(&sweep->lock);
  while (sweep->working > 0 && sweep->waiting < MANY_WAITING) {
    if (pthread_cond_timedwait(&sweep->ready, &sweep->lock, &until) == ETIMEDOUT) break;
  }
  Waiting* list = sweep->first;
  *end = sweep->working == 0;
  sweep->first = NULL;
  sweep->last = &sweep->first;
  sweep->waiting = 0;
  pthread_cond_broadcast(&sweep->written);
  pthread_mutex_unlock(&sweep->lock);
  return list;
}

static void stop(Sweep* sweep) {
  pthread_mutex_lock(&sweep->lock);
  sweep->stop = true;
  pthread_cond_broadcast(&sweep->written);
  pthread_mutex_unlock(&sweep->lock);
}

static rutStatus write_until_end(Sweep* sweep, rutError* err) {
  rutStatus status = RUT_OK;
  for (bool end = false; !end;) {
    Waiting* list = wait_for(sweep, &end);
    if (status == RUT_OK) status = write_all(sweep, list, err);
    if (status != RUT_OK || !tell(sweep, list)) stop(sweep);
    free_list(list);
  }
  return status;
}

// ---- all of it ----

static rutStatus run_threads(Sweep* sweep, rutError* err) {
  const int n = sweep->def->workers < MOST_WORKERS ? sweep->def->workers : MOST_WORKERS;
  pthread_t* threads = calloc((size_t)n, sizeof *threads);
  if (!threads) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for threads");
  int begun = 0;
  sweep->working = n;
  while (begun < n && pthread_create(&threads[begun], NULL, thread, sweep) == 0) begun++;
  pthread_mutex_lock(&sweep->lock);
  sweep->working -= n - begun;
  pthread_mutex_unlock(&sweep->lock);
  rutStatus status = begun > 0 ? RUT_OK : rut_error_set(err, RUT_ERR_MEMORY, "no threads");
  if (begun > 0) status = write_until_end(sweep, err);
  for (int i = 0; i < begun; i++) pthread_join(threads[i], NULL);
  free(threads);
  if (status == RUT_OK && sweep->err.status != RUT_OK) {
    if (err) *err = sweep->err;
    status = sweep->err.status;
  }
  return status;
}

static rutStatus check(const rutStudy* study, const rutSweepDef* def, rutError* err) {
  (void)study;
  if (def->struct_size != sizeof *def || !def->path || !def->path[0] || def->workers < 1 ||
      def->shards < 1 || def->shard < 0 || def->shard >= def->shards) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a sweep needs a path, workers and a shard");
  }
  return RUT_OK;
}

rutStatus rut_sweep(const rutStudy* study, const rutSweepDef* def, rutSweepState* out,
                    rutError* err) {
  const rutStudyInfo info = rut_study_info(study);
  *out = (rutSweepState){0};
  rutStatus status = check(study, def, err);
  if (status != RUT_OK) return status;
  Sweep sweep = {.study = study, .def = def, .measures = info.measures};
  sweep.last = &sweep.first;
  sweep.runs = (info.runs - def->shard + def->shards - 1) / def->shards;
  sweep.state.runs = sweep.runs;
  int held = -1;
  sweep.done = calloc((size_t)sweep.runs / 8 + 1, 1);
  if (!sweep.done) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a sweep");
  pthread_mutex_init(&sweep.lock, NULL);
  pthread_cond_init(&sweep.written, NULL);
  pthread_cond_init(&sweep.ready, NULL);
  status = rut_file_hold(def->path, &held, err);
  if (status == RUT_OK) status = rut_store_open(study, def, &sweep.store, err);
  if (status == RUT_OK) {
    status = read_done(&sweep, err);
    if (status == RUT_OK) status = run_threads(&sweep, err);
    rut_store_close(&sweep.store);
  }
  rut_file_release(def->path, held);
  pthread_cond_destroy(&sweep.ready);
  pthread_cond_destroy(&sweep.written);
  pthread_mutex_destroy(&sweep.lock);
  free(sweep.done);
  *out = sweep.state;
  return status;
}
