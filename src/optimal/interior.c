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

#include <string.h>

#include "math/lanes.h"
#include "math/rut_math.h"

static const double TO_BOUNDARY = 0.995;
static const double LEAST_SLACK = 1e-2;  // of a row at the start, in its units

static double along(const rutQp* qp, const rutQpRow* r, const double* z) {
  if (r->variable >= 0) return r->sign * z[r->variable];
  double sum = 0;
  for (int i = 0; i < qp->nz; i++) sum += r->by[i] * z[i];
  return sum;
}

// ---- the start ----

// A row's multiplier at the start is one that holds its own against the cost.
static void begin_row(const rutQp* qp, const rutQpNode* n, rutQpRow* r) {
  double curved = 0, steep = 0;
  for (int i = 0; i < qp->nz; i++) {
    const double d = r->variable < 0 ? r->by[i] : (i == r->variable);
    curved = rut_max(curved, d * d * n->h[i * qp->nz + i]);
    steep = rut_max(steep, rut_abs(d * n->g[i]));
  }
  const double least = LEAST_SLACK * r->unit;
  r->slack = rut_max(rut_abs(r->offset), least);
  r->dual = rut_max(1e-3 / r->unit, rut_min(curved * r->slack + 0.1 * steep, 1e6 / r->unit));
  r->excess = r->excess_dual = 0;
  if (r->hard) return;
  r->excess = rut_max(r->slack - r->offset, least);
  const double price = r->linear + r->square * r->excess;
  r->dual = rut_min(r->dual, 0.5 * price);
  r->excess_dual = price - r->dual;
}

// ---- a step ----

typedef struct Sums {
  double product;  // of slacks and multipliers
  int count;
} Sums;

static Sums sum_products(const rutQp* qp, double length) {
  Sums sums = {0, 0};
  for (int k = 0; k <= qp->intervals; k++) {
    const rutQpNode* n = &qp->node[k];
    for (int i = 0; i < n->rows; i++) {
      const rutQpRow* r = &n->row[i];
      sums.product += (r->slack + length * r->slack_step) * (r->dual + length * r->dual_step);
      sums.count++;
      if (r->hard) continue;
      sums.product +=
          (r->excess + length * r->excess_step) * (r->excess_dual + length * r->excess_dual_step);
      sums.count++;
    }
  }
  return sums;
}

// The three residuals that a step is to remove.
typedef struct Residual {
  double row, product, excess_product, price;
} Residual;

static Residual residual_of(const rutQp* qp, const rutQpRow* r, const double* z, double mu,
                            bool correct) {
  Residual out;
  const double second = correct ? r->slack_step * r->dual_step : 0;
  const double excess_second = correct ? r->excess_step * r->excess_dual_step : 0;
  out.row = along(qp, r, z) + r->offset + r->excess - r->slack;
  out.product = mu - r->dual * r->slack - second;
  out.excess_product = mu - r->excess_dual * r->excess - excess_second;
  out.price = r->dual + r->excess_dual - r->linear - r->square * r->excess;
  return out;
}

// Weight and pull of a row.
static void weigh(rutQpRow* r, const Residual* e, double at) {
  const double d = r->dual / r->slack;
  double weight = d, moved = e->product / r->slack - d * e->row;
  if (!r->hard) {
    const double stiff = r->square + r->excess_dual / r->excess, both = d + stiff;
    weight = d * stiff / both;
    moved = e->product / r->slack - weight * e->row -
            d / both * (e->price + e->product / r->slack + e->excess_product / r->excess);
  }
  r->weight = weight;
  r->pull = r->dual + moved + weight * at;
}

RUT_CLONES static void add_rows(const rutQp* qp, const rutQpNode* n, bool matrix) {
  const int nz = qp->nz;
  memcpy(n->big_g, n->g, (size_t)nz * sizeof *n->g);
  if (matrix) memcpy(n->big_h, n->h, (size_t)(nz * nz) * sizeof *n->h);
  for (int i = 0; i < n->rows; i++) {
    const rutQpRow* r = &n->row[i];
    if (r->variable >= 0) {
      if (matrix) n->big_h[r->variable * nz + r->variable] += r->weight;
      n->big_g[r->variable] -= r->pull * r->sign;
      continue;
    }
    for (int a = 0; a < nz; a++) {
      n->big_g[a] -= r->pull * r->by[a];
      const double f = r->weight * r->by[a];
      if (!matrix || f == 0) continue;
      RUT_FOR_LANES(b, nz) n->big_h[a * nz + b] += f * r->by[b];
    }
  }
}

