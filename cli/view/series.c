// SPDX-License-Identifier: BSD-3-Clause
#include "view/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
  rutStatus status;  // why no more are kept
  const int* which;  // place in the row of each signal that is read now
} Values;

static bool grow(Values* v) {
  if (v->n == MAX_VALUES) {
    v->status = RUT_ERR_CAPACITY;
    return false;
  }
  const size_t twice = 2 * v->capacity + 4096, capacity = twice < MAX_VALUES ? twice : MAX_VALUES;
  Value* larger = realloc(v->value, capacity * sizeof *larger);
  if (!larger) {
    v->status = RUT_ERR_MEMORY;
    return false;
  }
  v->value = larger;
  v->capacity = capacity;
  return true;
}

static void take(int which, double time, double value, void* user) {
  Values* v = user;
  if (v->status != RUT_OK || (v->n == v->capacity && !grow(v))) return;
  v->value[v->n++] = (Value){time, v->which[which], (float)value};
}

static int by_time(const void* a, const void* b) {
  const Value *x = a, *y = b;
  if (x->time != y->time) return x->time < y->time ? -1 : 1;
  return x->which - y->which;
}

// ---- rows ----

// Extremes of a signal in a piece, and their rows; NaN: no value.
typedef struct Extreme {
  float least, most;
  size_t least_at, most_at;
} Extreme;

static void widen(int n, Extreme* extreme, const float* row, size_t at) {
  for (int i = 0; i < n; i++) {
    Extreme* e = &extreme[i];
    if (at == 0) *e = (Extreme){.least = NAN, .most = NAN};
    if (isnan(row[i])) continue;
    if (!(row[i] >= e->least)) {
      e->least = row[i];
      e->least_at = at;
    }
    if (!(row[i] <= e->most)) {
      e->most = row[i];
      e->most_at = at;
    }
  }
}

// One row, or two, whose times are there already.
static void put_extremes(int n, const Extreme* extreme, int rows, viewSeries* out) {
  float* value = out->value + (size_t)out->rows * (size_t)n;
  for (int i = 0; i < n; i++) {
    const Extreme* e = &extreme[i];
    const bool rises = e->least_at <= e->most_at;
    value[i] = rises ? e->least : e->most;
    if (rows > 1) value[n + i] = rises ? e->most : e->least;
  }
  out->rows += rows;
}

static size_t count_rows(const Values* v) {
  size_t rows = 0;
  for (size_t i = 0; i < v->n; i++) {
    rows += i + 1 == v->n || v->value[i + 1].time != v->value[i].time;
  }
  return rows;
}

static bool make_room(int n, size_t rows, viewSeries* out) {
  *out = (viewSeries){.signals = n,
                      .time = malloc((rows + 1) * sizeof(double)),
                      .value = malloc((rows + 1) * (size_t)(n + 1) * sizeof(float))};
  return out->time && out->value;
}

// Rows of all times; a signal that has no value at one keeps that before. Where there are too many,
// a piece of them becomes two, with the extremes of each signal in the order in which they came.
static bool make_rows(const Values* v, int n, viewSeries* out) {
  const size_t rows = count_rows(v), stride = (rows + MAX_ROWS - 1) / MAX_ROWS;
  const size_t most = stride > 1 ? 2 * stride : 1;
  float held[VIEW_SIGNALS];
  Extreme extreme[VIEW_SIGNALS];
  if (!make_room(n, stride > 1 ? 2 * (rows / most + 1) : rows, out)) return false;
  for (int i = 0; i < n; i++) held[i] = NAN;
  // number of a row in its piece, and of rows up to the end of the piece before
  size_t at = 0, before = 0;
  for (size_t i = 0; i < v->n; i++) {
    held[v->value[i].which] = v->value[i].value;
    if (i + 1 < v->n && v->value[i + 1].time == v->value[i].time) continue;
    const size_t length = rows - before < most ? rows - before : most;
    if (at == 0) out->time[out->rows] = v->value[i].time;
    if (at > 0 && at == length / 2) out->time[out->rows + 1] = v->value[i].time;
    widen(n, extreme, held, at);
    if (++at < length) continue;
    put_extremes(n, extreme, length > 1 ? 2 : 1, out);
    before += at;
    at = 0;
  }
  return true;
}

// ---- reading ----

static rutStatus fail(rutStatus status, int n, rutError* err) {
  *err = (rutError){.status = status, .message = "no memory for curves"};
  if (status == RUT_ERR_CAPACITY) {
    snprintf(err->message, sizeof err->message,
             "%d signals of this log have more than %d values: choose fewer", n, MAX_VALUES);
  }
  return status;
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
      const rutLogSelection all_times = {
          .n = m, .index = wanted, .from = -HUGE_VAL, .to = HUGE_VAL};
      status = rut_log_read_signals(log[k], &all_times, take, &values, err);
    }
    if (status == RUT_OK && values.status != RUT_OK) status = fail(values.status, n, err);
  }
  if (status == RUT_OK && values.n > 0) {
    qsort(values.value, values.n, sizeof *values.value, by_time);
  }
  if (status == RUT_OK && !make_rows(&values, n, out)) status = fail(RUT_ERR_MEMORY, n, err);
  free(values.value);
  if (status != RUT_OK) view_series_free(out);
  return status;
}

void view_series_free(viewSeries* s) {
  free(s->time);
  free(s->value);
  *s = (viewSeries){0};
}
