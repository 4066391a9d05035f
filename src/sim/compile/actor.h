// SPDX-License-Identifier: BSD-3-Clause
//
// <actor>: blocks along keyframes, which look like scenery.
#ifndef RUT_SIM_COMPILE_ACTOR_H
#define RUT_SIM_COMPILE_ACTOR_H

#include "sim/compile/draft.h"

void rut_draft_actors(rutDraft* draft);
// What they look like, and their prisms, after those of blocks.
void rut_draft_actor_prisms(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_ACTOR_H
