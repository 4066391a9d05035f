// SPDX-License-Identifier: BSD-3-Clause
#include "host/log_samples.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/log_schema.h"
#include "math/quat.h"

static const double MOUNT_RATE = 20;  // of transforms of sensors that do not scan, at most [Hz]

// What comes in front of a sample in the queue.
typedef struct Head {
  int64_t stamp, received;  // simulated times: of the sample, and from which on it can be seen [ns]
  double mount[RUT_LOG_MOUNT];  // NaN: no transform
} Head;

static const struct {
  const char* name;
  size_t size;
} numbers[] = {[RUT_F64] = {"float64", 8},
               [RUT_F32] = {"float32", 4},
               [RUT_U8] = {"uint8", 1},
               [RUT_U16] = {"uint16", 2},
               [RUT_I32] = {"int32", 4}};

// Whether an output stands in a message of our own.
static bool is_reading(const rutLogOutput* output) { return output->held < 0 && output->count > 0; }

// ---- schemas and channels ----

// Fields of one output: a number, components of a vector along axes, or an array.
static void define_output(rutBytes* text, const rutVariableInfo* v) {
  const char* type = numbers[v->type].name;
  const bool axes = rut_signals_along_axes(v);
  if (!axes) {
    rut_log_put_field(text, type, v->dimensions > 0 ? v->count : 0, v->name, v->unit, v->doc);
  }
  for (int k = 0; axes && k < v->count; k++) {
    char leaf[RUT_LEAF_SIZE];
    rut_signals_leaf(v, k, leaf);
    rut_log_put_field(text, type, 0, leaf, v->unit, v->doc);
  }
}

static rutStatus add_readings(rutLog* log, rutLogDefinitions* known, const rutModel* model,
                              int sensor, rutError* err) {
  static const char head[] =
      "std_msgs/Header header  # simulated time of the sample, and frame of the sensor\n"
      "builtin_interfaces/Time received  # simulated time from which on it can be seen\n";
  rutLogSamples* s = &log->samples[sensor];
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  rutBytes text = {0};
  rut_bytes_put(&text, head, sizeof head - 1);
  for (int i = 0; i < s->outputs; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    if (is_reading(&s->output[i])) define_output(&text, &v);
  }
  rut_bytes_put(&text, RUT_MSG_HEADER, sizeof RUT_MSG_HEADER);
  int schema;
  const rutStatus status = rut_log_define(log, known, info.type, &text, &schema, err);
  if (status != RUT_OK) return status;
  s->readings = log->channels;
  return rut_log_add_channel(log, schema, info.name, s->covered ? "/readings" : "", err);
}

// Place of an output in the message of a form, -1 if that does not hold it.
static int place_in_message(rutSensorForm form, const rutVariableInfo* v) {
  int n;
  const rutFormOutput* output = rut_form_outputs(form, &n);
  for (int i = 0; i < n; i++) {
    const bool same = strcmp(output[i].name, v->name) == 0 && output[i].type == v->type;
    if (same && (output[i].count == 0 || output[i].count == v->count)) return i;
  }
  return -1;
}

