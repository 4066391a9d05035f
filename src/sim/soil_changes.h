// SPDX-License-Identifier: BSD-3-Clause
//
// Places whose soil was changed in a run: regions behind those of the world.
#ifndef RUT_SIM_SOIL_CHANGES_H
#define RUT_SIM_SOIL_CHANGES_H

#include "base/arena.h"
#include "sim/model.h"

// Take the room for them, as a model with these regions needs; NULL while it is measured.
rutSoilChanges* rut_soil_changes_take(const rutModel* model, rutArena* arena);
// None, and the ground is the model's.
void rut_soil_changes_reset(const rutModel* model, rutData* data);
// The ground with the places in the list, which was written.
void rut_soil_changes_lay(const rutModel* model, rutData* data);

// What a state keeps of them.
rutSoilChangeList* rut_soil_change_list(rutSoilChanges* places);

#endif  // RUT_SIM_SOIL_CHANGES_H
