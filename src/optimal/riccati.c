// SPDX-License-Identifier: BSD-3-Clause
//
// Sums of products are over whole rows, in an order that does not depend on the vectors of a
// machine. Kernels are written for any size, and compiled once more for that of the problem of
// rut/avoidance.h, where loops over a row are a few instructions.
#include "optimal/riccati.h"

#include <string.h>

#include "math/lanes.h"
#include "math/rut_math.h"

typedef struct Size {
  int nx, nu, nz, ld;
} Size;

static Size size_of(const rutQp* qp) { return (Size){qp->nx, qp->nu, qp->nz, qp->ld}; }

// The size that the compiler knows.
enum { KNOWN_STATES = 8, KNOWN_CONTROLS = 3 };
static const Size known = {KNOWN_STATES, KNOWN_CONTROLS, KNOWN_STATES + KNOWN_CONTROLS, 12};
static bool is_known(const rutQp* qp) {
  return qp->nx == KNOWN_STATES && qp->nu == KNOWN_CONTROLS && qp->ld == 12;
}

// ---- small matrices ----

// Cholesky factor of the n x n matrix m, in its lower triangle. False if m is not
// positive definite.
RUT_INLINE bool factorise(double* m, int n) {
  for (int j = 0; j < n; j++) {
    double diagonal = m[j * n + j];
    for (int k = 0; k < j; k++) diagonal -= m[j * n + k] * m[j * n + k];
    if (!(diagonal > 0) || !rut_is_finite(diagonal)) return false;
    const double root = rut_sqrt(diagonal);
    m[j * n + j] = root;
    for (int i = j + 1; i < n; i++) {
      double sum = m[i * n + j];
      for (int k = 0; k < j; k++) sum -= m[i * n + k] * m[j * n + k];
      m[i * n + j] = sum / root;
    }
  }
  return true;
}

// Solve L L' y = b for `columns` right sides b[n][columns], in place.
RUT_INLINE void solve_factored(const double* factor, int n, double* b, int columns) {
  for (int i = 0; i < n; i++) {
    double* row = b + (long)i * columns;
    for (int k = 0; k < i; k++) {
      const double f = factor[i * n + k];
      RUT_FOR_LANES(j, columns) row[j] -= f * b[k * columns + j];
    }
    const double over = 1 / factor[i * n + i];
    RUT_FOR_LANES(j, columns) row[j] *= over;
  }
  for (int i = n - 1; i >= 0; i--) {
    double* row = b + (long)i * columns;
    for (int k = i + 1; k < n; k++) {
      const double f = factor[k * n + i];
      RUT_FOR_LANES(j, columns) row[j] -= f * b[k * columns + j];
    }
    const double over = 1 / factor[i * n + i];
    RUT_FOR_LANES(j, columns) row[j] *= over;
  }
}

// ---- factors ----

// Factors f_k, a row or a column of a matrix.
typedef struct Factors {
  const double* at;
  int n, stride;
} Factors;

// row += sum_k f_k m[k][ld], up to column `end`.
RUT_INLINE void add_products(double* row, Factors f, const double* m, int ld, int end) {
  double sum[RUT_QP_MOST_COLUMNS];
  RUT_FOR_LANES(j, end) sum[j] = row[j];
  for (int k = 0; k < f.n; k++) {
    const double factor = f.at[k * f.stride];
    RUT_FOR_LANES(j, end) sum[j] += factor * m[k * ld + j];
  }
  RUT_FOR_LANES(j, end) row[j] = sum[j];
}

// H of a node with what follows, (H_xx .; H_ux H_uu) + (A B)'P (A B), into m, what is left of the
// diagonal.
RUT_INLINE void add_future(Size s, const double* a, const double* p, double* m) {
  double pa[RUT_QP_MOST_STATES * RUT_QP_MOST_COLUMNS];
  for (int i = 0; i < s.nx; i++) {
    double* row = pa + (long)i * s.ld;
    RUT_FOR_LANES(j, s.ld) row[j] = 0;
    add_products(row, (Factors){p + (long)i * s.nx, s.nx, 1}, a, s.ld, s.ld);
  }
  for (int i = 0; i < s.nz; i++) {
    double* row = m + (long)i * s.ld;
    const Factors column = {a + i, s.nx, s.ld};
    // as far as the diagonal, in numbers that the compiler knows
    if (i < RUT_QP_BLOCK) {
      add_products(row, column, pa, s.ld, RUT_QP_BLOCK);
    } else if (i < 2 * RUT_QP_BLOCK) {
      add_products(row, column, pa, s.ld, 2 * RUT_QP_BLOCK);
    } else {
      add_products(row, column, pa, s.ld, s.ld);
    }
  }
}

