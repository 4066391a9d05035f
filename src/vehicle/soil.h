// SPDX-License-Identifier: BSD-3-Clause
//
// Stage 6 of an evaluation: which soil the wheels stand on, what earlier passes left there, and
// what of their depth the tyres take.
#ifndef RUT_VEHICLE_SOIL_H
#define RUT_VEHICLE_SOIL_H

#include "vehicle/contact.h"

#define RUT_SOIL_ROWS(X)                                                                  \
  /* properties of the place, NaN where the soil's own hold: cone index [Pa], friction */ \
  X(strength) X(friction)                                                                       \
  /* 1 in deformable soil, else 0; depth below its surface; what the tyre takes of it, as */ \
  /* the last step left it; slope of the floor that earlier passes left */                      \
  X(sinks) X(depth) X(squeeze) X(climb)                                                         \
  /* in such soil: direction of travel, length of the contact before the lowest point */        \
  X(dir_x) X(dir_y) X(ahead)                                                                    \
  /* how far the surface is raised; how deep earlier passes have pressed it: as read, and as */ \
  /* far as it is not the wheel's own print; part that is not; depth of that print */           \
  X(raised) X(earlier) X(trodden) X(apart) X(own)
RUT_NUMBER_ROWS(RUT_SOIL_ROWS, RUT_CONTACT_ROWS_END, RUT_SOIL_ROWS_END);

// Which way a wheel travels, 1 forward, -1 backward: that of its hub, or of its rim where that is
// faster.
RUT_INLINE double rut_travel_direction(double rolls, double moves) {
  return (rut_abs(rolls) > rut_abs(moves) ? rolls : moves) < 0 ? -1 : 1;
}

// Of the wheels of a tile; soil: index of each one's.
void rut_wheel_soils(const rutEnvironment* world, const rutVehicleBatch* batch, const double* spin,
                     int* soil, rutWheels e);

#endif  // RUT_VEHICLE_SOIL_H
