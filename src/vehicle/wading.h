// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles in water: what carries hull and wheels, and what holds them back.
#ifndef RUT_VEHICLE_WADING_H
#define RUT_VEHICLE_WADING_H

#include "vehicle/outcome.h"

// Forces of the water, in the axes of the chassis: force and moment on each chassis, force on each
// hub [N, N m].
typedef struct rutWading {
  double hull[6 * RUT_MBD_LANES];                  // [6][lane]
  double hub[3 * RUT_MBD_LANES * RUT_MAX_WHEELS];  // [3][entry]
  int entries;                                     // from one row of `hub` to the next
} rutWading;

// Find them, and add those on the hulls to force and moment. False, and nothing is written, if no
// vehicle is in water. Both buoyancy and drag are those of calm water without waves: density x
// gravity x the volume below its level, of which `flooding` is full of water; 1/2 density C_d A v^2
// in each of the chassis's axes, A being the area of the hull below the level (C_d about 1.1 of
// boxes: Hoerner, Fluid-Dynamic Drag, 1965, chapter 3). Wheels are closed cylinders.
bool rut_wade(const rutEnvironment* world, const rutVehicleBatch* batch,
              const rutStageMotion* motion, const rutChassis* chassis, rutTiles all,
              rutWading* wading);

// Add the forces on the hubs of a part of the wheels.
RUT_INLINE void wade_hubs(const rutWading* wading, rutWheels e) {
  const double* f = wading->hub + e.first;
  const int row = wading->entries;
  for (int i = 0; i < e.width; i++) {
    W(force_x)[i] += f[i];
    W(force_y)[i] += f[row + i];
    W(force_z)[i] += f[2 * row + i];
  }
}

// Take their power, at the speeds in the middle of the step, from the balance of energy.
void rut_wading_power(const rutVehicleBatch* batch, const rutStageMotion* motion,
                      const rutChassis* chassis, rutTiles all, const rutWading* wading);

#endif  // RUT_VEHICLE_WADING_H
