// SPDX-License-Identifier: BSD-3-Clause
//
// Hash of everything that is compiled: equal drafts make bit-identical models.
#ifndef RUT_SIM_COMPILE_HASH_H
#define RUT_SIM_COMPILE_HASH_H

#include "sim/compile/draft.h"

uint64_t rut_draft_hash(const rutDraft* draft);

#endif  // RUT_SIM_COMPILE_HASH_H
