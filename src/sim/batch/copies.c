// SPDX-License-Identifier: BSD-3-Clause
//
// Single copies of a batch: begin anew, look at one, give it a state.
#include <string.h>

#include "base/report.h"
#include "base/rng.h"
#include "sim/batch/batch.h"
#include "sim/data.h"
#include "sim/spec/context.h"

uint64_t rut_batch_seed(uint64_t seed, int copy, int64_t episode) {
  return rut_mix(rut_mix(rut_mix(seed) ^ (uint64_t)copy) ^ (uint64_t)episode);
}

void rut_batch_take_out(rutBatch* batch, int copy) {
  rutBatchMember* m = &batch->copy[copy];
  if (m->in_lane) rut_tile_leave(&batch->unit[m->unit].tile, m->lane);
  m->in_lane = false;
  m->data->scratch = m->scratch;
}

void rut_batch_begin_with(rutBatch* batch, int copy, uint64_t seed) {
  rutBatchMember* m = &batch->copy[copy];
  m->seed = seed;
  m->end = RUT_BATCH_NONE;
  rut_data_reset(m->data->model, m->data, seed);
}

void rut_batch_begin(rutBatch* batch, int copy) {
  rutBatchMember* m = &batch->copy[copy];
  m->episode++;
  rut_batch_begin_with(batch, copy, rut_batch_seed(batch->def.seed, copy, m->episode));
}

static bool has_copy(const rutBatch* batch, int copy) {
  return copy >= 0 && copy < batch->def.copies;
}

void rut_batch_reset(rutBatch* batch, int n, const int* copy, const uint64_t* seed) {
  for (int i = 0; i < (copy ? n : batch->def.copies); i++) {
    const int c = copy ? copy[i] : i;
    if (!has_copy(batch, c)) continue;
    rut_batch_take_out(batch, c);
    if (seed) {
      batch->copy[c].episode++;
      rut_batch_begin_with(batch, c, seed[i]);
    } else {
      rut_batch_begin(batch, c);
    }
  }
}

rutBatchCopy rut_batch_copy(const rutBatch* batch, int copy) {
  if (!has_copy(batch, copy)) return (rutBatchCopy){0};
  const rutBatchMember* m = &batch->copy[copy];
  return (rutBatchCopy){.end = m->end,
                        .steps = m->data->steps,
                        .time = m->data->time,
                        .seed = m->seed,
                        .episode = m->episode,
                        .in_lanes = m->in_lane};
}

const rutModel* rut_batch_copy_model(const rutBatch* batch, int copy) {
  if (!has_copy(batch, copy)) return NULL;
  return batch->variant[batch->copy[copy].variant].model;
}

rutData* rut_batch_data(rutBatch* batch, int copy) {
  if (!has_copy(batch, copy)) return NULL;
  rut_batch_take_out(batch, copy);
  return batch->copy[copy].data;
}

void rut_batch_pause(rutBatch* batch, int copy) {
  if (has_copy(batch, copy)) batch->copy[copy].end = RUT_BATCH_PAUSED;
}

void rut_batch_resume(rutBatch* batch, int copy) {
  if (has_copy(batch, copy)) batch->copy[copy].end = RUT_BATCH_NONE;
}

// ---- the state of a run ----

// A state that is given to several copies.
typedef struct Given {
  const rutModel* model;
  const rutData* data;
  void* bytes;        // all but the ruts
  rutSoftBase* ruts;  // NULL in worlds without
} Given;

static rutStatus give(rutBatch* batch, int copy, const Given* from, rutError* err) {
  rutBatchMember* m = &batch->copy[copy];
  const rutModel* model = batch->variant[m->variant].model;
  rut_batch_take_out(batch, copy);
  m->end = RUT_BATCH_NONE;
  if (model->hash != from->model->hash) {
    return rut_state_adopt(model, m->data, from->model, from->data, err);
  }
  const rutStatus status = rut_state_set_fixed(model, m->data, from->bytes, from->ruts);
  if (status == RUT_OK) return RUT_OK;
  return rut_error_set(err, status, "the state does not fit copy %d: %s", copy,
                       rut_status_text(status));
}

