// SPDX-License-Identifier: BSD-3-Clause
//
// A seat in a vehicle: where it is, and what its vibration does to whoever sits there.
#ifndef RUT_HOST_SEAT_H
#define RUT_HOST_SEAT_H

#include "rut/host.h"
#include "rut/ride.h"

typedef struct rutSeat {
  double mount[6];  // place in the vehicle [m], and no rotation
  double gravity;   // [m/s2]
  rutRide* ride;    // owned
} rutSeat;

// The seat of a vehicle's element, at the place of its field, else at the chassis's centre of mass.
rutSeat rut_seat_of(const rutSpec* spec, rutNode vehicle);
// Begin with a sample every dt [s]. Errors: those of rut_ride_create. Nullable: err.
rutStatus rut_seat_begin(rutSeat* seat, double dt, rutError* err);
// Add the mean acceleration of the last step.
void rut_seat_add(rutSeat* seat, const rutModel* model, const rutData* data, int vehicle);
void rut_seat_end(rutSeat* seat);

#endif  // RUT_HOST_SEAT_H
