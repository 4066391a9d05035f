// SPDX-License-Identifier: BSD-3-Clause
//
// Accelerations of the spanning tree with its cut joints.
#include "augmented.h"

enum { ALL = ROWS * N };

// ---- the chassis ----

// Six symmetric positive equations: L d L^T.
typedef struct Chassis {
  double l[6][6], inverse[6];
} Chassis;

// The chassis's own equations and the corners' shares, factored; right side into x.
RUT_INLINE void factor_chassis(const Augmented* a, double body[BODY][N], Chassis* k, double x[6]) {
  const formVehicle* v = &a->vehicle;
  const rutSym3 j = v->inertia;
  const rutVec3 gyro = rut_vec3_cross(a->omega, rut_sym3_apply(j, a->omega));
  const double own[21] = {v->mass, 0, 0, 0, 0,    0,    v->mass, 0,    0,    0,   0,
                          v->mass, 0, 0, 0, j.xx, j.xy, j.xz,    j.yy, j.yz, j.zz};
  rut_vec3_put(rut_vec3_add_scaled(a->force, v->mass, a->gravity), x);
  rut_vec3_put(rut_vec3_sub(a->moment, gyro), x + 3);
  for (int r = 0, at = 0; r < 6; r++) {
    for (int c = r; c < 6; c++, at++) {
      const double* part = body[at];
      k->l[c][r] = own[at] + ((part[0] + part[1]) + (part[2] + part[3]));
    }
    const double* part = body[21 + r];
    x[r] += (part[0] + part[1]) + (part[2] + part[3]);
  }
  RUT_UNROLL
  for (int c = 0; c < 6; c++) {
    k->inverse[c] = 1 / k->l[c][c];
    RUT_UNROLL
    for (int r = c + 1; r < 6; r++) {
      const double part = k->l[r][c] * k->inverse[c];
      RUT_UNROLL
      for (int s = r; s < 6; s++) k->l[s][r] -= part * k->l[s][c];
    }
    RUT_UNROLL
    for (int r = c + 1; r < 6; r++) k->l[r][c] *= k->inverse[c];
  }
}

RUT_INLINE void solve_chassis(const Chassis* k, double x[6]) {
  RUT_UNROLL
  for (int r = 1; r < 6; r++) {
    RUT_UNROLL
    for (int s = 0; s < r; s++) x[r] -= k->l[r][s] * x[s];
  }
  RUT_UNROLL
  for (int r = 5; r >= 0; r--) {
    x[r] *= k->inverse[r];
    RUT_UNROLL
    for (int s = r + 1; s < 6; s++) x[r] -= k->l[s][r] * x[s];
  }
}

// ---- way back ----

// y = free - D^-1 F^T x + D^-1 Phi^T lambda
RUT_INLINE void substitute(const Augmented* a, const Equations* q, const double x[6],
                           double lambda[ROWS][N], double* y) {
  const Motion* m = &a->m;
  RUT_FOR_LANES(i, N) {
    const double length = a->c.length.v[i];
    const rutVec3 f = rut_load_vec3(lambda[0], N, i), g = rut_load_vec3(lambda[3], N, i);
    const rutVec3 both = rut_vec3_add(f, g);
    const rutVec3 w = rut_vec3_add(rut_vec3_cross(f, V(m->up)), rut_vec3_cross(g, V(m->tie)));
    const rutVec3 coupling = rut_load_vec3(q->coupling[0], N, i);
    const double push = -rut_vec3_dot(V(m->ball_v), both) - rut_vec3_dot(coupling, w);
    const double lower = push * q->lower[i];
    const rutVec3 turn =
        rut_vec3_add_scaled(rut_mat3_apply(rut_load_mat3(q->e[0], N, i), w), -lower, coupling);
    y[Y_LOWER * N + i] = lower;
    rut_store_vec3(y + Y_UPRIGHT * N, N, i, turn);
    y[Y_UPPER * N + i] = q->upper[i] * rut_vec3_dot(V(m->upper_v), f);
    y[Y_ROD * N + i] = q->rod_1[i] * length * rut_vec3_dot(V(m->across_1), g);
    y[(Y_ROD + 1) * N + i] = q->rod_2[i] * length * rut_vec3_dot(V(m->across_2), g);
  }
  for (int k = 0; k < Y; k++) {
    Lanes sum = CONST_LANES(y + k * N) + CONST_LANES(q->free[k]);
    RUT_UNROLL
    for (int r = 0; r < 6; r++) sum -= CONST_LANES(q->response[r][k]) * x[r];
    LANES(y + k * N) = sum;
  }
}

// ---- joint forces by corner ----

// L d L^T of Lambda of every corner; d inverted.
typedef struct Factor {
  Lanes l[ROWS][ROWS], inverse[ROWS];
} Factor;

RUT_INLINE void factor_lambda(const Equations* q, Factor* f) {
  RUT_UNROLL
  for (int r = 0; r < ROWS; r++) {
    RUT_UNROLL
    for (int c = 0; c <= r; c++) f->l[r][c] = CONST_LANES(q->lambda[r][c]);
  }
  RUT_UNROLL
  for (int c = 0; c < ROWS; c++) {
    f->inverse[c] = 1 / f->l[c][c];
    RUT_UNROLL
    for (int r = c + 1; r < ROWS; r++) {
      const Lanes part = f->l[r][c] * f->inverse[c];
      RUT_UNROLL
      for (int s = r; s < ROWS; s++) f->l[s][r] -= part * f->l[s][c];
    }
    RUT_UNROLL
    for (int r = c + 1; r < ROWS; r++) f->l[r][c] *= f->inverse[c];
  }
}
RUT_INLINE void forward(const Factor* f, double b[ROWS][N]) {
  Lanes x[ROWS];
  RUT_UNROLL
  for (int r = 0; r < ROWS; r++) {
    x[r] = CONST_LANES(b[r]);
    RUT_UNROLL
    for (int s = 0; s < r; s++) x[r] -= f->l[r][s] * x[s];
    LANES(b[r]) = x[r];
  }
}

