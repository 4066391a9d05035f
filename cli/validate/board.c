// SPDX-License-Identifier: BSD-3-Clause
//
// Bumpers and batteries.
#include <math.h>

#include "lab.h"

#define ROBOT(attributes, drive, controller, sensor)                                  \
  "<vehicle name='r' " attributes                                                     \
  "><chassis mass='%.17g' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3' z_max='0.5' " \
  "restitution='0'/>"                                                                 \
  "<wheel name='l' position='0 0.25' place='left' mass='0.5' radius='0.1'/>"          \
  "<wheel name='r' position='0 -0.25' place='right' mass='0.5' radius='0.1'/>"        \
  "<tyre type='coulomb' friction='0.9' bearing_damping='0'/>" drive controller sensor "</vehicle>"
#define WALL                                                                            \
  "<block name='w' fixed='true' shape='box' size='1 9 1' position='%.17g 0' z_max='1' " \
  "restitution='0'/>"

// A robot that pushes a wall: the force of its wheels, T/r each.
void cli_case_bumper_push(cliLab* lab, double* value, double* reference) {
  const double torque = 1.5, radius = 0.1;
  cli_lab_build(
      lab,
      "<world timestep='0.001'>" WALL ROBOT("", "<drive type='direct'/>",
                                            "<controller type='raw' torque_left='%.17g' "
                                            "torque_right='%.17g'/>",
                                            "<sensor type='bumper' period='0.01'/>") "</world>",
      0.8, 9.0, torque, torque);
  cli_lab_run_to(lab, 2);
  *value = cli_lab_reading(lab, 0, "contact_force", 0);
  *reference = 2 * torque / radius;
}

// A robot that hits a wall without bouncing gives it all its momentum, and its wheels, which roll
// on until friction stops them, theirs: m v + 2 I w/r.
void cli_case_bumper_impulse(cliLab* lab, double* value, double* reference) {
  const double mass = 9, speed = 1.2, dt = 1e-4;
  cli_lab_build(
      lab,
      "<world timestep='%.17g'>" WALL ROBOT("velocity='%.17g 0'", "<drive type='direct'/>", "",
                                            "<sensor type='bumper' period='%.17g'/>") "</world>",
      dt, 0.8 + 0.05, speed, mass, dt);
  *value = 0;
  for (int i = 0; i < 2000 && !lab->failed; i++) {
    cli_lab_step(lab);
    *value += dt * cli_lab_reading(lab, 0, "contact_force", 0);
  }
  *reference = (mass + 2 * 0.5 + 2 * 0.5 * 0.5) * speed;
}

// A constant power P from a source with a resistance: I = (V - sqrt(V^2 - 4 R P))/2R.
void cli_case_battery_discharge(cliLab* lab, double* value, double* reference) {
  const double volts = 24, ohms = 0.2, watts = 300, capacity = 3600, t = 60;
  cli_lab_build(lab,
                "<world timestep='0.01'>" ROBOT("", "", "",
                                                "<sensor type='battery' period='0.01' "
                                                "full_voltage='%.17g' empty_voltage='%.17g' "
                                                "resistance='%.17g' standing_power='%.17g' "
                                                "capacity='%.17g'/>") "</world>",
                9.0, volts, volts, ohms, watts, capacity);
  cli_lab_run_to(lab, t);
  *value = cli_lab_reading(lab, 0, "state_of_charge", 0);
  *reference = 1 - (volts - sqrt(volts * volts - 4 * ohms * watts)) / (2 * ohms) * t / capacity;
}

// Without resistance, a voltage that falls with the charge gives a constant power: V dQ/dt = -P, so
// that V0 Q + (V1 - V0) Q^2/2C falls by P t.
void cli_case_battery_sag(cliLab* lab, double* value, double* reference) {
  const double full = 25, empty = 20, watts = 400, capacity = 3600, t = 120;
  cli_lab_build(
      lab,
      "<world timestep='0.01'>" ROBOT("", "", "",
                                      "<sensor type='battery' period='0.01' "
                                      "full_voltage='%.17g' empty_voltage='%.17g' "
                                      "standing_power='%.17g' capacity='%.17g'/>") "</world>",
      9.0, full, empty, watts, capacity);
  cli_lab_run_to(lab, t);
  const double slope = (full - empty) / capacity;
  const double left = empty * capacity + 0.5 * slope * capacity * capacity - watts * t;
  *value = cli_lab_reading(lab, 0, "voltage", 0);
  *reference = sqrt(empty * empty + 2 * slope * left);
}

// A gauge whose ammeter has a bias counts a charge that nothing draws.
void cli_case_battery_gauge(cliLab* lab, double* value, double* reference) {
  const double bias = 1.5, capacity = 3600, t = 40;
  cli_lab_build(lab,
                "<world timestep='0.01'>" ROBOT("", "", "",
                                                "<sensor type='battery' period='0.01' "
                                                "current_bias='%.17g' current_noise='0' "
                                                "current_resolution='0' standing_power='0' "
                                                "capacity='%.17g'/>") "</world>",
                9.0, bias, capacity);
  cli_lab_run_to(lab, t);
  *value = cli_lab_reading(lab, 0, "state_of_charge", 0);
  *reference = 1 - bias * t / capacity;
}

// Motors that stand still turn all their power into heat: R (T/K)^2 each.
void cli_case_battery_stall(cliLab* lab, double* value, double* reference) {
  const double torque = 1.2, constant = 0.05, ohms = 0.1, volts = 24;
  cli_lab_build(lab,
                "<world timestep='0.001'>" WALL ROBOT(
                    "",
                    "<drive type='dc_motor' torque_constant='%.17g' resistance='%.17g' "
                    "battery_voltage='%.17g' coulomb_friction='1e-9' static_friction='2e-9'/>",
                    "<controller type='raw' torque_left='%.17g' torque_right='%.17g'/>",
                    "<sensor type='battery' full_voltage='%.17g' empty_voltage='%.17g' "
                    "period='0.1'/>") "</world>",
                0.8, 9.0, constant, ohms, volts, torque, torque, volts, volts);
  cli_lab_run_to(lab, 3);
  *value = cli_lab_reading(lab, 0, "current", 0);
  *reference = 2 * ohms * pow(torque / constant, 2) / volts;
}
