// SPDX-License-Identifier: BSD-3-Clause
#include "mbd/corners.h"

#include "mbd/chassis_lanes.h"

// Rows kept for the second pass: F/(D + soft) in force and moment, q'' of a chassis that does not
// accelerate, accelerations of hub and carrier then with q'' = 0, and what a torque of the shafts
// does to q''.
enum { KEPT_F, KEPT_G = 3, KEPT_FREE = 6, KEPT_C, KEPT_TURN = 10, KEPT_YIELD = 13, KEPT };
// Rows that shaft k adds to its vehicle: B (force, moment), C, and Y against all shafts.
enum { MAX_SHAFTS = RUT_MAX_SHAFTS, SHAFT_B = 0, SHAFT_C = 6, SHAFT_Y = 7 };
enum { SHAFT_ROWS = SHAFT_Y + MAX_SHAFTS };

size_t rut_corners_scratch(const rutSliders* vehicle) {
  // kept rows of all tiles, those that one adds, and their sums per lane
  const int rows = 2 * SUMS + (1 + MAX_SHAFTS) * SHAFT_ROWS;
  return (size_t)KEPT * (size_t)vehicle->n + (size_t)(rows * RUT_SLIDERS_TILE);
}

#define C(name)     corner[(size_t)RUT_CORNER_##name * (size_t)n + (size_t)i]
#define CVEC(name)  rut_vec3(C(name##_x), C(name##_y), C(name##_z))
#define IN(name)    in->name[at]
#define WHEEL(name) in->wheel.name[at]
// The rows of a mechanism in a tile.
#define CORNER_OF(tile) (in->corner + (tile)->offset)

// A wheel on its hub.
typedef struct Wheel {
  double mass, transverse, less, coupling;
  rutSym3 m;     // mass and W
  rutVec3 a, t;  // axis, and direction of the coupling
} Wheel;

RUT_INLINE Wheel wheel_of(const rutSliders* k, int n, int i, const Tile* tile,
                          const rutCornersIn* in) {
  const size_t at = tile->offset + (size_t)i;
  const double* restrict corner = CORNER_OF(tile);
  const int own = tile->first + i;
  const double m = k->wheel_mass[own], jt = k->transverse[own];
  return (Wheel){
      m,
      jt,
      jt - WHEEL(held),
      WHEEL(coupling),
      {WHEEL(wxx) + m, WHEEL(wyy) + m, WHEEL(wzz) + m, WHEEL(wxy), WHEEL(wxz), WHEEL(wyz)},
      CVEC(axis),
      rut_vec3(WHEEL(along_x), WHEEL(along_y), WHEEL(along_z))};
}

// Force and moment that accelerate a wheel with its hub and carrier.
RUT_INLINE rutVec3 wheel_force(Wheel w, rutVec3 hub, rutVec3 turn) {
  return rut_vec3_add_scaled(rut_sym3_apply(w.m, hub), -w.coupling * rut_vec3_dot(w.a, turn), w.t);
}
RUT_INLINE rutVec3 wheel_moment(Wheel w, rutVec3 hub, rutVec3 turn) {
  const double about = -w.less * rut_vec3_dot(w.a, turn) - w.coupling * rut_vec3_dot(w.t, hub);
  return rut_vec3_add_scaled(rut_vec3_scale(turn, w.transverse), about, w.a);
}

// What else the hub exerts on a wheel, whatever it accelerates: against its weight and the forces
// of the ground, for the gyroscopic moment, and against the torque from the carrier.
typedef struct Rest {
  rutVec3 force, moment;
} Rest;

RUT_INLINE Rest wheel_rest(Wheel w, size_t at, const rutCornersIn* in, rutVec3 gravity,
                           rutVec3 turning) {
  const rutVec3 a = w.a, given = rut_vec3(WHEEL(mx), WHEEL(my), WHEEL(mz));
  const rutVec3 f = rut_vec3(WHEEL(fx), WHEEL(fy), WHEEL(fz));
  const double along = rut_vec3_dot(turning, a), jt = w.transverse;
  const rutVec3 momentum =
      rut_vec3_add_scaled(rut_vec3_scale(turning, jt), WHEEL(momentum) - jt * along, a);
  const rutVec3 gyro = rut_vec3_cross(turning, momentum);
  return (Rest){
      rut_vec3_scale(rut_vec3_add_scaled(f, w.mass, gravity), -1),
      rut_vec3_add_scaled(rut_vec3_sub(gyro, given), rut_vec3_dot(given, a) + WHEEL(torque), a)};
}