// K and the factor of F of a node from m, and P.
RUT_INLINE bool eliminate_controls(Size s, const rutQpNode* n, const bool* fixed, const double* m) {
  for (int i = 0; i < s.nu; i++) {
    const double* row = m + (long)(s.nx + i) * s.ld;
    for (int j = 0; j <= i; j++) {
      const bool out = fixed[i] || fixed[j];
      n->factor[i * s.nu + j] = out ? (i == j) : row[s.nx + j];
    }
    const double in = fixed[i] ? 0 : 1;
    RUT_FOR_LANES(j, s.nx) n->gain[i * s.nx + j] = in * row[j];
  }
  double g[RUT_QP_MOST_CONTROLS * RUT_QP_MOST_STATES];
  RUT_FOR_LANES(j, s.nu * s.nx) g[j] = n->gain[j];
  if (!factorise(n->factor, s.nu)) return false;
  solve_factored(n->factor, s.nu, n->gain, s.nx);
  for (int i = 0; i < s.nx; i++) {
    double sum[RUT_QP_MOST_STATES];
    RUT_FOR_LANES(j, s.nx) sum[j] = m[i * s.ld + j];
    for (int c = 0; c < s.nu; c++) {
      const double f = g[c * s.nx + i];
      RUT_FOR_LANES(j, s.nx) sum[j] -= f * n->gain[c * s.nx + j];
    }
    RUT_FOR_LANES(j, s.nx) n->p[i * s.nx + j] = sum[j];
  }
  // what is right of the diagonal is what is left of it
  for (int i = 0; i < s.nx; i++) {
    for (int j = 0; j < i; j++) n->p[j * s.nx + i] = n->p[i * s.nx + j];
  }
  return true;
}

RUT_INLINE bool factor_node(const rutQp* qp, Size s, int k) {
  const rutQpNode* n = &qp->node[k];
  add_future(s, n->a, qp->node[k + 1].p, n->big_h);
  return eliminate_controls(s, n, qp->fixed + (long)k * s.nu, n->big_h);
}
RUT_CLONES static bool factor_known(const rutQp* qp, int k) { return factor_node(qp, known, k); }
RUT_CLONES static bool factor_any(const rutQp* qp, int k) {
  return factor_node(qp, size_of(qp), k);
}

static bool is_free(const rutQp* qp, int i) { return qp->free_start >> i & 1; }

static bool factor_start(const rutQp* qp) {
  const int nx = qp->nx;
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < nx; j++) {
      const bool both = is_free(qp, i) && is_free(qp, j);
      qp->start_factor[i * nx + j] = both ? qp->node[0].p[i * nx + j] : (i == j);
    }
  }
  return factorise(qp->start_factor, nx);
}

bool rut_riccati_factor(rutQp* qp) {
  const int nx = qp->nx;
  const rutQpNode* last = &qp->node[qp->intervals];
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j <= i; j++) {
      last->p[i * nx + j] = last->p[j * nx + i] = last->big_h[i * qp->ld + j];
    }
  }
  const bool same = is_known(qp);
  for (int k = qp->intervals - 1; k >= 0; k--) {
    if (!(same ? factor_known(qp, k) : factor_any(qp, k))) return false;
  }
  return factor_start(qp);
}

// ---- solutions ----

