// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 10 of an evaluation: from forces to accelerations, with mbd/sliders.h or mbd/corners.h.
#ifndef RUT_VEHICLE_ACCELERATE_H
#define RUT_VEHICLE_ACCELERATE_H

#include "vehicle/force.h"

#define RUT_ACCELERATION_ROWS(X)                                                                \
  /* of the hub in chassis axes; of carriers on mechanisms about the wheel's axis; torque of */ \
  /* the shafts */                                                                              \
  X(hub_x) X(hub_y) X(hub_z) X(about) X(shaft_torque)
RUT_NUMBER_ROWS(RUT_ACCELERATION_ROWS, RUT_FORCE_ROWS_END, RUT_ACCELERATION_ROWS_END);

// What they act on beside the wheels.
struct rutWading;
typedef struct rutDynamics {
  const rutChassis* chassis;
  bool touches;                    // the ground acts on the hull
  const struct rutWading* wading;  // forces of water, NULL: none
  double* scratch;                 // rut_dynamics_scratch doubles
} rutDynamics;

size_t rut_dynamics_scratch(const rutVehicleClass* vehicle);

// Accelerations of all coordinates but the spins (motion, chassis) and of the hubs.
void rut_accelerate(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                    const rutDynamics* on, rutTiles all);

#endif  // RUT_VEHICLE_ACCELERATE_H
