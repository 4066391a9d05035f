// SPDX-License-Identifier: BSD-3-Clause
//
// Constants of vehicles on axles in the model's block.
#ifndef RUT_SIM_COMPILE_BUILD_AXLES_H
#define RUT_SIM_COMPILE_BUILD_AXLES_H

#include "sim/compile/draft.h"

// Those of a group, whose lanes, pad and shafts are set, without rows and components; NULL while
// measuring. soft: the world has deformable soil.
rutVehicleClass* rut_build_axles(const rutDraft* draft, const rutDraftClass* content,
                                 const rutGroup* group, bool soft, rutArena* arena);

#endif  // RUT_SIM_COMPILE_BUILD_AXLES_H
