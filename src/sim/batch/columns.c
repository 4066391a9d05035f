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

// ---- what is read ----

// Columns as they are being chosen.
typedef struct Choice {
  const rutModel* model;
  int ranges;
  const rutVariableRange* range;
  int* numbers;
  int columns, reads, read_numbers;
  rutBatchRead* read;
  int* source;
} Choice;

static bool is_same(const rutVariableRange* a, const rutVariableRange* b) {
  return a->kind == b->kind && a->index == b->index && a->role == b->role && a->first == b->first &&
         a->count == b->count;
}

// Variables that are computed together with one: its set, of sensors it alone.
static rutVariableRange set_of(const rutModel* model, const rutVariableRange* r, int variable) {
  const int all = rut_variables(model, r->kind, r->index, r->role);
  const int set = rut_variable(model, r->kind, r->index, r->role, variable).set;
  int first = variable, end = variable + 1;
  while (r->kind != RUT_SENSOR && first > 0 &&
         rut_variable(model, r->kind, r->index, r->role, first - 1).set == set) {
    first--;
  }
  while (r->kind != RUT_SENSOR && end < all &&
         rut_variable(model, r->kind, r->index, r->role, end).set == set) {
    end++;
  }
  return (rutVariableRange){r->kind, r->index, r->role, first, end - first};
}

// Place of the numbers of a variable among what is read; its set is read only once.
static int find_place(Choice* choice, const rutVariableRange* r, int variable) {
  const rutVariableRange set = set_of(choice->model, r, variable);
  int i = 0;
  while (i < choice->reads && !is_same(&choice->read[i].range, &set)) i++;
  if (i == choice->reads) {
    const int numbers = rut_batch_count_numbers(choice->model, &set);
    choice->read[choice->reads++] = (rutBatchRead){set, numbers, choice->read_numbers};
    choice->read_numbers += numbers;
  }
  int at = choice->read[i].at;
  for (int v = set.first; v < variable; v++) {
    at += rut_variable(choice->model, r->kind, r->index, r->role, v).count;
  }
  return at;
}

static void find_reads(Choice* choice) {
  int column = 0;
  for (int i = 0; i < choice->ranges; i++) {
    const rutVariableRange* r = &choice->range[i];
    for (int v = r->first; v < r->first + r->count; v++) {
      const int at = find_place(choice, r, v);
      const int n = rut_variable(choice->model, r->kind, r->index, r->role, v).count;
      for (int k = 0; k < n; k++) choice->source[column++] = at + k;
    }
  }
}

// Count the columns of ranges, and the variables. False if a range names no variables.
static bool count_columns(Choice* choice, int* variables, rutError* err) {
  *variables = 0;
  for (int i = 0; i < choice->ranges; i++) {
    choice->numbers[i] = rut_batch_count_numbers(choice->model, &choice->range[i]);
    if (choice->numbers[i] < 0) {
      rut_error_set(err, RUT_ERR_ARGUMENT, "range %d of the columns names no variables", i);
      return false;
    }
    choice->columns += choice->numbers[i];
    *variables += choice->range[i].count;
  }
  return true;
}

static void free_choice(const rutBatch* batch, Choice* choice) {
  rut_context_free(batch->context, (void*)(uintptr_t)choice->range);
  rut_context_free(batch->context, choice->numbers);
  rut_context_free(batch->context, choice->read);
  rut_context_free(batch->context, choice->source);
}

// Exchange what is chosen and what is being chosen.
static void swap(rutBatch* batch, Choice* choice) {
  const Choice had = {choice->model,       batch->ranges,  batch->range,
                      batch->numbers,      batch->columns, batch->reads,
                      batch->read_numbers, batch->read,    batch->source};
  batch->ranges = choice->ranges;
  batch->range = (rutVariableRange*)(uintptr_t)choice->range;
  batch->numbers = choice->numbers;
  batch->columns = choice->columns;
  batch->reads = choice->reads;
  batch->read_numbers = choice->read_numbers;
  batch->read = choice->read;
  batch->source = choice->source;
  *choice = had;
}

rutStatus rut_batch_columns(rutBatch* batch, int ranges, const rutVariableRange* range,
                            int* columns, rutError* err) {
  rutContext* context = batch->context;
  if (ranges < 0) return rut_error_set(err, RUT_ERR_ARGUMENT, "the number of ranges is negative");
  Choice choice = {.model = batch->variant[0].model,
                   .ranges = ranges,
                   .range = keep(batch, range, (size_t)ranges * sizeof *range),
                   .numbers = rut_context_alloc(context, ((size_t)ranges + 1) * sizeof(int), 16)};
  int variables = 0;
  rutStatus status = RUT_ERR_MEMORY;
  if (choice.range && choice.numbers && !count_columns(&choice, &variables, err)) {
    status = RUT_ERR_ARGUMENT;
  } else if (choice.range && choice.numbers) {
    choice.read = rut_context_alloc(context, ((size_t)variables + 1) * sizeof *choice.read, 16);
    choice.source =
        rut_context_alloc(context, ((size_t)choice.columns + 1) * sizeof *choice.source, 16);
  }
  if (choice.read && choice.source) {
    find_reads(&choice);
    swap(batch, &choice);
    status = rut_batch_make_room(batch) ? RUT_OK : RUT_ERR_MEMORY;
    if (status != RUT_OK) swap(batch, &choice);
  }
  free_choice(batch, &choice);
  if (status == RUT_ERR_MEMORY) return rut_error_set(err, status, "out of memory");
  if (status != RUT_OK) return status;
  batch->limits = batch->terms = 0;
  note_looks(batch);
  if (columns) *columns = batch->columns;
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

void rut_batch_prepare(rutBatch* batch, rutBatchPrepare* prepare, void* user) {
  batch->prepare = prepare;
  batch->prepare_user = user;
}

void rut_batch_columns_of(const rutBatch* batch, int copy, double* out) {
  const rutData* data = batch->copy[copy].data;
  double* read = out + batch->columns;
  for (int i = 0; i < batch->reads; i++) {
    const rutBatchRead* r = &batch->read[i];
    rut_variables_read(data->model, data, &r->range, r->numbers, read + r->at);
  }
  for (int i = 0; i < batch->columns; i++) out[i] = read[batch->source[i]];
}

void rut_batch_read(rutBatch* batch, const rutBatchArray* out) {
  double* column = (double*)(void*)(batch->memory + batch->scratch_bytes);
  for (int c = 0; c < batch->def.copies; c++) {
    rut_batch_columns_of(batch, c, column);
    double* to = out->value + c * out->copy_stride;
    for (int i = 0; i < batch->columns; i++) to[i * out->column_stride] = column[i];
  }
}
