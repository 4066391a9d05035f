// SPDX-License-Identifier: BSD-3-Clause
//
// Torque converter: with the speed ratio nu of turbine to impeller, T_in = (w_in/K(nu))^2 and
// T_out = R(nu) T_in. Where the turbine is the faster one it drives: K is that of 2 - nu and R is 1
// (Project Chrono, ChShaftsTorqueConverter).
#ifndef RUT_DRIVE_CONVERTER_H
#define RUT_DRIVE_CONVERTER_H

#include "drive/engine_map.h"

typedef struct rutConverter {
  int points;
  const double* ratio;     // nu, rising
  const double* capacity;  // K [rad/s/sqrt(N m)]
  const double* gain;      // R; nu R <= 1
  double band;             // of nu about 1 in which torque goes through 0: a table has K(1) finite
} rutConverter;

// Torque that the impeller takes and the turbine gives [N m] at their speeds, impeller >= 0. A
// turbine that turns backwards counts as standing: it is only held harder. Never gives power.
RUT_INLINE double rut_converter_torque(const rutConverter* c, double impeller, double turbine,
                                       double* out) {
  static const double LEAST_SPEED = 1e-9;  // [rad/s]
  const double nu = rut_clamp(turbine / rut_max(impeller, LEAST_SPEED), 0.0, 2.0);
  const int coasts = nu > 1.0;
  const double at = coasts ? 2.0 - nu : nu;
  const double w = impeller / rut_polyline(c->points, c->ratio, c->capacity, at);
  const double size = w * w * rut_clamp(rut_abs(1.0 - nu) / c->band, 0.0, 1.0);
  const double in = coasts ? -size : size;
  *out = in * (coasts ? 1.0 : rut_polyline(c->points, c->ratio, c->gain, at));
  return in;
}

// Largest efficiency nu R(nu) of a table, whose R is straight between its points.
static inline double rut_converter_best(const rutConverter* c) {
  double best = 0.0;
  for (int i = 0; i < c->points; i++) best = rut_max(best, c->ratio[i] * c->gain[i]);
  for (int i = 1; i < c->points; i++) {
    const double from = c->ratio[i - 1], to = c->ratio[i];
    const double slope = (c->gain[i] - c->gain[i - 1]) / (to - from);
    const double start = c->gain[i - 1] - slope * from;
    const double top = slope < 0.0 ? rut_clamp(-0.5 * start / slope, from, to) : to;
    best = rut_max(best, top * (start + slope * top));
  }
  return best;
}

#endif  // RUT_DRIVE_CONVERTER_H
