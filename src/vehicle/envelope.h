// SPDX-License-Identifier: BSD-3-Clause
//
// Part of stage 4 of an evaluation: wheels that envelop short obstacles. A wheel is rows of tandem
// cams across its width (vehicle/cam.h) instead of a disc. Each row carries in proportion to its
// depth; the root mean square of the depths is the deflection d of the tyre, so that an elastic
// tyre's energy is a function of where the hub is, and its force is normal to what the hub would
// roll over: N grad d. The work of the ground around a closed path is 0.
#ifndef RUT_VEHICLE_ENVELOPE_H
#define RUT_VEHICLE_ENVELOPE_H

#include "vehicle/ground_rows.h"

// Replaces the planes that wheels of a tile have been found to meet, where the ground under them
// has upright faces, or everywhere where the vehicle says so.
void rut_envelope(const rutEnvironment* world, const rutVehicleBatch* batch, rutWheels e);

#endif  // RUT_VEHICLE_ENVELOPE_H
