// SPDX-License-Identifier: BSD-3-Clause
//
// Presets of component types: parsed values, and the attribute preset="NAME" of a node.
#ifndef RUT_SIM_SPEC_PRESETS_H
#define RUT_SIM_SPEC_PRESETS_H

#include "sim/spec/context.h"

// Parse the presets of an entry's type. After an error the entry is still to be freed. Errors:
// ARGUMENT (a preset that no element could use), MEMORY.
rutStatus rut_presets_prepare(rutContext* context, rutRegistered* entry, rutError* err);
void rut_presets_free(rutContext* context, rutRegistered* entry);

// True if `field` is the attribute that chooses a preset of this type, not a field of its own.
bool rut_is_preset(const rutComponent* type, const char* field);
// Let a preset fill the fields that the node does not give itself; "" takes it away. Errors: PARSE
// (there is no such preset), ARGUMENT (the node was removed).
rutStatus rut_preset_choose(rutSpec* spec, rutNode node, const char* name, rutError* err);

#endif  // RUT_SIM_SPEC_PRESETS_H
