// SPDX-License-Identifier: BSD-3-Clause
#include "mbd/sliders.h"

#include "mbd/chassis_lanes.h"

// Rows kept for the second pass, symbols as in sliders.h: U / D (3), s" of a hub that does not
// accelerate (1), c (3), and s" per angular acceleration about the wheel's axis (1).
enum { KEPT_U, KEPT_FREE = 3, KEPT_C, KEPT_TURN = 7, KEPT };

size_t rut_sliders_scratch(const rutSliders* vehicle) {
  // kept rows of all tiles, those that one adds, and their sums per lane
  return (size_t)KEPT * (size_t)vehicle->n + (size_t)(2 * SUMS * RUT_SLIDERS_TILE);
}

// A carrier whose slide is eliminated; symbols as in sliders.h.
typedef struct Carrier {
  rutVec3 r, c, u;
  double d;     // 1/(e U + soft)
  double free;  // s" of a hub that does not accelerate
} Carrier;

// What a coupling k adds to the rows of carrier i of a tile.
RUT_INLINE void couple(int n, int i, const Tile* tile, const rutSlidersIn* in, Carrier carrier) {
  double* restrict row = tile->row;
  const rutVec3 r = carrier.r, u = carrier.u, c = carrier.c;
  const double d = carrier.d, free = carrier.free;
  const size_t at = tile->offset + (size_t)i;
  const double k = in->wheel.coupling[at], ax = in->axis_x[at], ay = in->axis_y[at];
  const rutVec3 t =
      rut_vec3(k * in->wheel.along_x[at], k * in->wheel.along_y[at], k * in->wheel.along_z[at]);
  const rutVec3 p = rut_vec3_add_scaled(t, -t.z * d, u), q = rut_vec3_cross(r, p);
  const double given = rut_vec3_dot(p, c) + t.z * free;
  tile->kept[KEPT_TURN * n + i] = t.z * d;
  row[(CROSS + 0) * n + i] -= ax * p.x;
  row[(CROSS + 1) * n + i] -= ax * p.y;
  row[(CROSS + 2) * n + i] -= ax * p.z;
  row[(CROSS + 3) * n + i] -= ay * p.x;
  row[(CROSS + 4) * n + i] -= ay * p.y;
  row[(CROSS + 5) * n + i] -= ay * p.z;
  const double turn = t.z * t.z * d;
  row[(ANGULAR + 0) * n + i] -= 2 * ax * q.x + turn * ax * ax;
  row[(ANGULAR + 1) * n + i] -= 2 * ay * q.y + turn * ay * ay;
  row[(ANGULAR + 3) * n + i] -= ax * q.y + ay * q.x + turn * ax * ay;
  row[(ANGULAR + 4) * n + i] -= ax * q.z;
  row[(ANGULAR + 5) * n + i] -= ay * q.z;
  row[(MOMENT + 0) * n + i] += given * ax;
  row[(MOMENT + 1) * n + i] += given * ay;
}

