// SPDX-License-Identifier: BSD-3-Clause
//
// One step of a tree's motion by given accelerations.
#ifndef RUT_MBD_INTEGRATE_H
#define RUT_MBD_INTEGRATE_H

#include "mbd/tree.h"

// Fills acceleration[speed][lane] (dv/dt; 0 for prescribed joints) for the state q, v at a time
// [s].
typedef void rutMbdRates(void* user, double time, const double* q, const double* v,
                         double* acceleration);

typedef struct rutMbdStep {
  int lanes;           // 1 or RUT_MBD_LANES
  double time, h;      // at its start, and its length [s]
  rutMbdRates* rates;  // called with `user`
  void* user;
} rutMbdStep;

// Doubles of scratch that rut_mbd_step_rk4 needs.
size_t rut_mbd_step_scratch(const rutMbdTree* tree, int lanes);

// Semi-implicit Euler with the accelerations a[speeds][lane] of q, v: v += h a, then q += h v.
// Order 1. For a free joint the velocity of the origin is kept as a vector of the mount while the
// body turns, so that free flight is not distorted.
void rut_mbd_advance_euler(const rutMbdTree* tree, int lanes, double h, const double* acceleration,
                           double* q, double* v);

// Parts of a step that its stages stand for, in the order of the calls of `rates`.
extern const double rut_mbd_rk4_weight[4];
// Classical Runge-Kutta of order 4; rotations in the Lie algebra of the start's attitude
// (Munthe-Kaas, BIT 38, 1998), so that quaternions stay of unit length and the order holds.
void rut_mbd_step_rk4(const rutMbdTree* tree, const rutMbdStep* step, double* scratch, double* q,
                      double* v);

#endif  // RUT_MBD_INTEGRATE_H
