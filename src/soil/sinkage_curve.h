// SPDX-License-Identifier: BSD-3-Clause
//
// Pressure-sinkage curves that are no power of the sinkage:
//  - limited: snow over a hard layer, p = k_m z_m (-ln(1 - z/z_m)) (Wong and Preston-Thomas, J.
//    Terramechanics 20 (1983)), and a second layer of the same form below the first;
//  - mat: muskeg, p = k_p z + 4 m_m z^2/D_h, D_h being four times the contact's area over its
//    perimeter (Wong et al., J. Terramechanics 16 (1979)), whose mat breaks at a pressure: the
//    second term is then gone for good. Peat may lie on what is hard;
//  - frozen: Bekker's curve down to the frost, which hardly yields.
//
// The law of the wheel takes powers. At each sinkage of the search it gets the one that has the
// curve's pressure there and its work per area: then its compaction resistance is the curve's
// exactly, and the pressures along the rim, between the same ends, are nearly.
#ifndef RUT_SOIL_SINKAGE_CURVE_H
#define RUT_SOIL_SINKAGE_CURVE_H

#include "soil/wheel_stress.h"

enum { RUT_CURVE_POWER, RUT_CURVE_LIMITED, RUT_CURVE_MAT, RUT_CURVE_FROZEN };

// Stiffness of what lies below the last layer, and of frost: 0.1 GN/m3, 2 mm at 200 kPa.
#define RUT_CURVE_HARD 1e8

// Pressure, and its integral from the surface.
typedef struct rutCurvePoint {
  double pressure, work;
} rutCurvePoint;

// A layer of snow, pressed from the top; from 0.999 of its limit on as stiff as there, or as what
// is hard if that is stiffer.
RUT_INLINE rutCurvePoint rut_curve_layer(double stiffness, double limit, double z) {
  static const double END = 0.999, SMALL = 1e-3;
  const double scale = stiffness * limit, u = rut_min(z / limit, END), over = z - END * limit;
  const double rest = 1.0 - u, log = rut_log(rest);
  const double series = u * u * (0.5 + u * (1.0 / 6 + u * (1.0 / 12)));
  const double work = scale * limit * (u < SMALL ? series : rest * log + u), p = -scale * log;
  const double steep = rut_max(stiffness / (1.0 - END), RUT_CURVE_HARD), d = rut_max(over, 0.0);
  return (rutCurvePoint){p + steep * d, work + d * (p + 0.5 * steep * d)};
}

// A curve's numbers at a place.
typedef struct rutCurve {
  double kind;                            // RUT_CURVE_...
  double exponent, k;                     // of Bekker's curve, k of the plate's side
  double first, depth;                    // stiffness [N/m3] and depth of the soft layer [m]
  double second_stiffness, second_depth;  // [N/m3], [m]; 0: there is none
  double mat, mat_limit;                  // m_m [N/m3], pressure at which it breaks [Pa], 0: none
} rutCurve;

// k: of the power there; stiffer: pressures over those of the soil's own numbers; soft_depth [m].
RUT_INLINE rutCurve rut_curve_of(const rutStressLaw* law, double k, double stiffer,
                                 double soft_depth) {
  const double first = law->curve == RUT_CURVE_MAT ? law->mat_stiffness : law->layer_stiffness;
  return (rutCurve){law->curve,
                    law->exponent,
                    k,
                    stiffer * first,
                    soft_depth,
                    stiffer * law->second_stiffness,
                    law->second_depth,
                    stiffer * law->mat_strength,
                    stiffer * law->mat_limit};
}

// Two layers: the second takes over where the pressure at the limit of the first begins to close
// it.
RUT_INLINE rutCurvePoint rut_curve_layers(const rutCurve* c, double z) {
  static const double CLOSED = 0.99;  // of the first, and its -ln(1 - u)
  static const double LOG = 4.605170185988091;
  const double first = CLOSED * c->depth;
  if (c->second_depth <= 0.0 || z <= first) return rut_curve_layer(c->first, c->depth, z);
  const double p = c->first * c->depth * LOG, d = z - first;
  const rutCurvePoint above = rut_curve_layer(c->first, c->depth, first);
  const rutCurvePoint below = rut_curve_layer(c->second_stiffness, c->second_depth, d);
  return (rutCurvePoint){p + below.pressure, above.work + p * d + below.work};
}

// What lies deeper than a soft layer is hard.
RUT_INLINE rutCurvePoint rut_curve_bottom(rutCurvePoint soft, double d) {
  return (rutCurvePoint){soft.pressure + RUT_CURVE_HARD * d,
                         soft.work + d * (soft.pressure + 0.5 * RUT_CURVE_HARD * d)};
}

