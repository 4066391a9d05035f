// SPDX-License-Identifier: BSD-3-Clause
//
// Making a batch: models, copies, units of copies, and memory of the workers.
#include <string.h>

#include "base/report.h"
#include "sim/batch/batch.h"
#include "sim/compile/lanes_build.h"
#include "sim/spec/context.h"

enum { MOST_COPIES = 1 << 24 };

rutBatchDef rut_default_batch(void) {
  return (rutBatchDef){.struct_size = sizeof(rutBatchDef), .copies = 1};
}

// ---- units ----

static size_t align_up(size_t size) {
  return (size + RUT_ARENA_ALIGN - 1) & ~(size_t)(RUT_ARENA_ALIGN - 1);
}

// Do copies of a variant share lanes, if there are enough?
static bool shares(const rutBatch* batch, int variant) {
  return !batch->def.apart && batch->variant[variant].lanes->shared;
}

// The first variant whose copies share lanes with those of each one.
static void find_kinds(const rutBatch* batch, int* kind) {
  for (int v = 0; v < batch->variants; v++) {
    kind[v] = v;
    for (int k = 0; k < v && shares(batch, v); k++) {
      const rutLanes *a = batch->variant[k].lanes, *b = batch->variant[v].lanes;
      if (!a->shared || kind[k] != k || a->kind != b->kind) continue;
      kind[v] = k;
      break;
    }
  }
}

// Put each copy into the last unit of its kind that has room. Returns the number of units. kind,
// last and used are lists of the variants. Nullable: unit.
typedef struct Deal {
  const int* kind;
  int *last, *used;
} Deal;
static int deal_out(rutBatch* batch, const Deal* deal, rutBatchUnit* unit) {
  int units = 0;
  for (int v = 0; v < batch->variants; v++) deal->last[v] = -1;
  for (int c = 0; c < batch->def.copies; c++) {
    const int k = deal->kind[batch->copy[c].variant], most = shares(batch, k) ? RUT_MBD_LANES : 1;
    int *last = &deal->last[k], *used = &deal->used[k];
    if (*last < 0 || *used == most) {
      *last = units++;
      *used = 0;
      if (unit) unit[*last] = (rutBatchUnit){.shares = most > 1};
      for (int l = 0; unit && l < RUT_MBD_LANES; l++) unit[*last].copy[l] = -1;
    }
    if (unit) {
      unit[*last].copy[*used] = c;
      unit[*last].copies++;
      batch->copy[c].unit = *last;
      batch->copy[c].lane = *used;
    }
    (*used)++;
  }
  return units;
}

// Lanes without a copy have the constants of the last one.
static void take_tiles(const rutBatch* batch, int units, rutBatchUnit* unit, rutArena* arena) {
  for (int u = 0; u < units; u++) {
    if (!unit[u].shares) continue;
    const rutLanes* lanes[RUT_MBD_LANES];
    for (int l = 0; l < RUT_MBD_LANES; l++) {
      const int copy = unit[u].copy[l < unit[u].copies ? l : unit[u].copies - 1];
      lanes[l] = batch->variant[batch->copy[copy].variant].lanes;
    }
    rut_tile_take(lanes, arena, &unit[u].tile);
  }
}

static size_t most_scratch(const rutBatch* batch) {
  size_t most = 0;
  for (int v = 0; v < batch->variants; v++) {
    const size_t own = batch->variant[v].model->worker_scratch;
    const size_t lanes = batch->variant[v].lanes->view[0].worker_scratch;
    most = own > most ? own : most;
    most = lanes > most ? lanes : most;
  }
  return align_up(most);
}

bool rut_batch_make_room(rutBatch* batch) {
  const size_t scratch = most_scratch(batch);
  const size_t bytes =
      scratch +
      align_up(((size_t)batch->columns + (size_t)batch->read_numbers + 1) * sizeof(double));
  unsigned char* memory =
      rut_context_alloc(batch->context, (size_t)batch->def.workers * bytes, RUT_ARENA_ALIGN);
  if (!memory) return false;
  rut_context_free(batch->context, batch->memory);
  batch->memory = memory;
  batch->worker_bytes = bytes;
  batch->scratch_bytes = scratch;
  return true;
}

bool rut_batch_lay_units(rutBatch* batch) {
  rutContext* context = batch->context;
  int* kind = rut_context_alloc(context, 3 * (size_t)batch->variants * sizeof *kind, 16);
  if (!kind) return false;
  const Deal deal = {kind, kind + batch->variants, kind + 2 * (size_t)batch->variants};
  find_kinds(batch, kind);
  const int units = deal_out(batch, &deal, NULL);
  rutBatchUnit* unit = rut_context_alloc(context, (size_t)units * sizeof *unit, 16);
  if (unit) deal_out(batch, &deal, unit);
  rut_context_free(context, kind);
  if (!unit) return false;
  rutArena arena = {0};
  take_tiles(batch, units, unit, &arena);
  // with a byte more, so that there is memory even without tiles
  const size_t bytes = arena.used + 1;
  arena = (rutArena){.size = bytes, .base = rut_context_alloc(context, bytes, RUT_ARENA_ALIGN)};
  if (!arena.base || !rut_batch_make_room(batch)) {
    rut_context_free(context, unit);
    rut_context_free(context, arena.base);
    return false;
  }
  memset(arena.base, 0, bytes);
  take_tiles(batch, units, unit, &arena);
  rut_context_free(context, batch->unit);
  rut_context_free(context, batch->unit_memory);
  batch->unit = unit;
  batch->units = units;
  batch->unit_memory = arena.base;
  batch->unit_bytes = bytes;
  return true;
}

