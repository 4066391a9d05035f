// SPDX-License-Identifier: BSD-3-Clause
//
// From the index of a run to the values of its inputs and the settings of its world.
#ifndef RUT_HOST_STUDY_SAMPLE_H
#define RUT_HOST_STUDY_SAMPLE_H

#include "host/bytes.h"
#include "host/study.h"

// Settings of one input that has a value, as below; a choice has none here.
void rut_study_put_value(const rutVary* vary, rutStudyValue value, rutBytes* out);
// Apply one setting. Errors: those of rut_spec_set, with the setting in the message.
rutStatus rut_study_set(rutSpec* spec, const char* setting, rutError* err);
// Settings "path=value" of a run, each with a zero behind it, in the order in which they are
// applied: those of all runs, then those of the inputs. Errors: MEMORY (then bytes->failed).
void rut_study_settings(const rutStudy* study, int64_t run, rutBytes* out);

#endif  // RUT_HOST_STUDY_SAMPLE_H
