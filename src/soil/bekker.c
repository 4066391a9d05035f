// SPDX-License-Identifier: BSD-3-Clause
//
// Soil that a wheel sinks into: pressure-sinkage curve, shear, ruts.
#include "base/report.h"
#include "rut/component.h"
#include "soil/soil_presets.h"
#include "soil/tyre_on_soil.h"

#define NUMBERS(X)                                                                                 \
  X(exponent, "", 0.793, 0.01, 3, "n of the pressure-sinkage curve.")                              \
  X(exponent_slip, "", 0, 0, 3,                                                                    \
    "Increase of n at full driving slip (slip sinkage), in both forms.")                           \
  X(k_c, "", 102e3, 0, 1e12, "k_c of Bekker's p = (k_c/b + k_phi) z^n, in N/m^(n+1).")             \
  X(k_phi, "", 5301e3, 0, 1e12, "k_phi of the same, in N/m^(n+2).")                                \
  X(reece_c, "", 0, 0, 1e9, "k_c' of Reece's p = (c k_c' + gamma b k_phi') (z/b)^n.")              \
  X(reece_phi, "", 0, 0, 1e9, "k_phi' of the same.")                                               \
  X(cohesion, "Pa", 1300, 0, 1e9, "c of the strength c + p tan(phi).")                             \
  X(friction_angle, "rad", 0.5427973973702365, 0, 1.3, "phi of the same.")                         \
  X(shear_deformation_modulus, "m", 0.012, 1e-6, 10,                                               \
    "K: shear displacement at which the shear stress has 1 - 1/e of its limit.")                   \
  X(shear_deformation_modulus_y, "m", 0, 0, 10,                                                    \
    "K across the wheel; 0: as along. Not with shear isotropic.")                                  \
  X(shear_angle, "m/rad", 0, 0, 10, "Increase of K along the wheel with slip angle.")              \
  X(shear_angle_y, "m/rad", 0, 0, 10, "Increase of K across the wheel with slip angle.")           \
  X(residual, "", 1, 0, 1,                                                                         \
    "Residual shear stress over the peak, at large displacement (shear_curve hump).")              \
  X(peak_angle, "", 0.18, 0, 0.9,                                                                  \
    "a_0: angle of the largest pressure over the entry angle, without slip.")                      \
  X(peak_angle_slip, "", 0.32, 0, 0.9, "a_1: its increase at full slip.")                          \
  X(unit_weight, "N/m3", 15e3, 0, 1e6, "gamma: weight of the soil, for Reece and bulldozing.")     \
  X(rebound_stiffness, "N/m3", 200e6, 0, 1e12,                                                     \
    "k_0 of the unloading stiffness k_u = k_0 + A_u z.")                                           \
  X(rebound_gradient, "N/m4", 0, 0, 1e15, "A_u of the same.")                                      \
  X(largest_rebound, "", 0.1, 0, 1, "Largest rebound over sinkage, with rebound stiffness.")       \
  X(pass_gain, "", 0, 0, 10,                                                                       \
    "k_3: part by which cohesion and weight grow with each earlier pass, beside what slip adds.")  \
  X(pass_slip_gain, "", 0, 0, 10, "k_2: part by which they grow with the slip of these passes.")   \
  X(pass_slip, "", 0.1178, 1e-6, 10, "k_1: slip at which 1 - 1/e of k_2 has come about.")          \
  X(layer_stiffness, "N/m3", 40e3, 1, 1e12, "k_m of curve limited: stiffness of fresh snow.")      \
  X(layer_depth, "m", 0.54, 1e-3, 100, "z_m of the same: sinkage at which it is a hard layer.")    \
  X(second_stiffness, "N/m3", 400e3, 1, 1e12, "k_m of a second layer below it.")                   \
  X(second_depth, "m", 0, 0, 100, "z_m of that; 0: there is none.")                                \
  X(mat_stiffness, "N/m3", 290e3, 1, 1e12, "k_p of curve mat: stiffness of the peat.")             \
  X(mat_strength, "N/m3", 51e3, 0, 1e12, "m_m of the same: strength of the mat.")                  \
  X(mat_limit, "Pa", 0, 0, 1e9, "Pressure at which the mat breaks; 0: it does not.")               \
  X(mat_depth, "m", 0, 0, 100, "Depth of the peat over what is hard; 0: endless.")                 \
  X(frost_depth, "m", 0.1, 1e-3, 100, "Depth of the thaw over frozen ground, of curve frozen.")    \
  X(reference_cone_index, "Pa", 0, 0, 1e12,                                                        \
    "Cone index of soil with these numbers; at places with another k and cohesion differ "         \
    "likewise. 0: that of curve power by k_c and k_phi, frozen and mat (Janosi); others do not "   \
    "know theirs.")                                                                                \
  X(reference_moisture, "", 0, 0, 10,                                                              \
    "Water over dry weight of soil with these numbers; 0: moisture of the place changes nothing.") \
  X(moisture_exponent, "", 2.955, 0, 20,                                                           \
    "b of cone index by moisture, w^-b: USCS ML 2.4, SM SC 2.96, CL-ML 3.1, CL 3.5, CH 2.7, "      \
    "MH 5.2.")                                                                                     \
  X(adhesion_angle_ratio, "", 0.884, 0, 2,                                                         \
    "delta/phi: friction angle of rubber on the soil over phi.")                                   \
  X(adhesion_ratio, "", 0.5, 0, 2, "c_a/c: adhesion of rubber to the soil over c.")                \
  X(rubber_share, "", 0.6, 0, 1,                                                                   \
    "a: part of the contact under rubber; between the lugs soil shears over soil.")                \
  X(slip_layer, "m", 0, 0, 1,                                                                      \
    "Layer of soil that a slipping tread carries along: depth of its voids; 0: 2 K.")              \
  X(tested_pressure, "Pa", 0, 0, 1e9,                                                              \
    "Up to which the numbers hold, of the plate tests: beyond it is told; 0: not known.")          \
  X(tested_sinkage, "m", 0, 0, 100, "The same, of their sinkage.")

