// SPDX-License-Identifier: BSD-3-Clause
//
// Life of the builders of rut/mesh.h.
#ifndef RUT_GEOM_MESH_BUILDER_H
#define RUT_GEOM_MESH_BUILDER_H

#include "rut/mesh.h"

// NULL: no memory.
rutMeshBuilder* rut_mesh_builder_new(void);
void rut_mesh_builder_free(rutMeshBuilder* builder);
// Moves what was built to *out, which the caller frees; the builder is then empty, as a new one.
// After an error *out is empty, and err says what was wrong. Errors: ARGUMENT, CAPACITY, MEMORY.
rutStatus rut_mesh_builder_finish(rutMeshBuilder* builder, rutMeshModel* out, rutError* err);

// For the shapes: keeps an error, unless there is one; true if there is none so far.
void rut_mesh_builder_fail(rutMeshBuilder* builder, rutStatus status, const char* message);
bool rut_mesh_builder_sound(const rutMeshBuilder* builder);

#endif  // RUT_GEOM_MESH_BUILDER_H
