// SPDX-License-Identifier: BSD-3-Clause
//
// Soil whose strength differs from place to place, by maps of its cone index or its moisture.
//
// Cone index follows from the pressure-sinkage curve, as the mean pressure on the base of a cone of
// 30 degrees (Janosi 1959, in Wong, Theory of Ground Vehicles, as recalled): each ring of radius r
// is a plate of b = 2 r, r = x sin(15 deg) at the distance x from the tip,
//   CI = 2 pi sin^2(15 deg)/A  INT_0^L (k_c/(2 r) + k_phi)(z + L - x)^n x dx.
// In inches it is the law's 1.625 {k_c [...] + 0.517 k_phi [...]}. It is proportional to k_c and
// k_phi where n stays, and in clay to the cohesion (CI = 12 to 15 c), so that a place multiplies
// these three by its cone index over the soil's.
//
// Moisture w changes the strength of fine-grained soil as ln CI = a - b ln w (Soil Moisture
// Strength Prediction Model, Sullivan et al. 1997, WES technical report GL-97-15, as recalled), so
// that the factor is (w/w_0)^-b.
#ifndef RUT_SOIL_SOIL_PLACE_H
#define RUT_SOIL_SOIL_PLACE_H

#include "rut/component.h"
#include "soil/wheel_stress.h"

// Cone index of Bekker's curve, mean of the upper 15 cm [Pa].
RUT_INLINE double rut_janosi_cone_index(double k_c, double k_phi, double n) {
  static const double LENGTH = 0.0381, AREA = 3.2258e-4, DEEP = 0.15;  // [m], [m2], [m]
  static const double SINE = 0.25881904510252076;                      // of 15 degrees
  const double tip = DEEP + LENGTH, n1 = n + 1.0, n2 = n + 2.0, n3 = n + 3.0;
  const double base = rut_power(DEEP, n2), whole = rut_power(tip, n2), cone = rut_power(LENGTH, n2);
  const double first = (whole - cone - base) / (n1 * n2);
  const double second = (whole * tip - cone * LENGTH) / (n1 * n2 * n3) +
                        base * DEEP / n3 * (1.0 / n2 - 1.0 / n1) - LENGTH * base / (n1 * n2);
  return RUT_PI * SINE / (AREA * DEEP) * (k_c * first + 2.0 * SINE * k_phi * second);
}

// k over that of the soil's numbers at place i. Cone index counts before moisture.
RUT_INLINE double rut_place_stiffens(const rutStressLaw* law, const rutSoilPlaces* places, int i) {
  static const double LEAST = 1e-3, MOST = 1e3, DRIEST = 1e-6;
  const double strength = places->strength ? places->strength[i] : RUT_NAN;
  const double moisture = places->moisture ? places->moisture[i] : RUT_NAN;
  double factor = 1.0;
  if (strength == strength && law->cone_index > 0.0) {
    factor = strength / law->cone_index;
  } else if (moisture == moisture && law->moisture > 0.0) {
    factor = rut_power(law->moisture / rut_max(moisture, DRIEST), law->moisture_power);
  }
  return rut_clamp(factor, LEAST, MOST);
}

// Depth of the soft layer at place i [m].
RUT_INLINE double rut_place_soft_depth(const rutStressLaw* law, const rutSoilPlaces* places,
                                       int i) {
  static const double LEAST = 1e-3;
  const double depth = places->soft_depth ? places->soft_depth[i] : RUT_NAN;
  return depth == depth ? rut_max(depth, LEAST) : law->soft_depth;
}

#endif  // RUT_SOIL_SOIL_PLACE_H
