// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_SIM_COMPILE_TYRE_FILE_H
#define RUT_SIM_COMPILE_TYRE_FILE_H

#include "sim/compile/draft.h"

// Fill the numbers of a component that its node does not give from the tyre property file that the
// node's text field "file" names. True without such a field or file; else false after errors, which
// are reported.
bool rut_draft_tyre_file(rutDraft* draft, rutNode node, double param[RUT_MAX_PARAMS]);

#endif  // RUT_SIM_COMPILE_TYRE_FILE_H
