// SPDX-License-Identifier: BSD-3-Clause
//
// What $ROAD_CRG_MODS of an OpenCRG file changes in a surface that was read.
#ifndef RUT_FORMAT_CRG_MODS_H
#define RUT_FORMAT_CRG_MODS_H

#include "format/crg_head.h"

// Modifiers of a file without a block of them are those of the standard's own library:
// grid_nan_mode 2, and refpoint_x, y, z and phi 0. An empty block changes nothing.

// Fill holes beside the road, as grid_nan_mode says: 0, or none, keeps them, 1 puts them at 0, 2 at
// the height of the last node that has one. False: it is none of these.
bool rut_crg_fill_holes(const rutCrgHead* head, rutCrg* crg);
// Turn and shift the line, by an angle about a centre and offsets, then so that a reference point
// (refpoint_u, refpoint_v) is where it should be (refpoint_x, y, z), heading along refpoint_phi.
void rut_crg_move(const rutCrgHead* head, rutCrg* crg);

#endif  // RUT_FORMAT_CRG_MODS_H