// Steps of slacks and multipliers for the new z.
static void find_row_steps(const rutQp* qp, double mu, bool correct) {
  for (int k = 0; k <= qp->intervals; k++) {
    const rutQpNode* n = &qp->node[k];
    for (int i = 0; i < n->rows; i++) {
      rutQpRow* r = &n->row[i];
      const Residual e = residual_of(qp, r, n->z, mu, correct);
      const double d = r->dual / r->slack;
      const double moved = along(qp, r, n->next) - along(qp, r, n->z) + e.row;
      double excess = 0;
      if (!r->hard) {
        const double stiff = r->square + r->excess_dual / r->excess;
        excess = (e.price + e.product / r->slack + e.excess_product / r->excess - d * moved) /
                 (d + stiff);
        r->excess_dual_step = (e.excess_product - r->excess_dual * excess) / r->excess;
      }
      r->excess_step = excess;
      r->slack_step = moved + excess;
      r->dual_step = (e.product - r->dual * r->slack_step) / r->slack;
    }
  }
}

static void shorten(double value, double step, double* length) {
  if (step < 0 && -value > *length * step) *length = -value / step;
}

// Longest step, up to `most`, that keeps all slacks and multipliers from below 0.
static double find_length(const rutQp* qp, double most) {
  double length = most;
  for (int k = 0; k <= qp->intervals; k++) {
    const rutQpNode* n = &qp->node[k];
    for (int i = 0; i < n->rows; i++) {
      const rutQpRow* r = &n->row[i];
      shorten(r->slack, r->slack_step, &length);
      shorten(r->dual, r->dual_step, &length);
      if (r->hard) continue;
      shorten(r->excess, r->excess_step, &length);
      shorten(r->excess_dual, r->excess_dual_step, &length);
    }
  }
  return length;
}

static bool solve_once(rutQp* qp, double mu, bool correct, const double* start) {
  for (int k = 0; k <= qp->intervals; k++) {
    const rutQpNode* n = &qp->node[k];
    for (int i = 0; i < n->rows; i++) {
      const Residual e = residual_of(qp, &n->row[i], n->z, mu, correct);
      weigh(&n->row[i], &e, along(qp, &n->row[i], n->z));
    }
    add_rows(qp, n, !correct);
  }
  if (!correct && !rut_riccati_factor(qp)) return false;
  memcpy(qp->node[0].next, start, (size_t)qp->nx * sizeof *start);
  rut_riccati_solve(qp);
  find_row_steps(qp, mu, correct);
  return true;
}

static void take_step(const rutQp* qp, double length) {
  for (int k = 0; k <= qp->intervals; k++) {
    const rutQpNode* n = &qp->node[k];
    const int count = k < qp->intervals ? qp->nz : qp->nx;
    for (int i = 0; i < count; i++) n->z[i] += length * (n->next[i] - n->z[i]);
    for (int i = 0; i < n->rows; i++) {
      rutQpRow* r = &n->row[i];
      r->slack += length * r->slack_step;
      r->dual += length * r->dual_step;
      r->excess += length * r->excess_step;
      r->excess_dual += length * r->excess_dual_step;
    }
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

rutInteriorResult rut_interior_solve(rutQp* qp, const double* start, int most, double small) {
  rutInteriorResult result = {RUT_INTERIOR_LIMIT, 0, 0, 1};
  const double unit = largest_gradient(qp);
  for (int k = 0; k <= qp->intervals; k++) {
    rutQpNode* n = &qp->node[k];
    memset(n->z, 0, (size_t)qp->nz * sizeof *n->z);
    memset(n->next, 0, (size_t)qp->nz * sizeof *n->next);
    for (int i = 0; i < n->rows; i++) begin_row(qp, n, &n->row[i]);
  }
  while (result.iterations < most) {
    result.iterations++;
    if (!solve_once(qp, 0, false, start)) {
      result.end = RUT_INTERIOR_NOT_CONVEX;
      return result;
    }
    // without rows that is the solution; else the corrector's centre is what the predictor leaves
    const Sums now = sum_products(qp, 0);
    double length = 1;
    if (now.count > 0) {
      const double affine = find_length(qp, 1), mu = now.product / now.count;
      const double left = sum_products(qp, affine).product / now.product;
      solve_once(qp, mu * left * left * left, true, start);
      length = rut_min(1, TO_BOUNDARY * find_length(qp, 1 / TO_BOUNDARY));
    }
    take_step(qp, length);
    result.residual *= 1 - length;
    const Sums then = sum_products(qp, 0);
    result.gap = then.count > 0 ? then.product / then.count : 0;
    if (result.gap <= small * unit && result.residual <= small) {
      result.end = RUT_INTERIOR_SOLVED;
      return result;
    }
  }
  return result;
}
