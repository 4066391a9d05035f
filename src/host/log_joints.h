// SPDX-License-Identifier: BSD-3-Clause
//
// Joints of vehicles and mechanisms in a log, as sensor_msgs/msg/JointState.
#ifndef RUT_HOST_LOG_JOINTS_H
#define RUT_HOST_LOG_JOINTS_H

#include "host/joints.h"
#include "host/log_parts.h"

typedef struct rutLogJoints {
  rutJoints of;
  int channel;
} rutLogJoints;

// Schema and channels. Errors: IO, MEMORY.
rutStatus rut_log_begin_joints(rutLog* log, const rutModel* model, rutError* err);
void rut_log_joints_free(rutLog* log);
// Hand the present state of all to the thread. False if out of memory.
bool rut_log_take_joints(rutLog* log, const rutModel* model, const rutData* data);
// A message of one of them, in the thread: positions, velocities, efforts.
void rut_log_put_joints(rutLog* log, const rutLogItem* item, int64_t stamp, const double* number);

#endif  // RUT_HOST_LOG_JOINTS_H
