// SPDX-License-Identifier: BSD-3-Clause
//
// Logs of a run: what is read after a step.
#include <stdlib.h>

#include "base/thread.h"
#include "host/log_joints.h"
#include "host/log_navigation.h"
#include "host/log_parts.h"
#include "host/log_samples.h"
#include "host/log_schema.h"

static const double POSE_RATE = 20;     // of transforms and odometry, at most [Hz]
static const double ENERGY_RATE = 4;    // by default, since energy is slow to compute [Hz]
static const double DEFAULT_RATE = 50;  // [Hz]
static const double FEW_ELEMENTS = 40;  // more of them are logged less often

rutLogDef rut_default_log(void) {
  return (rutLogDef){.struct_size = sizeof(rutLogDef),
                     .transforms = true,
                     .odometry = true,
                     .samples = true,
                     .joints = true,
                     .navigation = true};
}

double rut_log_default_rate(const rutModel* model) {
  double elements = rut_count(model, RUT_VEHICLE) + rut_count(model, RUT_WHEEL);
  for (int i = 0; i < rut_count(model, RUT_BLOCK); i++) elements += rut_block_moves(model, i);
  const double rate = rut_min(DEFAULT_RATE, 0.1 / rut_model_timestep(model));
  return elements > FEW_ELEMENTS ? rut_max(rate * FEW_ELEMENTS / elements, 1) : rate;
}

static void destroy(rutLog* log) {
  if (!log->borrowed_signals) rut_signals_destroy(log->signals);
  rut_ground_watch_destroy(log->ground);
  rut_soil_watch_destroy(log->soil);
  rut_step_watch_destroy(log->steps);
  rut_way_watch_destroy(log->ways);
  for (int i = 0; i < RUT_LOG_RATES; i++) {
    free(log->rows[i].index);
    free(log->rows[i].topic);
  }
  free(log->pose_index);
  free(log->both_index);
  free(log->state_at);
  free(log->pose_at);
  free(log->state_row);
  free(log->pose_row);
  free(log->frames);
  free(log->frame);
  rut_log_samples_free(log);
  rut_log_joints_free(log);
  rut_log_navigation_free(log);
  free(log->sampled);
  rut_bytes_free(&log->tapped);
  free(log->tapped_at);
  free(log);
}

// Steps between rows at a rate, a multiple of `unit`.
static int64_t steps_of(const rutLog* log, double rate, int64_t unit) {
  const double n = rut_floor(1 / (rate * log->dt * (double)unit) + 0.5);
  return unit * (int64_t)rut_min(rut_max(n, 1), 1e9);
}

rutStatus rut_log_open_with(const rutModel* model, const rutLogOpening* opening, rutLog** out,
                            rutError* err) {
  const rutLogDef* def = opening->def;
  *out = NULL;
  if (def->struct_size != sizeof *def || !(def->rate >= 0) || def->rate > 1e9) {
    return rut_error_set(
        err, RUT_ERR_ARGUMENT,
        "the definition of a log must come from rut_default_log and have a rate >= 0");
  }
  rutLog* log = calloc(1, sizeof *log);
  if (!log) return rut_log_no_memory(err);
  log->ground = rut_ground_watch_create();
  log->soil = rut_soil_watch_create();
  log->steps = rut_step_watch_create();
  log->ways = rut_way_watch_create();
  log->dt = rut_model_timestep(model);
  const double rate = def->rate > 0 ? def->rate : rut_log_default_rate(model);
  log->rows[RUT_LOG_STATE].every = steps_of(log, rate, 1);
  const int64_t every = log->rows[RUT_LOG_STATE].every;
  log->rows[RUT_LOG_ENERGY].every = def->rate > 0 ? every : steps_of(log, ENERGY_RATE, every);
  log->pose_every = steps_of(log, POSE_RATE, every);
  log->with_wheels = def->wheel_frames;
  log->tf = log->odometry = log->rosout = -1;
  const bool watches = log->ground && log->soil && log->steps && log->ways;
  rutStatus status = watches ? rut_log_plan(log, model, opening, err) : rut_log_no_memory(err);
  if (status == RUT_OK) status = rut_log_begin(log, model, opening, err);
  if (status == RUT_OK) {
    log->chunk_begun = rut_clock();
    log->queue = opening->tap ? rut_log_queue_create_direct(rut_log_take, log)
                              : rut_log_queue_create(rut_log_take, log);
    if (!log->queue) status = rut_log_no_memory(err);
  }
  if (status != RUT_OK) {
    if (log->writer) rut_mcap_close(log->writer, NULL);
    destroy(log);
    return status;
  }
  *out = log;
  return RUT_OK;
}

