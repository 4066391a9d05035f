// SPDX-License-Identifier: BSD-3-Clause
//
// With w'z = d'z + offset, slack t and multiplier y of a row, violation s with multiplier v and
// price l s + q s^2/2, the conditions are
//
//   w'z + s - t = 0,  y t = mu,  v s = mu,  l + q s - y - v = 0,  H z + g - sum d y - ... = 0
//
// A point leaves r_t = w'z + s - t, r_c = mu - y t, r_s = mu - v s and r_w = y + v - l - q s of
// them (the corrector also takes dy dt and dv ds of the predictor from r_c and r_s). A Newton step
// in (t, y, s, v) for a step in z is, with D = y/t and E = q + v/s,
//
//   dy = a - W d'dz,  W = D E/(D + E),  a = r_c/t - W r_t - D/(D + E) (r_w + r_c/t + r_s/s)
//
// so that a row adds W d d' to H, and -(y + a + W d'z) d to the gradient for the new z. Of a hard
// row E is infinite. The same length of the step for all keeps residuals of equations falling as
// the product of (1 - length).
#include "optimal/interior.h"

#include <stddef.h>
#include <string.h>

#include "math/lanes.h"
#include "math/rut_math.h"

static const double TO_BOUNDARY = 0.995;
static const double LEAST_SLACK = 1e-2;  // of a row at the start, in its units

// ---- rows ----

