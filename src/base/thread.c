// SPDX-License-Identifier: BSD-3-Clause
#include "base/thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

// A waiting worker spins before it sleeps: a stage of a step takes microseconds, a wake-up as long.
// It spins for twice as long as it had to wait of late, if that is no longer than it pays.
enum { SPINS = 2000, LOOKS = 64, MAX_WORKERS = 256 };
static const double SHORT_SPIN = 2e-6, LONGEST_SPIN = 50e-6;  // [s]
static const double FORGETS = 0.9;                            // of the longest wait, each time

struct rutThreadPool {
  int workers;
  pthread_t* thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  atomic_uint job;  // counts jobs; a change starts the workers
  atomic_int next, active;
  atomic_bool quit;
  int n;
  rutRangeFn* fn;
  void* task;
};

typedef struct Start {
  rutThreadPool* pool;
  int worker;
} Start;

static void work(rutThreadPool* pool, int worker) {
  for (;;) {
    int i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
    if (i >= pool->n) return;
    pool->fn(pool->task, i, worker);
  }
}

// Lets the other thread of the core go on.
static inline void relax(void) {
#if defined __x86_64__
  __builtin_ia32_pause();
#endif
}

// The number of the next job, or `seen` if none has come within a time.
static unsigned spin(rutThreadPool* pool, unsigned seen, double until) {
  do {
    for (int i = 0; i < LOOKS; i++) {
      const unsigned job = atomic_load_explicit(&pool->job, memory_order_acquire);
      if (job != seen) return job;
      relax();
    }
  } while (rut_clock() < until);
  return seen;
}

static unsigned sleep_until_job(rutThreadPool* pool, unsigned seen) {
  pthread_mutex_lock(&pool->lock);
  unsigned job = atomic_load(&pool->job);
  while (job == seen) {
    pthread_cond_wait(&pool->wake, &pool->lock);
    job = atomic_load(&pool->job);
  }
  pthread_mutex_unlock(&pool->lock);
  return job;
}

// *waits is the longest wait of late [s].
static unsigned wait_for_job(rutThreadPool* pool, unsigned seen, double* waits) {
  const double since = rut_clock();
  const double time = *waits <= LONGEST_SPIN ? 2 * *waits + SHORT_SPIN : SHORT_SPIN;
  unsigned job = spin(pool, seen, since + time);
  if (job == seen) job = sleep_until_job(pool, seen);
  const double waited = rut_clock() - since, most = 4 * LONGEST_SPIN, before = FORGETS * *waits;
  *waits = waited > most ? most : waited > before ? waited : before;
  return job;
}

static void* run(void* argument) {
  Start start = *(Start*)argument;
  free(argument);
  unsigned seen = 0;
  double waits = 0;
  for (;;) {
    seen = wait_for_job(start.pool, seen, &waits);
    if (atomic_load(&start.pool->quit)) return NULL;
    work(start.pool, start.worker);
    atomic_fetch_sub_explicit(&start.pool->active, 1, memory_order_release);
  }
}

static void publish_job(rutThreadPool* pool) {
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add_explicit(&pool->job, 1, memory_order_release);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
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
  if (!pool->thread) {
    free(pool);
    return NULL;
  }
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
  publish_job(pool);
  for (int i = 0; i < pool->workers - 1; i++) pthread_join(pool->thread[i], NULL);
  pthread_cond_destroy(&pool->wake);
  pthread_mutex_destroy(&pool->lock);
  free(pool->thread);
  free(pool);
}

void rut_thread_run(rutThreadPool* pool, int n, rutRangeFn* fn, void* task) {
  if (!pool || n <= 1) {
    for (int i = 0; i < n; i++) fn(task, i, 0);
    return;
  }
  pool->n = n;
  pool->fn = fn;
  pool->task = task;
  atomic_store_explicit(&pool->active, pool->workers - 1, memory_order_relaxed);
  atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
  publish_job(pool);
  work(pool, 0);
  for (int i = 0; atomic_load_explicit(&pool->active, memory_order_acquire) > 0; i++) {
    // a worker that has lost its core gets it back sooner
    if (i > SPINS) sched_yield();
  }
}

double rut_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
