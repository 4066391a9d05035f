// SPDX-License-Identifier: BSD-3-Clause
//
// A quadratic problem over a horizon, and the Riccati recursion that solves it without
// inequalities:
//
//   minimise  sum_k z_k' H_k z_k / 2 + g_k' z_k,  z_k = (x_k, u_k)
//   subject to  x_{k+1} = A_k x_k + B_k u_k + c_k, x_0 given but for its free components
//
// Backward, P_N = H_N and, with F = H_uu + B'P B, G = H_ux + B'P A, K = F^-1 G,
//
//   P <- H_xx + A'P A - G'K,   p <- g_x + A'q - G'F^-1 (g_u + B'q),  q = p + P c
//
// forward, u = -K x - F^-1 (g_u + B'q). Its work is N (7/3 nx^3 + 4 nx^2 nu + ...) products, linear
// in the horizon. Matrices are by rows.
#ifndef RUT_OPTIMAL_RICCATI_H
#define RUT_OPTIMAL_RICCATI_H

#include <stdbool.h>

enum { RUT_QP_MOST_STATES = 16 };

// An inequality d'z + offset >= 0 of a node, with what the interior-point method knows of it: its
// slack t > 0 with d'z + offset + s = t, and its multiplier; s >= 0 is the violation that is paid
// for, with a multiplier of its own.
typedef struct rutQpRow {
  int variable;      // of z that it bounds; -1: d is `by`
  double sign;       // of that, 1 or -1
  const double* by;  // [nz]
  double offset;
  double unit;            // size of a usual change of d'z
  double linear, square;  // price of the violation
  bool hard;              // no violation
  double slack, dual, excess, excess_dual;
  double weight, pull;  // it adds weight d d' to H and -pull d to g
  double slack_step, dual_step, excess_step, excess_dual_step;
} rutQpRow;

typedef struct rutQpNode {
  double *h, *g;  // H [nz][nz], g [nz]
  double *a, *c;  // (A B) [nx][nz], c [nx]
  double* z;      // [nz] the iterate
  rutQpRow* row;
  int rows;
  double *big_h, *big_g;         // H and g with rows
  double* next;                  // [nz] solution of those
  double *p, *pv;                // P [nx][nx], p [nx]
  double *gain, *factor, *feed;  // K [nu][nx], Cholesky factor of F [nu][nu], F^-1 (g_u + B'q) [nu]
} rutQpNode;

typedef struct rutQp {
  int nx, nu, nz, intervals;
  rutQpNode* node;        // [intervals + 1]
  const bool* fixed;      // [intervals][nu] controls that keep the value 0
  unsigned free_start;    // components of x_0 that are free; the others are in node[0].next
  double* start_factor;   // [nx][nx]
  double *work, *vector;  // [nx][nz], [nz]
} rutQp;

// Factors of big_h at all nodes. False if it is not convex.
bool rut_riccati_factor(rutQp* qp);
// Solution for big_g, into `next` of all nodes. The fixed components of x_0 are read there.
void rut_riccati_solve(rutQp* qp);
// Multiplier of the equation of x_k at the last solution: P x + p. out[nx].
void rut_riccati_costate(const rutQp* qp, int k, double* out);

#endif  // RUT_OPTIMAL_RICCATI_H
