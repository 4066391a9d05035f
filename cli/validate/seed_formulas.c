// SPDX-License-Identifier: BSD-3-Clause
//
// Equations of MAVS and MVSim as printed, in their constants, at the wheel of the bench: 6500 N on
// a tyre 0.94 m high and 0.3175 m wide with sides of 0.2604 m, 30 mm flattened.
#include <math.h>

#include "seed.h"

static const double LOAD = 6500, DIAMETER = 0.94, WIDTH = 0.3175, SECTION = 0.2604, FLAT = 0.03;
static const double CONE_INDEX = 600e3, SLIP = 0.2;

// D sin(C atan(B s - E (B s - atan(B s)))), B C D E, at the slip of the rows.
static double magic(const double* k) {
  const double bs = k[0] * 0.07;
  return k[2] * sin(k[1] * atan(bs - k[3] * (bs - atan(bs))));
}
static const double dry[] = {10, 1.9, 1, 0.97}, wet[] = {12, 2.3, 0.82, 1};
static const double snow[] = {5, 2, 0.3, 1}, ice[] = {10, 2, 0.1, 1};
const cliSeedFormula cli_seed_magic_dry = {4, dry, magic};
const cliSeedFormula cli_seed_magic_wet = {4, wet, magic};
const cliSeedFormula cli_seed_magic_snow = {4, snow, magic};
const cliSeedFormula cli_seed_magic_ice = {4, ice, magic};

// T - R, in SI.
static double sand(const double* k) {
  const double g = CONE_INDEX / k[0], flattened = FLAT / SECTION;
  const double n_s = g * pow(WIDTH * DIAMETER, 1.5) * FLAT / (LOAD * SECTION);
  const double y = k[2] + k[3] / SLIP, x_m = k[5] + k[6] * LOAD;
  const double t = k[1] - k[1] * y / (n_s + k[4] + y);
  return t - (x_m + sqrt(x_m * x_m + k[7] * LOAD + k[8]) + k[9] * flattened);
}
static const double sand_numbers[] = {3.47, 0.66,     4.71,      1.72, 10,
                                      0.44, 0.002287, 0.0000457, 0.08, 0.05};
const cliSeedFormula cli_seed_sand = {CLI_COUNT(sand_numbers), sand_numbers, sand};

// T (1 + b/d)^0.25 - R
static double clay(const double* k) {
  const double slender = 1 + WIDTH / DIAMETER;
  const double n_c =
      CONE_INDEX * WIDTH * DIAMETER / (LOAD * pow(1 - FLAT / SECTION, k[0]) * pow(slender, k[1]));
  const double t = k[4] * log10(SLIP / (k[2] / pow(n_c, k[3])));
  return t * pow(slender, k[5]) - (k[6] / (n_c * n_c) + k[7]);
}
static const double clay_numbers[] = {1.5, 0.75, 21, 2.5, 0.5, 0.25, 12, 0.007};
const cliSeedFormula cli_seed_clay = {CLI_COUNT(clay_numbers), clay_numbers, clay};

// Part of the limit at a slip angle of 0.1 rad, opposite to it, on dry ground.
static double crolla(const double* k) { return -(1 - exp(-0.1 / k[0])); }
static const double crolla_numbers[] = {0.09};
const cliSeedFormula cli_seed_crolla = {1, crolla_numbers, crolla};

// Torque of the left wheel of 1000 N m, 20 rad/s on the left and 10 on the right: t_1 with delta_t
// over the larger speed, as MVSim's program has it.
static double torsen(const double* k) {
  const double moved = (20 - k[0] * 10) / 20, f1 = 0.5 * (1 - moved), f2 = 0.5 * (1 + moved);
  return 1000 * f1 / (f1 + f2);
}
static const double torsen_numbers[] = {1.5};
const cliSeedFormula cli_seed_torsen = {1, torsen_numbers, torsen};
