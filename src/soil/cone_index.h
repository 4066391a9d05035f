// SPDX-License-Identifier: BSD-3-Clause
//
// What the soils share whose strength is a cone index, the pressure that pushes a standard cone
// into the ground.
#ifndef RUT_SOIL_CONE_INDEX_H
#define RUT_SOIL_CONE_INDEX_H

#include "soil/combined_slip.h"

// The lower bound of 1 kPa is below any ground that carries a vehicle, and refuses numbers that
// were meant to be psi. It holds for the strength of a place as well.
#define RUT_LEAST_CONE_INDEX 1e3
#define RUT_CONE_INDEX_FIELD(X)                                           \
  X(cone_index, "Pa", 700e3, RUT_LEAST_CONE_INDEX, 1e9,                   \
    "CI: mean cone index of the top 15 cm (of remoulded ground in clay);" \
    " a place may replace it.")

// Fields that end the table of soils that have forms of MAVS beside the right ones.
#define RUT_CONE_PRINTED_ROWS                                                                 \
  RUT_SOIL_SLIP_ROW{"lateral",                                                                \
                    "",                                                                       \
                    RUT_CHOICE,                                                               \
                    1,                                                                        \
                    0,                                                                        \
                    0,                                                                        \
                    1,                                                                        \
                    "crolla|crolla_longitudinal",                                             \
                    0,                                                                        \
                    "Lateral force: exponential approach to the peak coefficient with the "   \
                    "tyre's crossover angle; or to the longitudinal one, as MAVS prints it, " \
                    "so that there is none without slip."},

// Bounds of what the laws take: load [N], deflection over section height.
#define RUT_CONE_MOST_LOAD      1e9
#define RUT_CONE_MOST_FLATTENED 0.9

// A tyre on the ground, in the numbers that these laws take.
typedef struct rutConeTyre {
  double load;       // [N], at least 0
  double strength;   // cone index [Pa]
  double area;       // width times diameter [m2]
  double slender;    // width / diameter
  double flattened;  // deflection / section height, in [0, 0.9]: the laws end where the rim begins
} rutConeTyre;

RUT_INLINE rutConeTyre rut_cone_tyre(const rutTractionIn* in, double cone_index, int i) {
  return (rutConeTyre){
      .load = rut_clamp(in->load[i], 0.0, RUT_CONE_MOST_LOAD),
      .strength = rut_max(rut_soil_local(in->strength[i], cone_index), RUT_LEAST_CONE_INDEX),
      .area = in->width[i] * in->diameter[i],
      .slender = in->width[i] / in->diameter[i],
      .flattened = rut_clamp(in->deflection[i] / in->section[i], 0.0, RUT_CONE_MOST_FLATTENED)};
}

// Published net laws of driving, kept for comparison: they know no slip of zero or below, so that
// such wheels get the force at the least slip, which resists whatever way the wheel turns. mu is
// the net coefficient at rut_published_slip.
#define RUT_LEAST_PUBLISHED_SLIP 1e-4
RUT_INLINE double rut_published_slip(double slip, double form) {
  const double most = form == RUT_SOIL_TWO_BRANCHES ? RUT_SOIL_MOST_SLIP : 1.0;
  return rut_clamp(slip, RUT_LEAST_PUBLISHED_SLIP, most);
}
RUT_INLINE rutSoilForce rut_published_force(rutSoilForce force, double slip, double mu) {
  force.mu_x = mu;
  force.secant_x = rut_abs(mu) / rut_max(rut_abs(slip), RUT_LEAST_PUBLISHED_SLIP);
  return force;
}

// The slip in the form of a soil, from the bounded one; and whether a soil has any printed form.
RUT_INLINE double rut_printed_slip(double slip, double form) {
  return form == RUT_SOIL_TWO_BRANCHES ? rut_soil_two_branches(slip) : slip;
}
RUT_INLINE int rut_cone_printed(double variant, double slip, double lateral) {
  return variant != RUT_SOIL_CORRECTED || slip != RUT_SOIL_BOUNDED || lateral != RUT_SOIL_CROLLA;
}

RUT_INLINE void rut_store_traction(const rutTractionOut* out, int i, rutSoilForce force,
                                   double normalised_slip, double resistance, double peak) {
  out->mu_x[i] = force.mu_x;
  out->mu_y[i] = force.mu_y;
  out->secant_x[i] = force.secant_x;
  out->secant_y[i] = force.secant_y;
  out->normalised_slip[i] = normalised_slip;
  out->resistance[i] = resistance;
  out->peak[i] = peak;
}

#endif  // RUT_SOIL_CONE_INDEX_H
