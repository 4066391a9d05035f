// SPDX-License-Identifier: BSD-3-Clause
//
// What passes between a vehicle and an FMU: elements of controllers and drives.
#ifndef RUT_SIM_COMPILE_FMU_ELEMENTS_H
#define RUT_SIM_COMPILE_FMU_ELEMENTS_H

#include "sim/compile/draft.h"

// Errors where such elements stand in a controller or drive that runs no FMU.
void rut_draft_check_fmu_elements(const rutDraft* draft, rutNode node);
// Errors for elements in the drive of a vehicle, whose wheels are known.
void rut_draft_check_fmu_drive(const rutDraft* draft, rutNode vehicle, const rutDraftClass* c);

#endif  // RUT_SIM_COMPILE_FMU_ELEMENTS_H
