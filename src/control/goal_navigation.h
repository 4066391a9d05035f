// SPDX-License-Identifier: BSD-3-Clause
//
// What controllers over a local map tell of it and of their path (rut/navigation.h).
#ifndef RUT_CONTROL_GOAL_NAVIGATION_H
#define RUT_CONTROL_GOAL_NAVIGATION_H

#include "control/goal_drive.h"
#include "rut/navigation.h"

void rut_goal_navigation_info(const rutGoalParam* p, rutNavigationInfo* out);
// Stamps, and the path if it is asked for.
void rut_goal_tell_path(const rutGoalState* m, rutNavigationView* out);
// Both layers of the map, from the rows of its cells in the state, over v->work.
void rut_goal_tell_map(rutGoalVehicle* v, const double* cells, int stride, rutNavigationView* out);

#endif  // RUT_CONTROL_GOAL_NAVIGATION_H
