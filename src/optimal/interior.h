// SPDX-License-Identifier: BSD-3-Clause
//
// The quadratic problem of riccati.h with its inequalities, by a primal-dual interior-point method
// with Mehrotra's predictor and corrector (SIAM J. Optim. 2, 1992). Each inequality is eliminated
// as a scalar, so that a step is one Riccati factorisation and two solutions.
#ifndef RUT_OPTIMAL_INTERIOR_H
#define RUT_OPTIMAL_INTERIOR_H

#include "optimal/riccati.h"

typedef enum rutInteriorEnd {
  RUT_INTERIOR_SOLVED,
  RUT_INTERIOR_LIMIT,  // not within the iterations: no point keeps the hard rows, or nearly none
  RUT_INTERIOR_NOT_CONVEX
} rutInteriorEnd;

typedef struct rutInteriorResult {
  rutInteriorEnd end;
  int iterations;
  double gap;       // mean product of slacks and multipliers
  double residual;  // what is left of that at the start, of equations
} rutInteriorResult;

// Solve from z = 0. start[nx] has the fixed components of x_0. The solution is in z of all nodes,
// once gap and residual are at most `small`, of the cost's slopes and of the start.
rutInteriorResult rut_interior_solve(rutQp* qp, const double* start, int most, double small);

#endif  // RUT_OPTIMAL_INTERIOR_H