rutStatus rut_log_create(const rutModel* model, const char* path, const rutLogDef* def,
                         rutLog** out, rutError* err) {
  const rutLogDef standard = rut_default_log();
  const rutLogOpening opening = {.path = path, .def = def ? def : &standard};
  return rut_log_open_with(model, &opening, out, err);
}

rutStatus rut_log_create_live(const rutModel* model, const rutLogTap* tap, const rutLogDef* def,
                              rutLog** out, rutError* err) {
  const rutLogDef standard = rut_default_log();
  const rutLogOpening opening = {.path = "", .def = def ? def : &standard, .tap = tap};
  *out = NULL;
  if (!tap->channel || !tap->wants || !tap->message) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "a rutLogTap needs all of its functions");
  }
  return rut_log_open_with(model, &opening, out, err);
}

// ---- after each step ----

static bool wants_rows(const rutLog* log, const rutLogRows* rows) {
  for (int i = 0; i < rows->topics; i++) {
    if (rut_log_wants(log, rows->topic[i].channel)) return true;
  }
  return false;
}

static bool wants_poses(const rutLog* log) {
  bool any = log->tf >= 0 && rut_log_wants(log, log->tf);
  for (int i = 0; log->odometry >= 0 && i < log->vehicles && !any; i++) {
    any = rut_log_wants(log, log->odometry + i);
  }
  return any;
}

// Begin an item: the simulated time, then doubles. NULL if out of memory.
static double* begin_numbers(rutLog* log, rutLogKind kind, int which, double time, int n) {
  const rutLogItem item = {.kind = kind,
                           .which = which,
                           .time = rut_log_time(log, time),
                           .size = ((size_t)n + 1) * sizeof(double)};
  int64_t* place = rut_log_queue_begin(log->queue, item);
  if (!place) return NULL;
  *place = rut_log_nanoseconds(time);
  return (double*)(void*)(place + 1);
}

static bool log_row(rutLog* log, rutLogRate rate, const rutModel* model, const rutData* data) {
  const rutLogRows* rows = &log->rows[rate];
  if (rows->n == 0 || !wants_rows(log, rows)) return true;
  double* row = begin_numbers(log, RUT_LOG_ROW, rate, rut_time(data), rows->n);
  if (!row) return false;
  rut_signals_read(log->signals, model, data, rows->n, rows->index, row);
  rut_log_queue_end(log->queue);
  return true;
}

static bool log_both(rutLog* log, const rutModel* model, const rutData* data) {
  const int wheels = log->tf >= 0 && log->with_wheels ? log->wheels : 0;
  double* row = begin_numbers(log, RUT_LOG_BOTH, 0, rut_time(data),
                              log->both_signals + RUT_LOG_WHEEL * wheels);
  if (!row) return false;
  rut_signals_read(log->signals, model, data, log->both_signals, log->both_index, row);
  row += log->both_signals;
  for (int i = 0; i < wheels; i++, row += RUT_LOG_WHEEL) {
    const rutWheelPose pose = rut_wheel_pose(model, data, i);
    memcpy(row, pose.position, sizeof pose.position);
    memcpy(row + 3, pose.quaternion, sizeof pose.quaternion);
  }
  rut_log_queue_end(log->queue);
  return true;
}

// Where a message goes.
typedef struct Telling {
  rutLog* log;
  const rutModel* model;
  rutStatus status;
  rutError* err;
} Telling;

