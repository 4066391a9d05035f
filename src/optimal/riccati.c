// SPDX-License-Identifier: BSD-3-Clause
#include "optimal/riccati.h"

#include <string.h>

#include "math/lanes.h"
#include "math/rut_math.h"

// ---- small matrices ----

// Cholesky factor of the n x n matrix m, in its lower triangle. False if m is not positive
// definite.
static bool factorise(double* m, int n) {
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
static void solve_factored(const double* factor, int n, double* b, int columns) {
  for (int i = 0; i < n; i++) {
    double* row = b + (long)i * columns;
    for (int k = 0; k < i; k++) {
      const double f = factor[i * n + k];
      for (int j = 0; j < columns; j++) row[j] -= f * b[k * columns + j];
    }
    for (int j = 0; j < columns; j++) row[j] /= factor[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    double* row = b + (long)i * columns;
    for (int k = i + 1; k < n; k++) {
      const double f = factor[k * n + i];
      for (int j = 0; j < columns; j++) row[j] -= f * b[k * columns + j];
    }
    for (int j = 0; j < columns; j++) row[j] /= factor[i * n + i];
  }
}

// ---- factors ----

// H of a node with what follows: (H_xx H_xu; . H_uu) + (A B)'P (A B), into node->big_h's copy m.
RUT_CLONES static void add_future(const rutQp* qp, const rutQpNode* n, const double* p, double* m) {
  const int nx = qp->nx, nz = qp->nz;
  double* pa = qp->work;
  memset(pa, 0, (size_t)(nx * nz) * sizeof *pa);
  for (int i = 0; i < nx; i++) {
    for (int k = 0; k < nx; k++) {
      const double f = p[i * nx + k];
      RUT_FOR_LANES(j, nz) pa[i * nz + j] += f * n->a[k * nz + j];
    }
  }
  for (int k = 0; k < nx; k++) {
    for (int i = 0; i < nz; i++) {
      const double f = n->a[k * nz + i];
      if (f == 0) continue;
      RUT_FOR_LANES(j, nz) m[i * nz + j] += f * pa[k * nz + j];
    }
  }
}

// K and the factor of F of a node from m, and P.
static bool eliminate_controls(const rutQp* qp, int k, const double* m) {
  const rutQpNode* n = &qp->node[k];
  const int nx = qp->nx, nu = qp->nu, nz = qp->nz;
  const bool* fixed = qp->fixed + (long)k * nu;
  for (int i = 0; i < nu; i++) {
    const double* row = m + (long)(nx + i) * nz;
    for (int j = 0; j < nu; j++) {
      const bool out = fixed[i] || fixed[j];
      n->factor[i * nu + j] = out ? (i == j) : row[nx + j];
    }
    for (int j = 0; j < nx; j++) n->gain[i * nx + j] = fixed[i] ? 0 : row[j];
  }
  if (!factorise(n->factor, nu)) return false;
  solve_factored(n->factor, nu, n->gain, nx);
  for (int i = 0; i < nx; i++) {
    double* out = n->p + (long)i * nx;
    memcpy(out, m + (long)i * nz, (size_t)nx * sizeof *out);
    for (int c = 0; c < nu; c++) {
      if (fixed[c]) continue;
      const double f = m[(nx + c) * nz + i];
      for (int j = 0; j < nx; j++) out[j] -= f * n->gain[c * nx + j];
    }
  }
  // rounding must not tilt it
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < i; j++) {
      const double mean = 0.5 * (n->p[i * nx + j] + n->p[j * nx + i]);
      n->p[i * nx + j] = n->p[j * nx + i] = mean;
    }
  }
  return true;
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
  const int nx = qp->nx, nz = qp->nz;
  const rutQpNode* last = &qp->node[qp->intervals];
  for (int i = 0; i < nx; i++) {
    memcpy(last->p + (long)i * nx, last->big_h + (long)i * nz, (size_t)nx * sizeof(double));
  }
  for (int k = qp->intervals - 1; k >= 0; k--) {
    const rutQpNode* n = &qp->node[k];
    add_future(qp, n, qp->node[k + 1].p, n->big_h);
    if (!eliminate_controls(qp, k, n->big_h)) return false;
  }
  return factor_start(qp);
}

// ---- solutions ----

// out += (A B)'q.
RUT_INLINE void add_transposed(const rutQp* qp, const rutQpNode* n, const double* q, double* out) {
  for (int k = 0; k < qp->nx; k++) {
    RUT_FOR_LANES(j, qp->nz) out[j] += q[k] * n->a[k * qp->nz + j];
  }
}

RUT_CLONES static void pass_backward(const rutQp* qp, int k) {
  const rutQpNode *n = &qp->node[k], *after = &qp->node[k + 1];
  const int nx = qp->nx, nu = qp->nu;
  double q[RUT_QP_MOST_STATES], *v = qp->vector;
  for (int i = 0; i < nx; i++) {
    q[i] = after->pv[i];
    for (int j = 0; j < nx; j++) q[i] += after->p[i * nx + j] * n->c[j];
  }
  memcpy(v, n->big_g, (size_t)qp->nz * sizeof *v);
  add_transposed(qp, n, q, v);
  for (int i = 0; i < nu; i++) n->feed[i] = qp->fixed[k * nu + i] ? 0 : v[nx + i];
  // p = v_x - G'F^-1 v_u = v_x - K'v_u
  memcpy(n->pv, v, (size_t)nx * sizeof *v);
  for (int c = 0; c < nu; c++) {
    for (int j = 0; j < nx; j++) n->pv[j] -= n->gain[c * nx + j] * n->feed[c];
  }
  solve_factored(n->factor, nu, n->feed, 1);
}

// The free components of x_0 minimise x'P x/2 + p'x.
static void find_start(const rutQp* qp) {
  const rutQpNode* n = &qp->node[0];
  double* v = qp->vector;
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
  const int nx = qp->nx, nu = qp->nu;
  const rutQpNode* last = &qp->node[qp->intervals];
  memcpy(last->pv, last->big_g, (size_t)nx * sizeof(double));
  for (int k = qp->intervals - 1; k >= 0; k--) pass_backward(qp, k);
  find_start(qp);
  for (int k = 0; k < qp->intervals; k++) {
    const rutQpNode *n = &qp->node[k], *after = &qp->node[k + 1];
    for (int i = 0; i < nu; i++) {
      double u = -n->feed[i];
      for (int j = 0; j < nx; j++) u -= n->gain[i * nx + j] * n->next[j];
      n->next[nx + i] = u;
    }
    for (int i = 0; i < nx; i++) {
      double x = n->c[i];
      for (int j = 0; j < qp->nz; j++) x += n->a[i * qp->nz + j] * n->next[j];
      after->next[i] = x;
    }
  }
}

void rut_riccati_costate(const rutQp* qp, int k, double* out) {
  const rutQpNode* n = &qp->node[k];
  for (int i = 0; i < qp->nx; i++) {
    out[i] = n->pv[i];
    for (int j = 0; j < qp->nx; j++) out[i] += n->p[i * qp->nx + j] * n->next[j];
  }
}
