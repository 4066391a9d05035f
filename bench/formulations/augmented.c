// SPDX-License-Identifier: BSD-3-Clause
//
// Spanning tree with cut joints. Coordinates of a corner: angle of the lower arm, three of the
// upright on the lower ball joint, angle of the upper arm, two of the tie rod on its inner end, and
// the wheel's spin. Cut are the upper ball joint and the tie rod's outer end, six multipliers.
//
// With x the chassis's acceleration and y a corner's (its spin apart, which no joint couples),
//   L x + F y = -p,   F^T x + D y = t + Phi^T lambda,   Phi y = gamma,
// where loops lie within corners, so that Phi knows no chassis and Lambda = Phi D^-1 Phi^T is a
// 6 x 6 block per corner. D splits into the upper arm, the rod, and lower arm with upright, whose
// inertia about the ball joint is constant in its own axes and so inverted once.
//
// Solved in two ways. "by_corner" uses the topology to the full: each corner is eliminated by
// itself, joint forces included, four at once in vector code, and the chassis's six equations come
// last. "together" is the textbook's: accelerations of the tree without joint forces, then
// Lambda = Phi M^-1 Phi^T of all 24, which the chassis couples. Source of the scheme: Featherstone,
// Rigid Body Dynamics Algorithms, Springer 2008, chapter 8.
#include "augmented.h"

#include <stdlib.h>

// ---- constants ----

static Swing swing_of(rutVec3 axis, rutVec3 design, int i, Swing s) {
  const rutVec3 still = rut_vec3_scale(axis, rut_vec3_dot(axis, design));
  SET(s.still, still);
  SET(s.fore, rut_vec3_sub(design, still));
  SET(s.side, rut_vec3_cross(axis, design));
  return s;
}

static double quadratic(rutSym3 j, rutVec3 u) { return rut_vec3_dot(u, rut_sym3_apply(j, u)); }

// Inertia of an arm about its pivot, in the axes e that turn with it.
static rutSym3 in_axes(rutSym3 j, rutVec3 u, rutVec3 e1, rutVec3 e2) {
  return (rutSym3){quadratic(j, u),
                   quadratic(j, e1),
                   quadratic(j, e2),
                   rut_vec3_dot(u, rut_sym3_apply(j, e1)),
                   rut_vec3_dot(u, rut_sym3_apply(j, e2)),
                   rut_vec3_dot(e1, rut_sym3_apply(j, e2))};
}

static rutMat3 inverse_of(rutMat3 a) {
  const rutVec3 x = rut_vec3(a.m[0], a.m[3], a.m[6]), y = rut_vec3(a.m[1], a.m[4], a.m[7]);
  const rutVec3 z = rut_vec3(a.m[2], a.m[5], a.m[8]);
  const rutVec3 yz = rut_vec3_cross(y, z), zx = rut_vec3_cross(z, x), xy = rut_vec3_cross(x, y);
  const double d = 1 / rut_vec3_dot(x, yz);
  return (rutMat3){
      {yz.x * d, yz.y * d, yz.z * d, zx.x * d, zx.y * d, zx.z * d, xy.x * d, xy.y * d, xy.z * d}};
}

// Adds a body of mass m at r, inertia j, to an inertia about the origin.
static void add_inertia(rutMat3* sum, double m, rutVec3 r, rutSym3 j) {
  const double rr = rut_vec3_dot(r, r);
  sum->m[0] += j.xx + m * (rr - r.x * r.x);
  sum->m[4] += j.yy + m * (rr - r.y * r.y);
  sum->m[8] += j.zz + m * (rr - r.z * r.z);
  sum->m[1] = sum->m[3] += j.xy - m * r.x * r.y;
  sum->m[2] = sum->m[6] += j.xz - m * r.x * r.z;
  sum->m[5] = sum->m[7] += j.yz - m * r.y * r.z;
}

