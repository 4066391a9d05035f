// SPDX-License-Identifier: BSD-3-Clause
//
// One step in time, semi-implicit or Runge-Kutta, around evaluations.
#ifndef RUT_VEHICLE_INTEGRATE_H
#define RUT_VEHICLE_INTEGRATE_H

#include "vehicle/batch.h"
#include "vehicle/environment.h"
#include "vehicle/work.h"

// Speeds at the end of the step; of Runge-Kutta steps positions as well. memory: rut_work_size
// bytes, aligned to 64.
void rut_vehicle_velocity(const rutEnvironment* world, const rutVehicleBatch* batch, void* memory);
// Positions of a semi-implicit step from the velocities that contacts have left.
void rut_vehicle_position(const rutEnvironment* world, const rutVehicleBatch* batch);
// Contact patches of all wheels, and the work of their tyres, at the end of a semi-implicit step
// of dt, from its evaluation.
void rut_end_wheels(double dt, const rutVehicleBatch* batch, const rutWork* work);

#endif  // RUT_VEHICLE_INTEGRATE_H
