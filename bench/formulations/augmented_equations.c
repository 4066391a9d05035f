// SPDX-License-Identifier: BSD-3-Clause
//
// Equations of the corners of the spanning tree, four corners in each vector.
#include "augmented.h"

#include <string.h>

// One corner's sums over its bodies.
typedef struct Corner {
  double mass;
  rutVec3 first;          // mass times place
  rutSym3 second;         // inertia about the chassis's centre of mass
  rutVec3 force, moment;  // of inertia less gravity and external ones, with x = y = 0
} Corner;

// A body: its force and moment of inertia, less gravity, with x = y = 0.
typedef struct Bias {
  rutVec3 force, moment;
} Bias;

RUT_INLINE Bias bias_of(double mass, rutVec3 r, rutVec3 v, rutVec3 a, rutSym3 j, rutVec3 turning,
                        rutVec3 change, rutVec3 omega, rutVec3 gravity) {
  const rutVec3 swing = rut_vec3_cross(omega, rut_vec3_add_scaled(rut_vec3_cross(omega, r), 2, v));
  const rutVec3 whole = rut_vec3_add(omega, turning);
  const rutVec3 alpha = rut_vec3_add(rut_vec3_cross(omega, turning), change);
  return (Bias){
      rut_vec3_scale(rut_vec3_sub(rut_vec3_add(swing, a), gravity), mass),
      rut_vec3_add(rut_sym3_apply(j, alpha), rut_vec3_cross(whole, rut_sym3_apply(j, whole)))};
}

RUT_INLINE void add_body(double mass, rutVec3 r, rutSym3 j, Bias b, Corner* c) {
  const rutVec3 m = rut_vec3_scale(r, mass);
  c->mass += mass;
  c->first = rut_vec3_add(c->first, m);
  c->second.xx += j.xx + m.y * r.y + m.z * r.z;
  c->second.yy += j.yy + m.x * r.x + m.z * r.z;
  c->second.zz += j.zz + m.x * r.x + m.y * r.y;
  c->second.xy += j.xy - m.x * r.y;
  c->second.xz += j.xz - m.x * r.z;
  c->second.yz += j.yz - m.y * r.z;
  c->force = rut_vec3_add(c->force, b.force);
  c->moment = rut_vec3_add(c->moment, rut_vec3_add(b.moment, rut_vec3_cross(r, b.force)));
}

// Column y of F: linear momentum p and angular momentum about the chassis's centre of mass.
RUT_INLINE void put_momentum(Equations* q, int y, int i, rutVec3 p, rutVec3 h) {
  q->momentum[0][y][i] = p.x;
  q->momentum[1][y][i] = p.y;
  q->momentum[2][y][i] = p.z;
  q->momentum[3][y][i] = h.x;
  q->momentum[4][y][i] = h.y;
  q->momentum[5][y][i] = h.z;
}

// Momentum of a body at r that moves with v and has the spin h, about the origin.
RUT_INLINE rutVec3 about_origin(rutVec3 r, rutVec3 p, rutVec3 h) {
  return rut_vec3_add(h, rut_vec3_cross(r, p));
}

RUT_INLINE void add_upper(const Augmented* a, double mass, int i, Corner* c, Equations* q) {
  const Motion* m = &a->m;
  const rutVec3 u = V(a->c.upper_axis), r = V(m->upper_com), v = V(m->upper_cv);
  const rutSym3 j = load_sym(&m->upper_inertia, i);
  const double rate = a->upper_rate.v[i];
  const Bias b = bias_of(mass, r, rut_vec3_scale(v, rate), V(m->upper_ca), j,
                         rut_vec3_scale(u, rate), rut_vec3(0, 0, 0), a->omega, a->gravity);
  add_body(mass, r, j, b, c);
  const rutVec3 p = rut_vec3_scale(v, mass);
  put_momentum(q, Y_UPPER, i, p, about_origin(r, p, rut_sym3_apply(j, u)));
  q->free[Y_UPPER][i] = -rut_vec3_dot(v, b.force) - rut_vec3_dot(u, b.moment);
}

