// SPDX-License-Identifier: BSD-3-Clause
//
// What a rear axle can pull with its left wheel on ice, for three kinds of differential. The engine
// torque grows slowly; the pull is taken when the wheel that cannot hold runs away from the ground.
#include <math.h>

#include "lab.h"

enum { REAR_LEFT_WHEEL, REAR_RIGHT_WHEEL };

static const double LOW = 0.1, HIGH = 0.8;   // friction coefficients left and right
static const double RADIUS = 0.3;            // [m]
static const double LOAD = 1000 * 9.81 / 4;  // under each wheel [N]

// The car is held straight by a huge yaw inertia, and its wheels are light, so that all torque goes
// into the ground.
static void build_car(cliLab* lab, const char* drive) {
  cli_lab_build(
      lab,
      "<world timestep='0.001'>"
      "<region x_min='-1000' x_max='1000' y_min='0' y_max='1000' friction='%.17g'/>"
      "<vehicle name='car'>"
      "<chassis mass='960' outline='-2 -0.5 2 -0.5 2 0.5 -2 0.5' yaw_inertia='1e9'/>"
      "<wheel name='rl' position='-2 0.5' place='rear_left' mass='10' radius='0.3' inertia='0.2'/>"
      "<wheel name='rr' position='-2 -0.5' place='rear_right' mass='10' radius='0.3' "
      "inertia='0.2'/>"
      "<wheel name='fl' position='2 0.5' place='front_left' mass='10' radius='0.3' inertia='0.2'/>"
      "<wheel name='fr' position='2 -0.5' place='front_right' mass='10' radius='0.3' "
      "inertia='0.2'/>"
      "<tyre type='coulomb' friction='%.17g' bearing_damping='0'/>%s"
      "<controller type='raw'/></vehicle></world>",
      LOW, HIGH, drive);
}

static double slip_speed(const cliLab* lab, int w) {
  rutWheelState wheel = cli_lab_wheel(lab, w);
  return wheel.speed * RADIUS - wheel.hub_velocity[0];
}

// Pull of the rear axle when its faster wheel slips by 1.5 m/s, as a multiple of the load under a
// wheel. The torque grows from 0.9 of what the expected pull takes, by a hundredth of that a
// second.
static double pull_at_breakaway(cliLab* lab, double expected) {
  const double torque = expected * LOAD * RADIUS;
  while (!lab->failed && cli_lab_time(lab) < 30) {
    double half = 0.5 * torque * (0.95 + 0.005 * cli_lab_time(lab));
    double command[3] = {half, half, 0};
    cli_lab_command(lab, 3, command);
    cli_lab_step(lab);
    double slip = fmax(slip_speed(lab, REAR_LEFT_WHEEL), slip_speed(lab, REAR_RIGHT_WHEEL));
    if (slip > 1.5) break;
  }
  double pull =
      cli_lab_wheel(lab, REAR_LEFT_WHEEL).force[0] + cli_lab_wheel(lab, REAR_RIGHT_WHEEL).force[0];
  return pull / LOAD;
}

// Open: both wheels get the same torque, so the axle pulls twice what the wheel on ice can hold.
void cli_case_open_limit(cliLab* lab, double* value, double* reference) {
  build_car(lab, "<drive type='open' driven='rear'/>");
  *reference = 2 * LOW;
  *value = pull_at_breakaway(lab, *reference);
}

// Torque biasing: the wheel with grip gets up to B times the torque of the other one.
void cli_case_biasing_limit(cliLab* lab, double* value, double* reference) {
  build_car(lab, "<drive type='torque_biasing' driven='rear' rear_left_right_bias='2.5'/>");
  *reference = (1 + 2.5) * LOW;
  *value = pull_at_breakaway(lab, *reference);
}

// Locked: each wheel gives what its ground can take.
void cli_case_locked_limit(cliLab* lab, double* value, double* reference) {
  build_car(lab, "<drive type='locked' driven='rear'/>");
  *reference = LOW + HIGH;
  *value = pull_at_breakaway(lab, *reference);
}
