// SPDX-License-Identifier: BSD-3-Clause
#include "host/log_samples.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/pose_message.h"

static const double MOUNT_RATE = 20;  // of transforms of sensors that do not scan, at most [Hz]

// What comes in front of a sample in the queue.
typedef struct Head {
  int64_t stamp, received;  // simulated times: of the sample, and from which on it can be seen [ns]
  double mount[RUT_LOG_MOUNT];  // NaN: no transform
} Head;

// ---- schemas and channels ----

static rutStatus add_readings(rutLog* log, rutLogDefinitions* known, const rutModel* model,
                              int sensor, rutError* err) {
  rutLogSamples* s = &log->samples[sensor];
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  rutBytes text = {0};
  rut_sample_define_rest(&text, &s->of, model, sensor);
  int schema;
  const rutStatus status = rut_log_define(log, known, info.type, &text, &schema, err);
  if (status != RUT_OK) return status;
  s->readings = log->channels;
  return rut_log_add_channel(log, schema, info.name, s->of.covered ? "/readings" : "", err);
}

// Schemas of messages in the log, each of which is written once.
typedef struct Schemas {
  int n, number[RUT_FORM_COUNT * RUT_FORM_MESSAGES];
  const char* name[RUT_FORM_COUNT * RUT_FORM_MESSAGES];
} Schemas;

static rutStatus find_schema(rutLog* log, Schemas* known, const rutSensorMessage* message,
                             int* number, rutError* err) {
  for (int i = 0; i < known->n; i++) {
    *number = known->number[i];
    if (strcmp(known->name[i], message->schema) == 0) return RUT_OK;
  }
  const rutStatus status = rut_log_add_schema(log, message->schema, message->definition, err);
  known->name[known->n] = message->schema;
  known->number[known->n++] = *number = log->schemas;
  return status;
}

// Logs are read in pieces of at most 64 MiB.
static rutStatus check_size(const rutLogSamples* s, const char* sensor, rutError* err) {
  enum { LARGEST = 60 * 1024 * 1024 };  // [B]
  int64_t most = 0;
  for (int i = 0; i < s->of.outputs; i++) {
    const int64_t size = (int64_t)s->of.output[i].count * (int64_t)s->of.output[i].size;
    if (size > most) most = size;
  }
  if (most <= LARGEST) return RUT_OK;
  return rut_error_set(err, RUT_ERR_CAPACITY,
                       "images of camera '%s' have more than %d bytes, too many for a log: leave "
                       "them out (log_colour=\"none\" log_depth=\"none\" log_labels=\"false\" "
                       "normals=\"false\" flow=\"false\")",
                       sensor, LARGEST);
}

static rutStatus name_optical(rutLogSamples* s, rutError* err) {
  const size_t size = strlen(s->frame) + sizeof "_optical";
  s->optical = malloc(size);
  if (!s->optical) return rut_log_no_memory(err);
  snprintf(s->optical, size, "%s_optical", s->frame);
  return RUT_OK;
}

// The channels of its messages.
static rutStatus add_standard(rutLog* log, const rutModel* model, int sensor, Schemas* known,
                              rutError* err) {
  rutLogSamples* s = &log->samples[sensor];
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  rutStatus status = s->of.images ? name_optical(s, err) : RUT_OK;
  for (int i = 0; i < s->of.messages && status == RUT_OK; i++) {
    const rutSensorMessage* message = s->of.message[i];
    int schema = 0;
    status = find_schema(log, known, message, &schema, err);
    if (status != RUT_OK) return status;
    s->standard[i] = log->channels;
    const char* tail = message->tail ? message->tail : "";
    status = rut_log_add_channel(log, schema, info.name, tail, err);
  }
  const bool large = s->optical && s->of.messages > 1;
  return status == RUT_OK && large ? check_size(s, info.name, err) : status;
}

static rutStatus add_sensor(rutLog* log, rutLogDefinitions* known, const rutModel* model,
                            int sensor, Schemas* schemas, rutError* err) {
  rutLogSamples* s = &log->samples[sensor];
  s->frame = log->frame[log->vehicles + log->blocks + log->wheels + sensor];
  s->latency = rut_sensor_info(model, sensor).latency;
  rutStatus status = rut_sample_messages_find(model, sensor, &s->of, err);
  if (status == RUT_OK) status = add_standard(log, model, sensor, schemas, err);
  if (status != RUT_OK || !s->of.rest) return status;
  return add_readings(log, known, model, sensor, err);
}

rutStatus rut_log_begin_samples(rutLog* log, rutLogDefinitions* known, const rutModel* model,
                                rutError* err) {
  Schemas schemas = {0};
  log->samples = calloc((size_t)log->sensors + 1, sizeof *log->samples);
  if (!log->samples) return rut_log_no_memory(err);
  rutStatus status = RUT_OK;
  for (int i = 0; i < log->sensors; i++) {
    log->samples[i] = (rutLogSamples){.readings = -1, .stamp = -1};
    if (log->sampled[i] && status == RUT_OK) {
      status = add_sensor(log, known, model, i, &schemas, err);
    }
  }
  return status;
}

void rut_log_samples_free(rutLog* log) {
  for (int i = 0; log->samples && i < log->sensors; i++) {
    rut_sample_messages_free(&log->samples[i].of);
    free(log->samples[i].optical);
  }
  free(log->samples);
}

// ---- after a step ----

// Bytes of an output in the queue, where each begins at a multiple of 8.
static size_t padded_size(const rutSampleOutput* output) {
  return ((size_t)output->count * output->size + 7) / 8 * 8;
}

