// SPDX-License-Identifier: BSD-3-Clause
//
// Parameters of tyres at their inflation pressure: a draft keeps them as the world gives them.
#ifndef RUT_SIM_COMPILE_INFLATION_H
#define RUT_SIM_COMPILE_INFLATION_H

#include "sim/compile/draft.h"

// Those of a tyre, Nullable type, in `room`, which is returned.
const double* rut_draft_inflated(const rutDraftComponent* tyre, double room[RUT_MAX_PARAMS]);

// Pressure that a tyre names [Pa], 0 if it knows none.
double rut_draft_pressure(const rutDraftComponent* tyre);

// <inflation> of a vehicle on axles.
void rut_draft_inflation(rutDraft* draft, rutNode vehicle, rutDraftSpatial* spatial);
// Set points of such a system, behind those of controllers.
void rut_build_inflation(const rutDraftSpatial* spatial, rutGroup* group);

#endif  // RUT_SIM_COMPILE_INFLATION_H
