// SPDX-License-Identifier: BSD-3-Clause
//
// <log> elements. A model has nothing of them: only their names are looked at here.
#ifndef RUT_SIM_COMPILE_LOGS_H
#define RUT_SIM_COMPILE_LOGS_H

#include "sim/compile/draft.h"

// Each has a name that can be that of a file.
void rut_draft_check_logs(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_LOGS_H