static void lay_arms(const formVehicle* v, int i, Constants* k) {
  const formCorner* c = &v->corner[i];
  const rutVec3 l = c->lower_axis, u = c->upper_axis;
  const rutVec3 ball = rut_vec3_sub(c->lower_ball, c->lower_foot);
  const rutVec3 com = rut_vec3_sub(c->lower_com, c->lower_foot);
  const rutVec3 e1 = rut_vec3_unit(ball), e2 = rut_vec3_cross(l, e1);
  SET(k->lower_axis, l);
  k->lower_ball = swing_of(l, ball, i, k->lower_ball);
  k->lower_com = swing_of(l, com, i, k->lower_com);
  k->spring = swing_of(l, rut_vec3_sub(c->spring_foot, c->lower_foot), i, k->spring);
  k->damper = swing_of(l, rut_vec3_sub(c->damper_foot, c->lower_foot), i, k->damper);
  SET(k->spring_top, rut_vec3_sub(c->spring_top, c->lower_foot));
  SET(k->damper_top, rut_vec3_sub(c->damper_top, c->lower_foot));
  k->lower_1 = swing_of(l, e1, i, k->lower_1);
  k->lower_2 = swing_of(l, e2, i, k->lower_2);
  store_sym(&k->lower_moment, i, in_axes(c->lower_inertia, l, e1, e2));
  const rutVec3 lv = rut_vec3_cross(l, com);
  k->lower_about.v[i] = quadratic(c->lower_inertia, l) + v->lower_mass * rut_vec3_dot(lv, lv);
  const rutVec3 upper = rut_vec3_sub(c->upper_ball, c->upper_foot);
  const rutVec3 upper_com = rut_vec3_sub(c->upper_com, c->upper_foot);
  const rutVec3 f1 = rut_vec3_unit(upper), f2 = rut_vec3_cross(u, f1);
  SET(k->upper_axis, u);
  k->upper_ball = swing_of(u, upper, i, k->upper_ball);
  k->upper_com = swing_of(u, upper_com, i, k->upper_com);
  k->upper_1 = swing_of(u, f1, i, k->upper_1);
  k->upper_2 = swing_of(u, f2, i, k->upper_2);
  store_sym(&k->upper_moment, i, in_axes(c->upper_inertia, u, f1, f2));
  const rutVec3 uv = rut_vec3_cross(u, upper_com);
  k->upper_about.v[i] = quadratic(c->upper_inertia, u) + v->upper_mass * rut_vec3_dot(uv, uv);
  // feet into what stands still
  SET(k->lower_ball.still, rut_vec3_add(V(k->lower_ball.still), c->lower_foot));
  SET(k->lower_com.still, rut_vec3_add(V(k->lower_com.still), c->lower_foot));
  SET(k->upper_ball.still, rut_vec3_add(V(k->upper_ball.still), c->upper_foot));
  SET(k->upper_com.still, rut_vec3_add(V(k->upper_com.still), c->upper_foot));
}

static void lay_upright(const formVehicle* v, int i, Constants* k) {
  const formCorner* c = &v->corner[i];
  const rutVec3 o = c->lower_ball, hub = rut_vec3_sub(c->hub, o);
  const rutVec3 com = rut_vec3_sub(c->upright_com, o), axis = rut_vec3(0, 1, 0);
  const double mass = v->upright_mass + v->wheel_mass, jt = v->wheel_transverse;
  rutMat3 about = {{0}};
  add_inertia(&about, v->upright_mass, com, c->upright_inertia);
  add_inertia(&about, v->wheel_mass, hub, (rutSym3){jt, 0, jt, 0, 0, 0});
  for (int r = 0; r < 9; r++) k->carrier.v[r * N + i] = about.m[r];
  about = inverse_of(about);
  for (int r = 0; r < 9; r++) k->inverse.v[r * N + i] = about.m[r];
  SET(k->up, rut_vec3_sub(c->upper_ball, o));
  SET(k->tie, rut_vec3_sub(c->tie_outer, o));
  SET(k->hub, hub);
  SET(k->axis, axis);
  SET(k->centre,
      rut_vec3_scale(rut_vec3_add_scaled(rut_vec3_scale(com, v->upright_mass), v->wheel_mass, hub),
                     1 / mass));
  const rutVec3 rod = rut_vec3_sub(c->tie_outer, c->tie_inner), n = rut_vec3_unit(rod);
  const rutVec3 e1 = rut_vec3_unit(rut_vec3_cross(n, rut_vec3(1, 0, 0)));
  SET(k->inner, c->tie_inner);
  SET(k->along, n);
  SET(k->cross_1, e1);
  SET(k->cross_2, rut_vec3_cross(n, e1));
  k->length.v[i] = rut_vec3_norm(rod);
  k->gain.v[i] = c->gain;
}

static void* augmented_make(const formVehicle* v) {
  Augmented* a = calloc(1, sizeof *a);
  if (!a || !form_kinematics(v, &a->kinematics)) {
    free(a);
    return NULL;
  }
  a->vehicle = *v;
  for (int i = 0; i < N; i++) {
    lay_arms(v, i, &a->c);
    lay_upright(v, i, &a->c);
  }
  return a;
}

