// SPDX-License-Identifier: BSD-3-Clause
//
// Sensors that are due sample the world after the step, all parts of all samples in parallel.
// Samples are due at fixed times, wait in a ring until their latency has passed, and are then
// visible.
#include "sim/step_sensors.h"

#include <string.h>

#include "base/report.h"
#include "math/quat.h"
#include "rut/replay.h"
#include "sim/past.h"
#include "sim/scene.h"
#include "sim/sensor_failure.h"
#include "sim/sensor_host.h"
#include "sim/spec/variables.h"
#include "sim/step_bodies.h"
#include "sim/step_vehicle.h"
#include "vehicle/work.h"

// A time within this part of a step counts as the present.
static const double SAME_TIME = 1e-3;
// Random numbers of the start of a run are those of this sample.
static const uint64_t START_SAMPLE = UINT64_MAX;

static size_t align_up(size_t size) {
  return (size + RUT_ARENA_ALIGN - 1) & ~(size_t)(RUT_ARENA_ALIGN - 1);
}

static const rutSensorHead* head_of(const rutSensorRecord* s) {
  return (const rutSensorHead*)s->param;
}

// ---- samples ----

// Where the sample of a number, from 0, stands.
static double* place_of(const rutData* data, const rutSensorRecord* s, int64_t number) {
  return data->samples + s->sample + (size_t)(number % s->slots) * (size_t)s->size;
}

static void outputs_of(const rutSensorRecord* s, double* place, void* out[RUT_MAX_OUTPUTS]) {
  for (int i = 0; i < s->type->outputs; i++) out[i] = place + s->output[i].offset;
}

// Sample k, from 1, is due at phase + k periods. A period below the step gives one sample a step.
static double due_time(const rutModel* model, const rutData* data, int i) {
  const rutSensorHead* head = head_of(&model->sensor[i]);
  const double due = head->phase + (double)(data->sensor[i].count + 1) * head->period;
  const bool now = head->period < model->dt || rut_abs(due - data->time) < SAME_TIME * model->dt;
  return due <= data->time + SAME_TIME * model->dt && now ? data->time : due;
}

// Sub-frames that come before the next one.
static int frames_done(const rutData* data, const rutSensorRecord* s) {
  return s->frames > 1 ? (int)data->samples[s->kept] : 0;
}

// Time of a sub-frame of the next sample; the last one is that of the sample.
static double frame_time(const rutModel* model, const rutData* data, int i, int frame) {
  const rutSensorRecord* s = &model->sensor[i];
  const double due = due_time(model, data, i);
  const int after = s->frames - 1 - frame;
  if (after == 0) return due;
  const double time = due - s->span * after / (s->frames - 1);
  return rut_abs(time - data->time) < SAME_TIME * model->dt ? data->time : time;
}

static bool is_due(const rutModel* model, const rutData* data, int i) {
  const int next = frames_done(data, &model->sensor[i]);
  return frame_time(model, data, i, next) <= data->time;
}

// The first sub-frame that is not due yet.
static int frames_due(const rutModel* model, const rutData* data, int i) {
  int frame = frames_done(data, &model->sensor[i]);
  while (frame < model->sensor[i].frames && frame_time(model, data, i, frame) <= data->time) {
    frame++;
  }
  return frame;
}

static bool is_hidden(const rutSensorRecord* s, double time) {
  return rut_sensor_fails(s, RUT_FAILURE_DROPOUT, time) ||
         rut_sensor_fails(s, RUT_FAILURE_STUCK, time);
}

// A sensor at a time, with the outputs of its next sample.
typedef struct Taking {
  rutSensorHost host;
  rutSensorIn in;
  rutWheelState wheel[RUT_MAX_WHEELS];
  void* out[RUT_MAX_OUTPUTS];
} Taking;

static void begin_taking(rutData* data, int i, double time, void* memory, Taking* t) {
  const rutModel* model = data->model;
  const rutSensorRecord* s = &model->sensor[i];
  t->host = (rutSensorHost){.model = model,
                            .data = data,
                            .sensor = i,
                            .time = time,
                            .sample = (uint64_t)data->sensor[i].count,
                            .memory = memory};
  rut_sensor_host_fill(&t->host, t->wheel, &t->in);
  t->in.parts = s->parts;
  t->in.frames = s->frames;
  if (s->frames > 1) t->in.kept = data->samples + s->kept + 1;
  double* place = place_of(data, s, data->sensor[i].count);
  const bool hidden = is_hidden(s, due_time(model, data, i));
  outputs_of(s, hidden ? data->samples + s->lost : place, t->out);
}

// Builds with sanitizers begin each part with numbers that are none: a type that reads what it has
// not written would depend on what the worker did before.
static void forget(unsigned char* scratch, size_t size) {
#ifdef RUT_SANITIZED
  memset(scratch, 0xff, size);
#else
  (void)scratch;
  (void)size;
#endif
}

