// SPDX-License-Identifier: BSD-3-Clause
//
// Ruts: wheels deform the ground at the end of a step.
#ifndef RUT_SIM_STEP_RUTS_H
#define RUT_SIM_STEP_RUTS_H

#include "sim/model.h"

// Let the wheels press the ground, after all have read it; serial, in a fixed order. Forget what
// they were about to press: after that, or in place of it. Restore the untouched ground.
void rut_ruts_commit(const rutModel* model, rutData* data);
void rut_ruts_forget(const rutModel* model, rutData* data);
void rut_ruts_reset(const rutModel* model, rutData* data);

#endif  // RUT_SIM_STEP_RUTS_H