// ---- state ----

// Angle about a unit axis of a rotation about it.
static double angle_about(rutMat3 turn, rutVec3 u) {
  const double* m = turn.m;
  const rutVec3 sine = rut_vec3(m[7] - m[5], m[2] - m[6], m[3] - m[1]);
  return rut_atan2(rut_vec3_dot(sine, u), m[0] + m[4] + m[8] - 1);
}

static void set_corner(Augmented* a, int i, const formState* s, const formSteer* steer) {
  formPose p[FORM_MEMBERS];
  form_members(&a->kinematics, &a->vehicle, i, s->q[i], s->rate[i], steer, p);
  const Constants* k = &a->c;
  a->lower.v[i] = s->q[i];
  a->lower_rate.v[i] = s->rate[i];
  a->upper.v[i] = angle_about(p[FORM_UPPER].turn, V(k->upper_axis));
  a->upper_rate.v[i] = rut_vec3_dot(p[FORM_UPPER].turning, V(k->upper_axis));
  const rutQuat q = rut_quat_of_matrix(p[FORM_UPRIGHT].turn);
  a->upright[i] = q.w;
  a->upright[N + i] = q.x;
  a->upright[2 * N + i] = q.y;
  a->upright[3 * N + i] = q.z;
  SET(a->upright_rate, p[FORM_UPRIGHT].turning);
  // n = cos 2 (cos 1 along - sin 1 cross_2) + sin 2 cross_1
  const rutVec3 n = rut_mat3_apply(p[FORM_ROD].turn, V(k->along));
  const rutVec3 rate = rut_vec3_cross(p[FORM_ROD].turning, n);
  const double x = rut_vec3_dot(n, V(k->along)), y = -rut_vec3_dot(n, V(k->cross_2));
  a->rod_1.v[i] = rut_atan2(y, x);
  a->rod_2.v[i] = rut_asin(rut_vec3_dot(n, V(k->cross_1)));
  const double flat = rut_hypot(x, y);
  const double dx = rut_vec3_dot(rate, V(k->along)), dy = -rut_vec3_dot(rate, V(k->cross_2));
  a->rod_1_rate.v[i] = (x * dy - y * dx) / (flat * flat);
  a->rod_2_rate.v[i] = rut_vec3_dot(rate, V(k->cross_1)) / flat;
  a->spin.v[i] = s->spin[i];
}

static void augmented_set(void* self, const formState* s, const formSteer* steer) {
  Augmented* a = self;
  a->position = s->position;
  a->velocity = s->velocity;
  a->attitude = s->attitude;
  a->omega = s->omega;
  for (int i = 0; i < N; i++) set_corner(a, i, s, steer);
}

static void augmented_get(const void* self, formState* s) {
  const Augmented* a = self;
  s->position = a->position;
  s->velocity = a->velocity;
  s->attitude = a->attitude;
  s->omega = a->omega;
  for (int i = 0; i < N; i++) {
    s->q[i] = a->lower.v[i];
    s->rate[i] = a->lower_rate.v[i];
    s->spin[i] = a->spin.v[i];
  }
}

// ---- kinematics ----

#define SWUNG(swing) \
  rut_vec3_along(1, V((swing).still), cosine, V((swing).fore), sine, V((swing).side))
// Derivative by the angle.
#define SWUNG_RATE(swing) \
  rut_vec3_add_scaled(rut_vec3_scale(V((swing).side), cosine), -sine, V((swing).fore))
// Acceleration per square of the rate: towards the pivot.
#define SWUNG_PULL(swing, square)                                                          \
  rut_vec3_scale(                                                                          \
      rut_vec3_add_scaled(rut_vec3_scale(V((swing).fore), cosine), sine, V((swing).side)), \
      -(square))

