// SPDX-License-Identifier: BSD-3-Clause
#include "scene/curves.h"

#include <stdlib.h>
#include <string.h>

bool view_curves_create(viewCurves* c) {
  memset(c, 0, sizeof *c);
  c->row = calloc(VIEW_CURVE_ROWS, sizeof *c->row);
  return c->row != NULL;
}

void view_curves_free(viewCurves* c) {
  free(c->row);
  c->row = NULL;
}

void view_curves_subscribe(viewCurves* c, uint32_t subscription, int n, const int* signal) {
  c->signals = n;
  memcpy(c->signal, signal, (size_t)n * sizeof *signal);
  c->subscription = subscription;
  view_curves_restart(c);
}

void view_curves_restart(viewCurves* c) {
  c->due = -1;
  c->skipped = 0;
}

static unsigned filled(const viewCurves* c, unsigned head) {
  return head - atomic_load_explicit(&c->tail, memory_order_acquire);
}

int view_curves_room(const viewCurves* c) {
  const unsigned head = atomic_load_explicit(&c->head, memory_order_relaxed);
  return VIEW_CURVE_ROWS - (int)filled(c, head);
}

// The fuller the ring, the fewer of the rows that are due are written.
static int stride_at(unsigned n) {
  if (n < VIEW_CURVE_ROWS / 2) return 1;
  if (n < VIEW_CURVE_ROWS / 4 * 3) return 4;
  return n < VIEW_CURVE_ROWS / 8 * 7 ? 16 : 64;
}

viewCurveRow* view_curves_next(viewCurves* c, double time, uint32_t jumps) {
  // half of a step of rounding is no reason to skip a row
  if (c->signals == 0 || time < c->due - 1e-9) return NULL;
  c->due = time + 1.0 / VIEW_CURVE_RATE;
  const unsigned head = atomic_load_explicit(&c->head, memory_order_relaxed);
  const unsigned n = filled(c, head);
  if (++c->skipped < stride_at(n) || n >= VIEW_CURVE_ROWS) return NULL;
  c->skipped = 0;
  viewCurveRow* row = &c->row[head % VIEW_CURVE_ROWS];
  row->time = time;
  row->subscription = c->subscription;
  row->jumps = jumps;
  return row;
}

void view_curves_push(viewCurves* c) {
  atomic_fetch_add_explicit(&c->head, 1, memory_order_release);
}

bool view_curves_write(viewCurves* c, double time, uint32_t jumps, const float* value) {
  const unsigned head = atomic_load_explicit(&c->head, memory_order_relaxed);
  if (filled(c, head) >= VIEW_CURVE_ROWS) return false;
  viewCurveRow* row = &c->row[head % VIEW_CURVE_ROWS];
  row->time = time;
  row->subscription = c->subscription;
  row->jumps = jumps;
  memcpy(row->value, value, (size_t)c->signals * sizeof *value);
  view_curves_push(c);
  return true;
}

const viewCurveRow* view_curves_peek(viewCurves* c) {
  const unsigned tail = atomic_load_explicit(&c->tail, memory_order_relaxed);
  if (atomic_load_explicit(&c->head, memory_order_acquire) == tail) return NULL;
  return &c->row[tail % VIEW_CURVE_ROWS];
}

void view_curves_pop(viewCurves* c) {
  atomic_fetch_add_explicit(&c->tail, 1, memory_order_release);
}
