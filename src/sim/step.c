// SPDX-License-Identifier: BSD-3-Clause
//
// rut_step: the stages of one step, in order.
#include "sim/step.h"

#include <stdatomic.h>
#include <string.h>

#include "base/report.h"
#include "math/lanes.h"
#include "math/rut_math.h"
#include "sim/data.h"
#include "sim/lap.h"
#include "sim/step_axles.h"
#include "sim/step_bodies.h"
#include "sim/step_ground.h"
#include "sim/step_ruts.h"
#include "sim/step_sensors.h"
#include "sim/step_space.h"
#include "sim/step_vehicle.h"
#include "sim/step_vehicle_control.h"

typedef struct Task {
  rutData* data;
  void (*stage)(rutData* data, const rutGroup* group, int batch, int worker);
} Task;

static void run_batch(void* task, int index, int worker) {
  const Task* t = task;
  const rutModel* model = t->data->model;
  const rutBatchTask* unit = &model->task[index];
  t->stage(t->data, &model->group[unit->group], unit->batch, worker);
}

static void for_each_batch(rutData* data, void (*stage)(rutData*, const rutGroup*, int, int)) {
  Task task = {data, stage};
  // timers of several workers would overlap
  rut_thread_run(data->profile ? NULL : data->pool, data->model->batches, run_batch, &task);
}

// ---- keeping the last finite state ----

static size_t space_numbers(const rutModel* model) {
  return RUT_SPACE_BLOCK * (size_t)model->space_blocks;
}

static void restore_state(const rutModel* model, rutData* data) {
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    size_t n = (size_t)g->row.state_rows * (size_t)g->lanes;
    for (int b = 0; b < g->batches; b++) {
      memcpy(rut_batch(data, g, b), rut_backup(data, g, b), n * sizeof(double));
    }
  }
  const double* from = data->body_backup;
  const size_t bodies = 7 * (size_t)model->bodies;
  if (bodies) memcpy(data->bodies.x, from, bodies * sizeof *from);
  for (int i = 0; i < model->moving_blocks; i++) {
    data->block_z[model->moving_block[i]] = from[bodies + (size_t)i];
  }
  const double* space = from + bodies + model->moving_blocks;
  if (model->space_blocks) memcpy(data->space_block, space, space_numbers(model) * sizeof *space);
  if (model->space) rut_space_reset(model->space, data->space);
  // contact data of the failed step is invalid
  rut_contact_reset(model->contact, data->contact);
  rut_space_join_lists(model, data);
}

void rut_step_keep_bodies(const rutModel* model, rutData* data) {
  double* to = data->body_backup;
  const size_t bodies = 7 * (size_t)model->bodies;
  if (bodies) memcpy(to, data->bodies.x, bodies * sizeof *to);
  for (int i = 0; i < model->moving_blocks; i++) {
    to[bodies + (size_t)i] = data->block_z[model->moving_block[i]];
  }
  double* space = to + bodies + model->moving_blocks;
  if (model->space_blocks) memcpy(space, data->space_block, space_numbers(model) * sizeof *space);
}

// x - x is 0 for every finite x and NaN otherwise.
RUT_CLONES static bool many_finite(const double* x, size_t n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < n; i++) sum += x[i] - x[i];
  return sum == 0;
}

bool rut_all_finite(const double* x, size_t n) {
  // vector loads of numbers just stored one by one would stall
  static const size_t FEW = 16;
  if (n > FEW) return many_finite(x, n);
  bool finite = true;
  for (size_t i = 0; i < n; i++) finite = finite && rut_is_finite(x[i]);
  return finite;
}

// Name of the first vehicle, mechanism or block whose position or speed is not finite.
static const char* culprit(const rutModel* model, const rutData* data) {
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    const int n = g->tree.positions + g->tree.speeds;
    for (int slot = 0; slot < g->count; slot++) {
      const double* b = rut_batch(data, g, slot / g->lanes) + slot % g->lanes;
      for (int k = 0; k < n; k++) {
        if (rut_all_finite(&b[(g->row.q + k) * g->lanes], 1)) continue;
        return model->name[g->mechanism ? RUT_MECHANISM : RUT_VEHICLE][g->member[slot]];
      }
    }
  }
  return "a block";
}

rutStatus rut_step_diverged(const rutModel* model, rutData* data, rutError* err) {
  const char* name = culprit(model, data);
  restore_state(model, data);
  rut_ruts_forget(model, data);
  return rut_error_set(err, RUT_ERR_DIVERGED,
                       "the state of '%s' is no longer finite after t = %.6g s; the data holds the "
                       "last finite state",
                       name, data->time);
}

