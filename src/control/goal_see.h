// SPDX-License-Identifier: BSD-3-Clause
//
// Where a vehicle is, and what its lidar sees: poses at the firing of beams, the local map, and the
// memory of what has left it.
#ifndef RUT_CONTROL_GOAL_SEE_H
#define RUT_CONTROL_GOAL_SEE_H

#include "control/goal_vehicle.h"

// At the beginning of an update: its time; at that of the first one, when that is.
void rut_goal_begin(rutGoalVehicle* v, const rutControlIn* in, int l);
// Whether it still waits before it starts.
bool rut_goal_waits(const rutGoalVehicle* v);
// Pose of a lane: of an estimator, if there is one, else the true one.
void rut_goal_find_pose(rutGoalVehicle* v, const rutControlIn* in, int l);
// Keep the pose for beams that are seen later.
void rut_goal_keep_past(rutGoalVehicle* v);
// Whether there is a scan that the map does not have. With an input_delay it waits until its pose
// is known, unless the one before it waited in vain.
bool rut_goal_has_scan(rutGoalVehicle* v, const rutControlIn* in, int l);
// Take it into the map, which moves along.
void rut_goal_take_scan(rutGoalVehicle* v, const rutControlIn* in, int l);
// What its vehicle can pass.
rutLocalLimits rut_goal_limits(const rutGoalParam* p);
// Instead of a scan: what is fixed in the world, in all of the map; and in all of the memory, at
// first and when that has moved far.
void rut_goal_take_truth(rutGoalVehicle* v, const rutControlIn* in, int l);
// What stopped the vehicle without being seen becomes an obstacle.
void rut_goal_mark_ahead(rutGoalVehicle* v);
// Take over what the map knows into the memory. work.cost: of the map.
void rut_goal_remember(rutGoalVehicle* v);

#endif  // RUT_CONTROL_GOAL_SEE_H
