// SPDX-License-Identifier: BSD-3-Clause
#include "vehicle/lane_drive.h"

#include "vehicle/control_lane.h"

#define ROW(name) RUT_STATE(batch, name)

void rut_lanes_drive(const rutVehicleBatch* batch, const rutDriveIn* in) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, wheels = vehicle->wheels, states = vehicle->drive_states;
  double demand[RUT_LANE_INPUTS], speed[RUT_MAX_WHEELS], torque[RUT_MAX_WHEELS];
  double state[RUT_LANE_STATES];
  for (int l = 0; l < lanes; l++) {
    const rutVehicleClass* own = rut_class_of(vehicle, l);
    rut_lane_take(in->demand, vehicle->inputs, lanes, l, demand);
    rut_lane_take(in->speed, wheels, lanes, l, speed);
    rut_lane_take(ROW(torque), wheels, lanes, l, torque);
    rut_lane_take(ROW(drive), states, lanes, l, state);
    const rutDriveIn lone = {
        .lanes = 1, .dt = in->dt, .demand = demand, .speed = speed, .plan = own->drive_plan};
    own->drive->torque(own->drive_param, &own->layout, &lone, state, torque);
    rut_lane_put(torque, wheels, lanes, l, ROW(torque));
    rut_lane_put(state, states, lanes, l, ROW(drive));
  }
}

void rut_lanes_couple(const rutVehicleBatch* batch, double* shaft_ratio, double* inverse_inertia) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes, shafts = vehicle->shafts, ratios = shafts * vehicle->wheels;
  double ratio[RUT_MAX_SHAFTS * RUT_MAX_WHEELS], inverse[RUT_MAX_SHAFTS], state[RUT_LANE_STATES];
  for (int l = 0; l < lanes; l++) {
    const rutVehicleClass* own = rut_class_of(vehicle, l);
    rut_lane_take(shaft_ratio, ratios, lanes, l, ratio);
    rut_lane_take(inverse_inertia, shafts, lanes, l, inverse);
    rut_lane_take(ROW(drive), vehicle->drive_states, lanes, l, state);
    own->drive->couple(own->drive_param, &own->layout, 1, state, ratio, inverse);
    rut_lane_put(ratio, ratios, lanes, l, shaft_ratio);
    rut_lane_put(inverse, shafts, lanes, l, inverse_inertia);
  }
}

void rut_lanes_power(const rutVehicleBatch* batch, double* power) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const int lanes = vehicle->lanes;
  double speed[RUT_MAX_WHEELS], state[RUT_LANE_STATES];
  for (int l = 0; l < lanes; l++) {
    const rutVehicleClass* own = rut_class_of(vehicle, l);
    rut_lane_take(ROW(start_speed), vehicle->wheels, lanes, l, speed);
    rut_lane_take(ROW(drive), vehicle->drive_states, lanes, l, state);
    own->drive->power(own->drive_param, &own->layout, 1, speed, state, &power[l]);
  }
}
