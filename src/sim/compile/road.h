// SPDX-License-Identifier: BSD-3-Clause
//
// <road>: shapes the elevation maps below it, gives the ground its soil, and is seen.
#ifndef RUT_SIM_COMPILE_ROAD_H
#define RUT_SIM_COMPILE_ROAD_H

#include "sim/compile/draft.h"

// Once the ground is known, before anything stands on it.
void rut_draft_roads(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_ROAD_H
