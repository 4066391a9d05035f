// SPDX-License-Identifier: BSD-3-Clause
//
// Convex stages: around each straight piece of a way, the half-planes that keep clear of points.
#ifndef RUT_OPTIMAL_CORRIDOR_H
#define RUT_OPTIMAL_CORRIDOR_H

#include "rut/avoidance.h"

enum { RUT_CORRIDOR_PLANES = 6, RUT_CORRIDOR_STAGES = 2 };

// normal . p >= offset, of a unit normal.
typedef struct rutHalfPlane {
  double normal[2], offset;
} rutHalfPlane;

typedef struct rutCorridor {
  double from[2], to[2];
  rutHalfPlane plane[RUT_CORRIDOR_PLANES];
  int planes;
} rutCorridor;

// Half-planes of a stage, given its ends: of the nearest point first, across the line from it to
// the piece; points beyond it no longer count. gone[points] is work.
void rut_corridor_make(const rutAvoidanceScan* scan, double clearance, bool* gone,
                       rutCorridor* stage);
// Distance of the nearest point from a straight piece, and which it is (-1: none, distance 1e30).
double rut_corridor_distance(const rutAvoidanceScan* scan, const double from[2], const double to[2],
                             const bool* gone, int* nearest);

#endif  // RUT_OPTIMAL_CORRIDOR_H
