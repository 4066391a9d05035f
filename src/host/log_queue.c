// SPDX-License-Identifier: BSD-3-Clause
#include "host/log_queue.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/bytes.h"

enum { WAKE = 256 * 1024, FULL = 4 * 1024 * 1024, PATIENCE = 150 * 1000 * 1000 /* [ns] */ };

struct rutLogQueue {
  rutLogTake* take;
  void* user;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t more, room;
  rutBytes front, back;  // front: being filled; back: being emptied, of the thread alone
  bool closing, direct;  // direct: there is no thread
  rutLogItem item;       // that has begun, if it is direct
  atomic_int status;
  rutError error;
};

static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

// Hand over all items of the back buffer.
static rutStatus empty(rutLogQueue* q, rutError* err) {
  rutStatus status = RUT_OK;
  size_t at = 0;
  while (at < q->back.used && status == RUT_OK) {
    rutLogItem item;
    memcpy(&item, q->back.data + at, sizeof item);
    at += sizeof item;
    status = q->take(q->user, &item, q->back.data + at, err);
    at += padded(item.size);
  }
  q->back.used = 0;
  return status == RUT_OK ? q->take(q->user, NULL, NULL, err) : status;
}

// Wait for a batch of items, or for a time. Returns false when there will be no more.
static bool wait_for_items(rutLogQueue* q) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += PATIENCE;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec++;
  }
  pthread_mutex_lock(&q->lock);
  int late = 0;
  while (q->front.used < WAKE && !q->closing && !late) {
    late = pthread_cond_timedwait(&q->more, &q->lock, &until);
  }
  const rutBytes filled = q->front;
  q->front = q->back;
  q->back = filled;
  const bool last = q->closing && q->back.used == 0;
  pthread_cond_signal(&q->room);
  pthread_mutex_unlock(&q->lock);
  return !last;
}

static void* run(void* argument) {
  rutLogQueue* q = argument;
  while (wait_for_items(q)) {
    if (atomic_load(&q->status) != RUT_OK) {
      q->back.used = 0;
      continue;
    }
    rutError err = {0};
    const rutStatus status = empty(q, &err);
    if (status == RUT_OK) continue;
    pthread_mutex_lock(&q->lock);
    q->error = err;
    atomic_store(&q->status, (int)status);
    pthread_mutex_unlock(&q->lock);
  }
  return NULL;
}

static void destroy(rutLogQueue* q) {
  pthread_cond_destroy(&q->more);
  pthread_cond_destroy(&q->room);
  pthread_mutex_destroy(&q->lock);
  rut_bytes_free(&q->front);
  rut_bytes_free(&q->back);
  free(q);
}

rutLogQueue* rut_log_queue_create(rutLogTake* take, void* user) {
  rutLogQueue* q = calloc(1, sizeof *q);
  if (!q) return NULL;
  q->take = take;
  q->user = user;
  atomic_init(&q->status, RUT_OK);
  pthread_condattr_t steady;
  pthread_condattr_init(&steady);
  pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->more, &steady);
  pthread_cond_init(&q->room, NULL);
  pthread_condattr_destroy(&steady);
  if (pthread_create(&q->thread, NULL, run, q) != 0) {
    destroy(q);
    return NULL;
  }
  return q;
}

rutLogQueue* rut_log_queue_create_direct(rutLogTake* take, void* user) {
  rutLogQueue* q = calloc(1, sizeof *q);
  if (!q) return NULL;
  q->take = take;
  q->user = user;
  q->direct = true;
  atomic_init(&q->status, RUT_OK);
  pthread_mutex_init(&q->lock, NULL);
  pthread_cond_init(&q->more, NULL);
  pthread_cond_init(&q->room, NULL);
  return q;
}

static void* begin_direct(rutLogQueue* q, const rutLogItem* item) {
  q->item = *item;
  q->front.used = 0;
  q->front.failed = false;
  return rut_bytes_extend(&q->front, padded(item->size) + 1);
}

static void end_direct(rutLogQueue* q) {
  if (atomic_load(&q->status) != RUT_OK) return;
  atomic_store(&q->status, (int)q->take(q->user, &q->item, q->front.data, &q->error));
}

void* rut_log_queue_begin(rutLogQueue* q, rutLogItem item) {
  if (q->direct) return begin_direct(q, &item);
  const size_t size = sizeof item + padded(item.size);
  pthread_mutex_lock(&q->lock);
  while (q->front.used > 0 && q->front.used + size > FULL) {
    pthread_cond_signal(&q->more);
    pthread_cond_wait(&q->room, &q->lock);
  }
  unsigned char* place = rut_bytes_extend(&q->front, size);
  if (!place) {
    q->front.failed = false;
    pthread_mutex_unlock(&q->lock);
    return NULL;
  }
  memcpy(place, &item, sizeof item);
  return place + sizeof item;
}

void rut_log_queue_end(rutLogQueue* q) {
  if (q->direct) {
    end_direct(q);
    return;
  }
  const bool wake = q->front.used >= WAKE;
  pthread_mutex_unlock(&q->lock);
  if (wake) pthread_cond_signal(&q->more);
}

rutStatus rut_log_queue_status(rutLogQueue* q, rutError* err) {
  const rutStatus status = (rutStatus)atomic_load_explicit(&q->status, memory_order_relaxed);
  if (status != RUT_OK && err) {
    pthread_mutex_lock(&q->lock);
    *err = q->error;
    pthread_mutex_unlock(&q->lock);
  }
  return status;
}

rutStatus rut_log_queue_finish(rutLogQueue* q, rutError* err) {
  if (!q->direct) {
    pthread_mutex_lock(&q->lock);
    q->closing = true;
    pthread_cond_signal(&q->more);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
  }
  const rutStatus status = rut_log_queue_status(q, err);
  destroy(q);
  return status;
}
