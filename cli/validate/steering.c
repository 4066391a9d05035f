// SPDX-License-Identifier: BSD-3-Clause
//
// Steering linkages: response, rate, elastic column.
#include <math.h>

#include "spatial.h"

#define AIR "position='0 0 1000' on_ground='false' "

// A critically damped linkage of the frequency w goes to g (1 - (1 + w t) exp(-w t)). Wheel angles
// follow it: their sum over that of the end.
void cli_case_steer_response(cliLab* lab, double* value, double* reference) {
  const double w = 20, ask[] = {0, 1, 0.02};
  double angle[2];
  cli_hmmwv_build(lab, &(cliHmmwv){.world = "timestep='0.0001'",
                                   .start = "velocity='0 0' steer_response='20'",
                                   .pedals = "brake='1'"});
  cli_lab_run_to(lab, 1);
  const double before = cli_lab_wheel(lab, 0).steer + cli_lab_wheel(lab, 1).steer;
  cli_lab_command(lab, CLI_COUNT(ask), ask);
  for (int i = 0; i < 2; i++) {
    cli_lab_run_to(lab, i ? 2 : 1.1);
    angle[i] = cli_lab_wheel(lab, 0).steer + cli_lab_wheel(lab, 1).steer - before;
  }
  *value = angle[0] / angle[1];
  *reference = 1 - (1 + w * 0.1) * exp(-w * 0.1);
}

static double sum_of_angles(const cliLab* lab) {
  return cli_lab_wheel(lab, 0).steer + cli_lab_wheel(lab, 1).steer;
}

// Asked for A sin(W t), its amplitude is A w^2/(w^2 + W^2) once the start has faded; over what it
// has at rest when it is asked for A.
void cli_case_steer_sine(cliLab* lab, double* value, double* reference) {
  const double w = 20, turns = 25, step = 0.002, ask = 0.01, start = 1, end = 2.5;
  cli_hmmwv_build(lab, &(cliHmmwv){.world = "timestep='0.002' gravity='0' integrator='rk4'",
                                   .start = AIR "velocity='0 0' steer_response='20'",
                                   .drive = "<drive type='direct'/>",
                                   .controller = "<controller type='pedals'/>"});
  cli_lab_run_to(lab, start);
  const double before = sum_of_angles(lab);
  const double held[3] = {0, 0, ask};
  cli_lab_command(lab, 3, held);
  cli_lab_run_to(lab, end);
  const double whole = sum_of_angles(lab) - before;
  double peak = 0;
  for (int i = 0; i < 1000 && !lab->failed; i++) {
    double at[3][3] = {{0}};
    for (int k = 0; k < 3; k++) at[k][2] = ask * sin(turns * (i + 0.5 * k) * step);
    cli_lab_command(lab, 3, at[0]);
    lab->failed =
        rut_command_course(lab->world.model, lab->world.data, 0, 3, at[1], at[2]) != RUT_OK;
    cli_lab_step(lab);
    if (i >= 700) peak = fmax(peak, fabs(sum_of_angles(lab) - before));
  }
  *value = peak / whole;
  *reference = w * w / (w * w + turns * turns);
}

// On slides each wheel turns at the largest rate.
void cli_case_steer_rate(cliLab* lab, double* value, double* reference) {
  const cliRig rig = {.mass = 1500,
                      .front = 1.2,
                      .rear = 1.4,
                      .height = 0.55,
                      .track = 1.5,
                      .inertia = {600, 2000, 2200},
                      .world = "gravity='0'",
                      .vehicle = AIR "steer_rate='0.5'",
                      .front_axle = "max_steer='0.6'",
                      .drive = "<drive type='open'/><controller type='pedals' steer='0.4'/>"};
  cli_rig_build(lab, &rig);
  cli_lab_run_to(lab, 0.5);
  *value = cli_lab_wheel(lab, 0).steer;
  *reference = 0.25;
}

// The column's upper end at g pulls the linkage of inertia J with k (g - s) - c s': the frequency
// and decay of its swing about g, heavy against the wheels.
void cli_case_steer_column(cliLab* lab, double* value, double* reference) {
  const double k = 4e6, c = 8e4, inertia = 1e4;
  const double decay = c / (2 * inertia), w = sqrt(k / inertia - decay * decay);
  double peak = 0, end = 0;
  cli_hmmwv_build(lab, &(cliHmmwv){.world = "timestep='0.0005' gravity='0' integrator='rk4'",
                                   .start = AIR "velocity='0 0' steer_response='1e4' "
                                                "steer_stiffness='4e6' steer_damping='8e4' "
                                                "steer_inertia='1e4'",
                                   .pedals = "steering='0.02'"});
  while (!lab->failed && cli_lab_time(lab) < 4) {
    cli_lab_step(lab);
    end = cli_lab_wheel(lab, 0).steer + cli_lab_wheel(lab, 1).steer;
    peak = fmax(peak, end);
  }
  *value = peak / end;
  // from s = 0, thrown by the damper as the upper end jumps: s'(0) = g c/J
  const double at = (3.14159265358979323846 - atan2(2 * decay * w, w * w - decay * decay)) / w;
  *reference = 1 + exp(-decay * at) * (decay / w * sin(w * at) - cos(w * at));
}
