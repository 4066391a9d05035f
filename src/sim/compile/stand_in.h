// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks whose shape stands in for a mesh that was not found.
#ifndef RUT_SIM_COMPILE_STAND_IN_H
#define RUT_SIM_COMPILE_STAND_IN_H

#include "sim/compile/draft.h"

// A stand-in that a vehicle starts in would throw it out, and no one would know why: an error. Once
// all prisms are known.
void rut_draft_stand_ins(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_STAND_IN_H
