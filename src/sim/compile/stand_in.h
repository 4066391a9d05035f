// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks whose shape stands in for a mesh that was not found.
#ifndef RUT_SIM_COMPILE_STAND_IN_H
#define RUT_SIM_COMPILE_STAND_IN_H

#include "sim/compile/draft.h"

// A stand-in that overlaps a vehicle at the start would throw it out without a visible cause: an
// error. Once all prisms are known.
void rut_draft_stand_ins(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_STAND_IN_H
