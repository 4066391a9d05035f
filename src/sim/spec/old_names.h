// SPDX-License-Identifier: BSD-3-Clause
//
// Former names of fields: worlds with them still load.
#ifndef RUT_SIM_SPEC_OLD_NAMES_H
#define RUT_SIM_SPEC_OLD_NAMES_H

#include "rut/component.h"

enum { RUT_MAX_OLD_NAMES = 64 };

// Index of the old name `field` of a type, -1 if there is none.
int rut_old_name(const rutComponent* type, const char* field);
// The present name for it.
const char* rut_present_name(int old);

#endif  // RUT_SIM_SPEC_OLD_NAMES_H
