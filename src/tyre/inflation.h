// SPDX-License-Identifier: BSD-3-Clause
//
// What the inflation pressure changes. With the relative change dp = p/p_0 - 1 from the nominal
// pressure p_0, a number X becomes X (1 + c dp): radial stiffness, slip and cornering stiffness and
// the lateral stiffness of the patch, as in Besselink, Schmeitz and Pacejka, "An improved Magic
// Formula/Swift tyre model that can handle inflation pressure changes", Vehicle System Dynamics 48
// (2010), supplement 1. The rolling resistance goes with (p/p_0)^e, as there and in SAE J2452.
//
// The coefficients are those of the car tyre 205/60R15 of that paper's authors, rounded: they were
// measured within 15 % of its nominal pressure. The radial stiffness is straight far beyond: what
// is left at no pressure is the carcass's. Of the others no more is taken than between half and
// twice the nominal value.
#ifndef RUT_TYRE_INFLATION_H
#define RUT_TYRE_INFLATION_H

#include "math/rut_math.h"
#include "rut/component.h"

#define RUT_TYRE_PRESSURE_ROWS(X)                                                   \
  X(nominal_pressure, "Pa", 250e3, 1e3, 1e8,                                        \
    "Inflation pressure at which the numbers of this tyre were measured; assumed.") \
  X(pressure, "Pa", 0, 0, 1e8, "Inflation pressure; 0: the nominal one.")
#define RUT_TYRE_PRESSURE_STIFFNESS_ROW(X) \
  X(pressure_stiffness, "", 0.7, 0, 1,     \
    "Relative change of the radial stiffness with that of the pressure: the air's part of it.")
#define RUT_TYRE_PRESSURE_GRIP_ROWS(X)                                            \
  X(pressure_slip_stiffness, "", -0.35, -2, 2, "The same of the slip stiffness.") \
  X(pressure_cornering_stiffness, "", -0.6, -2, 2, "The same of the cornering stiffness.")
#define RUT_TYRE_PRESSURE_ROLLING_ROW(X)          \
  X(pressure_rolling_resistance, "", -0.4, -2, 2, \
    "Rolling resistance is proportional to this power of the pressure.")
// Of tyres with suspensions whose patch has a stiffness of its own.
#define RUT_TYRE_PRESSURE_PATCH_ROW(X)           \
  X(pressure_lateral_stiffness, "", 0.25, -2, 2, \
    "Relative change of the lateral stiffness of the patch with that of the pressure.")

// Pressure of a tyre that is asked for this one: NaN, for that which it names.
RUT_INLINE double rut_tyre_asked_pressure(double named, double nominal, double asked) {
  if (asked == asked) return asked;
  return named > 0.0 ? named : nominal;
}

// Pressure over the nominal one, above none.
RUT_INLINE double rut_tyre_inflated(double pressure, double nominal) {
  static const double LEAST = 0.01;
  return rut_max(pressure / nominal, LEAST);
}
RUT_INLINE double rut_tyre_stiffened(double coefficient, double inflated) {
  static const double LEAST = 0.01;
  return rut_max(1.0 + coefficient * (inflated - 1.0), LEAST);
}
RUT_INLINE double rut_tyre_changed(double coefficient, double inflated) {
  return rut_clamp(1.0 + coefficient * (inflated - 1.0), 0.5, 2.0);
}

// Loads of a table of a radial spring, scaled.
static inline void rut_tyre_scale_loads(double* param, double curve, double gain) {
  int n = 0;
  double* point = (double*)(uintptr_t)rut_param_list(param, curve, &n);
  for (int i = 1; i < n; i += 2) point[i] *= gain;
}

#endif  // RUT_TYRE_INFLATION_H
