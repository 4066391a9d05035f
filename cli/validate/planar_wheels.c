// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels of planar vehicles that weigh much, or slide under stiff speed loops, at steps of 20 ms.
#include <math.h>

#include "spatial.h"

// A robot of 18 kg on two wheels of I/r^2 = 8.9 kg each: MVSim's law oscillates.
#define INERTIA     0.2
#define RADIUS      0.15
#define HALF        0.25
#define MASS        18.0
#define WHEEL_PLACE 0.0625  // HALF^2
#define ROBOT(controller)                                                            \
  "<world timestep='0.02'><vehicle name='robot'>"                                    \
  "<chassis mass='15' outline='-0.3 -0.2 0.3 -0.2 0.3 0.2 -0.3 0.2'/>"               \
  "<wheel place='left' position='0 0.25' mass='1.5' radius='0.15' width='0.05' "     \
  "inertia='0.2'/><wheel place='right' position='0 -0.25' mass='1.5' radius='0.15' " \
  "width='0.05' inertia='0.2'/><tyre type='coulomb' friction='0.9' "                 \
  "bearing_damping='%.17g'/><drive type='direct'/>" controller "</vehicle></world>"

// (m + 2 I/r^2) v' = 2 T/r - 2 c v/r^2, with torques that differ by a part in 10^9.
void cli_case_heavy_wheels_speed(cliLab* lab, double* value, double* reference) {
  const double torque = 1.5, damping = 0.05, square = RADIUS * RADIUS, time = 3;
  cli_lab_build(lab,
                ROBOT("<controller type='raw' torque_left='1.5' torque_right='1.5000000015'/>"),
                damping);
  cli_lab_run_to(lab, time);
  *value = cli_lab_vehicle(lab, 0).velocity[0];
  const double rate = 2 * damping / (square * MASS + 2 * INERTIA);
  *reference = torque * RADIUS / damping * (1 - exp(-rate * time));
}

// (I_z + 2 I y^2/r^2) w' = 2 T y/r; I_z of a block, of two points and of their discs.
void cli_case_heavy_wheels_turn(cliLab* lab, double* value, double* reference) {
  const double torque = 1, time = 1, square = RADIUS * RADIUS;
  cli_lab_build(lab, ROBOT("<controller type='raw' torque_left='-1' torque_right='1'/>"), 0.0);
  cli_lab_run_to(lab, time);
  const double block = 15 * (0.6 * 0.6 + 0.4 * 0.4) / 12;
  const double disc = 1.5 * (3 * square + 0.05 * 0.05) / 12;
  const double whole = block + 2 * (1.5 * WHEEL_PLACE + disc) + 2 * INERTIA * WHEEL_PLACE / square;
  *value = cli_lab_vehicle(lab, 0).rate[2];
  *reference = 2 * torque * HALF / RADIUS / whole * time;
}

// Four wheels at (+-a, +-b/2), dragged across ground of Coulomb friction: the speeds of the sides
// differ by (b + 4 a^2/b) w, whatever mu and w are. The turn begins under loops of the sides.
void cli_case_effective_track(cliLab* lab, double* value, double* reference) {
  static const double friction[] = {0.3, 0.9}, length[] = {0.2, 0.35};
  static const double step[] = {0.0001, 0.001, 0.005, 0.02}, rate[] = {2, 0.2, 0.5, 1};
  const double track = 0.6, radius = 0.15;
  *value = *reference = (double)NAN;
  for (int i = 0; i < 4; i++) {
    const double a = length[i / 2];
    cli_lab_build(lab,
                  "<world timestep='%.17g'><vehicle name='robot'>"
                  "<chassis mass='30' outline='-0.6 -0.25 0.6 -0.25 0.6 0.25 -0.6 0.25'/>"
                  "<wheel place='rear_left' position='%.17g 0.3' mass='2' radius='0.15'/>"
                  "<wheel place='rear_right' position='%.17g -0.3' mass='2' radius='0.15'/>"
                  "<wheel place='front_left' position='%.17g 0.3' mass='2' radius='0.15'/>"
                  "<wheel place='front_right' position='%.17g -0.3' mass='2' radius='0.15'/>"
                  "<tyre type='coulomb' combined='true' friction='%.17g'/><drive type='direct'/>"
                  "<controller type='twist_pid' proportional_gain='20' integral_gain='20' "
                  "max_torque='100' yaw_rate='%.17g'/></vehicle></world>",
                  step[i], -a, -a, a, a, friction[i % 2], rate[i]);
    cli_lab_run_to(lab, 20);
    const double turn = cli_lab_vehicle(lab, 0).rate[2];
    const double speeds = radius * (cli_lab_wheel(lab, 1).speed - cli_lab_wheel(lab, 0).speed);
    cli_worst_relative(speeds / turn, track + 4 * a * a / track, value, reference);
  }
}

// MVSim's Jackal on ground of friction 0.15, asked for 1 m/s: it slides with all its weight's
// friction, v = mu g t, by either coupling. Its gain turns a sliding wheel about in every step of
// 5 ms (K_P r h/I = 2), and 8 times as far in one of 20 ms.
void cli_case_stiff_loop(cliLab* lab, double* value, double* reference) {
  static const char* const coupling[] = {"implicit", "explicit"};
  const double friction = 0.15, step[] = {0.005, 0.02}, time = 0.5;
  *value = *reference = (double)NAN;
  for (int i = 0; i < 4; i++) {
    cli_lab_build(lab,
                  "<world timestep='%.17g'><vehicle name='jackal' wheel_coupling='%s'>"
                  "<chassis mass='10' outline='-0.2 -0.15 0.2 -0.15 0.2 0.15 -0.2 0.15'/>"
                  "<wheel place='rear_left' position='-0.13 0.16' mass='1' radius='0.1'/>"
                  "<wheel place='rear_right' position='-0.13 -0.16' mass='1' radius='0.1'/>"
                  "<wheel place='front_left' position='0.13 0.16' mass='1' radius='0.1'/>"
                  "<wheel place='front_right' position='0.13 -0.16' mass='1' radius='0.1'/>"
                  "<tyre type='coulomb' friction='%.17g'/><drive type='direct'/>"
                  "<controller type='twist_pid' proportional_gain='20' integral_gain='10' "
                  "max_torque='100' speed='1'/></vehicle></world>",
                  step[i / 2], coupling[i % 2], friction);
    cli_lab_run_to(lab, time);
    cli_worst_relative(cli_lab_vehicle(lab, 0).velocity[0], friction * CLI_GRAVITY * time, value,
                       reference);
  }
}
