// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of VirtualBotz 3D: ground, contact search, steps, its two analytic cases, and its
// controllers. Its vehicles are not published; those here are similar.
#include <math.h>

#include "clock.h"
#include "seed.h"
#include "spatial.h"

enum { RUN_20 = 2, RUN_2000, RUN_REFINED };

#define ROVER_BODY                                                               \
  "<chassis mass='50' com='0 0 0.22' inertia='1 2 2' "                           \
  "outline='-0.3 -0.2 0.3 -0.2 0.3 0.2 -0.3 0.2' z_min='0.2' z_max='0.3'/>"      \
  "<suspension type='massless' stiffness='10 kN/m' damping='500' travel='0.1'/>" \
  "<tyre type='linear'/>"                                                        \
  "<axle x='0.25' track='0.4' radius='0.12' width='0' wheel_inertia='0.01'/>"    \
  "<axle x='-0.25' track='0.4' radius='0.12' width='0' wheel_inertia='0.01'/>"   \
  "<drive type='open'/>"

// ---- ground ----

// Grid of 3 x 4 points 0.5 m apart from (2, 1): argument 0, 1: x and y of the last point, found as
// the end of the ground; 2: height at (2.6, 1.7).
double cli_seed_ground(cliSeed* seed, double argument) {
  cliLab* lab = &seed->lab;
  cli_lab_build(lab,
                "<world><elevation_map matrix='[0 0.1 0.3 0.2; 0.2 0.5 0.1 0; 0.4 0.3 0.2 "
                "0.1]' resolution='0.5' corner='2 1'/></world>");
  if (lab->failed) return (double)NAN;
  const rutModel* model = lab->world.model;
  if (argument == 2) return rut_terrain_height(model, lab->world.data, 2.6, 1.7, 10);
  double low = 2.1, high = 10;
  for (int i = 0; i < 60; i++) {
    const double at = 0.5 * (low + high);
    const double x = argument == 0 ? at : 2.1, y = argument == 0 ? 1.1 : at - 1;
    const bool there = !isnan(rut_terrain_height(model, lab->world.data, x, y, 10));
    low = there ? at : low;
    high = there ? high : at;
  }
  return argument == 0 ? low : low - 1;
}

// ---- steps ----

// Time after 1000 steps of this length, over 1000.
double cli_seed_timestep(cliSeed* seed, double argument) {
  cli_lab_build(&seed->lab,
                "<world timestep='%.17g'><vehicle name='rover'>" ROVER_BODY "</vehicle></world>",
                argument);
  for (int i = 0; i < 1000; i++) cli_lab_step(&seed->lab);
  // it stands as it stood
  const double load = cli_axle_load(&seed->lab, 0);
  return fabs(load / 245.25 - 1) < 1e-6 ? cli_lab_time(&seed->lab) / 1000 : (double)NAN;
}

// ---- analytic cases ----

static double worst_error(cliSeed* seed, cliCaseFunction* run, bool relative) {
  double value = (double)NAN, reference = (double)NAN;
  run(&seed->lab, &value, &reference);
  return relative ? 100 * fabs(value / reference - 1) : fabs(value - reference);
}
// [%], [deg], [%]
double cli_seed_torque(cliSeed* seed, double argument) {
  (void)argument;
  return worst_error(seed, cli_case_torque_front_load, true);
}
double cli_seed_pitch(cliSeed* seed, double argument) {
  (void)argument;
  return worst_error(seed, cli_case_torque_pitch, false);
}

// Range of a jump at 5 m/s from a ramp of `argument` degrees, to the same height [m].
double cli_seed_jump(cliSeed* seed, double argument) {
  cliLab* lab = &seed->lab;
  const double angle = argument * acos(-1.0) / 180, flight = 2 * 5 * sin(angle) / CLI_GRAVITY;
  cli_lab_build(lab,
                "<world timestep='%.17g' integrator='rk4'><vehicle name='rover' "
                "position='0 0 100' on_ground='false' pitch='-%.17g' velocity='5 0'>" ROVER_BODY
                "</vehicle></world>",
                flight / 400, angle);
  const double from = cli_lab_vehicle(lab, 0).position[0];
  for (int i = 0; i < 400; i++) cli_lab_step(lab);
  return cli_lab_vehicle(lab, 0).position[0] - from;
}

