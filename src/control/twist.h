// SPDX-License-Identifier: BSD-3-Clause
//
// Set points of a vehicle's motion, one per lane.
#ifndef RUT_CONTROL_TWIST_H
#define RUT_CONTROL_TWIST_H

typedef struct rutTwist {
  const double* speed;     // [lane] forward [m/s]
  const double* yaw_rate;  // [lane] positive to the left [rad/s]
} rutTwist;

#endif  // RUT_CONTROL_TWIST_H