RUT_INLINE void add_rod(const Augmented* a, double mass, int i, Corner* c, Equations* q) {
  const Motion* m = &a->m;
  const double length = a->c.length.v[i], half = 0.5 * length, j = mass * length * length / 12;
  const rutVec3 n = V(m->along), rate = V(m->along_v), change = V(m->along_a);
  const rutSym3 inertia = {j * (1 - n.x * n.x), j * (1 - n.y * n.y), j * (1 - n.z * n.z),
                           -j * n.x * n.y,      -j * n.x * n.z,      -j * n.y * n.z};
  const rutVec3 r = rut_vec3_add_scaled(V(m->inner), half, n);
  const Bias b = bias_of(mass, r, rut_vec3_add_scaled(V(m->inner_v), half, rate),
                         rut_vec3_add_scaled(V(m->inner_a), half, change), inertia,
                         rut_vec3_cross(n, rate), rut_vec3_cross(n, change), a->omega, a->gravity);
  add_body(mass, r, inertia, b, c);
  const rutVec3 t1 = V(m->across_1), t2 = V(m->across_2);
  const rutVec3 w1 = rut_vec3_cross(n, t1), w2 = rut_vec3_cross(n, t2);
  const rutVec3 p1 = rut_vec3_scale(t1, mass * half), p2 = rut_vec3_scale(t2, mass * half);
  put_momentum(q, Y_ROD, i, p1, about_origin(r, p1, rut_vec3_scale(w1, j)));
  put_momentum(q, Y_ROD + 1, i, p2, about_origin(r, p2, rut_vec3_scale(w2, j)));
  q->free[Y_ROD][i] = -half * rut_vec3_dot(t1, b.force) - rut_vec3_dot(w1, b.moment);
  q->free[Y_ROD + 1][i] = -half * rut_vec3_dot(t2, b.force) - rut_vec3_dot(w2, b.moment);
}

// R A R^T
RUT_INLINE rutSym3 turned(rutMat3 r, rutMat3 a) {
  const rutSym3 j = {a.m[0], a.m[4], a.m[8], a.m[1], a.m[2], a.m[5]};
  return rut_sym3_turned(j, rut_vec3(r.m[0], r.m[3], r.m[6]), rut_vec3(r.m[1], r.m[4], r.m[7]),
                         rut_vec3(r.m[2], r.m[5], r.m[8]));
}

// Force and moment at the centre of mass of upright and wheel: of inertia less those of gravity,
// ground, the wheel's spin and the torque that the carrier gives to it.
RUT_INLINE Bias carrier_bias(const Augmented* a, const formVehicle* v, int i, double mass,
                             rutVec3 r, rutSym3 j) {
  const Motion* m = &a->m;
  const rutVec3 out = V(m->centre), w = V(a->upright_rate), axis = V(m->axis);
  const rutVec3 swing = rut_vec3_cross(w, out);
  const rutVec3 move = rut_vec3_add_scaled(swing, a->lower_rate.v[i], V(m->ball_v));
  const rutVec3 pull = rut_vec3_add(V(m->ball_a), rut_vec3_cross(w, swing));
  const Bias b = bias_of(mass, r, move, pull, j, w, rut_vec3(0, 0, 0), a->omega, a->gravity);
  const rutVec3 force = V(a->hub_force), moment = V(a->hub_moment);
  const double about_axis = rut_vec3_dot(moment, axis) + a->torque.v[i];
  const rutVec3 gyro =
      rut_vec3_cross(rut_vec3_add(a->omega, w), rut_vec3_scale(axis, v->wheel_spin * a->spin.v[i]));
  const rutVec3 lever = rut_vec3_cross(rut_vec3_sub(V(m->hub), out), force);
  const rutVec3 given = rut_vec3_add(rut_vec3_add_scaled(moment, -about_axis, axis), lever);
  return (Bias){rut_vec3_sub(b.force, force), rut_vec3_add(b.moment, rut_vec3_sub(gyro, given))};
}

