// SPDX-License-Identifier: BSD-3-Clause
//
// The <deformable> element.
#ifndef RUT_SIM_COMPILE_RUTS_H
#define RUT_SIM_COMPILE_RUTS_H

#include "sim/compile/draft.h"

void rut_draft_deformable(rutDraft* draft, rutNode node);

#endif  // RUT_SIM_COMPILE_RUTS_H
