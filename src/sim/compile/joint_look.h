// SPDX-License-Identifier: BSD-3-Clause
//
// What ropes, rods, springs and hitches look like to rays of sensors: as the viewer draws them.
#ifndef RUT_SIM_COMPILE_JOINT_LOOK_H
#define RUT_SIM_COMPILE_JOINT_LOOK_H

#include "sim/compile/draft.h"

// Nothing in worlds whose sensors see outlines alone.
void rut_draft_joint_looks(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_JOINT_LOOK_H
