// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles that start inside of each other, of walls or of blocks.
#ifndef RUT_SIM_COMPILE_OVERLAP_H
#define RUT_SIM_COMPILE_OVERLAP_H

#include "sim/compile/draft.h"

// A solid part as it stands at the start: corners, and the box around them in the world [m].
typedef struct rutSolidPart {
  const rutPrismDef* def;
  rutOutline outline;
  double box[4], z_min, z_max;
} rutSolidPart;

void rut_draft_stand(const rutDraft* draft, const rutDraftPrism* prism, rutSolidPart* out);

// Warn of the first few. Out of memory: of none.
void rut_draft_look_at_overlaps(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_OVERLAP_H
