// SPDX-License-Identifier: BSD-3-Clause
//
// Warnings of numbers that are allowed but hardly meant.
#ifndef RUT_SIM_COMPILE_PLAUSIBLE_H
#define RUT_SIM_COMPILE_PLAUSIBLE_H

#include "sim/compile/draft.h"

// Of all fields, and of a vehicle as a whole, once for each class.
void rut_draft_look_at_fields(rutDraft* draft);
void rut_draft_look_at_vehicle(rutDraft* draft, rutNode node, const rutDraftClass* content);

#endif  // RUT_SIM_COMPILE_PLAUSIBLE_H