// A warning of rcl_interfaces/Log.
static void log_warning(Telling* telling, double time, int vehicle, const char* text) {
  enum { WARNING = 30 };
  rutLog* log = telling->log;
  if (telling->status == RUT_OK && log->rosout < 0) {
    static const rutLogChannelDef rosout = {.topic = "/rosout",
                                            .schema = "rcl_interfaces/msg/Log",
                                            .definition = RUT_MSG_LOG,
                                            .encoding = "cdr"};
    telling->status = rut_log_channel(log, &rosout, &log->rosout, telling->err);
  }
  if (telling->status != RUT_OK) return;
  rutBytes b = {0};
  const size_t start = rut_cdr_begin(&b);
  rut_cdr_time(&b, start, rut_log_nanoseconds(time));
  rut_bytes_u8(&b, WARNING);
  rut_cdr_text(&b, start, rut_name(telling->model, RUT_VEHICLE, vehicle));
  rut_cdr_text(&b, start, text);
  for (int i = 0; i < 2; i++) rut_cdr_text(&b, start, "");
  rut_cdr_u32(&b, start, 0);
  telling->status = b.failed ? rut_log_no_memory(telling->err)
                             : rut_log_write(log, log->rosout, time, b.data, b.used, telling->err);
  rut_bytes_free(&b);
}

static void log_exit(const rutGroundExit* exit, void* user) {
  Telling* telling = user;
  char text[300];
  rut_ground_exit_text(telling->model, exit, text, sizeof text);
  log_warning(telling, exit->time, exit->vehicle, text);
}

static void log_soil(const rutSoilEvent* event, void* user) {
  char text[500];
  const Telling* telling = user;
  rut_soil_event_text(telling->model, event, text, sizeof text);
  log_warning(user, event->time, event->vehicle, text);
}

static void log_way(const rutWayEvent* event, void* user) {
  char text[300];
  const Telling* telling = user;
  rut_way_event_text(telling->model, event, text, sizeof text);
  log_warning(user, event->time, event->vehicle, text);
}

// Once of each vehicle.
static void log_residual(const rutStepResidual* residual, void* user) {
  Telling* telling = user;
  char text[300];
  if (!residual->first) return;
  rut_step_residual_text(telling->model, residual, text, sizeof text);
  log_warning(telling, residual->time, residual->vehicle, text);
}

void rut_log_jump(rutLog* log) { log->jumped = true; }

// Go on one step behind the last state, whatever the time of this one.
static void join(rutLog* log, double time) {
  log->next_sample = 0;
  if (log->tap.message) {
    // a tap has simulated time, and all anew
    for (int i = 0; i < log->sensors; i++) log->samples[i].stamp = -1;
    log->begun = false;
    return;
  }
  log->since = rut_log_nanoseconds(log->last_time) + log->offset + rut_log_nanoseconds(log->dt);
  log->offset = log->since - rut_log_nanoseconds(time);
}

rutStatus rut_log_step(rutLog* log, const rutModel* model, const rutData* data, rutError* err) {
  const double time = rut_time(data);
  const bool jump = log->begun && (log->jumped || time < log->last_time);
  if (log->begun && !jump && time == log->last_time) return RUT_OK;
  if (jump) join(log, time);
  log->jumped = false;
  const int64_t steps = rut_steps(data);
  const bool first = !log->begun;
  log->begun = true;
  log->last_time = time;
  bool fine = true;
  if (first || steps % log->rows[RUT_LOG_STATE].every == 0) {
    const rutStatus status = rut_log_queue_status(log->queue, err);
    if (status != RUT_OK) return status;
    const bool poses =
        log->with_poses && (first || steps % log->pose_every == 0) && wants_poses(log);
    fine = poses ? log_both(log, model, data) : log_row(log, RUT_LOG_STATE, model, data);
    if (fine && (first || steps % log->pose_every == 0)) {
      fine = rut_log_take_joints(log, model, data);
    }
    if (fine && (first || steps % log->rows[RUT_LOG_ENERGY].every == 0)) {
      fine = log_row(log, RUT_LOG_ENERGY, model, data);
    }
  }
  if (fine && time >= log->next_sample) fine = rut_log_take_samples(log, model, data);
  if (fine) fine = rut_log_take_navigation(log, model, data);
  if (!fine) return rut_log_no_memory(err);
  Telling telling = {log, model, RUT_OK, err};
  if (rut_ground_watch_update(log->ground, model, data, log_exit, &telling) ||
      rut_soil_watch_update(log->soil, model, data, log_soil, &telling) ||
      rut_step_watch_update(log->steps, model, data, log_residual, &telling) ||
      rut_way_watch_update(log->ways, model, data, log_way, &telling)) {
    return rut_log_no_memory(err);
  }
  return telling.status;
}

