// SPDX-License-Identifier: BSD-3-Clause
//
// Materials and colours of elements, as numbers.
#ifndef RUT_SIM_SPEC_MATERIAL_READ_H
#define RUT_SIM_SPEC_MATERIAL_READ_H

#include "rut/sensor.h"
#include "sim/spec/colour_value.h"

// What a <material> says, but for its class.
void rut_material_read(const rutSpec* spec, rutNode node, rutMaterial* out);
// Class that a <material> of an element gives, where it gives nothing else; NULL without one.
const char* rut_material_only_class(const rutSpec* spec, rutNode carrier);

#endif  // RUT_SIM_SPEC_MATERIAL_READ_H
