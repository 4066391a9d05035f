// SPDX-License-Identifier: BSD-3-Clause
//
// A group of equal vehicles or mechanisms in the model's block.
#ifndef RUT_SIM_COMPILE_BUILD_GROUP_H
#define RUT_SIM_COMPILE_BUILD_GROUP_H

#include "sim/compile/draft.h"

// Group of that index; *table: doubles of the tables of those before it, and it.
rutGroup rut_build_group(rutDraft* draft, int index, rutArena* arena, size_t* table);

#endif  // RUT_SIM_COMPILE_BUILD_GROUP_H
