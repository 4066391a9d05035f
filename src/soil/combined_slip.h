// SPDX-License-Identifier: BSD-3-Clause
//
// What the soils share: how slips of both directions weaken each other, and the lateral force.
//
// Similarity rule (Pacejka, Tyre and Vehicle Dynamics, chapter 4): each slip is divided by that of
// its largest force, s*, and rho is the length of the two quotients. Both curves are read at rho,
// and each direction gets its share of the result,
//   F_x = (s_x/s_x*)/rho mu_x(rho s_x*), F_y = -(s_y/s_y*)/rho mu_y(rho s_y*).
// On either axis this is the curve itself, and the force stays inside the ellipse of both limits.
// With r = rho s*, F_x = s_x mu_x(r)/r: the secant mu(r)/r serves as force and as damping, and has
// a limit where there is no slip.
#ifndef RUT_SOIL_COMBINED_SLIP_H
#define RUT_SOIL_COMBINED_SLIP_H

#include "math/lanes.h"
#include "rut/component.h"

// Smallest slip at which a curve is read: there it is straight.
#define RUT_SOIL_LEAST_SLIP 1e-9
// Largest slip that counts: its square stays finite.
#define RUT_SOIL_MOST_SLIP 1e6
// Least crossover angle, a divisor [rad].
#define RUT_SOIL_LEAST_CROSSOVER 1e-6

enum { RUT_SOIL_CORRECTED, RUT_SOIL_AS_PUBLISHED };

typedef struct rutSoilSlip {
  double x, y;             // slips, bounded so that their squares stay finite
  double normalised_slip;  // rho
  double along, across;    // slips r at which the longitudinal and the lateral curve are read, > 0
} rutSoilSlip;

// peak_x, peak_y > 0: slips of the largest force in each direction.
RUT_INLINE rutSoilSlip rut_soil_slip(double slip_x, double slip_y, double peak_x, double peak_y) {
  const double x = rut_clamp(slip_x, -RUT_SOIL_MOST_SLIP, RUT_SOIL_MOST_SLIP),
               y = rut_clamp(slip_y, -RUT_SOIL_MOST_SLIP, RUT_SOIL_MOST_SLIP);
  const double normalised_slip = rut_hypot(x / peak_x, y / peak_y);
  return (rutSoilSlip){x, y, normalised_slip,
                       rut_max(normalised_slip * peak_x, RUT_SOIL_LEAST_SLIP),
                       rut_max(normalised_slip * peak_y, RUT_SOIL_LEAST_SLIP)};
}

typedef struct rutSoilForce {
  double mu_x, mu_y, secant_x, secant_y;  // as in rutTractionOut
} rutSoilForce;

// grip_x, grip_y >= 0: the two curves at s.along and s.across.
RUT_INLINE rutSoilForce rut_soil_force(rutSoilSlip s, double grip_x, double grip_y) {
  const double secant_x = grip_x / s.along, secant_y = grip_y / s.across;
  return (rutSoilForce){secant_x * s.x, -secant_y * s.y, secant_x, secant_y};
}

// Part of its limit that the lateral force reaches at slip = tan(slip angle), 1 -
// exp(-|alpha|/gamma) with the crossover angle gamma (Crolla and El-Razaz 1987).
RUT_INLINE double rut_soil_crolla(double slip, double crossover) {
  return -rut_expm1(-rut_atan(slip) / rut_max(crossover, RUT_SOIL_LEAST_CROSSOVER));
}
// Slip that counts as that of the largest lateral force, 95 % of the limit: at three crossover
// angles, 69 degrees at most. The tangent as a continued fraction, which is exact to 1e-5 there and
// to rounding below 15 degrees.
RUT_INLINE double rut_soil_crolla_peak(double crossover) {
  static const double MOST_ANGLE = 1.2;  // [rad]
  const double x = rut_clamp(3.0 * crossover, RUT_SOIL_LEAST_CROSSOVER, MOST_ANGLE), z = x * x;
  return x * (945.0 - z * (105.0 - z)) / (945.0 - z * (420.0 - 15.0 * z));
}

// Slips on soil, whose longitudinal curve rises up to full slip: one scale for both directions, so
// that the force of a locked wheel is against its sliding. `use` is 1 at full slip nevertheless: a
// standing wheel holds with all that the ground gives.
RUT_INLINE rutSoilSlip rut_soil_slip_on_soil(double slip_x, double slip_y, double crossover) {
  const double scale = rut_soil_crolla_peak(crossover);
  rutSoilSlip s = rut_soil_slip(slip_x, slip_y, scale, scale);
  s.normalised_slip = rut_hypot(s.x, s.y / scale);
  return s;
}

// ---- as printed for MAVS ----

// Fields that end the table of soils that have these forms beside the right ones, and their
// choices.
#define RUT_SOIL_SLIP_ROW                                                                          \
  {"slip",                                                                                         \
   "",                                                                                             \
   RUT_CHOICE,                                                                                     \
   1,                                                                                              \
   0,                                                                                              \
   0,                                                                                              \
   1,                                                                                              \
   "bounded|two_branches",                                                                         \
   0,                                                                                              \
   "Longitudinal slip over the larger of both speeds, at most 1; or as MAVS prints it, r w/v - 1 " \
   "driving and 1 - v/(r w) braking, without bound."},
enum { RUT_SOIL_BOUNDED, RUT_SOIL_TWO_BRANCHES };
enum { RUT_SOIL_CROLLA, RUT_SOIL_CROLLA_LONGITUDINAL };

// r w/v - 1 of driving wheels, 1 - v/(r w) of braking ones, from the bounded slip s: s/(1 - |s|).
RUT_INLINE double rut_soil_two_branches(double slip) {
  static const double MOST = 1.0 - 1.0 / RUT_SOIL_MOST_SLIP;
  const double s = rut_clamp(slip, -MOST, MOST);
  return s / (1.0 - rut_abs(s));
}

// The lateral force that MAVS prints, |F_x| (1 - exp(-|alpha|/gamma)): of what the wheel pulls
// along, which knows nothing of the slip angle. Printed without a sign; against the sliding here.
RUT_INLINE rutSoilForce rut_soil_crolla_printed(double slip, double mu_x, double slip_y,
                                                double crossover) {
  const double x = rut_max(rut_abs(slip), RUT_SOIL_LEAST_SLIP);
  const double y = rut_clamp(rut_abs(slip_y), RUT_SOIL_LEAST_SLIP, RUT_SOIL_MOST_SLIP);
  const double side = rut_abs(mu_x) * rut_soil_crolla(y, crossover);
  const double bounded = rut_clamp(slip_y, -RUT_SOIL_MOST_SLIP, RUT_SOIL_MOST_SLIP);
  return (rutSoilForce){mu_x, -side / y * bounded, rut_abs(mu_x) / x, side / y};
}

// Number of the place if there is one, else the soil's own.
RUT_INLINE double rut_soil_local(double place, double own) { return place == place ? place : own; }

#endif  // RUT_SOIL_COMBINED_SLIP_H
