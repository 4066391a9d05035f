// SPDX-License-Identifier: BSD-3-Clause
//
// What controllers and drives make of what they see, at the beginning of a step.
#ifndef RUT_VEHICLE_CONTROL_H
#define RUT_VEHICLE_CONTROL_H

#include "vehicle/batch.h"
#include "vehicle/environment.h"

// Demands, steering angles, torques on the wheels. index: of the batch among those of its class.
void rut_vehicle_control(const rutEnvironment* world, const rutVehicleBatch* batch, int index);

#endif  // RUT_VEHICLE_CONTROL_H
