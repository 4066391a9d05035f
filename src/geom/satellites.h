// SPDX-License-Identifier: BSD-3-Clause
//
// Satellite positioning: the constellation, the dilution of precision, and the position that
// pseudoranges give.
#ifndef RUT_GEOM_SATELLITES_H
#define RUT_GEOM_SATELLITES_H

#include <stdbool.h>

#include "math/vec.h"

// The baseline constellation of GPS: 24 slots in six planes (GPS SPS Performance Standard, 2001,
// table A2-1).
enum { RUT_SATELLITES = 24 };
// Positions in ECEF [m] at a time [s] after 1 July 1993, 0:00 UTC.
void rut_satellites(double time, rutVec3 ecef[RUT_SATELLITES]);

// Standard deviations of the solution when every range has an error of 1 (Kaplan and Hegarty,
// Understanding GPS, 2nd ed., 2006, section 7.3).
typedef struct rutDilution {
  double x, y, z;  // along the axes of the directions
  double clock;    // as a distance
} rutDilution;
// direction[n] are unit vectors to the satellites. False if they do not determine a position: fewer
// than four, or degenerate.
bool rut_dilution(int n, const rutVec3* direction, rutDilution* out);

// Error of the position, in the axes of the directions, when range i has the error[i]: the least
// squares (G^T G)^-1 G^T error. False as above.
bool rut_position_error(int n, const rutVec3* direction, const double* error, rutVec3* out);

// Position and clock error c dt [m] from pseudoranges range[n] = |satellite - position| + c dt, the
// least squares by Gauss-Newton from the position given. False if it is not determined, or far more
// than 1000 km from there.
bool rut_pseudorange_solve(int n, const rutVec3* satellite, const double* range, rutVec3* position,
                           double* clock);

#endif  // RUT_GEOM_SATELLITES_H