// First pass: inertia and forces of each carrier as its chassis feels them.
RUT_INLINE void eliminate(const rutSliders* k, Counts counts, const Tile* tile,
                          const rutSlidersIn* in) {
  const int n = counts.n, lanes = counts.lanes;
  double* restrict kept = tile->kept, * restrict row = tile->row;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const int own = tile->first + i;
    const size_t at = tile->offset + (size_t)i;
    const rutVec3 omega = shared(in->chassis.omega, lanes, i);
    const rutVec3 gravity = shared(in->chassis.gravity, lanes, i);
    const rutVec3 r = rut_vec3(k->x[own], k->y[own], k->z[own] + in->position[own]);
    const double m = k->wheel_mass[own], slides = k->slides[own];
    const rutSym3 w = {in->wheel.wxx[at] + m, in->wheel.wyy[at] + m, in->wheel.wzz[at] + m,
                       in->wheel.wxy[at],     in->wheel.wxz[at],     in->wheel.wyz[at]};
    // c: the hub's acceleration when nothing accelerates
    const double run = 2 * in->speed[own];
    const rutVec3 swing = rut_vec3_cross(omega, rut_vec3_cross(omega, r));
    const rutVec3 c = rut_vec3_add(swing, rut_vec3(omega.y * run, -omega.x * run, 0));
    // slide eliminated
    const double d = slides / (w.zz + in->wheel.soft[at] + (1 - slides));
    const rutVec3 u = rut_vec3(w.xz, w.yz, w.zz);
    const rutVec3 force =
        rut_vec3(in->wheel.fx[at] + m * gravity.x, in->wheel.fy[at] + m * gravity.y,
                 in->wheel.fz[at] + m * gravity.z);
    const double free = (force.z + in->wheel.lift[at]) * d;
    const rutSym3 b = {w.xx - d * u.x * u.x, w.yy - d * u.y * u.y, w.zz - d * u.z * u.z,
                       w.xy - d * u.x * u.y, w.xz - d * u.x * u.z, w.yz - d * u.y * u.z};
    const rutVec3 bias_force =
        rut_vec3_sub(rut_vec3_add_scaled(rut_sym3_apply(b, c), free, u), force);
    kept[(KEPT_U + 0) * n + i] = u.x * d;
    kept[(KEPT_U + 1) * n + i] = u.y * d;
    kept[(KEPT_U + 2) * n + i] = u.z * d;
    kept[KEPT_FREE * n + i] = free;
    kept[(KEPT_C + 0) * n + i] = c.x;
    kept[(KEPT_C + 1) * n + i] = c.y;
    kept[(KEPT_C + 2) * n + i] = c.z;
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
    const double jt = k->transverse[own], ax = in->axis_x[at], ay = in->axis_y[at];
    const double less = jt - in->wheel.held[at];
    row[(ANGULAR + 0) * n + i] = tx.x + jt - less * ax * ax;
    row[(ANGULAR + 1) * n + i] = ty.y + jt - less * ay * ay;
    row[(ANGULAR + 2) * n + i] = tz.z + jt;
    row[(ANGULAR + 3) * n + i] = tx.y - less * ax * ay;
    row[(ANGULAR + 4) * n + i] = tx.z;
    row[(ANGULAR + 5) * n + i] = ty.z;
    // on the chassis: -f, and the moments that the wheel passes on
    row[(FORCE + 0) * n + i] = -bias_force.x;
    row[(FORCE + 1) * n + i] = -bias_force.y;
    row[(FORCE + 2) * n + i] = -bias_force.z;
    const double along = omega.x * ax + omega.y * ay, js = in->wheel.momentum[at];
    const rutVec3 h = rut_vec3(jt * (omega.x - along * ax) + js * ax,
                               jt * (omega.y - along * ay) + js * ay, jt * omega.z);
    const rutVec3 gyro = rut_vec3_cross(omega, h);
    const double twist = in->wheel.mx[at] * ax + in->wheel.my[at] * ay + in->wheel.torque[at];
    const rutVec3 lever = rut_vec3_cross(r, bias_force);
    row[(MOMENT + 0) * n + i] = in->wheel.mx[at] - twist * ax - gyro.x - lever.x;
    row[(MOMENT + 1) * n + i] = in->wheel.my[at] - twist * ay - gyro.y - lever.y;
    row[(MOMENT + 2) * n + i] = in->wheel.mz[at] - gyro.z - lever.z;
    couple(n, i, tile, in, (Carrier){r, c, u, d, free});
  }
}

// The chassis's own part, then the six equations.
RUT_INLINE void solve(const rutSliders* k, int lanes, const rutSlidersIn* in,
                      const double* restrict sum, const rutSlidersOut* out) {
  double b[6 * BATCH_LANES];
  Factors f;
  fill_matrix(k, lanes, sum, &f);
  factor(lanes, &f);
  right_sides(k, lanes, &in->chassis, sum, b);
  substitute(&f, lanes, b);
  put_accelerations(lanes, b, out->acceleration, out->alpha);
}