// Numbers of each vehicle at every entry of a tile, rows that follow each other: in a batch an
// entry is a lane, and they are there already.
RUT_INLINE const double* spread(const double* from, int rows, int n, int lanes, double* room) {
  if (lanes > 1) return from;
  for (int r = 0; r < rows; r++) {
    for (int i = 0; i < n; i++) room[r * n + i] = from[r];
  }
  return room;
}
RUT_INLINE void put(double* restrict row, int n, int i, rutVec3 v) { rut_store_vec3(row, n, i, v); }

// First pass: inertia and forces of each corner as its chassis feels them.
RUT_INLINE void eliminate(const rutSliders* k, Counts counts, const Tile* tile,
                          const rutCornersIn* in) {
  const int n = counts.n, lanes = counts.lanes;
  double* restrict kept = tile->kept, * restrict row = tile->row;
  const double* restrict corner = CORNER_OF(tile);
  double room[7 * RUT_SLIDERS_TILE];
  const double* omegas = spread(in->chassis.omega, 3, n, lanes, room);
  const double* gravities = spread(in->chassis.gravity, 3, n, lanes, room + 3 * n);
  const double* steer_changes = spread(in->steer_change, 1, n, lanes, room + 6 * n);
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const int own = tile->first + i;
    const size_t at = tile->offset + (size_t)i;
    const rutVec3 omega = rut_load_vec3(omegas, n, i), gravity = rut_load_vec3(gravities, n, i);
    const Wheel w = wheel_of(k, n, i, tile, in);
    const rutVec3 r = CVEC(hub), v = CVEC(hub_v), turn = CVEC(hub_w), a = w.a, t = w.t;
    const double steer = steer_changes[i] * in->steer_gain[own];
    // with q'' = 0 in a chassis that does not accelerate
    const rutVec3 swing = rut_vec3_add_scaled(rut_vec3_cross(omega, r), 2, CVEC(move_v));
    const rutVec3 c = rut_vec3_add_scaled(rut_vec3_add(rut_vec3_cross(omega, swing), CVEC(rest_v)),
                                          steer, CVEC(steer_v));
    const rutVec3 moves = CVEC(move_w);
    const rutVec3 spin = rut_vec3_add_scaled(
        rut_vec3_add(rut_vec3_cross(omega, moves), CVEC(rest_w)), steer, CVEC(steer_w));
    const Rest rest = wheel_rest(w, at, in, gravity, rut_vec3_add(omega, moves));
    const rutVec3 hub_force = rut_vec3_add(wheel_force(w, c, spin), rest.force);
    const rutVec3 hub_moment = rut_vec3_add(wheel_moment(w, c, spin), rest.moment);
    // q
    const rutVec3 mv = wheel_force(w, v, turn), jw = wheel_moment(w, v, turn);
    const rutVec3 f = rut_vec3_add(CVEC(q_v), mv);
    const rutVec3 g = rut_vec3_add(rut_vec3_add(CVEC(q_w), jw), rut_vec3_cross(r, mv));
    const double slides = k->slides[own];
    const double stiff = C(qq) + rut_vec3_dot(v, mv) + rut_vec3_dot(turn, jw) + WHEEL(soft);
    const double d = slides / (stiff + (1 - slides));
    const double along =
        C(rest_q) + steer * C(qs) + rut_vec3_dot(v, hub_force) + rut_vec3_dot(turn, hub_moment);
    const double free = (WHEEL(lift) - along) * d;
    const rutVec3 fd = rut_vec3_scale(f, d), gd = rut_vec3_scale(g, d);
    const double spin_force = IN(spin_force),
                 yield = spin_force * rut_vec3_dot(t, v) + IN(spin_turn) * rut_vec3_dot(a, turn);
    put(kept + KEPT_F * n, n, i, fd);
    put(kept + KEPT_G * n, n, i, gd);
    kept[KEPT_FREE * n + i] = free;
    put(kept + KEPT_C * n, n, i, c);
    put(kept + KEPT_TURN * n, n, i, spin);
    kept[KEPT_YIELD * n + i] = yield * d;
    // the chassis's matrix
    const double mass = in->mass[own], coupling = w.coupling;
    row[0 * n + i] = mass + w.m.xx - fd.x * f.x;
    row[1 * n + i] = mass + w.m.yy - fd.y * f.y;
    row[2 * n + i] = mass + w.m.zz - fd.z * f.z;
    row[3 * n + i] = w.m.xy - fd.x * f.y;
    row[4 * n + i] = w.m.xz - fd.x * f.z;
    row[5 * n + i] = w.m.yz - fd.y * f.z;
    const rutVec3 s = CVEC(first), ka = rut_vec3_scale(a, coupling);
    const rutVec3 cx = rut_vec3_cross(r, rut_vec3(w.m.xx, w.m.xy, w.m.xz));
    const rutVec3 cy = rut_vec3_cross(r, rut_vec3(w.m.xy, w.m.yy, w.m.yz));
    const rutVec3 cz = rut_vec3_cross(r, rut_vec3(w.m.xz, w.m.yz, w.m.zz));
    row[(CROSS + 0) * n + i] = cx.x - ka.x * t.x - gd.x * f.x;
    row[(CROSS + 1) * n + i] = cy.x - ka.x * t.y - gd.x * f.y - s.z;
    row[(CROSS + 2) * n + i] = cz.x - ka.x * t.z - gd.x * f.z + s.y;
    row[(CROSS + 3) * n + i] = cx.y - ka.y * t.x - gd.y * f.x + s.z;
    row[(CROSS + 4) * n + i] = cy.y - ka.y * t.y - gd.y * f.y;
    row[(CROSS + 5) * n + i] = cz.y - ka.y * t.z - gd.y * f.z - s.x;
    row[(CROSS + 6) * n + i] = cx.z - ka.z * t.x - gd.z * f.x - s.y;
    row[(CROSS + 7) * n + i] = cy.z - ka.z * t.y - gd.z * f.y + s.x;
    row[(CROSS + 8) * n + i] = cz.z - ka.z * t.z - gd.z * f.z;
    const rutVec3 tx = rut_vec3_cross(r, rut_vec3(cx.x, cy.x, cz.x));
    const rutVec3 ty = rut_vec3_cross(r, rut_vec3(cx.y, cy.y, cz.y));
    const rutVec3 tz = rut_vec3_cross(r, rut_vec3(cx.z, cy.z, cz.z));
    const rutVec3 rt = rut_vec3_cross(r, t);
    const double jt = w.transverse, less = w.less;
    row[(ANGULAR + 0) * n + i] =
        C(second_xx) + tx.x + jt - less * a.x * a.x - 2 * ka.x * rt.x - gd.x * g.x;
    row[(ANGULAR + 1) * n + i] =
        C(second_yy) + ty.y + jt - less * a.y * a.y - 2 * ka.y * rt.y - gd.y * g.y;
    row[(ANGULAR + 2) * n + i] =
        C(second_zz) + tz.z + jt - less * a.z * a.z - 2 * ka.z * rt.z - gd.z * g.z;
    row[(ANGULAR + 3) * n + i] =
        C(second_xy) + tx.y - less * a.x * a.y - ka.x * rt.y - ka.y * rt.x - gd.x * g.y;
    row[(ANGULAR + 4) * n + i] =
        C(second_xz) + tx.z - less * a.x * a.z - ka.x * rt.z - ka.z * rt.x - gd.x * g.z;
    row[(ANGULAR + 5) * n + i] =
        C(second_yz) + ty.z - less * a.y * a.z - ka.y * rt.z - ka.z * rt.y - gd.y * g.z;
    const rutVec3 p = rut_vec3_add(
        rut_vec3_add_scaled(rut_vec3_add_scaled(CVEC(rest_force), steer, CVEC(s_v)), free, f),
        hub_force);
    const rutVec3 m = rut_vec3_add_scaled(
        rut_vec3_add_scaled(rut_vec3_add_scaled(CVEC(rest_moment), steer, CVEC(s_w)), free, g),
        IN(drive), a);
    put(row + FORCE * n, n, i, rut_vec3_scale(p, -1));
    put(row + MOMENT * n, n, i,
        rut_vec3_scale(rut_vec3_add(rut_vec3_add(m, hub_moment), rut_vec3_cross(r, hub_force)),
                       -1));
  }
}

