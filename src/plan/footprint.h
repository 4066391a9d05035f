// SPDX-License-Identifier: BSD-3-Clause
//
// Collision of a rectangle with the blocked cells of a grid, quickly by distances to them and else
// exactly.
#ifndef RUT_PLAN_FOOTPRINT_H
#define RUT_PLAN_FOOTPRINT_H

#include "rut/plan.h"

// A footprint that is grown to all sides by what a point of it moves at most in half of a distance
// driven, so that what is free at both ends of it is free between them.
// curvature: the largest [1/m].
rutPlanFootprint rut_footprint_grown(const rutPlanFootprint* footprint, double distance,
                                     double curvature);

// As rut_plan_collides. squared: of rut_plan_distances, of the same grid.
bool rut_footprint_collides(const rutPlanGround* ground, const int32_t* squared,
                            const rutPlanFootprint* footprint, const rutPlanPose* pose);

// Cell at a place, or -1 outside.
int rut_ground_cell(const rutPlanGround* ground, double x, double y);

#endif  // RUT_PLAN_FOOTPRINT_H
