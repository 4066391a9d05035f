// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of stage 8 of an evaluation, traction (vehicle/traction.h).
#ifndef RUT_VEHICLE_TRACTION_ROWS_H
#define RUT_VEHICLE_TRACTION_ROWS_H

#include "vehicle/load.h"

// clang-format off
// Results of each of them: as in rutTractionOut, and moments as in rutTyreGripOut.
#define RUT_TRACTION_OUT(X) \
  X(mu_x) X(mu_y) X(secant_x) X(secant_y) X(normalised_slip) X(resistance) X(peak)
#define RUT_GRIP_OUT(X) RUT_TRACTION_OUT(X) X(overturning) X(aligning)

#define RUT_TRACTION_ROWS(X)                                                                \
  RUT_GRIP_OUT(X)                                                                           \
  /* where a tyre or soil needs them: direction of travel, 1 or -1; inclination angle; */   \
  /* friction of hard ground */                                                             \
  X(direction) X(inclination) X(road)                                                       \
  /* in deformable soil: sinkage; depth of the rut, and to which the soil is pressed; */    \
  /* depth of the wheel's footprint; distance of this step; tyre deflection at its end; */  \
  /* part of the sinkage that slip has brought; largest pressure of the soil */             \
  X(sinkage) X(rut) X(pressed) X(footprint) X(step_distance) X(deflection_end)              \
  X(slip_sinkage) X(soil_pressure)
// clang-format on
RUT_NUMBER_ROWS(RUT_TRACTION_ROWS, RUT_LOAD_ROWS_END, RUT_TRACTION_ROWS_END);

// Motion resistance is a spring and damper until it yields, after this displacement per metre of
// radius. Part of its limit, that over load, that it has reached, -1 to 1; rolling: the spring's.
#define RUT_RESISTANCE_PATH 0.004
RUT_INLINE double rut_resistance_held(double rolling, double vx, double limit, double radius,
                                      double gravity) {
  static const double LEAST = 1e-6;
  const double path = RUT_RESISTANCE_PATH * radius;
  const double settle = rut_sqrt(rut_max(limit, LEAST) * path * rut_max(gravity, 1));
  return rut_clamp(rolling + vx / settle, -1, 1);
}

#endif  // RUT_VEHICLE_TRACTION_ROWS_H