// What shaft `shaft` adds to its vehicle.
RUT_INLINE void add_shaft(const rutSliders* k, Counts counts, const Tile* tile,
                          const rutCornersIn* in, int shaft, double* restrict row) {
  const int n = counts.n, lanes = counts.lanes;
  const double* restrict kept = tile->kept;
  const double* restrict corner = CORNER_OF(tile);
  const double* restrict shaft_ratio = in->shaft_ratio + tile->first;
  double room[3 * RUT_SLIDERS_TILE];
  const double* omegas = spread(in->chassis.omega, 3, n, lanes, room);
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const size_t at = tile->offset + (size_t)i;
    const rutVec3 omega = rut_load_vec3(omegas, n, i), a = CVEC(axis), v = CVEC(hub_v);
    const rutVec3 t = rut_vec3(WHEEL(along_x), WHEEL(along_y), WHEEL(along_z));
    const double spin_force = IN(spin_force), turn = IN(spin_turn), free = kept[KEPT_FREE * n + i];
    const double yield = spin_force * rut_vec3_dot(t, v) + turn * rut_vec3_dot(a, CVEC(hub_w));
    const rutVec3 f = rut_vec3_scale(t, spin_force);
    const rutVec3 fd = rut_load_vec3(kept + KEPT_F * n, n, i);
    const rutVec3 gd = rut_load_vec3(kept + KEPT_G * n, n, i);
    const double g = shaft_ratio[shaft * k->n + i];
    const rutVec3 force = rut_vec3_add_scaled(f, -yield, fd);
    const rutVec3 moment = rut_vec3_add_scaled(
        rut_vec3_add_scaled(rut_vec3_cross(CVEC(hub), f), turn - 1, a), -yield, gd);
    put(row + SHAFT_B * n, n, i, rut_vec3_scale(force, -g));
    put(row + (SHAFT_B + 3) * n, n, i, rut_vec3_scale(moment, -g));
    const rutVec3 c = rut_load_vec3(kept + KEPT_C * n, n, i);
    const rutVec3 spin = rut_load_vec3(kept + KEPT_TURN * n, n, i);
    // of the wheel against the chassis, without the shafts' torques and the chassis's acceleration
    const double carrier_rate = rut_vec3_dot(omega, rut_vec3_cross(CVEC(move_w), a));
    row[SHAFT_C * n + i] = g * (IN(spin_free) + spin_force * rut_vec3_dot(t, c) +
                                turn * rut_vec3_dot(a, spin) + yield * free - carrier_rate);
    row[SHAFT_Y * n + i] = g * (IN(spin_yield) + kept[KEPT_YIELD * n + i] * yield);
  }
  for (int other = counts.shafts - 1; other >= 0; other--) {
    for (int i = 0; i < n; i++) {
      row[(SHAFT_Y + other) * n + i] = row[SHAFT_Y * n + i] * shaft_ratio[other * k->n + i];
    }
  }
}

