// SPDX-License-Identifier: BSD-3-Clause
//
// Which ground a vehicle knows, and where that ends: edges of steps down and of ditches, behind
// which its lidar sees no ground.
#ifndef RUT_CONTROL_GOAL_GROUND_H
#define RUT_CONTROL_GOAL_GROUND_H

#include "control/goal_vehicle.h"

// Remember with the first scan that saw ground where it stands and how steeply its lidar looks
// down, which tells from where on it sees level ground, and up to where without gaps.
void rut_goal_begin_ground(rutGoalVehicle* v, const rutControlIn* in, int l);
// Whether the ground of a place is known: a height was measured there, or at most half a gap away,
// without a step between, or it is where the vehicle stood at first, or beside that where its lidar
// sees no ground, if ground goes on behind.
bool rut_goal_is_known(const rutGoalVehicle* v, double x, double y);
// The same under the axle, and under the end of the vehicle that goes first. gear: 1 or -1.
bool rut_goal_is_on_known(const rutGoalVehicle* v, const rutPlanPose* pose, double gear);
// Ground near the vehicle that is not known, although beams passed over it, ends behind an edge:
// the first such cells, seen from the vehicle, become occupied, until a point is seen there.
void rut_goal_mark_edges(rutGoalVehicle* v);

#endif  // RUT_CONTROL_GOAL_GROUND_H
