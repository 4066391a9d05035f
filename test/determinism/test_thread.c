// SPDX-License-Identifier: BSD-3-Clause
//
// The pool of threads: every index once, whatever the numbers of indices and workers, whether
// workers spin, sleep or have not begun.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/thread.h"
#include "repetitions.h"

enum { MOST = 1000 };

typedef struct Count {
  int done[MOST];
  int workers;
  atomic_int wrong;
  double busy;  // time that an index takes [s]
} Count;

static void count(void* task, int index, int worker) {
  Count* c = task;
  if (worker < 0 || worker >= c->workers) atomic_fetch_add(&c->wrong, 1);
  c->done[index]++;
  for (const double since = rut_clock(); rut_clock() - since < c->busy;) continue;
}

static void check(rutThreadPool* pool, Count* c, int n) {
  memset(c->done, 0, sizeof c->done);
  rut_thread_run(pool, n, count, c);
  assert_int_equal(c->wrong, 0);
  for (int i = 0; i < MOST; i++) assert_int_equal(c->done[i], i < n);
}

static void sleep_for(double seconds) {
  nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
}

static void every_index_once(void** state) {
  (void)state;
  for (int workers = 1; workers <= 5; workers++) {
    rutThreadPool* pool = rut_thread_pool_create(workers);
    Count c = {.workers = workers};
    // jobs without a pause, so that workers of the last one are still there
    for (int n = 0; n < repetitions(MOST, 100); n++) check(pool, &c, n);
    // and some after which they have gone to sleep
    for (int i = 0; i < 20; i++) {
      sleep_for(300e-6);
      check(pool, &c, 1 + 7 * i);
    }
    rut_thread_pool_destroy(pool);
  }
}

// Long jobs of two indices are shared by two workers, also by one that sleeps.
static void sleepers_are_woken(void** state) {
  (void)state;
  rutThreadPool* pool = rut_thread_pool_create(2);
  Count c = {.workers = 2, .busy = 1e-3};
  for (int i = 0; i < 20; i++) {
    sleep_for(1e-3);
    check(pool, &c, 2);
  }
  rut_thread_pool_destroy(pool);
}

// A pool may go while its workers spin, sleep, or have not begun.
static void ends_at_any_time(void** state) {
  (void)state;
  Count c = {.workers = 4};
  for (int i = 0; i < repetitions(300, 30); i++) {
    rutThreadPool* pool = rut_thread_pool_create(4);
    if (i % 3 > 0) check(pool, &c, i);
    if (i % 3 > 1) sleep_for(200e-6);
    rut_thread_pool_destroy(pool);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_index_once),
      cmocka_unit_test(sleepers_are_woken),
      cmocka_unit_test(ends_at_any_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
