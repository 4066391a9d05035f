// SPDX-License-Identifier: BSD-3-Clause
//
// The ground: planes, ramps, maps, shapes.
#ifndef RUT_SIM_COMPILE_GROUND_H
#define RUT_SIM_COMPILE_GROUND_H

#include "sim/compile/draft.h"

void rut_draft_ground(rutDraft* draft);
void rut_draft_ground_free(rutDraft* draft);
// Height of the ground that the draft has so far, as rut_ground_height tells it; 0 off all ground.
double rut_draft_ground_height(const rutDraft* draft, double x, double y, double z);
// The same; false, and height 0, off all ground.
bool rut_draft_finds_ground(const rutDraft* draft, double x, double y, double z, double* height);

#endif  // RUT_SIM_COMPILE_GROUND_H
