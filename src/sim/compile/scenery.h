// SPDX-License-Identifier: BSD-3-Clause
//
// From <scenery> to individuals, and to prisms that are touched and seen.
#ifndef RUT_SIM_COMPILE_SCENERY_H
#define RUT_SIM_COMPILE_SCENERY_H

#include "sim/compile/scene.h"

// Once the ground, the vehicles and the blocks are known.
void rut_draft_scenery(rutDraft* draft);
// Parameters of a <scenery>, on the heap. False after an error.
bool rut_draft_scenery_param(rutDraft* draft, rutNode node, double** param);
// Index of the mesh of a variant in the draft: of a moving part, -1: of all. -1 after an error, or
// if nobody looks.
int rut_draft_scenery_mesh(rutDraft* draft, rutNode node, const double* param, int variant,
                           int part);
// A variant of its type: parts and materials are listed, and it has no mesh yet. Index of its form,
// -1 after an error.
int rut_draft_scenery_form(rutDraft* draft, rutNode node, const double* param, int variant);
// What rays see of an individual of a form, in the world; nothing in a world without sensors.
rutDraftVisual rut_draft_scenery_visual(rutDraft* draft, rutNode node, int form,
                                        const rutSceneryItem* item);
void rut_draft_scenery_free(rutDraft* draft);
void rut_build_scenery(const rutDraft* draft, rutArena* arena, rutModel* model);

#endif  // RUT_SIM_COMPILE_SCENERY_H
