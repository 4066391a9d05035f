// SPDX-License-Identifier: BSD-3-Clause
//
// Stages of rut_step, in their order, for steps of several copies together (sim/lanes.h).
#ifndef RUT_SIM_STEP_H
#define RUT_SIM_STEP_H

#include "sim/model.h"

// Keep the bodies and blocks as they are at the beginning of the step.
void rut_step_keep_bodies(const rutModel* model, rutData* data);
// New velocities of a batch of vehicles or mechanisms; memory is a worker's scratch.
void rut_step_velocity(rutData* data, const rutGroup* group, int batch, unsigned char* memory);
// Contacts and joints of vehicles and blocks: new velocities before the positions move.
void rut_step_contact(const rutModel* model, rutData* data);
// New positions of a batch. False if the coordinates of some lane are no longer finite.
bool rut_step_position(rutData* data, const rutGroup* group, int batch);
// What overlaps after the positions have moved is pushed apart.
void rut_step_correct(const rutModel* model, rutData* data);
// Of what is not finite: the state goes back to the beginning of the step. Returns
// RUT_ERR_DIVERGED.
bool rut_step_bodies_are_finite(const rutModel* model, const rutData* data);
rutStatus rut_step_diverged(const rutModel* model, rutData* data, rutError* err);
bool rut_all_finite(const double* x, size_t n);

#endif  // RUT_SIM_STEP_H