// ---- slices ----

// Acceleration by 3 N m per wheel on level ground, for a second after a rest: largest error of the
// front loads over those of the refined search [%], and the time of it [s].
static void accelerate(cliSeed* seed, int slices, bool refined, double* load, double* seconds) {
  cliLab* lab = &seed->lab;
  cli_lab_build(lab,
                "<world timestep='0.001'>"
                "<soil name='s' type='magic_formula' surface='dry' rolling_resistance='0'/>"
                "<terrain type='plane'/><vehicle name='rover' contact_slices='%d' "
                "contact_refine='%s'>" ROVER_BODY
                "<controller type='pedals' torque='12'/></vehicle></world>",
                slices, refined ? "true" : "false");
  cli_lab_run_to(lab, 2);
  const double from = cli_clock();
  double sum = 0;
  int n = 0;
  while (!lab->failed && cli_lab_time(lab) < 3 - 1e-9) {
    cli_lab_step(lab);
    sum += cli_axle_load(lab, 0);
    n++;
  }
  *seconds = cli_clock() - from;
  *load = sum / n;
}

// Error of the mean front load with `argument` slices [%]; 0: by how much 2000 take longer than 20
// [%].
double cli_seed_slices(cliSeed* seed, double argument) {
  static const int slices[] = {20, 2000, 12};
  for (int i = 0; i < 3 && !seed->known[RUN_20 + i]; i++) {
    double* number = seed->number[RUN_20 + i];
    accelerate(seed, slices[i], i == 2, &number[0], &number[1]);
    seed->known[RUN_20 + i] = true;
  }
  const double *coarse = seed->number[RUN_20], *fine = seed->number[RUN_2000];
  if (argument == 0) return 100 * (fine[1] / coarse[1] - 1);
  const double* run = argument == 20 ? coarse : fine;
  return 100 * fabs(run[0] / seed->number[RUN_REFINED][0] - 1);
}

// ---- forces on a slope ----

// A rover that stands braked with its front axle on a grade: its load (0) and the force along the
// chassis (1) over what eqs 10 and 9 make of the spring's force, the traction and the contact
// angle.
double cli_seed_slope(cliSeed* seed, double argument) {
  cliLab* lab = &seed->lab;
  cli_lab_build(lab,
                "<world timestep='0.0005'>"
                "<terrain type='plane' position='0 0' x_min='0' slope_x='0.3'/>"
                "<vehicle name='rover' position='0.05 0'>" ROVER_BODY
                "<controller type='pedals' torque='8'/></vehicle></world>");
  cli_lab_run_to(lab, 0.2);
  if (lab->failed) return (double)NAN;
  const rutWheelPose pose = rut_wheel_pose(lab->world.model, lab->world.data, 0);
  const double up = -cli_lab_vehicle(lab, 0).pitch, c = cos(up), s = sin(up), radius = 0.12;
  const double nx = (pose.position[0] - pose.contact[0]) / radius,
               nz = (pose.position[2] - pose.contact[2]) / radius;
  const double load = pose.force[0] * nx + pose.force[2] * nz,
               pull = pose.force[0] * nz - pose.force[2] * nx;
  const double cosine = nz * c - nx * s, sine = -(nx * c + nz * s);
  const double spring = pose.force[2] * c - pose.force[0] * s;
  const double along = pose.force[0] * c + pose.force[2] * s;
  return argument == 0 ? load * cosine / (spring - pull * sine)
                       : along * cosine / (pull - spring * sine);
}

// ---- controllers ----

// Of figures 10 to 12: 0, 1 turned over with proportional control, with CDTA; 2 to 5 time to the
// speed and energy, CDTA over proportional control, on the level and over waves.
double cli_seed_controllers(cliSeed* seed, double argument) {
  static cliCaseFunction* const run[] = {cli_case_ramp_proportional, cli_case_ramp_cdta,
                                         cli_case_level_time,        cli_case_level_energy,
                                         cli_case_waves_time,        cli_case_waves_energy};
  double value = (double)NAN, reference = (double)NAN;
  run[(int)argument](&seed->lab, &value, &reference);
  return value;
}
