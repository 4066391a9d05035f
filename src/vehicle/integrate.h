// SPDX-License-Identifier: BSD-3-Clause
//
// One step in time, semi-implicit or Runge-Kutta, around evaluations.
#ifndef RUT_VEHICLE_INTEGRATE_H
#define RUT_VEHICLE_INTEGRATE_H

#include "vehicle/batch.h"
#include "vehicle/environment.h"

// Speeds at the end of the step; of Runge-Kutta steps positions as well. memory: rut_work_size
// bytes, aligned to 64.
void rut_vehicle_velocity(const rutEnvironment* world, const rutVehicleBatch* batch, void* memory);
// Positions of a semi-implicit step from the velocities that contacts have left.
void rut_vehicle_position(const rutEnvironment* world, const rutVehicleBatch* batch);

#endif  // RUT_VEHICLE_INTEGRATE_H
