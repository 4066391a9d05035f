// SPDX-License-Identifier: BSD-3-Clause
//
// Level surfaces of water over the ground: ponds and fords.
#ifndef RUT_TERRAIN_WATER_H
#define RUT_TERRAIN_WATER_H

#include "geom/polygon.h"
#include "math/rut_math.h"

typedef struct rutWater {
  int corners;
  const double* xy;  // [corners][2] outline in the world [m]
  double box[4];     // x_min, y_min, x_max, y_max of it
  double level;      // height of the surface [m]
} rutWater;

typedef struct rutWaters {
  int n;
  const rutWater* water;
  double highest;  // level of all [m], -RUT_NO_LIMIT without any
} rutWaters;

// Height of the highest surface of water over a place, -RUT_NO_LIMIT where there is none.
static inline double rut_water_level(const rutWaters* waters, double x, double y) {
  double level = -RUT_NO_LIMIT;
  for (int i = 0; i < waters->n; i++) {
    const rutWater* w = &waters->water[i];
    const bool near = x >= w->box[0] && x <= w->box[2] && y >= w->box[1] && y <= w->box[3];
    if (!near || w->level <= level || !rut_polygon_contains(w->corners, w->xy, x, y)) continue;
    level = w->level;
  }
  return level;
}

#endif  // RUT_TERRAIN_WATER_H
