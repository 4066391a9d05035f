// SPDX-License-Identifier: BSD-3-Clause
//
// Heights of an <elevation_map>, from wherever it has them.
#ifndef RUT_SIM_COMPILE_ELEVATION_H
#define RUT_SIM_COMPILE_ELEVATION_H

#include "format/matrix.h"
#include "sim/compile/draft.h"

// Heights and where they lie.
typedef struct rutElevation {
  rutMatrix heights;  // [m]; owned by who asked
  bool north_up;      // rows run from north to south; else along x, as MVSim has them
  bool placed;        // corner holds the place of the first node
  double spacing, corner[2];
} rutElevation;

// Read the heights that an element names. False, with nothing to free, if that fails, which is
// reported.
bool rut_draft_elevation(rutDraft* draft, rutNode node, rutElevation* out);

#endif  // RUT_SIM_COMPILE_ELEVATION_H
