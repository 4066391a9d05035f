// SPDX-License-Identifier: BSD-3-Clause
//
// A draft laid out as one block.
#ifndef RUT_SIM_COMPILE_MODEL_BUILD_H
#define RUT_SIM_COMPILE_MODEL_BUILD_H

#include "sim/compile/draft.h"

// Bytes of scratch that rut_model_build needs.
size_t rut_model_scratch(const rutDraft* draft);
// Lay the model out: measuring if arena->base is NULL, else for real.
rutModel* rut_model_build(rutDraft* draft, rutArena* arena);

#endif  // RUT_SIM_COMPILE_MODEL_BUILD_H
