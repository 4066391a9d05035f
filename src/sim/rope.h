// SPDX-License-Identifier: BSD-3-Clause
//
// How ropes hang.
#ifndef RUT_SIM_ROPE_H
#define RUT_SIM_ROPE_H

#include "math/vec.h"
#include "sim/model.h"

// Ends of the pieces of a joint, look->pieces + 1, between its ends in the world [m].
void rut_rope_points(const rutModel* model, const rutData* data, const rutJointLook* look,
                     const rutVec3 end[2], rutVec3* point);

#endif  // RUT_SIM_ROPE_H
