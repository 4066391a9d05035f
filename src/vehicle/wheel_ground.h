// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 4 of an evaluation: what ground a wheel meets. The plane under its hub, or that at the
// nearest ground along its arc: a rigid wheel that rolls over any ground touches it where the
// ground is nearest to its hub in the wheel's plane, so that the nearest place is the contact,
// exactly.
#ifndef RUT_VEHICLE_WHEEL_GROUND_H
#define RUT_VEHICLE_WHEEL_GROUND_H

#include "vehicle/ground_rows.h"

// Places along the arcs of a tile, [slice][entry]: where, the height below which ground is looked
// for, and what is found there.
#define RUT_ARC_SAMPLES(X) X(x) X(y) X(below) X(z) X(slope_x) X(slope_y)
typedef struct rutArcSamples {
#define X(name) double* name;
  RUT_ARC_SAMPLES(X)
#undef X
} rutArcSamples;

void rut_wheel_ground(const rutEnvironment* world, const rutVehicleBatch* batch,
                      const rutArcSamples* samples, rutWheels e);

#endif  // RUT_VEHICLE_WHEEL_GROUND_H
