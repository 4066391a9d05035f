// SPDX-License-Identifier: BSD-3-Clause
#include "base/thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

// A job is shared out evenly. Each worker runs its own share, whose data is in its cache from the
// job before, then what is left of others' shares. Nobody waits for workers that have not joined:
// the caller closes a job when all of its indices are taken.
//
// A waiting worker spins before it sleeps, since a stage of a step takes microseconds and a wake-up
// takes more. It gives up spinning when jobs have come late many times in turn. Sleepers are woken
// only for jobs that take longer than waking them.
enum { SPINS = 2000, LOOKS = 64, PATIENCE = 16, MAX_WORKERS = 256, CACHE_LINE = 64 };
static const double SHORT_SPIN = 2e-6, LONG_SPIN = 50e-6;  // [s]
static const double LATE = 100e-6;         // a job that spinning does not pay for [s]
static const double WORTH_WAKING = 20e-6;  // [s]
static const double FORGETS = 0.9;         // of the longest job of late, each time

// A ticket: how many workers have joined the job, whether others may, and its number.
enum { JOINED = 0x3ff, OPEN = 0x400, JOB = 0x800 };

typedef struct Share {
  atomic_int next;
  int end;
  char apart[CACHE_LINE - 2 * sizeof(int)];
} Share;

struct rutThreadPool {
  int workers;
  pthread_t* thread;
  Share* share;  // [workers]
  pthread_mutex_t lock;
  pthread_cond_t wake;
  atomic_uint ticket;
  atomic_int sleepers;
  atomic_bool quit;
  double lasted;  // the longest job of late [s]
  rutRangeFn* fn;
  void* task;
};

typedef struct Start {
  rutThreadPool* pool;
  int worker;
} Start;

static unsigned job_of(unsigned ticket) { return ticket & ~(unsigned)(JOINED | OPEN); }

// Takes an index of a share. False if none is left.
static bool take(Share* share, int* index) {
  if (atomic_load_explicit(&share->next, memory_order_relaxed) >= share->end) return false;
  *index = atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed);
  return *index < share->end;
}

static void work(rutThreadPool* pool, int worker) {
  int index;
  for (int k = 0; k < pool->workers; k++) {
    Share* share = &pool->share[(worker + k) % pool->workers];
    while (take(share, &index)) pool->fn(pool->task, index, worker);
  }
}

// Lets the other thread of the core go on.
static inline void relax(void) {
#if defined __x86_64__
  __builtin_ia32_pause();
#endif
}

// Whether another job than `seen` has come within a time.
static bool spin(rutThreadPool* pool, unsigned seen, double until) {
  do {
    for (int i = 0; i < LOOKS; i++) {
      if (job_of(atomic_load_explicit(&pool->ticket, memory_order_acquire)) != seen) return true;
      relax();
    }
  } while (rut_clock() < until);
  return false;
}

static void sleep_until_job(rutThreadPool* pool, unsigned seen) {
  pthread_mutex_lock(&pool->lock);
  // either this worker sees the new job, or its caller sees the sleeper
  atomic_fetch_add(&pool->sleepers, 1);
  while (job_of(atomic_load(&pool->ticket)) == seen && !atomic_load(&pool->quit)) {
    pthread_cond_wait(&pool->wake, &pool->lock);
  }
  atomic_fetch_sub(&pool->sleepers, 1);
  pthread_mutex_unlock(&pool->lock);
}

// *patience is how many more jobs may be late before spinning ends.
static void wait_for_job(rutThreadPool* pool, unsigned seen, int* patience) {
  const double since = rut_clock();
  if (!spin(pool, seen, since + (*patience > 0 ? LONG_SPIN : SHORT_SPIN))) {
    sleep_until_job(pool, seen);
  }
  if (rut_clock() - since < LATE) {
    *patience = PATIENCE;
  } else if (*patience > 0) {
    --*patience;
  }
}

// Joins the job at hand unless it is closed. Tells its number either way.
static bool join_job(rutThreadPool* pool, unsigned* job) {
  unsigned ticket = atomic_load_explicit(&pool->ticket, memory_order_relaxed);
  while (ticket & OPEN) {
    *job = job_of(ticket);
    if (atomic_compare_exchange_weak_explicit(&pool->ticket, &ticket, ticket + 1,
                                              memory_order_acquire, memory_order_relaxed)) {
      return true;
    }
  }
  *job = job_of(ticket);
  return false;
}

