// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies that meet in space: blocks with motion="space", vehicles on axles, and those that move in
// the plane as far as the others meet them.
#ifndef RUT_SIM_COMPILE_SPACE_H
#define RUT_SIM_COMPILE_SPACE_H

#include "sim/compile/draft.h"

// Mass properties of a block that moves in space, and what it cannot be.
void rut_draft_space_block(rutDraft* draft, rutNode node, rutDraftBlock* block);
// Put it on the ground: the lowest of its corners touches.
void rut_draft_space_settle(const rutDraft* draft, rutDraftBlock* block);
// Solids and meshes in place of its prism, for rays.
void rut_draft_space_looks(rutDraft* draft);

// Whether a vehicle meets things in space with chassis and wheels: those on axles do that are not
// moved as they are told, where there is anything to meet.
bool rut_draft_is_linked(const rutDraft* draft, int vehicle);

// Bytes of the draft's memory that rut_build_space needs.
size_t rut_space_scratch(const rutDraft* draft);
// NULL if nothing moves in space, or while measuring. scratch: memory of the draft.
rutSpaceModel* rut_build_space(const rutDraft* draft, const rutContactModel* planar,
                               rutArena* scratch, rutArena* arena);

#endif  // RUT_SIM_COMPILE_SPACE_H
