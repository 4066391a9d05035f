// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of a step, in the order in which rut_step calls them.
#ifndef RUT_SIM_STEP_H
#define RUT_SIM_STEP_H

#include "math/vec.h"
#include "sim/model.h"

// Scratch of one batch, carved from a worker's block. Arrays are [wheel][lane] unless said.
typedef struct rutBatchScratch {
  double *vx, *vy, *gx, *gy, *fx, *fy, *drag, *spin, *friction, *rolling, *cos, *sin;
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

// Controllers and drives: set points and measurements to wheel torques and steering angles.
void rut_batch_control(const rutModel* model, const rutGroup* group, double* batch);
// Forces at the present state: of the tyres on the bodies, or of a mechanism's joints.
void rut_batch_forces(const rutModel* model, const rutGroup* group, double* batch,
                      const rutBatchScratch* scratch);
// New velocities under these forces (with rk4 forces are found again at every stage).
void rut_batch_velocity(const rutModel* model, const rutGroup* group, double* batch,
                        const rutBatchScratch* scratch);
// New positions from the velocities that contacts have left.
void rut_batch_position(const rutModel* model, const rutGroup* group, double* batch, int index);
// Height and axes of the ground under each vehicle at its new place.
void rut_batch_ground(const rutModel* model, const rutData* data, const rutGroup* group,
                      double* batch);

// Let the wheels press the ground, after all have read it; serial, in a fixed order. Or let them
// not have done so.
void rut_ruts_commit(const rutModel* model, rutData* data);
void rut_ruts_forget(const rutModel* model, rutData* data);
void rut_ruts_reset(const rutModel* model, rutData* data);

// Move keyframed blocks and ground to the present time.
void rut_keyframes_apply(const rutModel* model, rutData* data);
// Put every vehicle on the ground at its place (at a reset).
void rut_ground_settle(const rutModel* model, rutData* data);

// Velocities of free blocks under their damping; positions after contacts; heights of their feet.
void rut_blocks_velocity(const rutModel* model, rutData* data);
void rut_blocks_position(const rutModel* model, rutData* data);
// Copy the root coordinates of a batch's vehicles to the contact bodies, and velocities back.
void rut_bodies_gather(const rutModel* model, rutData* data, const rutGroup* group, int batch);
void rut_bodies_scatter_velocity(const rutModel* model, rutData* data, const rutGroup* group,
                                 int batch);
// All of them; and positions back after a correction.
void rut_bodies_gather_all(const rutModel* model, rutData* data);
void rut_bodies_scatter_position(const rutModel* model, rutData* data);

// What vehicles on axles see of the world.
rutEnvironment rut_environment(const rutModel* model, const rutData* data);
// Their velocities at the end of the step, with everything before them; memory is a worker's
// scratch. Positions from the velocities that contacts have left, and what is seen of them.
void rut_axles_velocity(const rutModel* model, rutData* data, const rutGroup* group, int batch,
                        unsigned char* memory);
void rut_axles_position(const rutModel* model, rutData* data, const rutGroup* group, int batch);
// Put a vehicle where it starts; then, when all of its batch are placed, begin its energy balance.
void rut_axles_reset(const rutModel* model, rutData* data, int vehicle);
void rut_axles_begin_energy(const rutModel* model, rutData* data, int vehicle);

// Add the time since `since` to a stage, if timers are on; returns the time now.
double rut_lap(rutData* data, rutStage stage, double since);

// Take the samples that are due at the present time; begin anew.
void rut_sensors_sample(const rutModel* model, rutData* data);
void rut_sensors_reset(const rutModel* model, rutData* data);
// Have the present state be that of the last step's beginning as well.
void rut_keep_state(rutData* data, const rutGroup* group);

// Pose of a vehicle's reference point: x y z roll pitch yaw.
void rut_vehicle_pose(const rutModel* model, const rutData* data, int vehicle, double pose[6],
                      double rotation[9]);
// Padding lanes repeat the last vehicle, so that they hold sensible numbers.
void rut_fill_padding(rutData* data, const rutGroup* group);
// Vehicle of a wheel, which is one of those of all vehicles.
int rut_wheel_owner(const rutModel* model, int wheel);
// Bytes of scratch that one worker needs.
size_t rut_worker_scratch(const rutModel* model);

#endif  // RUT_SIM_STEP_H
