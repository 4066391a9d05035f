// SPDX-License-Identifier: BSD-3-Clause
#include "view/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/limits.h"

enum { MAX_ROWS = 20000, MAX_VALUES = 1 << 26 };

typedef struct Value {
  double time;
  int which;
  float value;
} Value;

typedef struct Values {
  Value* value;
  size_t n, capacity;
  bool failed;
  const int* which;  // place in the row of each signal that is read now
} Values;

static void take(int which, double time, double value, void* user) {
  Values* v = user;
  if (v->n == v->capacity) {
    const size_t capacity = 2 * v->capacity + 4096;
    Value* larger = capacity <= MAX_VALUES ? realloc(v->value, capacity * sizeof *larger) : NULL;
    if (!larger) {
      v->failed = true;
      return;
    }
    v->value = larger;
    v->capacity = capacity;
  }
  v->value[v->n++] = (Value){time, v->which[which], (float)value};
}

static int by_time(const void* a, const void* b) {
  const Value *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->which - y->which;
}

// Rows of all times; a signal that has no value at one keeps that before.
static bool make_rows(const Values* v, int n, viewSeries* out) {
  size_t rows = 0;
  for (size_t i = 0; i < v->n; i++) {
    rows += i + 1 == v->n || v->value[i + 1].time != v->value[i].time;
  }
  const size_t stride = rows / MAX_ROWS + 1;
  float held[VIEW_SIGNALS];
  for (int i = 0; i < n; i++) held[i] = NAN;
  *out = (viewSeries){.signals = n,
                      .time = malloc((rows / stride + 1) * sizeof(double)),
                      .value = malloc((rows / stride + 1) * (size_t)(n + 1) * sizeof(float))};
  if (!out->time || !out->value) return false;
  size_t row = 0;
  for (size_t i = 0; i < v->n; i++) {
    held[v->value[i].which] = v->value[i].value;
    if (i + 1 < v->n && v->value[i + 1].time == v->value[i].time) continue;
    if (row++ % stride != 0) continue;
    out->time[out->rows] = v->value[i].time;
    memcpy(out->value + (size_t)out->rows++ * (size_t)n, held, (size_t)n * sizeof *held);
  }
  return true;
}

rutStatus view_series_read(rutLogFile* const* log, int logs, int n, const viewSeriesSignal* signal,
                           viewSeries* out, rutError* err) {
  Values values = {0};
  rutStatus status = RUT_OK;
  *out = (viewSeries){0};
  for (int k = 0; k < logs && status == RUT_OK; k++) {
    int wanted[VIEW_SIGNALS], which[VIEW_SIGNALS], m = 0;
    for (int i = 0; i < n; i++) {
      if (signal[i].log != k) continue;
      wanted[m] = signal[i].signal;
      which[m++] = i;
    }
    values.which = which;
    if (m > 0) {
      status = rut_log_read_signals(log[k], m, wanted, -HUGE_VAL, HUGE_VAL, take, &values, err);
    }
  }
  if (status == RUT_OK && values.n > 0) {
    qsort(values.value, values.n, sizeof *values.value, by_time);
  }
  if (status == RUT_OK && (values.failed || !make_rows(&values, n, out))) {
    *err = (rutError){.status = RUT_ERR_MEMORY, .message = "no memory for curves"};
    status = RUT_ERR_MEMORY;
  }
  free(values.value);
  if (status != RUT_OK) view_series_free(out);
  return status;
}

void view_series_free(viewSeries* s) {
  free(s->time);
  free(s->value);
  *s = (viewSeries){0};
}

int view_series_after(const viewSeries* s, double time) {
  int low = 0, high = s->rows;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (s->time[middle] <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
