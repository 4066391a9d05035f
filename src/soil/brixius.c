// SPDX-License-Identifier: BSD-3-Clause
//
// Agricultural soils of any kind, by cone index.
#include "soil/cone_index.h"

#define FIELDS(X) RUT_CONE_INDEX_FIELD(X)

typedef struct Param {
  FIELDS(RUT_PARAM)
  double ply;
} Param;

enum { BIAS, RADIAL };

static const rutField fields[] = {FIELDS(RUT_ROW){
    "ply", "", RUT_CHOICE, 1, BIAS, 0, 1, "bias|radial", 0,
    "Tyre construction: a radial tyre has its traction at less slip, and less resistance."}};

// Numbers of the law that depend on the tyre's build.
typedef struct Build {
  double rate;     // growth of the traction with slip
  double sink;     // motion resistance times mobility number
  double rolling;  // the tyre's own resistance
} Build;

// Slip within which the torque for the tyre's own rolling resistance builds up. The original has
// it in full at zero slip, where a standing wheel would be driven; 0.01 is chosen.
#define ROLLING_SLIP 0.01

// Numbers of the fit (Brixius, ASAE paper 87-1622): largest gross traction over load and its growth
// with B_n; weight of the tyre's deflection and slenderness in B_n.
#define MOST_GRIP      0.88
#define GRIP_BY_NUMBER 0.1
#define BY_DEFLECTION  5.0
#define BY_SLENDERNESS 3.0
#define MOST_INVERSE   10.0   // 1/B_n of a wheel that is stuck
#define LEAST_INVERSE  1e-12  // of one without load
// Of a bias-ply tyre, and of a radial one.
#define BIAS_BUILD   ((Build){7.5, 1.0, 0.04})
#define RADIAL_BUILD ((Build){10.5, 0.9, 0.0325})

// 1/B_n of the mobility number B_n = C_n (1 + 5 delta/h)/(1 + 3 b/d), C_n = CI b d/N. Below
// B_n = 0.1 a wheel is stuck beyond what the fits tell, and B_n counts as 0.1.
RUT_INLINE double inverse_mobility(rutConeTyre t) {
  const double inverse = t.load * (1.0 + BY_SLENDERNESS * t.slender) /
                         (t.strength * t.area * (1.0 + BY_DEFLECTION * t.flattened));
  return rut_clamp(inverse, LEAST_INVERSE, MOST_INVERSE);
}

// Gross traction over load 0.88 (1 - exp(-0.1 B_n)) (1 - exp(-7.5 s)) + 0.04. The last term is the
// torque that the tyre's own rolling takes; it stands in the motion resistance as well, so that it
// is not part of the net traction.
RUT_INLINE double brixius_gross(Build b, double limit, double slip) {
  const double soil = -rut_expm1(-b.rate * slip) * limit;
  return soil - b.rolling * rut_expm1(-slip / ROLLING_SLIP);
}

RUT_INLINE void brixius_wheels(Build b, double cone_index, int n, const rutTractionIn* in,
                               const rutTractionOut* out) {
  RUT_FOR_LANES(i, n) {
    const double inverse = inverse_mobility(rut_cone_tyre(in, cone_index, i));
    const double limit = -MOST_GRIP * rut_expm1(-GRIP_BY_NUMBER / inverse);
    const rutSoilSlip s = rut_soil_slip_on_soil(in->slip_x[i], in->slip_y[i], in->crossover[i]);
    const double grip = brixius_gross(b, limit, rut_min(s.along, 1.0));
    const double peak = brixius_gross(b, limit, 1.0);
    const double side = peak * rut_soil_crolla(s.across, in->crossover[i]);
    const double spinning = 0.5 * rut_min(rut_abs(s.x), 1.0) * rut_sqrt(inverse);
    rut_store_traction(out, i, rut_soil_force(s, grip, side), s.normalised_slip,
                       b.sink * inverse + spinning + b.rolling, peak);
  }
}

RUT_CLONES static void brixius_traction(const void* param, const double* derived, int n,
                                        const rutTractionIn* in, const rutTractionOut* out) {
  const Param p = *(const Param*)param;
  const rutTractionIn from = *in;
  const rutTractionOut to = *out;
  (void)derived;
  if (p.ply == RADIAL) {
    brixius_wheels(RADIAL_BUILD, p.cone_index, n, &from, &to);
  } else {
    brixius_wheels(BIAS_BUILD, p.cone_index, n, &from, &to);
  }
}

const rutSoilType rut_soil_brixius = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutSoilType),
             .kind = "soil",
             .name = "brixius",
             .parents = "world",
             .doc = "Farm soil between clay and sand: traction and motion resistance from the cone "
                    "index and the mobility number of the tyre (Brixius 1987, ASAE paper 87-1622). "
                    "Lateral force after Crolla and El-Razaz.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .traction = brixius_traction};
