// SPDX-License-Identifier: BSD-3-Clause
//
// <vehicle> elements with <axle> elements.
#ifndef RUT_SIM_COMPILE_AXLES_H
#define RUT_SIM_COMPILE_AXLES_H

#include "sim/compile/draft.h"

// Fills the class of such a vehicle except its drive and controller.
void rut_draft_axles(rutDraft* draft, rutNode node, rutDraftClass* content);
// Errors for those that start inside the ground, when all of it is known.
void rut_draft_check_starts(rutDraft* draft);
// Mass that moves up and down with a wheel of such a vehicle, and the stiffnesses of the spring and
// the tyre that hold it [N/m].
double rut_draft_unsprung(const rutDraftClass* content, int w, double* spring, double* tyre);

#endif  // RUT_SIM_COMPILE_AXLES_H
