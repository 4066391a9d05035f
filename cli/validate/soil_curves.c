// SPDX-License-Identifier: BSD-3-Clause
//
// Soils whose pressure is no power of the sinkage. A rigid wheel without slip or strength of the
// soil has the resistance that the work of pressing takes, width times the integral of p over z, at
// the sinkage that it has; the integrals here are sums.
#include <math.h>

#include "spatial.h"

static const double WIDTH = 0.3, RADIUS = 0.6;

typedef double Curve(double z);

// Wong and Preston-Thomas 1983: k_m z_m (-ln(1 - z/z_m)).
static double layer(double z, double stiffness, double depth) {
  return -stiffness * depth * log(1 - z / depth);
}
static double snow(double z) { return layer(z, 60e3, 0.3); }
// The second layer begins to yield where the first is pressed to 0.99 of its depth.
static double two_layers(double z) {
  const double first = 0.99 * 0.1;
  if (z < first) return layer(z, 40e3, 0.1);
  return layer(first, 40e3, 0.1) + layer(z - first, 400e3, 0.3);
}
// Wong et al. 1979: k_p z + 4 m_m z^2/D_h, D_h = 4 area/perimeter of the contact, that is of a
// rectangle of the wheel's width and the arc's chord from the front to the lowest point.
static double muskeg(double z, double deepest) {
  const double chord = sqrt(deepest * (2 * RADIUS - deepest));
  const double hydraulic = 2 * WIDTH * chord / (WIDTH + chord);
  return z * (290e3 + 4 * 51e3 / hydraulic * z);
}
// Bekker's curve of the thaw, then frost of 0.1 GN/m3.
static double thaw(double z) {
  const double soft = fmin(z, 0.05);
  return (5e3 / WIDTH + 300e3) * pow(soft, 0.8) + 1e8 * (z - soft);
}

// A wheel under a load on a soil, and its resistance against the work of the curve.
static rutSoilPoint roll(cliLab* lab, const char* soil, double load) {
  cli_lab_build(lab,
                "<world><soil name='s' type='bekker' plate='width' rebound='ratio' exit_ratio='0' "
                "largest_rebound='0' cohesion='0' friction_angle='0' preset='user' peak_angle='0' "
                "peak_angle_slip='0' slip_sinkage='none' dig_in='none' "
                "quadrature='exact' %s/></world>",
                soil);
  rutSoilPoint point = {0};
  rutSoilWheel wheel = rut_default_soil_wheel();
  wheel.radius = RADIUS;
  wheel.width = WIDTH;
  wheel.stiffness = 0;
  wheel.load = load;
  if (!lab->failed) rut_soil_point(lab->world.model, 0, &wheel, &point);
  return point;
}

static double work_of(Curve* curve, double depth) {
  enum { PARTS = 20000 };
  double sum = 0;
  for (int i = 0; i < PARTS; i++) sum += curve((i + 0.5) / PARTS * depth);
  return sum * depth / PARTS;
}

static void compare(cliLab* lab, const char* soil, Curve* curve, double* value, double* reference) {
  static const double load[] = {1500, 3000, 6000};
  for (int i = 0; i < CLI_COUNT(load); i++) {
    const rutSoilPoint p = roll(lab, soil, load[i]);
    cli_worst_relative(p.resistance, WIDTH * work_of(curve, p.sinkage), value, reference);
  }
}

void cli_case_snow_layer(cliLab* lab, double* value, double* reference) {
  compare(lab, "curve='limited' layer_stiffness='60e3' layer_depth='0.3'", snow, value, reference);
}

void cli_case_snow_two_layers(cliLab* lab, double* value, double* reference) {
  compare(lab,
          "curve='limited' layer_stiffness='40e3' layer_depth='0.1' second_stiffness='400e3' "
          "second_depth='0.3'",
          two_layers, value, reference);
}

void cli_case_frozen_thaw(cliLab* lab, double* value, double* reference) {
  compare(lab, "curve='frozen' k_c='5e3' k_phi='300e3' exponent='0.8' frost_depth='0.05'", thaw,
          value, reference);
}

void cli_case_muskeg(cliLab* lab, double* value, double* reference) {
  static const double load[] = {1500, 3000, 6000};
  for (int i = 0; i < CLI_COUNT(load); i++) {
    const rutSoilPoint p =
        roll(lab, "curve='mat' mat_stiffness='290e3' mat_strength='51e3'", load[i]);
    enum { PARTS = 20000 };
    double sum = 0;
    for (int k = 0; k < PARTS; k++) sum += muskeg((k + 0.5) / PARTS * p.sinkage, p.sinkage);
    cli_worst_relative(p.resistance, WIDTH * sum * p.sinkage / PARTS, value, reference);
  }
}
