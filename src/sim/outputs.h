// SPDX-License-Identifier: BSD-3-Clause
//
// Outputs that the elements of a world have without components, by kind of element.
#ifndef RUT_SIM_OUTPUTS_H
#define RUT_SIM_OUTPUTS_H

#include "sim/output_set.h"

enum { RUT_MAX_OUTPUT_SETS = 5 };

// Sets of a kind; *n gets their number.
const rutOutputSet* rut_output_sets(rutKind kind, int* n);

#endif  // RUT_SIM_OUTPUTS_H