// The outputs of a sensor, and its message, if it has all that this needs.
static rutStatus list_outputs(rutLogSamples* s, const rutModel* model, int sensor, rutError* err) {
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  int wanted;
  const rutFormOutput* output = rut_form_outputs(info.form, &wanted);
  bool found[RUT_FORM_OUTPUTS] = {false};
  s->output = malloc(((size_t)info.outputs + 1) * sizeof *s->output);
  if (!s->output) return rut_log_no_memory(err);
  s->outputs = info.outputs;
  for (int i = 0; i < info.outputs; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    s->output[i] = (rutLogOutput){v.type, v.count, place_in_message(info.form, &v)};
    s->size += ((size_t)v.count * numbers[v.type].size + 7) / 8 * 8;
    if (s->output[i].held >= 0) found[s->output[i].held] = true;
  }
  s->covered = rut_sensor_message(info.form);
  for (int i = 0; i < wanted; i++) s->covered &= found[i] || output[i].optional;
  for (int i = 0; i < s->outputs && !s->covered; i++) s->output[i].held = -1;
  return RUT_OK;
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
  for (int i = 0; i < s->outputs; i++) {
    const int64_t size = (int64_t)s->output[i].count * (int64_t)numbers[s->output[i].type].size;
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

// Names of its vehicle's wheels, as a vehicle's joints have them, and which of them steer.
static rutStatus name_wheels(rutLogSamples* s, const rutModel* model, int vehicle, rutError* err) {
  const int joints = rut_vehicle_joints(model, NULL, vehicle, 0, NULL);
  rutJointState* joint = malloc((size_t)joints * sizeof *joint + 1);
  if (!joint) return rut_log_no_memory(err);
  rut_vehicle_joints(model, NULL, vehicle, joints, joint);
  for (int i = 0; i < joints; i++) {
    const char* full = rut_name(model, RUT_WHEEL, joint[i].wheel);
    const char* slash = strrchr(full, '/');
    const char* name = slash ? slash + 1 : full;
    if (strcmp(joint[i].part, "wheel") != 0) continue;
    const bool last = i + 1 == joints;
    rut_bytes_put(&s->wheel_names, name, strlen(name) + 1);
    rut_bytes_u8(&s->steers, !last && strcmp(joint[i + 1].part, "steering") == 0);
    s->constant.wheels++;
  }
  free(joint);
  s->constant.wheel_names = (const char*)s->wheel_names.data;
  s->constant.steers = s->steers.data;
  return s->wheel_names.failed || s->steers.failed ? rut_log_no_memory(err) : RUT_OK;
}

// The channels of its messages.
static rutStatus add_standard(rutLog* log, const rutModel* model, int sensor, Schemas* known,
                              rutError* err) {
  rutLogSamples* s = &log->samples[sensor];
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  const rutSensorMessage* message = rut_sensor_message(info.form);
  rutStatus status = RUT_OK;
  rut_sensor_scan(model, sensor, &s->constant.geometry);
  if (rut_camera_geometry(model, sensor, &s->constant.camera)) status = name_optical(s, err);
  if (info.form == RUT_FORM_JOINTS) status = name_wheels(s, model, info.vehicle, err);
  for (int i = 0; i < RUT_MESSAGE_PARAMETERS && message->parameter[i]; i++) {
    s->constant.parameter[i] = rut_sensor_parameter(model, sensor, message->parameter[i]);
  }
  for (; message && status == RUT_OK; message = message->next) {
    int schema = 0;
    if (message->wanted && !message->wanted(&s->constant)) continue;
    status = find_schema(log, known, message, &schema, err);
    if (status != RUT_OK) return status;
    s->message[s->messages] = message;
    s->standard[s->messages++] = log->channels;
    const char* tail = message->tail ? message->tail : "";
    status = rut_log_add_channel(log, schema, info.name, tail, err);
  }
  const bool large = s->optical && s->messages > 1;
  return status == RUT_OK && large ? check_size(s, info.name, err) : status;
}

static rutStatus add_sensor(rutLog* log, rutLogDefinitions* known, const rutModel* model,
                            int sensor, Schemas* schemas, rutError* err) {
  rutLogSamples* s = &log->samples[sensor];
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  s->frame = log->frame[log->vehicles + log->blocks + log->wheels + sensor];
  s->constant.period = info.period;
  s->constant.exact = rut_sensor_parameter(model, sensor, "noise") == 1;
  s->latency = info.latency;
  rutStatus status = list_outputs(s, model, sensor, err);
  if (status == RUT_OK && s->covered) status = add_standard(log, model, sensor, schemas, err);
  bool more = !s->covered;
  for (int i = 0; i < s->outputs; i++) more |= is_reading(&s->output[i]);
  if (status != RUT_OK || !more) return status;
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
    free(log->samples[i].output);
    free(log->samples[i].optical);
    rut_bytes_free(&log->samples[i].wheel_names);
    rut_bytes_free(&log->samples[i].steers);
  }
  free(log->samples);
}

// ---- after a step ----

// Whether the outputs of a sensor are those that the channels were made for: parameters may change.
static bool fits(const rutLogSamples* s, const rutModel* model, int sensor) {
  if (rut_sensor_info(model, sensor).outputs != s->outputs) return false;
  for (int i = 0; i < s->outputs; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    if (v.type != s->output[i].type || v.count != s->output[i].count) return false;
  }
  return true;
}

// Whether every sample comes with the pose of the sensor.
static bool has_pose(const rutLogSamples* s) { return s->constant.geometry.rays > 0 || s->optical; }

static bool hand_over(rutLog* log, const rutModel* model, const rutData* data, int sensor) {
  rutLogSamples* s = &log->samples[sensor];
  const double now = rut_time(data);
  const rutLogItem item = {.kind = RUT_LOG_SAMPLE,
                           .which = sensor,
                           .time = rut_log_time(log, now),
                           .size = sizeof(Head) + s->size};
  unsigned char* place = rut_log_queue_begin(log->queue, item);
  if (!place) return false;
  Head* head = (Head*)(void*)place;
  *head = (Head){.stamp = rut_log_nanoseconds(s->stamp), .received = rut_log_nanoseconds(now)};
  head->mount[0] = RUT_NAN;
  if (log->tf >= 0 && (has_pose(s) || now >= s->next_mount)) {
    rut_sensor_pose(model, data, sensor, head->mount);
    s->next_mount = now + 1 / MOUNT_RATE;
  }
  place += sizeof *head;
  for (int i = 0; i < s->outputs; i++) {
    const size_t size = (size_t)s->output[i].count * numbers[s->output[i].type].size;
    if (size > 0) memcpy(place, rut_sensor_output(model, data, sensor, i, NULL), size);
    place += (size + 7) / 8 * 8;
  }
  rut_log_queue_end(log->queue);
  return true;
}

bool rut_log_take_samples(rutLog* log, const rutModel* model, const rutData* data) {
  log->next_sample = RUT_INFINITY;
  for (int i = 0; i < log->sensors; i++) {
    rutLogSamples* s = &log->samples[i];
    if (s->messages == 0 && s->readings < 0) continue;
    double stamp = -1;
    const void* seen = rut_sensor_output(model, data, i, 0, &stamp);
    if (seen && stamp >= 0 && stamp != s->stamp) {
      s->stamp = stamp;
      if (fits(s, model, i) && !hand_over(log, model, data, i)) return false;
    }
    const double next = stamp < 0 ? 0 : stamp + s->constant.period + s->latency - 0.5 * log->dt;
    log->next_sample = rut_min(log->next_sample, next);
  }
  return true;
}

// ---- in the thread ----

// From the axes of a camera's images (x right, y down, z ahead) to the world's.
static void optical_quaternion(const double q[4], double out[4]) {
  const rutQuat turn = rut_quat(0.5, -0.5, 0.5, -0.5);
  const rutQuat r = rut_quat_mul(rut_quat(q[0], q[1], q[2], q[3]), turn);
  memcpy(out, (const double[4]){r.w, r.x, r.y, r.z}, 4 * sizeof *out);
}

// Pose of a sensor at its sample. The rays of a planar scan lie in the x-y plane of the frame.
static void put_mount(rutLog* log, const rutLogSamples* s, int64_t time, const Head* head) {
  double q[4];
  rutBytes* b = rut_mcap_message(log->writer, log->tf, time);
  const size_t start = rut_cdr_begin(b);
  rut_cdr_u32(b, start, s->optical ? 2 : 1);
  const bool level = s->constant.geometry.level;
  rut_log_quaternion(level ? 0 : head->mount[3], level ? 0 : head->mount[4], head->mount[5], q);
  const rutLogTransform mount = {
      .stamp = head->stamp, .child = s->frame, .at = head->mount, .q = q};
  rut_log_put_transform(b, start, &mount);
  if (s->optical) {
    double r[4];
    optical_quaternion(q, r);
    const rutLogTransform image = {
        .stamp = head->stamp, .child = s->optical, .at = head->mount, .q = r};
    rut_log_put_transform(b, start, &image);
  }
  rut_mcap_message_end(log->writer);
}

static void put_header(rutBytes* b, size_t start, const char* frame, const Head* head) {
  rut_cdr_time(b, start, head->stamp);
  rut_cdr_text(b, start, frame);
}

// A sample on its way into the file.
typedef struct Sample {
  const rutLogSamples* of;
  const Head* head;
  int64_t time;  // of the log [ns]
} Sample;

// Large messages do not share a chunk, since readers take a whole chunk at once.
static rutStatus put_message(rutLog* log, const Sample* sample, int which,
                             const rutSensorMessageIn* in, rutError* err) {
  enum { LARGE = 1024 * 1024 };  // [B]
  const rutLogSamples* s = sample->of;
  const rutSensorMessage* message = s->message[which];
  rutBytes* b = rut_mcap_message(log->writer, s->standard[which], sample->time);
  const size_t start = rut_cdr_begin(b);
  put_header(b, start, message->frame ? s->optical : s->frame, sample->head);
  message->put(b, start, in);
  rut_mcap_message_end(log->writer);
  return rut_mcap_pending(log->writer) < LARGE ? RUT_OK : rut_mcap_flush(log->writer, err);
}

// The messages of the sensor's form.
static rutStatus put_standard(rutLog* log, const Sample* sample, const unsigned char* place,
                              rutError* err) {
  const rutLogSamples* s = sample->of;
  rutSensorMessageIn in = s->constant;
  for (int i = 0; i < s->outputs; i++) {
    const rutLogOutput* o = &s->output[i];
    if (o->held >= 0) {
      in.output[o->held] = place;
      in.count[o->held] = o->count;
    }
    place += ((size_t)o->count * numbers[o->type].size + 7) / 8 * 8;
  }
  rutStatus status = RUT_OK;
  for (int i = 0; i < s->messages && status == RUT_OK; i++) {
    status = put_message(log, sample, i, &in, err);
  }
  return status;
}

static void put_readings(rutLog* log, const rutLogSamples* s, int64_t time, const Head* head,
                         const unsigned char* place) {
  rutBytes* b = rut_mcap_message(log->writer, s->readings, time);
  const size_t start = rut_cdr_begin(b);
  put_header(b, start, s->frame, head);
  rut_cdr_time(b, start, head->received);
  for (int i = 0; i < s->outputs; i++) {
    const rutLogOutput* o = &s->output[i];
    const size_t size = numbers[o->type].size;
    if (is_reading(o)) rut_cdr_numbers(b, start, size, o->count, place);
    place += ((size_t)o->count * size + 7) / 8 * 8;
  }
  rut_mcap_message_end(log->writer);
}

rutStatus rut_log_put_sample(rutLog* log, const rutLogItem* item, const void* bytes,
                             rutError* err) {
  const rutLogSamples* s = &log->samples[item->which];
  const Head* head = bytes;
  const void* outputs = (const unsigned char*)bytes + sizeof *head;
  if (head->mount[0] == head->mount[0]) put_mount(log, s, item->time, head);
  const Sample sample = {s, head, item->time};
  const rutStatus status = put_standard(log, &sample, outputs, err);
  if (s->readings >= 0 && status == RUT_OK) put_readings(log, s, item->time, head, outputs);
  return status;
}
