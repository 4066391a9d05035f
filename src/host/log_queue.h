// SPDX-License-Identifier: BSD-3-Clause
//
// Passes items of bytes from the thread that simulates to a thread that writes, through two buffers
// that are swapped. Where the second thread cannot keep up, the first waits.
#ifndef RUT_HOST_LOG_QUEUE_H
#define RUT_HOST_LOG_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "rut/rut.h"

typedef struct rutLogQueue rutLogQueue;

typedef struct rutLogItem {
  uint32_t kind;
  int32_t which;
  int64_t time;
  size_t size;  // of what follows; the next item begins at a multiple of 8 bytes
} rutLogItem;

// Called in the thread for each item, and with NULL after a batch of them, at least six times a
// second. An error ends it: all later items are dropped.
typedef rutStatus rutLogTake(void* user, const rutLogItem* item, const void* bytes, rutError* err);

// NULL if out of memory or threads.
rutLogQueue* rut_log_queue_create(rutLogTake* take, void* user);
// Without a thread: items are taken as soon as they end, and nothing is ever waited for. NULL if
// out of memory.
rutLogQueue* rut_log_queue_create_direct(rutLogTake* take, void* user);
// Begin an item; its bytes are to be written, quickly, to the address returned, and the item then
// ended. NULL if out of memory; nothing is then to be ended.
void* rut_log_queue_begin(rutLogQueue* queue, rutLogItem item);
void rut_log_queue_end(rutLogQueue* queue);
// Status of the thread. Nullable: err.
rutStatus rut_log_queue_status(rutLogQueue* queue, rutError* err);
// Wait until all items are taken, end the thread, and free. Returns its status. Nullable: err.
rutStatus rut_log_queue_finish(rutLogQueue* queue, rutError* err);

#endif  // RUT_HOST_LOG_QUEUE_H
