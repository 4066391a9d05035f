// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a spec. Private to src/sim/spec.
#ifndef RUT_SIM_SPEC_SPEC_H
#define RUT_SIM_SPEC_SPEC_H

#include "sim/spec/context.h"

// First child of that name, of any kind; null if there is none.
rutNode rut_spec_child(const rutSpec* spec, rutNode parent, const char* name, size_t length);
// Empty spec with a root of a kind that stands in no other. Errors: ARGUMENT, MEMORY.
rutStatus rut_spec_create_root(rutContext* context, const char* kind, rutSpec** out, rutError* err);
// Add a node of a type under a parent, which must be there. Null with err filled if it does not
// belong there, or has the name of a sibling of its kind.
rutNode rut_spec_add_type(rutSpec* spec, rutNode parent, const rutRegistered* type,
                          const char* name, rutError* err);
// Give a node another name, unless a sibling of its kind has it.
rutStatus rut_spec_rename(rutSpec* spec, rutNode node, const char* name, rutError* err);

#endif  // RUT_SIM_SPEC_SPEC_H
