// SPDX-License-Identifier: BSD-3-Clause
//
// A load that holds a vehicle back at its hitch.
#ifndef RUT_VEHICLE_HITCH_H
#define RUT_VEHICLE_HITCH_H

#include "vehicle/chassis.h"

// Speed from which on it holds back in full [m/s].
static const double HITCH_SPEED = 0.1;

// Its force at a time [N].
RUT_INLINE double hitch_force(const rutVehicleClass* vehicle, double time) {
  const double since = time - vehicle->hitch_start, force = vehicle->hitch_force;
  const double most = vehicle->hitch_ramp > 0 ? vehicle->hitch_ramp * since : force;
  return since >= 0 ? rut_min(force, most) : 0;
}

// Force and moment of the hitch on the chassis: level, against the heading, in full above a crawl.
RUT_INLINE void hitch_wrench(const rutVehicleClass* vehicle, const rutChassis* chassis, double pull,
                             const double* v, int l, double wrench[6]) {
  static const double LEAST_HEADING = 1e-6;  // level part of a heading that points up or down
  const int lanes = vehicle->lanes;
  const double* r = chassis->motion + l;
  const rutVec3 at = rut_load_vec3(vehicle->hitch, lanes, l);
  const double cx = r[0], cy = r[3 * lanes], size = rut_max(rut_hypot(cx, cy), LEAST_HEADING);
  const double hx = cx / size, hy = cy / size;
  const rutVec3 ahead = rut_vec3(r[0] * hx + r[3 * lanes] * hy, r[lanes] * hx + r[4 * lanes] * hy,
                                 r[2 * lanes] * hx + r[5 * lanes] * hy);
  const double speed = rut_vec3_dot(rut_load_vec3(v + 3 * lanes, lanes, l), ahead);
  const double part = rut_clamp(speed * (1 / HITCH_SPEED), 0, 1);
  const rutVec3 force = rut_vec3_scale(ahead, -part * pull);
  const rutVec3 moment = rut_vec3_cross(at, force);
  wrench[0] = force.x;
  wrench[1] = force.y;
  wrench[2] = force.z;
  wrench[3] = moment.x;
  wrench[4] = moment.y;
  wrench[5] = moment.z;
}

RUT_INLINE void pull_hitch(const rutVehicleClass* vehicle, double pull, const double* v,
                           const rutChassis* chassis) {
  const int lanes = vehicle->lanes;
  for (int l = 0; l < lanes; l++) {
    double wrench[6];
    hitch_wrench(vehicle, chassis, pull, v, l, wrench);
    for (int i = 0; i < 3; i++) {
      chassis->force[i * lanes + l] += wrench[i];
      chassis->moment[i * lanes + l] += wrench[3 + i];
    }
  }
}

// Its power, at the speeds in the middle of the step; it counts as an obstacle's.
RUT_INLINE void hitch_power(const rutVehicleClass* vehicle, double pull,
                            const rutStageMotion* motion, const rutChassis* chassis) {
  const int lanes = vehicle->lanes;
  const double *v = motion->v, middle = 0.5 * motion->implicit;
  for (int l = 0; l < lanes; l++) {
    double wrench[6], sum = 0;
    hitch_wrench(vehicle, chassis, pull, v, l, wrench);
    for (int i = 0; i < 3; i++) {
      sum += wrench[i] * (v[(3 + i) * lanes + l] + middle * chassis->acceleration[i * lanes + l]) +
             wrench[3 + i] * (v[i * lanes + l] + middle * chassis->alpha[i * lanes + l]);
    }
    chassis->power[RUT_ENERGY_obstacle * lanes + l] = -sum;
  }
}

#endif  // RUT_VEHICLE_HITCH_H
