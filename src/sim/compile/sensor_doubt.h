// SPDX-License-Identifier: BSD-3-Clause
//
// Sensors that can hardly be meant as they are.
#ifndef RUT_SIM_COMPILE_SENSOR_DOUBT_H
#define RUT_SIM_COMPILE_SENSOR_DOUBT_H

#include "sim/compile/draft.h"

// Warn of currents that no drive knows, of sensors whose first sample comes after the world's
// duration, of rays that begin under the ground or inside of a block or wall, and of spinning
// lidars that do not sweep their field of view.
void rut_draft_warn_sensors(const rutDraft* draft, const rutModel* model);

#endif  // RUT_SIM_COMPILE_SENSOR_DOUBT_H
