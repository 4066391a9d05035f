// SPDX-License-Identifier: BSD-3-Clause
//
// A chassis that lies on hard ground: a plate of 2.04 m x 1.2 m of which the wheels are in the air.
// Its places are 3 cm apart; under the weight four of them sink in by 5 mm, and n by 5 mm
// sqrt(4/n).
#include <math.h>

#include "spatial.h"
#include "touching.h"

static const double LENGTH = 2.04, WIDTH = 1.2, MASS = 1500, FOUR = 0.005;

typedef struct Plate {
  double step, slope;  // [s]; of the ground along the plate
  double at[2], yaw;   // its place, and where it points
  double depth;        // of its underside [m]
  double speed[3];     // along, across, upwards
  double spin;         // [rad/s]
  double inertia;      // about the vertical [kg m2]
} Plate;

static void build(cliLab* lab, const Plate* p) {
  const double slope[2] = {p->slope * cos(p->yaw), p->slope * sin(p->yaw)};
  const double ground = slope[0] * p->at[0] + slope[1] * p->at[1];
  cli_lab_build(
      lab,
      "<world timestep='%.17g'><terrain type='plane' slope_x='%.17g' slope_y='%.17g'/>"
      "<vehicle position='%.17g %.17g %.17g' yaw='%.17g' pitch='%.17g' on_ground='false' "
      "velocity='%.17g %.17g %.17g' "
      "yaw_rate='%.17g'>"
      "<chassis mass='1499.996' com='0 0 0' outline='-1.02 -0.6 1.02 -0.6 1.02 0.6 -1.02 0.6' "
      "z_min='0' z_max='1' inertia='800 900 %.17g' drag_area='0' friction='0.4'/>"
      "<axle x='0.5' z='0.9' track='0.4' radius='0.05' width='0.02' wheel_mass='1e-3'/>"
      "<axle x='-0.5' z='0.9' track='0.4' radius='0.05' width='0.02' wheel_mass='1e-3'/>"
      "<suspension type='slider' stiffness='1e3' damping='1'/><tyre type='linear'/>"
      "</vehicle></world>",
      p->step, slope[0], slope[1], p->at[0], p->at[1],
      ground - p->depth * sqrt(1 + p->slope * p->slope), p->yaw, -atan(p->slope), p->speed[0],
      p->speed[1], p->speed[2], p->spin, p->inertia);
}

static double sinkage(void) { return FOUR * sqrt(4 / (LENGTH * WIDTH / (0.03 * 0.03))); }

static void rest(cliLab* lab, double* value, double* reference) {
  build(lab, &(Plate){.step = 0.001, .depth = sinkage(), .inertia = 1000});
  cli_lab_run_to(lab, 0.5);
  *value = -cli_lab_vehicle(lab, 0).position[2];
  *reference = sinkage();
}

// The force k d of the depth d is 1 + d'/(0.1 m/s) times as large (Hunt and Crossley).
static void fall(cliLab* lab, double* value, double* reference) {
  const double h = 2e-5, most = 0.04;
  build(lab, &(Plate){.step = h, .speed = {0, 0, -0.05}, .inertia = 1000});
  double d = 0, v = 0.05, deepest[2] = {0, 0}, end[2] = {0, 0};
  for (int step = 0; step * h < most && !lab->failed; step++) {
    cli_lab_step(lab);
    deepest[0] = fmax(deepest[0], -cli_lab_vehicle(lab, 0).position[2]);
    end[0] = -cli_lab_vehicle(lab, 0).position[2];
    enum { PARTS = 20 };
    for (int i = 0; i < PARTS; i++) {
      const double push = d > 0 ? d / sinkage() * fmax(1 + v / 0.1, 0) : 0;
      v += h / PARTS * CLI_GRAVITY * (1 - push);
      d += h / PARTS * v;
    }
    deepest[1] = fmax(deepest[1], d);
    end[1] = d;
  }
  cli_worst_relative(deepest[0], deepest[1], value, reference);
  cli_worst_relative(end[0], end[1], value, reference);
}

