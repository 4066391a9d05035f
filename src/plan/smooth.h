// SPDX-License-Identifier: BSD-3-Clause
//
// What smoothing minimises.
#ifndef RUT_PLAN_SMOOTH_H
#define RUT_PLAN_SMOOTH_H

#include "rut/plan.h"

// A section of a path, of points.
typedef struct rutSection {
  const rutPlanSmoothing* smoothing;
  int n;
  const double* held;     // [n] 1: does not move
  const double* spacing;  // [n] squares of distances to the neighbours [m2]
} rutSection;

// Distance of a place from the nearest blocked cell, bilinear between middles of cells [m], and its
// gradient; beyond the outermost middles as there.
double rut_smooth_distance(const rutPlanSmoothing* smoothing, const double at[2],
                           double gradient[2]);
// The sum for points p [n][2], and its gradient [n][2], 0 where a point is held. Nullable:
// gradient.
double rut_smooth_sum(const rutSection* section, const double* p, double* gradient);

#endif  // RUT_PLAN_SMOOTH_H
