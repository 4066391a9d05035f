// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs of a study, from its <vary> elements.
#ifndef RUT_HOST_STUDY_INPUTS_H
#define RUT_HOST_STUDY_INPUTS_H

#include "host/study.h"

// Read all inputs and their correlations, and settings of all runs. Errors: MODEL, MEMORY, IO.
rutStatus rut_study_read_inputs(rutStudy* study, rutError* err);
// Check that every value can be set in a world. Errors: MODEL, MEMORY.
rutStatus rut_study_check_inputs(const rutStudy* study, const rutSpec* world, rutError* err);
void rut_study_free_inputs(rutStudy* study);
// Whether a text can be a name in results and expressions: letters, digits, _, no reserved word.
bool rut_study_name_fits(const char* name);

#endif  // RUT_HOST_STUDY_INPUTS_H
