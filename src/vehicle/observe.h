// SPDX-License-Identifier: BSD-3-Clause
//
// What sensors, controllers and people see of a vehicle's motion.
#ifndef RUT_VEHICLE_OBSERVE_H
#define RUT_VEHICLE_OBSERVE_H

#include "vehicle/batch.h"

// Pose and velocities of the reference point, speeds as odometry has them.
void rut_vehicle_observe(const rutVehicleBatch* batch);
// Odometry over a step of the batch of that index in its class.
void rut_vehicle_odometry(double dt, const rutVehicleBatch* batch, int index);
// Roll, pitch and heading [rad] of one vehicle; the heading does not wrap.
rutVec3 rut_vehicle_attitude(const rutVehicleBatch* batch, int lane);

#endif  // RUT_VEHICLE_OBSERVE_H
