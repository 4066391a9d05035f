// SPDX-License-Identifier: BSD-3-Clause
#include "optimal/problem.h"

#include <string.h>

#include "math/rut_math.h"

_Static_assert((int)RUT_MPC_MOST_STATES <= (int)RUT_QP_MOST_STATES, "states of the recursion");

void rut_sqp_layout(rutSqp* sqp, const rutMpcProblem* problem, rutArena* arena) {
  const int nx = problem->states, nu = problem->controls, nz = nx + nu, n = problem->intervals;
  const int rows = problem->rows + (problem->low || problem->high ? 2 * nz : 0);
  rutQp* qp = &sqp->qp;
  *sqp = (rutSqp){.problem = problem};
  const int ld = (nz + RUT_QP_BLOCK - 1) / RUT_QP_BLOCK * RUT_QP_BLOCK;
  *qp = (rutQp){.nx = nx, .nu = nu, .nz = nz, .ld = ld, .intervals = n};
  qp->free_start = problem->free_start;
  sqp->state = RUT_TAKE(arena, double, (n + 1) * nx);
  sqp->control = RUT_TAKE(arena, double, n* nu);
  sqp->trial_state = RUT_TAKE(arena, double, (n + 1) * nx);
  sqp->trial_control = RUT_TAKE(arena, double, n* nu);
  sqp->row_by = RUT_TAKE(arena, double, (n + 1) * problem->rows * ld);
  sqp->by = RUT_TAKE(arena, double, (problem->rows > nz ? problem->rows : nz) * nz);
  sqp->scale = RUT_TAKE(arena, double, nz);
  sqp->weight = RUT_TAKE(arena, double, nx);
  sqp->next = RUT_TAKE(arena, double, nx);
  sqp->value = RUT_TAKE(arena, double, problem->rows);
  sqp->change = RUT_TAKE(arena, double, nz);
  qp->fixed = RUT_TAKE(arena, bool, n* nu);
  qp->start_factor = RUT_TAKE(arena, double, nx* nx);
  qp->row = RUT_TAKE(arena, rutQpRow, (n + 1) * rows);
#define X(name) qp->is.name = RUT_TAKE(arena, double, (n + 1) * rows);
  RUT_QP_ROWS(X)
#undef X
  qp->node = RUT_TAKE(arena, rutQpNode, n + 1);
  for (int k = 0; k <= n; k++) {
    rutQpNode node = {0};
    node.h = RUT_TAKE(arena, double, nz* ld);
    node.big_h = RUT_TAKE(arena, double, nz* ld);
    node.a = RUT_TAKE(arena, double, nx* ld);
    node.p = RUT_TAKE(arena, double, nx* nx);
    node.gain = RUT_TAKE(arena, double, nu* nx);
    node.factor = RUT_TAKE(arena, double, nu* nu);
    // vectors of a node lie together
    double* v = RUT_TAKE(arena, double, 4 * ld + 2 * nx + nu);
    if (v) {
      node.g = v;
      node.big_g = v + ld;
      node.z = v + (ptrdiff_t)2 * ld;
      node.next = v + (ptrdiff_t)3 * ld;
      node.c = v + (ptrdiff_t)4 * ld;
      node.pv = node.c + nx;
      node.feed = node.pv + nx;
    }
    if (qp->node) qp->node[k] = node;
  }
}

rutMpcNode rut_sqp_node(const rutSqp* sqp, const double* state, const double* control, int k) {
  const rutMpcProblem* p = sqp->problem;
  return (rutMpcNode){k, state + (ptrdiff_t)k * p->states,
                      k < p->intervals ? control + (ptrdiff_t)k * p->controls : NULL, p->user};
}

// ---- rows and bounds ----

static double variable_of(const rutSqp* sqp, const rutMpcNode* at, int i) {
  return i < sqp->qp.nx ? at->state[i] : at->control[i - sqp->qp.nx];
}

// Whether bounds of a variable hold at a node: not those of what is given.
static bool has_bounds(const rutSqp* sqp, int k, int i) {
  const rutQp* qp = &sqp->qp;
  if (i >= qp->nx) return k < qp->intervals && !qp->fixed[k * qp->nu + i - qp->nx];
  return k > 0 || (qp->free_start >> i & 1);
}

static bool is_hard(const rutMpcPrice* price) {
  return !price || price->linear >= RUT_MPC_FORBIDDEN;
}

