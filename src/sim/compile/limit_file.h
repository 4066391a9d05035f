// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_SIM_COMPILE_LIMIT_FILE_H
#define RUT_SIM_COMPILE_LIMIT_FILE_H

#include "sim/compile/draft.h"

// Fill 'limit_speeds' and 'limit_angles' of a controller from the table of lift-off that its text
// field 'limit_table' names: angles at its 'steer_rate', without braking, on level ground. True
// without such a field or file; else false after errors, which are reported.
bool rut_draft_limit_file(rutDraft* draft, rutNode node, double param[RUT_MAX_PARAMS]);

#endif  // RUT_SIM_COMPILE_LIMIT_FILE_H