// ---- stages of a batch ----

// Padding lanes repeat the last vehicle: they compute results that are never used.
RUT_CLONES static void fill_padding(int rows, int used, double* table) {
  for (int i = 0; i < rows; i++, table += RUT_MBD_LANES) {
    const double last = table[used - 1];
    RUT_FOR_LANES(l, RUT_MBD_LANES) { table[l] = l < used ? table[l] : last; }
  }
}

// Rows of state that may have changed since the beginning of the last step: all, or, where
// controllers have told of no change, all but those that they change seldom. Returns their parts.
static int changed_rows(const rutGroup* g, const double* table,
                        rutKeptRows part[2 * RUT_MAX_CONTROLLERS + 1]) {
  const rutControlStack* stack = &g->control;
  bool kept = stack->kept > 0;
  for (int l = 0; kept && l < g->lanes; l++) kept = table[stack->kept_row * g->lanes + l] != 0;
  int n = 0, first = 0;
  for (int i = 0; kept && i < stack->kept; i++) {
    part[n++] = (rutKeptRows){first, stack->kept_rows[i].first - first};
    first = stack->kept_rows[i].first + stack->kept_rows[i].rows;
  }
  part[n++] = (rutKeptRows){first, g->row.state_rows - first};
  return n;
}

// Keep the state at the beginning of the step.
static void keep_batch(rutData* data, const rutGroup* g, int batch) {
  rutKeptRows part[2 * RUT_MAX_CONTROLLERS + 1];
  double *table = rut_batch(data, g, batch), *backup = rut_backup(data, g, batch);
  const int n = changed_rows(g, table, part);
  for (int i = 0; i < n; i++) {
    const size_t at = (size_t)part[i].first * (size_t)g->lanes;
    memcpy(backup + at, table + at, (size_t)part[i].rows * (size_t)g->lanes * sizeof *table);
  }
  for (int l = 0; g->control.kept > 0 && l < g->lanes; l++) {
    table[g->control.kept_row * g->lanes + l] = 1;
  }
}

void rut_step_velocity(rutData* data, const rutGroup* group, int batch, unsigned char* memory) {
  const rutModel* model = data->model;
  rutArena arena = {.base = memory, .size = model->worker_scratch};
  rutBatchScratch scratch;
  if (!group->spatial) rut_batch_scratch(group, &arena, &scratch);
  double* b = rut_batch(data, group, batch);
  keep_batch(data, group, batch);
  if (group->spatial) {
    rut_axles_velocity(model, data, group, batch, memory);
    return;
  }

  double since = data->profile ? rut_clock() : 0;
  rut_batch_control(data, group, batch);
  since = rut_lap(data, RUT_STAGE_control, since);
  rut_batch_forces(model, group, b, &scratch);
  since = rut_lap(data, RUT_STAGE_tyre, since);
  rut_batch_velocity(model, group, b, &scratch);
  rut_lap(data, RUT_STAGE_dynamics, since);
}

static void velocity_stage(rutData* data, const rutGroup* group, int batch, int worker) {
  const int used = rut_batch_lanes(group, batch).end;
  if (used < group->lanes) {
    rutKeptRows part[2 * RUT_MAX_CONTROLLERS + 1];
    double* b = rut_batch(data, group, batch);
    const int n = changed_rows(group, b, part);
    for (int i = 0; i < n; i++) {
      fill_padding(part[i].rows, used, b + (ptrdiff_t)part[i].first * group->lanes);
    }
  }
  rut_step_velocity(data, group, batch,
                    data->scratch + (size_t)worker * data->model->worker_scratch);
  if (data->model->touchable) rut_bodies_gather(data, group, batch);
}

bool rut_step_position(rutData* data, const rutGroup* group, int batch) {
  double since = data->profile ? rut_clock() : 0;
  double* b = rut_batch(data, group, batch);
  if (group->spatial) {
    rut_axles_position(data->model, data, group, batch);
  } else {
    rut_batch_position(data->model, group, b, batch);
  }
  size_t n = (size_t)(group->tree.positions + group->tree.speeds) * (size_t)group->lanes;
  const bool finite = rut_all_finite(b + group->row.q * group->lanes, n);
  rut_lap(data, RUT_STAGE_dynamics, since);
  return finite;
}

static void position_stage(rutData* data, const rutGroup* group, int batch, int worker) {
  (void)worker;
  if (data->model->touchable) rut_bodies_scatter_velocity(data->model, data, group, batch);
  if (!rut_step_position(data, group, batch)) atomic_store(&data->not_finite, 1);
}

