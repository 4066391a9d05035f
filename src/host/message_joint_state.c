// SPDX-License-Identifier: BSD-3-Clause
//
// sensor_msgs/msg/JointState of what is measured at wheels, with the joints' names of a vehicle's
// own joint states (log_joints.c).
#include <stdio.h>
#include <string.h>

#include "host/log_schema.h"
#include "host/sensor_message.h"

enum { ANGLE, SPEED, STEER, STEER_RATE, TORQUE };

// Joints of a message: wheels, or the steering of those that steer.
static bool is_joint(const rutSensorMessageIn* in, int wheel) {
  return !in->output[STEER] || in->steers[wheel] != 0;
}

static int count_joints(const rutSensorMessageIn* in) {
  int n = 0;
  for (int i = 0; i < in->wheels; i++) n += is_joint(in, i);
  return n;
}

static void put_names(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  const char* part = in->output[STEER] ? "steering" : "wheel";
  const char* name = in->wheel_names;
  rut_cdr_u32(b, start, (uint32_t)count_joints(in));
  for (int i = 0; i < in->wheels; i++) {
    char joint[300];
    snprintf(joint, sizeof joint, "%.280s_%s", name, part);
    if (is_joint(in, i)) rut_cdr_text(b, start, joint);
    name += strlen(name) + 1;
  }
}

// An array is empty where nothing is measured.
static void put_numbers(rutBytes* b, size_t start, const rutSensorMessageIn* in, int output) {
  const double* number = in->output[output];
  rut_cdr_u32(b, start, number ? (uint32_t)count_joints(in) : 0);
  for (int i = 0; number && i < in->wheels; i++) {
    if (is_joint(in, i)) rut_cdr_f64(b, start, 1, number + i);
  }
}

static void put(rutBytes* b, size_t start, const rutSensorMessageIn* in) {
  const bool steering = in->output[STEER] != NULL;
  put_names(b, start, in);
  put_numbers(b, start, in, steering ? STEER : ANGLE);
  put_numbers(b, start, in, steering ? STEER_RATE : SPEED);
  put_numbers(b, start, in, TORQUE);
}

extern const rutSensorMessage rut_message_joint_state;
const rutSensorMessage rut_message_joint_state = {
    .schema = "sensor_msgs/msg/JointState",
    .definition = RUT_MSG_JOINT_STATE,
    .put = put,
};
