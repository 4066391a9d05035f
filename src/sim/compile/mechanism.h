// SPDX-License-Identifier: BSD-3-Clause
//
// <mechanism> elements.
#ifndef RUT_SIM_COMPILE_MECHANISM_H
#define RUT_SIM_COMPILE_MECHANISM_H

#include "sim/compile/draft.h"

void rut_draft_mechanisms(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_MECHANISM_H
