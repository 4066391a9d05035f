// SPDX-License-Identifier: BSD-3-Clause
//
// A controller of one vehicle of several that share lanes, called as that of a lone vehicle.
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

// duty: of the controller in that lane.
void rut_control_lane_call(const rutControlDuty* duty, const rutControlRows* rows, int lane,
                           rutControlCall call);

// Numbers of one lane of rows, one after the other, and back. Nullable: rows.
void rut_lane_take(const double* rows, int n, int lanes, int lane, double* to);
void rut_lane_put(const double* from, int n, int lanes, int lane, double* rows);

#endif  // RUT_VEHICLE_CONTROL_LANE_H
