// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 8 of an evaluation: what the ground gives to contact patches. Surfaces and soils by their
// traction, tyres that have a law of their own for hard ground, and deformable soil under its
// load (vehicle/sinkage.h).
#ifndef RUT_VEHICLE_TRACTION_H
#define RUT_VEHICLE_TRACTION_H

#include "vehicle/traction_rows.h"

// Of the wheels of a tile; soil: index of each one's.
void rut_wheel_traction(const rutEnvironment* world, const rutVehicleBatch* batch,
                        const rutStageMotion* motion, const int* soil, rutWheels e);

#endif  // RUT_VEHICLE_TRACTION_H
