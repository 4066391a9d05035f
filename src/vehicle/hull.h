// SPDX-License-Identifier: BSD-3-Clause
//
// The chassis against the ground: convex pieces, over all of their surface, on springs, dampers and
// friction.
#ifndef RUT_VEHICLE_HULL_H
#define RUT_VEHICLE_HULL_H

#include "vehicle/chassis.h"

// Forces of the ground on the chassis itself, and W of them (hull_force, hull_soft; added to force
// and moment). Nearly always none is near: then false, and nothing is written.
bool rut_hull_touch(const rutEnvironment* world, const rutVehicleBatch* batch,
                    const rutStageMotion* motion, const rutChassis* chassis);
// Its power, with the forces and in the middle of the step: F - W a and v + a h/2 in the six
// coordinates of the chassis (hull_power).
void rut_hull_power(const rutStageMotion* motion, int lanes, const rutChassis* chassis);

#endif  // RUT_VEHICLE_HULL_H
