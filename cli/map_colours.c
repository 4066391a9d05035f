// SPDX-License-Identifier: BSD-3-Clause
#include "map_colours.h"

#include <math.h>

const cliColour cli_map_anchor[CLI_MAP_ANCHORS] = {{68, 1, 84},    {65, 68, 135},  {42, 120, 142},
                                                   {34, 168, 132}, {122, 209, 81}, {253, 231, 37}};
const cliColour cli_map_no_go = {70, 70, 74};
static const cliColour no_data = {255, 255, 255};
const cliColour cli_map_reasons[RUT_MAP_REASONS] = {
    [RUT_MAP_POWER] = {86, 180, 233},    [RUT_MAP_TRACTION] = {148, 76, 20},
    [RUT_MAP_SLOPE] = {213, 94, 0},      [RUT_MAP_SIDE_SLOPE] = {204, 121, 167},
    [RUT_MAP_RIDE] = {240, 228, 66},     [RUT_MAP_OBSTACLE] = {110, 60, 140},
    [RUT_MAP_BRAKING] = {200, 30, 50},   [RUT_MAP_VISIBILITY] = {0, 158, 115},
    [RUT_MAP_CLEARANCE] = {20, 50, 120}, [RUT_MAP_NO_DATA] = {255, 255, 255}};

cliColour cli_colour_mix(cliColour a, cliColour b, double share) {
  return (cliColour){a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
                     a.blue + (b.blue - a.blue) * share};
}

static cliColour of_speed(double speed, double most) {
  const double at = fmin(fmax(speed / most, 0), 1) * (CLI_MAP_ANCHORS - 1);
  const int i = at >= CLI_MAP_ANCHORS - 1 ? CLI_MAP_ANCHORS - 2 : (int)at;
  return cli_colour_mix(cli_map_anchor[i], cli_map_anchor[i + 1], at - i);
}

// Mean over the headings in which it goes; 0 for none.
static double mean_speed(const rutMapLimit limit[RUT_MAP_HEADINGS]) {
  double speed[RUT_MAP_HEADINGS];
  int n = 0;
  for (int k = 0; k < RUT_MAP_HEADINGS; k++) {
    if (limit[k].speed > 0) speed[n++] = limit[k].speed;
  }
  return rut_map_mean_speed(n, speed);
}

cliColour cli_map_colour(const rutMapLimit limit[RUT_MAP_HEADINGS], double most) {
  if (limit[0].reason == RUT_MAP_NO_DATA) return no_data;
  const double speed = mean_speed(limit);
  return speed > 0 ? of_speed(speed, most) : cli_map_no_go;
}

rutStatus cli_map_fastest(const rutMap* map, double* out, rutError* err) {
  rutStatus status = RUT_OK;
  *out = 0;
  for (int w = 0; w < RUT_MAP_WAYS && status == RUT_OK; w++) {
    rutMapStatistics s;
    status = rut_map_statistics(map, (rutMapWay)w, 0.5, &s, err);
    if (status == RUT_OK) *out = fmax(*out, s.profile[0]);
  }
  *out = *out > 0 ? ceil(*out) : 1;
  return status;
}
