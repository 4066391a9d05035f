// SPDX-License-Identifier: BSD-3-Clause
//
// Controllers of vehicles that share lanes and whose numbers differ, each called as that of a lone
// vehicle.
#ifndef RUT_VEHICLE_CONTROL_LANE_H
#define RUT_VEHICLE_CONTROL_LANE_H

#include "vehicle/control_job.h"

// Most states of a controller that may differ from lane to lane, and torque demands.
enum { RUT_LANE_STATES = 256, RUT_LANE_INPUTS = 64 };

// Which function of the controller.
typedef enum rutControlCall { RUT_CALL_UPDATE, RUT_CALL_FOLLOW } rutControlCall;

// Rows of all lanes: what the controllers see, their states and what they answer.
typedef struct rutControlRows {
  int lanes;
  const rutControlIn* in;
  double* state;
  const rutControlOut* out;
} rutControlRows;

// The controller of every lane; duty[lane] differs in parameters and layout alone.
void rut_control_lanes_call(const rutControlDuty duty[RUT_MBD_LANES], const rutControlRows* rows,
                            rutControlCall call);

// Numbers of one lane of rows, one after the other, and back. Nullable: rows.
static inline void rut_lane_take(const double* rows, int n, int lanes, int lane, double* to) {
  for (int i = 0; rows && i < n; i++) to[i] = rows[i * lanes + lane];
}
static inline void rut_lane_put(const double* from, int n, int lanes, int lane, double* rows) {
  for (int i = 0; rows && i < n; i++) rows[i * lanes + lane] = from[i];
}

#endif  // RUT_VEHICLE_CONTROL_LANE_H
