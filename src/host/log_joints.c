// SPDX-License-Identifier: BSD-3-Clause
#include "host/log_joints.h"

#include <stdio.h>
#include <stdlib.h>

#include "host/log_definition.h"
#include "host/log_schema.h"

enum { NUMBERS = 3 };  // of a joint: position, velocity, effort

// ---- at the beginning ----

// Names such as "front_left_wheel": a wheel's own, and the part.
static void name_vehicle(const rutModel* model, const rutLogJoints* j, rutBytes* names) {
  rut_vehicle_joints(model, NULL, j->index, j->count, j->state);
  for (int i = 0; i < j->count; i++) {
    const char* full = rut_name(model, RUT_WHEEL, j->state[i].wheel);
    const char* slash = strrchr(full, '/');
    const char* wheel = slash ? slash + 1 : full;
    rut_bytes_put(names, wheel, strlen(wheel));
    rut_bytes_u8(names, '_');
    rut_bytes_put(names, j->state[i].part, strlen(j->state[i].part) + 1);
  }
}

// Coordinates of a mechanism have numbers, as its outputs q and v.
static void name_mechanism(const rutLogJoints* j, rutBytes* names) {
  for (int i = 0; i < j->count; i++) {
    char name[24];
    snprintf(name, sizeof name, "q_%d", i);
    rut_bytes_put(names, name, strlen(name) + 1);
  }
}

static rutStatus begin_one(rutLog* log, const rutModel* model, rutLogJoints j, rutError* err) {
  rutBytes names = {0};
  j.state = malloc((size_t)j.count * sizeof *j.state);
  if (j.state && j.kind == RUT_VEHICLE) name_vehicle(model, &j, &names);
  if (j.kind == RUT_MECHANISM) name_mechanism(&j, &names);
  j.names = (char*)names.data;
  j.channel = log->channels;
  log->joints[log->jointed++] = j;
  if (!j.state || names.failed) return rut_log_no_memory(err);
  const char* element = rut_name(model, j.kind, j.index);
  return rut_log_add_channel(log, log->joint_schema, element, "/joint_states", err);
}

// Joints of an element, 0 of mechanisms with free bodies, whose coordinates are no joints'.
static int count_joints(const rutModel* model, rutKind kind, int index) {
  if (kind == RUT_VEHICLE) return rut_vehicle_joints(model, NULL, index, 0, NULL);
  int positions = 0, speeds = 0;
  rut_mechanism_size(model, index, &positions, &speeds);
  return positions == speeds ? positions : 0;
}

rutStatus rut_log_begin_joints(rutLog* log, const rutModel* model, rutError* err) {
  static const rutKind kinds[] = {RUT_VEHICLE, RUT_MECHANISM};
  const size_t most =
      (size_t)rut_count(model, RUT_VEHICLE) + (size_t)rut_count(model, RUT_MECHANISM);
  rutStatus status = RUT_OK;
  log->joints = calloc(most + 1, sizeof *log->joints);
  if (!log->joints) return rut_log_no_memory(err);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < rut_count(model, kinds[k]) && status == RUT_OK; i++) {
      const rutLogJoints j = {
          .kind = kinds[k], .index = i, .count = count_joints(model, kinds[k], i)};
      if (j.count == 0) continue;
      if (log->jointed == 0) {
        status = rut_log_add_schema(log, "sensor_msgs/msg/JointState", RUT_MSG_JOINT_STATE, err);
        log->joint_schema = log->schemas;
      }
      if (status == RUT_OK) status = begin_one(log, model, j, err);
    }
  }
  return status;
}

void rut_log_joints_free(rutLog* log) {
  for (int i = 0; i < log->jointed; i++) {
    free(log->joints[i].names);
    free(log->joints[i].state);
  }
  free(log->joints);
}

// ---- after a step ----

static void read_vehicle(const rutLogJoints* j, const rutModel* model, const rutData* data,
                         double* number) {
  const int n = j->count;
  rut_vehicle_joints(model, data, j->index, n, j->state);
  for (int i = 0; i < n; i++) {
    number[i] = j->state[i].position;
    number[n + i] = j->state[i].velocity;
    number[2 * n + i] = j->state[i].effort;
  }
}

bool rut_log_take_joints(rutLog* log, const rutModel* model, const rutData* data) {
  for (int i = 0; i < log->jointed; i++) {
    const rutLogJoints* j = &log->joints[i];
    const rutLogItem item = {.kind = RUT_LOG_JOINTS,
                             .which = i,
                             .time = rut_log_time(log, log->last_time),
                             .size = sizeof(int64_t) + NUMBERS * (size_t)j->count * sizeof(double)};
    int64_t* place = rut_log_queue_begin(log->queue, item);
    if (!place) return false;
    *place = rut_log_nanoseconds(log->last_time);
    double* number = (double*)(void*)(place + 1);
    if (j->kind == RUT_VEHICLE) {
      read_vehicle(j, model, data, number);
    } else {
      rut_mechanism_state(model, data, j->index, number, number + j->count);
    }
    rut_log_queue_end(log->queue);
  }
  return true;
}

// ---- in the thread ----

static void put_array(rutBytes* b, size_t start, int n, const double* number) {
  rut_cdr_u32(b, start, (uint32_t)n);
  if (n > 0) rut_cdr_f64(b, start, n, number);
}

void rut_log_put_joints(rutLog* log, const rutLogItem* item, int64_t stamp, const double* number) {
  const rutLogJoints* j = &log->joints[item->which];
  const int n = j->count;
  const char* rest = j->names;
  rutBytes* b = rut_mcap_message(log->writer, j->channel, item->time);
  const size_t start = rut_cdr_begin(b);
  rut_cdr_time(b, start, stamp);
  rut_cdr_text(b, start, "");
  rut_cdr_u32(b, start, (uint32_t)n);
  for (int i = 0; i < n; i++) rut_cdr_text(b, start, rut_log_next_text(&rest));
  put_array(b, start, n, number);
  put_array(b, start, n, number + n);
  // an array is empty where nothing is known
  put_array(b, start, j->kind == RUT_VEHICLE ? n : 0, number + 2 * n);
  rut_mcap_message_end(log->writer);
}
