// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of stage 8 of an evaluation, traction (vehicle/traction.h).
#ifndef RUT_VEHICLE_TRACTION_ROWS_H
#define RUT_VEHICLE_TRACTION_ROWS_H

#include "vehicle/load.h"

// What any of them gives: as in rutTractionOut, and moments as in rutTyreGripOut.
#define RUT_TRACTION_OUT(X) X(mu_x) X(mu_y) X(secant_x) X(secant_y) X(use) X(resistance) X(peak)
#define RUT_GRIP_OUT(X)     RUT_TRACTION_OUT(X) X(overturning) X(aligning)

#define RUT_TRACTION_ROWS(X)                                                                  \
  RUT_GRIP_OUT(X)                                                                             \
  /* where some tyre or soil asks: 1 where the wheel travels forward, else -1; inclination */ \
  /* from the ground's normal; friction of hard ground */                                     \
  X(direction) X(camber) X(road)                                                             \
  /* in deformable soil: sinkage; depth of the rut, to which the soil is pressed, and of */ \
  /* the wheel's own print; way in this step; what the tyre takes in the end */              \
  X(sunk_in) X(rut) X(pressed) X(print) X(way) X(squeeze_left)
RUT_NUMBER_ROWS(RUT_TRACTION_ROWS, RUT_LOAD_ROWS_END, RUT_TRACTION_ROWS_END);

#endif  // RUT_VEHICLE_TRACTION_ROWS_H
