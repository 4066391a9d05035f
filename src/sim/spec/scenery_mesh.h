// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes of scenery, from types and their parameters.
#ifndef RUT_SIM_SPEC_SCENERY_MESH_H
#define RUT_SIM_SPEC_SCENERY_MESH_H

#include "rut/scenery.h"

// The mesh of a variant: its type's own, its moving parts as it stands, or its prisms; with a part
// from 0, of this moving part in its own frame, -1: of all. The caller frees it. Errors: MODEL,
// CAPACITY, MEMORY.
rutStatus rut_scenery_type_mesh(const rutSceneryType* type, const void* param, int variant,
                                int part, rutMeshModel* out, rutError* err);

#endif  // RUT_SIM_SPEC_SCENERY_MESH_H