// Solve the equations of the shafts, symmetric, in place; numbers are rows of lanes. They are
// positive but for shafts that have no inertia to turn, as those of wheels that brakes hold: these
// carry no torque.
RUT_INLINE void solve_shafts(int shafts, int lanes, double* restrict a, double* restrict b) {
  const double least = 1e-9;  // far below 1/inertia of any wheel [1/(kg m2)]
  double inverse[MAX_SHAFTS * BATCH_LANES], part[BATCH_LANES];
#define A(r, c) a[(MAX_SHAFTS * (r) + (c)) * lanes + lane]
  RUT_UNROLL
  for (int c = 0; c < shafts; c++) {
    RUT_FOR_LANES(lane, lanes) {
      const double own = A(c, c), reciprocal = 1 / own;
      inverse[c * lanes + lane] = own > least ? reciprocal : 0;
    }
    RUT_UNROLL
    for (int r = c + 1; r < shafts; r++) {
      RUT_FOR_LANES(lane, lanes) { part[lane] = A(r, c) * inverse[c * lanes + lane]; }
      RUT_UNROLL
      for (int p = c + 1; p <= r; p++) {
        RUT_FOR_LANES(lane, lanes) { A(r, p) -= part[lane] * A(p, c); }
      }
      RUT_FOR_LANES(lane, lanes) { b[r * lanes + lane] -= part[lane] * b[c * lanes + lane]; }
    }
  }
  RUT_UNROLL
  for (int r = shafts - 1; r >= 0; r--) {
    RUT_UNROLL
    for (int p = r + 1; p < shafts; p++) {
      RUT_FOR_LANES(lane, lanes) { b[r * lanes + lane] -= A(p, r) * b[p * lanes + lane]; }
    }
    RUT_FOR_LANES(lane, lanes) { b[r * lanes + lane] *= inverse[r * lanes + lane]; }
  }
#undef A
}

