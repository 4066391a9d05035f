// SPDX-License-Identifier: BSD-3-Clause
//
// Upright faces and sharp edges of the ground: borders of shapes and of sources, and the edges that
// types of shapes know of.
#ifndef RUT_TERRAIN_GROUND_EDGES_H
#define RUT_TERRAIN_GROUND_EDGES_H

#include "terrain/ground.h"

// A straight edge as seen from above, with places on it that do not depend on who asks: place k,
// first <= k <= last, is at start + k step. The first and last of a whole edge are its ends.
typedef struct rutGroundEdge {
  double start[2], step[2];  // [m]
  double spacing;            // length of `step` [m]
  double across[2];          // unit vector
  int first, last;
  bool ends[2];  // the first, the last is an end of the edge
} rutGroundEdge;

// The next edge of which some places are in a box (x_min, x_max, y_min, y_max in the world), no
// farther apart than `spacing`. *cursor is 0 at first. False: there are no more.
bool rut_ground_next_edge(const rutGround* ground, const double box[4], double spacing, int* cursor,
                          rutGroundEdge* out);

#endif  // RUT_TERRAIN_GROUND_EDGES_H
