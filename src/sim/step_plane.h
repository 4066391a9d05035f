// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of planar vehicles in a step: the motion that controllers see, and the demands of loops.
#ifndef RUT_SIM_STEP_PLANE_H
#define RUT_SIM_STEP_PLANE_H

#include "math/lanes.h"
#include "sim/model.h"

// Row of a batch.
#define ROW(member) (batch + (size_t)group->row.member * (size_t)lanes)

// Velocity of the reference point in vehicle axes, and what the wheels say about it.
RUT_INLINE void rut_plane_measure(const rutGroup* group, int lanes, double* batch) {
  const double* restrict v = ROW(v);
  const double* restrict c = ROW(cos_yaw);
  const double* restrict s = ROW(sin_yaw);
  double* restrict vx = ROW(body_vx), * restrict vy = ROW(body_vy), * restrict rate = ROW(yaw_rate);
  const double* restrict com = group->lane_com;
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    double x = v[l], y = v[lanes + l], w = v[2 * lanes + l];
    vx[l] = c[l] * x + s[l] * y + w * com[lanes + l];
    vy[l] = -s[l] * x + c[l] * y - w * com[l];
    rate[l] = w;
  }
  int left = group->layout.left, right = group->layout.right;
  if (left < 0 || right < 0) return;
  const double* restrict wl = v + (size_t)group->wheel_speed[left] * (size_t)lanes;
  const double* restrict wr = v + (size_t)group->wheel_speed[right] * (size_t)lanes;
  double* restrict speed = ROW(odo_speed), * restrict turn = ROW(odo_rate);
  const double* restrict rl = group->lane_odometry;
  // rolling without slip: the hub at y moves forward with v - rate y
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
    const double rr = rl[lanes + l], yl = rl[2 * lanes + l], inverse = rl[3 * lanes + l];
    double w = (wr[l] * rr - wl[l] * rl[l]) * inverse;
    turn[l] = w;
    speed[l] = wl[l] * rl[l] + w * yl;
  }
}

// Rows of demands at the end of the step as functions of the wheel speeds.
RUT_INLINE rutDemandLine rut_plane_line(const rutGroup* group, int lanes, double* batch) {
  const int n = group->lines * lanes;
  double* row = ROW(line);
  return (rutDemandLine){row, row + n, row + 2 * n, row + 3 * n};
}

#endif  // RUT_SIM_STEP_PLANE_H
