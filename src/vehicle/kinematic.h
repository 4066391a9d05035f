// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles whose controller imposes a twist: the chassis moves as it is told and follows the ground
// on its springs; wheels roll without slip. No forces move anything.
#ifndef RUT_VEHICLE_KINEMATIC_H
#define RUT_VEHICLE_KINEMATIC_H

#include "vehicle/work.h"

static inline bool rut_vehicle_is_kinematic(const rutVehicleClass* vehicle) {
  return vehicle->control.imposes_twist;
}

// Put vehicles that have just been placed where springs and tyres hold them over their ground.
void rut_kinematic_settle(const rutEnvironment* world, const rutVehicleBatch* batch, void* memory);
// Velocities in this step, which obstacles may change before the positions follow; steering angles,
// loads, and what is seen of the wheels.
void rut_kinematic_velocity(const rutEnvironment* world, const rutVehicleBatch* batch,
                            void* memory);
// Positions after the step, and the velocities then.
void rut_kinematic_position(const rutEnvironment* world, const rutVehicleBatch* batch);

#endif  // RUT_VEHICLE_KINEMATIC_H
