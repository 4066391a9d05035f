// SPDX-License-Identifier: BSD-3-Clause
//
// Central tyre inflation: pressures that follow set points, and tyres at these pressures.
#ifndef RUT_VEHICLE_INFLATION_H
#define RUT_VEHICLE_INFLATION_H

#include "vehicle/batch.h"

// Vehicles with such a system are batches of one lane: their tyres have parameters of their own.

// Pressures at the start: those that the tyres name.
void rut_vehicle_begin_pressure(const rutVehicleBatch* batch);
// Pressures a step later, and tyres that have them.
void rut_vehicle_inflate(const rutVehicleBatch* batch, double dt);

// Parameters of the tyres of a run.
RUT_INLINE const double* rut_tyre_param(const rutVehicleBatch* batch, const rutWheelRun* run) {
  if (batch->vehicle->pressures == 0) return run->param;
  return RUT_STATE(batch, inflated) + (size_t)run->axle * RUT_TYRE_NUMBERS;
}

#endif  // RUT_VEHICLE_INFLATION_H
