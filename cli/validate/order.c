// SPDX-License-Identifier: BSD-3-Clause
//
// Order of Runge-Kutta steps on smooth ground under torques and steering that change within them.
#include <math.h>
#include <stdio.h>

#include "spatial.h"
#include "touching.h"

static const double PI = 3.14159265358979323846;

// Two seconds of it; turn: angle of the steering, or share of full lock.
static void steer(cliLab* lab, double step, bool linkage, double torque, double turn,
                  double place[3]) {
  const int steps = (int)lround(2 / step);
  for (int i = 0; i < steps && !lab->failed; i++) {
    double at[3][3];
    for (int k = 0; k < 3; k++) {
      const double t = (i + 0.5 * k) * step;
      at[k][0] = torque * (1 + 0.5 * sin(2 * PI * t));
      at[k][1] = 0;
      at[k][2] = turn * (linkage ? 0.5 - 0.5 * cos(PI * t) : sin(PI * t));
    }
    cli_lab_command(lab, 3, at[0]);
    lab->failed = lab->failed || rut_command_course(lab->world.model, lab->world.data, 0, 3, at[1],
                                                    at[2]) != RUT_OK;
    cli_lab_step(lab);
  }
  const rutVehicleState s = cli_lab_vehicle(lab, 0);
  for (int i = 0; i < 3; i++) place[i] = s.position[i];
}

static double apart(const double a[3], const double b[3]) {
  return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

// A truck on slides: log2 of how much nearer the ends of 8 and 4 ms are than those of 16 and 8 ms.
void cli_case_order_slides(cliLab* lab, double* value, double* reference) {
  double place[3][3];
  for (int k = 0; k < 3; k++) {
    const double step = 0.016 / (1 << k);
    cli_lab_build(
        lab,
        "<world timestep='%.17g' integrator='rk4'>"
        "<soil type='magic_formula' name='s' surface='user' b='10' c='1.4' d='0.8' e='0'/>"
        "<vehicle name='truck' velocity='15 0 0'><chassis mass='2090' com='0.1 0 0.85' "
        "outline='-2.1 -0.9, 2.3 -0.9, 2.3 0.9, -2.1 0.9' z_min='0.4' z_max='1.7' "
        "drag_area='2.6'/><suspension type='slider' stiffness='80e3' damping='8e3'/>"
        "<tyre type='linear' stiffness='320e3' damping='1e3' relaxation_length='0.3'/>"
        "<axle x='1.5' track='1.6' radius='0.47' width='0.3' wheel_mass='62' max_steer='0.5'/>"
        "<axle x='-1.3' track='1.6' radius='0.47' width='0.3' wheel_mass='62'/>"
        "<drive type='direct' max_torque='2000' no_load_speed='60' driven='all'/>"
        "<controller type='pedals'/></vehicle></world>",
        step);
    steer(lab, step, false, 4000, 0.05, place[k]);
  }
  *value = log2(apart(place[0], place[1]) / apart(place[1], place[2]));
  *reference = 4.5;
}

// A HMMWV, whose dampers have a kink, with a rigid linkage, one of its own response, and an elastic
// column: steps of 2 ms end where those of a quarter do, 30 m on.
void cli_case_order_linkage(cliLab* lab, double* value, double* reference) {
  static const char* const linkage[] = {
      "", "steer_response='50'", "steer_stiffness='77.5e3' steer_damping='1e3' steer_inertia='34'"};
  *value = *reference = (double)NAN;
  for (int i = 0; i < 3; i++) {
    double place[2][3];
    for (int k = 0; k < 2; k++) {
      char world[100], start[200];
      const double step = k ? 0.0005 : 0.002;
      snprintf(world, sizeof world, "timestep='%.17g' integrator='rk4'", step);
      snprintf(start, sizeof start, "velocity='15 0' %s", linkage[i]);
      cli_hmmwv_build(lab, &(cliHmmwv){.world = world,
                                       .start = start,
                                       .drive = "<drive type='direct'/>",
                                       .controller = "<controller type='pedals'/>"});
      steer(lab, step, true, 0, 0.1, place[k]);
    }
    cli_worst_absolute(apart(place[0], place[1]), 0, value, reference);
  }
}
