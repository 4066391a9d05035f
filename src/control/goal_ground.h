// SPDX-License-Identifier: BSD-3-Clause
//
// Which ground a vehicle knows, and where that ends: edges of steps down and of ditches, behind
// which its lidar sees no ground.
#ifndef RUT_CONTROL_GOAL_GROUND_H
#define RUT_CONTROL_GOAL_GROUND_H

#include "control/goal_vehicle.h"

// Remember where it stands with the first scan that saw ground, and how far from its lidar level
// ground begins to be seen, and is seen without gaps.
void rut_goal_begin_ground(rutGoalVehicle* v, const rutControlIn* in, int l);
// Whether the ground of a place is known: a height was measured there, or on both sides of it
// nearby, or it is where the vehicle stood at first, with known ground around that.
bool rut_goal_is_known(const rutGoalVehicle* v, double x, double y);
// Ground near the vehicle that is not known, although beams passed over it, ends behind an edge:
// the first such cells, seen from the vehicle, become occupied, until a point is seen there.
void rut_goal_mark_edges(rutGoalVehicle* v);

#endif  // RUT_CONTROL_GOAL_GROUND_H