static void* run(void* argument) {
  Start start = *(Start*)argument;
  rutThreadPool* pool = start.pool;
  free(argument);
  unsigned seen = 0;
  int patience = 0;
  for (;;) {
    wait_for_job(pool, seen, &patience);
    if (atomic_load(&pool->quit)) return NULL;
    if (!join_job(pool, &seen)) continue;
    work(pool, start.worker);
    atomic_fetch_sub_explicit(&pool->ticket, 1, memory_order_release);
  }
}

static void wake_sleepers(rutThreadPool* pool) {
  if (atomic_load(&pool->sleepers) == 0) return;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

// No worker is in a job here.
static void open_job(rutThreadPool* pool) {
  atomic_store(&pool->ticket, (job_of(atomic_load(&pool->ticket)) + JOB) | OPEN);
}

static void close_job(rutThreadPool* pool) {
  atomic_fetch_and_explicit(&pool->ticket, ~(unsigned)OPEN, memory_order_acq_rel);
  for (int i = 0; atomic_load_explicit(&pool->ticket, memory_order_acquire) & JOINED; i++) {
    // a worker that has lost its core gets it back sooner
    if (i > SPINS) sched_yield();
    relax();
  }
}

static bool start_worker(rutThreadPool* pool, int worker) {
  Start* start = malloc(sizeof *start);
  if (!start) return false;
  *start = (Start){pool, worker};
  if (pthread_create(&pool->thread[worker - 1], NULL, run, start) != 0) {
    free(start);
    return false;
  }
  return true;
}

rutThreadPool* rut_thread_pool_create(int workers) {
  if (workers <= 1) return NULL;
  if (workers > MAX_WORKERS) workers = MAX_WORKERS;
  rutThreadPool* pool = calloc(1, sizeof *pool);
  if (!pool) return NULL;
  pool->thread = calloc((size_t)workers, sizeof *pool->thread);
  pool->share = calloc((size_t)workers, sizeof *pool->share);
  if (!pool->thread || !pool->share) {
    free(pool->thread);
    free(pool->share);
    free(pool);
    return NULL;
  }
  pool->lasted = WORTH_WAKING;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  // fewer threads than asked for is no error: results are the same
  pool->workers = 1;
  while (pool->workers < workers && start_worker(pool, pool->workers)) pool->workers++;
  return pool;
}

void rut_thread_pool_destroy(rutThreadPool* pool) {
  if (!pool) return;
  atomic_store(&pool->quit, true);
  open_job(pool);
  wake_sleepers(pool);
  for (int i = 0; i < pool->workers - 1; i++) pthread_join(pool->thread[i], NULL);
  pthread_cond_destroy(&pool->wake);
  pthread_mutex_destroy(&pool->lock);
  free(pool->thread);
  free(pool->share);
  free(pool);
}

static void share_out(rutThreadPool* pool, int n) {
  const int each = n / pool->workers, rest = n % pool->workers;
  for (int w = 0, first = 0; w < pool->workers; w++) {
    Share* share = &pool->share[w];
    share->end = first + each + (w < rest);
    atomic_store_explicit(&share->next, first, memory_order_relaxed);
    first = share->end;
  }
}

// The caller's part. A job that turns out to be long calls sleepers as soon as that is known.
static void work_and_wake(rutThreadPool* pool, double since) {
  bool called = pool->lasted >= WORTH_WAKING;
  if (called) wake_sleepers(pool);
  int index;
  while (!called && take(&pool->share[0], &index)) {
    pool->fn(pool->task, index, 0);
    called = rut_clock() - since >= WORTH_WAKING;
    if (called) wake_sleepers(pool);
  }
  work(pool, 0);
}

void rut_thread_run(rutThreadPool* pool, int n, rutRangeFn* fn, void* task) {
  if (!pool || n <= 1) {
    for (int i = 0; i < n; i++) fn(task, i, 0);
    return;
  }
  const double since = rut_clock();
  pool->fn = fn;
  pool->task = task;
  share_out(pool, n);
  open_job(pool);
  work_and_wake(pool, since);
  close_job(pool);
  const double now = rut_clock() - since, before = FORGETS * pool->lasted;
  pool->lasted = now > before ? now : before;
}

double rut_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
