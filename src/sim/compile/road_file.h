// SPDX-License-Identifier: BSD-3-Clause
//
// Plans of <terrain> that come from a file: roads of OpenDRIVE, surfaces of OpenCRG.
#ifndef RUT_SIM_COMPILE_ROAD_FILE_H
#define RUT_SIM_COMPILE_ROAD_FILE_H

#include "sim/compile/draft.h"

// Whether a type has its plan from a file.
bool rut_draft_has_road_file(const rutTerrainType* type);
// Read the file that an element names. The plan is of the context's allocator; *bytes gets its
// size. NULL after an error, which is reported.
void* rut_draft_road_plan(rutDraft* draft, rutNode node, size_t* bytes);

#endif  // RUT_SIM_COMPILE_ROAD_FILE_H
