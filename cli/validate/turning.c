// SPDX-License-Identifier: BSD-3-Clause
//
// Kinematics of turning, and speed control.
#include <math.h>

#include "lab.h"

#define CAR_WHEELBASE 2.5
#define CAR                                                                             \
  "<chassis mass='600' outline='-0.5 -0.8 3 -0.8 3 0.8 -0.5 0.8'/>"                     \
  "<wheel name='rl' position='0 0.75' place='rear_left' mass='10' radius='0.3'/>"       \
  "<wheel name='rr' position='0 -0.75' place='rear_right' mass='10' radius='0.3'/>"     \
  "<wheel name='fl' position='2.5 0.75' place='front_left' steered='true' mass='10' "   \
  "radius='0.3'/>"                                                                      \
  "<wheel name='fr' position='2.5 -0.75' place='front_right' steered='true' mass='10' " \
  "radius='0.3'/>"                                                                      \
  "<drive type='direct'/><tyre type='coulomb' bearing_damping='0'/>"

// Radius of the circle through three points.
static double circle_radius(const rutVehicleState p[3]) {
  double side[3], x[3], y[3];
  for (int i = 0; i < 3; i++) {
    x[i] = p[i].position[0];
    y[i] = p[i].position[1];
  }
  for (int i = 0; i < 3; i++) side[i] = hypot(x[(i + 1) % 3] - x[i], y[(i + 1) % 3] - y[i]);
  double area = 0.5 * fabs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]));
  return side[0] * side[1] * side[2] / (4 * area);
}

// Wheels that roll without lateral slip turn about the point where their axles meet: the middle of
// the rear axle goes round on R = L/tan(delta).
void cli_case_ackermann_radius(cliLab* lab, double* value, double* reference) {
  const double steer = 0.3;
  cli_lab_build(lab,
                "<world timestep='0.001'><vehicle name='car' velocity='2 0'>" CAR
                "<controller type='raw' steer='%.17g'/></vehicle></world>",
                steer);
  rutVehicleState point[3];
  cli_lab_run_to(lab, 2);
  point[0] = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, 5);
  point[1] = cli_lab_vehicle(lab, 0);
  cli_lab_run_to(lab, 8);
  point[2] = cli_lab_vehicle(lab, 0);
  *value = circle_radius(point);
  *reference = CAR_WHEELBASE / tan(steer);
}

#define ROBOT                                                               \
  "<chassis mass='15' outline='-0.3 -0.25 0.3 -0.25 0.3 0.25 -0.3 0.25'/>"  \
  "<wheel name='l' position='0 0.3' place='left' mass='1' radius='0.1'/>"   \
  "<wheel name='r' position='0 -0.3' place='right' mass='1' radius='0.1'/>" \
  "<drive type='direct'/><tyre type='coulomb'/>"

// A differential drive turns with (w_r - w_l) R/track.
void cli_case_differential_rate(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, "<world timestep='0.001'><vehicle name='robot'>" ROBOT
                     "<controller type='raw' torque_left='0.02' torque_right='0.04'/>"
                     "</vehicle></world>");
  cli_lab_run_to(lab, 20);
  *value = cli_lab_vehicle(lab, 0).rate[2];
  *reference = (cli_lab_wheel(lab, 1).speed - cli_lab_wheel(lab, 0).speed) * 0.1 / 0.6;
}

// A controller with an integral part has no steady error.
void cli_case_twist_speed(cliLab* lab, double* value, double* reference) {
  cli_lab_build(lab, "<world timestep='0.005'><vehicle name='robot'>" ROBOT
                     "<controller type='twist_pid' proportional_gain='5' integral_gain='5' "
                     "max_torque='5' speed='1' yaw_rate='0.4'/></vehicle></world>");
  cli_lab_run_to(lab, 30);
  rutVehicleState state = cli_lab_vehicle(lab, 0);
  *value = state.velocity[0] / state.rate[2];
  *reference = 1 / 0.4;
}
