// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of a planar vehicle that the lateral forces of its wheels act on.
#ifndef RUT_SIM_COMPILE_SIDE_FORCES_H
#define RUT_SIM_COMPILE_SIDE_FORCES_H

#include "sim/compile/draft.h"

// Finds `side_mass`, `hold` and `scrubs` from the wheels and their shares of the mass.
void rut_draft_share_side_forces(rutDraftClass* c);

#endif  // RUT_SIM_COMPILE_SIDE_FORCES_H
