// SPDX-License-Identifier: BSD-3-Clause
//
// Values of a spec's fields in bulk, and their validation.
#ifndef RUT_SIM_SPEC_VALUES_H
#define RUT_SIM_SPEC_VALUES_H

#include "sim/spec/context.h"

// Parameters of a component: one double per field, in the order of its rows. Scalars [SI], choices
// as index, booleans 0 or 1; NaN for text. Numbers of vector and points fields follow, each list
// after its count, and the field holds the index of that count. Writes at most `capacity` doubles;
// returns how many there are. Nullable param if capacity is 0.
int rut_node_params(const rutSpec* spec, rutNode node, int capacity, double* param);

// Report every required field that is missing and every rule of a component's `check` that is
// broken, in the whole tree. Returns the status of the first one.
rutStatus rut_spec_check(const rutSpec* spec);
// Report every file that the world names and may not read; a warning where it is only to be shown.
// Returns the status of the first error.
rutStatus rut_spec_check_files(const rutSpec* spec);

#endif  // RUT_SIM_SPEC_VALUES_H