// What the carriers of each vehicle have in common.
typedef struct Common {
  double* sum;        // [SUMS][lane] of their rows
  double* shaft_sum;  // [shafts][SHAFT_ROWS][lane] of the shafts' rows
  double* lambda;     // [shafts][lane]
} Common;

// sum += x y of rows of lanes.
RUT_INLINE void add_products(int lanes, const double* restrict x, const double* restrict y,
                             double* restrict sum) {
  RUT_FOR_LANES(l, lanes) { sum[l] += x[l] * y[l]; }
}

// lambda of each shaft: b is the solution without shafts; column [shaft][6] gets that of a unit
// lambda.
RUT_INLINE void solve_lambda(Counts counts, const rutCornersIn* in, const Common* common,
                             const Factors* f, const double* b, double* column) {
  const int lanes = counts.lanes, shafts = counts.shafts;
  double a[MAX_SHAFTS * MAX_SHAFTS * BATCH_LANES], along[BATCH_LANES];
  double* restrict lambda = common->lambda;
#define SHAFT(s, r) (common->shaft_sum + ((s)*SHAFT_ROWS + (r)) * lanes)
  RUT_UNROLL
  for (int s = 0; s < shafts; s++) {
    double* own = column + 6 * s * lanes;
    for (int l = 0; l < lanes; l++) along[l] = 0;
    RUT_UNROLL
    for (int c = 0; c < 6; c++) add_products(lanes, SHAFT(s, SHAFT_B + c), b + c * lanes, along);
    for (int i = 0; i < 6 * lanes; i++) own[i] = SHAFT(s, SHAFT_B)[i];
    substitute(f, lanes, own);
    const double *free = SHAFT(s, SHAFT_C), *correction = in->correction + s * lanes;
    RUT_FOR_LANES(l, lanes) { lambda[s * lanes + l] = free[l] + correction[l] - along[l]; }
  }
  RUT_UNROLL
  for (int s = 0; s < shafts; s++) {
    RUT_UNROLL
    for (int o = 0; o <= s; o++) {
      double* with = a + (MAX_SHAFTS * s + o) * lanes;
      const double *yield = SHAFT(s, SHAFT_Y + o), *inverse = in->inverse_inertia + s * lanes;
      RUT_FOR_LANES(l, lanes) { with[l] = yield[l] + (o == s ? inverse[l] : 0); }
      RUT_UNROLL
      for (int c = 0; c < 6; c++) {
        add_products(lanes, SHAFT(o, SHAFT_B + c), column + (6 * s + c) * lanes, with);
      }
    }
  }
#undef SHAFT
  solve_shafts(shafts, lanes, a, lambda);
}

// The chassis's accelerations, and lambda of each shaft.
RUT_INLINE void solve(const rutSliders* k, Counts counts, const rutCornersIn* in,
                      const Common* common, const rutCornersOut* out) {
  const int lanes = counts.lanes, shafts = counts.shafts;
  double b[6 * BATCH_LANES], column[MAX_SHAFTS * 6 * BATCH_LANES];
  Factors f;
  fill_matrix(k, lanes, common->sum, &f);
  factor(lanes, &f);
  right_sides(k, lanes, &in->chassis, common->sum, b);
  substitute(&f, lanes, b);
  solve_lambda(counts, in, common, &f, b, column);
  RUT_UNROLL
  for (int s = 0; s < shafts; s++) {
    RUT_UNROLL
    for (int c = 0; c < 6; c++) {
      add_products(lanes, column + (6 * s + c) * lanes, common->lambda + s * lanes, b + c * lanes);
    }
  }
  put_accelerations(lanes, b, out->acceleration, out->alpha);
}

