// SPDX-License-Identifier: BSD-3-Clause
#include "mbd/sliders.h"

#include "math/lanes.h"

// Rows that every carrier adds to its chassis: B (xx yy zz xy xz yz), r~ B (row-major), the
// rotational part (xx yy zz xy xz yz), then the right-hand sides.
enum { PUSH = 0, CROSS = 6, TURN = 15, FORCE = 21, MOMENT = 24, SUMS = 27 };
// Rows kept for the second pass: U / D (3), what the slide gives at rest (1), c (3).
enum { KEPT_U = SUMS, KEPT_FREE = SUMS + 3, KEPT_C = SUMS + 4, ROWS = SUMS + 7 };

size_t rut_sliders_scratch(const rutSliders* vehicle) {
  // rows per carrier, sums per lane, and copies of omega and gravity per carrier
  return (size_t)(ROWS + 12) * (size_t)vehicle->n + (size_t)SUMS * 8;
}

typedef struct Sym {
  double xx, yy, zz, xy, xz, yz;
} Sym;

RUT_INLINE rutVec3 sym_apply(Sym a, rutVec3 v) {
  return rut_vec3(a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
                  a.xz * v.x + a.yz * v.y + a.zz * v.z);
}

// Numbers of a vehicle, repeated for each of its carriers.
RUT_INLINE void spread(const rutSliders* k, const double* from, int rows, double* to) {
  for (int r = 0; r < rows; r++) {
    for (int i = 0; i < k->n; i++) to[r * k->n + i] = from[r * k->lanes + i % k->lanes];
  }
}

// First pass: what each carrier is to its chassis.
RUT_CLONES static void eliminate(const rutSliders* k, const rutSlidersIn* in,
                                 const double* restrict wide, double* restrict row) {
  const int n = k->n;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const rutVec3 omega = rut_vec3(wide[i], wide[n + i], wide[2 * n + i]);
    const rutVec3 gravity = rut_vec3(wide[3 * n + i], wide[4 * n + i], wide[5 * n + i]);
    const rutVec3 r = rut_vec3(k->x[i], k->y[i], k->z[i] + in->position[i]);
    const double m = k->wheel_mass[i], slides = k->slides[i];
    const Sym w = {in->wxx[i] + m, in->wyy[i] + m, in->wzz[i] + m,
                   in->wxy[i],     in->wxz[i],     in->wyz[i]};
    // c: the hub's acceleration when nothing accelerates
    const double run = 2 * in->speed[i];
    const rutVec3 swing = rut_vec3_cross(omega, rut_vec3_cross(omega, r));
    const rutVec3 c = rut_vec3_add(swing, rut_vec3(omega.y * run, -omega.x * run, 0));
    // slide eliminated
    const double d = slides / (w.zz + in->soft[i] + (1 - slides));
    const rutVec3 u = rut_vec3(w.xz, w.yz, w.zz);
    const rutVec3 force =
        rut_vec3(in->fx[i] + m * gravity.x, in->fy[i] + m * gravity.y, in->fz[i] + m * gravity.z);
    const double free = (force.z + in->lift[i]) * d;
    const Sym b = {w.xx - d * u.x * u.x, w.yy - d * u.y * u.y, w.zz - d * u.z * u.z,
                   w.xy - d * u.x * u.y, w.xz - d * u.x * u.z, w.yz - d * u.y * u.z};
    const rutVec3 push = rut_vec3_sub(rut_vec3_add_scaled(sym_apply(b, c), free, u), force);
    row[(KEPT_U + 0) * n + i] = u.x * d;
    row[(KEPT_U + 1) * n + i] = u.y * d;
    row[(KEPT_U + 2) * n + i] = u.z * d;
    row[KEPT_FREE * n + i] = free;
    row[(KEPT_C + 0) * n + i] = c.x;
    row[(KEPT_C + 1) * n + i] = c.y;
    row[(KEPT_C + 2) * n + i] = c.z;
    // B, r~ B and r~ B r~^T; columns of r~ B are r x (columns of B)
    const rutVec3 bx = rut_vec3(b.xx, b.xy, b.xz), by = rut_vec3(b.xy, b.yy, b.yz);
    const rutVec3 bz = rut_vec3(b.xz, b.yz, b.zz);
    const rutVec3 cx = rut_vec3_cross(r, bx), cy = rut_vec3_cross(r, by),
                  cz = rut_vec3_cross(r, bz);
    row[0 * n + i] = b.xx;
    row[1 * n + i] = b.yy;
    row[2 * n + i] = b.zz;
    row[3 * n + i] = b.xy;
    row[4 * n + i] = b.xz;
    row[5 * n + i] = b.yz;
    row[(CROSS + 0) * n + i] = cx.x;
    row[(CROSS + 1) * n + i] = cy.x;
    row[(CROSS + 2) * n + i] = cz.x;
    row[(CROSS + 3) * n + i] = cx.y;
    row[(CROSS + 4) * n + i] = cy.y;
    row[(CROSS + 5) * n + i] = cz.y;
    row[(CROSS + 6) * n + i] = cx.z;
    row[(CROSS + 7) * n + i] = cy.z;
    row[(CROSS + 8) * n + i] = cz.z;
    // rows of r~ B crossed with r: (r~ B) r~^T = r x rows
    const rutVec3 tx = rut_vec3_cross(r, rut_vec3(cx.x, cy.x, cz.x));
    const rutVec3 ty = rut_vec3_cross(r, rut_vec3(cx.y, cy.y, cz.y));
    const rutVec3 tz = rut_vec3_cross(r, rut_vec3(cx.z, cy.z, cz.z));
    const double jt = k->transverse[i], ax = in->axis_x[i], ay = in->axis_y[i];
    const double less = jt - in->held[i];
    row[(TURN + 0) * n + i] = tx.x + jt - less * ax * ax;
    row[(TURN + 1) * n + i] = ty.y + jt - less * ay * ay;
    row[(TURN + 2) * n + i] = tz.z + jt;
    row[(TURN + 3) * n + i] = tx.y - less * ax * ay;
    row[(TURN + 4) * n + i] = tx.z;
    row[(TURN + 5) * n + i] = ty.z;
    // what pushes the chassis: -f, and the moments that the wheel hands on
    row[(FORCE + 0) * n + i] = -push.x;
    row[(FORCE + 1) * n + i] = -push.y;
    row[(FORCE + 2) * n + i] = -push.z;
    const double along = omega.x * ax + omega.y * ay, js = k->spin[i] * in->rate[i];
    const rutVec3 h = rut_vec3(jt * (omega.x - along * ax) + js * ax,
                               jt * (omega.y - along * ay) + js * ay, jt * omega.z);
    const rutVec3 gyro = rut_vec3_cross(omega, h);
    const double twist = in->mx[i] * ax + in->my[i] * ay + in->torque[i];
    const rutVec3 lever = rut_vec3_cross(r, push);
    row[(MOMENT + 0) * n + i] = in->mx[i] - twist * ax - gyro.x - lever.x;
    row[(MOMENT + 1) * n + i] = in->my[i] - twist * ay - gyro.y - lever.y;
    row[(MOMENT + 2) * n + i] = in->mz[i] - gyro.z - lever.z;
  }
}

