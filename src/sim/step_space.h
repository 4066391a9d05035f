// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks that move in space, and what meets them.
#ifndef RUT_SIM_STEP_SPACE_H
#define RUT_SIM_STEP_SPACE_H

#include "math/quat.h"
#include "sim/model.h"

// State of such a block in rutData.space_block, world axes.
typedef struct rutSpaceBlock {
  double at[3];        // centre of mass [m]
  double attitude[4];  // quaternion w x y z, to the world
  double velocity[3];  // of the centre of mass [m/s]
  double rate[3];      // angular velocity [rad/s]
} rutSpaceBlock;
_Static_assert(sizeof(rutSpaceBlock) == RUT_SPACE_BLOCK * sizeof(double), "rows of a block");

static inline rutSpaceBlock* rut_space_block(const rutModel* model, const rutData* data,
                                             int block) {
  const int place = model->block[block].space - 1;
  return (rutSpaceBlock*)(void*)(data->space_block + (size_t)(RUT_SPACE_BLOCK * place));
}

// Where it is at the start; or where its origin is, with roll, pitch and yaw, standing still.
void rut_space_block_reset(const rutModel* model, rutData* data, int block);
void rut_space_block_put(const rutModel* model, rutData* data, int block, const double pose[6]);
// Pose of its frame, and velocity of its origin.
void rut_space_block_pose(const rutModel* model, const rutData* data, int block, rutVec3* origin,
                          rutQuat* attitude, rutVec3* velocity);

// The stages of a step: gravity; contacts; motion of the blocks; and what overlaps is moved apart.
void rut_space_velocity(const rutModel* model, rutData* data);
void rut_space_contact(const rutModel* model, rutData* data);
// One list of the contacts in the plane and of those in space.
void rut_space_join_lists(const rutModel* model, rutData* data);
void rut_space_position(const rutModel* model, rutData* data);
void rut_space_correct(const rutModel* model, rutData* data);
// The same of vehicles on axles, once what moves in the plane is in its place.
void rut_space_correct_linked(const rutModel* model, rutData* data);

#endif  // RUT_SIM_STEP_SPACE_H
