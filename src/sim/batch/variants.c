// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters of each copy: a model for every combination of numbers, made of the batch's spec.
#include <string.h>

#include "base/hash.h"
#include "base/report.h"
#include "sim/batch/batch.h"
#include "sim/compile/lanes_build.h"
#include "sim/spec/context.h"

// What is being prepared; the batch stays as it is until all of it is there.
typedef struct Change {
  rutBatch* batch;
  int fields;
  const char* const* path;
  rutBatchArray value;
  int* variant;  // [copies]
  int* first;    // [variants] copy that it is of; variant 0, that of the spec, is of none
  int variants;
  rutBatchVariant* model;  // [variants]
  rutData** data;          // [copies]
} Change;

static double number_of(const Change* change, int copy, int field) {
  return change->value
      .value[copy * change->value.copy_stride + field * change->value.column_stride];
}

static bool same_numbers(const Change* change, int a, int b) {
  for (int i = 0; i < change->fields; i++) {
    const double x = number_of(change, a, i), y = number_of(change, b, i);
    // equal bits, so that -0 is another number than 0
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c)
    if (memcmp(&x, &y, sizeof x) != 0) return false;
  }
  return true;
}

static uint64_t hash_numbers(const Change* change, int copy) {
  uint64_t hash = RUT_HASH_START;
  for (int i = 0; i < change->fields; i++) {
    const double x = number_of(change, copy, i);
    hash = rut_hash(hash, &x, sizeof x);
  }
  return hash ^ hash >> 32;
}

// Number the variants in the order of the copies; those with equal numbers have the same one. slot
// is a table of `slots` places, at most half of them in use, which hold a variant or 0.
static void number_variants(Change* change, int* slot, size_t slots) {
  memset(slot, 0, slots * sizeof *slot);
  change->variants = 1;
  for (int c = 0; c < change->batch->def.copies; c++) {
    size_t at = (size_t)(hash_numbers(change, c) % slots);
    while (slot[at] && !same_numbers(change, change->first[slot[at]], c)) at = (at + 1) % slots;
    if (!slot[at]) {
      slot[at] = change->variants++;
      change->first[slot[at]] = c;
    }
    change->variant[c] = slot[at];
  }
}

static bool find_variants(Change* change) {
  rutContext* context = change->batch->context;
  const size_t copies = (size_t)change->batch->def.copies, slots = 2 * copies + 1;
  int* slot = rut_context_alloc(context, slots * sizeof *slot, 16);
  change->variant = rut_context_alloc(context, copies * sizeof *change->variant, 16);
  change->first = rut_context_alloc(context, (copies + 1) * sizeof *change->first, 16);
  const bool there = slot && change->variant && change->first;
  if (there) number_variants(change, slot, slots);
  rut_context_free(context, slot);
  return there;
}

// ---- models ----

static rutStatus set_field(rutSpec* spec, const char* path, double value, rutError* err) {
  const char* dot = strrchr(path, '.');
  char node_path[1024];
  const size_t length = dot ? (size_t)(dot - path) : 0;
  if (length >= sizeof node_path) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "path '%.60s...' is too long", path);
  }
  memcpy(node_path, path, length);
  node_path[length] = '\0';
  const rutNode node = rut_spec_find(spec, node_path);
  // tells what is wrong with the path
  if (rut_node_is_null(node)) return rut_spec_set(spec, path, "0", err);
  return rut_node_set_number(spec, node, dot ? dot + 1 : path, value, err);
}

bool rut_batch_fits(const rutBatch* batch, const rutModel* model) {
  const rutModel* base = batch->variant[0].model;
  if (model->vehicles != base->vehicles) return false;
  for (int v = 0; v < model->vehicles; v++) {
    if (rut_vehicle_info(model, v).commands != rut_vehicle_info(base, v).commands) return false;
  }
  for (int i = 0; i < batch->ranges; i++) {
    if (rut_batch_count_numbers(model, &batch->range[i]) != batch->numbers[i]) return false;
  }
  return true;
}

