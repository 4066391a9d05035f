// SPDX-License-Identifier: BSD-3-Clause
//
// Sides of tyres that meet a kerb: springs with a rim behind, dampers and friction.
#include <math.h>

#include "spatial.h"
#include "touching.h"

// A vehicle of 1000 kg on ice whose left tyres are 0.05 m beside a kerb; it cannot turn.
typedef struct Kerb {
  const char *step, *world;  // time step and integrator
  double height, section;    // of kerb and tyres [m]
  double ahead, speed;       // along the kerb and towards it [m/s]
  double damping, friction;  // of the sides
  double inertia;            // of the chassis about all axes [kg m2]
  double calm;               // damping of its suspensions [N s/m]
} Kerb;

static const double MASS = 1000, STIFFNESS = 2 * 0.5 * 2e5;  // of two sides

static void build(cliLab* lab, const Kerb* k) {
  cli_lab_build(
      lab,
      "<world timestep='%s' %s><soil type='magic_formula' surface='user' name='ice' d='0' "
      "rolling_resistance='0'/><terrain type='step' position='0 1.1' yaw='90 deg' height='%.17g'/>"
      "<vehicle velocity='%.17g %.17g 0' rolling_start='false' side_stiffness='0.5' "
      "side_damping='%.17g' side_friction='%.17g'>"
      "<chassis mass='960' com='0 0 0.3' inertia='%.17g %.17g %.17g' z_min='0.6' z_max='1.5' "
      "outline='-2 -0.6, 2 -0.6, 2 0.6, -2 0.6'/>"
      "<suspension type='slider' stiffness='1e6' damping='%.17g'/>"
      "<tyre type='linear' stiffness='2e5' damping='%.17g' bearing='0'/>"
      "<axle x='1.5' track='1.8' radius='0.4' width='0.3' section_height='%.17g' "
      "wheel_mass='10'/><axle x='-1.5' track='1.8' radius='0.4' width='0.3' "
      "section_height='%.17g' wheel_mass='10'/></vehicle></world>",
      k->step, k->world ? k->world : "", k->height, k->ahead, k->speed, k->damping, k->friction,
      k->inertia, k->inertia, k->inertia, k->calm, 0.1 * k->calm, k->section, k->section);
}

// How deep the sides are pressed, at most.
static double deepest(cliLab* lab, const Kerb* k) {
  build(lab, k);
  double most = 0;
  while (cli_lab_time(lab) < 1 && !lab->failed) {
    cli_lab_step(lab);
    const rutVehicleState s = cli_lab_vehicle(lab, 0);
    most = fmax(most, s.position[1] - 0.05);
    if (s.com_velocity[1] < 0) break;
  }
  return most;
}

// Where the rim comes to the kerb, at p0 = section - 0.02 m, the side is stiffer by seven times:
// m v^2 = k (p^2 + 7 (p - p0)^2).
void cli_case_kerb_rim(cliLab* lab, double* value, double* reference) {
  const double speed = 2, rest = 0.1 - 0.02, square = MASS * speed * speed / STIFFNESS;
  *value = deepest(lab, &(Kerb){.step = "0.0001",
                                .height = 0.3,
                                .section = 0.1,
                                .speed = speed,
                                .inertia = 1e6,
                                .calm = 1e5});
  *reference = (7 * rest + sqrt(49 * rest * rest + 8 * (square - 7 * rest * rest))) / 8;
}

// With a damper c = damping times k: v/w exp(-z/s acos(z)), z = c/(2 m w), s = sqrt(1 - z^2).
void cli_case_kerb_damper(cliLab* lab, double* value, double* reference) {
  const double speed = 0.5, damping = 0.02, w = sqrt(STIFFNESS / MASS);
  const double z = damping * STIFFNESS / (2 * MASS * w), s = sqrt(1 - z * z);
  *value = deepest(lab, &(Kerb){.step = "0.0001",
                                .height = 0.3,
                                .section = 0.2,
                                .speed = speed,
                                .damping = damping,
                                .inertia = 1e6,
                                .calm = 1e5});
  *reference = speed / w * exp(-z / s * acos(z));
}

// Coulomb friction takes mu times the impulse across from the speed along: 2 mu v.
void cli_case_kerb_friction(cliLab* lab, double* value, double* reference) {
  const double speed = 0.5, ahead = 1, mu = 0.3;
  build(lab, &(Kerb){.step = "0.0001",
                     .height = 0.3,
                     .section = 0.2,
                     .ahead = ahead,
                     .speed = speed,
                     .friction = mu,
                     .inertia = 1e6,
                     .calm = 1e5});
  cli_lab_run_to(lab, 1);
  *value = cli_lab_vehicle(lab, 0).com_velocity[0];
  *reference = ahead - 2 * mu * speed;
}

// A vehicle that turns as it bounces off keeps its energy.
void cli_case_kerb_energy(cliLab* lab, double* value, double* reference) {
  build(lab, &(Kerb){.step = "0.0005",
                     .world = "integrator='rk4'",
                     .height = 0.3,
                     .section = 0.1,
                     .ahead = 1,
                     .speed = 2,
                     .inertia = 800});
  const rutEnergy first = cli_lab_energy(lab);
  const double whole = first.kinetic + first.potential + first.elastic;
  while (cli_lab_time(lab) < 0.5 && !lab->failed) {
    cli_lab_step(lab);
    const rutEnergy e = cli_lab_energy(lab);
    cli_worst_absolute((e.kinetic + e.potential + e.elastic - whole) / first.kinetic, 0, value,
                       reference);
  }
}

// Its work, with dampers and friction, is gain and losses.
void cli_case_kerb_balance(cliLab* lab, double* value, double* reference) {
  build(lab, &(Kerb){.step = "0.0005",
                     .height = 0.3,
                     .section = 0.1,
                     .ahead = 1,
                     .speed = 2,
                     .damping = 0.01,
                     .friction = 0.3,
                     .inertia = 800,
                     .calm = 1e3});
  cli_lab_run_to(lab, 0.3);
  const rutEnergy e = cli_lab_energy(lab);
  *value = e.residual / e.throughput;
  *reference = 0;
}