// Part of a sample, or of those of its sub-frames that are due. It is computed also while a failure
// hides it: the sensor's state goes on, and the samples after the failure are those without it.
static void compute(void* task, int index, int worker) {
  rutData* data = task;
  const rutModel* model = data->model;
  const int i = model->part_sensor[index];
  if (data->unwatched[i] || !is_due(model, data, i)) return;
  const rutSensorRecord* s = &model->sensor[i];
  unsigned char* scratch = data->scratch + (size_t)worker * model->worker_scratch;
  const int end = frames_due(model, data, i);
  for (int frame = frames_done(data, s); frame < end; frame++) {
    Taking t;
    forget(scratch, model->worker_scratch);
    begin_taking(data, i, frame_time(model, data, i, frame),
                 scratch + align_up(model->sensor_scratch), &t);
    t.in.part = index - s->first_part;
    t.in.frame = frame;
    s->type->sample(s->param, &t.in, data->samples + s->state, scratch, t.out);
  }
}

// Numbers that failures add to a sample, output by output, and what follows from them.
static void disturb(rutData* data, int i, double time, int worker) {
  const rutSensorRecord* s = &data->model->sensor[i];
  const uint64_t sample = (uint64_t)data->sensor[i].count;
  unsigned char* scratch = data->scratch + (size_t)worker * data->model->worker_scratch;
  if (s->failures == 0) return;
  Taking t;
  begin_taking(data, i, time, scratch + align_up(data->model->sensor_scratch), &t);
  for (int k = 0; k < s->type->outputs; k++) {
    const bool changed = rut_sensor_disturb(data, i, k, time, sample, t.out[k]);
    if (changed && s->type->follow) s->type->follow(s->param, &t.in, k, scratch, t.out);
  }
}

// What failures make of a sample at a time.
static void spoil(rutData* data, int i, double time, int worker) {
  const rutSensorRecord* s = &data->model->sensor[i];
  rutSensorState* state = &data->sensor[i];
  double* place = place_of(data, s, state->count);
  const bool dropped = rut_sensor_fails(s, RUT_FAILURE_DROPOUT, time);
  const bool hidden = is_hidden(s, time);
  if (!hidden) {
    disturb(data, i, time, worker);
  } else if (s->slots > 1 && state->count > 0) {
    memcpy(place, place_of(data, s, state->count - 1), (size_t)s->size * sizeof *place);
  }
  // what has never measured has nothing to repeat
  const bool repeats = hidden && !dropped && state->stamp >= 0;
  if (!hidden || repeats) state->stamp = time;
  if (s->slots > 1) place[s->size - 1] = state->stamp;
}

// Stamp of a sample that nobody watched: below that of none, -1, and telling when it was due.
static double stamp_unwatched(double due) { return -2 - due; }

static double due_of_stamp(double stamp) { return stamp <= -2 ? -2 - stamp : stamp; }

// A sample that nobody watched has not been taken.
static void leave_out(rutData* data, int i) {
  const rutSensorRecord* s = &data->model->sensor[i];
  rutSensorState* state = &data->sensor[i];
  state->stamp = -1;
  if (s->slots == 1) return;
  place_of(data, s, state->count)[s->size - 1] = stamp_unwatched(due_time(data->model, data, i));
}

// What is to be done once for a sample.
static void end_sample(rutData* data, int i) {
  const rutSensorRecord* s = &data->model->sensor[i];
  if (!s->has_past && !s->type->finish) return;
  Taking t;
  begin_taking(data, i, due_time(data->model, data, i), NULL, &t);
  if (s->type->finish) s->type->finish(s->param, &t.in, data->samples + s->state, t.out);
  if (s->has_past) rut_past_keep(data->model, data, i, &t.in.motion);
}

// All parts of its sample have been computed.
static void finish(void* task, int i, int worker) {
  rutData* data = task;
  const rutModel* model = data->model;
  if (!is_due(model, data, i)) return;
  const rutSensorRecord* s = &model->sensor[i];
  const rutSensorHead* head = head_of(s);
  rutSensorState* state = &data->sensor[i];
  if (s->frames > 1) {
    const int done = frames_due(model, data, i);
    data->samples[s->kept] = done % s->frames;
    if (done < s->frames) return;
  }
  end_sample(data, i);
  if (data->unwatched[i]) {
    leave_out(data, i);
  } else {
    spoil(data, i, due_time(model, data, i), worker);
  }
  // a period below the step gives one sample per step, not a growing backlog
  state->count++;
  if (head->period < model->dt && s->slots == 1) {
    const double since = rut_max(data->time - head->phase, 0);
    state->count = (int64_t)(since / head->period * (1 + 1e-12));
  }
}

