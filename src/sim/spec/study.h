// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_SIM_SPEC_STUDY_H
#define RUT_SIM_SPEC_STUDY_H

#include "rut/component.h"

// Descriptors of the elements of a study file, whose root is <study>. Static.
const rutComponent* const* rut_study_schema(int* n);

#endif  // RUT_SIM_SPEC_STUDY_H
