// SPDX-License-Identifier: BSD-3-Clause
//
// Wheels on mechanisms.
#ifndef RUT_SIM_COMPILE_CORNERS_H
#define RUT_SIM_COMPILE_CORNERS_H

#include "sim/compile/draft.h"

// Constants of the mechanism of wheel w, RUT_CORNER_WIDTH apart. Reports errors at the axle's
// suspension.
bool rut_draft_derive_corner(rutDraft* draft, rutNode node, const rutDraftClass* content, int w,
                             double* constant, double range[2]);
// Loads, and how the vehicle stands on mechanisms.
void rut_draft_settle_corners(rutDraft* draft, rutNode node, rutDraftClass* content);

#endif  // RUT_SIM_COMPILE_CORNERS_H
