// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_HOST_STUDY_WRONG_H
#define RUT_HOST_STUDY_WRONG_H

#include "host/study.h"

// Fill an error with its place in the study file: at a field, or at the element (field NULL).
// Returns RUT_ERR_MODEL. Nullable: field, err.
rutStatus rut_study_wrong(const rutStudy* study, rutNode node, const char* field, rutError* err,
                          const char* format, ...) RUT_PRINTF(5, 6);
rutStatus rut_study_no_memory(rutError* err);
// Copy of a text; NULL if out of memory. The caller frees it.
char* rut_study_copy(const char* text);

#endif  // RUT_HOST_STUDY_WRONG_H