// Sums over the carriers of each vehicle, always in their order.
RUT_INLINE void add_up(const rutSliders* k, int lanes, const double* restrict row,
                       double* restrict sum) {
  for (int r = 0; r < SUMS; r++) {
    for (int l = 0; l < lanes; l++) sum[r * lanes + l] = row[r * k->n + l];
    for (int w = 1; w < k->wheels; w++) {
#pragma omp simd
      for (int l = 0; l < lanes; l++) sum[r * lanes + l] += row[r * k->n + w * lanes + l];
    }
  }
}

// The chassis's own part, then the six equations solved by Cholesky factors.
RUT_INLINE void solve(const rutSliders* k, int lanes, const rutSlidersIn* in,
                      const double* restrict sum, const rutSlidersOut* out) {
  const double* j = k->inertia;
  double* restrict alpha = out->alpha, * restrict acceleration = out->acceleration;
#pragma omp simd
  for (int l = 0; l < lanes; l++) {
#define S(i) sum[(i)*lanes + l]
    const rutVec3 omega = rut_load_vec3(in->omega, lanes, l);
    const rutVec3 gravity = rut_load_vec3(in->gravity, lanes, l);
    const Sym own = {j[0], j[1], j[2], j[3], j[4], j[5]};
    const rutVec3 gyro = rut_vec3_cross(omega, sym_apply(own, omega));
    // lower triangle of the equations in (acceleration, alpha): [A -C^T; ...] with C = r~ B
    double a[6][6], b[6];
    a[0][0] = S(0) + k->mass;
    a[1][1] = S(1) + k->mass;
    a[2][2] = S(2) + k->mass;
    a[1][0] = S(3);
    a[2][0] = S(4);
    a[2][1] = S(5);
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < 3; c++) a[3 + r][c] = S(CROSS + 3 * r + c);
    }
    a[3][3] = S(TURN + 0) + own.xx;
    a[4][4] = S(TURN + 1) + own.yy;
    a[5][5] = S(TURN + 2) + own.zz;
    a[4][3] = S(TURN + 3) + own.xy;
    a[5][3] = S(TURN + 4) + own.xz;
    a[5][4] = S(TURN + 5) + own.yz;
    b[0] = S(FORCE + 0) + in->force[l] + k->mass * gravity.x;
    b[1] = S(FORCE + 1) + in->force[lanes + l] + k->mass * gravity.y;
    b[2] = S(FORCE + 2) + in->force[2 * lanes + l] + k->mass * gravity.z;
    b[3] = S(MOMENT + 0) + in->moment[l] - gyro.x;
    b[4] = S(MOMENT + 1) + in->moment[lanes + l] - gyro.y;
    b[5] = S(MOMENT + 2) + in->moment[2 * lanes + l] - gyro.z;