RUT_INLINE void move_lower(const Constants* k, const Augmented* a, int i, Motion* m) {
  double sine, cosine;
  rut_sincos(a->lower.v[i], &sine, &cosine);
  const double square = a->lower_rate.v[i] * a->lower_rate.v[i];
  SET(m->ball, SWUNG(k->lower_ball));
  SET(m->ball_v, SWUNG_RATE(k->lower_ball));
  SET(m->ball_a, SWUNG_PULL(k->lower_ball, square));
  SET(m->lower_com, SWUNG(k->lower_com));
  SET(m->lower_v, SWUNG_RATE(k->lower_com));
  SET(m->lower_a, SWUNG_PULL(k->lower_com, square));
  const rutVec3 spring = rut_vec3_sub(SWUNG(k->spring), V(k->spring_top));
  const rutVec3 damper = rut_vec3_sub(SWUNG(k->damper), V(k->damper_top));
  const double long_1 = rut_vec3_norm(spring), long_2 = rut_vec3_norm(damper);
  m->spring.v[i] = long_1;
  m->damper.v[i] = long_2;
  m->spring_lever.v[i] = rut_vec3_dot(spring, SWUNG_RATE(k->spring)) / long_1;
  m->damper_lever.v[i] = rut_vec3_dot(damper, SWUNG_RATE(k->damper)) / long_2;
  const rutVec3 e1 = SWUNG(k->lower_1), e2 = SWUNG(k->lower_2);
  store_sym(&m->lower_inertia, i,
            rut_sym3_turned(load_sym(&k->lower_moment, i), V(k->lower_axis), e1, e2));
}

RUT_INLINE void move_upper(const Constants* k, const Augmented* a, int i, Motion* m) {
  double sine, cosine;
  rut_sincos(a->upper.v[i], &sine, &cosine);
  const double square = a->upper_rate.v[i] * a->upper_rate.v[i];
  SET(m->upper, SWUNG(k->upper_ball));
  SET(m->upper_v, SWUNG_RATE(k->upper_ball));
  SET(m->upper_a, SWUNG_PULL(k->upper_ball, square));
  SET(m->upper_com, SWUNG(k->upper_com));
  SET(m->upper_cv, SWUNG_RATE(k->upper_com));
  SET(m->upper_ca, SWUNG_PULL(k->upper_com, square));
  const rutVec3 e1 = SWUNG(k->upper_1), e2 = SWUNG(k->upper_2);
  store_sym(&m->upper_inertia, i,
            rut_sym3_turned(load_sym(&k->upper_moment, i), V(k->upper_axis), e1, e2));
}

RUT_INLINE void move_rod(const Constants* k, const Augmented* a, int i, Motion* m) {
  double s1, c1, s2, c2;
  rut_sincos(a->rod_1.v[i], &s1, &c1);
  rut_sincos(a->rod_2.v[i], &s2, &c2);
  const rutVec3 n = V(k->along), e1 = V(k->cross_1), e2 = V(k->cross_2);
  const double r1 = a->rod_1_rate.v[i], r2 = a->rod_2_rate.v[i];
  const rutVec3 flat = rut_vec3_add_scaled(rut_vec3_scale(n, c1), -s1, e2);
  const rutVec3 side = rut_vec3_add_scaled(rut_vec3_scale(n, -s1), -c1, e2);
  const rutVec3 along = rut_vec3_add_scaled(rut_vec3_scale(flat, c2), s2, e1);
  const rutVec3 t1 = rut_vec3_scale(side, c2);
  const rutVec3 t2 = rut_vec3_add_scaled(rut_vec3_scale(flat, -s2), c2, e1);
  SET(m->along, along);
  SET(m->across_1, t1);
  SET(m->across_2, t2);
  SET(m->along_v, rut_vec3_add_scaled(rut_vec3_scale(t1, r1), r2, t2));
  SET(m->along_a, rut_vec3_along(-r1 * r1 * c2, flat, -2 * r1 * r2 * s2, side, -r2 * r2, along));
  m->shrink.v[i] = c2;
}

RUT_INLINE void move_upright(const Constants* k, const Augmented* a, int i, Motion* m) {
  const rutQuat q =
      rut_quat(a->upright[i], a->upright[N + i], a->upright[2 * N + i], a->upright[3 * N + i]);
  const rutMat3 turn = rut_quat_matrix(q);
  rut_store_mat3(m->turn.v, N, i, turn);
  SET(m->up, rut_mat3_apply(turn, V(k->up)));
  SET(m->tie, rut_mat3_apply(turn, V(k->tie)));
  SET(m->centre, rut_mat3_apply(turn, V(k->centre)));
  SET(m->hub, rut_mat3_apply(turn, V(k->hub)));
  SET(m->axis, rut_mat3_apply(turn, V(k->axis)));
}

