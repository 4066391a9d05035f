// SPDX-License-Identifier: BSD-3-Clause
//
// The inertia of a vehicle on axles against impulses, as contact in space needs it, and how its
// wheels move.
#ifndef RUT_VEHICLE_INERTIA_H
#define RUT_VEHICLE_INERTIA_H

#include "vehicle/batch.h"

// Speeds of one vehicle: velocity x y z of the chassis's centre of mass, its angular velocity x y z
// (both in the chassis's axes), then of each wheel that of the suspension's coordinate and the
// spin.
enum { RUT_MAX_SPEEDS = RUT_CHASSIS_SPEEDS + 2 * RUT_MAX_WHEELS };
static inline int rut_vehicle_speeds(const rutVehicleClass* vehicle) {
  return RUT_CHASSIS_SPEEDS + 2 * vehicle->wheels;
}

// A wheel in the chassis's axes, from its centre of mass: hub and axis, and how its carrier moves
// per speed of the suspension's coordinate: velocity of the hub, angular velocity.
typedef struct rutWheelMount {
  rutVec3 hub, axis, move, turning;
} rutWheelMount;
rutWheelMount rut_wheel_mount(const rutVehicleBatch* batch, int wheel, int lane);

// Inverse of the mass matrix M of the kinetic energy v . M v/2 that rut_vehicle_balance has,
// [speeds][speeds]. Suspensions of massless wheels do not move: their rows are 0.
void rut_vehicle_inverse_mass(const rutVehicleBatch* batch, int lane, double* out);

#endif  // RUT_VEHICLE_INERTIA_H
