// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles that stand or crawl: on four springs over ground of two heights, and over an edge on the
// cams of their wheels.
#include <math.h>

#include "spatial.h"
#include "touching.h"

enum { WHEELS = 4 };

// ---- as it is told, over a plateau ----

static const double MASS = 2240, HUNG = 60, HEIGHT = 0.9, RADIUS = 0.5, X = 1.5, Y = 1,
                    SPRING = 60e3, TYRE = 400e3;

// Loads of springs k on ground of the heights H, as the chassis rises by a + b x + c y: the sums of
// F = L + k (H - a - b x - c y), F x and F y balance the weight, whose moments are those of its
// parts m g b and m g c along the chassis at the height h. Those that would pull lift off.
static void balance(const double ground[WHEELS], double plane[3], double load[WHEELS]) {
  const double k = SPRING * TYRE / (SPRING + TYRE), rest = MASS * CLI_GRAVITY / WHEELS;
  const double h = ((MASS - WHEELS * HUNG) * HEIGHT + WHEELS * HUNG * RADIUS) / MASS - rest / TYRE;
  bool on[WHEELS] = {true, true, true, true};
  for (int pass = 0; pass < 8; pass++) {
    const double lean = MASS * CLI_GRAVITY * h;
    double m[3][4] = {{0, 0, 0, -MASS * CLI_GRAVITY}, {0, lean, 0, 0}, {0, 0, lean, 0}};
    for (int w = 0; w < WHEELS; w++) {
      const double at[3] = {1, w < 2 ? X : -X, w % 2 ? -Y : Y};
      for (int i = 0; i < 3 && on[w]; i++) {
        for (int j = 0; j < 3; j++) m[i][j] -= k * at[i] * at[j];
        m[i][3] += at[i] * (rest + k * ground[w]);
      }
    }
    // m (a b c) + m[3] = 0
    for (int p = 0; p < 3; p++) {
      for (int i = 0; i < 3; i++) {
        const double part = m[i][p] / m[p][p];
        for (int j = p; j < 4 && i != p; j++) m[i][j] -= part * m[p][j];
      }
    }
    for (int i = 0; i < 3; i++) plane[i] = -m[i][3] / m[i][i];
    for (int w = 0; w < WHEELS; w++) {
      const double x = w < 2 ? X : -X, y = w % 2 ? -Y : Y;
      load[w] = rest + k * (ground[w] - plane[0] - plane[1] * x - plane[2] * y);
      on[w] = load[w] > 0;
      load[w] = fmax(load[w], 0);
    }
  }
}

static void stand_on(cliLab* lab, double plateau, double* value, double* reference) {
  cli_lab_build(lab,
                "<world timestep='0.002'><terrain type='step' position='1 0' height='%.17g' "
                "x_max='1' y_min='0.5' y_max='1.5'/><vehicle name='a' contact='point'>"
                "<chassis mass='2000' com='0 0 0.9' z_min='0.4' z_max='1.4' "
                "outline='-2 -0.9, 2 -0.9, 2 0.9, -2 0.9'/>"
                "<suspension type='slider' stiffness='60000' damping='6000' bump_travel='0.4' "
                "rebound_travel='0.4'/><tyre type='linear' stiffness='400000' damping='2000'/>"
                "<axle x='1.5' track='2' radius='0.5' width='0.3' wheel_mass='60'/>"
                "<axle x='-1.5' track='2' radius='0.5' width='0.3' wheel_mass='60'/>"
                "<controller type='twist_ideal' speed='0'/></vehicle></world>",
                plateau);
  const double ground[WHEELS] = {plateau, 0, 0, 0};
  double plane[3], load[WHEELS];
  balance(ground, plane, load);
  cli_lab_run_to(lab, 0.2);
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  for (int w = 0; w < WHEELS; w++) {
    cli_worst_absolute(1e-4 * cli_lab_wheel(lab, w).load, 1e-4 * load[w], value, reference);
  }
  cli_worst_absolute(-s.pitch, plane[1], value, reference);
  cli_worst_absolute(s.roll, plane[2], value, reference);
  const double sag = MASS * CLI_GRAVITY / WHEELS / TYRE;
  cli_worst_absolute(s.position[2], plane[0] - sag, value, reference);
}
static void ideal_plateau(cliLab* lab, double* value, double* reference) {
  stand_on(lab, 0.05, value, reference);
}
static void ideal_lifts(cliLab* lab, double* value, double* reference) {
  stand_on(lab, 0.25, value, reference);
}

// ---- an edge under two cams ----

// A cam of half the length a and the height b, a superellipse of the order c, whose middle is u
// before or behind an edge of the height h stands h - b + b (1 - (u/a)^c)^(1/c) higher than on
// level ground, and behind the edge h; but no higher than a round wheel whose radius is larger by
// as much as the feet of the cams are farther from a hub at the height 0.6 b than that is high.
static double cam(double middle, double half, double h) {
  const double b = 0.47, a = 1.0325 * b, c = 1.8, u = middle - half;
  if (u >= 0) return h;
  const double round = b + hypot(0.6 * b, half) - 0.6 * b;
  const double high = b * pow(fmax(1 - pow(-u / a, c), 0), 1 / c);
  return fmax(h - b + fmin(high, sqrt(fmax(round * round - middle * middle, 0))), 0);
}

