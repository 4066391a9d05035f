// SPDX-License-Identifier: BSD-3-Clause
//
// What the extension module adds to librut: loops that Python would make slowly.
#ifndef RUT_PYTHON_NATIVE_H
#define RUT_PYTHON_NATIVE_H

#include <math.h>
#include <stdlib.h>

#include "gym_lanes.h"
#include "interrupt.h"
#include "rut/batch.h"
#include "rut/host.h"

// What happens beside the steps of a run. Nullable: log, inputs, stop.
typedef struct rutPythonRun {
  int64_t steps;
  rutInputs* inputs;  // set points over time
  rutLog* log;
  const int* stop;  // the run ends after a step that leaves this other than 0
} rutPythonRun;

// Make steps. Errors: those of rut_step, rut_inputs_apply and rut_log_step.
static rutStatus rut_python_run(const rutModel* model, rutData* data, const rutPythonRun* run,
                                rutError* err) {
  for (int64_t i = 0; i < run->steps; i++) {
    rutStatus status = run->inputs ? rut_inputs_apply(run->inputs, model, data) : RUT_OK;
    if (!status) status = rut_step(model, data, err);
    if (!status && run->log) status = rut_log_step(run->log, model, data, err);
    if (status) return status;
    if (run->stop && *run->stop) return RUT_OK;
  }
  return RUT_OK;
}

// Values of one signal of a log: n pairs of time and value.
typedef struct rutPythonSeries {
  double* pair;
  size_t n, capacity;
  bool full;  // out of memory: some are missing
} rutPythonSeries;

static void rut_python_keep(int which, double time, double value, void* user) {
  rutPythonSeries* s = (rutPythonSeries*)user + which;
  if (s->n == s->capacity) {
    const size_t capacity = s->capacity ? 2 * s->capacity : 1024;
    double* pair = realloc(s->pair, 2 * capacity * sizeof *pair);
    if (!pair) {
      s->full = true;
      return;
    }
    s->pair = pair;
    s->capacity = capacity;
  }
  s->pair[2 * s->n] = time;
  s->pair[2 * s->n + 1] = value;
  s->n++;
}

// series[signals->n], zero before the call; the caller frees each pair. Errors: those of
// rut_log_read_signals, MEMORY.
static rutStatus rut_python_series(rutLogFile* file, const rutLogSelection* signals,
                                   rutPythonSeries* series, rutError* err) {
  const rutStatus status = rut_log_read_signals(file, signals, rut_python_keep, series, err);
  for (int i = 0; !status && i < signals->n; i++) {
    if (series[i].full) return RUT_ERR_MEMORY;
  }
  return status;
}

// Columns of some copies of a batch, which rut_batch_read would read of all.
typedef struct rutPythonRows {
  int copies, ranges;
  const int* copy;                // [copies]
  const rutVariableRange* range;  // [ranges] the columns
  const int* numbers;             // [ranges] how many each has
  double* scratch;                // as many as the largest of these
  double* apart;                  // [columns][copies] the same once more; null: not wanted
} rutPythonRows;

// Into the row of each copy in out. Errors: those of rut_variables_read.
static rutStatus rut_python_rows(rutBatch* batch, const rutPythonRows* rows,
                                 const rutBatchArray* out) {
  for (int i = 0; i < rows->copies; i++) {
    const rutData* data = rut_batch_data(batch, rows->copy[i]);
    const rutModel* model = rut_batch_copy_model(batch, rows->copy[i]);
    double* at = out->value + rows->copy[i] * out->copy_stride;
    double* apart = rows->apart ? rows->apart + i : NULL;
    for (int r = 0; r < rows->ranges; r++) {
      const int n = rows->numbers[r];
      const rutStatus status = rut_variables_read(model, data, &rows->range[r], n, rows->scratch);
      if (status) return status;
      for (int k = 0; k < n; k++, at += out->column_stride) {
        *at = rows->scratch[k];
        if (!apart) continue;
        *apart = *at;
        apart += rows->copies;
      }
    }
  }
  return RUT_OK;
}

// Lanes lane[n] begin their next episodes (rut_python_next_episodes): their copies are reset, their
// columns read into out and seen[columns][n]. Errors: those of rut_variables_read.
static rutStatus rut_python_begin(rutBatch* batch, const rutPythonEpisodes* episodes,
                                  rutPythonRows* rows, const rutBatchArray* out, int n,
                                  const int64_t* lane, uint64_t* key, double* seen) {
  rut_python_next_episodes(episodes, n, lane, key);
  rut_batch_reset(batch, n, episodes->copy, episodes->bits);
  rows->copies = n;
  rows->copy = episodes->copy;
  rows->apart = seen;
  return rut_python_rows(batch, rows, out);
}

static void rut_python_free(void* memory) { free(memory); }

#endif  // RUT_PYTHON_NATIVE_H
