// SPDX-License-Identifier: BSD-3-Clause
//
// What ground looks like whose soil has no <material>, in a world that has none either.
#ifndef RUT_SIM_COMPILE_SOIL_MATERIAL_H
#define RUT_SIM_COMPILE_SOIL_MATERIAL_H

#include "rut/rut.h"
#include "rut/sensor.h"

// The preset that a word in the name of a soil says, else in its type: a soil called
// asphalt looks like asphalt. The class stays; so does all else where no word says anything.
void rut_soil_material(const rutSpec* spec, rutNode soil, rutMaterial* material);

#endif  // RUT_SIM_COMPILE_SOIL_MATERIAL_H