RUT_CLONES static void move_corners(const Augmented* a, const formVehicle* v,
                                    const formSteer* steer, Motion* m) {
  const Constants* k = &a->c;
  const formSteer to = *steer;
  const rutVec3 arm = v->arm, along = rut_vec3_cross(v->axis, v->arm);
  double sine, cosine;
  rut_sincos(to.s, &sine, &cosine);
  RUT_FOR_LANES(i, N) {
    move_lower(k, a, i, m);
    move_upper(k, a, i, m);
    move_rod(k, a, i, m);
    move_upright(k, a, i, m);
    const formEnd end = form_inner_end(V(k->inner), arm, along, k->gain.v[i], &to, sine, cosine);
    SET(m->inner, end.at);
    SET(m->inner_v, end.rate);
    SET(m->inner_a, end.change);
  }
}

static void augmented_update(void* self, const formSteer* steer) {
  Augmented* a = self;
  a->turn = rut_quat_matrix(a->attitude);
  move_corners(a, &a->vehicle, steer, &a->m);
}

static void augmented_hubs(const void* self, formHubs* out) {
  const Augmented* a = self;
  for (int i = 0; i < N; i++) {
    const rutVec3 arm = V(a->m.hub), r = rut_vec3_add(V(a->m.ball), arm);
    const rutVec3 ball = rut_vec3_scale(V(a->m.ball_v), a->lower_rate.v[i]);
    const rutVec3 move = rut_vec3_add(ball, rut_vec3_cross(V(a->upright_rate), arm));
    const rutVec3 v = rut_vec3_add(rut_vec3_cross(a->omega, r), move);
    rut_store_vec3(out->position, N, i, rut_vec3_add(a->position, rut_mat3_apply(a->turn, r)));
    rut_store_vec3(out->velocity, N, i, rut_vec3_add(a->velocity, rut_mat3_apply(a->turn, v)));
    rut_store_vec3(out->axis, N, i, rut_mat3_apply(a->turn, V(a->m.axis)));
    out->spin[i] = a->spin.v[i];
  }
}

static void augmented_apply(void* self, const formForces* f) {
  Augmented* a = self;
  const rutMat3 turn = a->turn;
  a->gravity = rut_mat3_apply_transposed(turn, rut_vec3(0, 0, -a->vehicle.gravity));
  a->force = rut_mat3_apply_transposed(turn, f->force);
  a->moment = rut_mat3_apply_transposed(turn, f->moment);
  for (int i = 0; i < N; i++) {
    const formCorner* c = &a->vehicle.corner[i];
    const double spring = a->m.spring_lever.v[i], damper = a->m.damper_lever.v[i];
    SET(a->hub_force, rut_mat3_apply_transposed(turn, rut_load_vec3(f->hub_force, N, i)));
    SET(a->hub_moment, rut_mat3_apply_transposed(turn, rut_load_vec3(f->hub_moment, N, i)));
    a->torque.v[i] = f->torque[i];
    a->drive.v[i] = f->drive[i];
    a->strut.v[i] =
        spring * form_spring(&a->vehicle, c, a->m.spring.v[i]) +
        damper * form_damper(&a->vehicle, c, a->m.damper.v[i], damper * a->lower_rate.v[i]);
  }
}

// Spins, and the solution into the state.
static void finish(Augmented* a, const double x[6]) {
  for (int i = 0; i < N; i++) {
    const double about = rut_vec3_dot(V(a->hub_moment), V(a->m.axis));
    a->spin_change.v[i] = (about + a->torque.v[i] + a->drive.v[i]) / a->vehicle.wheel_spin;
  }
  a->linear = rut_vec3_of(x);
  a->angular = rut_vec3_of(x + 3);
}
static void accelerate_by_corner(void* self) {
  Augmented* a = self;
  Equations q;
  double x[6];
  form_augmented_equations(a, &q);
  form_augmented_solve_by_corner(a, &q, x, a->change);
  finish(a, x);
}
static void accelerate_together(void* self) {
  Augmented* a = self;
  Equations q;
  double x[6];
  form_augmented_equations(a, &q);
  form_augmented_solve_together(a, &q, x, a->change);
  finish(a, x);
}

