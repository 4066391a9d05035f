// SPDX-License-Identifier: BSD-3-Clause
//
// Drives of vehicles that share lanes and whose drives differ, called lane by lane as those of lone
// vehicles.
#ifndef RUT_VEHICLE_LANE_DRIVE_H
#define RUT_VEHICLE_LANE_DRIVE_H

#include "vehicle/batch.h"

// As `torque`, `couple` and `power` of rutDriveType, for rows of all lanes.
void rut_lanes_drive(const rutVehicleBatch* batch, const rutDriveIn* in);
void rut_lanes_couple(const rutVehicleBatch* batch, double* shaft_ratio, double* inverse_inertia);
void rut_lanes_power(const rutVehicleBatch* batch, double* power);

#endif  // RUT_VEHICLE_LANE_DRIVE_H
