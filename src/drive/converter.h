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

// Speed ratio up to 2, and the place in the table that it has.
RUT_INLINE double rut_converter_ratio(double impeller, double turbine) {
  static const double LEAST_SPEED = 1e-9;  // [rad/s]
  return rut_clamp(turbine / rut_max(impeller, LEAST_SPEED), 0.0, 2.0);
}
RUT_INLINE double rut_converter_place(double nu) { return nu > 1.0 ? 2.0 - nu : nu; }

// Torque that the impeller takes and the turbine gives [N m] at their speeds, impeller >= 0. A
// turbine that turns backwards counts as standing: it is only held harder. Never gives power. nu:
// their ratio; capacity, gain: what the table has there.
RUT_INLINE double rut_converter_gives(const rutConverter* c, double impeller, double nu,
                                      double capacity, double gain, double* out) {
  const double w = impeller / capacity;
  const double size = w * w * rut_clamp(rut_abs(1.0 - nu) / c->band, 0.0, 1.0);
  const double in = nu > 1.0 ? -size : size;
  *out = in * (nu > 1.0 ? 1.0 : gain);
  return in;
}

RUT_INLINE double rut_converter_torque(const rutConverter* c, double impeller, double turbine,
                                       double* out) {
  const double nu = rut_converter_ratio(impeller, turbine), at = rut_converter_place(nu);
  const double capacity = rut_polyline(c->points, c->ratio, c->capacity, at);
  const double gain = rut_polyline(c->points, c->ratio, c->gain, at);
  return rut_converter_gives(c, impeller, nu, capacity, gain, out);
}

// The same in each lane.
RUT_INLINE void rut_converter_torques(const rutConverter* of, int lanes,
                                      const double* restrict impeller,
                                      const double* restrict turbine, double* restrict in,
                                      double* restrict out) {
  const rutConverter c = *of;
  double nu[RUT_CURVE_LANES], at[RUT_CURVE_LANES];
  double capacity[RUT_CURVE_LANES], gain[RUT_CURVE_LANES];
  RUT_FOR_LANES(l, lanes) {
    nu[l] = rut_converter_ratio(impeller[l], turbine[l]);
    at[l] = rut_converter_place(nu[l]);
  }
  rut_polylines(c.points, c.ratio, c.capacity, lanes, at, capacity);
  rut_polylines(c.points, c.ratio, c.gain, lanes, at, gain);
  RUT_FOR_LANES(l, lanes) {
    in[l] = rut_converter_gives(&c, impeller[l], nu[l], capacity[l], gain[l], &out[l]);
  }
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
