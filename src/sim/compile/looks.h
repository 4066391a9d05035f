// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes of vehicles that are made by rule, for rays of sensors: of all vehicles where a sensor
// asks for it (RUT_USES_LOOKS), else of those with <appearance>.
#ifndef RUT_SIM_COMPILE_LOOKS_H
#define RUT_SIM_COMPILE_LOOKS_H

#include "sim/compile/draft.h"

// In place of the prisms that no mesh of a file stands for already.
void rut_draft_looks(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_LOOKS_H