// Lower arm, and upright with the wheel on its ball joint.
RUT_INLINE void add_lower(const Augmented* a, const formVehicle* v, int i, Corner* c,
                          Equations* q) {
  const Motion* m = &a->m;
  const double arm_mass = v->lower_mass, mass = v->upright_mass + v->wheel_mass;
  const double rate = a->lower_rate.v[i];
  const rutVec3 l = V(a->c.lower_axis), com = V(m->lower_com), lv = V(m->lower_v);
  const rutSym3 jl = load_sym(&m->lower_inertia, i);
  const Bias bl = bias_of(arm_mass, com, rut_vec3_scale(lv, rate), V(m->lower_a), jl,
                          rut_vec3_scale(l, rate), rut_vec3(0, 0, 0), a->omega, a->gravity);
  add_body(arm_mass, com, jl, bl, c);
  const rutVec3 out = V(m->centre), bv = V(m->ball_v), r = rut_vec3_add(V(m->ball), out);
  const double xx = out.x * out.x, yy = out.y * out.y, zz = out.z * out.z;
  rutSym3 j = turned(M(m->turn), M(a->c.carrier));
  j = (rutSym3){j.xx - mass * (yy + zz),     j.yy - mass * (xx + zz),
                j.zz - mass * (xx + yy),     j.xy + mass * out.x * out.y,
                j.xz + mass * out.x * out.z, j.yz + mass * out.y * out.z};
  const Bias b = carrier_bias(a, v, i, mass, r, j);
  add_body(mass, r, j, b, c);
  c->moment = rut_vec3_add_scaled(c->moment, a->drive.v[i], V(m->axis));
  const rutVec3 p = rut_vec3_scale(lv, arm_mass), pb = rut_vec3_scale(bv, mass);
  const rutVec3 h = about_origin(com, p, rut_sym3_apply(jl, l));
  put_momentum(q, Y_LOWER, i, rut_vec3_add(p, pb), rut_vec3_add(h, rut_vec3_cross(r, pb)));
  q->free[Y_LOWER][i] = a->strut.v[i] - rut_vec3_dot(lv, bl.force) - rut_vec3_dot(l, bl.moment) -
                        rut_vec3_dot(bv, b.force);
  const rutVec3 px = rut_vec3(0, -mass * out.z, mass * out.y);
  const rutVec3 py = rut_vec3(mass * out.z, 0, -mass * out.x);
  const rutVec3 pz = rut_vec3(-mass * out.y, mass * out.x, 0);
  put_momentum(q, Y_UPRIGHT, i, px, about_origin(r, px, rut_vec3(j.xx, j.xy, j.xz)));
  put_momentum(q, Y_UPRIGHT + 1, i, py, about_origin(r, py, rut_vec3(j.xy, j.yy, j.yz)));
  put_momentum(q, Y_UPRIGHT + 2, i, pz, about_origin(r, pz, rut_vec3(j.xz, j.yz, j.zz)));
  const rutVec3 twist = rut_vec3_add(b.moment, rut_vec3_cross(out, b.force));
  q->free[Y_UPRIGHT][i] = -twist.x;
  q->free[Y_UPRIGHT + 1][i] = -twist.y;
  q->free[Y_UPRIGHT + 2][i] = -twist.z;
}

