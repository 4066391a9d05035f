// SPDX-License-Identifier: BSD-3-Clause
//
// Queries of other files, beside the public interface.
#ifndef RUT_SIM_QUERY_H
#define RUT_SIM_QUERY_H

#include "sim/model.h"

// Pose of a vehicle's reference point: x y z roll pitch yaw.
void rut_vehicle_pose(const rutModel* model, const rutData* data, int vehicle, double pose[6],
                      double rotation[9]);
// Normal force on wheel w of a vehicle [N].
double rut_wheel_load(const rutModel* model, const rutData* data, int vehicle, int w);
// Frame of a wheel, [row][4]: its hub, and axes that turn with it, y along the axle to the left.
void rut_wheel_frame(const rutModel* model, const rutData* data, int wheel, double frame[12]);
// Vehicle of a wheel, which is one of those of all vehicles.
int rut_wheel_owner(const rutModel* model, int wheel);

#endif  // RUT_SIM_QUERY_H
