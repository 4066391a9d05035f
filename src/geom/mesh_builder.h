// SPDX-License-Identifier: BSD-3-Clause
//
// Builders of rut/mesh.h, and the meshes that they give.
#ifndef RUT_GEOM_MESH_BUILDER_H
#define RUT_GEOM_MESH_BUILDER_H

#include "rut/mesh.h"

// A mesh whose triangles have materials.
typedef struct rutMeshModel {
  int points, triangles, materials;
  double (*point)[3];    // [m]
  int (*triangle)[3];    // indices of points, counterclockwise from outside
  int* material;         // [triangles] index in surface
  rutMaterial* surface;  // [materials] each differs; semantic_class is 0
  double* transmission;  // [materials] part of the light that passes, 0 to 1
} rutMeshModel;

// NULL: no memory.
rutMeshBuilder* rut_mesh_builder_new(void);
void rut_mesh_builder_free(rutMeshBuilder* builder);
// Moves what was built to *out, which the caller frees; the builder is then empty, as a new one.
// After an error *out is empty, and err says what was wrong. Errors: ARGUMENT, CAPACITY, MEMORY.
rutStatus rut_mesh_builder_finish(rutMeshBuilder* builder, rutMeshModel* out, rutError* err);
void rut_mesh_model_free(rutMeshModel* model);

// For the shapes: keeps an error, unless there is one; true if there is none so far.
void rut_mesh_builder_fail(rutMeshBuilder* builder, rutStatus status, const char* message);
bool rut_mesh_builder_sound(const rutMeshBuilder* builder);

#endif  // RUT_GEOM_MESH_BUILDER_H
