// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels near upright faces follow their ground as far as motion presses them into it.
//
// The depth of a wheel in ground with faces is not continuous: a row of the tread that comes over
// an edge sideways, a wheel that falls beside a kerb, are deep in it at once. Were that depth the
// deflection, its energy would come from nowhere. The deflection is therefore integrated from the
// rate at which the wheel moves against the ground, and is the depth where that is less: energy is
// stored by work only. What is missing, the unpaid depth, is climbed like a bank, at the cost of a
// drag along the ground, and with what slipping takes.
#ifndef RUT_VEHICLE_FOLLOW_H
#define RUT_VEHICLE_FOLLOW_H

#include "vehicle/soil.h"

// Takes what is not paid for from the depths of the wheels of a tile. (From the travel of massless
// ones it has been taken: settle_massless.)
void rut_follow_faces(const rutEnvironment* world, const rutVehicleBatch* batch,
                      const rutStageMotion* motion, rutWheels e);
// Adds banks to the slopes of the ground under them (W(floor_slope)).
void rut_follow_banks(double dt, rutWheels e);
// At the end of the step: what they have paid for.
void rut_follow_pay(double dt, const rutVehicleBatch* batch, const rutStageMotion* motion,
                    rutWheels e);

// Whether there are such faces.
RUT_INLINE bool rut_has_faces(const rutEnvironment* world, const rutVehicleBatch* batch) {
  const rutVehicleClass* vehicle = batch->vehicle;
  const bool everywhere = vehicle->envelops && vehicle->search == RUT_CONTACT_CAMS;
  return world->ground->steep || everywhere;
}

#endif  // RUT_VEHICLE_FOLLOW_H
