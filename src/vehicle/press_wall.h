// SPDX-License-Identifier: BSD-3-Clause
//
// Part of stages 9 and 11 of an evaluation: the walls of ruts that earlier passes left press wheels
// back that leave them.
//
// The floor under a tread is the mean over its width, and rises as the tread comes on to a wall
// (vehicle/soil.c). To move the wheel up there takes a force across of
//   F = N |dm/dy|
// under the load N, so that a wheel which has left a rut of the depth H has done the work N H. The
// wall bears it as far as its passive pressure goes; beyond that it yields, and what lifts the
// wheel is paid by drag along the path, like all that is left (vehicle/sinkage.c).
#ifndef RUT_VEHICLE_PRESS_WALL_H
#define RUT_VEHICLE_PRESS_WALL_H

#include "vehicle/accelerate.h"

// Whether some wheels of a part are on walls of ruts.
RUT_INLINE bool on_walls(const rutEnvironment* world, rutWheels e) {
  if (!world->soft || !world->soft_soils) return false;
  double some = 0;
  for (int i = 0; i < e.width; i++) some += rut_abs(W(bank)[i]);
  return some > 0;
}

// Force to the left on a wheel.
RUT_INLINE double wall_force(rutWheels e, int i) {
  return -rut_clamp(W(normal)[i] * W(bank)[i], -W(wall)[i], W(wall)[i]);
}

// Add the walls' forces to those on the hubs of a part.
RUT_INLINE void press_walls(const rutEnvironment* world, rutWheels e) {
  if (!on_walls(world, e)) return;
  for (int i = 0; i < e.width; i++) {
    const double lateral = wall_force(e, i);
    const rutVec3 arm = rut_vec3(W(dx)[i], W(dy)[i], W(dz)[i]);
    const rutVec3 f = rut_vec3_scale(rut_vec3(W(sx)[i], W(sy)[i], W(sz)[i]), lateral);
    const rutVec3 axis = rut_vec3(W(ax)[i], W(ay)[i], W(az)[i]), whole = rut_vec3_cross(arm, f);
    // the wheel turns freely
    const rutVec3 m = rut_vec3_add_scaled(whole, -rut_vec3_dot(whole, axis), axis);
    W(force_x)[i] += f.x;
    W(force_y)[i] += f.y;
    W(force_z)[i] += f.z;
    W(moment_x)[i] += m.x;
    W(moment_y)[i] += m.y;
    W(moment_z)[i] += m.z;
  }
}

// Add them to what the ground gives across the wheels of a part, and the power that they take to
// that of the motion resistance. The acceleration of a hub is that of spin_wheel.
RUT_INLINE void add_wall_power(const rutEnvironment* world, const rutStageMotion* motion,
                               rutWheels e, double* across, double* resistance) {
  if (!on_walls(world, e)) return;
  const double middle = 0.5 * motion->implicit;
  for (int i = 0; i < e.width; i++) {
    const double lateral = wall_force(e, i);
    const double as = W(hub_x)[i] * W(sx)[i] + W(hub_y)[i] * W(sy)[i] + W(hub_z)[i] * W(sz)[i];
    resistance[i] -= lateral * (W(vy)[i] + middle * as);
    across[i] += lateral;
  }
}

#endif  // RUT_VEHICLE_PRESS_WALL_H
