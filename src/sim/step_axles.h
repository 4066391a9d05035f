// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles on axles in the step of a model: src/vehicle does the work.
#ifndef RUT_SIM_STEP_AXLES_H
#define RUT_SIM_STEP_AXLES_H

#include "sim/model.h"
#include "vehicle/guide.h"

// Velocities at the end of the step, with everything before them; memory is a worker's
// scratch. Positions from the velocities that contacts have left, and what is seen of them.
void rut_axles_velocity(const rutModel* model, rutData* data, const rutGroup* group, int batch,
                        unsigned char* memory);
void rut_axles_position(const rutModel* model, rutData* data, const rutGroup* group, int batch);
// Put a vehicle where it starts; then, when all of its group are placed, settle those that follow
// the ground without dynamics, and begin the energy balance of each.
void rut_axles_reset(const rutModel* model, rutData* data, int vehicle);
void rut_axles_settle(const rutModel* model, rutData* data, const rutGroup* group);
void rut_axles_begin_energy(const rutModel* model, rutData* data, int vehicle);
// Numbers of the largest batch, for rut_axles_start_loads.
size_t rut_axles_largest_batch(const rutModel* model);
// Loads of a group's wheels before the first step, which is done without drive and brakes and taken
// back; copy has room for a batch.
void rut_axles_start_loads(const rutModel* model, rutData* data, const rutGroup* group,
                           double* copy);

// A step of dt [s] of a group of one wheel whose hub is guided (vehicle/guide.h).
void rut_axles_guide(const rutModel* model, rutData* data, const rutGroup* group, double dt,
                     const rutGuide* guide, rutGuided* out);

// The chassis of a group that stand in ground that keeps ruts leave their prints.
void rut_axles_print(const rutModel* model, rutData* data, const rutGroup* group);

#endif  // RUT_SIM_STEP_AXLES_H
