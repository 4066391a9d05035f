// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels that slip and stay dig in. The tread carries a layer of soil along, t thick, at half the
// slip speed v_s on the mean, so that b t |v_s|/2 goes from under the wheel, whose contact is l
// long:
//   j' = (h |v_s| - j |v|)/l,   h = t/2.
// In steady rolling j = h s/(1 - s) is the known sinkage of the lugs (Bekker, Reece), which the
// laws of sinkage over slip have already. A wheel digs where j is more than the sinkage z_s that
// slip has there by law: as if the contact were renewed by z_s |v|, at (h |v_s| - z_s |v|)/l. What
// it digs it leaves behind as it rolls on. Tread holds no more soil than it has sunk into: t is at
// most the sinkage.
#ifndef RUT_VEHICLE_DIG_H
#define RUT_VEHICLE_DIG_H

#include "vehicle/batch.h"
#include "vehicle/environment.h"
#include "vehicle/wheels.h"

// By how much a wheel has dug deeper in this step, what the ground is to follow by, if it keeps
// ruts, [m]; contact before and behind the lowest point [m]; speed of the rim over the soil [m/s].
typedef struct rutDug {
  double deeper, carried, ahead, behind, slides;
} rutDug;

// A step of wheel i of a tile; `in`: it presses deformable soil.
rutDug rut_dig_in(const rutEnvironment* world, const rutVehicleBatch* batch,
                  const rutSoilRecord* soil, bool in, rutWheels e, int i);
// What the ground is to do.
void rut_dig_ground(const rutEnvironment* world, const rutVehicleBatch* batch, rutDug dug,
                    rutWheels e, int i, rutSoftPress* to);

#endif  // RUT_VEHICLE_DIG_H
