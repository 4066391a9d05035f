// SPDX-License-Identifier: BSD-3-Clause
//
// Rows that controllers change seldom (rutControllerType.kept): steps copy them only after changes.
#ifndef RUT_SIM_KEPT_H
#define RUT_SIM_KEPT_H

#include "sim/model.h"

// They may have changed: the next step keeps them anew.
void rut_forget_kept(rutData* data, const rutGroup* group);

#endif  // RUT_SIM_KEPT_H
