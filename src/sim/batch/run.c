// SPDX-License-Identifier: BSD-3-Clause
//
// Steps of a batch. A unit of copies is run by one worker through a whole call: copies that cannot
// be in their lanes by themselves, the others together. Copies that end leave their lanes, and may
// begin anew.
#include <string.h>

#include "base/report.h"
#include "math/rut_math.h"
#include "sim/batch/batch.h"

// A unit in a call.
typedef struct Running {
  rutBatch* batch;
  const rutBatchCall* call;
  rutBatchUnit* unit;
  unsigned char* memory;  // scratch
  double* column;
  bool shares;
} Running;

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may stop a batch");

// Is the call to end before its time?
static bool is_stopped(const Running* run) {
  return atomic_load_explicit(&run->batch->stop, memory_order_relaxed) != 0;
}

static int64_t steps_of(const rutBatchCall* call) { return call->intervals * call->steps; }

// ---- commands ----

// Set points of the interval at hand. What is NaN stays.
static void give_commands(const Running* run, int copy) {
  const rutBatchCall* call = run->call;
  rutBatchMember* m = &run->batch->copy[copy];
  m->fresh = false;
  if (!call->command) return;
  const int64_t done = steps_of(call) - m->left,
                interval = call->steps > 0 ? done / call->steps : 0;
  const double* from =
      call->command + copy * call->copy_stride + (ptrdiff_t)interval * call->interval_stride;
  const rutModel* model = m->data->model;
  for (int v = 0; v < model->vehicles; v++) {
    double value[RUT_MAX_COMMANDS];
    const int n = rut_command_state(model, m->data, v, RUT_MAX_COMMANDS, value);
    for (int i = 0; i < n; i++, from += call->column_stride) {
      if (*from == *from) value[i] = *from;
    }
    rut_command(model, m->data, v, n, value);
  }
}

static bool is_time_for_commands(const Running* run, const rutBatchMember* m) {
  const rutBatchCall* call = run->call;
  if (m->fresh) return true;
  return call->intervals > 1 && (steps_of(call) - m->left) % call->steps == 0;
}

// What a copy gets before each of its steps.
static void prepare(const Running* run, int copy) {
  const rutBatch* batch = run->batch;
  rutData* data = batch->copy[copy].data;
  if (batch->prepare) batch->prepare(data->model, data, copy, batch->prepare_user);
}

// Steps until commands change.
static int64_t steps_to_go(const Running* run, const rutBatchMember* m) {
  if (run->call->intervals <= 1) return m->left;
  const int64_t most = run->call->steps - (steps_of(run->call) - m->left) % run->call->steps;
  return most < m->left ? most : m->left;
}

// ---- rewards and ends ----

static double grow(rutBatchShape shape, double d) {
  if (shape == RUT_BATCH_SQUARE) return d * d;
  return shape == RUT_BATCH_ABSOLUTE ? rut_abs(d) : d;
}

static double reward_of(const rutBatch* batch, rutBatchWhen when, double dt, const double* column) {
  double sum = 0;
  for (int i = 0; i < batch->terms; i++) {
    const rutBatchTerm* t = &batch->term[i];
    if (t->when != when) continue;
    sum += t->weight * grow(t->shape, column[t->column] - t->target) *
           (when == RUT_BATCH_EACH ? dt : 1);
  }
  return sum;
}

static bool within_limits(const rutBatch* batch, const double* column) {
  bool within = true;
  for (int i = 0; i < batch->limits; i++) {
    const rutBatchLimit* l = &batch->limit[i];
    const double x = column[l->column];
    within = within && x >= l->least && x <= l->most;
  }
  return within;
}

// Rewards after a step; why the copy ends with it, NONE if it goes on.
static rutBatchEnd judge(const Running* run, int copy) {
  const rutBatch* batch = run->batch;
  rutBatchMember* m = &batch->copy[copy];
  rutBatchEnd end = RUT_BATCH_NONE;
  if (batch->looks) {
    rut_batch_columns_of(batch, copy, run->column);
    m->reward += reward_of(batch, RUT_BATCH_EACH, m->data->model->dt, run->column);
    if (!within_limits(batch, run->column)) end = RUT_BATCH_LIMIT;
  }
  if (batch->judge && batch->judge(m->data->model, m->data, copy, &m->reward, batch->user) &&
      !end) {
    end = RUT_BATCH_JUDGE;
  }
  if (!end && batch->def.horizon > 0 && m->data->steps >= batch->def.horizon) {
    end = RUT_BATCH_HORIZON;
  }
  return end;
}

static void put_row(const rutBatchArray* to, int copy, int columns, const double* row) {
  double* at = to->value + copy * to->copy_stride;
  for (int i = 0; i < columns; i++) at[i * to->column_stride] = row[i];
}

// Rewards that count once, at the end of a call or of a copy, and the columns then.
static void look_at_last(const Running* run, int copy, const rutBatchArray* to) {
  const rutBatch* batch = run->batch;
  rut_batch_columns_of(batch, copy, run->column);
  batch->copy[copy].reward += reward_of(batch, RUT_BATCH_LAST, 0, run->column);
  if (to && to->value) put_row(to, copy, batch->columns, run->column);
}