// Numbers that a row adds up to, in an order that is the same on all machines.
enum { PARTS = 8 };
static double sum_of(const double part[PARTS]) {
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

// d'z of a row that has so many blocks of columns that are not 0.
RUT_INLINE double along(const double* by, const double* z, int blocks) {
  double part[RUT_QP_BLOCK];
  RUT_FOR_LANES(l, RUT_QP_BLOCK) part[l] = by[l] * z[l];
  for (int j = RUT_QP_BLOCK; j < blocks * RUT_QP_BLOCK; j += RUT_QP_BLOCK) {
    RUT_FOR_LANES(l, RUT_QP_BLOCK) part[l] += by[j + l] * z[j + l];
  }
  return (part[0] + part[2]) + (part[1] + part[3]);
}

// d'z of the rows of a node.
RUT_CLONES static void look_along(const rutQp* qp, const rutQpNode* n, const double* z,
                                  double* out) {
  for (int i = n->first_row; i < n->first_row + n->rows; i++) {
    const rutQpRow* r = &qp->row[i];
    const double* at = z + r->first;
    if (r->variable >= 0) {
      out[i] = r->sign * z[r->variable];
    } else if (r->blocks == 1) {
      out[i] = along(r->by, at, 1);
    } else {
      out[i] = along(r->by, at, r->blocks);
    }
  }
}

// A row's part of H, from its first column on: m += weight d d', left of the diagonal.
RUT_INLINE void add_square(const double* by, double weight, int blocks, int columns, double* m,
                           int ld) {
  for (int a = 0; a < columns; a++) {
    const double f = weight * by[a];
    if (blocks > 1 && f == 0) continue;
    for (int j = 0; j <= a; j += RUT_QP_BLOCK) {
      RUT_FOR_LANES(l, RUT_QP_BLOCK) m[a * ld + j + l] += f * by[j + l];
    }
  }
}

// H and g of a node with its rows; of H what is left of the diagonal, by whole blocks.
RUT_CLONES static void add_rows(const rutQp* qp, const rutQpNode* n, bool matrix) {
  const int nz = qp->nz, ld = qp->ld;
  memcpy(n->big_g, n->g, (size_t)ld * sizeof *n->g);
  if (matrix) memcpy(n->big_h, n->h, (size_t)(nz * ld) * sizeof *n->h);
  for (int i = n->first_row; i < n->first_row + n->rows; i++) {
    const rutQpRow* r = &qp->row[i];
    const double weight = qp->is.weight[i], pull = qp->is.pull[i];
    if (r->variable >= 0) {
      if (matrix) n->big_h[r->variable * ld + r->variable] += weight;
      n->big_g[r->variable] -= pull * r->sign;
      continue;
    }
    double *g = n->big_g + r->first, *m = n->big_h + (ptrdiff_t)r->first * (ld + 1);
    for (int j = 0; j < r->blocks * RUT_QP_BLOCK; j += RUT_QP_BLOCK) {
      RUT_FOR_LANES(l, RUT_QP_BLOCK) g[j + l] -= pull * r->by[j + l];
    }
    if (!matrix) continue;
    if (r->blocks == 1 && r->first + RUT_QP_BLOCK <= nz) {
      add_square(r->by, weight, 1, RUT_QP_BLOCK, m, ld);
    } else {
      const int columns = r->blocks * RUT_QP_BLOCK, left = nz - r->first;
      add_square(r->by, weight, 2, columns < left ? columns : left, m, ld);
    }
  }
}

// ---- the start ----

// A row's multiplier at the start is one that holds its own against the cost.
static void begin_row(const rutQp* qp, const rutQpNode* n, int row) {
  const rutQpRow* r = &qp->row[row];
  const rutQpRows* is = &qp->is;
  double curved = 0, steep = 0;
  const int columns = r->variable < 0 ? r->blocks * RUT_QP_BLOCK : 1;
  for (int j = 0; j < columns && r->first + j < qp->nz; j++) {
    const double d = r->variable < 0 ? r->by[j] : 1;
    const int i = r->first + j;
    curved = rut_max(curved, d * d * n->h[i * qp->ld + i]);
    steep = rut_max(steep, rut_abs(d * n->g[i]));
  }
  const double unit = is->unit[row], offset = is->offset[row], least = LEAST_SLACK * unit;
  const double slack = rut_max(rut_abs(offset), least);
  double dual = rut_max(1e-3 / unit, rut_min(curved * slack + 0.1 * steep, 1e6 / unit));
  is->excess[row] = is->excess_dual[row] = 0;
  if (is->hard[row] == 0) {
    is->excess[row] = rut_max(slack - offset, least);
    const double price = is->linear[row] + is->square[row] * is->excess[row];
    dual = rut_min(dual, 0.5 * price);
    is->excess_dual[row] = price - dual;
  }
  is->slack[row] = slack;
  is->dual[row] = dual;
  is->at[row] = 0;
  is->slack_step[row] = is->dual_step[row] = is->excess_step[row] = is->excess_dual_step[row] = 0;
}

// ---- a step ----

// Sum of products of slacks and multipliers after a step of a length.
RUT_CLONES static double sum_products(const rutQp* qp, double length) {
  const rutQpRows is = qp->is;
  double part[PARTS] = {0};
  int i = 0;
#define PRODUCTS(i)                                                                      \
  ((is.slack[i] + length * is.slack_step[i]) * (is.dual[i] + length * is.dual_step[i]) + \
   (is.excess[i] + length * is.excess_step[i]) *                                         \
       (is.excess_dual[i] + length * is.excess_dual_step[i]))
  for (; i + PARTS <= qp->rows; i += PARTS) {
    RUT_FOR_LANES(l, PARTS) part[l] += PRODUCTS(i + l);
  }
  for (; i < qp->rows; i++) part[0] += PRODUCTS(i);
#undef PRODUCTS
  return sum_of(part);
}

// The three residuals that a step is to remove.
typedef struct Residual {
  double row, product, excess_product, price;
} Residual;

RUT_INLINE Residual residual_of(const rutQpRows* is, int i, double mu, double second) {
  Residual out;
  out.row = is->at[i] + is->offset[i] + is->excess[i] - is->slack[i];
  out.product = mu - is->dual[i] * is->slack[i] - second * (is->slack_step[i] * is->dual_step[i]);
  out.excess_product = mu - is->excess_dual[i] * is->excess[i] -
                       second * (is->excess_step[i] * is->excess_dual_step[i]);
  out.price = is->dual[i] + is->excess_dual[i] - is->linear[i] - is->square[i] * is->excess[i];
  return out;
}

// What is divided by in a step, the same for predictor and corrector.
RUT_CLONES static void divide(const rutQp* qp) {
  const rutQpRows is = qp->is;
  RUT_FOR_LANES(i, qp->rows) {
    const double over_slack = 1 / is.slack[i], over_excess = 1 / (is.excess[i] + is.hard[i]);
    const double ratio = is.dual[i] * over_slack;
    const double stiff = is.square[i] + is.excess_dual[i] * over_excess;
    is.over_slack[i] = over_slack;
    is.ratio[i] = ratio;
    is.over_excess[i] = over_excess;
    is.over_both[i] = 1 / (ratio + stiff);
    is.weight[i] = is.hard[i] != 0 ? ratio : ratio * stiff * is.over_both[i];
  }
}

// Pull of all rows; `second` is 1 for the corrector.
RUT_CLONES static void weigh_rows(const rutQp* qp, double mu, double second) {
  const rutQpRows is = qp->is;
  RUT_FOR_LANES(i, qp->rows) {
    const Residual e = residual_of(&is, i, mu, second);
    const double soft = 1 - is.hard[i], weight = is.weight[i];
    const double own = e.product * is.over_slack[i];
    const double shared = e.price + own + e.excess_product * is.over_excess[i];
    const double moved = own - weight * e.row - soft * (is.ratio[i] * is.over_both[i] * shared);
    is.pull[i] = is.dual[i] + moved + weight * is.at[i];
  }
}

// Steps of slacks and multipliers for the new z.
RUT_CLONES static void find_row_steps(const rutQp* qp, double mu, double second) {
  const rutQpRows is = qp->is;
  RUT_FOR_LANES(i, qp->rows) {
    const Residual e = residual_of(&is, i, mu, second);
    const double soft = 1 - is.hard[i], moved = is.to[i] - is.at[i] + e.row;
    const double shared =
        e.price + e.product * is.over_slack[i] + e.excess_product * is.over_excess[i];
    const double excess = soft * ((shared - is.ratio[i] * moved) * is.over_both[i]);
    const double slack = moved + excess;
    is.excess_dual_step[i] =
        soft * ((e.excess_product - is.excess_dual[i] * excess) * is.over_excess[i]);
    is.excess_step[i] = excess;
    is.slack_step[i] = slack;
    is.dual_step[i] = (e.product - is.dual[i] * slack) * is.over_slack[i];
  }
}

// How often a step takes a positive number to 0; 0 if it does not shrink.
RUT_INLINE double shrinks(double value, double step) { return step < 0 ? -step / value : 0; }

// Longest step, up to `most`, that keeps all slacks and multipliers from below 0.
RUT_CLONES static double find_length(const rutQp* qp, double most) {
  const rutQpRows is = qp->is;
  double part[PARTS] = {0};
  int i = 0;
#define RATE(i)                                                                        \
  rut_max(rut_max(is.slack_step[i] < 0 ? -is.slack_step[i] * is.over_slack[i] : 0,     \
                  is.excess_step[i] < 0 ? -is.excess_step[i] * is.over_excess[i] : 0), \
          rut_max(shrinks(is.dual[i], is.dual_step[i]),                                \
                  shrinks(is.excess_dual[i], is.excess_dual_step[i])))
  for (; i + PARTS <= qp->rows; i += PARTS) {
    RUT_FOR_LANES(l, PARTS) part[l] = rut_max(part[l], RATE(i + l));
  }
  for (; i < qp->rows; i++) part[0] = rut_max(part[0], RATE(i));
#undef RATE
  double rate = 0;
  for (int l = 0; l < PARTS; l++) rate = rut_max(rate, part[l]);
  return rate * most > 1 ? 1 / rate : most;
}

static bool solve_once(rutQp* qp, double mu, bool correct, const double* start) {
  if (!correct) divide(qp);
  weigh_rows(qp, mu, correct);
  for (int k = 0; k <= qp->intervals; k++) add_rows(qp, &qp->node[k], !correct);
  if (!correct && !rut_riccati_factor(qp)) return false;
  memcpy(qp->node[0].next, start, (size_t)qp->nx * sizeof *start);
  rut_riccati_solve(qp);
  for (int k = 0; k <= qp->intervals; k++) {
    look_along(qp, &qp->node[k], qp->node[k].next, qp->is.to);
  }
  find_row_steps(qp, mu, correct);
  return true;
}

RUT_CLONES static void take_step(const rutQp* qp, double length) {
  const rutQpRows is = qp->is;
  for (int k = 0; k <= qp->intervals; k++) {
    const rutQpNode* n = &qp->node[k];
    const int count = k < qp->intervals ? qp->nz : qp->nx;
    RUT_FOR_LANES(i, count) n->z[i] += length * (n->next[i] - n->z[i]);
  }
  RUT_FOR_LANES(i, qp->rows) {
    is.at[i] += length * (is.to[i] - is.at[i]);
    is.slack[i] += length * is.slack_step[i];
    is.dual[i] += length * is.dual_step[i];
    is.excess[i] += length * is.excess_step[i];
    is.excess_dual[i] += length * is.excess_dual_step[i];
  }
}

// Gaps are measured against the cost's own slopes.
static double largest_gradient(const rutQp* qp) {
  double most = 1;
  for (int k = 0; k <= qp->intervals; k++) {
    for (int i = 0; i < qp->nz; i++) most = rut_max(most, rut_abs(qp->node[k].g[i]));
  }
  return most;
}

// Begins at z = 0; returns the number of products of slacks and multipliers.
static int begin(const rutQp* qp) {
  int count = 0;
  for (int k = 0; k <= qp->intervals; k++) {
    rutQpNode* n = &qp->node[k];
    memset(n->z, 0, (size_t)qp->ld * sizeof *n->z);
    memset(n->next, 0, (size_t)qp->ld * sizeof *n->next);
    for (int i = n->first_row; i < n->first_row + n->rows; i++) {
      begin_row(qp, n, i);
      count += qp->is.hard[i] != 0 ? 1 : 2;
    }
  }
  return count;
}

rutInteriorResult rut_interior_solve(rutQp* qp, const double* start, int most, double small) {
  rutInteriorResult result = {RUT_INTERIOR_LIMIT, 0, 0, 1};
  const double unit = largest_gradient(qp);
  const int count = begin(qp);
  while (result.iterations < most) {
    result.iterations++;
    if (!solve_once(qp, 0, false, start)) {
      result.end = RUT_INTERIOR_NOT_CONVEX;
      return result;
    }
    // without rows that is the solution; else the corrector's centre is what the predictor leaves
    double length = 1;
    if (count > 0) {
      const double now = sum_products(qp, 0), affine = find_length(qp, 1);
      const double left = sum_products(qp, affine) / now;
      solve_once(qp, now / count * left * left * left, true, start);
      length = rut_min(1, TO_BOUNDARY * find_length(qp, 1 / TO_BOUNDARY));
    }
    take_step(qp, length);
    result.residual *= 1 - length;
    result.gap = count > 0 ? sum_products(qp, 0) / count : 0;
    if (result.gap <= small * unit && result.residual <= small) {
      result.end = RUT_INTERIOR_SOLVED;
      return result;
    }
  }
  return result;
}
