// SPDX-License-Identifier: BSD-3-Clause
//
// Names of what a model holds, in its block, and their order.
#ifndef RUT_SIM_COMPILE_BUILD_NAMES_H
#define RUT_SIM_COMPILE_BUILD_NAMES_H

#include "sim/compile/draft.h"

// Bytes of the draft's scratch memory that this needs.
size_t rut_names_scratch(const rutDraft* draft);
// model: NULL while measuring.
void rut_build_names(const rutDraft* draft, rutArena* arena, rutModel* model);

#endif  // RUT_SIM_COMPILE_BUILD_NAMES_H
