// SPDX-License-Identifier: BSD-3-Clause
//
// Coarse-grained soil, by cone index.
#include "soil/cone_index.h"

#define FIELDS(X) RUT_CONE_INDEX_FIELD(X)

typedef struct Param {
  FIELDS(RUT_PARAM)
  double variant, slip, lateral;
} Param;

static const rutField fields[] = {
    FIELDS(RUT_ROW){"variant", "", RUT_CHOICE, 1, 0, 0, 1, "corrected|as_published", 0,
                    "as_published has inches for metres in the sand numeric, and the load in "
                    "newtons with the wrong sign in the mobility numeric, so that no vehicle "
                    "moves; it uses net as gross traction, for driving slips only."},
    RUT_CONE_PRINTED_ROWS};

static const double inch = 0.0254;
// Numbers of the fits below (Mason et al. 2018, Williams et al. 2019). Traction: largest over load
// (X), depth over which the cone index is taken [in], and those of Y and of the numeric.
#define LARGEST       0.66
#define CONE_DEPTH    3.47
#define NUMERIC_SHIFT 10.0
#define Y_CONSTANT    4.71
#define Y_BY_SLIP     1.72
#define MOST_NUMERIC  1e4
// Motion resistance.
#define MIDDLE            0.44
#define MIDDLE_BY_NUMERIC 0.002287
#define REST              0.08
#define REST_BY_NUMERIC   0.0000457
#define BY_DEFLECTION     0.05
#define MOST_MOBILITY     1e9  // [in]

// Loads below 1 N count as 1 N in the numerics, which would have no limit.
RUT_INLINE double numeric_load(rutConeTyre t) { return rut_max(t.load, 1.0); }

// Turnage's sand numeric N_s = G (b d)^(3/2) delta/(N h), with the gradient of the cone index
// G = CI/3.47 in. The published form omits the unit of 3.47 and takes CI/3.47 in SI.
RUT_INLINE double sand_numeric(rutConeTyre t, double depth) {
  const double gradient = t.strength / depth;
  const double numeric = gradient * t.area * rut_sqrt(t.area) * t.flattened / numeric_load(t);
  return rut_min(numeric, MOST_NUMERIC);
}

// Gross traction over load at a slip s in [0, 1], T = X - X Y/(N_s + 10 + Y), Y = 4.71 + 1.72/s,
// written so that it holds at zero slip.
RUT_INLINE double sand_gross(double numeric, double slip) {
  return LARGEST * (numeric + NUMERIC_SHIFT) * slip /
         ((numeric + (NUMERIC_SHIFT + Y_CONSTANT)) * slip + Y_BY_SLIP);
}

// Motion resistance R = X_m + sqrt(X_m^2 + 0.0000457 N* + 0.08) + 0.05 delta/h with
// X_m = 0.44 - 0.002287 N*: falls from 0.96 (immobile) to 0.01 (hard ground) as N* grows.
RUT_INLINE double sand_resistance(double middle, double mobility, double flattened) {
  const double rest = REST_BY_NUMERIC * mobility + REST;
  const double root = rut_sqrt(middle * middle + rest);
  // The sum of a large negative and a large positive number is taken as a quotient.
  const double sum = middle < 0.0 ? rest / (root - middle) : middle + root;
  return sum + BY_DEFLECTION * flattened;
}

// Mobility numeric CI (b d)^(3/2)/((1 - delta/h) N), a length: the fit takes it in inches.
RUT_INLINE double sand_mobility(rutConeTyre t) {
  const double length =
      t.strength * t.area * rut_sqrt(t.area) / ((1.0 - t.flattened) * numeric_load(t));
  return rut_min(length / inch, MOST_MOBILITY);
}

RUT_INLINE void sand_wheels(const Param* p, int published, int n, const rutTractionIn* in,
                            const rutTractionOut* out) {
  const double cone_index = p->cone_index;
  RUT_FOR_LANES(i, n) {
    const rutConeTyre t = rut_cone_tyre(in, cone_index, i);
    const double numeric = sand_numeric(t, CONE_DEPTH * inch), mobility = sand_mobility(t);
    const double x = rut_printed_slip(in->slip_x[i], published ? p->slip : RUT_SOIL_BOUNDED);
    const rutSoilSlip s = rut_soil_slip_on_soil(x, in->slip_y[i], in->crossover[i]);
    const double peak = sand_gross(numeric, 1.0);
    const double side = peak * rut_soil_crolla(s.across, in->crossover[i]);
    rutSoilForce force = rut_soil_force(s, sand_gross(numeric, rut_min(s.along, 1.0)), side);
    double resistance =
        sand_resistance(MIDDLE - MIDDLE_BY_NUMERIC * mobility, mobility, t.flattened);
    if (published && p->variant == RUT_SOIL_AS_PUBLISHED) {
      const double gross = sand_gross(sand_numeric(t, CONE_DEPTH), rut_published_slip(x, p->slip));
      const double excess =
          sand_resistance(MIDDLE + MIDDLE_BY_NUMERIC * t.load, t.load, t.flattened);
      force = rut_published_force(force, in->slip_x[i], gross - excess);
      resistance = 0.0;
    }
    if (published && p->lateral == RUT_SOIL_CROLLA_LONGITUDINAL) {
      const double own = sand_gross(numeric, rut_min(rut_abs(x), 1.0));
      const double along = p->variant == RUT_SOIL_AS_PUBLISHED ? force.mu_x : rut_copysign(own, x);
      force = rut_soil_crolla_printed(x, along, in->slip_y[i], in->crossover[i]);
    }
    rut_store_traction(out, i, force, s.normalised_slip, resistance, peak);
  }
}

RUT_CLONES static void sand_traction(const void* param, const double* derived, int n,
                                     const rutTractionIn* in, const rutTractionOut* out) {
  const Param p = *(const Param*)param;
  const rutTractionIn from = *in;
  const rutTractionOut to = *out;
  (void)derived;
  if (rut_cone_printed(p.variant, p.slip, p.lateral)) {
    sand_wheels(&p, 1, n, &from, &to);
  } else {
    sand_wheels(&p, 0, n, &from, &to);
  }
}

const rutSoilType rut_soil_sand = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutSoilType),
             .kind = "soil",
             .name = "sand",
             .parents = "world",
             .doc = "Coarse-grained soil: traction from the cone index and Turnage's sand numeric "
                    "(Mason et al. 2018), motion resistance from the mobility numeric (Williams et "
                    "al. 2019). Lateral force after Crolla and El-Razaz.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .traction = sand_traction};