static void tell_sample(const rutModel* model, const rutData* data, int i, bool begins) {
  const rutProfiled work = {.kind = RUT_SENSOR,
                            .index = i,
                            .vehicles = 1,
                            .controller = -1,
                            .type = model->sensor[i].type->base.name};
  data->work(data->work_user, &work, begins);
}

// One sensor after the other, in the order of the others.
static void sample_watched(const rutModel* model, rutData* data) {
  for (int i = 0; i < model->sensors; i++) {
    const rutSensorRecord* s = &model->sensor[i];
    if (data->unwatched[i] || !is_due(model, data, i)) continue;
    tell_sample(model, data, i, true);
    for (int part = 0; part < s->parts; part++) compute(data, s->first_part + part, 0);
    tell_sample(model, data, i, false);
  }
  for (int i = 0; i < model->sensors; i++) {
    const bool takes = !data->unwatched[i] && is_due(model, data, i);
    if (takes) tell_sample(model, data, i, true);
    finish(data, i, 0);
    if (takes) tell_sample(model, data, i, false);
  }
}

void rut_sensors_sample(const rutModel* model, rutData* data) {
  bool due = false;
  bool watched = false;
  for (int i = 0; i < model->sensors && !watched; i++) {
    const bool sample = is_due(model, data, i);
    due = due || sample;
    watched = sample && (!data->unwatched[i] || model->sensor[i].has_past);
  }
  if (!due) return;
  if (!watched) {
    for (int i = 0; i < model->sensors; i++) finish(data, i, 0);
    return;
  }
  rut_bodies_gather_all(model, data);
  rut_contact_index(model->contact, data->contact, &data->bodies);
  rut_scene_forget(data);
  if (data->work) {
    sample_watched(model, data);
    return;
  }
  rut_thread_run(data->pool, model->sensor_parts, compute, data);
  rut_thread_run(data->pool, model->sensors, finish, data);
}

// ---- one sample of a moment ----

// A sensor whose parts are computed.
typedef struct OneSensor {
  rutData* data;
  int first_part;
} OneSensor;

static void compute_one(void* task, int index, int worker) {
  const OneSensor* one = task;
  compute(one->data, one->first_part + index, worker);
}

// Number, from 1, of the sample that a sensor takes at this time; 0 if it takes none.
static int64_t number_at(const rutModel* model, const rutData* data, int sensor) {
  const rutSensorHead* head = head_of(&model->sensor[sensor]);
  const double number = rut_floor((data->time - head->phase) / head->period + 0.5);
  const double due = head->phase + number * head->period;
  const bool takes = number >= 1 && rut_abs(due - data->time) < SAME_TIME * model->dt;
  return takes ? (int64_t)number : 0;
}

rutStatus rut_replay_sample(const rutModel* model, rutData* data, int sensor, rutError* err) {
  if (!rut_data_is_of(data, model) || sensor < 0 || sensor >= model->sensors) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "there is no such sensor");
  }
  const rutSensorRecord* s = &model->sensor[sensor];
  const char* name = model->name[RUT_SENSOR][sensor];
  const bool remembers = s->lost > s->state || s->has_past || s->frames > 1;
  if (remembers || s->slots > 1 || s->failures > 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "samples of '%.200s' depend on more than a moment: on its latency, "
                         "failures, sub-frames or state",
                         name);
  }
  const int64_t number = number_at(model, data, sensor);
  if (number == 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "'%.200s' takes no sample at t = %.9g s", name,
                         data->time);
  }
  OneSensor one = {data, s->first_part};
  data->unwatched[sensor] = false;
  data->sensor[sensor].count = number - 1;
  rut_contact_index(model->contact, data->contact, &data->bodies);
  rut_scene_forget(data);
  rut_thread_run(data->pool, s->parts, compute_one, &one);
  finish(data, sensor, 0);
  return RUT_OK;
}

void rut_sensors_reset(const rutModel* model, rutData* data) {
  memset(data->samples, 0, model->samples_size * sizeof *data->samples);
  rut_scene_forget(data);
  for (int i = 0; i < model->sensors; i++) {
    const rutSensorRecord* s = &model->sensor[i];
    data->sensor[i] = (rutSensorState){0, -1};
    for (int slot = 0; slot < s->slots; slot++) {
      double* place = place_of(data, s, slot);
      for (int k = 0; k < s->type->outputs; k++) {
        const rutVariableInfo* info = &s->output[k].info;
        for (int n = 0; info->type == RUT_F64 && n < info->count; n++) {
          place[s->output[k].offset + n] = -1;
        }
      }
      if (s->slots > 1) place[s->size - 1] = -1;
    }
    if (!s->type->start) continue;
    rutSensorHost host = {.model = model,
                          .data = data,
                          .sensor = i,
                          .sample = START_SAMPLE,
                          .memory = data->scratch + align_up(model->sensor_scratch)};
    rutWheelState wheel[RUT_MAX_WHEELS];
    rutSensorIn in;
    rut_sensor_host_fill(&host, wheel, &in);
    s->type->start(s->param, &in, data->samples + s->state);
  }
}

