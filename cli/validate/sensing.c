// SPDX-License-Identifier: BSD-3-Clause
//
// A laser in the middle of a closed square room.
#include <math.h>

#include "lab.h"

enum { RAYS = 181 };
static const double HALF_WIDTH = 5;  // of the room [m]

// Noise-free ranges of the first sample, NULL on a failed lab.
static const double* scan_room(cliLab* lab) {
  cli_lab_build(lab,
                "<world timestep='0.01'>"
                "<block name='e' fixed='true' shape='box' size='1 12 2' position='5.5 0'/>"
                "<block name='w' fixed='true' shape='box' size='1 12 2' position='-5.5 0'/>"
                "<block name='n' fixed='true' shape='box' size='12 1 2' position='0 5.5'/>"
                "<block name='s' fixed='true' shape='box' size='12 1 2' position='0 -5.5'/>"
                "<sensor type='laser' name='laser' z='1' fov='360 deg' rays='%d' max_range='20' "
                "range_noise='0' angle_noise='0'/></world>",
                RAYS);
  cli_lab_run_to(lab, 0.5);
  if (lab->failed) return NULL;
  int n = 0;
  double stamp = -1;
  const double* range = rut_sensor(lab->world.model, lab->world.data, 0, &stamp, &n);
  return stamp >= 0 && n == RAYS ? range : NULL;
}

// Distance to the nearest side of the square along a direction.
static double square_distance(double angle) {
  return HALF_WIDTH / fmax(fabs(cos(angle)), fabs(sin(angle)));
}

void cli_case_laser_room(cliLab* lab, double* value, double* reference) {
  const double* range = scan_room(lab);
  const double pi = acos(-1.0);
  double worst = range ? 0 : (double)NAN;
  for (int i = 0; range && i < RAYS; i++) {
    double angle = -pi + 2 * pi * i / (RAYS - 1);
    worst = fmax(worst, fabs(range[i] - square_distance(angle)));
  }
  *value = worst;
  *reference = 0;
}

void cli_case_laser_count(cliLab* lab, double* value, double* reference) {
  const double* range = scan_room(lab);
  int hits = 0;
  for (int i = 0; range && i < RAYS; i++) hits += range[i] >= 0;
  *value = hits;
  *reference = RAYS;
}