static void augmented_result(const void* self, formAcceleration* out) {
  const Augmented* a = self;
  const rutVec3 omega = a->omega;
  out->linear = a->linear;
  out->angular = a->angular;
  for (int i = 0; i < N; i++) {
    const rutVec3 w = V(a->upright_rate), arm = V(a->m.hub), ball = V(a->m.ball_v);
    const rutVec3 turn = rut_load_vec3(a->change + Y_UPRIGHT * N, N, i);
    const rutVec3 r = rut_vec3_add(V(a->m.ball), arm), swing = rut_vec3_cross(w, arm);
    const rutVec3 v = rut_vec3_add_scaled(swing, a->lower_rate.v[i], ball);
    const rutVec3 own =
        rut_vec3_add(rut_vec3_add_scaled(V(a->m.ball_a), a->change[i], ball),
                     rut_vec3_add(rut_vec3_cross(turn, arm), rut_vec3_cross(w, swing)));
    const rutVec3 carried = rut_vec3_add(out->linear, rut_vec3_cross(out->angular, r));
    const rutVec3 around =
        rut_vec3_cross(omega, rut_vec3_add_scaled(rut_vec3_cross(omega, r), 2, v));
    out->slide[i] = a->change[i];
    out->hub[i] = rut_vec3_add(rut_vec3_add(carried, around), own);
    out->carrier[i] = rut_vec3_add(rut_vec3_add(out->angular, turn), rut_vec3_cross(omega, w));
    out->spin[i] = a->spin_change.v[i];
  }
}

static void integrate_corners(Augmented* a, double h) {
  RUT_FOR_LANES(i, N) {
    const double* y = a->change + i;
    a->lower_rate.v[i] += h * y[Y_LOWER * N];
    a->upper_rate.v[i] += h * y[Y_UPPER * N];
    a->rod_1_rate.v[i] += h * y[Y_ROD * N];
    a->rod_2_rate.v[i] += h * y[(Y_ROD + 1) * N];
    const rutVec3 turn = rut_load_vec3(a->change + Y_UPRIGHT * N, N, i);
    const rutVec3 w = rut_vec3_add_scaled(V(a->upright_rate), h, turn);
    SET(a->upright_rate, w);
    a->lower.v[i] += h * a->lower_rate.v[i];
    a->upper.v[i] += h * a->upper_rate.v[i];
    a->rod_1.v[i] += h * a->rod_1_rate.v[i];
    a->rod_2.v[i] += h * a->rod_2_rate.v[i];
    a->spin.v[i] += h * a->spin_change.v[i];
    const rutQuat now =
        rut_quat(a->upright[i], a->upright[N + i], a->upright[2 * N + i], a->upright[3 * N + i]);
    // w is in the chassis's axes
    const rutQuat q = rut_quat_unit(rut_quat_mul(rut_quat_of_turn(rut_vec3_scale(w, h)), now));
    a->upright[i] = q.w;
    a->upright[N + i] = q.x;
    a->upright[2 * N + i] = q.y;
    a->upright[3 * N + i] = q.z;
  }
}

static void augmented_integrate(void* self, double h) {
  Augmented* a = self;
  a->velocity = rut_vec3_add_scaled(a->velocity, h, rut_mat3_apply(a->turn, a->linear));
  a->omega = rut_vec3_add_scaled(a->omega, h, a->angular);
  a->position = rut_vec3_add_scaled(a->position, h, a->velocity);
  a->attitude =
      rut_quat_unit(rut_quat_mul(a->attitude, rut_quat_of_turn(rut_vec3_scale(a->omega, h))));
  integrate_corners(a, h);
}

static double augmented_closure(const void* self) {
  const Augmented* a = self;
  const Motion* m = &a->m;
  double worst = 0;
  for (int i = 0; i < N; i++) {
    const rutVec3 up = rut_vec3_add(V(m->ball), V(m->up));
    const rutVec3 tie = rut_vec3_add(V(m->ball), V(m->tie));
    const rutVec3 end = rut_vec3_add_scaled(V(m->inner), a->c.length.v[i], V(m->along));
    worst = rut_max(worst, rut_vec3_norm(rut_vec3_sub(V(m->upper), up)));
    worst = rut_max(worst, rut_vec3_norm(rut_vec3_sub(end, tie)));
  }
  return worst;
}

#define METHOD(which, text, size)             \
  const formMethod form_augmented_##which = { \
      .name = "augmented_" #which,            \
      .doc = text,                            \
      .coordinates = 6 + 8 * N,               \
      .constraints = 6 * N,                   \
      .equations = size,                      \
      .make = augmented_make,                 \
      .destroy = free,                        \
      .set = augmented_set,                   \
      .get = augmented_get,                   \
      .update = augmented_update,             \
      .hubs = augmented_hubs,                 \
      .apply = augmented_apply,               \
      .accelerate = accelerate_##which,       \
      .result = augmented_result,             \
      .integrate = augmented_integrate,       \
      .closure = augmented_closure,           \
  }
METHOD(by_corner, "spanning tree (TA), joint forces of each corner eliminated in it", 6);
METHOD(together, "spanning tree (TA), joint forces of all corners solved at once", 24);