static rutStatus compile_variant(Change* change, rutSpec* spec, int v, rutError* err) {
  for (int i = 0; i < change->fields; i++) {
    const rutStatus set =
        set_field(spec, change->path[i], number_of(change, change->first[v], i), err);
    if (set != RUT_OK) return set;
  }
  rutBatchVariant* made = &change->model[v];
  const rutStatus status = rut_compile_lanes(spec, &made->model, &made->lanes, err);
  if (status != RUT_OK || rut_batch_fits(change->batch, made->model)) return status;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "the numbers of copy %d change what elements there are: set points or "
                       "columns of the batch would be missing",
                       change->first[v]);
}

// Warnings are told of the first one alone.
static rutStatus compile_all(Change* change, rutError* err) {
  rutContext* context = change->batch->context;
  rutReporter* reporter = rut_context_reporter(context);
  const rutReporter kept = *reporter;
  const size_t bytes = (size_t)change->variants * sizeof *change->model;
  rutSpec* spec = NULL;
  change->model = rut_context_alloc(context, bytes, 16);
  if (!change->model) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  memset(change->model, 0, bytes);
  rutStatus status = rut_spec_copy(change->batch->spec, &spec, err);
  for (int v = 1; v < change->variants && status == RUT_OK; v++) {
    status = compile_variant(change, spec, v, err);
    reporter->report = NULL;
  }
  reporter->report = kept.report;
  rut_spec_destroy(spec);
  return status;
}

static bool make_data(Change* change) {
  const int copies = change->batch->def.copies;
  const size_t bytes = (size_t)copies * sizeof(rutData*);
  change->data = rut_context_alloc(change->batch->context, bytes, 16);
  if (!change->data) return false;
  memset(change->data, 0, bytes);
  for (int c = 0; c < copies; c++) {
    change->data[c] = rut_data_create(change->model[change->variant[c]].model);
    if (!change->data[c]) return false;
    rut_host_thread(change->data[c], false);
  }
  return true;
}

// ---- the change ----

static void free_models(int n, rutBatchVariant* model) {
  for (int v = 1; model && v < n; v++) {
    rut_lanes_destroy(model[v].lanes);
    rut_model_destroy(model[v].model);
  }
}

static void free_change(Change* change) {
  rutContext* context = change->batch->context;
  for (int c = 0; change->data && c < change->batch->def.copies; c++) {
    rut_data_destroy(change->data[c]);
  }
  free_models(change->variants, change->model);
  void* const owned[] = {change->variant, change->first, change->model, change->data};
  for (int i = 0; i < RUT_COUNT_OF(owned); i++) rut_context_free(context, owned[i]);
}

// Exchange what the batch has and what was prepared.
static void swap(Change* change) {
  rutBatch* batch = change->batch;
  rutBatchVariant* const model = batch->variant;
  const int variants = batch->variants;
  batch->variant = change->model;
  batch->variants = change->variants;
  change->model = model;
  change->variants = variants;
  batch->variant[0] = model[0];
  for (int c = 0; c < batch->def.copies; c++) {
    rutBatchMember* m = &batch->copy[c];
    rutData* data = m->data;
    const int variant = m->variant;
    m->data = change->data[c];
    m->variant = change->variant[c];
    m->scratch = m->data->scratch;
    change->data[c] = data;
    change->variant[c] = variant;
  }
}

rutStatus rut_batch_vary(rutBatch* batch, int fields, const char* const* path,
                         const rutBatchArray* value, rutError* err) {
  Change change = {.batch = batch, .fields = fields, .path = path, .value = *value};
  if (fields < 0) return rut_error_set(err, RUT_ERR_ARGUMENT, "the number of fields is negative");
  rutStatus status = find_variants(&change) ? compile_all(&change, err)
                                            : rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  if (status == RUT_OK && !make_data(&change)) {
    status = rut_error_set(err, RUT_ERR_MEMORY, "out of memory for the copies");
  }
  if (status == RUT_OK) {
    for (int c = 0; c < batch->def.copies; c++) rut_batch_take_out(batch, c);
    swap(&change);
    if (!rut_batch_lay_units(batch)) {
      swap(&change);
      status = rut_error_set(err, RUT_ERR_MEMORY, "out of memory for lanes");
    }
  }
  if (status == RUT_OK) {
    for (int c = 0; c < batch->def.copies; c++) rut_batch_begin(batch, c);
  }
  free_change(&change);
  return status;
}
