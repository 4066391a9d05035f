// SPDX-License-Identifier: BSD-3-Clause
//
// Power that drives draw, and currents of their motors.
#ifndef RUT_SIM_POWER_H
#define RUT_SIM_POWER_H

#include "sim/model.h"

// Power that the drive of a vehicle draws from battery or fuel [W], 0 of one that does not say.
double rut_power_drawn(const rutModel* model, const rutData* data, int vehicle);

// What a drive made of the last step, for those of its functions that are asked afterwards.
rutDriveResult rut_drive_result(const rutModel* model, const rutData* data, int vehicle);

// Current of the motor at each wheel of a vehicle [A]; false where its drive does not know it, or
// did not drive it.
bool rut_motor_currents(const rutModel* model, const rutData* data, int vehicle, double* out);

#endif  // RUT_SIM_POWER_H
