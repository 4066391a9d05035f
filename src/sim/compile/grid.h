// SPDX-License-Identifier: BSD-3-Clause
//
// <occupancy_grid> elements.
#ifndef RUT_SIM_COMPILE_GRID_H
#define RUT_SIM_COMPILE_GRID_H

#include "sim/compile/draft.h"

void rut_draft_grids(rutDraft* draft);

#endif  // RUT_SIM_COMPILE_GRID_H
