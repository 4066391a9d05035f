// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds of single copies.
#include <string.h>

#include "base/report.h"
#include "sim/batch/batch.h"
#include "sim/compile/lanes_build.h"
#include "sim/spec/context.h"

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "out of memory for a world of a copy");
}

static bool has_copy(const rutBatch* batch, int copy) {
  return copy >= 0 && copy < batch->def.copies;
}

// ---- variants ----

// Room for one more variant behind the others.
static bool make_place(rutBatch* batch) {
  const size_t bytes = (size_t)batch->variants * sizeof *batch->variant;
  rutBatchVariant* grown =
      rut_context_alloc(batch->context, bytes + sizeof *batch->variant, RUT_ARENA_ALIGN);
  if (!grown) return false;
  memcpy(grown, batch->variant, bytes);
  rut_context_free(batch->context, batch->variant);
  batch->variant = grown;
  return true;
}

// Remove a variant that no copy has any more; the last one takes its place.
static void drop_unused(rutBatch* batch, int variant) {
  // the first one is that of the spec
  if (variant == 0) return;
  for (int c = 0; c < batch->def.copies; c++) {
    if (batch->copy[c].variant == variant) return;
  }
  const int last = --batch->variants;
  rut_lanes_destroy(batch->variant[variant].lanes);
  rut_model_destroy(batch->variant[variant].model);
  batch->variant[variant] = batch->variant[last];
  for (int c = 0; c < batch->def.copies; c++) {
    if (batch->copy[c].variant == last) batch->copy[c].variant = variant;
  }
}

// ---- a copy and its variant ----

// Give a copy data of a variant, and begin there.
static rutStatus move_to(rutBatch* batch, int copy, int variant, uint64_t seed, rutError* err) {
  rutBatchMember* m = &batch->copy[copy];
  rutData* data = rut_data_create(batch->variant[variant].model);
  if (!data) return no_memory(err);
  rut_host_thread(data, false);
  for (int c = 0; c < batch->def.copies; c++) rut_batch_take_out(batch, c);
  rutData* const before = m->data;
  const int was = m->variant;
  m->data = data;
  m->scratch = data->scratch;
  m->variant = variant;
  if (!rut_batch_lay_units(batch)) {
    m->data = before;
    m->scratch = before->scratch;
    m->variant = was;
    rut_data_destroy(data);
    return no_memory(err);
  }
  rut_data_destroy(before);
  drop_unused(batch, was);
  m->episode++;
  rut_batch_begin_with(batch, copy, seed);
  return RUT_OK;
}

rutStatus rut_batch_set_world(rutBatch* batch, int copy, const rutSpec* spec, uint64_t seed,
                              rutError* err) {
  if (!has_copy(batch, copy)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no copy %d", copy);
  }
  rutBatchVariant made = {0};
  rutStatus status = rut_compile_lanes(spec, &made.model, &made.lanes, err);
  if (status != RUT_OK) return status;
  if (!rut_batch_fits(batch, made.model)) {
    status = rut_error_set(err, RUT_ERR_MODEL,
                           "set points or columns of the batch are missing in the world of copy %d",
                           copy);
  }
  if (status == RUT_OK && !make_place(batch)) status = no_memory(err);
  if (status == RUT_OK) {
    batch->variant[batch->variants] = made;
    status = move_to(batch, copy, batch->variants++, seed, err);
    if (status != RUT_OK) batch->variants--;
  }
  if (status == RUT_OK) return RUT_OK;
  rut_lanes_destroy(made.lanes);
  rut_model_destroy(made.model);
  return status;
}

rutStatus rut_batch_share_world(rutBatch* batch, int copy, int from, uint64_t seed, rutError* err) {
  if (!has_copy(batch, copy) || !has_copy(batch, from)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no copy %d",
                         has_copy(batch, copy) ? from : copy);
  }
  if (batch->copy[copy].variant != batch->copy[from].variant) {
    return move_to(batch, copy, batch->copy[from].variant, seed, err);
  }
  rut_batch_reset(batch, 1, &copy, &seed);
  return RUT_OK;
}
