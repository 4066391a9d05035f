// SPDX-License-Identifier: BSD-3-Clause
#include "host/sample_messages.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/definition.h"
#include "host/log_schema.h"
#include "host/signals.h"

static const struct {
  const char* name;
  size_t size;
} numbers[] = {[RUT_F64] = {"float64", 8},
               [RUT_F32] = {"float32", 4},
               [RUT_U8] = {"uint8", 1},
               [RUT_U16] = {"uint16", 2},
               [RUT_I32] = {"int32", 4}};

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for messages of a sensor");
}

bool rut_sample_is_rest(const rutSampleOutput* output) {
  return output->held < 0 && output->count > 0;
}

// ---- at the beginning ----

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

// The outputs of a sensor, and whether it has all that its form's messages need.
static rutStatus list_outputs(rutSampleMessages* s, const rutModel* model, int sensor,
                              rutError* err) {
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  int wanted;
  const rutFormOutput* output = rut_form_outputs(info.form, &wanted);
  bool found[RUT_FORM_OUTPUTS] = {false}, filled[RUT_FORM_OUTPUTS] = {false};
  s->output = malloc(((size_t)info.outputs + 1) * sizeof *s->output);
  s->place = calloc((size_t)info.outputs + 1, sizeof *s->place);
  if (!s->output || !s->place) return no_memory(err);
  s->outputs = info.outputs;
  for (int i = 0; i < info.outputs; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    s->output[i] =
        (rutSampleOutput){v.type, v.count, numbers[v.type].size, place_in_message(info.form, &v)};
    if (s->output[i].held < 0) continue;
    found[s->output[i].held] = true;
    filled[s->output[i].held] = v.count > 0;
  }
  s->covered = rut_sensor_message(info.form);
  s->whole = true;
  for (int i = 0; i < wanted; i++) {
    s->covered &= found[i] || output[i].optional;
    s->whole &= filled[i];
  }
  for (int i = 0; i < s->outputs; i++) {
    if (!s->covered) s->output[i].held = -1;
    s->rest |= rut_sample_is_rest(&s->output[i]);
  }
  return RUT_OK;
}

// Names of its vehicle's wheels, as a vehicle's joints have them, and which of them steer.
static rutStatus name_wheels(rutSampleMessages* s, const rutModel* model, int vehicle,
                             rutError* err) {
  const int joints = rut_vehicle_joints(model, NULL, vehicle, 0, NULL);
  rutJointState* joint = malloc((size_t)joints * sizeof *joint + 1);
  if (!joint) return no_memory(err);
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
  return s->wheel_names.failed || s->steers.failed ? no_memory(err) : RUT_OK;
}

// The messages of its form, and what they are told of it.
static rutStatus list_messages(rutSampleMessages* s, const rutModel* model, int sensor,
                               rutError* err) {
  const rutSensorInfo info = rut_sensor_info(model, sensor);
  const rutSensorMessage* message = rut_sensor_message(info.form);
  rut_sensor_scan(model, sensor, &s->constant.geometry);
  s->images = rut_camera_geometry(model, sensor, &s->constant.camera);
  rutStatus status = RUT_OK;
  if (info.form == RUT_FORM_JOINTS) status = name_wheels(s, model, info.vehicle, err);
  for (int i = 0; i < RUT_MESSAGE_PARAMETERS && message->parameter[i]; i++) {
    s->constant.parameter[i] = rut_sensor_parameter(model, sensor, message->parameter[i]);
  }
  for (; message; message = message->next) {
    if (message->wanted && !message->wanted(&s->constant)) continue;
    s->message[s->messages++] = message;
  }
  return status;
}

rutStatus rut_sample_messages_find(const rutModel* model, int sensor, rutSampleMessages* out,
                                   rutError* err) {
  *out = (rutSampleMessages){0};
  out->constant.period = rut_sensor_info(model, sensor).period;
  out->constant.exact = rut_sensor_parameter(model, sensor, "noise") == 1;
  const rutStatus status = list_outputs(out, model, sensor, err);
  return status == RUT_OK && out->covered ? list_messages(out, model, sensor, err) : status;
}

void rut_sample_messages_free(rutSampleMessages* s) {
  free(s->output);
  free(s->place);
  rut_bytes_free(&s->wheel_names);
  rut_bytes_free(&s->steers);
}

bool rut_sample_messages_fit(const rutSampleMessages* s, const rutModel* model, int sensor) {
  if (rut_sensor_info(model, sensor).outputs != s->outputs) return false;
  for (int i = 0; i < s->outputs; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    if (v.type != s->output[i].type || v.count != s->output[i].count) return false;
  }
  return true;
}

// ---- definition of the other outputs ----

// Fields of one output: a number, components of a vector along axes, or an array.
static void define_output(rutBytes* text, const rutVariableInfo* v) {
  const char* type = numbers[v->type].name;
  const bool axes = rut_signals_along_axes(v);
  if (!axes) {
    rut_define_field(text, type, v->dimensions > 0 ? v->count : 0, v->name, v->unit, v->doc);
  }
  for (int k = 0; axes && k < v->count; k++) {
    char leaf[RUT_LEAF_SIZE];
    rut_signals_leaf(v, k, leaf);
    rut_define_field(text, type, 0, leaf, v->unit, v->doc);
  }
}

void rut_sample_define_rest(rutBytes* text, const rutSampleMessages* s, const rutModel* model,
                            int sensor) {
  static const char head[] =
      "std_msgs/Header header  # simulated time of the sample, and frame of the sensor\n"
      "builtin_interfaces/Time received  # simulated time from which on it can be seen\n";
  rut_bytes_put(text, head, sizeof head - 1);
  for (int i = 0; i < s->outputs; i++) {
    const rutVariableInfo v = rut_variable(model, RUT_SENSOR, sensor, RUT_OUTPUT, i);
    if (rut_sample_is_rest(&s->output[i])) define_output(text, &v);
  }
  rut_bytes_put(text, RUT_MSG_HEADER, sizeof RUT_MSG_HEADER);
}

// ---- of a sample ----

static size_t begin(rutBytes* b, const rutSampleHead* head) {
  const size_t start = rut_cdr_begin(b);
  rut_cdr_time(b, start, head->stamp);
  rut_cdr_text(b, start, head->frame);
  return start;
}

void rut_sample_put_message(rutBytes* b, const rutSampleMessages* s, int which,
                            const rutSampleHead* head) {
  rutSensorMessageIn in = s->constant;
  for (int i = 0; i < s->outputs; i++) {
    const rutSampleOutput* o = &s->output[i];
    if (o->held < 0) continue;
    in.output[o->held] = s->place[i];
    in.count[o->held] = o->count;
  }
  s->message[which]->put(b, begin(b, head), &in);
}

void rut_sample_put_rest(rutBytes* b, const rutSampleMessages* s, const rutSampleHead* head) {
  const size_t start = begin(b, head);
  rut_cdr_time(b, start, head->received);
  for (int i = 0; i < s->outputs; i++) {
    const rutSampleOutput* o = &s->output[i];
    if (rut_sample_is_rest(o)) rut_cdr_numbers(b, start, o->size, o->count, s->place[i]);
  }
}
