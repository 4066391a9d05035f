// SPDX-License-Identifier: BSD-3-Clause
//
// Measures of a study, what ends a run, and what it has to fulfil.
#ifndef RUT_HOST_STUDY_MEASURES_H
#define RUT_HOST_STUDY_MEASURES_H

#include "host/study.h"

// Read the elements <measure>, <stop> and <pass>, after the inputs. Errors: MODEL, MEMORY.
rutStatus rut_study_read_measures(rutStudy* study, rutError* err);
// Check them against a compiled world and its data: signals, metrics, vehicles; take over units.
// Errors: MODEL, MEMORY.
rutStatus rut_study_check_measures(rutStudy* study, const rutSpec* spec, const rutModel* model,
                                   const rutData* data, rutError* err);
void rut_study_free_measures(rutStudy* study);

// Fill in the measures that are expressions, and tell whether all requirements are fulfilled: 1 or
// 0, or -1 if there are none. measure: [measures] with the others.
int rut_study_conclude(const rutStudy* study, const rutStudyValue* input, double end_time,
                       double* measure);

#endif  // RUT_HOST_STUDY_MEASURES_H
