// SPDX-License-Identifier: BSD-3-Clause
//
// <vehicle> elements.
#ifndef RUT_SIM_COMPILE_VEHICLE_H
#define RUT_SIM_COMPILE_VEHICLE_H

#include "sim/compile/draft.h"

void rut_draft_vehicles(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_VEHICLE_H
