// SPDX-License-Identifier: BSD-3-Clause
//
// Colours of maps of mobility.
#ifndef RUT_CLI_MAP_COLOURS_H
#define RUT_CLI_MAP_COLOURS_H

#include "rut/map.h"

// Of sRGB, 0 to 255.
typedef struct cliColour {
  double red, green, blue;
} cliColour;

enum { CLI_MAP_ANCHORS = 6 };
// Dark to light in equal steps to the eye, also to those who see colours otherwise (cividis-like).
extern const cliColour cli_map_anchor[CLI_MAP_ANCHORS];
extern const cliColour cli_map_reasons[RUT_MAP_REASONS];
extern const cliColour cli_map_no_go;

cliColour cli_colour_mix(cliColour a, cliColour b, double share);
// Mean speed over the headings in which a cell is passed, `most` being the lightest; grey where it
// is in none, white without data.
cliColour cli_map_colour(const rutMapLimit limit[RUT_MAP_HEADINGS], double most);
// The fastest cell by either way, in whole m/s: the lightest colour.
rutStatus cli_map_fastest(const rutMap* map, double* out, rutError* err);

#endif  // RUT_CLI_MAP_COLOURS_H
