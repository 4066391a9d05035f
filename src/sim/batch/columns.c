// SPDX-License-Identifier: BSD-3-Clause
//
// Columns of outputs, and what refers to them.
#include <string.h>

#include "base/report.h"
#include "sim/batch/batch.h"
#include "sim/spec/context.h"

int rut_batch_count_numbers(const rutModel* model, const rutVariableRange* r) {
  if (r->kind < 0 || r->kind >= RUT_KIND_COUNT || r->role < 0 || r->role >= RUT_ROLE_COUNT) {
    return -1;
  }
  if (r->index < 0 || r->index >= rut_count(model, r->kind)) return -1;
  const int n = rut_variables(model, r->kind, r->index, r->role);
  if (r->first < 0 || r->count < 0 || r->count > n - r->first) return -1;
  int numbers = 0;
  for (int i = 0; i < r->count; i++) {
    numbers += rut_variable(model, r->kind, r->index, r->role, r->first + i).count;
  }
  return numbers;
}

// The same list in memory of the batch's own; NULL if there is none.
static void* keep(const rutBatch* batch, const void* list, size_t bytes) {
  void* kept = rut_context_alloc(batch->context, bytes + 1, 16);
  if (kept && bytes) memcpy(kept, list, bytes);
  return kept;
}

static void replace(const rutBatch* batch, void** to, void* list) {
  rut_context_free(batch->context, *to);
  *to = list;
}

// Whether columns are read after every step.
static void note_looks(rutBatch* batch) {
  batch->looks = batch->limits > 0;
  for (int i = 0; i < batch->terms; i++) {
    batch->looks = batch->looks || batch->term[i].when == RUT_BATCH_EACH;
  }
}

rutStatus rut_batch_columns(rutBatch* batch, int ranges, const rutVariableRange* range,
                            int* columns, rutError* err) {
  const rutModel* model = batch->variant[0].model;
  int* numbers = rut_context_alloc(batch->context, ((size_t)ranges + 1) * sizeof *numbers, 16);
  rutVariableRange* kept = keep(batch, range, (size_t)ranges * sizeof *range);
  bool known = ranges >= 0;
  int sum = 0;
  for (int i = 0; numbers && i < ranges && known; i++) {
    numbers[i] = rut_batch_count_numbers(model, &range[i]);
    known = numbers[i] >= 0;
    sum += numbers[i];
    if (!known) {
      rut_error_set(err, RUT_ERR_ARGUMENT, "range %d of the columns names no variables", i);
    }
  }
  const int before = batch->columns;
  batch->columns = sum;
  if (!numbers || !kept || !known || !rut_batch_make_room(batch)) {
    batch->columns = before;
    rut_context_free(batch->context, numbers);
    rut_context_free(batch->context, kept);
    if (!known) return RUT_ERR_ARGUMENT;
    return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  }
  replace(batch, (void**)&batch->range, kept);
  replace(batch, (void**)&batch->numbers, numbers);
  batch->ranges = ranges;
  batch->limits = batch->terms = 0;
  note_looks(batch);
  if (columns) *columns = sum;
  return RUT_OK;
}

static rutStatus no_column(const rutBatch* batch, int column, rutError* err) {
  return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no column %d among %d", column,
                       batch->columns);
}

rutStatus rut_batch_limits(rutBatch* batch, int n, const rutBatchLimit* limit, rutError* err) {
  for (int i = 0; i < n; i++) {
    if (limit[i].column < 0 || limit[i].column >= batch->columns) {
      return no_column(batch, limit[i].column, err);
    }
  }
  rutBatchLimit* kept = keep(batch, limit, (size_t)n * sizeof *limit);
  if (!kept) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  replace(batch, (void**)&batch->limit, kept);
  batch->limits = n;
  note_looks(batch);
  return RUT_OK;
}

rutStatus rut_batch_reward(rutBatch* batch, int n, const rutBatchTerm* term, rutError* err) {
  for (int i = 0; i < n; i++) {
    if (term[i].column < 0 || term[i].column >= batch->columns) {
      return no_column(batch, term[i].column, err);
    }
  }
  rutBatchTerm* kept = keep(batch, term, (size_t)n * sizeof *term);
  if (!kept) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  replace(batch, (void**)&batch->term, kept);
  batch->terms = n;
  note_looks(batch);
  return RUT_OK;
}

void rut_batch_judge(rutBatch* batch, rutBatchJudge* judge, void* user) {
  batch->judge = judge;
  batch->user = user;
}

void rut_batch_columns_of(const rutBatch* batch, int copy, double* out) {
  const rutData* data = batch->copy[copy].data;
  for (int i = 0; i < batch->ranges; i++) {
    rut_variables_read(data->model, data, &batch->range[i], batch->numbers[i], out);
    out += batch->numbers[i];
  }
}

void rut_batch_read(rutBatch* batch, const rutBatchArray* out) {
  double* column = (double*)(void*)(batch->memory + batch->scratch_bytes);
  for (int c = 0; c < batch->def.copies; c++) {
    rut_batch_columns_of(batch, c, column);
    double* to = out->value + c * out->copy_stride;
    for (int i = 0; i < batch->columns; i++) to[i * out->column_stride] = column[i];
  }
}
