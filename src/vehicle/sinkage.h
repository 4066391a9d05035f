// SPDX-License-Identifier: BSD-3-Clause
//
// Deformable soil under wheels: loads, traction and sinkage, and what is left behind.
#ifndef RUT_VEHICLE_SINKAGE_H
#define RUT_VEHICLE_SINKAGE_H

#include "vehicle/traction_rows.h"

// Replaces the load and traction of the wheels of a tile that stand on such soil.
void rut_wheels_sink(const rutEnvironment* world, const rutVehicleBatch* batch,
                     const rutStageMotion* motion, const int* soil, rutWheels e);

#endif  // RUT_VEHICLE_SINKAGE_H
