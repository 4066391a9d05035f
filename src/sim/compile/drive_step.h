// SPDX-License-Identifier: BSD-3-Clause
//
// Drives whose torque the step cuts.
#ifndef RUT_SIM_COMPILE_DRIVE_STEP_H
#define RUT_SIM_COMPILE_DRIVE_STEP_H

#include "sim/compile/draft.h"

// Warn of vehicles whose drive has less torque at rest than without steps, once for each kind.
void rut_draft_warn_drive_step(const rutDraft* draft, const rutModel* model);

#endif  // RUT_SIM_COMPILE_DRIVE_STEP_H
