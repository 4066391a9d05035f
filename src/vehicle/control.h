// SPDX-License-Identifier: BSD-3-Clause
//
// What controllers and drives make of what they see, at the beginning of a step.
#ifndef RUT_VEHICLE_CONTROL_H
#define RUT_VEHICLE_CONTROL_H

#include "vehicle/batch.h"

// Demands, steering angles, torques on the wheels.
void rut_vehicle_control(double dt, const rutVehicleBatch* batch);

#endif  // RUT_VEHICLE_CONTROL_H
