// SPDX-License-Identifier: BSD-3-Clause
#include "host/seat.h"

rutSeat rut_seat_of(const rutSpec* spec, rutNode vehicle) {
  rutSeat seat = {.gravity = rut_node_number(spec, rut_spec_root(spec), "gravity")};
  const rutNode chassis = rut_node_first(spec, vehicle, "chassis");
  int n = 0;
  const double* at = rut_node_has(spec, vehicle, "seat")
                         ? rut_node_numbers(spec, vehicle, "seat", &n)
                         : rut_node_numbers(spec, chassis, "com", &n);
  for (int i = 0; i < n && i < 3; i++) seat.mount[i] = at[i];
  return seat;
}

rutStatus rut_seat_begin(rutSeat* seat, double dt, rutError* err) {
  return rut_ride_create(dt, &seat->ride, err);
}

void rut_seat_end(rutSeat* seat) {
  rut_ride_destroy(seat->ride);
  seat->ride = NULL;
}

void rut_seat_add(rutSeat* seat, const rutModel* model, const rutData* data, int vehicle) {
  rutMotion motion;
  if (!rut_motion(model, data, vehicle, seat->mount, &motion)) return;
  // what gravity is along the seat's axes: the last row of the rotation to the world
  const double* q = motion.attitude;
  const double up[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                        1 - 2 * (q[1] * q[1] + q[2] * q[2])};
  double a[3];
  for (int k = 0; k < 3; k++) a[k] = motion.proper_acceleration[k] - seat->gravity * up[k];
  rut_ride_add(seat->ride, a);
}
