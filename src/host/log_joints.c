// SPDX-License-Identifier: BSD-3-Clause
#include "host/log_joints.h"

#include <stdlib.h>

#include "host/log_definition.h"
#include "host/log_schema.h"
#include "host/pose_message.h"

// ---- at the beginning ----

// A channel of the last joints.
static rutStatus add_channel(rutLog* log, const rutModel* model, rutError* err) {
  rutLogJoints* j = &log->joints[log->jointed - 1];
  if (log->jointed == 1) {
    const rutStatus status =
        rut_log_add_schema(log, "sensor_msgs/msg/JointState", RUT_MSG_JOINT_STATE, err);
    if (status != RUT_OK) return status;
    log->joint_schema = log->schemas;
  }
  j->channel = log->channels;
  const char* element = rut_name(model, j->of.kind, j->of.index);
  return rut_log_add_channel(log, log->joint_schema, element, "/joint_states", err);
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
      rutJoints found;
      status = rut_joints_find(model, kinds[k], i, &found, err);
      if (status != RUT_OK || found.count == 0) {
        rut_joints_free(&found);
        continue;
      }
      log->joints[log->jointed++].of = found;
      status = add_channel(log, model, err);
    }
  }
  return status;
}

void rut_log_joints_free(rutLog* log) {
  for (int i = 0; i < log->jointed; i++) rut_joints_free(&log->joints[i].of);
  free(log->joints);
}

// ---- after a step ----

bool rut_log_take_joints(rutLog* log, const rutModel* model, const rutData* data) {
  for (int i = 0; i < log->jointed; i++) {
    const rutJoints* j = &log->joints[i].of;
    if (!rut_log_wants(log, log->joints[i].channel)) continue;
    const size_t numbers = RUT_JOINT_NUMBERS * (size_t)j->count;
    const rutLogItem item = {.kind = RUT_LOG_JOINTS,
                             .which = i,
                             .time = rut_log_time(log, log->last_time),
                             .size = sizeof(int64_t) + numbers * sizeof(double)};
    int64_t* place = rut_log_queue_begin(log->queue, item);
    if (!place) return false;
    *place = rut_log_nanoseconds(log->last_time);
    rut_joints_read(j, model, data, (double*)(void*)(place + 1));
    rut_log_queue_end(log->queue);
  }
  return true;
}

// ---- in the thread ----

void rut_log_put_joints(rutLog* log, const rutLogItem* item, int64_t stamp, const double* number) {
  const rutLogJoints* j = &log->joints[item->which];
  const int n = j->of.count;
  const rutJointMessage message = {
      .stamp = stamp,
      .n = n,
      .names = j->of.names,
      .position = number,
      .velocity = number + n,
      .effort = j->of.kind == RUT_VEHICLE ? number + 2 * n : NULL,
  };
  rutBytes* b = rut_mcap_message(log->writer, j->channel, item->time);
  rut_put_joint_state(b, rut_cdr_begin(b), &message);
  rut_mcap_message_end(log->writer);
}
