// SPDX-License-Identifier: BSD-3-Clause
//
// Fine-grained soil, by cone index.
#include "soil/cone_index.h"

#define FIELDS(X)         \
  RUT_CONE_INDEX_FIELD(X) \
  X(rubber_friction, "", 0.9, 0, 10, "Most that the rubber of the tread holds, over the load.")

typedef struct Param {
  FIELDS(RUT_PARAM)
  double variant, slip, lateral;
} Param;

static const rutField fields[] = {
    FIELDS(RUT_ROW){
        "variant", "", RUT_CHOICE, 1, 0, 0, 1, "corrected|as_published", 0,
        "as_published subtracts the motion resistance from a traction that is already net, without "
        "bounds, for driving slips only, and uses the result as gross traction."},
    RUT_CONE_PRINTED_ROWS};

// 0.5 log10 x = HALF_DECADE ln x
#define HALF_DECADE 0.21714724095162591

// Numbers of the fit below (Dettwiller et al. 2018).
#define SLIP_BY_NUMERIC       21.0
#define LEAST_SLIP            0.005
#define RESISTANCE_BY_NUMERIC 12.0
#define LEAST_RESISTANCE      0.007
#define MOST_NUMERIC          1e6  // of the published form, either way

typedef struct Ground {
  double self_propelled;  // slip at which a wheel just carries itself along
  double resistance;      // motion resistance over load
  double shape;           // (1 + b/d)^(1/4)
} Ground;

// With the numeric N_c = CI b d/(N (1 - delta/h)^(3/2) (1 + b/d)^(3/4)),
// S_sp = 21/N_c^(5/2) + 0.005 and R = 12/N_c^2 + 0.007. Below N_c = 1 a wheel is stuck beyond what
// the fits tell, and N_c counts as 1. The published S_sp lacks its constant.
RUT_INLINE Ground clay_ground(rutConeTyre t, int published) {
  const double root = rut_sqrt(1.0 + t.slender), shape = rut_sqrt(root);
  const double round = 1.0 - t.flattened;
  const double inverse = t.load * round * rut_sqrt(round) * root * shape / (t.strength * t.area);
  const double q =
      published ? rut_clamp(inverse, 1.0 / MOST_NUMERIC, MOST_NUMERIC) : rut_min(inverse, 1.0);
  return (Ground){SLIP_BY_NUMERIC * q * q * rut_sqrt(q) + (published ? 0.0 : LEAST_SLIP),
                  RESISTANCE_BY_NUMERIC * q * q + LEAST_RESISTANCE, shape};
}

// Gross traction over load at a slip in (0, 1]. Net traction is 0.5 log10(s/S_sp) (1 + b/d)^(1/4),
// zero at S_sp by its definition, and gross is net + R. Below S_sp, where the logarithm leaves its
// fit and falls without end, gross goes straight to zero, so that a wheel without slip is towed
// with R. Never more than rubber holds (`most`): the logarithm has no limit on firm clay.
RUT_INLINE double clay_gross(Ground g, double most, double slip) {
  const double ratio = slip / g.self_propelled;
  const double fitted = HALF_DECADE * rut_log(rut_max(ratio, 1.0)) * g.shape + g.resistance;
  return rut_min(ratio < 1.0 ? g.resistance * ratio : fitted, most);
}

RUT_INLINE void clay_wheels(const Param* p, int published, int n, const rutTractionIn* in,
                            const rutTractionOut* out) {
  const double cone_index = p->cone_index, most = p->rubber_friction;
  RUT_FOR_LANES(i, n) {
    const rutConeTyre t = rut_cone_tyre(in, cone_index, i);
    const Ground g = clay_ground(t, 0);
    const double x = rut_printed_slip(in->slip_x[i], published ? p->slip : RUT_SOIL_BOUNDED);
    const rutSoilSlip s = rut_soil_slip_on_soil(x, in->slip_y[i], in->crossover[i]);
    const double peak = clay_gross(g, most, 1.0);
    const double side = peak * rut_soil_crolla(s.across, in->crossover[i]);
    rutSoilForce force = rut_soil_force(s, clay_gross(g, most, rut_min(s.along, 1.0)), side);
    double resistance = g.resistance;
    if (published && p->variant == RUT_SOIL_AS_PUBLISHED) {
      const Ground bare = clay_ground(t, 1);
      const double ratio = rut_published_slip(x, p->slip) / bare.self_propelled;
      const double net = HALF_DECADE * rut_log(ratio) * bare.shape - bare.resistance;
      force = rut_published_force(force, in->slip_x[i], net);
      resistance = 0.0;
    }
    if (published && p->lateral == RUT_SOIL_CROLLA_LONGITUDINAL) {
      const double own = clay_gross(g, most, rut_clamp(rut_abs(x), RUT_SOIL_LEAST_SLIP, 1.0));
      const double along = p->variant == RUT_SOIL_AS_PUBLISHED ? force.mu_x : rut_copysign(own, x);
      force = rut_soil_crolla_printed(x, along, in->slip_y[i], in->crossover[i]);
    }
    rut_store_traction(out, i, force, s.normalised_slip, resistance, peak);
  }
}

RUT_CLONES static void clay_traction(const void* param, const double* derived, int n,
                                     const rutTractionIn* in, const rutTractionOut* out) {
  const Param p = *(const Param*)param;
  const rutTractionIn from = *in;
  const rutTractionOut to = *out;
  (void)derived;
  if (rut_cone_printed(p.variant, p.slip, p.lateral)) {
    clay_wheels(&p, 1, n, &from, &to);
  } else {
    clay_wheels(&p, 0, n, &from, &to);
  }
}

const rutSoilType rut_soil_clay = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutSoilType),
             .kind = "soil",
             .name = "clay",
             .parents = "world",
             .doc =
                 "Fine-grained soil: traction and motion resistance from the cone index and the "
                 "clay numeric of the tyre (Dettwiller et al. 2018, from trials of the Waterways "
                 "Experiment Station). Lateral force after Crolla and El-Razaz.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .traction = clay_traction};
