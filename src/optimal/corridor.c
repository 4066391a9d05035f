// SPDX-License-Identifier: BSD-3-Clause
#include "optimal/corridor.h"

#include "math/rut_math.h"

// Vector to a point from the nearest place of a piece.
static void away(const double from[2], const double to[2], const double point[2], double out[2]) {
  const double dx = to[0] - from[0], dy = to[1] - from[1];
  const double px = point[0] - from[0], py = point[1] - from[1];
  const double square = rut_max(dx * dx + dy * dy, RUT_LEAST_DIVISOR);
  const double t = rut_clamp((px * dx + py * dy) / square, 0, 1);
  out[0] = px - t * dx;
  out[1] = py - t * dy;
}

double rut_corridor_distance(const rutAvoidanceScan* scan, const double from[2], const double to[2],
                             const bool* gone, int* nearest) {
  double least = RUT_MPC_NO_BOUND * RUT_MPC_NO_BOUND;
  *nearest = -1;
  for (int i = 0; i < scan->points; i++) {
    if (gone && gone[i]) continue;
    double v[2];
    away(from, to, scan->point[i], v);
    const double square = v[0] * v[0] + v[1] * v[1];
    if (square >= least) continue;
    least = square;
    *nearest = i;
  }
  return rut_sqrt(least);
}

void rut_corridor_make(const rutAvoidanceScan* scan, double clearance, bool* gone,
                       rutCorridor* stage) {
  for (int i = 0; i < scan->points; i++) gone[i] = false;
  const double along[2] = {stage->to[0] - stage->from[0], stage->to[1] - stage->from[1]};
  const double length = rut_max(rut_hypot(along[0], along[1]), RUT_LEAST_DIVISOR);
  for (stage->planes = 0; stage->planes < RUT_CORRIDOR_PLANES; stage->planes++) {
    int nearest;
    const double d = rut_corridor_distance(scan, stage->from, stage->to, gone, &nearest);
    if (nearest < 0) return;
    double v[2];
    const double* o = scan->point[nearest];
    away(stage->from, stage->to, o, v);
    rutHalfPlane* plane = &stage->plane[stage->planes];
    // of a point on the piece itself: to its left
    plane->normal[0] = d > 0 ? -v[0] / d : along[1] / length;
    plane->normal[1] = d > 0 ? -v[1] / d : -along[0] / length;
    const double at = plane->normal[0] * o[0] + plane->normal[1] * o[1];
    plane->offset = at + clearance;
    for (int i = 0; i < scan->points; i++) {
      const double* p = scan->point[i];
      gone[i] = gone[i] || i == nearest || plane->normal[0] * p[0] + plane->normal[1] * p[1] <= at;
    }
  }
}
