// SPDX-License-Identifier: BSD-3-Clause
//
// Sensors that can hardly be meant as they are.
#ifndef RUT_SIM_COMPILE_SENSOR_DOUBT_H
#define RUT_SIM_COMPILE_SENSOR_DOUBT_H

#include "sim/compile/draft.h"

// Warn of sensors that have nothing to measure: currents that no drive knows.
void rut_draft_warn_sensors(const rutDraft* draft, const rutModel* model);

#endif  // RUT_SIM_COMPILE_SENSOR_DOUBT_H