// A copy outside its lane has ended. It begins anew, or stands still.
static void end_copy(const Running* run, int copy, rutBatchEnd end) {
  rutBatchMember* m = &run->batch->copy[copy];
  const rutBatchIo* io = run->call->io;
  const bool first = m->ended == RUT_BATCH_NONE;
  look_at_last(run, copy, first && io ? &io->last_output : NULL);
  if (first) m->ended = end;
  if (!run->call->restart) {
    m->end = end;
    m->left = 0;
    return;
  }
  rut_batch_begin(run->batch, copy);
  m->fresh = true;
}

// ---- copies by themselves ----

static bool can_join(const Running* run, const rutBatchMember* m) {
  return run->shares && rut_tile_can_join(&run->unit->tile, m->data);
}

// Steps outside the lanes until the copy can be in its own.
static void run_alone(const Running* run, int copy) {
  rutBatchMember* m = &run->batch->copy[copy];
  while (m->left > 0 && !can_join(run, m) && !is_stopped(run)) {
    if (is_time_for_commands(run, m)) give_commands(run, copy);
    prepare(run, copy);
    const rutStatus status = rut_step(m->data->model, m->data, NULL);
    m->left--;
    const rutBatchEnd end = status == RUT_OK ? judge(run, copy) : RUT_BATCH_DIVERGED;
    if (end) end_copy(run, copy, end);
  }
}

// ---- copies in lanes ----

static void leave(const Running* run, rutBatchMember* m) {
  rut_tile_leave(&run->unit->tile, m->lane);
  m->in_lane = false;
}

static int count_going(const Running* run) {
  int going = 0;
  for (int l = 0; l < run->unit->copies; l++) {
    going += run->batch->copy[run->unit->copy[l]].left > 0;
  }
  return going;
}

// Copies that have steps to make join, those that have made them leave the lanes to them. False if
// all have made theirs, or the call is stopped; they stay where they are.
static bool join(const Running* run) {
  if (count_going(run) == 0 || is_stopped(run)) return false;
  for (int l = 0; l < run->unit->copies; l++) {
    rutBatchMember* m = &run->batch->copy[run->unit->copy[l]];
    if (m->in_lane && m->left == 0) leave(run, m);
  }
  for (int l = 0; l < run->unit->copies; l++) {
    const int copy = run->unit->copy[l];
    rutBatchMember* m = &run->batch->copy[copy];
    if (m->in_lane) continue;
    run_alone(run, copy);
    if (m->left == 0 || is_stopped(run)) continue;
    rut_tile_join(&run->unit->tile, m->lane, m->data);
    m->in_lane = true;
  }
  return run->unit->shares && run->unit->tile.copies > 0 && !is_stopped(run);
}

// Look at the copies after a step; true if some have left their lanes.
static bool look_after_step(const Running* run, unsigned gone) {
  const rutBatch* batch = run->batch;
  const bool looks = batch->looks || batch->judge || batch->def.horizon > 0;
  for (int l = 0; (looks || gone) && l < run->unit->copies; l++) {
    const int copy = run->unit->copy[l];
    rutBatchMember* m = &batch->copy[copy];
    if (!m->in_lane) continue;
    const bool diverged = gone >> l & 1u;
    const rutBatchEnd end = diverged ? RUT_BATCH_DIVERGED : judge(run, copy);
    if (!end) continue;
    if (!diverged) rut_tile_leave(&run->unit->tile, l);
    m->in_lane = false;
    end_copy(run, copy, end);
    gone |= 1u << l;
  }
  return gone != 0;
}

// Step all that are in lanes, at least once, until the first of them has other commands, has made
// its steps or ends, or the call is stopped.
static void run_lanes(const Running* run) {
  int64_t steps = INT64_MAX;
  for (int l = 0; l < run->unit->copies; l++) {
    const int copy = run->unit->copy[l];
    rutBatchMember* m = &run->batch->copy[copy];
    if (!m->in_lane) continue;
    if (is_time_for_commands(run, m)) give_commands(run, copy);
    const int64_t own = steps_to_go(run, m);
    steps = own < steps ? own : steps;
  }
  for (int64_t i = 0; i < steps; i++) {
    for (int l = 0; run->batch->prepare && l < run->unit->copies; l++) {
      if (run->batch->copy[run->unit->copy[l]].in_lane) prepare(run, run->unit->copy[l]);
    }
    const unsigned gone = rut_tile_step(&run->unit->tile, run->memory);
    for (int l = 0; l < run->unit->copies; l++) {
      rutBatchMember* m = &run->batch->copy[run->unit->copy[l]];
      if (m->in_lane) m->left--;
    }
    if (look_after_step(run, gone) || is_stopped(run)) break;
  }
}

// ---- a call ----

static void begin_call(const Running* run) {
  const rutBatchCall* call = run->call;
  for (int l = 0; l < run->unit->copies; l++) {
    const int copy = run->unit->copy[l];
    rutBatchMember* m = &run->batch->copy[copy];
    const bool goes = copy < call->copies && m->end == RUT_BATCH_NONE;
    m->left = goes ? steps_of(call) : 0;
    m->fresh = true;
    m->ended = RUT_BATCH_NONE;
    m->reward = 0;
    m->data->scratch = run->memory;
  }
}