// ---- who watches ----

static bool reads(const rutGroup* g, const rutController* c, int sensor) {
  for (int i = 0; i < c->type->inputs; i++) {
    for (int slot = 0; c->source[i].sensor && slot < g->count; slot++) {
      if (c->source[i].sensor[slot] == sensor) return true;
    }
  }
  return false;
}

static bool controller_reads(const rutModel* model, int sensor) {
  for (int k = 0; k < model->groups; k++) {
    const rutGroup* g = &model->group[k];
    for (int i = 0; i < g->control.n; i++) {
      if (reads(g, &g->control.controller[i], sensor)) return true;
    }
  }
  return false;
}

void rut_sensor_watch(const rutModel* model, rutData* data, int sensor, bool watched) {
  if (sensor < 0 || sensor >= model->sensors || !rut_data_is_of(data, model)) return;
  const rutSensorRecord* s = &model->sensor[sensor];
  const bool remembers = s->lost > s->state || s->frames > 1;
  const bool goes_on = remembers || s->failures > 0 || controller_reads(model, sensor);
  data->unwatched[sensor] = !watched && !goes_on;
}

// ---- what can be seen ----

// The newest sample whose latency has passed; NULL before the first.
static const double* seen(const rutModel* model, const rutData* data, int sensor, double* stamp) {
  const rutSensorRecord* s = &model->sensor[sensor];
  *stamp = data->sensor[sensor].stamp;
  if (s->slots == 1) return place_of(data, s, 0);
  const int64_t count = data->sensor[sensor].count;
  const double latest = data->time - head_of(s)->latency + SAME_TIME * model->dt;
  for (int64_t k = count - 1; k >= 0 && k >= count - s->slots; k--) {
    const double* place = place_of(data, s, k);
    *stamp = rut_max(place[s->size - 1], -1);
    if (due_of_stamp(place[s->size - 1]) <= latest) return place;
  }
  // fewer samples than places wait: nothing has come to the last one yet
  *stamp = -1;
  return place_of(data, s, s->slots - 1);
}

const void* rut_sensor_output(const rutModel* model, const rutData* data, int sensor, int output,
                              double* stamp) {
  double time = -1;
  const void* value = NULL;
  if (sensor >= 0 && sensor < model->sensors && rut_data_is_of(data, model)) {
    const rutSensorRecord* s = &model->sensor[sensor];
    if (output >= 0 && output < s->type->outputs) {
      value = seen(model, data, sensor, &time) + s->output[output].offset;
    }
  }
  if (stamp) *stamp = time;
  return value;
}

const double* rut_sensor(const rutModel* model, const rutData* data, int sensor, double* stamp,
                         int* n) {
  *stamp = -1;
  *n = 0;
  if (sensor < 0 || sensor >= model->sensors || !rut_data_is_of(data, model)) return NULL;
  const rutSensorRecord* s = &model->sensor[sensor];
  for (int i = 0; i < s->type->outputs; i++) {
    if (s->output[i].info.type != RUT_F64) return NULL;
  }
  *n = s->numbers;
  return rut_sensor_output(model, data, sensor, 0, stamp);
}

void rut_sensor_reading(const void* user, int sensor, int output, rutControlReading* out) {
  const rutData* data = user;
  const rutVariableInfo* info = &data->model->sensor[sensor].output[output].info;
  *out = (rutControlReading){.type = info->type, .n = info->count, .stride = 1};
  out->value = rut_sensor_output(data->model, data, sensor, output, &out->stamp);
}

bool rut_sensor_scan(const rutModel* model, int sensor, rutScanGeometry* out) {
  *out = (rutScanGeometry){0};
  if (sensor < 0 || sensor >= model->sensors) return false;
  const rutSensorRecord* s = &model->sensor[sensor];
  if (s->type->form != RUT_FORM_PLANAR_SCAN) return false;
  s->type->scan(s->param, out);
  return true;
}

size_t rut_worker_scratch(const rutModel* model) {
  size_t most = align_up(model->sensor_scratch) + rut_sensor_host_scratch(model);
  for (int i = 0; i < model->groups; i++) {
    const rutGroup* group = &model->group[i];
    rutArena arena = {0};
    rutBatchScratch k;
    if (!group->spatial) rut_batch_scratch(group, &arena, &k);
    const size_t used = group->spatial ? rut_work_size(group->spatial) : arena.used;
    if (used > most) most = used;
  }
  return align_up(most);
}