#undef S
    // L D L^T in place, D inverted
    double d[6];
    for (int c = 0; c < 6; c++) {
      double pivot = a[c][c];
      for (int p = 0; p < c; p++) pivot -= a[c][p] * a[c][p] * d[p];
      for (int r = c + 1; r < 6; r++) {
        double v = a[r][c];
        for (int p = 0; p < c; p++) v -= a[r][p] * a[c][p] * d[p];
        a[r][c] = v;
      }
      d[c] = 1 / pivot;
    }
    for (int r = 0; r < 6; r++) {
      for (int p = 0; p < r; p++) b[r] -= a[r][p] * d[p] * b[p];
    }
    for (int r = 5; r >= 0; r--) {
      double v = b[r];
      for (int p = r + 1; p < 6; p++) v -= a[p][r] * b[p];
      b[r] = v * d[r];
    }
    for (int r = 0; r < 3; r++) {
      acceleration[r * lanes + l] = b[r];
      alpha[r * lanes + l] = b[3 + r];
    }
  }
}

// Second pass: slides and hubs.
RUT_CLONES static void distribute(const rutSliders* k, const rutSlidersIn* in,
                                  const double* restrict wide, const double* restrict row,
                                  const rutSlidersOut* out) {
  const int n = k->n;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const rutVec3 acceleration = rut_vec3(wide[i], wide[n + i], wide[2 * n + i]);
    const rutVec3 alpha = rut_vec3(wide[3 * n + i], wide[4 * n + i], wide[5 * n + i]);
    const rutVec3 r = rut_vec3(k->x[i], k->y[i], k->z[i] + in->position[i]);
    const rutVec3 c =
        rut_vec3(row[KEPT_C * n + i], row[(KEPT_C + 1) * n + i], row[(KEPT_C + 2) * n + i]);
    const rutVec3 u =
        rut_vec3(row[KEPT_U * n + i], row[(KEPT_U + 1) * n + i], row[(KEPT_U + 2) * n + i]);
    const rutVec3 carried = rut_vec3_add(rut_vec3_add(acceleration, rut_vec3_cross(alpha, r)), c);
    const double slide = row[KEPT_FREE * n + i] - rut_vec3_dot(u, carried);
    out->slide[i] = slide;
    out->hub_x[i] = carried.x;
    out->hub_y[i] = carried.y;
    out->hub_z[i] = carried.z + slide;
  }
}

RUT_CLONES static void gather_8(const rutSliders* k, const rutSlidersIn* in, const double* row,
                                double* sum, const rutSlidersOut* out) {
  add_up(k, 8, row, sum);
  solve(k, 8, in, sum, out);
}

void rut_sliders_accelerate(const rutSliders* k, const rutSlidersIn* in, double* scratch,
                            const rutSlidersOut* out) {
  double *row = scratch, *wide = row + (size_t)ROWS * k->n, *sum = wide + (size_t)12 * k->n;
  spread(k, in->omega, 3, wide);
  spread(k, in->gravity, 3, wide + 3 * k->n);
  eliminate(k, in, wide, row);
  if (k->lanes == 1) {
    add_up(k, 1, row, sum);
    solve(k, 1, in, sum, out);
  } else {
    gather_8(k, in, row, sum, out);
  }
  spread(k, out->acceleration, 3, wide);
  spread(k, out->alpha, 3, wide + 3 * k->n);
  distribute(k, in, wide, row, out);
}
