// SPDX-License-Identifier: BSD-3-Clause
//
// Planar vehicles follow the ground.
#ifndef RUT_SIM_STEP_GROUND_H
#define RUT_SIM_STEP_GROUND_H

#include "sim/model.h"

// Height and axes of the ground under each vehicle at its new place.
void rut_batch_ground(const rutModel* model, const rutData* data, const rutGroup* group,
                      double* batch);
// Put every vehicle on the ground at its place (at a reset).
void rut_ground_settle(const rutModel* model, rutData* data);

#endif  // RUT_SIM_STEP_GROUND_H
