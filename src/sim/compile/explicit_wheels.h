// SPDX-License-Identifier: BSD-3-Clause
//
// Limits of planar vehicles with wheel_coupling="explicit".
#ifndef RUT_SIM_COMPILE_EXPLICIT_WHEELS_H
#define RUT_SIM_COMPILE_EXPLICIT_WHEELS_H

#include "sim/compile/draft.h"

// Warn of vehicles that come near them, once for each kind.
void rut_draft_warn_explicit_wheels(const rutDraft* draft, const rutModel* model);

#endif  // RUT_SIM_COMPILE_EXPLICIT_WHEELS_H
