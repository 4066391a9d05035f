// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles as they start.
#ifndef RUT_VEHICLE_START_H
#define RUT_VEHICLE_START_H

#include "vehicle/batch.h"
#include "vehicle/environment.h"

typedef struct rutVehicleStart {
  double pose[6];          // x y z roll pitch yaw of the reference point
  double velocity[4];      // forward, left, yaw rate, up
  int on_ground, rolling;  // put on the ground; wheels rolling
  double sag;              // below the design position [m]
  double tilt;             // pitch that it has standing, on mechanisms [rad]
} rutVehicleStart;

// Put the vehicle in a lane, whose rows are zero, where it starts.
void rut_vehicle_start(const rutEnvironment* world, const rutVehicleBatch* batch, int lane,
                       const rutVehicleStart* start);

#endif  // RUT_VEHICLE_START_H