RUT_INLINE void pass_backward(const rutQp* qp, Size s, int k) {
  const rutQpNode *n = &qp->node[k], *after = &qp->node[k + 1];
  double q[RUT_QP_MOST_STATES], v[RUT_QP_MOST_COLUMNS];
  // P is symmetric: its columns are its rows
  RUT_FOR_LANES(i, s.nx) q[i] = after->pv[i];
  add_products(q, (Factors){n->c, s.nx, 1}, after->p, s.nx, s.nx);
  RUT_FOR_LANES(j, s.ld) v[j] = n->big_g[j];
  add_products(v, (Factors){q, s.nx, 1}, n->a, s.ld, s.ld);
  const bool* fixed = qp->fixed + (long)k * s.nu;
  for (int i = 0; i < s.nu; i++) n->feed[i] = fixed[i] ? 0 : v[s.nx + i];
  // p = v_x - G'F^-1 v_u = v_x - K'v_u
  for (int c = 0; c < s.nu; c++) {
    RUT_FOR_LANES(j, s.nx) v[j] -= n->gain[c * s.nx + j] * n->feed[c];
  }
  RUT_FOR_LANES(j, s.nx) n->pv[j] = v[j];
  solve_factored(n->factor, s.nu, n->feed, 1);
}
RUT_CLONES static void backward_known(const rutQp* qp, int k) { pass_backward(qp, known, k); }
RUT_CLONES static void backward_any(const rutQp* qp, int k) { pass_backward(qp, size_of(qp), k); }

// The sum of products of two rows of whole blocks, or of any n.
RUT_INLINE double dot(const double* a, const double* b, int n) {
  double part[RUT_QP_BLOCK] = {0};
  int j = 0;
  for (; j + RUT_QP_BLOCK <= n; j += RUT_QP_BLOCK) {
    RUT_FOR_LANES(l, RUT_QP_BLOCK) part[l] += a[j + l] * b[j + l];
  }
  for (; j < n; j++) part[0] += a[j] * b[j];
  return (part[0] + part[2]) + (part[1] + part[3]);
}

RUT_INLINE void pass_forward(const rutQp* qp, Size s, int k) {
  const rutQpNode *n = &qp->node[k], *after = &qp->node[k + 1];
  for (int i = 0; i < s.nu; i++) {
    n->next[s.nx + i] = -n->feed[i] - dot(n->gain + (long)i * s.nx, n->next, s.nx);
  }
  for (int i = 0; i < s.nx; i++) {
    after->next[i] = n->c[i] + dot(n->a + (long)i * s.ld, n->next, s.ld);
  }
}
RUT_CLONES static void forward_known(const rutQp* qp, int k) { pass_forward(qp, known, k); }
RUT_CLONES static void forward_any(const rutQp* qp, int k) { pass_forward(qp, size_of(qp), k); }

// The free components of x_0 minimise x'P x/2 + p'x.
static void find_start(const rutQp* qp) {
  const rutQpNode* n = &qp->node[0];
  double v[RUT_QP_MOST_STATES];
  for (int i = 0; i < qp->nx; i++) {
    v[i] = 0;
    if (!is_free(qp, i)) continue;
    v[i] = -n->pv[i];
    for (int j = 0; j < qp->nx; j++) {
      if (!is_free(qp, j)) v[i] -= n->p[i * qp->nx + j] * n->next[j];
    }
  }
  solve_factored(qp->start_factor, qp->nx, v, 1);
  for (int i = 0; i < qp->nx; i++) {
    if (is_free(qp, i)) n->next[i] = v[i];
  }
}

void rut_riccati_solve(rutQp* qp) {
  const bool same = is_known(qp);
  const rutQpNode* last = &qp->node[qp->intervals];
  memcpy(last->pv, last->big_g, (size_t)qp->nx * sizeof(double));
  for (int k = qp->intervals - 1; k >= 0; k--) {
    same ? backward_known(qp, k) : backward_any(qp, k);
  }
  find_start(qp);
  for (int k = 0; k < qp->intervals; k++) same ? forward_known(qp, k) : forward_any(qp, k);
}

void rut_riccati_costate(const rutQp* qp, int k, double* out) {
  const rutQpNode* n = &qp->node[k];
  for (int i = 0; i < qp->nx; i++) {
    out[i] = n->pv[i] + dot(n->p + (long)i * qp->nx, n->next, qp->nx);
  }
}
