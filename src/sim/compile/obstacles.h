// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks, walls and joints.
#ifndef RUT_SIM_COMPILE_OBSTACLES_H
#define RUT_SIM_COMPILE_OBSTACLES_H

#include "sim/compile/draft.h"

void rut_draft_blocks(rutDraft* draft);
void rut_draft_walls(rutDraft* draft);
void rut_draft_joints(rutDraft* draft);
// Prisms of vehicles and blocks, once all ground is known.
void rut_draft_prisms(rutDraft* draft);
// Adds a prism; the caller gives it its outline and surface. NULL if there is no room.
rutDraftPrism* rut_draft_add_prism(rutDraft* draft, const rutPrismDef* def);

#endif  // RUT_SIM_COMPILE_OBSTACLES_H
