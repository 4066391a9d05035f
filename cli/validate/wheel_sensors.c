// SPDX-License-Identifier: BSD-3-Clause
//
// Encoders, steering potentiometers and range finders.
#include <math.h>

#include "lab.h"

#define CART(steered, attributes, rest)                                              \
  "<world timestep='0.0005'><vehicle name='cart' " attributes                        \
  "><chassis mass='92' outline='-0.5 -0.4 1 -0.4 1 0.4 -0.5 0.4'/>"                  \
  "<wheel name='rl' position='-0.4 0.4' place='rear_left' mass='2' radius='0.2'/>"   \
  "<wheel name='rr' position='-0.4 -0.4' place='rear_right' mass='2' radius='0.2'/>" \
  "<wheel name='fl' position='0.4 0.4' place='front_left' " steered                  \
  " mass='2' radius='0.2'/>"                                                         \
  "<wheel name='fr' position='0.4 -0.4' place='front_right' " steered                \
  " mass='2' radius='0.2'/>"                                                         \
  "<drive type='direct'/>" rest "</vehicle></world>"

// Wheels at rest under a body that slides: friction spins each of them up until it rolls.
void cli_case_encoder_slip(cliLab* lab, double* value, double* reference) {
  const double friction = 0.02, load = 100 * 9.81 / 4, radius = 0.2, t = 0.3;
  const double inertia = 0.5 * 2 * radius * radius;
  cli_lab_build(lab,
                CART("", "velocity='2 0' rolling_start='false'",
                     "<tyre type='coulomb' friction='%.17g' bearing_damping='0'/>"
                     "<sensor type='encoder' counts_per_turn='1000000' period='0.01'/>"),
                friction);
  cli_lab_run_to(lab, t);
  *value = cli_lab_reading(lab, 0, "angle", 0);
  *reference = friction * load * radius * t * t / (2 * inertia);
}

void cli_case_encoder_step(cliLab* lab, double* value, double* reference) {
  const double step = 2 * acos(-1.0) / (100 * 3 * 0.05);
  cli_lab_build(lab, CART("", "velocity='0.7 0'",
                          "<tyre type='coulomb'/><controller type='twist_ideal' speed='0.7'/>"
                          "<sensor type='encoder' counts_per_turn='100' gear_ratio='3' "
                          "period='0.05'/>"));
  *value = *reference = 0;
  for (int i = 1; i <= 40 && !lab->failed; i++) {
    cli_lab_run_to(lab, 0.05 * i);
    const double speed = cli_lab_reading(lab, 0, "speed", 0);
    *value = fmax(*value, fabs(speed - step * round(speed / step)));
  }
}

void cli_case_encoder_eccentricity(cliLab* lab, double* value, double* reference) {
  const double eccentricity = 0.05;
  cli_lab_build(lab,
                CART("", "velocity='0.7 0'",
                     "<tyre type='coulomb'/><controller type='twist_ideal' speed='0.7'/>"
                     "<sensor type='encoder' counts_per_turn='16000000' eccentricity='%.17g' "
                     "period='0.01'/>"),
                eccentricity);
  *value = 0;
  for (int i = 1; i <= 300 && !lab->failed; i++) {
    cli_lab_run_to(lab, 0.01 * i);
    const double error = cli_lab_reading(lab, 0, "angle", 0) - cli_lab_wheel(lab, 0).angle;
    *value = fmax(*value, fabs(error));
  }
  *reference = eccentricity;
}

void cli_case_steering_sensor(cliLab* lab, double* value, double* reference) {
  const double steer = 0.3, track = 0.8, wheelbase = 0.8;
  cli_lab_build(lab,
                CART("steered='true'", "",
                     "<tyre type='coulomb'/><controller type='raw' steer='%.17g'/>"
                     "<sensor type='steering_angle' deviation='0' period='0.01'/>"),
                steer);
  cli_lab_run_to(lab, 0.1);
  *value = cli_lab_reading(lab, 0, "steer", 2);
  *reference = atan(1 / (1 / tan(steer) - track / (2 * wheelbase)));
}

// ---- range finders ----

void cli_case_range_cone(cliLab* lab, double* value, double* reference) {
  const double turned = 0.9, half = 0.25, distance = 3;
  cli_lab_build(lab,
                "<world timestep='0.01'><block name='w' fixed='true' shape='box' size='2 400 20' "
                "position='4 0' z_max='20'/><sensor type='range_finder' z='10' period='0.01' "
                "max_range='50' range_noise='0' yaw='%.17g' fov='%.17g'/></world>",
                turned, 2 * half);
  cli_lab_run_to(lab, 0.1);
  *value = cli_lab_reading(lab, 0, "range", 0);
  *reference = distance / cos(turned - half);
}

void cli_case_range_ground(cliLab* lab, double* value, double* reference) {
  const double pitch = 0.1, half = 0.2, height = 0.5;
  cli_lab_build(lab,
                "<world timestep='0.01'><sensor type='range_finder' z='%.17g' period='0.01' "
                "range_noise='0' pitch='%.17g' fov='%.17g'/></world>",
                height, pitch, 2 * half);
  cli_lab_run_to(lab, 0.1);
  *value = cli_lab_reading(lab, 0, "range", 0);
  *reference = height / sin(half + pitch);
}

void cli_case_range_spread(cliLab* lab, double* value, double* reference) {
  enum { SAMPLES = 20000 };
  const double distance = 4, noise = 0.03, relative = 0.01;
  cli_lab_build(lab,
                "<world timestep='0.01'><block name='w' fixed='true' shape='box' size='2 9 9' "
                "position='5 0' z_max='9'/><sensor type='range_finder' z='4' period='0.01' "
                "max_range='9' fov='0' range_noise='%.17g' relative_noise='%.17g'/></world>",
                noise, relative);
  double square = 0;
  for (int i = 0; i < SAMPLES && !lab->failed; i++) {
    cli_lab_step(lab);
    square += pow(cli_lab_reading(lab, 0, "range", 0) - distance, 2);
  }
  *value = sqrt(square / SAMPLES);
  *reference = hypot(noise, relative * distance);
}
