// SPDX-License-Identifier: BSD-3-Clause
//
// <soil> elements.
#ifndef RUT_SIM_COMPILE_SOIL_H
#define RUT_SIM_COMPILE_SOIL_H

#include "sim/compile/draft.h"

void rut_draft_soils(rutDraft* draft);
// Is there soil that wheels sink into?
bool rut_draft_some_soil_sinks(const rutDraft* draft);
// Whether one wants to know of earlier passes.
bool rut_draft_some_soil_counts_passes(const rutDraft* draft);
// The world's soils in the order of the file, behind the one of places without any: dry and hard.
const rutSoilRecord* rut_build_soils(const rutDraft* draft, rutArena* arena, int* count);

#endif  // RUT_SIM_COMPILE_SOIL_H
