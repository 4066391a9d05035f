// SPDX-License-Identifier: BSD-3-Clause
//
// Pressure-sinkage curves that are no power of the sinkage:
//  - limited: snow over a hard layer, p = k_m z_m (-ln(1 - z/z_m)) (Wong and Preston-Thomas, J.
//    Terramechanics 20 (1983)), and a second layer of the same form below the first;
//  - mat: muskeg, p = k_p z + 4 m_m z^2/D_h, D_h being four times the contact's area over its
//    perimeter (Wong et al., J. Terramechanics 16 (1979)), whose mat breaks at a pressure: the
//    second term is then gone for good;
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

// Two layers: the second takes over where the pressure at the limit of the first begins to close
// it.
RUT_INLINE rutCurvePoint rut_curve_layers(const rutStressLaw* law, double z) {
  static const double CLOSED = 0.99;  // of the first, and its -ln(1 - u)
  static const double LOG = 4.605170185988091;
  const double first = CLOSED * law->layer_depth;
  if (law->second_depth <= 0.0 || z <= first) {
    return rut_curve_layer(law->layer_stiffness, law->layer_depth, z);
  }
  const double p = law->layer_stiffness * law->layer_depth * LOG, d = z - first;
  const rutCurvePoint above = rut_curve_layer(law->layer_stiffness, law->layer_depth, first);
  const rutCurvePoint below = rut_curve_layer(law->second_stiffness, law->second_depth, d);
  return (rutCurvePoint){p + below.pressure, above.work + p * d + below.work};
}

// intact: 1 with the mat, 0 without; hydraulic: D_h [m].
RUT_INLINE rutCurvePoint rut_curve_mat(const rutStressLaw* law, double hydraulic, double intact,
                                       double z) {
  const double mat = intact * 4.0 * law->mat_strength / hydraulic;
  return (rutCurvePoint){z * (law->mat_stiffness + mat * z),
                         z * z * (0.5 * law->mat_stiffness + mat * z * (1.0 / 3))};
}

RUT_INLINE rutCurvePoint rut_curve_frozen(const rutStressLaw* law, double k, double z) {
  const double n = law->exponent, soft = rut_min(z, law->frost_depth), d = z - soft;
  const double p = k * rut_exp(n * rut_log(rut_max(soft, RUT_LEAST_DIVISOR)));
  return (rutCurvePoint){p + RUT_CURVE_HARD * d,
                         p * soft / (n + 1.0) + d * (p + 0.5 * RUT_CURVE_HARD * d)};
}

// The curve at a sinkage z, of a wheel whose soil is or was pressed to `deepest`.
RUT_INLINE rutCurvePoint rut_curve_at(const rutStressLaw* law, const rutStressIn* in, int i,
                                      double deepest, double z) {
  if (law->curve == RUT_CURVE_LIMITED) return rut_curve_layers(law, z);
  if (law->curve == RUT_CURVE_FROZEN) {
    return rut_curve_frozen(law, law->k_c / in->width[i] + law->k_phi, z);
  }
  static const double SHORTEST = 1e-3;  // contact, in widths
  const double radius = in->radius[i], width = in->width[i], diameter = 2.0 * radius;
  const double flat = rut_clamp(in->deflection[i], 0.0, radius);
  const double drop = rut_min(flat + rut_max(in->sinkage[i], 0.0), radius);
  const double chord = rut_sqrt(flat * (diameter - flat)) + rut_sqrt(drop * (diameter - drop));
  const double length = rut_max(chord, SHORTEST * width);
  const double hydraulic = 2.0 * width * length / (width + length);
  const double most = rut_curve_mat(law, hydraulic, 1.0, deepest).pressure;
  const double intact = law->mat_limit > 0.0 && most > law->mat_limit ? 0.0 : 1.0;
  return rut_curve_mat(law, hydraulic, intact, z);
}

// The power of the sinkage that stands for the curve.
RUT_INLINE void rut_curve_power(const rutStressLaw* law, int i, rutStressIn* in) {
  static const double LEAST = 1e-6, FLATTEST = 0.05, STEEPEST = 30.0;  // [m], exponents
  const double deepest = rut_max(in->sinkage[i] + rut_print_left(in, i), in->pressed[i]);
  const double z = rut_max(in->softened[i] * deepest, LEAST);
  const rutCurvePoint at = rut_curve_at(law, in, i, deepest, z);
  const double n = rut_clamp(at.pressure * z / at.work - 1.0, FLATTEST, STEEPEST);
  in->exponent[i] = n;
  in->k_side[i] = 0.0;
  in->k_plate[i] = at.pressure * rut_exp(-n * rut_log(z));
}

#endif  // RUT_SOIL_SINKAGE_CURVE_H
