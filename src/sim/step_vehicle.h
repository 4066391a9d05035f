// SPDX-License-Identifier: BSD-3-Clause
//
// Planar vehicles and mechanisms in a step.
#ifndef RUT_SIM_STEP_VEHICLE_H
#define RUT_SIM_STEP_VEHICLE_H

#include "sim/model.h"

// Scratch of one batch, carved from a worker's block. Arrays are [wheel][lane] unless said.
typedef struct rutBatchScratch {
  double *vx, *vy, *gx, *gy, *fx, *fy, *drag, *spin, *friction, *rolling, *cos, *sin;
  double *roll, *limit;               // as in rutTyreOut
  double* torque;                     // of the drive at the end of the step
  double* gain;                       // [input][wheel][lane] torque per demand
  double *heading_cos, *heading_sin;  // [lane]
  double* gravity;                    // [3][lane] in the ground's axes
  double* tau;                        // [speed][lane]
  double* force;                      // [body][6][lane]
  double* acceleration;               // [speed][lane]
  double* tree;                       // of mbd
  double* saved;                      // [position][lane] before a Runge-Kutta step
  double* tyre_state;                 // [state][wheel][lane] likewise
  double* integrator;                 // of the Runge-Kutta step
} rutBatchScratch;

// Carve, or measure with an arena without memory.
void rut_batch_scratch(const rutGroup* group, rutArena* arena, rutBatchScratch* out);

// Forces at the present state: of the tyres on the bodies, or of a mechanism's joints.
void rut_batch_forces(const rutModel* model, const rutGroup* group, double* batch,
                      const rutBatchScratch* scratch);
// New velocities under these forces (with rk4 forces are found again at every stage).
void rut_batch_velocity(const rutModel* model, const rutGroup* group, double* batch,
                        const rutBatchScratch* scratch);
// New positions from the velocities that contacts have left.
void rut_batch_position(const rutModel* model, const rutGroup* group, double* batch, int index);

#endif  // RUT_SIM_STEP_VEHICLE_H
