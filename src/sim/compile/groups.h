// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles and mechanisms whose content is equal.
#ifndef RUT_SIM_COMPILE_GROUPS_H
#define RUT_SIM_COMPILE_GROUPS_H

#include "sim/compile/draft.h"

// Index of the class among the groups, added if new; -1 (and a reported error at the node) if there
// are too many or memory is out.
int rut_draft_group(rutDraft* draft, rutNode node, const rutDraftClass* content);
// Sort vehicles and mechanisms by group, and give each its place there. False, with an error, if
// out of memory.
bool rut_draft_list_members(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_GROUPS_H
