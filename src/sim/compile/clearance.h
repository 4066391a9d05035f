// SPDX-License-Identifier: BSD-3-Clause
//
// What random scenery keeps away from: starts of vehicles, lines that they and actors follow,
// roads.
#ifndef RUT_SIM_COMPILE_CLEARANCE_H
#define RUT_SIM_COMPILE_CLEARANCE_H

#include "sim/compile/draft.h"

typedef struct rutClearance {
  rutList start;       // double[2], world [m]
  rutList path, road;  // lines
} rutClearance;

// Least distances that scenery keeps, from its middle [m].
typedef struct rutKeepAway {
  double start, path, road;
} rutKeepAway;

void rut_clearance_read(rutDraft* draft, rutClearance* out);
void rut_clearance_free(rutDraft* draft, rutClearance* clearance);
// Whether a place is far enough from everything; *cost is raised by the number of comparisons.
bool rut_clearance_holds(const rutClearance* clearance, const rutKeepAway* away, const double at[2],
                         int64_t* cost);

#endif  // RUT_SIM_COMPILE_CLEARANCE_H