// Second pass: slides and hubs.
RUT_INLINE void distribute(const rutSliders* k, Counts counts, const Tile* tile,
                           const rutSlidersIn* in, const rutSlidersOut* out) {
  const int n = counts.n, lanes = counts.lanes;
  const double* restrict kept = tile->kept;
  double* restrict slides = out->slide + tile->first;
  double* restrict hub_x = out->hub_x + tile->offset, * restrict hub_y = out->hub_y + tile->offset;
  double* restrict hub_z = out->hub_z + tile->offset;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const int own = tile->first + i;
    const size_t at = tile->offset + (size_t)i;
    const rutVec3 acceleration = shared(out->acceleration, lanes, i);
    const rutVec3 alpha = shared(out->alpha, lanes, i);
    const rutVec3 r = rut_vec3(k->x[own], k->y[own], k->z[own] + in->position[own]);
    const rutVec3 c = rut_load_vec3(kept + KEPT_C * n, n, i);
    const rutVec3 u = rut_load_vec3(kept + KEPT_U * n, n, i);
    const rutVec3 carried = rut_vec3_add(rut_vec3_add(acceleration, rut_vec3_cross(alpha, r)), c);
    const double about = alpha.x * in->axis_x[at] + alpha.y * in->axis_y[at];
    const double slide =
        kept[KEPT_FREE * n + i] - rut_vec3_dot(u, carried) + kept[KEPT_TURN * n + i] * about;
    slides[i] = slide;
    hub_x[i] = carried.x;
    hub_y[i] = carried.y;
    hub_z[i] = carried.z + slide;
  }
}

RUT_INLINE Tile tile_at(int n, int t, const rutSlidersIn* in, double* row, double* kept) {
  return (Tile){t * n, (size_t)t * in->stride, kept + (size_t)(t * KEPT * n), row};
}

RUT_INLINE void accelerate(const rutSliders* k, Counts counts, const rutSlidersIn* in,
                           double* scratch, const rutSlidersOut* out) {
  const int n = counts.n, lanes = counts.lanes;
  double *row = scratch, *sum = row + SUMS * RUT_SLIDERS_TILE;
  double* kept = sum + SUMS * RUT_SLIDERS_TILE;
  const double* soft = in->chassis.soft_body;
  const int tiles = n < RUT_SLIDERS_TILE ? 1 : k->n / n;
  for (int t = 0; t < tiles; t++) {
    const Tile tile = tile_at(n, t, in, row, kept);
    eliminate(k, counts, &tile, in);
    add_up(counts, tile.first, SUMS, row, sum);
  }
  for (int i = 0; soft && i < RUT_SLIDERS_BODY * lanes; i++) sum[i] += soft[i];
  solve(k, lanes, in, sum, out);
  for (int t = 0; t < tiles; t++) {
    const Tile tile = tile_at(n, t, in, row, kept);
    distribute(k, counts, &tile, in, out);
  }
}

// Single vehicles with four carriers, fewer, and more, and batches: the compiler knows their
// counts.
RUT_CLONES static void accelerate_four(const rutSliders* k, const rutSlidersIn* in, double* scratch,
                                       const rutSlidersOut* out) {
  accelerate(k, (Counts){SMALL_TILE, 1, 4, 0}, in, scratch, out);
}
RUT_CLONES static void accelerate_few(const rutSliders* k, const rutSlidersIn* in, double* scratch,
                                      const rutSlidersOut* out) {
  accelerate(k, (Counts){SMALL_TILE, 1, k->wheels, 0}, in, scratch, out);
}
RUT_CLONES static void accelerate_many(const rutSliders* k, const rutSlidersIn* in, double* scratch,
                                       const rutSlidersOut* out) {
  accelerate(k, (Counts){RUT_SLIDERS_TILE, 1, k->wheels, 0}, in, scratch, out);
}
RUT_CLONES static void accelerate_batch(const rutSliders* k, const rutSlidersIn* in,
                                        double* scratch, const rutSlidersOut* out) {
  accelerate(k, (Counts){RUT_SLIDERS_TILE, BATCH_LANES, k->wheels, 0}, in, scratch, out);
}

void rut_sliders_accelerate(const rutSliders* k, const rutSlidersIn* in, double* scratch,
                            const rutSlidersOut* out) {
  if (k->lanes > 1) {
    accelerate_batch(k, in, scratch, out);
  } else if (k->n > SMALL_TILE) {
    accelerate_many(k, in, scratch, out);
  } else if (k->wheels == 4) {
    accelerate_four(k, in, scratch, out);
  } else {
    accelerate_few(k, in, scratch, out);
  }
}