// A row more of a node.
static void add_row(rutQp* qp, rutQpNode* node, rutQpRow row, double offset, double unit,
                    const rutMpcPrice* price) {
  const int i = qp->rows++;
  const bool hard = is_hard(price);
  node->rows++;
  qp->row[i] = row;
  qp->is.offset[i] = offset;
  qp->is.unit[i] = unit;
  qp->is.hard[i] = hard;
  qp->is.linear[i] = hard ? 0 : price->linear;
  qp->is.square[i] = hard ? 0 : price->square;
}

// Bounds of a node as rows.
static void add_bounds(rutSqp* sqp, const rutMpcNode* at, rutQpNode* node) {
  const rutMpcProblem* p = sqp->problem;
  const int nz = sqp->qp.nz;
  for (int i = 0; i < nz; i++) {
    if (!has_bounds(sqp, at->k, i)) continue;
    const double z = variable_of(sqp, at, i), unit = sqp->scale[i];
    const double low = p->low ? p->low[at->k * nz + i] : -RUT_MPC_NO_BOUND;
    const double high = p->high ? p->high[at->k * nz + i] : RUT_MPC_NO_BOUND;
    const rutMpcPrice* price = i < sqp->qp.nx && p->state_price ? &p->state_price[i] : NULL;
    const rutQpRow above = {.variable = i, .sign = 1, .first = i},
                   below = {.variable = i, .sign = -1, .first = i};
    if (low > -RUT_MPC_NO_BOUND) add_row(&sqp->qp, node, above, z - low, unit, price);
    if (high < RUT_MPC_NO_BOUND) add_row(&sqp->qp, node, below, high - z, unit, price);
  }
}

// ---- merit ----

// A row that lacks `by` (if positive).
static void add_violation(const rutSqp* sqp, rutMerit* m, double by, const rutMpcPrice* price) {
  if (!(by > 0)) return;
  m->violation = rut_max(m->violation, by);
  if (is_hard(price)) {
    m->wrong += sqp->hard_weight * by;
  } else {
    m->paid += by * (price->linear + 0.5 * price->square * by);
  }
}

static void add_violations(const rutSqp* sqp, const rutMpcNode* at, rutMerit* m) {
  const rutMpcProblem* p = sqp->problem;
  const int nz = sqp->qp.nz, rows = p->row ? p->row(at, sqp->value, NULL) : 0;
  for (int i = 0; i < rows; i++) {
    add_violation(sqp, m, -sqp->value[i], &p->row_price[i]);
    m->finite = m->finite && rut_is_finite(sqp->value[i]);
  }
  for (int i = 0; i < nz && (p->low || p->high); i++) {
    if (!has_bounds(sqp, at->k, i)) continue;
    const rutMpcPrice* price = i < sqp->qp.nx && p->state_price ? &p->state_price[i] : NULL;
    const double z = variable_of(sqp, at, i);
    if (p->low) add_violation(sqp, m, p->low[at->k * nz + i] - z, price);
    if (p->high) add_violation(sqp, m, z - p->high[at->k * nz + i], price);
  }
}

rutMerit rut_sqp_merit(rutSqp* sqp, const double* state, const double* control) {
  const rutMpcProblem* p = sqp->problem;
  rutMerit m = {.finite = true};
  for (int k = 0; k <= p->intervals; k++) {
    const rutMpcNode at = rut_sqp_node(sqp, state, control, k);
    m.cost += p->cost(&at, NULL, NULL);
    add_violations(sqp, &at, &m);
    if (k == p->intervals) break;
    p->next(&at, sqp->next, NULL);
    for (int i = 0; i < p->states; i++) {
      const double defect = rut_abs(at.state[p->states + i] - sqp->next[i]);
      m.wrong += sqp->weight[i] * defect;
      m.defect = rut_max(m.defect, defect / sqp->scale[i]);
    }
  }
  m.finite = m.finite && rut_is_finite(m.cost) && rut_is_finite(m.paid) && rut_is_finite(m.wrong);
  return m;
}

// ---- the quadratic problem ----

static bool all_finite(const double* v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] - v[i];
  return sum == 0;
}

// Damping is of what is free to choose. On states that follow from it, it would weigh against the
// cost in their multipliers, which the merit's weights have to be above.
static void add_damping(const rutSqp* sqp, int k, double added) {
  const rutQp* qp = &sqp->qp;
  for (int i = 0; i < qp->nz; i++) {
    if (i < qp->nx && !(k == 0 && (qp->free_start >> i & 1))) continue;
    qp->node[k].h[i * qp->ld + i] += added / (sqp->scale[i] * sqp->scale[i]);
  }
}

