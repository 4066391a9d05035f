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
// in the horizon. Matrices are by rows; those with a column for each variable have rows of `ld`
// numbers, nz of them and zeros up to a multiple of RUT_QP_BLOCK, so that a row is whole vectors.
#ifndef RUT_OPTIMAL_RICCATI_H
#define RUT_OPTIMAL_RICCATI_H

#include <stdbool.h>

enum {
  RUT_QP_MOST_STATES = 16,
  RUT_QP_MOST_CONTROLS = 8,
  RUT_QP_BLOCK = 4,
  RUT_QP_MOST_COLUMNS = RUT_QP_MOST_STATES + RUT_QP_MOST_CONTROLS
};

// An inequality d'z + offset >= 0 of a node.
typedef struct rutQpRow {
  int variable;  // of z that it bounds; -1: d is `by`
  double sign;   // of that, 1 or -1
  // d from the column `first` on, of `blocks` times RUT_QP_BLOCK numbers; it is 0 elsewhere. first
  // is a multiple of RUT_QP_BLOCK, or the variable.
  const double* by;
  int first, blocks;
} rutQpRow;

// What the interior-point method knows of rows, a number for each row of all nodes: of slack t > 0
// with d'z + offset + s = t, and its multiplier; s >= 0 is the violation that is paid for, with a
// multiplier of its own.
#define RUT_QP_ROWS(X)                                                             \
  X(offset)                                                                        \
  X(unit)   /* size of a usual change of d'z */                                    \
  X(linear) /* price of the violation, and with the square of it */                \
  X(square)                                                                        \
  X(hard) /* 1: no violation, all of it is 0; else 0 */                            \
  X(at)   /* d'z of the iterate, and of `next` */                                  \
  X(to)                                                                            \
  X(slack)                                                                         \
  X(dual)                                                                          \
  X(excess)                                                                        \
  X(excess_dual)                                                                   \
  X(slack_step)                                                                    \
  X(dual_step)                                                                     \
  X(excess_step)                                                                   \
  X(excess_dual_step)                                                              \
  X(over_slack) /* 1/slack, dual/slack, 1/excess, 1/(dual/slack + square + v/s) */ \
  X(ratio)                                                                         \
  X(over_excess)                                                                   \
  X(over_both)                                                                     \
  X(weight) /* it adds weight d d' to H and -pull d to g */                        \
  X(pull)

typedef struct rutQpRows {
#define X(name) double* name;
  RUT_QP_ROWS(X)
#undef X
} rutQpRows;

typedef struct rutQpNode {
  double *h, *g;  // H [nz][ld], g [ld]
  double *a, *c;  // (A B) [nx][ld], c [nx]
  double* z;      // [ld] the iterate
  int first_row, rows;
  double *big_h, *big_g;  // H and g with rows; of H what is left of the diagonal, by whole blocks
  double* next;           // [ld] solution of those
  double *p, *pv;         // P [nx][nx], p [nx]
  double *gain, *factor, *feed;  // K [nu][nx], Cholesky factor of F [nu][nu], F^-1 (g_u + B'q) [nu]
} rutQpNode;

typedef struct rutQp {
  int nx, nu, nz, ld, intervals;
  rutQpNode* node;  // [intervals + 1]
  rutQpRow* row;    // of all nodes, those of each together
  rutQpRows is;
  int rows;              // of all nodes
  const bool* fixed;     // [intervals][nu] controls that keep the value 0
  unsigned free_start;   // components of x_0 that are free; the others are in node[0].next
  double* start_factor;  // [nx][nx]
} rutQp;

// Factors of big_h at all nodes. False if it is not convex.
bool rut_riccati_factor(rutQp* qp);
// Solution for big_g, into `next` of all nodes. The fixed components of x_0 are read there.
void rut_riccati_solve(rutQp* qp);
// Multiplier of the equation of x_k at the last solution: P x + p. out[nx].
void rut_riccati_costate(const rutQp* qp, int k, double* out);

#endif  // RUT_OPTIMAL_RICCATI_H
