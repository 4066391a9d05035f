// SPDX-License-Identifier: BSD-3-Clause
//
// The stability control of a vehicle.
#ifndef RUT_SIM_COMPILE_STABILITY_H
#define RUT_SIM_COMPILE_STABILITY_H

#include "sim/compile/draft.h"

// Read the <stability> of a vehicle on axles, if it has one. Errors are told.
void rut_draft_stability(rutDraft* draft, rutNode vehicle, rutDraftClass* c);

#endif  // RUT_SIM_COMPILE_STABILITY_H