// Rows of n columns, zeroed up to ld of them, of rows without gaps.
static void spread(const double* from, int rows, int n, double* to, int ld) {
  for (int i = 0; i < rows; i++) {
    memcpy(to + (ptrdiff_t)i * ld, from + (ptrdiff_t)i * n, (size_t)n * sizeof *to);
    memset(to + (ptrdiff_t)i * ld + n, 0, (size_t)(ld - n) * sizeof *to);
  }
}

// The problem's own rows of a node.
static bool linearise_rows(rutSqp* sqp, const rutMpcNode* at, rutQpNode* node) {
  const rutMpcProblem* p = sqp->problem;
  rutQp* qp = &sqp->qp;
  const int nz = qp->nz, ld = qp->ld;
  memset(sqp->by, 0, (size_t)(p->rows * nz) * sizeof *sqp->by);
  const int rows = p->row(at, sqp->value, sqp->by);
  double* by = sqp->row_by + (ptrdiff_t)at->k * p->rows * ld;
  spread(sqp->by, rows, nz, by, ld);
  for (int i = 0; i < rows; i++, by += ld) {
    int first = 0, end = nz;
    while (first < nz && by[first] == 0) first++;
    while (end > first && by[end - 1] == 0) end--;
    first -= first % RUT_QP_BLOCK;
    // a row of zeros has a block of them
    const int blocks = end > first ? (end - first + RUT_QP_BLOCK - 1) / RUT_QP_BLOCK : 1;
    if (first == ld) first = 0;
    const rutQpRow row = {.variable = -1, .by = by + first, .first = first, .blocks = blocks};
    add_row(qp, node, row, sqp->value[i], 1, &p->row_price[i]);
  }
  return all_finite(sqp->by, rows * nz) && all_finite(sqp->value, rows);
}

static bool linearise_node(rutSqp* sqp, const rutMpcNode* at, double added) {
  const rutMpcProblem* p = sqp->problem;
  const int nx = sqp->qp.nx, nz = sqp->qp.nz, ld = sqp->qp.ld;
  rutQpNode* n = &sqp->qp.node[at->k];
  memset(n->g, 0, (size_t)ld * sizeof *n->g);
  memset(sqp->by, 0, (size_t)(nz * nz) * sizeof *sqp->by);
  p->cost(at, n->g, sqp->by);
  spread(sqp->by, nz, nz, n->h, ld);
  add_damping(sqp, at->k, added);
  bool finite = all_finite(n->g, nz) && all_finite(n->h, nz * ld);
  // rows, then bounds
  n->rows = 0;
  n->first_row = sqp->qp.rows;
  if (p->row) finite = linearise_rows(sqp, at, n) && finite;
  if (p->low || p->high) add_bounds(sqp, at, n);
  if (at->k == p->intervals) return finite;
  // the equation of the next state
  memset(sqp->by, 0, (size_t)(nx * nz) * sizeof *sqp->by);
  p->next(at, n->c, sqp->by);
  spread(sqp->by, nx, nz, n->a, ld);
  for (int i = 0; i < nx; i++) n->c[i] -= at->state[nx + i];
  return finite && all_finite(n->c, nx) && all_finite(n->a, nx * ld);
}

bool rut_sqp_linearise(rutSqp* sqp, double added) {
  bool finite = true;
  sqp->qp.rows = 0;
  for (int k = 0; k <= sqp->problem->intervals; k++) {
    const rutMpcNode at = rut_sqp_node(sqp, sqp->state, sqp->control, k);
    finite = linearise_node(sqp, &at, added) && finite;
  }
  return finite;
}

// What row i lacks costs at a value of it.
static double price_of(const rutSqp* sqp, int i, double value) {
  const rutQpRows* is = &sqp->qp.is;
  const double lacks = rut_max(-value, 0);
  return is->hard[i] != 0 ? sqp->hard_weight * lacks
                          : lacks * (is->linear[i] + 0.5 * is->square[i] * lacks);
}

double rut_sqp_expected(rutSqp* sqp) {
  const rutQp* qp = &sqp->qp;
  double change = 0;
  for (int k = 0; k <= qp->intervals; k++) {
    const rutQpNode* n = &qp->node[k];
    for (int i = 0; i < (k < qp->intervals ? qp->nz : qp->nx); i++) change += n->g[i] * n->z[i];
    for (int i = 0; i < qp->nx && k < qp->intervals; i++) {
      change -= sqp->weight[i] * rut_abs(n->c[i]);
    }
  }
  for (int i = 0; i < qp->rows; i++) {
    const double offset = qp->is.offset[i];
    change += price_of(sqp, i, offset + qp->is.at[i]) - price_of(sqp, i, offset);
  }
  return change;
}