#define CHOICES(X)                                                                             \
  X(plate, "smaller|width", 0, 1,                                                              \
    "b of the pressure-sinkage curve: the smaller side of the contact, or always the wheel's " \
    "width.")                                                                                  \
  X(shear, "isotropic|projected|separate", 0, 2,                                               \
    "Shear in the direction of slip; in both directions with their resultant limited by the "  \
    "strength; or in both independently.")                                                     \
  X(shear_curve, "exponential|hump", 0, 1,                                                     \
    "Janosi and Hanamoto, or Wong's with a peak at K and a residual.")                         \
  X(rebound, "stiffness|ratio", 0, 1, "Rebound of the soil: by k_u, or by exit_ratio.")        \
  X(bulldozing, "none|side|front|both", 0, 3,                                                  \
    "Bulldozing resistance of soil at the wheel's side or front.")                             \
  X(slip_sinkage, "none|lyasko", 1, 1,                                                         \
    "Sinkage that grows with driving slip by (1 + s)/(1 - s/2); not with exponent_slip.")      \
  X(dig_in, "none|layer", 1, 1,                                                                \
    "Slipping wheels carry soil away and dig in, as long as they stay.")                       \
  X(quadrature, "fast|exact", 0, 1,                                                            \
    "Points of the rim at which stresses are computed: 2 x 5 or 2 x 12.")

#define CURVES(X)                                                                                \
  X(curve, "power|limited|mat|frozen", 0, 3,                                                     \
    "Pressure by sinkage: Bekker's or Reece's power; snow over a hard layer; muskeg; thaw over " \
    "frost. But for power the soil springs back by largest_rebound of its sinkage.")

