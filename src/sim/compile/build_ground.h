// SPDX-License-Identifier: BSD-3-Clause
//
// The ground in the model's block.
#ifndef RUT_SIM_COMPILE_BUILD_GROUND_H
#define RUT_SIM_COMPILE_BUILD_GROUND_H

#include "sim/compile/draft.h"

rutGround* rut_build_ground(const rutDraft* draft, rutArena* arena);
// Height that no ground at rest exceeds.
double rut_highest_ground(const rutGround* ground);
const rutGroundMotion* rut_build_ground_motions(const rutDraft* draft, rutArena* arena, int* count);

#endif  // RUT_SIM_COMPILE_BUILD_GROUND_H