// Whether every sample comes with the pose of the sensor.
static bool has_pose(const rutLogSamples* s) {
  return s->of.constant.geometry.rays > 0 || s->optical;
}

static bool hand_over(rutLog* log, const rutModel* model, const rutData* data, int sensor) {
  rutLogSamples* s = &log->samples[sensor];
  const double now = rut_time(data);
  size_t size = sizeof(Head);
  for (int i = 0; i < s->of.outputs; i++) size += padded_size(&s->of.output[i]);
  const rutLogItem item = {
      .kind = RUT_LOG_SAMPLE, .which = sensor, .time = rut_log_time(log, now), .size = size};
  unsigned char* place = rut_log_queue_begin(log->queue, item);
  if (!place) return false;
  Head* head = (Head*)(void*)place;
  *head = (Head){.stamp = rut_log_nanoseconds(s->stamp), .received = rut_log_nanoseconds(now)};
  head->mount[0] = RUT_NAN;
  const bool placed = log->tf >= 0 && rut_log_wants(log, log->tf);
  if (placed && (has_pose(s) || now >= s->next_mount)) {
    rut_sensor_pose(model, data, sensor, head->mount);
    s->next_mount = now + 1 / MOUNT_RATE;
  }
  place += sizeof *head;
  for (int i = 0; i < s->of.outputs; i++) {
    const rutSampleOutput* o = &s->of.output[i];
    const size_t bytes = (size_t)o->count * o->size;
    if (bytes > 0) memcpy(place, rut_sensor_output(model, data, sensor, i, NULL), bytes);
    place += padded_size(o);
  }
  rut_log_queue_end(log->queue);
  return true;
}

// Whether any message of a sample is to be made. Of large images each costs much.
static bool is_wanted(const rutLog* log, const rutLogSamples* s) {
  if (!log->tap.message) return true;
  bool any = (log->tf >= 0 && rut_log_wants(log, log->tf)) ||
             (s->readings >= 0 && rut_log_wants(log, s->readings));
  for (int i = 0; i < s->of.messages && !any; i++) any = rut_log_wants(log, s->standard[i]);
  return any;
}

bool rut_log_take_samples(rutLog* log, const rutModel* model, const rutData* data) {
  log->next_sample = RUT_INFINITY;
  for (int i = 0; i < log->sensors; i++) {
    rutLogSamples* s = &log->samples[i];
    if (s->of.messages == 0 && s->readings < 0) continue;
    double stamp = -1;
    const void* seen = rut_sensor_output(model, data, i, 0, &stamp);
    if (seen && stamp >= 0 && stamp != s->stamp) {
      s->stamp = stamp;
      const bool taken = is_wanted(log, s) && rut_sample_messages_fit(&s->of, model, i);
      if (taken && !hand_over(log, model, data, i)) return false;
    }
    const double next = stamp < 0 ? 0 : stamp + s->of.constant.period + s->latency - 0.5 * log->dt;
    log->next_sample = rut_min(log->next_sample, next);
  }
  return true;
}

// ---- in the thread ----

// Pose of a sensor at its sample. The rays of a planar scan lie in the x-y plane of the frame.
static void put_mount(rutLog* log, const rutLogSamples* s, int64_t time, const Head* head) {
  double q[4];
  rutBytes* b = rut_mcap_message(log->writer, log->tf, time);
  const size_t start = rut_cdr_begin(b);
  rut_cdr_u32(b, start, s->optical ? 2 : 1);
  const bool level = s->of.constant.geometry.level;
  rut_quaternion_of_angles(level ? 0 : head->mount[3], level ? 0 : head->mount[4], head->mount[5],
                           q);
  const rutTransformMessage mount = {head->stamp, "world", s->frame, head->mount, q};
  rut_put_transform(b, start, &mount);
  if (s->optical) {
    double r[4];
    rut_optical_quaternion(q, r);
    const rutTransformMessage image = {head->stamp, "world", s->optical, head->mount, r};
    rut_put_transform(b, start, &image);
  }
  rut_mcap_message_end(log->writer);
}

rutStatus rut_log_put_sample(rutLog* log, const rutLogItem* item, const void* bytes,
                             rutError* err) {
  const rutLogSamples* s = &log->samples[item->which];
  const Head* head = bytes;
  if (head->mount[0] == head->mount[0]) put_mount(log, s, item->time, head);
  const unsigned char* place = (const unsigned char*)bytes + sizeof *head;
  for (int i = 0; i < s->of.outputs; i++) {
    s->of.place[i] = place;
    place += padded_size(&s->of.output[i]);
  }
  rutSampleHead told = {.stamp = head->stamp, .received = head->received};
  rutStatus status = RUT_OK;
  for (int i = 0; i < s->of.messages && status == RUT_OK; i++) {
    if (!rut_log_wants(log, s->standard[i])) continue;
    told.frame = s->of.message[i]->frame ? s->optical : s->frame;
    rutBytes* b = rut_mcap_message(log->writer, s->standard[i], item->time);
    rut_sample_put_message(b, &s->of, i, &told);
    status = rut_log_end_message(log, err);
  }
  if (s->readings < 0 || status != RUT_OK || !rut_log_wants(log, s->readings)) return status;
  told.frame = s->frame;
  rut_sample_put_rest(rut_mcap_message(log->writer, s->readings, item->time), &s->of, &told);
  rut_mcap_message_end(log->writer);
  return RUT_OK;
}
