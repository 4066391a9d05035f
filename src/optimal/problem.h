// SPDX-License-Identifier: BSD-3-Clause
//
// A problem of rut/mpc.h along a trajectory: its merit, and the quadratic problem of a step.
#ifndef RUT_OPTIMAL_PROBLEM_H
#define RUT_OPTIMAL_PROBLEM_H

#include "base/arena.h"
#include "optimal/riccati.h"
#include "rut/mpc.h"

// What a trajectory is worth.
typedef struct rutMerit {
  double cost, paid;         // of the problem, and prices of violations
  double wrong;              // weighted defects and violations of hard rows
  double violation, defect;  // largest ones
  bool finite;
} rutMerit;

typedef struct rutSqp {
  const rutMpcProblem* problem;
  rutQp qp;
  double *state, *control;  // iterate
  double *trial_state, *trial_control;
  double* row_by;                 // [intervals + 1][rows][ld]
  double* by;                     // derivatives that a function tells, without gaps
  double* scale;                  // [nz]
  double* weight;                 // [nx] of defects in the merit [1/unit of state]
  double hard_weight;             // of violations of hard rows
  double *next, *value, *change;  // [nx], [rows], [nz]
} rutSqp;

// Take all arrays of a solver; only measures if the arena has no memory.
void rut_sqp_layout(rutSqp* sqp, const rutMpcProblem* problem, rutArena* arena);
rutMpcNode rut_sqp_node(const rutSqp* sqp, const double* state, const double* control, int k);

// Merit of a trajectory.
rutMerit rut_sqp_merit(rutSqp* sqp, const double* state, const double* control);
// The quadratic problem at the iterate, `added` / scale^2 on the diagonal of controls and free
// first values. False if something is not finite.
bool rut_sqp_linearise(rutSqp* sqp, double added);
// Change of the merit that the linear parts of the problem expect of the step in qp.
double rut_sqp_expected(rutSqp* sqp);

#endif  // RUT_OPTIMAL_PROBLEM_H
