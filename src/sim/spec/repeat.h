// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes that are like others.
#ifndef RUT_SIM_SPEC_REPEAT_H
#define RUT_SIM_SPEC_REPEAT_H

#include "sim/spec/context.h"

// True if two nodes are of one type, were given the same values, and hold nodes of the same names,
// in the same order, of which the same is true. Their own names, and the fields of the two that
// are in the list, which ends with NULL, may differ. Nullable: but.
bool rut_node_is_alike(const rutSpec* spec, rutNode a, rutNode b, const char* const* but);

// Tells what was given to nodes apart: nodes that share it, and so are of one type, have the same.
// NULL if nothing was given.
const void* rut_node_given(const rutSpec* spec, rutNode node);

#endif  // RUT_SIM_SPEC_REPEAT_H
