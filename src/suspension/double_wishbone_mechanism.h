// SPDX-License-Identifier: BSD-3-Clause
//
// Double wishbone: lower arm, upper arm, upright and tie rod as one mechanism, its coordinate q the
// angle of the lower arm from its design position.
//
// Every position follows from q and from the place of the tie rod's inner end in closed form. Two
// of the unknowns are directions n across a known unit axis u that obey n . d = e, where d is a
// known vector with the part D across u:
//   n = (e/D^2) D + sigma sqrt(1/D^2 - (e/D^2)^2) u x D,
// sigma = +-1 being the way in which the mechanism was put together. One is the upper arm's, from
// |upper ball - lower ball| = L; the other the upright's about the line through both balls, the
// kingpin, from the length of the tie rod. Velocities and accelerations follow from the same two
// conditions. Source: Jain, Nonlinear Dynamics 67 (2012), for the principle of embedding loops.
//
// This is the mechanism itself, as a step and whatever asks about it see it. The rest:
//   double_wishbone.c         parameters, the constants of a corner, the component
//   double_wishbone_corner.c  springs, and corners in a step
//   double_wishbone_bodies.c  bodies and links, for pictures and proofs
#ifndef RUT_SUSPENSION_DOUBLE_WISHBONE_MECHANISM_H
#define RUT_SUSPENSION_DOUBLE_WISHBONE_MECHANISM_H

#include "math/lanes.h"
#include "rut/component.h"
#include "suspension/corner_sums.h"
#include "suspension/kinks.h"

// ---- constants of a corner ----

