// SPDX-License-Identifier: BSD-3-Clause
#include "spatial.h"

#include <math.h>

static const char* or_else(const char* text, const char* otherwise) {
  return text ? text : otherwise;
}

static double or_number(double value, double otherwise) { return value > 0 ? value : otherwise; }

void cli_rig_build(cliLab* lab, const cliRig* rig) {
  static const char tyre[] = CLI_STIFF_TYRE;
  const double stiffness = or_number(rig->stiffness, 1e9);
  // critical for a quarter of the mass
  const double damping = or_number(rig->damping, sqrt(stiffness * rig->mass));
  const double spin = or_number(rig->wheel_inertia, 0.01);
  const double length = 0.6 * (rig->front + rig->rear);
  cli_lab_build(
      lab,
      "<world timestep='%.17g' %s>%s"
      "<vehicle name='rig' %s>"
      "<chassis mass='%.17g' com='0 %.17g %.17g' inertia='%.17g %.17g %.17g' "
      "outline='-%.17g -0.3 %.17g -0.3 %.17g 0.3 -%.17g 0.3' z_min='0.38' z_max='0.42' %s/>"
      "<suspension type='massless' stiffness='%.17g' damping='%.17g' travel='0.2'/>"
      "<axle x='%.17g' track='%.17g' radius='0.4' width='0' wheel_mass='0' wheel_inertia='%.17g' "
      "transverse_inertia='1e-9' %s>%s</axle>"
      "<axle x='-%.17g' track='%.17g' radius='0.4' width='0' wheel_mass='0' wheel_inertia='%.17g' "
      "transverse_inertia='1e-9' %s>%s</axle>%s</vehicle></world>",
      or_number(rig->timestep, 0.001), or_else(rig->world, ""), or_else(rig->ground, ""),
      or_else(rig->vehicle, ""), rig->mass, rig->left, rig->height, rig->inertia[0],
      rig->inertia[1], rig->inertia[2], length, length, length, length, or_else(rig->chassis, ""),
      stiffness, damping, rig->front, rig->track, spin, or_else(rig->front_axle, ""),
      or_else(rig->front_tyre, tyre), rig->rear, rig->track, spin, or_else(rig->rear_axle, ""),
      or_else(rig->rear_tyre, tyre),
      or_else(rig->drive, "<drive type='open'/><controller type='pedals'/>"));
}

static void keep(double error, double kept, double got, double expected, double* value,
                 double* reference) {
  // NaN counts as the largest error
  if (isnan(got) || isnan(*value) || error > kept) {
    const bool lost = isnan(*value) && !isnan(*reference);
    *value = lost ? *value : got;
    *reference = expected;
  }
}

void cli_worst_relative(double got, double expected, double* value, double* reference) {
  keep(fabs(got - expected) / fabs(expected), fabs(*value - *reference) / fabs(*reference), got,
       expected, value, reference);
}

void cli_worst_absolute(double got, double expected, double* value, double* reference) {
  keep(fabs(got - expected), fabs(*value - *reference), got, expected, value, reference);
}

double cli_axle_load(const cliLab* lab, int axle) {
  return cli_lab_wheel(lab, 2 * axle).load + cli_lab_wheel(lab, 2 * axle + 1).load;
}

double cli_bisect_angle(cliLab* lab, double low, double high, cliAngleTest test) {
  while (!lab->failed && high - low > 1e-4) {
    const double middle = 0.5 * (low + high);
    if (test.fails(lab, middle, test.data)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return 0.5 * (low + high);
}

rutEnergy cli_lab_energy(const cliLab* lab) {
  rutEnergy energy = {0};
  if (!lab->failed) rut_vehicle_energy(lab->world.model, lab->world.data, 0, &energy);
  return energy;
}
