// SPDX-License-Identifier: BSD-3-Clause
//
// Between the batches of vehicles, the blocks, and the bodies of the contact solver.
#ifndef RUT_SIM_STEP_BODIES_H
#define RUT_SIM_STEP_BODIES_H

#include "sim/model.h"

// Move keyframed blocks and ground to the present time.
void rut_keyframes_apply(const rutModel* model, rutData* data);

// Velocities of free blocks under their damping; positions after contacts; heights of their feet.
void rut_blocks_velocity(const rutModel* model, rutData* data);
void rut_blocks_position(const rutModel* model, rutData* data);
// Copy the root coordinates of a batch's vehicles to the contact bodies, and velocities back.
void rut_bodies_gather(rutData* data, const rutGroup* group, int batch);
void rut_bodies_scatter_velocity(const rutModel* model, rutData* data, const rutGroup* group,
                                 int batch);
// True if the last contacts have changed no velocity.
bool rut_bodies_are_quiet(const rutModel* model, const rutData* data);
// All of them; and positions back after a correction.
void rut_bodies_gather_all(const rutModel* model, rutData* data);
void rut_bodies_scatter_position(const rutModel* model, rutData* data);

#endif  // RUT_SIM_STEP_BODIES_H
