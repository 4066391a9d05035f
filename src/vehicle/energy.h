// SPDX-License-Identifier: BSD-3-Clause
//
// The balance of energy of a vehicle.
#ifndef RUT_VEHICLE_ENERGY_H
#define RUT_VEHICLE_ENERGY_H

#include "vehicle/batch.h"

// Begin the balance of the vehicle in a lane, which stands where it starts.
void rut_vehicle_begin_energy(double gravity, const rutVehicleBatch* batch, int lane);
// What has flowed since, and what there is. step: of semi-implicit steps, else 0 [s].
void rut_vehicle_balance(double gravity, double step, const rutVehicleBatch* batch, int lane,
                         rutEnergy* out);

#endif  // RUT_VEHICLE_ENERGY_H
