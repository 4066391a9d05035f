// SPDX-License-Identifier: BSD-3-Clause
//
// Images that lie on the ground: of <elevation_map>, <plane>, and of the <material> of ground.
#ifndef RUT_SIM_COMPILE_GROUND_TEXTURE_H
#define RUT_SIM_COMPILE_GROUND_TEXTURE_H

#include "sim/compile/draft.h"

// Keep the texture of an element as that of the draft's last ground source; without effect where it
// has none, or the world has no sensors. north_up: the map's rows run from north to south, else
// along x. Errors stand at the element's fields.
void rut_draft_texture_map(rutDraft* draft, rutNode node, bool north_up);
void rut_draft_texture_plane(rutDraft* draft, rutNode node);
// The same of a <material>, as that of a material of the draft's list.
void rut_draft_texture_material(rutDraft* draft, rutNode node, int material);
// Whether a material of the draft's list has one.
bool rut_draft_shows_image(const rutDraft* draft, int material);
void rut_build_ground_textures(const rutDraft* draft, rutArena* arena, rutModel* model);

#endif  // RUT_SIM_COMPILE_GROUND_TEXTURE_H