// Takes the joint forces out of the chassis's equations: with Z = L^-1 Phi D^-1 F^T and
// z = L^-1 gamma, L' += Z^T d^-1 Z and right side -= Z^T d^-1 z.
RUT_INLINE void reduce(Equations* restrict q, const Factor* f) {
  for (int k = 0; k < 6; k++) forward(f, q->cut_response[k]);
  forward(f, q->gamma);
  for (int r = 0, at = 0; r < 6; r++) {
    Lanes scaled[ROWS], side = CONST_LANES(q->body[21 + r]);
    RUT_UNROLL
    for (int k = 0; k < ROWS; k++) {
      scaled[k] = CONST_LANES(q->cut_response[r][k]) * f->inverse[k];
      side -= scaled[k] * CONST_LANES(q->gamma[k]);
    }
    LANES(q->body[21 + r]) = side;
    for (int c = r; c < 6; c++, at++) {
      Lanes sum = CONST_LANES(q->body[at]);
      RUT_UNROLL
      for (int k = 0; k < ROWS; k++) sum += scaled[k] * CONST_LANES(q->cut_response[c][k]);
      LANES(q->body[at]) = sum;
    }
  }
}

// Joint forces when the chassis accelerates with x.
RUT_INLINE void find_lambda(const Equations* q, const Factor* f, const double x[6],
                            double lambda[ROWS][N]) {
  Lanes b[ROWS];
  RUT_UNROLL
  for (int r = 0; r < ROWS; r++) {
    b[r] = CONST_LANES(q->gamma[r]);
    RUT_UNROLL
    for (int c = 0; c < 6; c++) b[r] += CONST_LANES(q->cut_response[c][r]) * x[c];
    b[r] *= f->inverse[r];
  }
  RUT_UNROLL
  for (int r = ROWS - 1; r >= 0; r--) {
    RUT_UNROLL
    for (int s = r + 1; s < ROWS; s++) b[r] -= f->l[s][r] * b[s];
    LANES(lambda[r]) = b[r];
  }
}

RUT_CLONES static void solve_by_corner(const Augmented* a, Equations* q, double x[6], double* y) {
  double lambda[ROWS][N];
  Factor f;
  Chassis k;
  factor_lambda(q, &f);
  reduce(q, &f);
  factor_chassis(a, q->body, &k, x);
  solve_chassis(&k, x);
  find_lambda(q, &f, x, lambda);
  substitute(a, q, x, lambda, y);
}
void form_augmented_solve_by_corner(const Augmented* a, Equations* q, double x[6],
                                    double y[Y * N]) {
  solve_by_corner(a, q, x, y);
}

// ---- joint forces together ----

// Symmetric positive equations, in place.
RUT_INLINE void solve_all(double a[ALL][ALL], double b[ALL]) {
  for (int c = 0; c < ALL; c++) {
    const double inverse = 1 / a[c][c];
    for (int r = c + 1; r < ALL; r++) {
      const double part = a[c][r] * inverse;
      for (int s = r; s < ALL; s++) a[r][s] -= part * a[c][s];
      b[r] -= part * b[c];
    }
  }
  for (int r = ALL - 1; r >= 0; r--) {
    for (int s = r + 1; s < ALL; s++) b[r] -= a[r][s] * b[s];
    b[r] /= a[r][r];
  }
}

// Lambda of all corners, Phi M^-1 Phi^T: their own blocks, and what they do to each other through
// the chassis.
RUT_INLINE void couple(const Equations* q, const Chassis* k, double all[ALL][ALL]) {
  for (int row = 0; row < ALL; row++) {
    double x[6];
    for (int c = 0; c < 6; c++) x[c] = q->cut_response[c][row % ROWS][row / ROWS];
    solve_chassis(k, x);
    for (int other = row; other < ALL; other++) {
      const int r = other % ROWS, i = other / ROWS;
      double sum = i == row / ROWS ? q->lambda[r][row % ROWS][i] : 0;
      for (int c = 0; c < 6; c++) sum += x[c] * q->cut_response[c][r][i];
      all[row][other] = sum;
    }
  }
}

RUT_CLONES static void solve_together(const Augmented* a, Equations* q, double x[6], double* y) {
  double all[ALL][ALL], force[ALL], lambda[ROWS][N], push[6] = {0};
  Chassis k;
  factor_chassis(a, q->body, &k, x);
  solve_chassis(&k, x);
  couple(q, &k, all);
  for (int row = 0; row < ALL; row++) {
    const int r = row % ROWS, i = row / ROWS;
    force[row] = q->gamma[r][i];
    for (int c = 0; c < 6; c++) force[row] += q->cut_response[c][r][i] * x[c];
  }
  solve_all(all, force);
  for (int row = 0; row < ALL; row++) {
    const int r = row % ROWS, i = row / ROWS;
    lambda[r][i] = force[row];
    for (int c = 0; c < 6; c++) push[c] += q->cut_response[c][r][i] * force[row];
  }
  solve_chassis(&k, push);
  for (int c = 0; c < 6; c++) x[c] -= push[c];
  substitute(a, q, x, lambda, y);
}
void form_augmented_solve_together(const Augmented* a, Equations* q, double x[6], double y[Y * N]) {
  solve_together(a, q, x, y);
}