// ---- the batch ----

static bool make_copies(rutBatch* batch) {
  const size_t bytes = (size_t)batch->def.copies * sizeof *batch->copy;
  batch->copy = rut_context_alloc(batch->context, bytes, 16);
  if (!batch->copy) return false;
  memset(batch->copy, 0, bytes);
  for (int c = 0; c < batch->def.copies; c++) {
    rutData* data = rut_data_create(batch->variant[0].model);
    if (!data) return false;
    // their controllers run in the steps: copies are parallel as they are
    rut_host_thread(data, false);
    batch->copy[c].data = data;
    batch->copy[c].scratch = data->scratch;
    rut_batch_begin_with(batch, c, rut_batch_seed(batch->def.seed, c, 0));
  }
  return true;
}

static int count_commands(const rutModel* model) {
  int n = 0;
  for (int v = 0; v < model->vehicles; v++) n += rut_vehicle_info(model, v).commands;
  return n;
}

static rutStatus check(const rutBatchDef* def, rutError* err) {
  if (def->struct_size != sizeof *def) {
    return rut_error_set(err, RUT_ERR_VERSION,
                         "the size of rutBatchDef is that of another version");
  }
  if (def->copies < 1 || def->copies > MOST_COPIES) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a batch has 1 to %d copies, not %d", MOST_COPIES,
                         def->copies);
  }
  if (def->workers < 0 || def->horizon < 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "workers and horizon must not be negative");
  }
  return RUT_OK;
}

rutStatus rut_batch_create(const rutSpec* spec, const rutBatchDef* def, rutBatch** out,
                           rutError* err) {
  *out = NULL;
  rutStatus status = check(def, err);
  if (status != RUT_OK) return status;
  rutContext* context = rut_spec_context(spec);
  rutBatch* batch = rut_context_alloc(context, sizeof *batch, 16);
  if (!batch) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  *batch = (rutBatch){.context = context, .def = *def};
  if (batch->def.workers == 0) batch->def.workers = rut_context_workers(context);
  batch->variant = rut_context_alloc(context, sizeof *batch->variant, 16);
  if (batch->variant) batch->variant[0] = (rutBatchVariant){0};
  status = batch->variant ? rut_spec_copy(spec, &batch->spec, err)
                          : rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  if (status == RUT_OK) {
    status = rut_compile_lanes(spec, &batch->variant[0].model, &batch->variant[0].lanes, err);
  }
  if (status == RUT_OK) {
    batch->variants = 1;
    batch->commands = count_commands(batch->variant[0].model);
    batch->pool = rut_thread_pool_create(batch->def.workers);
    if (!make_copies(batch) || !rut_batch_lay_units(batch)) {
      status = rut_error_set(err, RUT_ERR_MEMORY, "out of memory for %d copies", def->copies);
    }
  }
  if (status != RUT_OK) {
    rut_batch_destroy(batch);
    return status;
  }
  *out = batch;
  return RUT_OK;
}

void rut_batch_destroy(rutBatch* batch) {
  if (!batch) return;
  rut_thread_pool_destroy(batch->pool);
  for (int c = 0; batch->copy && c < batch->def.copies; c++) {
    if (!batch->copy[c].data) continue;
    rut_batch_take_out(batch, c);
    rut_data_destroy(batch->copy[c].data);
  }
  rut_batch_drop_ruts(batch);
  for (int v = 0; v < batch->variants; v++) {
    rut_lanes_destroy(batch->variant[v].lanes);
    rut_model_destroy(batch->variant[v].model);
  }
  rut_spec_destroy(batch->spec);
  void* const owned[] = {batch->variant, batch->copy,  batch->unit,    batch->unit_memory,
                         batch->memory,  batch->range, batch->numbers, batch->limit,
                         batch->term,    batch->read,  batch->source};
  for (int i = 0; i < RUT_COUNT_OF(owned); i++) rut_context_free(batch->context, owned[i]);
  rut_context_free(batch->context, batch);
}

const rutModel* rut_batch_model(const rutBatch* batch) { return batch->variant[0].model; }

int rut_batch_copies(const rutBatch* batch) { return batch->def.copies; }

int rut_batch_commands(const rutBatch* batch) { return batch->commands; }
