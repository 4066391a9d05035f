// SPDX-License-Identifier: BSD-3-Clause
//
// Power that drives draw.
#ifndef RUT_SIM_POWER_H
#define RUT_SIM_POWER_H

#include "sim/model.h"

// Power that the drive of a vehicle draws from battery or fuel [W], 0 of one that does not say.
double rut_power_drawn(const rutModel* model, const rutData* data, int vehicle);

#endif  // RUT_SIM_POWER_H