// intact: 1 with the mat, 0 without; hydraulic: D_h [m].
RUT_INLINE rutCurvePoint rut_curve_mat(const rutCurve* c, double hydraulic, double intact,
                                       double z) {
  const double mat = intact * 4.0 * c->mat / hydraulic,
               y = c->depth > 0.0 ? rut_min(z, c->depth) : z;
  const rutCurvePoint peat = {y * (c->first + mat * y),
                              y * y * (0.5 * c->first + mat * y * (1.0 / 3))};
  return rut_curve_bottom(peat, z - y);
}

RUT_INLINE rutCurvePoint rut_curve_bekker(const rutCurve* c, double z) {
  const double p = c->k * rut_exp(c->exponent * rut_log(rut_max(z, RUT_LEAST_DIVISOR)));
  return (rutCurvePoint){p, p * z / (c->exponent + 1.0)};
}

RUT_INLINE rutCurvePoint rut_curve_frozen(const rutCurve* c, double z) {
  const double soft = rut_min(z, c->depth);
  return rut_curve_bottom(rut_curve_bekker(c, soft), z - soft);
}

// The curve at a sinkage z under a plate with D_h, of soil that is or was pressed to `deepest`.
RUT_INLINE rutCurvePoint rut_curve_point(const rutCurve* c, double hydraulic, double deepest,
                                         double z) {
  if (c->kind == RUT_CURVE_LIMITED) return rut_curve_layers(c, z);
  if (c->kind == RUT_CURVE_FROZEN) return rut_curve_frozen(c, z);
  if (c->kind == RUT_CURVE_POWER) return rut_curve_bekker(c, z);
  const double most = rut_curve_mat(c, hydraulic, 1.0, deepest).pressure;
  const double intact = c->mat_limit > 0.0 && most > c->mat_limit ? 0.0 : 1.0;
  return rut_curve_mat(c, hydraulic, intact, z);
}

// D_h of a wheel's contact [m].
RUT_INLINE double rut_curve_hydraulic(const rutStressIn* in, int i) {
  static const double SHORTEST = 1e-3;  // contact, in widths
  const double radius = in->radius[i], width = in->width[i], diameter = 2.0 * radius;
  const double flat = rut_clamp(in->deflection[i], 0.0, radius);
  const double drop = rut_min(flat + rut_max(in->sinkage[i], 0.0), radius);
  const double chord = rut_sqrt(flat * (diameter - flat)) + rut_sqrt(drop * (diameter - drop));
  const double length = rut_max(chord, SHORTEST * width);
  return 2.0 * width * length / (width + length);
}

// The curve at a sinkage z, of a wheel whose soil is or was pressed to `deepest`.
RUT_INLINE rutCurvePoint rut_curve_at(const rutStressLaw* law, const rutStressIn* in, int i,
                                      double deepest, double z) {
  const double k = in->stiffer[i] * (law->k_c / in->width[i] + law->k_phi);
  const rutCurve curve = rut_curve_of(law, k, in->stiffer[i], in->soft_depth[i]);
  return rut_curve_point(&curve, rut_curve_hydraulic(in, i), deepest, z);
}

// The power of the sinkage that stands for the curve.
RUT_INLINE void rut_curve_power(const rutStressLaw* law, int i, rutStressIn* in) {
  static const double LEAST = 1e-6, FLATTEST = 0.05, STEEPEST = 30.0;  // [m], exponents
  const double deepest = rut_max(in->sinkage[i] + rut_print_left(in, i), in->pressed[i]);
  const double z = rut_max(in->softened[i] * deepest, LEAST);
  // slip does not dig into what is hard below a mat
  const double peat = law->curve == RUT_CURVE_MAT ? in->soft_depth[i] : 0.0;
  const double over = peat > 0.0 ? rut_max(deepest - peat, 0.0) : 0.0;
  const double soft = rut_max(in->softened[i] * (deepest - over), LEAST), counts = soft + over;
  const rutCurvePoint at = rut_curve_bottom(rut_curve_at(law, in, i, deepest, soft), over);
  const double n = rut_clamp(at.pressure * counts / at.work - 1.0, FLATTEST, STEEPEST);
  in->exponent[i] = n;
  in->k_side[i] = 0.0;
  in->k_plate[i] = at.pressure * rut_exp(-n * rut_log(z));
}

#endif  // RUT_SOIL_SINKAGE_CURVE_H