// ---- of the caller ----

rutStatus rut_log_channel(rutLog* log, const rutLogChannelDef* def, int* channel, rutError* err) {
  const char* const text[] = {def->topic, def->schema, def->definition, def->encoding};
  size_t size = 0;
  for (int i = 0; i < 4; i++) size += strlen(text[i]) + 1;
  if (log->channels > UINT16_MAX) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "a log has at most %d channels", UINT16_MAX + 1);
  }
  char* place =
      rut_log_queue_begin(log->queue, (rutLogItem){.kind = RUT_LOG_CHANNEL, .size = size});
  if (!place) return rut_log_no_memory(err);
  for (int i = 0; i < 4; i++) {
    const size_t length = strlen(text[i]) + 1;
    memcpy(place, text[i], length);
    place += length;
  }
  rut_log_queue_end(log->queue);
  *channel = log->channels++;
  return rut_log_queue_status(log->queue, err);
}

// Begin a message of the caller's. NULL, with *status, on an error.
static unsigned char* begin_message(rutLog* log, int channel, double time, size_t size,
                                    rutStatus* status, rutError* err) {
  *status = RUT_OK;
  if (channel < log->own_channels || channel >= log->channels || !(time >= 0 && time < 9e9)) {
    *status = rut_error_set(err, RUT_ERR_ARGUMENT,
                            "a message needs a channel of rut_log_channel and a time from 0 s on");
    return NULL;
  }
  if (size > UINT32_MAX - 64) {
    *status = rut_error_set(err, RUT_ERR_ARGUMENT, "a message has at most 4 GiB");
    return NULL;
  }
  *status = rut_log_queue_status(log->queue, err);
  if (*status != RUT_OK) return NULL;
  const rutLogItem item = {
      .kind = RUT_LOG_MESSAGE, .which = channel, .time = rut_log_time(log, time), .size = size};
  unsigned char* place = rut_log_queue_begin(log->queue, item);
  if (!place) *status = rut_log_no_memory(err);
  return place;
}

rutStatus rut_log_write(rutLog* log, int channel, double time, const void* bytes, size_t size,
                        rutError* err) {
  rutStatus status;
  unsigned char* place = begin_message(log, channel, time, size, &status, err);
  if (!place) return status;
  if (size > 0) memcpy(place, bytes, size);
  rut_log_queue_end(log->queue);
  return RUT_OK;
}

rutStatus rut_log_write_bytes(rutLog* log, int channel, double time, const void* bytes, size_t size,
                              rutError* err) {
  rutStatus status;
  unsigned char* place = begin_message(log, channel, time, size + 8, &status, err);
  if (!place) return status;
  const uint32_t length = (uint32_t)size;
  const unsigned char head[8] = {0,
                                 1,
                                 0,
                                 0,
                                 (unsigned char)length,
                                 (unsigned char)(length >> 8),
                                 (unsigned char)(length >> 16),
                                 (unsigned char)(length >> 24)};
  memcpy(place, head, sizeof head);
  if (size > 0) memcpy(place + sizeof head, bytes, size);
  rut_log_queue_end(log->queue);
  return RUT_OK;
}

rutStatus rut_log_attach(rutLog* log, const char* name, const char* media_type, const void* bytes,
                         size_t size, rutError* err) {
  const size_t first = strlen(name) + 1, second = strlen(media_type) + 1;
  const rutLogItem item = {.kind = RUT_LOG_ATTACHMENT,
                           .time = rut_log_time(log, log->last_time),
                           .size = first + second + size};
  char* place = rut_log_queue_begin(log->queue, item);
  if (!place) return rut_log_no_memory(err);
  memcpy(place, name, first);
  memcpy(place + first, media_type, second);
  if (size > 0) memcpy(place + first + second, bytes, size);
  rut_log_queue_end(log->queue);
  return rut_log_queue_status(log->queue, err);
}

rutStatus rut_log_close(rutLog* log, rutError* err) {
  if (!log) return RUT_OK;
  const rutStatus status = rut_log_queue_finish(log->queue, err);
  const rutStatus closed = rut_mcap_close(log->writer, status == RUT_OK ? err : NULL);
  destroy(log);
  return status == RUT_OK ? closed : status;
}
