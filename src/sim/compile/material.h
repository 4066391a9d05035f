// SPDX-License-Identifier: BSD-3-Clause
//
// What sensors see of elements: materials, and the instances that a ray can hit.
#ifndef RUT_SIM_COMPILE_MATERIAL_H
#define RUT_SIM_COMPILE_MATERIAL_H

#include "sim/compile/draft.h"

// Materials of elements that have none of their own; they are the first of the draft's list.
typedef enum rutStandardMaterial {
  RUT_MATERIAL_GROUND,
  RUT_MATERIAL_OBSTACLE,
  RUT_MATERIAL_WALL,
  RUT_MATERIAL_VEHICLE,
  RUT_MATERIAL_TYRE,
  RUT_STANDARD_MATERIALS
} rutStandardMaterial;

// Lists the standard materials, that of the world's ground, and those of soils.
void rut_draft_materials(rutDraft* draft);
// Index of the material of an element: that of its <material>, else the standard one in the
// element's own colour if it has one.
int rut_draft_material(rutDraft* draft, rutNode node, rutStandardMaterial standard);
// Index of a material of the draft's list, to which it is added if no other is equal.
int rut_draft_list_material(rutDraft* draft, const rutMaterial* material);
// Index of a material in another colour; the material itself where that is not a number.
int rut_draft_coloured(rutDraft* draft, int material, const double colour[3]);
// Index of a semantic class, which is listed if it is new. node: where an error is reported. The
// name is borrowed.
int rut_draft_class(rutDraft* draft, rutNode node, const char* name);
// The same where the element's own kind of surface is a preset, and its class another. The name of
// the class is borrowed.
int rut_draft_preset_material(rutDraft* draft, rutNode node, const char* preset,
                              const char* class_name);
// Index of a new instance.
int rut_draft_instance(rutDraft* draft, rutNode node);
void rut_build_materials(const rutDraft* draft, rutArena* arena, rutModel* model);

#endif  // RUT_SIM_COMPILE_MATERIAL_H
