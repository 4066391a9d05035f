// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes of vehicles that are made by rule, for rays of sensors: of all vehicles where a sensor
// asks for it (RUT_USES_LOOKS), else of those with <appearance>.
#ifndef RUT_SIM_COMPILE_LOOKS_H
#define RUT_SIM_COMPILE_LOOKS_H

#include "sim/compile/draft.h"

// True if rays of a sensor meet what is drawn by rule where the world says nothing of looks:
// vehicles, ropes. Scans in a plane need no more than outlines, which take less time.
bool rut_draft_sees_looks(const rutDraft* draft);
// In place of the prisms that no mesh of a file stands for already.
void rut_draft_looks(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_LOOKS_H
