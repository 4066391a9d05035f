// SPDX-License-Identifier: BSD-3-Clause
//
// Control of planar vehicles in a step.
#ifndef RUT_SIM_STEP_VEHICLE_CONTROL_H
#define RUT_SIM_STEP_VEHICLE_CONTROL_H

#include "sim/model.h"

// Controllers and drives: set points and measurements to wheel torques and steering angles.
void rut_batch_control(const rutData* data, const rutGroup* group, int batch);

#endif  // RUT_SIM_STEP_VEHICLE_CONTROL_H
