// SPDX-License-Identifier: BSD-3-Clause
//
// The chassis of a vehicle on axles as convex pieces that touch the ground.
#ifndef RUT_SIM_COMPILE_HULL_H
#define RUT_SIM_COMPILE_HULL_H

#include "sim/compile/draft.h"

// Read the <hull> elements of a vehicle, or else take the chassis's outline between its heights.
void rut_draft_hull(rutDraft* draft, rutNode node, rutDraftClass* c);
// Pieces and contact of a class. dt: step of explicit forces, 0 if they are implicit [s].
void rut_build_hull(const rutDraftClass* c, double gravity, double dt, rutArena* arena,
                    rutVehicleClass* out);

#endif  // RUT_SIM_COMPILE_HULL_H
