// SPDX-License-Identifier: BSD-3-Clause
//
// Images that meshes of files show, and the ground.
#ifndef RUT_SIM_COMPILE_TEXTURE_H
#define RUT_SIM_COMPILE_TEXTURE_H

#include "format/mesh.h"
#include "sim/compile/draft.h"

// Keep the textures of a mesh that was read from `path` as those of a mesh of the draft's list.
// Images are files in the folder of the mesh or below, or stand in the mesh. One that is not there
// is a note at the <visual>, one that is broken an error.
void rut_draft_textures(rutDraft* draft, rutNode visual, const char* path, const rutMesh* mesh,
                        int index);
// Index of the image that a field names in the draft's list, -1 if it cannot be had: one that is
// not there is a note at the field, one that is broken an error.
int rut_draft_texture_file(rutDraft* draft, rutNode node, const char* field);
void rut_draft_textures_free(rutDraft* draft);
void rut_build_textures(const rutDraft* draft, rutArena* arena, rutModel* model);
// Textures of a mesh of the draft's list. False if it has none, while measuring too.
bool rut_build_mesh_texture(const rutDraftMesh* mesh, rutArena* arena, rutMeshTexture* out);

#endif  // RUT_SIM_COMPILE_TEXTURE_H
