// SPDX-License-Identifier: BSD-3-Clause
//
// Twist of a vehicle with a steered front axle, and its speed loops.
#ifndef RUT_CONTROL_STEERING_H
#define RUT_CONTROL_STEERING_H

#include "control/pid.h"
#include "control/twist.h"

// Angle [rad] of the equivalent single front wheel: the reference point on the rear axle turns
// about a point at R = v/yaw_rate, so tan(angle) = l/R. Turning on the spot asks for 90 deg.
RUT_INLINE double rut_steer_of_twist(double speed, double yaw_rate, double wheelbase) {
  const double across = yaw_rate * wheelbase;
  return rut_atan2(speed < 0.0 ? -across : across, rut_abs(speed));
}

// Angles [rad] of both front wheels for an equivalent angle (Ackermann): all axles meet in one
// point, cot(outer) = cot|a| + w/(2 l), cot(inner) = cot|a| - w/(2 l), here in tangents. Without a
// steered axle both are the angle itself.
RUT_INLINE void rut_ackermann(double angle, const rutVehicleLayout* layout, double* left,
                              double* right) {
  const double size = rut_min(rut_abs(angle), layout->max_steer);
  const double t = rut_tan(size);
  const double ratio = layout->wheelbase > 0.0 ? 0.5 * layout->track / layout->wheelbase : 0.0;
  const double outer = rut_atan2(t, 1.0 + t * ratio), inner = rut_atan2(t, 1.0 - t * ratio);
  *left = angle < 0.0 ? -outer : inner;
  *right = angle < 0.0 ? -inner : outer;
}

// Speed along a wheel at (x, y) that points to `angle`, for a vehicle moving with (v, 0, rate).
RUT_INLINE double rut_wheel_speed(double v, double rate, double x, double y, double angle) {
  double s, c;
  rut_sincos(angle, &s, &c);
  return (v - rate * y) * c + rate * x * s;
}

// Torque demands for a twist with the equivalent steering angle out->steer[lane]. One engine: one
// loop on the speed from the wheels. Two demands: one loop per front wheel, whose speed is what
// odometry says about its place, along its present direction.
static inline void rut_steered_speed_loops(const rutPidParam* p, const rutVehicleLayout* layout,
                                           const rutControlIn* in, const rutTwist* set,
                                           double* state, const rutControlOut* out) {
  rutPidLoops want, have;
  const int lanes = in->lanes;
  if (in->demands == 1) {
    const rutSpeedLoops one = {.n = 1, .want = set->speed, .have = in->odo_speed};
    rut_speed_loops(p, layout, in, &one, state, out);
    return;
  }
  const bool front = layout->front_left >= 0 && layout->front_right >= 0;
  const int wheel[2] = {front ? layout->front_left : layout->left,
                        front ? layout->front_right : layout->right};
  for (int l = 0; l < lanes; l++) {
    double angle[2];
    rut_ackermann(out->steer[l], layout, &angle[0], &angle[1]);
    for (int k = 0; k < 2; k++) {
      const double x = layout->x[wheel[k]], y = layout->y[wheel[k]];
      const double present = in->steer[wheel[k] * lanes + l];
      want[k * lanes + l] = rut_wheel_speed(set->speed[l], set->yaw_rate[l], x, y, angle[k]);
      have[k * lanes + l] = rut_wheel_speed(in->odo_speed[l], in->odo_rate[l], x, y, present);
    }
  }
  rut_speed_loops(p, layout, in, &(rutSpeedLoops){2, want, have}, state, out);
}

#endif  // RUT_CONTROL_STEERING_H
