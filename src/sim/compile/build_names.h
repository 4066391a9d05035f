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
// Name of a wheel within its vehicle: that of its element, or of its axle and side.
void rut_draft_wheel_name(const rutDraft* draft, rutNode vehicle, const rutDraftClass* c, int wheel,
                          char text[RUT_SPEC_MAX_NAME + 1]);

#endif  // RUT_SIM_COMPILE_BUILD_NAMES_H