static void ground_stage(rutData* data, const rutGroup* group, int batch, int worker) {
  (void)worker;
  double since = data->profile ? rut_clock() : 0;
  if (!group->spatial) rut_batch_ground(data->model, data, group, rut_batch(data, group, batch));
  rut_lap(data, RUT_STAGE_terrain, since);
}

// ---- the step ----

static void look_stage(void* task, int tile, int worker) {
  rutData* data = task;
  (void)worker;
  rut_contact_look(data->model->contact, data->contact, &data->bodies, tile);
}

// Contacts and joints of vehicles and blocks: new velocities before the positions move.
void rut_step_contact(const rutModel* model, rutData* data) {
  if (!model->touchable) return;
  const double since = data->profile ? rut_clock() : 0;
  rut_space_contact(model, data);
  rut_contact_index(model->contact, data->contact, &data->bodies);
  rut_contact_begin(model->contact, data->contact, model->dt, &data->bodies);
  rut_thread_run(data->profile ? NULL : data->pool, rut_contact_tiles(model->contact), look_stage,
                 data);
  rut_contact_solve(model->contact, data->contact, model->dt, data->time, &data->bodies);
  rut_space_join_lists(model, data);
  rut_lap(data, RUT_STAGE_contact, since);
}

// What overlaps after the positions have moved is pushed apart.
void rut_step_correct(const rutModel* model, rutData* data) {
  if (!model->touchable || rut_bodies_are_quiet(model, data)) return;
  const double since = data->profile ? rut_clock() : 0;
  rut_bodies_gather_all(model, data);
  rut_contact_correct(model->contact, data->contact, &data->bodies);
  rut_space_correct(model, data);
  rut_bodies_scatter_position(model, data);
  rut_space_correct_linked(model, data);
  rut_lap(data, RUT_STAGE_contact, since);
}

// Ruts that wheels have left become part of the ground.
static void ruts_stage(const rutModel* model, rutData* data) {
  if (!data->soft) return;
  const double since = data->profile ? rut_clock() : 0;
  rut_ruts_commit(model, data);
  rut_ruts_forget(model, data);
  rut_lap(data, RUT_STAGE_terrain, since);
}

static void sensor_stage(const rutModel* model, rutData* data) {
  if (model->sensors == 0) return;
  const double since = data->profile ? rut_clock() : 0;
  rut_sensors_sample(model, data);
  rut_lap(data, RUT_STAGE_sensor, since);
}

bool rut_step_bodies_are_finite(const rutModel* model, const rutData* data) {
  return rut_all_finite(data->bodies.x, 7 * (size_t)model->bodies) &&
         rut_all_finite(data->space_block, space_numbers(model));
}

// Contacts move vehicles, not padding: it repeats the last one again, so that a state says nothing
// about how it was stepped.
static void refresh_padding(const rutModel* model, rutData* data) {
  for (int i = 0; model->touchable && i < model->groups; i++) {
    const rutGroup* g = &model->group[i];
    const int last = g->batches - 1, used = rut_batch_lanes(g, last).end;
    if (used < g->lanes) fill_padding(g->row.motion_end, used, rut_batch(data, g, last));
  }
}

rutStatus rut_step(const rutModel* model, rutData* data, rutError* err) {
  if (!rut_data_is_of(data, model)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "this data was made from another model");
  }
  rut_step_keep_bodies(model, data);
  for_each_batch(data, velocity_stage);
  rut_blocks_velocity(model, data);
  rut_space_velocity(model, data);
  rut_step_contact(model, data);

  for_each_batch(data, position_stage);
  rut_blocks_position(model, data);
  rut_space_position(model, data);
  rut_step_correct(model, data);
  refresh_padding(model, data);
  if (atomic_exchange(&data->not_finite, 0) || !rut_step_bodies_are_finite(model, data))
    return rut_step_diverged(model, data, err);

  ruts_stage(model, data);
  data->steps++;
  data->time = (double)data->steps * model->dt;
  rut_keyframes_apply(model, data);
  if (model->ground->sources) for_each_batch(data, ground_stage);
  sensor_stage(model, data);
  return RUT_OK;
}

void rut_profile(rutData* data, bool on) { data->profile = on; }

double rut_stage_time(const rutData* data, rutStage stage) {
  return stage >= 0 && stage < RUT_STAGE_COUNT ? data->stage[stage] : 0;
}

const char* rut_stage_name(rutStage stage) {
#define X(name) #name,
  static const char* const names[] = {RUT_STAGE_LIST(X)};
#undef X
  return stage >= 0 && stage < RUT_STAGE_COUNT ? names[stage] : "";
}