// It slides and turns: of the friction mu m g the part v/s acts along, and w r/s at the radius of
// gyration r, s^2 = v^2 + (w r)^2.
static void slide(cliLab* lab, double* value, double* reference) {
  const double mu = 0.4, inertia = 1.4e3, time = 0.25, h = 1e-5;
  build(lab, &(Plate){.step = 0.0005,
                      .depth = sinkage(),
                      .speed = {2.4, 1.1, 0},
                      .spin = 3,
                      .inertia = inertia});
  cli_lab_run_to(lab, time);
  const double r = sqrt((LENGTH * LENGTH + WIDTH * WIDTH) / 12);
  double v = hypot(2.4, 1.1), w = 3;
  for (int step = 0; step * h < time; step++) {
    const double s = hypot(v, w * r);
    v -= h * mu * CLI_GRAVITY * v / s;
    w -= h * mu * MASS * CLI_GRAVITY * r / inertia * w * r / s;
  }
  const rutVehicleState found = cli_lab_vehicle(lab, 0);
  const double size = hypot(2.4, 1.1);
  cli_worst_relative(found.com_velocity[0], v * 2.4 / size, value, reference);
  cli_worst_relative(found.com_velocity[1], v * 1.1 / size, value, reference);
  cli_worst_relative(found.rate[2], w, value, reference);
}

// On a slope that it does not slide down, the spring across, as stiff as that of four places, gives
// by 5 mm sin s.
static void hold_at(cliLab* lab, const double at[2], double yaw, double* value, double* reference) {
  const double slope = 0.2, s = atan(slope);
  build(lab, &(Plate){.step = 0.001,
                      .slope = slope,
                      .at = {at[0], at[1]},
                      .yaw = yaw,
                      .depth = sinkage() * cos(s),
                      .inertia = 1000});
  const rutVehicleState from = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, 1);
  const rutVehicleState to = cli_lab_vehicle(lab, 0);
  const double back = (from.position[0] - to.position[0]) * cos(yaw) +
                      (from.position[1] - to.position[1]) * sin(yaw);
  *value = back * cos(s) + (from.position[2] - to.position[2]) * sin(s);
  *reference = FOUR * sin(s);
}
static void hold(cliLab* lab, double* value, double* reference) {
  hold_at(lab, (const double[]){0, 0}, 0, value, reference);
}
// The same high up, where the ground under the plate is not that at the origin.
static void hold_high(cliLab* lab, double* value, double* reference) {
  hold_at(lab, (const double[]){20, 15}, 0.7, value, reference);
}
// And where it slopes along the other axis.
static void hold_across(cliLab* lab, double* value, double* reference) {
  hold_at(lab, (const double[]){0, 0}, 0.5 * acos(-1), value, reference);
}

// Of the weight it carries all, across the slope as well.
static void share(cliLab* lab, double* value, double* reference) {
  const double slope = 0.2, s = atan(slope);
  build(lab, &(Plate){.step = 0.001,
                      .slope = slope,
                      .at = {3, -2},
                      .yaw = 0.7,
                      .depth = sinkage() * cos(s),
                      .inertia = 1000});
  cli_lab_run_to(lab, 1);
  *value = lab->failed ? 0 : rut_hull_share(lab->world.model, lab->world.data, 0);
  *reference = 1;
}

const cliCase cli_cases_hard[CLI_CASES_HARD] = {
    {"hull_hard_rest", "m", true, 9e-3, "m g = k sqrt(n/4) d", rest, NULL},
    {"hull_hard_fall", "m", true, 1.6e-2, "m d'' = m g - k d (1 + c d'); Hunt and Crossley", fall,
     NULL},
    {"hull_hard_slide", "m/s, rad/s", true, 5.1e-2, "friction at the radius of gyration", slide,
     NULL},
    {"hull_hard_hold", "m", true, 3e-6, "m g sin s/k", hold, NULL},
    {"hull_hard_hold_high", "m", true, 1e-3, "the same 5 m above the origin", hold_high, NULL},
    {"hull_hard_hold_across", "m", true, 3e-6, "the same along y", hold_across, NULL},
    {"hull_hard_share", "", true, 1e-9, "all of the weight lies on the chassis", share, NULL},
};
