// SPDX-License-Identifier: BSD-3-Clause
//
// The light of the world.
#ifndef RUT_SIM_COMPILE_LIGHT_H
#define RUT_SIM_COMPILE_LIGHT_H

#include "sim/compile/draft.h"

// The sun and the sky; after the world's place on earth.
void rut_draft_light(rutDraft* draft);
// Fills the air that the world's <weather> makes.
void rut_draft_air(rutDraft* draft);
// <lamp> elements of the world and of vehicles; without those that give no light.
void rut_draft_lamps(rutDraft* draft);
void rut_build_lamps(const rutDraft* draft, rutArena* arena, rutModel* model);

#endif  // RUT_SIM_COMPILE_LIGHT_H
