// SPDX-License-Identifier: BSD-3-Clause
//
// Mesh files of <visual> elements, as rays of sensors see them.
#ifndef RUT_SIM_COMPILE_VISUAL_H
#define RUT_SIM_COMPILE_VISUAL_H

#include "sim/compile/draft.h"

// Read the files of all <visual> elements, if the world has sensors. Prisms of elements whose
// meshes could be read are marked as unseen.
void rut_draft_visuals(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_VISUAL_H