RUT_INLINE void invert(const Augmented* a, const formVehicle* v, int i, Equations* q) {
  const Motion* m = &a->m;
  const double mass = v->upright_mass + v->wheel_mass, length = a->c.length.v[i];
  const rutVec3 bv = V(m->ball_v);
  const rutVec3 g = rut_vec3_scale(rut_vec3_cross(V(m->centre), bv), mass);
  const rutSym3 e = turned(M(m->turn), M(a->c.inverse));
  const rutVec3 coupling = rut_sym3_apply(e, g);
  const double lower =
      a->c.lower_about.v[i] + mass * rut_vec3_dot(bv, bv) - rut_vec3_dot(g, coupling);
  const double rod = 3 / (v->rod_mass * length * length), c2 = m->shrink.v[i];
  rut_store_mat3(q->e[0], N, i, (rutMat3){{e.xx, e.xy, e.xz, e.xy, e.yy, e.yz, e.xz, e.yz, e.zz}});
  rut_store_vec3(q->coupling[0], N, i, coupling);
  q->lower[i] = 1 / lower;
  q->upper[i] = 1 / a->c.upper_about.v[i];
  q->rod_1[i] = rod / (c2 * c2);
  q->rod_2[i] = rod;
}

// The cut joints: Phi y.
RUT_INLINE void across_cut(const Augmented* a, int i, double y[Y][N], double out[ROWS][N]) {
  const Motion* m = &a->m;
  const double length = a->c.length.v[i];
  const rutVec3 w = rut_vec3(y[Y_UPRIGHT][i], y[Y_UPRIGHT + 1][i], y[Y_UPRIGHT + 2][i]);
  const rutVec3 ball = rut_vec3_scale(V(m->ball_v), y[Y_LOWER][i]);
  const rutVec3 up = rut_vec3_add(ball, rut_vec3_cross(w, V(m->up)));
  const rutVec3 tie = rut_vec3_add(ball, rut_vec3_cross(w, V(m->tie)));
  const rutVec3 rod = rut_vec3_add_scaled(rut_vec3_scale(V(m->across_1), length * y[Y_ROD][i]),
                                          length * y[Y_ROD + 1][i], V(m->across_2));
  rut_store_vec3(out[0], N, i, rut_vec3_sub(rut_vec3_scale(V(m->upper_v), y[Y_UPPER][i]), up));
  rut_store_vec3(out[3], N, i, rut_vec3_sub(rod, tie));
}

// D^-1 b, in place.
RUT_INLINE void apply_inverse(const Equations* q, int i, double b[Y][N]) {
  const rutMat3 e = rut_load_mat3(q->e[0], N, i);
  const rutVec3 coupling = rut_load_vec3(q->coupling[0], N, i);
  const rutVec3 w = rut_vec3(b[Y_UPRIGHT][i], b[Y_UPRIGHT + 1][i], b[Y_UPRIGHT + 2][i]);
  const double lower = (b[Y_LOWER][i] - rut_vec3_dot(coupling, w)) * q->lower[i];
  b[Y_LOWER][i] = lower;
  rut_store_vec3(b[Y_UPRIGHT], N, i, rut_vec3_add_scaled(rut_mat3_apply(e, w), -lower, coupling));
  b[Y_UPPER][i] *= q->upper[i];
  b[Y_ROD][i] *= q->rod_1[i];
  b[Y_ROD + 1][i] *= q->rod_2[i];
}

