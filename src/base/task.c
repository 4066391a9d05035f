// SPDX-License-Identifier: BSD-3-Clause
#include "base/task.h"

#include <pthread.h>
#include <stdlib.h>

// Everything is guarded by the lock, the phases of tasks as well.
struct rutTaskQueue {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  rutTask *first, *last;
  pthread_t thread;
  bool running;  // the thread is there
  bool on, quit;
};

static rutTask* take_first(rutTaskQueue* q) {
  rutTask* task = q->first;
  if (!task) return NULL;
  q->first = task->next;
  if (!q->first) q->last = NULL;
  task->next = NULL;
  return task;
}

static void take_out(rutTaskQueue* q, rutTask* task) {
  rutTask *before = NULL, *at = q->first;
  while (at && at != task) {
    before = at;
    at = at->next;
  }
  if (!at) return;
  if (before) before->next = task->next;
  if (!before) q->first = task->next;
  if (q->last == task) q->last = before;
  task->next = NULL;
}

// Run a task that has been taken out; the lock is held before and after.
static void run_task(rutTaskQueue* q, rutTask* task) {
  task->phase = RUT_TASK_RUNS;
  pthread_mutex_unlock(&q->lock);
  task->run(task);
  pthread_mutex_lock(&q->lock);
  task->phase = RUT_TASK_DONE;
  pthread_cond_broadcast(&q->changed);
}

static void* work(void* argument) {
  rutTaskQueue* q = argument;
  pthread_mutex_lock(&q->lock);
  while (!q->quit) {
    rutTask* task = q->on ? take_first(q) : NULL;
    if (task) {
      run_task(q, task);
    } else {
      pthread_cond_wait(&q->changed, &q->lock);
    }
  }
  pthread_mutex_unlock(&q->lock);
  return NULL;
}

rutTaskQueue* rut_task_queue_create(void) {
  rutTaskQueue* q = calloc(1, sizeof *q);
  if (!q) return NULL;
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->changed, NULL);
  return q;
}

void rut_task_queue_destroy(rutTaskQueue* q) {
  if (!q) return;
  pthread_mutex_lock(&q->lock);
  q->quit = true;
  pthread_cond_broadcast(&q->changed);
  pthread_mutex_unlock(&q->lock);
  if (q->running) pthread_join(q->thread, NULL);
  pthread_cond_destroy(&q->changed);
  pthread_mutex_destroy(&q->lock);
  free(q);
}

void rut_task_use_thread(rutTaskQueue* q, bool on) {
  pthread_mutex_lock(&q->lock);
  q->on = on;
  if (on && !q->running) q->running = pthread_create(&q->thread, NULL, work, q) == 0;
  pthread_cond_broadcast(&q->changed);
  pthread_mutex_unlock(&q->lock);
}

void rut_task_start(rutTaskQueue* q, rutTask* task) {
  pthread_mutex_lock(&q->lock);
  task->phase = RUT_TASK_WAITS;
  task->next = NULL;
  if (q->last) q->last->next = task;
  if (!q->last) q->first = task;
  q->last = task;
  pthread_cond_broadcast(&q->changed);
  pthread_mutex_unlock(&q->lock);
}

bool rut_task_finish(rutTaskQueue* q, rutTask* task, bool wait) {
  pthread_mutex_lock(&q->lock);
  if (wait && task->phase == RUT_TASK_WAITS) {
    take_out(q, task);
    run_task(q, task);
  }
  while (wait && task->phase == RUT_TASK_RUNS) pthread_cond_wait(&q->changed, &q->lock);
  const bool done = task->phase == RUT_TASK_IDLE || task->phase == RUT_TASK_DONE;
  pthread_mutex_unlock(&q->lock);
  return done;
}

int rut_task_run_all(rutTaskQueue* q) {
  int n = 0;
  pthread_mutex_lock(&q->lock);
  for (rutTask* task = take_first(q); task; task = take_first(q), n++) run_task(q, task);
  pthread_mutex_unlock(&q->lock);
  return n;
}
