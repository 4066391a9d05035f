// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles that start inside of each other, of walls or of blocks.
#ifndef RUT_SIM_COMPILE_OVERLAP_H
#define RUT_SIM_COMPILE_OVERLAP_H

#include "sim/compile/draft.h"

// Warn of the first few. Out of memory: of none.
void rut_draft_look_at_overlaps(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_OVERLAP_H
