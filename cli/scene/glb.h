// SPDX-License-Identifier: BSD-3-Clause
//
// Writes meshes as binary glTF 2.0 (Khronos, ISO/IEC 12113).
#ifndef RUT_SCENE_GLB_H
#define RUT_SCENE_GLB_H

#include "rut/mesh.h"
#include "scene/bytes.h"

// A GLB with one mesh, a primitive for each material, and normals that are smooth where triangles
// meet at less than 40 deg. Its node turns z up into glTF's y up: a quarter turn about x (roll of
// 90 deg) turns it back. NULL if out of memory.
viewBytes* view_glb_write(const rutMeshModel* mesh);

#endif  // RUT_SCENE_GLB_H