// Second pass: coordinates of the corners, hubs, torques of shafts; efforts of the steering as the
// tile's row.
RUT_INLINE void distribute(const rutSliders* k, Counts counts, const Tile* tile,
                           const rutCornersIn* in, const double* restrict lambda,
                           const rutCornersOut* out) {
  const int n = counts.n, lanes = counts.lanes, shafts = counts.shafts;
  const double* restrict kept = tile->kept;
  double* restrict effort = tile->row;
  const double* restrict corner = CORNER_OF(tile);
  double* restrict slides = out->slide + tile->first;
  double* restrict hub_x = out->hub_x + tile->offset, * restrict hub_y = out->hub_y + tile->offset;
  double* restrict hub_z = out->hub_z + tile->offset, * restrict about = out->about + tile->offset;
  double* restrict shaft = out->shaft + tile->offset;
  double room[13 * RUT_SLIDERS_TILE], torques[RUT_SLIDERS_TILE];
  const double* omegas = spread(in->chassis.omega, 3, n, lanes, room);
  const double* gravities = spread(in->chassis.gravity, 3, n, lanes, room + 3 * n);
  const double* steer_changes = spread(in->steer_change, 1, n, lanes, room + 6 * n);
  const double* linears = spread(out->acceleration, 3, n, lanes, room + 7 * n);
  const double* alphas = spread(out->alpha, 3, n, lanes, room + 10 * n);
  for (int i = 0; i < n; i++) torques[i] = 0;
  for (int s = 0; s < shafts; s++) {
    const double* ratio = in->shaft_ratio + s * k->n + tile->first;
#pragma omp simd
    for (int i = 0; i < n; i++) torques[i] -= ratio[i] * lambda[s * lanes + (lanes > 1 ? i : 0)];
  }
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const int own = tile->first + i;
    const size_t at = tile->offset + (size_t)i;
    const rutVec3 linear = rut_load_vec3(linears, n, i);
    const rutVec3 alpha = rut_load_vec3(alphas, n, i);
    const rutVec3 omega = rut_load_vec3(omegas, n, i), gravity = rut_load_vec3(gravities, n, i);
    const Wheel w = wheel_of(k, n, i, tile, in);
    const double torque = torques[i];
    const rutVec3 fd = rut_load_vec3(kept + KEPT_F * n, n, i);
    const rutVec3 gd = rut_load_vec3(kept + KEPT_G * n, n, i);
    const double q = kept[KEPT_FREE * n + i] - rut_vec3_dot(fd, linear) - rut_vec3_dot(gd, alpha) +
                     kept[KEPT_YIELD * n + i] * torque;
    const rutVec3 c = rut_load_vec3(kept + KEPT_C * n, n, i);
    const rutVec3 spin = rut_load_vec3(kept + KEPT_TURN * n, n, i);
    const rutVec3 carried = rut_vec3_add(linear, rut_vec3_cross(alpha, CVEC(hub)));
    const rutVec3 hub = rut_vec3_add_scaled(rut_vec3_add(carried, c), q, CVEC(hub_v));
    const rutVec3 turn = rut_vec3_add_scaled(rut_vec3_add(alpha, spin), q, CVEC(hub_w));
    slides[i] = q;
    hub_x[i] = hub.x;
    hub_y[i] = hub.y;
    hub_z[i] = hub.z;
    about[i] = rut_vec3_dot(turn, w.a);
    shaft[i] = torque;
    // a torque of the shafts acts on the hub through the wheel's spin
    const Rest rest = wheel_rest(w, at, in, gravity, rut_vec3_add(omega, CVEC(move_w)));
    const rutVec3 force = rut_vec3_add_scaled(rut_vec3_add(wheel_force(w, hub, turn), rest.force),
                                              -IN(spin_force) * torque, w.t);
    const rutVec3 moment = rut_vec3_add_scaled(
        rut_vec3_add(wheel_moment(w, hub, turn), rest.moment), -IN(spin_turn) * torque, w.a);
    const double steer = steer_changes[i] * in->steer_gain[own];
    effort[i] = in->steer_gain[own] *
                (rut_vec3_dot(CVEC(steer_v), force) + rut_vec3_dot(CVEC(steer_w), moment) +
                 rut_vec3_dot(CVEC(s_v), linear) + rut_vec3_dot(CVEC(s_w), alpha) + C(qs) * q +
                 C(ss) * steer + C(rest_s));
  }
}

