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

#endif  // RUT_SIM_COMPILE_LIGHT_H
