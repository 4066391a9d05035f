// SPDX-License-Identifier: BSD-3-Clause
//
// Tasks that one thread runs beside its owner's, in the order in which they were given.
#ifndef RUT_BASE_TASK_H
#define RUT_BASE_TASK_H

#include <stdbool.h>

typedef enum rutTaskPhase {
  RUT_TASK_IDLE,
  RUT_TASK_WAITS,
  RUT_TASK_RUNS,
  RUT_TASK_DONE
} rutTaskPhase;

// Zero at first. A task that waits or runs belongs to the queue: its owner leaves it alone.
typedef struct rutTask {
  void (*run)(struct rutTask* task);
  struct rutTask* next;
  rutTaskPhase phase;
} rutTask;

typedef struct rutTaskQueue rutTaskQueue;

// NULL if out of memory.
rutTaskQueue* rut_task_queue_create(void);
// Waits for the task that runs; what waits is dropped. Nullable: queue.
void rut_task_queue_destroy(rutTaskQueue* queue);
// Whether the queue's own thread runs tasks; off at first. Without one, or if none can be had, they
// wait for rut_task_finish or rut_task_run_all.
void rut_task_use_thread(rutTaskQueue* queue, bool on);
// Give it a task that neither waits nor runs.
void rut_task_start(rutTaskQueue* queue, rutTask* task);
// False while the task waits or runs; with `wait` it is true: the caller runs the task itself if
// nobody has begun.
bool rut_task_finish(rutTaskQueue* queue, rutTask* task, bool wait);
// Run in the caller's thread all that waits; returns their number.
int rut_task_run_all(rutTaskQueue* queue);

#endif  // RUT_BASE_TASK_H