// An arm: the foot of its ball joint on the pivot axis, that axis (q about it lifts the ball), the
// ball's distance, the centre of mass and the inertia in the axes (pivot axis, to the ball,
// across).
#define VECTOR(X, name) X(name##_x) X(name##_y) X(name##_z)
#define ARM(X, name)     \
  VECTOR(X, name##_foot) \
  VECTOR(X, name##_axis) \
  X(name##_radius)       \
  VECTOR(X, name##_com)  \
  X(name##_mass) X(name##_xx) X(name##_yy) X(name##_zz) X(name##_xy) X(name##_xz) X(name##_yz)
// clang-format off
#define CONSTANTS(X)                                                                    \
  X(mass)                                                                               \
  ARM(X, lower) VECTOR(X, ahead) VECTOR(X, up)                                          \
  ARM(X, upper) X(kingpin) X(upper_way)                                                 \
  /* upright, in the axes kingpin, to the tie rod, across */                            \
  VECTOR(X, hub) VECTOR(X, axis) VECTOR(X, upright_com) X(upright_mass)                 \
  X(upright_xx) X(upright_yy) X(upright_zz) X(upright_xy) X(upright_xz) X(upright_yz)   \
  X(tie_up) X(tie_out) X(tie_way) X(tie_length) X(tie_mass)                             \
  /* inner end: centre + cos s across + sin s along - s rack */                         \
  VECTOR(X, centre) VECTOR(X, across) VECTOR(X, along) X(rack)                          \
  /* ends at the chassis, and at the lower arm in its axes */                           \
  VECTOR(X, spring_top) VECTOR(X, spring_foot) VECTOR(X, damper_top) VECTOR(X, damper_foot) \
  X(compression) X(rebound) X(zone_short) X(zone_long) X(zone_compression) X(zone_rebound) \
  X(design_z) X(lowest) X(highest) X(limit_rate)                                        \
  /* spring and stops: force at length 0 and its slope there, work from there to where  \
     the force is gone, and kinks */                                                     \
  X(force_0) X(slope_0) X(most_work) X(hinges)
// clang-format on
enum {
#define X(name) RUT_WISHBONE_##name,
  CONSTANTS(X)
#undef X
      RUT_WISHBONE_HINGE,  // length and change of slope of each
  RUT_WISHBONE_CONSTANT_COUNT = RUT_WISHBONE_HINGE + 2 * RUT_MAX_KINKS
};
#undef CONSTANTS
#undef ARM
#undef VECTOR

// Those of corner i: a number, a vector, an inertia.
#define K(name)    constant[(RUT_WISHBONE_##name) * RUT_CORNER_WIDTH + i]
#define KVEC(name) rut_vec3(K(name##_x), K(name##_y), K(name##_z))
#define KSYM(name) \
  ((rutSym3){K(name##_xx), K(name##_yy), K(name##_zz), K(name##_xy), K(name##_xz), K(name##_yz)})

// ---- where it is, and how it moves ----

// What the arms, the kingpin and the tie rod do at q and s.
typedef struct rutWishbonePose {
  rutVec3 lower_n, lower_t, upper_n, upper_t;  // to the ball, and across in the sense of rising
  rutVec3 ball;                                // lower ball joint
  rutVec3 k, m, o;                             // axes of the upright
  rutVec3 tie, inner;                          // outer end from the lower ball; inner end from it
  rutVec3 inner_rate, inner_bend;              // d/ds and d2/ds2 of the inner end
  rutVec3 ball_v, ball_a;                      // of the lower ball, per q' and q'^2
  double upper_rate, upper_bend;               // d/dq and d2/dq2 of the upper arm's angle
  rutVec3 kick;      // acceleration of the upper ball less that of the lower, per q'^2
  rutVec3 q_w, s_w;  // upright's angular velocity per q' and s'
  double tie_inverse, upper_sine, tie_sine;
} rutWishbonePose;

// Where the mechanism is at a dead point, divisors are no smaller: squared distance [m2] and lever
// [m, m2].
#define RUT_WISHBONE_LEAST_SQUARE 1e-12
#define RUT_WISHBONE_LEAST_LEVER  1e-6

// Direction across the unit axis u with n . d = e, on the side `way`; its sine against d's part
// across u is *sine.
RUT_INLINE rutVec3 rut_wishbone_direction(rutVec3 u, rutVec3 d, double e, double way,
                                          double* sine) {
  const rutVec3 across = rut_vec3_add_scaled(d, -rut_vec3_dot(u, d), u);
  const double inverse = 1 / rut_max(rut_vec3_dot(across, across), RUT_WISHBONE_LEAST_SQUARE),
               a = e * inverse;
  const double square = rut_max(inverse - a * a, 0), b = rut_sqrt(square);
  *sine = square / inverse;
  return rut_vec3_add_scaled(rut_vec3_scale(across, a), way * b, rut_vec3_cross(u, across));
}

// 1/x without a pole.
RUT_INLINE double rut_wishbone_inverse(double x, double least) {
  return 1 / rut_copysign(rut_max(rut_abs(x), least), x);
}

RUT_INLINE rutWishbonePose rut_wishbone_pose(const double* constant, int i, double q, double s) {
  rutWishbonePose p;
  double sine, cosine, steer_sine, steer_cosine;
  rut_sincos(q, &sine, &cosine);
  rut_sincos(s, &steer_sine, &steer_cosine);
  const rutVec3 ahead = KVEC(ahead), up = KVEC(up);
  p.lower_n = rut_vec3_add_scaled(rut_vec3_scale(ahead, cosine), sine, up);
  p.lower_t = rut_vec3_add_scaled(rut_vec3_scale(up, cosine), -sine, ahead);
  const double lower = K(lower_radius), upper = K(upper_radius), length = K(kingpin);
  p.ball = rut_vec3_add_scaled(KVEC(lower_foot), lower, p.lower_n);
  p.ball_v = rut_vec3_scale(p.lower_t, lower);
  p.ball_a = rut_vec3_scale(p.lower_n, -lower);
  // upper arm
  const rutVec3 u = KVEC(upper_axis), foot = KVEC(upper_foot), d = rut_vec3_sub(p.ball, foot);
  const double e = (upper * upper + rut_vec3_dot(d, d) - length * length) / (2 * upper);
  p.upper_n = rut_wishbone_direction(u, d, e, K(upper_way), &p.upper_sine);
  p.upper_t = rut_vec3_cross(u, p.upper_n);
  const double per_length = 1 / length;
  const rutVec3 ball_u = rut_vec3_add_scaled(foot, upper, p.upper_n);
  p.k = rut_vec3_scale(rut_vec3_sub(ball_u, p.ball), per_length);
  const double lever =
      rut_wishbone_inverse(upper * rut_vec3_dot(p.k, p.upper_t), RUT_WISHBONE_LEAST_LEVER);
  p.upper_rate = rut_vec3_dot(p.k, p.ball_v) * lever;
  const rutVec3 v = rut_vec3_sub(rut_vec3_scale(p.upper_t, p.upper_rate * upper), p.ball_v);
  const double swing = p.upper_rate * p.upper_rate * upper;
  const rutVec3 pull = rut_vec3_add_scaled(p.ball_a, swing, p.upper_n);
  p.upper_bend = (rut_vec3_dot(p.k, pull) - rut_vec3_dot(v, v) * per_length) * lever;
  p.kick = rut_vec3_sub(rut_vec3_scale(p.upper_t, p.upper_bend * upper), pull);
  // inner end of the tie rod, and upright about the kingpin
  const rutVec3 across = KVEC(across), along = KVEC(along), rack = rut_vec3(0, -K(rack), 0);
  const rutVec3 turned =
      rut_vec3_add_scaled(rut_vec3_scale(across, steer_cosine), steer_sine, along);
  const rutVec3 inner = rut_vec3_add(rut_vec3_add(KVEC(centre), turned), rut_vec3_scale(rack, s));
  p.inner_rate = rut_vec3_add(
      rut_vec3_add_scaled(rut_vec3_scale(along, steer_cosine), -steer_sine, across), rack);
  p.inner_bend = rut_vec3_scale(turned, -1);
  p.inner = rut_vec3_sub(inner, p.ball);
  const double tk = K(tie_up), tm = K(tie_out), rod = K(tie_length), per_out = 1 / tm;
  const double reach = tk * tk + tm * tm + rut_vec3_dot(p.inner, p.inner) - rod * rod;
  const double f = (0.5 * reach - tk * rut_vec3_dot(p.inner, p.k)) * per_out;
  p.m = rut_wishbone_direction(p.k, p.inner, f, K(tie_way), &p.tie_sine);
  p.o = rut_vec3_cross(p.k, p.m);
  p.tie = rut_vec3_add_scaled(rut_vec3_scale(p.k, tk), tm, p.m);
  // k x tie = tie_out o
  const rutVec3 rod_way = rut_vec3_sub(p.tie, p.inner);
  p.tie_inverse = rut_wishbone_inverse(tm * rut_vec3_dot(rod_way, p.o), RUT_WISHBONE_LEAST_LEVER);
  const rutVec3 pin_rate = rut_vec3_scale(rut_vec3_cross(p.k, v), per_length);
  const rutVec3 end = rut_vec3_add(p.ball_v, rut_vec3_cross(pin_rate, p.tie));
  p.q_w = rut_vec3_add_scaled(pin_rate, -rut_vec3_dot(rod_way, end) * p.tie_inverse, p.k);
  p.s_w = rut_vec3_scale(p.k, rut_vec3_dot(rod_way, p.inner_rate) * p.tie_inverse);
  return p;
}

// Motion of the upright: q', s', angular velocity, and accelerations with q'' = s'' = 0.
typedef struct rutWishboneTurn {
  double qd, sd;
  rutVec3 w, alpha, ball;  // ball: acceleration of the lower ball
} rutWishboneTurn;

RUT_INLINE rutWishboneTurn rut_wishbone_turn(const double* constant, int i,
                                             const rutWishbonePose* p, double qd, double sd) {
  const double length = K(kingpin), square = qd * qd;
  const rutVec3 w = rut_vec3_add_scaled(rut_vec3_scale(p->q_w, qd), sd, p->s_w);
  const rutVec3 pin = rut_vec3_scale(p->k, length);
  const rutVec3 still = rut_vec3_cross(w, rut_vec3_cross(w, pin));
  const rutVec3 pin_acceleration = rut_vec3_scale(
      rut_vec3_cross(p->k, rut_vec3_sub(rut_vec3_scale(p->kick, square), still)), 1 / length);
  const rutVec3 ball = rut_vec3_scale(p->ball_a, square);
  const rutVec3 swing = rut_vec3_cross(w, p->tie);
  const rutVec3 bend =
      rut_vec3_add(rut_vec3_cross(pin_acceleration, p->tie), rut_vec3_cross(w, swing));
  const rutVec3 end = rut_vec3_add(ball, bend);
  const rutVec3 speed =
      rut_vec3_sub(rut_vec3_add_scaled(swing, qd, p->ball_v), rut_vec3_scale(p->inner_rate, sd));
  const rutVec3 rod = rut_vec3_sub(p->tie, p->inner);
  const rutVec3 change = rut_vec3_add_scaled(end, -sd * sd, p->inner_bend);
  const double about = -(rut_vec3_dot(speed, speed) + rut_vec3_dot(rod, change)) * p->tie_inverse;
  return (rutWishboneTurn){qd, sd, w, rut_vec3_add_scaled(pin_acceleration, about, p->k), ball};
}

// Points of the upright and the lower arm, from the lower ball and the arm's foot.
RUT_INLINE rutVec3 rut_wishbone_on_upright(const rutWishbonePose* p, rutVec3 at) {
  return rut_vec3_along(at.x, p->k, at.y, p->m, at.z, p->o);
}

// ---- bodies ----

RUT_INLINE rutCornerMember rut_wishbone_lower_arm(const double* constant, int i,
                                                  const rutWishbonePose* p, double qd) {
  const rutVec3 axis = KVEC(lower_axis), c = KVEC(lower_com);
  const rutVec3 out = rut_vec3_along(c.x, axis, c.y, p->lower_n, c.z, p->lower_t);
  const rutVec3 v = rut_vec3_add_scaled(rut_vec3_scale(p->lower_t, c.y), -c.z, p->lower_n);
  const rutVec3 a = rut_vec3_add_scaled(rut_vec3_scale(p->lower_n, -c.y), -c.z, p->lower_t);
  return (rutCornerMember){.mass = K(lower_mass),
                           .r = rut_vec3_add(KVEC(lower_foot), out),
                           .v = v,
                           .w = axis,
                           .move = rut_vec3_scale(v, qd),
                           .turn = rut_vec3_scale(axis, qd),
                           .rest = rut_vec3_scale(a, qd * qd),
                           .inertia = rut_sym3_turned(KSYM(lower), axis, p->lower_n, p->lower_t)};
}

RUT_INLINE rutCornerMember rut_wishbone_upper_arm(const double* constant, int i,
                                                  const rutWishbonePose* p, double qd) {
  const rutVec3 axis = KVEC(upper_axis), c = KVEC(upper_com);
  const double rate = p->upper_rate, bend = p->upper_bend, square = qd * qd;
  const rutVec3 out = rut_vec3_along(c.x, axis, c.y, p->upper_n, c.z, p->upper_t);
  const rutVec3 across = rut_vec3_add_scaled(rut_vec3_scale(p->upper_t, c.y), -c.z, p->upper_n);
  const rutVec3 inward = rut_vec3_add_scaled(rut_vec3_scale(p->upper_n, -c.y), -c.z, p->upper_t);
  const rutVec3 v = rut_vec3_scale(across, rate), w = rut_vec3_scale(axis, rate);
  const rutVec3 a = rut_vec3_add_scaled(rut_vec3_scale(across, bend), rate * rate, inward);
  return (rutCornerMember){.mass = K(upper_mass),
                           .r = rut_vec3_add(KVEC(upper_foot), out),
                           .v = v,
                           .w = w,
                           .move = rut_vec3_scale(v, qd),
                           .turn = rut_vec3_scale(w, qd),
                           .rest = rut_vec3_scale(a, square),
                           .spin = rut_vec3_scale(axis, bend * square),
                           .inertia = rut_sym3_turned(KSYM(upper), axis, p->upper_n, p->upper_t)};
}

// Motion of a point: velocity per q' and per s', in all, and acceleration with q'' = s'' = 0.
typedef struct rutWishboneMotion {
  rutVec3 q_v, s_v, move, rest;
} rutWishboneMotion;

// That of a point of the upright, `at` from the lower ball.
RUT_INLINE rutWishboneMotion rut_wishbone_carry(const rutWishbonePose* p,
                                                const rutWishboneTurn* turn, rutVec3 at) {
  const rutVec3 q_v = rut_vec3_add(p->ball_v, rut_vec3_cross(p->q_w, at));
  const rutVec3 s_v = rut_vec3_cross(p->s_w, at);
  const rutVec3 swing = rut_vec3_cross(turn->w, rut_vec3_cross(turn->w, at));
  return (rutWishboneMotion){
      .q_v = q_v,
      .s_v = s_v,
      .move = rut_vec3_add_scaled(rut_vec3_scale(q_v, turn->qd), turn->sd, s_v),
      .rest = rut_vec3_add(rut_vec3_add(turn->ball, rut_vec3_cross(turn->alpha, at)), swing)};
}

RUT_INLINE rutCornerMember rut_wishbone_upright(const double* constant, int i,
                                                const rutWishbonePose* p,
                                                const rutWishboneTurn* turn, rutVec3* s_v) {
  const rutVec3 at = rut_wishbone_on_upright(p, KVEC(upright_com));
  const rutWishboneMotion com = rut_wishbone_carry(p, turn, at);
  *s_v = com.s_v;
  return (rutCornerMember){.mass = K(upright_mass),
                           .r = rut_vec3_add(p->ball, at),
                           .v = com.q_v,
                           .w = p->q_w,
                           .move = com.move,
                           .turn = turn->w,
                           .rest = com.rest,
                           .spin = turn->alpha,
                           .inertia = rut_sym3_turned(KSYM(upright), p->k, p->m, p->o)};
}

// The rod turns with its ends and does not spin about itself.
RUT_INLINE rutCornerMember rut_wishbone_tie_rod(const double* constant, int i,
                                                const rutWishbonePose* p,
                                                const rutWishboneTurn* turn, rutVec3* s_v,
                                                rutVec3* s_w) {
  const rutWishboneMotion end = rut_wishbone_carry(p, turn, p->tie);
  const double length = K(tie_length), inverse = 1 / (length * length), mass = K(tie_mass);
  const rutVec3 rod = rut_vec3_sub(p->tie, p->inner);
  const rutVec3 at_s = rut_vec3_scale(p->inner_rate, turn->sd);
  const rutVec3 at_rest = rut_vec3_scale(p->inner_bend, turn->sd * turn->sd);
  const double j = mass * length * length / 12, less = -mass / 12;
  *s_v = rut_vec3_scale(rut_vec3_add(end.s_v, p->inner_rate), 0.5);
  *s_w = rut_vec3_scale(rut_vec3_cross(rod, rut_vec3_sub(end.s_v, p->inner_rate)), inverse);
  return (rutCornerMember){
      .mass = mass,
      .r = rut_vec3_add(p->ball, rut_vec3_scale(rut_vec3_add(p->tie, p->inner), 0.5)),
      .v = rut_vec3_scale(end.q_v, 0.5),
      .w = rut_vec3_scale(rut_vec3_cross(rod, end.q_v), inverse),
      .move = rut_vec3_scale(rut_vec3_add(end.move, at_s), 0.5),
      .turn = rut_vec3_scale(rut_vec3_cross(rod, rut_vec3_sub(end.move, at_s)), inverse),
      .rest = rut_vec3_scale(rut_vec3_add(end.rest, at_rest), 0.5),
      .spin = rut_vec3_scale(rut_vec3_cross(rod, rut_vec3_sub(end.rest, at_rest)), inverse),
      .inertia = {j + less * rod.x * rod.x, j + less * rod.y * rod.y, j + less * rod.z * rod.z,
                  less * rod.x * rod.y, less * rod.x * rod.z, less * rod.y * rod.z}};
}

// ---- double_wishbone_corner.c, double_wishbone_bodies.c ----

// As `corner`, `bodies` and `links` of rutSuspensionType.
void rut_wishbone_corner(const rutCornerIn* in, double* row, size_t stride);
int rut_wishbone_bodies(const double* constant, double q, double qd, double s, double sd,
                        rutCornerBody out[RUT_MAX_CORNER_BODIES]);
int rut_wishbone_links(const double* constant, double q, double s,
                       rutCornerLink out[RUT_MAX_CORNER_LINKS]);

#endif  // RUT_SUSPENSION_DOUBLE_WISHBONE_MECHANISM_H
