// SPDX-License-Identifier: BSD-3-Clause
//
// Shafts of the drive that couple wheels.
#ifndef RUT_VEHICLE_SHAFTS_H
#define RUT_VEHICLE_SHAFTS_H

#include "vehicle/batch.h"

// Ask the drive what they turn, where that has changed.
void rut_vehicle_couple(const rutVehicleBatch* batch);

#endif  // RUT_VEHICLE_SHAFTS_H