// Right side of the cut joints: velocity products, and gaps that are pulled together.
RUT_INLINE void cut_side(const Augmented* a, int i, Equations* q) {
  const double rate = FORM_STABILISATION;
  const Motion* m = &a->m;
  const double length = a->c.length.v[i];
  const rutVec3 w = V(a->upright_rate), ball = V(m->ball), pull = V(m->ball_a);
  const rutVec3 up = rut_vec3_cross(w, V(m->up)), tie = rut_vec3_cross(w, V(m->tie));
  const rutVec3 ball_v = rut_vec3_scale(V(m->ball_v), a->lower_rate.v[i]);
  const rutVec3 upper_v = rut_vec3_scale(V(m->upper_v), a->upper_rate.v[i]);
  const rutVec3 end = rut_vec3_add_scaled(V(m->inner), length, V(m->along));
  const rutVec3 end_v = rut_vec3_add_scaled(V(m->inner_v), length, V(m->along_v));
  const rutVec3 end_a = rut_vec3_add_scaled(V(m->inner_a), length, V(m->along_a));
  const rutVec3 gap_1 = rut_vec3_sub(V(m->upper), rut_vec3_add(ball, V(m->up)));
  const rutVec3 gap_2 = rut_vec3_sub(end, rut_vec3_add(ball, V(m->tie)));
  const rutVec3 rate_1 = rut_vec3_sub(upper_v, rut_vec3_add(ball_v, up));
  const rutVec3 rate_2 = rut_vec3_sub(end_v, rut_vec3_add(ball_v, tie));
  const rutVec3 bias_1 = rut_vec3_sub(V(m->upper_a), rut_vec3_add(pull, rut_vec3_cross(w, up)));
  const rutVec3 bias_2 = rut_vec3_sub(end_a, rut_vec3_add(pull, rut_vec3_cross(w, tie)));
  rut_store_vec3(q->gamma[0], N, i,
                 rut_vec3_along(-1, bias_1, -2 * rate, rate_1, -rate * rate, gap_1));
  rut_store_vec3(q->gamma[3], N, i,
                 rut_vec3_along(-1, bias_2, -2 * rate, rate_2, -rate * rate, gap_2));
}

// The chassis's equations without those of y.
RUT_INLINE void put_body(const Corner* c, int i, Equations* q) {
  const rutVec3 s = c->first;
  const rutSym3 j = c->second;
  // three rows of mass and crossed moments, three of inertia
  q->body[0][i] = q->body[6][i] = q->body[11][i] = c->mass;
  q->body[1][i] = q->body[2][i] = q->body[7][i] = 0;
  q->body[3][i] = q->body[9][i] = q->body[14][i] = 0;
  q->body[4][i] = s.z;
  q->body[5][i] = -s.y;
  q->body[8][i] = -s.z;
  q->body[10][i] = s.x;
  q->body[12][i] = s.y;
  q->body[13][i] = -s.x;
  q->body[15][i] = j.xx;
  q->body[16][i] = j.xy;
  q->body[17][i] = j.xz;
  q->body[18][i] = j.yy;
  q->body[19][i] = j.yz;
  q->body[20][i] = j.zz;
  rut_store_vec3(q->body[21], N, i, rut_vec3_scale(c->force, -1));
  rut_store_vec3(q->body[24], N, i, rut_vec3_scale(c->moment, -1));
}

RUT_CLONES static void sum_corners(const Augmented* a, const formVehicle* v, Equations* q) {
  RUT_FOR_LANES(i, N) {
    Corner c = {.mass = 0};
    add_lower(a, v, i, &c, q);
    add_upper(a, v->upper_mass, i, &c, q);
    add_rod(a, v->rod_mass, i, &c, q);
    put_body(&c, i, q);
    invert(a, v, i, q);
    cut_side(a, i, q);
  }
}

// ---- Lambda ----

// r~ E s~^T: how a force at s of the upright moves its point r.
RUT_INLINE void point_yield(const Equations* q, int i, rutVec3 r, rutVec3 s, double out[9][N]) {
  const rutMat3 e = rut_load_mat3(q->e[0], N, i);
  // its columns are r x (E (unit x s))
  const rutVec3 x = rut_vec3_cross(r, rut_mat3_apply(e, rut_vec3(0, -s.z, s.y)));
  const rutVec3 y = rut_vec3_cross(r, rut_mat3_apply(e, rut_vec3(s.z, 0, -s.x)));
  const rutVec3 z = rut_vec3_cross(r, rut_mat3_apply(e, rut_vec3(-s.y, s.x, 0)));
  rut_store_mat3(out[0], N, i, (rutMat3){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}});
}

