// SPDX-License-Identifier: BSD-3-Clause
//
// Variables of components: their shapes, with the names of fields in them replaced by numbers.
#ifndef RUT_SIM_SPEC_VARIABLES_H
#define RUT_SIM_SPEC_VARIABLES_H

#include "rut/component.h"

// Numbers that shapes may name beside the component's own fields.
typedef struct rutShapeCounts {
  int wheels, inputs;  // of the vehicle, demands to its drive
} rutShapeCounts;

// A variable with its shape; a dimension is at least 0. param is that of the component. False if a
// word of the shape is neither a number, nor a whole-number field, nor a count.
bool rut_variable_resolve(const rutComponent* type, const double* param, rutShapeCounts counts,
                          const rutVariable* variable, rutVariableInfo* out);
// Numbers of n variables together.
int rut_variables_count(const rutComponent* type, const double* param, rutShapeCounts counts, int n,
                        const rutVariable* variable);
// Bytes of an element.
size_t rut_number_size(rutNumberType type);
// What is wrong with a list of variables of a descriptor, NULL if nothing. *at gets the index.
const char* rut_variables_fault(const rutComponent* type, int n, const rutVariable* variable,
                                int* at);

#endif  // RUT_SIM_SPEC_VARIABLES_H
