// SPDX-License-Identifier: BSD-3-Clause
//
// <sensor> elements.
#ifndef RUT_SIM_COMPILE_SENSOR_H
#define RUT_SIM_COMPILE_SENSOR_H

#include "sim/compile/draft.h"

void rut_draft_sensors(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_SENSOR_H