static void cam_path(cliLab* lab, double* value, double* reference) {
  const double height = 0.04, half = 0.11, step = 1;
  double level = 0;
  cli_lab_build(
      lab,
      "<world timestep='0.001'><soil type='magic_formula' surface='user' name='road' d='0.8' "
      "rolling_resistance='0'/><terrain type='step' position='1 0' height='0.04'/>"
      "<vehicle position='-1.3 0' velocity='0.5 0 0' contact='cams' cam_distance='0.22'>"
      "<chassis mass='900' com='0 0 0.6' inertia='300 900 900' z_min='0.5' z_max='1' "
      "outline='-1.8 -0.5, 1.8 -0.5, 1.8 0.5, -1.8 0.5'/>"
      "<suspension type='slider' stiffness='2e4' damping='2e3'/>"
      "<tyre type='linear' stiffness='1e8' damping='1e6' bearing='0'/>"
      "<axle x='1.5' track='1.6' radius='0.47' width='0.3' wheel_mass='10'/>"
      "<axle x='-1.5' track='1.6' radius='0.47' width='0.3' wheel_mass='10'/>"
      "<drive type='open'/><controller type='pedals' torque='40'/></vehicle></world>");
  while (cli_lab_time(lab) < 3 && !lab->failed) {
    cli_lab_step(lab);
    const rutWheelPose p = rut_wheel_pose(lab->world.model, lab->world.data, 0);
    const double u = p.position[0] - step;
    if (cli_lab_time(lab) < 0.3 || u > 0.3) level = u > 0.3 ? level : p.position[2];
    if (cli_lab_time(lab) < 0.3 || u > 0.3) continue;
    const double rise = 0.5 * (cam(u, -half, height) + cam(u, half, height));
    cli_worst_absolute(p.position[2] - level, rise, value, reference);
  }
}

// ---- in the air, and steered ----

// Steps h of the default integrator keep E - m g h v/2 as it falls, whatever its springs do: the
// balance tells that part.
static void flight_part(cliLab* lab, double* value, double* reference) {
  const double step = 0.002, mass = 2000 + 4 * 60, up = 3;
  cli_lab_build(lab,
                "<world timestep='0.002'><vehicle name='a' position='0 0 30' on_ground='false' "
                "velocity='5 0 3'><chassis mass='2000' com='0 0 0.9' z_min='0.4' z_max='1.4' "
                "outline='-2 -0.9, 2 -0.9, 2 0.9, -2 0.9' drag_area='0'/>"
                "<suspension type='slider' stiffness='60000' damping='6000'/><tyre type='linear'/>"
                "<axle x='1.5' track='2' radius='0.5' width='0.3' wheel_mass='60'/>"
                "<axle x='-1.5' track='2' radius='0.5' width='0.3' wheel_mass='60'/>"
                "</vehicle></world>");
  cli_lab_run_to(lab, 1);
  const double rises = up - CLI_GRAVITY * cli_lab_time(lab);
  *value = cli_lab_energy(lab).flight;
  *reference = -0.5 * step * CLI_GRAVITY * mass * rises;
}

// Wheels on slides turn at the rate of the steering, each until it has its own angle, cot a = cot d
// -+ T/2L; by both integrators.
static void slides_steer(cliLab* lab, double* value, double* reference) {
  const double rate = 0.4, goal = 0.3, cot = 1 / tan(goal);
  for (int rk4 = 0; rk4 < 2; rk4++) {
    cli_lab_build(lab,
                  "<world timestep='0.001' integrator='%s'><vehicle name='a' steer_rate='0.4'>"
                  "<chassis mass='2000' com='0 0 0.9' z_min='0.4' z_max='1.4' "
                  "outline='-2 -0.9, 2 -0.9, 2 0.9, -2 0.9'/>"
                  "<suspension type='slider' stiffness='60000' damping='6000'/>"
                  "<tyre type='linear'/><axle x='1.5' track='2' radius='0.5' width='0.3' "
                  "wheel_mass='60' max_steer='0.5'/>"
                  "<axle x='-1.5' track='2' radius='0.5' width='0.3' wheel_mass='60'/>"
                  "<drive type='open'/><controller type='pedals' steer='0.3'/></vehicle></world>",
                  rk4 ? "rk4" : "semi_implicit");
    cli_lab_run_to(lab, 0.5);
    for (int w = 0; w < 2; w++) {
      cli_worst_relative(cli_lab_wheel(lab, w).steer, rate * 0.5, value, reference);
    }
    cli_lab_run_to(lab, 1);
    for (int w = 0; w < 2; w++) {
      const double angle = atan(1 / (cot + (w ? 1 : -1) / 3.0));
      cli_worst_relative(cli_lab_wheel(lab, w).steer, angle, value, reference);
    }
  }
}

const cliCase cli_cases_stands[CLI_CASES_STANDS] = {
    {"ideal_plateau", "N, m, rad", false, 2.5e-4, "sums of F, F x, F y of four springs; 10 kN",
     ideal_plateau, NULL},
    {"ideal_lifts", "N, m, rad", false, 8.8e-3, "the same, with a wheel that lifts off",
     ideal_lifts, NULL},
    {"cam_path", "m", false, 2e-3, "mean of two superellipses on an edge; Schmeitz 2004", cam_path,
     NULL},
    {"flight_part", "J", true, 1e-9, "-m g h v/2", flight_part, NULL},
    {"slides_steer", "rad", true, 1e-9, "rate times t, to cot a = cot d -+ T/2L", slides_steer,
     NULL},
};
