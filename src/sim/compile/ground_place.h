// SPDX-License-Identifier: BSD-3-Clause
//
// Soil and friction by place: regions, maps, the default.
#ifndef RUT_SIM_COMPILE_GROUND_PLACE_H
#define RUT_SIM_COMPILE_GROUND_PLACE_H

#include "sim/compile/draft.h"

void rut_draft_region(rutDraft* draft, rutNode node);
void rut_draft_soil_map(rutDraft* draft, rutNode node);
void rut_draft_default_soil(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_GROUND_PLACE_H
