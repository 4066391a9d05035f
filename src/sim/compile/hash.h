// SPDX-License-Identifier: BSD-3-Clause
//
// Hash of everything that is compiled: equal drafts make bit-identical models.
#ifndef RUT_SIM_COMPILE_HASH_H
#define RUT_SIM_COMPILE_HASH_H

#include "sim/compile/draft.h"

uint64_t rut_draft_hash(const rutDraft* draft);

// Hash of what copies must have in common for their vehicles to share lanes: classes, which are
// compared byte by byte, ground, soils and step. What only one copy looks at, such as blocks,
// sensors and places at the start, is left out; so are, if loose, numbers of classes that can
// differ from lane to lane: parameters of tyres and of suspensions on slides, and what follows from
// them. 0: out of memory.
uint64_t rut_draft_lanes_hash(const rutDraft* draft, bool loose);

#endif  // RUT_SIM_COMPILE_HASH_H