RUT_INLINE Tile tile_at(int n, int t, const rutCornersIn* in, double* row, double* kept) {
  return (Tile){t * n, (size_t)t * in->stride, kept + (size_t)(t * KEPT * n), row};
}

// Works on copies of the structs, whose pointers then stay in registers.
RUT_INLINE void accelerate(const rutSliders* of, Counts counts, const rutCornersIn* from,
                           double* scratch, const rutCornersOut* to) {
  const rutSliders vehicle = *of, *k = &vehicle;
  const rutCornersIn given = *from, *in = &given;
  const rutCornersOut result = *to, *out = &result;
  const int n = counts.n, lanes = counts.lanes;
  const double* soft = in->chassis.soft_body;
  double *row = scratch, *sum = row + SUMS * RUT_SLIDERS_TILE;
  double* shaft_row = sum + SUMS * RUT_SLIDERS_TILE;
  double* shaft_sum = shaft_row + SHAFT_ROWS * RUT_SLIDERS_TILE;
  double* kept = shaft_sum + MAX_SHAFTS * SHAFT_ROWS * RUT_SLIDERS_TILE;
  double lambda[MAX_SHAFTS * RUT_SLIDERS_TILE];
  const Common common = {sum, shaft_sum, lambda};
  const int tiles = n < RUT_SLIDERS_TILE ? 1 : k->n / n;
  for (int t = 0; t < tiles; t++) {
    const Tile tile = tile_at(n, t, in, row, kept);
    eliminate(k, counts, &tile, in);
    add_up(counts, tile.first, SUMS, row, sum);
    for (int s = 0; s < counts.shafts; s++) {
      add_shaft(k, counts, &tile, in, s, shaft_row);
      add_up(counts, tile.first, SHAFT_ROWS, shaft_row, shaft_sum + s * SHAFT_ROWS * lanes);
    }
  }
  for (int i = 0; soft && i < RUT_SLIDERS_BODY * lanes; i++) sum[i] += soft[i];
  solve(k, counts, in, &common, out);
  for (int t = 0; t < tiles; t++) {
    const Tile tile = tile_at(n, t, in, row, kept);
    distribute(k, counts, &tile, in, lambda, out);
    add_up(counts, tile.first, 1, row, out->effort);
  }
}

// The compiler knows the counts of the commonest: vehicles with four corners, by themselves and in
// batches, that are driven at no wheel or, by three shafts, at all.
#define ACCELERATE(name, n, lanes, wheels, shafts)                                          \
  RUT_CLONES static void name(const rutSliders* k, const rutCornersIn* in, double* scratch, \
                              const rutCornersOut* out) {                                   \
    accelerate(k, (Counts){n, lanes, wheels, shafts}, in, scratch, out);                    \
  }
typedef void rutAccelerate(const rutSliders* k, const rutCornersIn* in, double* scratch,
                           const rutCornersOut* out);
ACCELERATE(four_free, SMALL_TILE, 1, 4, 0)
ACCELERATE(four_three, SMALL_TILE, 1, 4, 3)
ACCELERATE(few, SMALL_TILE, 1, k->wheels, in->shafts)
ACCELERATE(many, RUT_SLIDERS_TILE, 1, k->wheels, in->shafts)
ACCELERATE(batch_free, RUT_SLIDERS_TILE, BATCH_LANES, k->wheels, 0)
ACCELERATE(batch_three, RUT_SLIDERS_TILE, BATCH_LANES, k->wheels, 3)
ACCELERATE(batch, RUT_SLIDERS_TILE, BATCH_LANES, k->wheels, in->shafts)

void rut_corners_accelerate(const rutSliders* k, const rutCornersIn* in, double* scratch,
                            const rutCornersOut* out) {
  const int driven = in->shafts;
  if (k->lanes > 1) {
    rutAccelerate* run = driven == 0 ? batch_free : driven == 3 ? batch_three : batch;
    run(k, in, scratch, out);
  } else if (k->wheels == 4) {
    rutAccelerate* run = driven == 0 ? four_free : driven == 3 ? four_three : few;
    run(k, in, scratch, out);
  } else {
    (k->n > SMALL_TILE ? many : few)(k, in, scratch, out);
  }
}
