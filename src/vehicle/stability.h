// SPDX-License-Identifier: BSD-3-Clause
//
// Stability control: brakes at single wheels, less throttle and less steering than the driver asks
// for, so that the vehicle neither spins nor rolls over.
#ifndef RUT_VEHICLE_STABILITY_H
#define RUT_VEHICLE_STABILITY_H

#include "vehicle/batch.h"

// Of a vehicle that has one: from what its controllers ask for, what drive, steering and brakes get
// in this step (rows `eased_demand`, `eased_steer`, `wheel_brake`).
void rut_vehicle_stabilise(const rutVehicleBatch* batch, double dt);

// Demands to the drive [demand][lane], and angle of the equivalent front wheel [lane].
RUT_INLINE const double* rut_asked_demand(const rutVehicleBatch* batch) {
  return batch->vehicle->stability > 0 ? RUT_STATE(batch, eased_demand) : RUT_STATE(batch, demand);
}
RUT_INLINE const double* rut_asked_steer(const rutVehicleBatch* batch) {
  return batch->vehicle->stability > 0 ? RUT_STATE(batch, eased_steer) : RUT_STATE(batch, steer);
}

#endif  // RUT_VEHICLE_STABILITY_H