RUT_CLONES static void fill_lambda(const Augmented* a, Equations* q) {
  const Motion* m = &a->m;
  double uu[9][N], tu[9][N], tt[9][N], z[ROWS][N], f[3][N], g1[3][N], g2[3][N];
  RUT_FOR_LANES(i, N) {
    const rutVec3 up = V(m->up), tie = V(m->tie), ball = V(m->ball_v);
    const rutVec3 coupling = rut_load_vec3(q->coupling[0], N, i);
    const double length = a->c.length.v[i];
    point_yield(q, i, up, up, uu);
    point_yield(q, i, tie, up, tu);
    point_yield(q, i, tie, tie, tt);
    // of both points when the lower arm moves and the upright is free to turn
    rut_store_vec3(z[0], N, i, rut_vec3_sub(rut_vec3_cross(coupling, up), ball));
    rut_store_vec3(z[3], N, i, rut_vec3_sub(rut_vec3_cross(coupling, tie), ball));
    rut_store_vec3(f[0], N, i, V(m->upper_v));
    rut_store_vec3(g1[0], N, i, rut_vec3_scale(V(m->across_1), length));
    rut_store_vec3(g2[0], N, i, rut_vec3_scale(V(m->across_2), length));
  }
  const Lanes d = CONST_LANES(q->lower), u = CONST_LANES(q->upper);
  const Lanes d1 = CONST_LANES(q->rod_1), d2 = CONST_LANES(q->rod_2);
  RUT_UNROLL
  for (int r = 0; r < 3; r++) {
    const Lanes up = d * CONST_LANES(z[r]), tie = d * CONST_LANES(z[3 + r]),
                arm = u * CONST_LANES(f[r]);
    const Lanes rod_1 = d1 * CONST_LANES(g1[r]), rod_2 = d2 * CONST_LANES(g2[r]);
    RUT_UNROLL
    for (int s = 0; s < 3; s++) {
      const Lanes zs = CONST_LANES(z[s]), zt = CONST_LANES(z[3 + s]);
      const int at = 3 * r + s;
      LANES(q->lambda[r][s]) = CONST_LANES(uu[at]) + up * zs + arm * CONST_LANES(f[s]);
      LANES(q->lambda[3 + r][s]) = CONST_LANES(tu[at]) + tie * zs;
      LANES(q->lambda[3 + r][3 + s]) =
          CONST_LANES(tt[at]) + tie * zt + rod_1 * CONST_LANES(g1[s]) + rod_2 * CONST_LANES(g2[s]);
    }
  }
}

// D^-1 F^T and Phi of it; `free` and `gamma` likewise; what is left of the chassis's equations.
RUT_CLONES static void respond(const Augmented* a, Equations* restrict q) {
  double crossed[ROWS][N];
  memcpy(q->response, q->momentum, sizeof q->response);
  for (int k = 0; k < 6; k++) {
    RUT_FOR_LANES(i, N) apply_inverse(q, i, q->response[k]);
    RUT_FOR_LANES(i, N) across_cut(a, i, q->response[k], q->cut_response[k]);
  }
  RUT_FOR_LANES(i, N) apply_inverse(q, i, q->free);
  RUT_FOR_LANES(i, N) across_cut(a, i, q->free, crossed);
  for (int r = 0; r < ROWS; r++) {
    RUT_FOR_LANES(i, N) q->gamma[r][i] -= crossed[r][i];
  }
  for (int r = 0, at = 0; r < 6; r++) {
    Lanes momentum[Y], side = CONST_LANES(q->body[21 + r]);
    RUT_UNROLL
    for (int y = 0; y < Y; y++) {
      momentum[y] = CONST_LANES(q->momentum[r][y]);
      side -= momentum[y] * CONST_LANES(q->free[y]);
    }
    LANES(q->body[21 + r]) = side;
    for (int k = r; k < 6; k++, at++) {
      Lanes sum = CONST_LANES(q->body[at]);
      RUT_UNROLL
      for (int y = 0; y < Y; y++) sum -= momentum[y] * CONST_LANES(q->response[k][y]);
      LANES(q->body[at]) = sum;
    }
  }
}

void form_augmented_equations(const Augmented* a, Equations* q) {
  sum_corners(a, &a->vehicle, q);
  fill_lambda(a, q);
  respond(a, q);
}