#define CHOICE_PARAM(name, words, def, last, doc) double name;
#define CHOICE_ROW(name, words, def, last, doc) \
  {#name, "", RUT_CHOICE, 1, def, 0, last, words, 0, doc},

typedef struct Param {
  NUMBERS(RUT_PARAM)
  CHOICES(CHOICE_PARAM)
  CURVES(CHOICE_PARAM)
  double exit_ratio, damping, rubber_friction, rolling_resistance, circle, exit;
} Param;

enum { SMALLER, WIDTH };
enum { EXPONENTIAL, HUMP };
enum { STIFFNESS, RATIO };
enum { NONE, SIDE, FRONT, BOTH };
enum { FAST, EXACT };

static const rutField fields[] = {
    NUMBERS(RUT_ROW) CHOICES(CHOICE_ROW) CURVES(CHOICE_ROW){
        "exit_ratio", "", RUT_REAL, 1, 0, 0, 1, "", 0, "Rebound over sinkage, with rebound ratio."},
    {"damping", "N s/m3", RUT_REAL, 1, 0, 0, 1e9, "", 0,
     "Damping per contact area during sinkage."},
    {"rubber_friction", "", RUT_REAL, 1, 0.9, 0, 10, "", 0,
     "Friction of rubber on dry hard ground, which limits that on soil."},
    {"rolling_resistance", "", RUT_REAL, 1, 0.015, 0, 1, "", 0,
     "Rolling resistance of a tyre itself over load, beside that of the soil; a rigid wheel has "
     "none."},
    {"circle", "", RUT_CHOICE, 1, 0, 0, 1, "exact|approximate", 0,
     "Larger circle of a soft tyre: by its chords, or R (sqrt(1 + d/z) + sqrt(d/z))^2 of "
     "deflection d and sinkage z, for d, z far below R (Schmid 1995, eq 23 of ROAMS)."},
    {"exit", "", RUT_CHOICE, 1, 0, 0, 1, "tyre|circle", 0,
     "Where a soft tyre leaves soil that springs back: as high on the tyre, or on the larger "
     "circle, acos(1 - rebound/R_s), as ROAMS prints it."}};

static void derive_shear(const Param* p, rutStressLaw* law) {
  static const double STEEPEST = 1.5;  // angle of friction [rad]
  law->cohesion = p->cohesion;
  law->tan_phi = rut_tan(p->friction_angle);
  law->adhesion = p->adhesion_ratio * p->cohesion;
  law->tan_delta = rut_tan(rut_min(p->adhesion_angle_ratio * p->friction_angle, STEEPEST));
  law->rubber = p->rubber_friction;
  law->rubber_share = p->rubber_share;
  law->shear_x = p->shear_deformation_modulus;
  law->shear_y = p->shear_deformation_modulus_y > 0.0 ? p->shear_deformation_modulus_y
                                                      : p->shear_deformation_modulus;
  law->shear_x_angle = p->shear_angle;
  law->shear_y_angle = p->shear_angle_y;
  law->level = 1.0;
  law->full = p->shear_curve == HUMP ? 1.0 : 1.0 / 3.0;
  law->kind = p->shear;
  // K_r (1 + (1/(K_r (1 - 1/e)) - 1) e^(1 - j/K)) (1 - e^(-j/K)) is 1 at j = K
  if (p->shear_curve == HUMP) {
    law->level = p->residual;
    law->hump = rut_exp(1.0) * (1.0 / (1.0 - rut_exp(-1.0)) - p->residual);
  }
}

// Resistance of soil to a wall, per length, of soil that has not been pressed before: a z + b z^2.
typedef struct Passive {
  double a, b;
} Passive;

// At the side D_1 (c z + D_2 gamma z^2/2): X_c = 45 deg - phi/2, D_1 = cot X_c + tan(X_c + phi),
// D_2 = cot X_c + cot^2 X_c/cot phi (Hegedus 1960, Ishigami 2007).
static Passive side_of(const Param* p) {
  const double edge = 0.25 * RUT_PI - 0.5 * p->friction_angle, cot = 1.0 / rut_tan(edge);
  const double d1 = cot + rut_tan(edge + p->friction_angle);
  const double d2 = cot + cot * cot * rut_tan(p->friction_angle);
  return (Passive){d1 * p->cohesion, 0.5 * d1 * d2 * p->unit_weight};
}

// In front Rankine's passive pressure, K_p = tan^2(45 deg + phi/2), gamma z^2 K_p/2 + 2 c z sqrt
// K_p.
static Passive front_of(const Param* p) {
  const double edge = 0.25 * RUT_PI - 0.5 * p->friction_angle, cot = 1.0 / rut_tan(edge);
  return (Passive){2.0 * cot * p->cohesion, 0.5 * cot * cot * p->unit_weight};
}

static void derive_bulldozing(const Param* p, rutStressLaw* law) {
  const double sides = p->bulldozing == SIDE || p->bulldozing == BOTH ? 1.0 : 0.0;
  const double fronts = p->bulldozing == FRONT || p->bulldozing == BOTH ? 1.0 : 0.0;
  const Passive side = side_of(p), front = front_of(p);
  law->side_cohesion = sides * side.a;
  law->side_weight = sides * side.b;
  law->front_cohesion = fronts * front.a;
  law->front_weight = fronts * front.b;
  law->wall_cohesion = side.a;
  law->wall_weight = side.b;
}

// Soils whose curve is no power spring back by a part of the sinkage, along a line.
static void derive_curve(const Param* p, rutStressLaw* law) {
  law->curve = p->curve;
  if (p->curve == RUT_CURVE_POWER) return;
  law->layer_stiffness = p->layer_stiffness;
  law->second_stiffness = p->second_stiffness;
  law->second_depth = p->second_depth;
  law->mat_stiffness = p->mat_stiffness;
  law->mat_strength = p->mat_strength;
  law->mat_limit = p->mat_limit;
  law->soft_depth = p->curve == RUT_CURVE_LIMITED ? p->layer_depth
                    : p->curve == RUT_CURVE_MAT   ? p->mat_depth
                                                  : p->frost_depth;
  law->exponent_slip = law->reece = law->reece_width = 0.0;
  law->exit_ratio = p->rebound == RATIO ? p->exit_ratio : p->largest_rebound;
  law->elastic = 1.0;
  law->most_rebound = 0.0;
  // slip does not dig into a hard layer
  if (p->curve != RUT_CURVE_MAT) law->softens = 0.0;
}

// Cone index at which the numbers hold, 0 where the curve does not tell. A cone's ring of radius r
// has D_h = 2 r, so that a mat is two of Bekker's curves.
static double reference_cone_index(const Param* p) {
  if (p->reference_cone_index > 0.0) return p->reference_cone_index;
  if (p->curve == RUT_CURVE_LIMITED) return 0.0;
  if (p->curve == RUT_CURVE_MAT) {
    return rut_janosi_cone_index(0.0, p->mat_stiffness, 1.0) +
           rut_janosi_cone_index(4.0 * p->mat_strength, 0.0, 2.0);
  }
  return rut_janosi_cone_index(p->k_c, p->k_phi, p->exponent);
}

static void bekker_derive(const void* param, double* derived) {
  const Param* p = param;
  rutStressLaw law = {.exponent = p->exponent,
                      .exponent_slip = p->exponent_slip,
                      .k_c = p->k_c,
                      .k_phi = p->k_phi,
                      .reece = p->reece_c * p->cohesion,
                      .reece_width = p->reece_phi * p->unit_weight,
                      .smaller = p->plate == SMALLER ? 1.0 : 0.0,
                      .peak = p->peak_angle,
                      .peak_slip = p->peak_angle_slip,
                      .exit_ratio = p->rebound == RATIO ? p->exit_ratio : 0.0,
                      .elastic = p->rebound == RATIO ? 0.0 : 1.0,
                      .most_rebound = rut_min(p->largest_rebound, 1.0 / rut_max(p->exponent, 1.0)),
                      .k_0 = p->rebound_stiffness,
                      .a_u = p->rebound_gradient,
                      .softens = p->exponent_slip > 0.0 ? 0.0 : p->slip_sinkage,
                      .pass_gain = p->pass_gain,
                      .pass_slip_gain = p->pass_slip_gain,
                      .per_pass_slip = 1.0 / p->pass_slip,
                      .damping = p->damping,
                      .cone_index = reference_cone_index(p),
                      .moisture = p->reference_moisture,
                      .moisture_power = p->moisture_exponent,
                      .carcass = p->rolling_resistance,
                      .approximate = p->circle,
                      .on_circle = p->exit};
  derive_shear(p, &law);
  derive_bulldozing(p, &law);
  derive_curve(p, &law);
  const int nodes = p->quadrature == EXACT ? RUT_STRESS_EXACT : RUT_STRESS_FAST;
  law.nodes = nodes;
  rut_gauss_jacobi(nodes, p->exponent, law.node, law.steep, law.plain);
  for (int i = 0; i < nodes; i++) {
    law.whole[i] = law.steep[i] / rut_power(1.0 - law.node[i], p->exponent);
  }
  law.power[0] = rut_power(RUT_POWER_MIDDLE, p->exponent);
  for (int k = 1; k < RUT_POWER_TERMS; k++) {
    law.power[k] = law.power[k - 1] * (p->exponent - (k - 1)) / (RUT_POWER_MIDDLE * k);
  }
  double unused[RUT_STRESS_EXACT];
  rut_gauss_jacobi(nodes, 0.0, law.even_node, law.even, unused);
  *(rutStressLaw*)derived = law;
}

// As thick as the soil that shears: 2 to 3 K have nearly all of the shear displacement.
static double bekker_slip_layer(const void* param) {
  const Param* p = param;
  const double layer = p->slip_layer > 0.0 ? p->slip_layer : 2.0 * p->shear_deformation_modulus;
  return p->dig_in > 0.0 ? layer : 0.0;
}

static void bekker_tested(const void* param, double* pressure, double* sinkage) {
  const Param* p = param;
  *pressure = p->tested_pressure;
  *sinkage = p->tested_sinkage;
}

static rutStatus bekker_check(const double* param, rutError* err) {
  const Param* p = (const Param*)param;
  const double reece = p->reece_c * p->cohesion + p->reece_phi * p->unit_weight;
  if ((p->curve == RUT_CURVE_LIMITED || p->curve == RUT_CURVE_MAT)) return RUT_OK;
  if (p->curve == RUT_CURVE_FROZEN && p->k_c <= 0.0 && p->k_phi <= 0.0) {
    return rut_error_set(err, RUT_ERR_MODEL, "thaw over frost needs k_c or k_phi of the thaw");
  }
  if (p->k_c <= 0.0 && p->k_phi <= 0.0 && reece <= 0.0) {
    return rut_error_set(err, RUT_ERR_MODEL, "k_c and k_phi are both 0: nothing carries a wheel");
  }
  if ((p->k_c > 0.0 || p->k_phi > 0.0) && (p->reece_c > 0.0 || p->reece_phi > 0.0)) {
    return rut_error_set(err, RUT_ERR_MODEL, "numbers of Bekker's and of Reece's curve are mixed");
  }
  return RUT_OK;
}

// ---- answers ----

typedef struct Answers {
  rutStressRow load, stiffness, damping, sinkage, rut, pressed, footprint, slip_sinkage, pressure;
  rutStressRow mu_x, mu_y, secant_x, secant_y, normalised_slip, resistance, peak, overturning,
      aligning;
} Answers;

// What the soil gives, from the stresses; 0 where the wheel does not touch.
RUT_INLINE void answer_traction(const rutStressLaw* law, const rutStressIn* in,
                                const rutStressOut* out, const rutSplit* s, int i, Answers* to) {
  const double load = out->load[i], on = load > 0.0 ? s->touches[i] : 0.0;
  const double share = on / rut_max(load, RUT_LEAST_DIVISOR), carried = share * s->load[i];
  const double swift = in->swift[i], sense = in->sense[i], y = in->across[i] * swift;
  to->mu_x[i] = sense * share * out->torque[i];
  to->mu_y[i] = share * out->gain_y[i] * y;
  to->secant_x[i] = share * out->gain_x[i];
  to->secant_y[i] = -(share * out->gain_y[i]);
  to->normalised_slip[i] = on * in->normalised_slip[i] * out->arc[i];
  to->resistance[i] = share * out->resistance[i] + s->flattens[i] * on * law->carcass;
  to->peak[i] = share * out->peak[i];
  to->pressure[i] = on * out->pressure[i];
  to->overturning[i] = carried * out->overturning[i] * y;
  to->aligning[i] = sense * in->moving[i] * carried * out->aligning[i] * y;
}

// Part of a sinkage that slip has brought: without slip the same pressure has the rest.
RUT_INLINE double slip_sinkage(const rutStressLaw* law, const rutStressIn* in, int i, double z) {
  const double softer = (1.0 - in->softened[i]) * z, b = in->width[i];
  if (law->exponent_slip <= 0.0) return softer;
  return z - b * rut_power(z / b, in->exponent[i] / law->exponent);
}

// Load, its slopes with tyre and soil in series, and what is left of the soil's surface.
RUT_INLINE void answer_split(const rutStressLaw* law, const rutStressIn* in, const rutSplit* s,
                             int i, Answers* to) {
  const double on = s->touches[i], off = 1.0 - on, loaded = s->load[i] > 0.0 ? on : 0.0;
  // where flattening carries more than sinking, tyre and soil in series have no stiffness of their
  // own
  static const double LEAST_SERIES = 0.1;
  const double slope = s->slope[i], steep = rut_max(s->steep[i], RUT_LEAST_DIVISOR);
  const double series = loaded / rut_max(slope + steep, LEAST_SERIES * steep);
  const double k = (s->tyre_k[i] * slope + s->steep[i] * s->softens[i]) * series;
  const double sinkage = on * s->sinkage[i] + off * rut_max(s->depth[i], 0.0);
  const double left = in->lasts[i] * rut_max(in->footprint[i] - sinkage, 0.0);
  const double footprint = sinkage + left, pressed = rut_max(in->pressed[i], on * footprint);
  const double plate = in->k_side[i] / in->width[i] + in->k_plate[i];
  to->slip_sinkage[i] = on * slip_sinkage(law, in, i, s->sinkage[i]);
  to->load[i] = loaded * s->load[i];
  to->stiffness[i] = rut_max(k, 0.0);
  to->damping[i] = rut_max(s->tyre_c[i] * slope * series, 0.0);
  to->sinkage[i] = sinkage;
  to->pressed[i] = pressed;
  to->footprint[i] = footprint;
  to->rut[i] = rut_max(pressed - rut_rebound(law, plate, pressed), 0.0);
}

RUT_INLINE void hand_out(const Answers* a, int first, int count, const rutSinkOut* to) {
  const struct {
    const double* from;
    double* to;
  } row[] = {{a->load, to->load},
             {a->stiffness, to->stiffness},
             {a->damping, to->damping},
             {a->sinkage, to->sinkage},
             {a->rut, to->rut},
             {a->pressed, to->pressed},
             {a->footprint, to->footprint},
             {a->mu_x, to->mu_x},
             {a->mu_y, to->mu_y},
             {a->secant_x, to->secant_x},
             {a->secant_y, to->secant_y},
             {a->normalised_slip, to->normalised_slip},
             {a->resistance, to->resistance},
             {a->peak, to->peak},
             {a->overturning, to->overturning},
             {a->aligning, to->aligning},
             {a->slip_sinkage, to->slip_sinkage},
             {a->pressure, to->pressure}};
  for (int r = 0; r < RUT_COUNT_OF(row); r++) {
    if (!row[r].to) continue;
    for (int i = 0; i < count; i++) row[r].to[first + i] = row[r].from[i];
  }
}

// Stresses under a block of wheels. They are functions of their own so that each becomes one run of
// vector code.
#define ANSWER(name, ...)                                                                \
  RUT_CLONES static void name(const rutStressLaw* law, int lanes, const rutStressIn* in, \
                              rutStressOut* out) {                                       \
    const rutStressForm form = {__VA_ARGS__};                                            \
    if (lanes == 8) {                                                                    \
      rut_wheel_stress(law, form, 8, in, out);                                           \
    } else {                                                                             \
      rut_wheel_stress(law, form, 4, in, out);                                           \
    }                                                                                    \
  }
ANSWER(answer_fast, RUT_STRESS_FAST, RUT_SHEAR_ISOTROPIC, 0, 0, 0)
ANSWER(answer_fast_sides, RUT_STRESS_FAST, RUT_SHEAR_ISOTROPIC, 0, 1, 1)
ANSWER(answer_isotropic, (int)law->nodes, RUT_SHEAR_ISOTROPIC, 0, 1, 1)
ANSWER(answer_projected, (int)law->nodes, RUT_SHEAR_PROJECTED, 0, 1, 1)
ANSWER(answer_separate, (int)law->nodes, RUT_SHEAR_SEPARATE, 0, 1, 1)
// with forms of the larger circle that were printed, any shear
ANSWER(answer_printed, (int)law->nodes, (int)law->kind, 1, 1, 1)

RUT_INLINE void sink_block(const rutStressLaw* law, rutStressAnswer* answer, rutStressBlock block,
                           const rutSinkIn* from, const rutSinkOut* to) {
  rutStressIn in;
  rutStressOut out;
  rutSplit split;
  Answers answers;
  rut_split_slip(law, from, block, &in);
  rut_split_soil(law, from, block, &in);
  rut_split_start(law, from, block, &in, &split);
  rut_split(law, answer, block.lanes, &in, &split, &out);
  RUT_FOR_LANES(i, block.lanes) {
    answer_traction(law, &in, &out, &split, i, &answers);
    answer_split(law, &in, &split, i, &answers);
  }
  hand_out(&answers, block.first, block.whole ? block.lanes : block.n - block.first, to);
}

RUT_CLONES static void sink_wheels(const rutStressLaw* law, rutStressAnswer* answer, int n,
                                   const rutSinkIn* from, const rutSinkOut* to) {
  int first = 0;
  for (; first + 8 <= n; first += 8) {
    sink_block(law, answer, (rutStressBlock){first, n, 8, 1}, from, to);
  }
  for (; first + 4 <= n; first += 4) {
    sink_block(law, answer, (rutStressBlock){first, n, 4, 1}, from, to);
  }
  if (first < n) sink_block(law, answer, (rutStressBlock){first, n, 4, 0}, from, to);
}

static void bekker_sink(const void* param, const double* derived, int n, const rutSinkIn* in,
                        const rutSinkOut* out) {
  const rutStressLaw* law = (const rutStressLaw*)derived;
  const rutSinkIn from = *in;
  const rutSinkOut to = *out;
  (void)param;
  const int plain = law->side_cohesion <= 0.0 && law->side_weight <= 0.0 && law->hump <= 0.0;
  rutStressAnswer* answer = plain ? answer_fast : answer_fast_sides;
  if (law->nodes > RUT_STRESS_FAST) answer = answer_isotropic;
  if (law->kind == RUT_SHEAR_PROJECTED) answer = answer_projected;
  if (law->kind == RUT_SHEAR_SEPARATE) answer = answer_separate;
  if (law->approximate > 0.0 || law->on_circle > 0.0) answer = answer_printed;
  sink_wheels(law, answer, n, &from, &to);
}

static bool bekker_counts_passes(const void* param) {
  const Param* p = param;
  return p->pass_gain > 0.0 || p->pass_slip_gain > 0.0;
}

// ---- plates ----

enum { PLATES = 64 };  // places that are pressed together
// Some places under a plate: smaller side [m] and k of the power; stiffness over the soil's own,
// depth of the soft layer, and the depth to which the soil is or was pressed [m].
typedef struct Plates {
  int n;
  double side, k;
  double stiffer[PLATES], soft_depth[PLATES], deepest[PLATES];
} Plates;
// Where their numbers go.
typedef struct Pressed {
  double *pressure, *stiffness, *work;
} Pressed;

static void find_plates(const rutStressLaw* law, const rutPlateIn* in, int first, Plates* p) {
  for (int i = 0; i < p->n; i++) {
    const int at = first + i;
    const double depth = rut_max(in->depth[at], RUT_LEAST_DIVISOR);
    p->deepest[i] = in->pressed ? rut_max(depth, in->pressed[at]) : depth;
    p->stiffer[i] = in->places ? rut_place_stiffens(law, in->places, at) : 1.0;
    p->soft_depth[i] = in->places ? rut_place_soft_depth(law, in->places, at) : law->soft_depth;
  }
}

RUT_CLONES static void press_power(const rutStressLaw* law, const Plates* p, const Pressed* to) {
  RUT_FOR_LANES(i, p->n) {
    const double z = p->deepest[i];
    const rutCurve curve = {.exponent = law->exponent, .k = p->stiffer[i] * p->k};
    const rutCurvePoint at = rut_curve_bekker(&curve, z);
    to->pressure[i] = at.pressure;
    to->stiffness[i] = law->exponent * at.pressure / z;
    to->work[i] = at.work;
  }
}
static void press_curve(const rutStressLaw* law, const Plates* p, const Pressed* to) {
  static const double NEXT = 1e-4;  // step of the slope, over the depth
  for (int i = 0; i < p->n; i++) {
    const double z = p->deepest[i], next = (1.0 + NEXT) * z, stiffer = p->stiffer[i];
    const rutCurve curve = rut_curve_of(law, stiffer * p->k, stiffer, p->soft_depth[i]);
    const rutCurvePoint at = rut_curve_point(&curve, p->side, z, z);
    const rutCurvePoint on = rut_curve_point(&curve, p->side, next, next);
    to->pressure[i] = at.pressure;
    to->stiffness[i] = rut_max((on.pressure - at.pressure) / (NEXT * z), 0.0);
    to->work[i] = at.work;
  }
}

// Soil that was pressed deeper carries along its unloading line.
RUT_CLONES static void unload(const rutStressLaw* law, const Plates* p, const double* depths,
                              const Pressed* to) {
  RUT_FOR_LANES(i, p->n) {
    const double z = p->deepest[i], depth = rut_max(depths[i], RUT_LEAST_DIVISOR);
    const double pressure = to->pressure[i], fresh = to->stiffness[i];
    const double springs = rut_rebound_again(law, p->stiffer[i] * p->k, z);
    const double held = rut_max(1.0 - (z - depth) / springs, 0.0);
    const double again = held > 0.0 ? pressure / springs : 0.0;
    to->stiffness[i] = depth < z ? again : fresh;
    to->pressure[i] = held * pressure;
  }
}

// Depth of the surface that is left.
RUT_CLONES static void leave(const rutStressLaw* law, const Plates* p, double* rut) {
  RUT_FOR_LANES(i, p->n) {
    const double z = p->deepest[i], back = rut_rebound(law, p->stiffer[i] * p->k, z);
    rut[i] = rut_max(z - back, 0.0);
  }
}

// The curve with k of the plate's smaller side, whatever the choice for wheels.
static void bekker_plate(const void* param, const double* derived, int n, const rutPlateIn* in,
                         const rutPlateOut* out) {
  const rutStressLaw* law = (const rutStressLaw*)derived;
  (void)param;
  const double b = rut_max(in->side, RUT_LEAST_DIVISOR);
  const double reece = (law->reece + law->reece_width * b) / rut_power(b, law->exponent);
  Plates p = {.side = b, .k = law->k_c / b + law->k_phi + reece};
  double stiffer = 1.0;
  for (int i = 0; i < n; i += PLATES) {
    p.n = n - i < PLATES ? n - i : PLATES;
    find_plates(law, in, i, &p);
    const Pressed to = {out->pressure + i, out->stiffness + i, out->work + i};
    if (law->curve > 0.0) {
      press_curve(law, &p, &to);
    } else {
      press_power(law, &p, &to);
    }
    if (in->pressed) unload(law, &p, in->depth + i, &to);
    if (out->rut) leave(law, &p, out->rut + i);
    stiffer = p.stiffer[p.n - 1];
  }
  *out->cohesion = stiffer * law->cohesion;
  *out->tan_phi = law->tan_phi;
  *out->adhesion = stiffer * law->adhesion;
  *out->tan_delta = law->tan_delta;
  *out->front_cohesion = stiffer * law->front_cohesion;
  *out->front_weight = law->front_weight;
}

static void bekker_wall(const void* param, const double* derived, const rutSoilPlaces* places,
                        int at, double* a, double* b) {
  const rutStressLaw* law = (const rutStressLaw*)derived;
  (void)param;
  *a = law->wall_cohesion * (places ? rut_place_stiffens(law, places, at) : 1.0);
  *b = law->wall_weight;
}

const rutSoilType rut_soil_bekker = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutSoilType),
             .kind = "soil",
             .name = "bekker",
             .parents = "world",
             .doc = "Deformable soil, with ruts: pressure by sinkage (Bekker 1969, "
                    "Reece 1965) spread along the rim (Wong and Reece 1967), shear by displacement "
                    "(Janosi and Hanamoto 1961), soft tyres as larger circles, rebound and "
                    "repeated loading (Wong 1989).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             RUT_PRESETS(rut_soil_presets),
             .check = bekker_check},
    .derived = sizeof(rutStressLaw) / sizeof(double),
    .derive = bekker_derive,
    .sink = bekker_sink,
    .counts_passes = bekker_counts_passes,
    .slip_layer = bekker_slip_layer,
    .tested = bekker_tested,
    .plate = bekker_plate,
    .wall = bekker_wall};
