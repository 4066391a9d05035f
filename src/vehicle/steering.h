// SPDX-License-Identifier: BSD-3-Clause
//
// Steering: wheels on slides turn as fast as they may to the angles that are asked for; wheels on
// mechanisms follow a linkage.
#ifndef RUT_VEHICLE_STEERING_H
#define RUT_VEHICLE_STEERING_H

#include "vehicle/batch.h"

// Angle of wheel w on a slide that goes with one of the equivalent wheel: all wheels turn about one
// point on the line where the axles meet.
double rut_steer_goal(const rutVehicleClass* vehicle, int w, double asked);
// Turn the axis of the wheel of an entry at once. The chassis takes up what its momentum changes
// by: SPATIAL(reaction).
void rut_steer_wheel(const rutVehicleBatch* batch, int entry, double angle);

// Turn the wheels of a batch towards what its controllers ask for, for a step that evaluates once
// (vehicle/course.h: for one that looks within).
void rut_vehicle_steer(double dt, const rutVehicleBatch* batch);

#endif  // RUT_VEHICLE_STEERING_H
