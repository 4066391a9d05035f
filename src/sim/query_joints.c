// SPDX-License-Identifier: BSD-3-Clause
//
// Joints of vehicles, as models of robots have them.
#include "sim/query.h"
#include "vehicle/corner.h"

// Rate of travel of a wheel on axles [m/s].
static double travel_rate(const rutModel* model, const rutData* data, int vehicle, int wheel) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const int lane = r->slot % g->lanes, entry = wheel * g->lanes + lane;
  if (g->spatial->mechanisms && g->spatial->corner_mass[entry] > 0) {
    const rutVehicleBatch batch = rut_vehicle_batch(data, g, r->slot / g->lanes);
    rutCornerLook look = {.end = 0};
    return rut_corner_motion(&batch, entry, &look).velocity.z;
  }
  const double* b = rut_batch(data, g, r->slot / g->lanes);
  enum { CHASSIS_SPEEDS = 6 };
  return b[(g->row.v + CHASSIS_SPEEDS + wheel) * g->lanes + lane];
}

// Rate at which a wheel has turned about its steering axis in the last step [rad/s].
static double steering_rate(const rutModel* model, const rutData* data, int vehicle, int wheel) {
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  const int batch = r->slot / g->lanes, at = (g->row.yaw + wheel) * g->lanes + r->slot % g->lanes;
  return (rut_batch(data, g, batch)[at] - rut_backup(data, g, batch)[at]) / model->dt;
}

int rut_vehicle_joints(const rutModel* model, const rutData* data, int vehicle, int n,
                       rutJointState* out) {
  if (vehicle < 0 || vehicle >= model->vehicles) return 0;
  const rutVehicleRecord* r = &model->vehicle[vehicle];
  const rutGroup* g = &model->group[r->group];
  if (data && !rut_data_is_of(data, model)) return 0;
  int joints = 0;
  for (int i = 0; i < g->wheels; i++) {
    const int wheel = r->first_wheel + i, first = joints;
    const bool steers = g->layout.steered[i] != 0, travels = g->spatial != NULL;
    joints += 1 + steers + travels;
    if (joints > n) continue;
    const rutWheelState unknown = {
        .steer = RUT_NAN, .angle = RUT_NAN, .speed = RUT_NAN, .torque = RUT_NAN, .travel = RUT_NAN};
    const rutWheelState w = data ? rut_wheel_state(model, data, wheel) : unknown;
    rutJointState* joint = out + first;
    *joint++ = (rutJointState){wheel, "wheel", w.angle, w.speed, w.torque};
    if (steers) {
      const double rate = data ? steering_rate(model, data, vehicle, i) : RUT_NAN;
      *joint++ = (rutJointState){wheel, "steering", w.steer, rate, RUT_NAN};
    }
    if (travels) {
      const double rate = data ? travel_rate(model, data, vehicle, i) : RUT_NAN;
      *joint = (rutJointState){wheel, "suspension", w.travel, rate, RUT_NAN};
    }
  }
  return joints;
}
