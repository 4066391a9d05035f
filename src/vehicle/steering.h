// SPDX-License-Identifier: BSD-3-Clause
//
// Steering: wheels on slides turn as fast as they may to the angles that are asked for; wheels on
// mechanisms follow a linkage.
#ifndef RUT_VEHICLE_STEERING_H
#define RUT_VEHICLE_STEERING_H

#include "vehicle/batch.h"

// Turn the wheels of a batch towards what its controllers ask for.
void rut_vehicle_steer(double dt, const rutVehicleBatch* batch);

#endif  // RUT_VEHICLE_STEERING_H
