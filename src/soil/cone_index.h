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
RUT_INLINE double rut_published_slip(double slip) {
  return rut_clamp(slip, RUT_LEAST_PUBLISHED_SLIP, 1.0);
}
RUT_INLINE rutSoilForce rut_published_force(rutSoilForce force, double slip, double mu) {
  force.mu_x = mu;
  force.secant_x = rut_abs(mu) / rut_max(rut_abs(slip), RUT_LEAST_PUBLISHED_SLIP);
  return force;
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
