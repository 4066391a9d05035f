// SPDX-License-Identifier: BSD-3-Clause
//
// The element <material>.
#ifndef RUT_SIM_SPEC_MATERIAL_H
#define RUT_SIM_SPEC_MATERIAL_H

#include "rut/component.h"

extern const rutComponent rut_material_element;

#endif  // RUT_SIM_SPEC_MATERIAL_H
