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
// Vehicle of a wheel, which is one of those of all vehicles.
int rut_wheel_owner(const rutModel* model, int wheel);

#endif  // RUT_SIM_QUERY_H
