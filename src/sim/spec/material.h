// SPDX-License-Identifier: BSD-3-Clause
//
// The element <material>.
#ifndef RUT_SIM_SPEC_MATERIAL_H
#define RUT_SIM_SPEC_MATERIAL_H

#include "rut/component.h"

extern const rutComponent rut_material_element;

// Values of a preset, of class 0. False if there is none of that name.
bool rut_material_preset(const char* name, rutMaterial* out);

#endif  // RUT_SIM_SPEC_MATERIAL_H
