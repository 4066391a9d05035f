// SPDX-License-Identifier: BSD-3-Clause
//
// A pool that runs a function for every index of a range. Which worker runs which index is not
// determined; functions write to slots of their own, so that results do not depend on it.
#ifndef RUT_BASE_THREAD_H
#define RUT_BASE_THREAD_H

#include <stddef.h>

typedef struct rutThreadPool rutThreadPool;
typedef void rutRangeFn(void* task, int index, int worker);

// Pool of `workers` threads, the caller's among them. NULL for one worker, or if threads cannot be
// had; rut_thread_run then runs serially.
rutThreadPool* rut_thread_pool_create(int workers);
void rut_thread_pool_destroy(rutThreadPool* pool);  // Nullable: pool
// Call fn(task, i, worker) for i in [0, n), worker in [0, workers). Returns when all are done.
void rut_thread_run(rutThreadPool* pool, int n, rutRangeFn* fn, void* task);

// Monotonic time [s].
double rut_clock(void);

#endif  // RUT_BASE_THREAD_H