static void end_call(const Running* run) {
  const rutBatch* batch = run->batch;
  const rutBatchIo* io = run->call->io;
  for (int l = 0; l < run->unit->copies; l++) {
    const int copy = run->unit->copy[l];
    rutBatchMember* m = &batch->copy[copy];
    const bool goes = copy < run->call->copies && m->end == RUT_BATCH_NONE;
    const bool wants = io && io->output.value;
    if (goes && (wants || batch->terms > 0)) {
      look_at_last(run, copy, wants ? &io->output : NULL);
    } else if (wants) {
      rut_batch_columns_of(batch, copy, run->column);
      put_row(&io->output, copy, batch->columns, run->column);
    }
    if (io && io->reward) io->reward[copy] = m->reward;
    if (io && io->end) io->end[copy] = (unsigned char)m->ended;
    m->data->scratch = m->scratch;
  }
}

// What a call asks of the copies of a batch.
typedef struct Task {
  rutBatch* batch;
  const rutBatchCall* call;
} Task;

static void run_unit(void* user, int index, int worker) {
  const Task* task = user;
  rutBatch* batch = task->batch;
  unsigned char* memory = batch->memory + (size_t)worker * batch->worker_bytes;
  Running run = {batch,
                 task->call,
                 &batch->unit[index],
                 memory,
                 (double*)(void*)(memory + batch->scratch_bytes),
                 false};
  begin_call(&run);
  run.shares = run.unit->shares && count_going(&run) >= RUT_BATCH_LEAST_SHARED;
  for (int l = 0; !run.shares && l < run.unit->copies; l++) {
    rutBatchMember* m = &batch->copy[run.unit->copy[l]];
    if (m->in_lane && m->left > 0) leave(&run, m);
  }
  while (join(&run)) run_lanes(&run);
  end_call(&run);
}

rutStatus rut_batch_run(rutBatch* batch, const rutBatchCall* call, rutError* err) {
  Task task = {batch, call};
  rut_thread_run(batch->pool, batch->units, run_unit, &task);
  // one that comes too late for any step is told of as well, so that none is lost
  if (!atomic_exchange(&batch->stop, 0)) return RUT_OK;
  return rut_error_set(err, RUT_ERR_STOPPED, "stopped: copies have made some of their steps");
}

void rut_batch_stop(rutBatch* batch) { atomic_store(&batch->stop, 1); }

// Set points are finite, or NaN.
static bool are_sound(const rutBatch* batch, const rutBatchCall* call) {
  if (!call->command) return true;
  for (int c = 0; c < call->copies; c++) {
    for (int k = 0; k < call->intervals; k++) {
      const double* from = call->command + c * call->copy_stride + k * call->interval_stride;
      for (int i = 0; i < batch->commands; i++) {
        const double x = from[i * call->column_stride];
        if (x == x && !rut_is_finite(x)) return false;
      }
    }
  }
  return true;
}

rutStatus rut_batch_step(rutBatch* batch, int steps, const rutBatchIo* io, rutError* err) {
  if (steps < 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "the number of steps must not be negative");
  }
  rutBatchCall call = {.copies = batch->def.copies,
                       .intervals = 1,
                       .steps = steps,
                       .restart = batch->def.restart,
                       .io = io};
  if (io) {
    call.command = io->command.value;
    call.copy_stride = io->command.copy_stride;
    call.column_stride = io->command.column_stride;
  }
  if (!are_sound(batch, &call)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a command is infinite");
  }
  return rut_batch_run(batch, &call, err);
}

// ---- candidates ----

rutStatus rut_rollout(rutBatch* batch, const rutModel* model, const rutData* from,
                      const rutRollout* rollout, double* cost, rutError* err) {
  const int n = rollout->candidates;
  if (n < 1 || n > batch->def.copies || rollout->intervals < 1 || rollout->steps < 1) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a rollout has 1 to %d candidates, at least one interval and one step",
                         batch->def.copies);
  }
  const rutBatchCall call = {.copies = n,
                             .intervals = rollout->intervals,
                             .steps = rollout->steps,
                             .command = rollout->command,
                             .copy_stride = rollout->candidate_stride,
                             .interval_stride = rollout->interval_stride,
                             .column_stride = rollout->column_stride};
  if (!are_sound(batch, &call)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a command is infinite");
  }
  rutStatus status = rut_batch_adopt_all(batch, n, NULL, (rutBatchSource){model, from}, err);
  if (status == RUT_OK) status = rut_batch_run(batch, &call, err);
  if (status != RUT_OK) return status;
  for (int c = 0; c < n; c++) {
    const rutBatchMember* m = &batch->copy[c];
    cost[c] = (m->end ? rollout->end_cost : 0) - m->reward;
    if (m->end == RUT_BATCH_DIVERGED) cost[c] = RUT_INFINITY;
  }
  return RUT_OK;
}