void rut_batch_drop_ruts(rutBatch* batch) {
  for (rutBatchRuts** at = &batch->ruts; *at;) {
    rutBatchRuts* ruts = *at;
    if (atomic_load_explicit(&ruts->base->users, memory_order_acquire) > 0) {
      at = &ruts->next;
    } else {
      *at = ruts->next;
      rut_context_free(batch->context, ruts);
    }
  }
}

// The ruts of a run, for copies to share; the batch owns them. NULL if out of memory.
static rutSoftBase* keep_ruts(rutBatch* batch, const rutSoftGround* ground) {
  enum { ALIGNMENT = 64 };
  const size_t head = (sizeof(rutBatchRuts) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  const size_t bytes = head + rut_soft_base_size(ground);
  rutBatchRuts* ruts = rut_context_alloc(batch->context, bytes, ALIGNMENT);
  if (!ruts) return NULL;
  rutSoftBase* base = rut_soft_base_make(ground, (unsigned char*)ruts + head);
  *ruts = (rutBatchRuts){batch->ruts, base, bytes};
  batch->ruts = ruts;
  return ruts->base;
}

rutStatus rut_batch_adopt_all(rutBatch* batch, int n, const int* copy, rutBatchSource run,
                              rutError* err) {
  const rutModel* model = run.model;
  const rutData* from = run.data;
  if (!rut_data_is_of(from, model)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "this data was made from another model");
  }
  Given given = {model, from, rut_context_alloc(batch->context, rut_state_fixed_size(model), 64),
                 NULL};
  if (given.bytes && from->soft) given.ruts = keep_ruts(batch, from->soft);
  if (!given.bytes || (from->soft && !given.ruts)) {
    rut_context_free(batch->context, given.bytes);
    return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  }
  rutStatus status = rut_state_get_fixed(model, from, given.bytes);
  for (int i = 0; status == RUT_OK && i < n; i++) {
    const int c = copy ? copy[i] : i;
    status = has_copy(batch, c) ? give(batch, c, &given, err)
                                : rut_error_set(err, RUT_ERR_ARGUMENT, "there is no copy %d", c);
  }
  rut_context_free(batch->context, given.bytes);
  rut_batch_drop_ruts(batch);
  return status;
}

rutStatus rut_batch_adopt(rutBatch* batch, int n, const int* copy, const rutModel* model,
                          const rutData* from, rutError* err) {
  return rut_batch_adopt_all(batch, copy ? n : batch->def.copies, copy,
                             (rutBatchSource){model, from}, err);
}

// ---- what there is ----

const char* rut_batch_end_name(rutBatchEnd end) {
  static const char* const name[] = {"none", "limit", "judge", "horizon", "diverged", "paused"};
  return end >= 0 && end < RUT_BATCH_END_COUNT ? name[end] : "";
}

const char* rut_batch_end_doc(rutBatchEnd end) {
#define X(name, doc) doc,
  static const char* const text[] = {RUT_BATCH_END_LIST(X)};
#undef X
  return end >= 0 && end < RUT_BATCH_END_COUNT ? text[end] : "";
}

rutBatchInfo rut_batch_info(const rutBatch* batch) {
  const rutLanes* lanes = batch->variant[0].lanes;
  rutBatchInfo info = {.copies = batch->def.copies,
                       .workers = batch->def.workers,
                       .variants = batch->variants,
                       .can_share = lanes->shared,
                       .why = lanes->why,
                       .memory = batch->unit_bytes};
  for (int u = 0; u < batch->units; u++) {
    const rutBatchUnit* unit = &batch->unit[u];
    info.tiles += unit->shares;
    int going = 0;
    for (int l = 0; l < unit->copies; l++)
      going += batch->copy[unit->copy[l]].end == RUT_BATCH_NONE;
    if (unit->shares && going >= RUT_BATCH_LEAST_SHARED) info.matched += going;
  }
  for (int v = 0; v < batch->variants; v++) {
    const rutLanes* own = batch->variant[v].lanes;
    info.in_step = info.in_step || (own->shared && own->in_step);
  }
  for (const rutBatchRuts* ruts = batch->ruts; ruts; ruts = ruts->next) info.memory += ruts->bytes;
  for (int c = 0; c < batch->def.copies; c++) {
    info.in_lanes += batch->copy[c].in_lane;
    info.memory += batch->variant[batch->copy[c].variant].model->data_size;
  }
  return info;
}
