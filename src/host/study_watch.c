// SPDX-License-Identifier: BSD-3-Clause
#include "host/study_watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/study_wrong.h"
#include "math/rut_math.h"

rutStatus rut_watch_create(const rutStudy* study, rutWatch* watch, rutError* err) {
  const size_t most = (size_t)study->measures + (size_t)study->stops + 1;
  *watch = (rutWatch){.study = study};
  watch->index = calloc(most, sizeof *watch->index);
  watch->value = calloc(most, sizeof *watch->value);
  watch->of_measure = calloc(most, sizeof *watch->of_measure);
  watch->of_stop = calloc(most, sizeof *watch->of_stop);
  watch->watched = calloc(most, sizeof *watch->watched);
  if (watch->index && watch->value && watch->of_measure && watch->of_stop && watch->watched) {
    return RUT_OK;
  }
  rut_watch_free(watch);
  return rut_study_no_memory(err);
}

void rut_watch_free(rutWatch* watch) {
  for (int i = 0; watch->watched && i < watch->study->measures; i++) free(watch->watched[i].all);
  free(watch->index);
  free(watch->value);
  free(watch->of_measure);
  free(watch->of_stop);
  free(watch->watched);
  rut_signals_destroy(watch->signals);
  *watch = (rutWatch){0};
}

// Place of a signal among those that are read; -1 if the model has none of that name.
static int add(rutWatch* watch, const rutModel* model, const char* name) {
  const int signal = rut_signals_find(watch->signals, name);
  if (signal < 0) return -1;
  for (int i = 0; i < watch->n; i++) {
    if (watch->index[i] == signal) return i;
  }
  const char* element = rut_signals_at(watch->signals, signal).element;
  watch->sensors = watch->sensors || rut_find(model, RUT_SENSOR, element) >= 0;
  watch->index[watch->n] = signal;
  return watch->n++;
}

static rutStatus no_signal(const char* name, rutError* err) {
  return rut_error_set(err, RUT_ERR_MODEL, "with these inputs no signal is called '%.150s'", name);
}

rutStatus rut_watch_begin(rutWatch* watch, const rutModel* model, rutError* err) {
  const rutStudy* study = watch->study;
  rut_signals_destroy(watch->signals);
  watch->signals = NULL;
  watch->n = 0;
  watch->sensors = false;
  const rutStatus status = rut_signals_create(model, &watch->signals, err);
  if (status != RUT_OK) return status;
  for (int i = 0; i < study->measures; i++) {
    const rutMeasure* m = &study->measure[i];
    const bool reads = m->type < RUT_MEASURE_METRIC;
    watch->of_measure[i] = reads ? add(watch, model, m->source) : -1;
    if (reads && watch->of_measure[i] < 0) return no_signal(m->source, err);
  }
  for (int i = 0; i < study->stops; i++) {
    watch->of_stop[i] = add(watch, model, study->stop[i].signal);
    if (watch->of_stop[i] < 0) return no_signal(study->stop[i].signal, err);
  }
  return RUT_OK;
}

void rut_watch_clear(rutWatch* watch) {
  for (int i = 0; i < watch->study->measures; i++) {
    rutWatched* w = &watch->watched[i];
    *w = (rutWatched){.value = RUT_NAN, .all = w->all, .capacity = w->capacity};
  }
}

// Time at which the straight line from the sample before crosses a level.
static void cross(const rutMeasure* m, rutWatched* w, double time, double x) {
  const bool rises = w->last < m->level && x >= m->level && m->direction != 1;
  const bool falls = w->last > m->level && x <= m->level && m->direction != 0;
  if (w->n == 0 || !isnan(w->value) || (!rises && !falls)) return;
  w->value = w->time + (time - w->time) * (m->level - w->last) / (x - w->last);
}

static bool keep(rutWatched* w, double x) {
  if (w->n == w->capacity) {
    const int64_t capacity = 2 * w->capacity + 1024;
    double* grown = realloc(w->all, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    w->all = grown;
    w->capacity = capacity;
  }
  w->all[w->n] = x;
  return true;
}

// Take in a sample. False if out of memory.
static bool take(const rutMeasure* m, rutWatched* w, double time, double x) {
  const bool first = w->n == 0;
  switch (m->type) {
    case RUT_MEASURE_LAST:
      w->value = x;
      break;
    case RUT_MEASURE_MIN:
      w->value = first ? x : rut_min(w->value, x);
      break;
    case RUT_MEASURE_MAX:
      w->value = first ? x : rut_max(w->value, x);
      break;
    case RUT_MEASURE_MAX_ABS:
      w->value = first ? rut_abs(x) : rut_max(w->value, rut_abs(x));
      break;
    case RUT_MEASURE_MEAN:
      w->sum += x;
      break;
    case RUT_MEASURE_RMS:
      w->sum += x * x;
      break;
    case RUT_MEASURE_PERCENTILE:
      if (!keep(w, x)) return false;
      break;
    case RUT_MEASURE_CROSSING:
      cross(m, w, time, x);
      break;
    case RUT_MEASURE_METRIC:
    case RUT_MEASURE_EXPRESSION:
    case RUT_MEASURE_TYPES:
      break;
  }
  w->last = x;
  w->time = time;
  w->n++;
  return true;
}

const rutStop* rut_watch_step(rutWatch* watch, const rutModel* model, const rutData* data,
                              bool* failed) {
  const rutStudy* study = watch->study;
  const double time = rut_time(data);
  rut_signals_read(watch->signals, model, data, watch->n, watch->index, watch->value);
  for (int i = 0; i < study->measures; i++) {
    const rutMeasure* m = &study->measure[i];
    if (watch->of_measure[i] < 0 || time < m->from || time > m->to) continue;
    const double x = watch->value[watch->of_measure[i]];
    if (!isnan(x) && !take(m, &watch->watched[i], time, x)) *failed = true;
  }
  for (int i = 0; i < study->stops; i++) {
    const rutStop* stop = &study->stop[i];
    const double x = watch->value[watch->of_stop[i]];
    if (time >= stop->after && (x > stop->above || x < stop->below)) return stop;
  }
  return NULL;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

void rut_watch_read(rutWatch* watch, double* measure) {
  for (int i = 0; i < watch->study->measures; i++) {
    const rutMeasure* m = &watch->study->measure[i];
    rutWatched* w = &watch->watched[i];
    measure[i] = w->value;
    if (w->n == 0) continue;
    if (m->type == RUT_MEASURE_MEAN) measure[i] = w->sum / (double)w->n;
    if (m->type == RUT_MEASURE_RMS) measure[i] = rut_sqrt(w->sum / (double)w->n);
    if (m->type == RUT_MEASURE_PERCENTILE) {
      qsort(w->all, (size_t)w->n, sizeof *w->all, compare);
      measure[i] = rut_percentile(w->n, w->all, m->percent);
    }
  }
}
