// SPDX-License-Identifier: BSD-3-Clause
#include "base/heap.h"

static bool before(const rutHeapEntry* a, const rutHeapEntry* b) {
  if (a->key.first != b->key.first) return a->key.first < b->key.first;
  if (a->key.second != b->key.second) return a->key.second < b->key.second;
  return a->item < b->item;
}

static void set(rutHeap* heap, int32_t at, rutHeapEntry e) {
  heap->entry[at] = e;
  heap->place[e.item] = at + 1;
}

static void rise(rutHeap* heap, int32_t at, rutHeapEntry e) {
  while (at > 0) {
    const int32_t parent = (at - 1) / 2;
    if (!before(&e, &heap->entry[parent])) break;
    set(heap, at, heap->entry[parent]);
    at = parent;
  }
  set(heap, at, e);
}

static void sink(rutHeap* heap, int32_t at, rutHeapEntry e) {
  for (;;) {
    if (at > (heap->count - 2) / 2 || heap->count < 2) break;
    int32_t child = 2 * at + 1;
    if (child + 1 < heap->count && before(&heap->entry[child + 1], &heap->entry[child])) child++;
    if (!before(&heap->entry[child], &e)) break;
    set(heap, at, heap->entry[child]);
    at = child;
  }
  set(heap, at, e);
}

void rut_heap_put(rutHeap* heap, int32_t item, rutHeapKey key) {
  const rutHeapEntry e = {key, item};
  const int32_t place = heap->place[item];
  if (place == 0) {
    rise(heap, heap->count++, e);
  } else if (before(&e, &heap->entry[place - 1])) {
    rise(heap, place - 1, e);
  } else {
    sink(heap, place - 1, e);
  }
}

void rut_heap_remove(rutHeap* heap, int32_t item) {
  const int32_t place = heap->place[item];
  if (place == 0) return;
  heap->place[item] = 0;
  const rutHeapEntry last = heap->entry[--heap->count];
  if (place - 1 == heap->count) return;
  // the last one takes its place, and may belong above or below it
  heap->place[last.item] = place;
  heap->entry[place - 1] = last;
  rise(heap, place - 1, last);
  sink(heap, heap->place[last.item] - 1, last);
}

rutHeapEntry rut_heap_take(rutHeap* heap) {
  const rutHeapEntry first = heap->entry[0];
  rut_heap_remove(heap, first.item);
  return first;
}

void rut_heap_clear(rutHeap* heap) {
  for (int32_t i = 0; i < heap->count; i++) heap->place[heap->entry[i].item] = 0;
  heap->count = 0;
}
