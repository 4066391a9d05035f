// SPDX-License-Identifier: BSD-3-Clause
//
// Limbs and wheels of actors.
#ifndef RUT_SIM_ACTOR_H
#define RUT_SIM_ACTOR_H

#include "sim/model.h"

// From the frame of a moving part of an actor, a block, to that of the actor, [row][4]. It follows
// from the time, the path and the ground alone.
void rut_actor_part(const rutModel* model, const rutData* data, int block, int part,
                    double frame[12]);

#endif  // RUT_SIM_ACTOR_H
