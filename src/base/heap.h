// SPDX-License-Identifier: BSD-3-Clause
//
// A queue by priority in fixed memory: a binary heap (Williams, Comm. ACM 7(6), 1964) that knows
// where each of its items stands, so that an item is in it at most once and its key can change.
// Items are whole numbers from 0. Equal keys come by item, so that the order is always the same.
#ifndef RUT_BASE_HEAP_H
#define RUT_BASE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

// The least comes first, by `first`, then `second`.
typedef struct rutHeapKey {
  int64_t first, second;
} rutHeapKey;

typedef struct rutHeapEntry {
  rutHeapKey key;
  int32_t item;
} rutHeapEntry;

typedef struct rutHeap {
  rutHeapEntry* entry;  // [as many as items], borrowed
  int32_t* place;       // [items] in `entry`, from 1; 0: not in the heap. Borrowed, zero at first
  int32_t count;
} rutHeap;

static inline bool rut_heap_key_before(rutHeapKey a, rutHeapKey b) {
  return a.first != b.first ? a.first < b.first : a.second < b.second;
}
// True if the item is in the heap.
static inline bool rut_heap_has(const rutHeap* heap, int32_t item) { return heap->place[item] > 0; }

// Put an item in, or change the key of one that is in.
void rut_heap_put(rutHeap* heap, int32_t item, rutHeapKey key);
// Take an item out, if it is in.
void rut_heap_remove(rutHeap* heap, int32_t item);
// Take the first one out. The heap must not be empty.
rutHeapEntry rut_heap_take(rutHeap* heap);
// Take all out, in time proportional to how many there are.
void rut_heap_clear(rutHeap* heap);

#endif  // RUT_BASE_HEAP_H
