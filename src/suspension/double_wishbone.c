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
#include "base/report.h"
#include "math/lanes.h"
#include "rut/component.h"
#include "suspension/corner_sums.h"
#include "suspension/kinks.h"

// ---- parameters ----

#define POINT(name, def, doc) \
  { #name, "m", RUT_VECTOR, 3, 0, -1e3, 1e3, def, 0, doc }
#define INERTIA(name, def, doc) \
  { #name, "kg m2", RUT_VECTOR, 3, 0, 0, 1e9, def, 0, doc }
#define TABLE(name, doc) \
  { #name, "", RUT_POINTS, 0, 0, -1e12, 1e12, "", 0, doc }
#define LISTS(X)                                                                                   \
  X(POINT, upper_front, "-0.0075286 0.4459605 0.2446223",                                          \
    "Upper arm's front pivot: x forward from the axle, y left of the vehicle's centre plane, z "   \
    "above the reference point, as for all points.")                                               \
  X(POINT, upper_rear, "-0.2278278 0.4777359 0.1955597", "The arm's rear pivot.")                  \
  X(POINT, upper_ball, "-0.0126492 0.7155180 0.2154936", "The arm's ball joint at the upright.")   \
  X(POINT, upper_com, "-0.0651510 0.5886704 0.2178050", "The arm's centre of mass.")               \
  X(POINT, lower_front, "0.2636520 0.3070860 0", "Lower arm's front pivot.")                       \
  X(POINT, lower_rear, "-0.1828800 0.3070860 0", "The arm's rear pivot.")                          \
  X(POINT, lower_ball, "0.0048260 0.7865110 -0.1181100", "The arm's ball joint at the upright.")   \
  X(POINT, lower_com, "0.0403860 0.5468112 -0.0590550", "The arm's centre of mass.")               \
  X(POINT, upright_com, "0 0.7510145 -0.0262890", "Upright's centre of mass.")                     \
  X(POINT, tie_rod_inner, "-0.2099310 0.4484370 0.0542290",                                        \
    "Tie rod's end at the steering linkage or the chassis.")                                       \
  X(POINT, tie_rod_outer, "-0.1354328 0.8211058 -0.0163322", "Its end at the upright.")            \
  X(POINT, spring_top, "0.1443990 0.5097780 0.1974850", "Spring's end at the chassis.")            \
  X(POINT, spring_foot, "0.1375918 0.5431790 -0.0466090", "Its end at the lower arm.")             \
  X(POINT, damper_top, "0.1443990 0.4977892 0.3231388", "Damper's end at the chassis.")            \
  X(POINT, damper_foot, "0.1375918 0.5431790 -0.0466090", "Its end at the lower arm.")             \
  X(POINT, steering_arm, "0 0 0",                                                                  \
    "Steering arm from its pivot to its end, at straight ahead: the tie rods' inner ends move "    \
    "with its end (Pitman arm and centre link). 0 0 0: none.")                                     \
  X(POINT, steering_axis, "0 0 -1",                                                                \
    "Direction of its axis; positive rotation steers to the left.")                                \
  X(INERTIA, upper_inertia, "0.03 0.03 0.06276",                                                   \
    "Upper arm's inertia about its centre of mass: along the pivot axis, across it in the arm's "  \
    "plane, and normal to both.")                                                                  \
  X(INERTIA, lower_inertia, "0.4 0.4 0.8938", "Lower arm's inertia, likewise.")                    \
  X(INERTIA, upright_inertia, "0.1656 0.1934 0.04367",                                             \
    "Upright's inertia about its centre of mass: xx yy zz in vehicle axes.")                       \
  X(TABLE, spring, "Spring force over compression in place of spring_rate: pairs of [m] and [N].") \
  X(TABLE, stop, "Force of a stop over its compression: pairs of [m] and [N].")
#define NUMBERS(X)                                                                                 \
  X(upper_mass, "kg", 5.813, 0, 1e6, "Mass of the upper arm.")                                     \
  X(lower_mass, "kg", 23.965, 0, 1e6, "Mass of the lower arm.")                                    \
  X(upright_mass, "kg", 19.45, 0, 1e6, "Mass of the upright, without the wheel.")                  \
  X(tie_rod_mass, "kg", 0, 0, 1e6, "Mass of the tie rod, a slender rod.")                          \
  X(toe, "rad", 0, -0.5, 0.5, "Static toe angle at the design position, toe-in positive.")         \
  X(camber, "rad", 0, -0.5, 0.5,                                                                   \
    "Static camber angle at the design position, top outwards positive.")                          \
  X(rack, "m/rad", 0, -10, 10,                                                                     \
    "Displacement of a steering rack to the right per unit of the linkage's coordinate, in place " \
    "of an arm.")                                                                                  \
  X(spring_rate, "N/m", 190e3, 0, 1e12, "Spring rate.")                                            \
  X(free_length, "m", 0.339, 0, 1e3, "Length of the spring without force.")                        \
  X(bump_length, "m", 0.15, 0, 1e3, "Length of the spring below which the bump stop acts.")        \
  X(rebound_length, "m", 0.30, 0, 1e3, "Length above which the rebound stop acts; 0: none.")       \
  X(stop_rate, "N/m", 2e6, 0, 1e12, "Rate of the stops, without a table.")                         \
  X(compression_damping, "N s/m", 12521.5641, 0, 1e9, "Damper rate when it shortens.")             \
  X(rebound_damping, "N s/m", 22460.0083, 0, 1e9, "Damper rate when it lengthens.")                \
  X(zone_short, "m", 0, 0, 1e3, "Length of the damper below which the rates of its zones hold.")   \
  X(zone_long, "m", 0, 0, 1e3, "Length above which they hold; 0: no zones.")                       \
  X(zone_compression_damping, "N s/m", 0, 0, 1e9, "Rate in the zones when it shortens.")           \
  X(zone_rebound_damping, "N s/m", 0, 0, 1e9, "Rate in the zones when it lengthens.")

#define LIST_PARAM(macro, name, ...) double name;
#define LIST_ROW(macro, name, ...)   macro(name, __VA_ARGS__),
typedef struct Param {
  LISTS(LIST_PARAM)
  NUMBERS(RUT_PARAM)
} Param;
#undef TABLE
#define TABLE(name, doc) \
  { #name, "", RUT_POINTS, 0, 0, -1e12, 1e12, "", 0, doc }
static const rutField fields[] = {LISTS(LIST_ROW) NUMBERS(RUT_ROW)};

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
#define X(name) K_##name,
  CONSTANTS(X)
#undef X
      K_HINGE,  // length and change of slope of each
  CONSTANT_COUNT = K_HINGE + 2 * RUT_MAX_KINKS
};

// What the arms, the kingpin and the tie rod do at q and s.
typedef struct Pose {
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
} Pose;

#define K(name)    constant[(K_##name) * RUT_CORNER_WIDTH + i]
#define KVEC(name) rut_vec3(K(name##_x), K(name##_y), K(name##_z))
#define KSYM(name) \
  ((rutSym3){K(name##_xx), K(name##_yy), K(name##_zz), K(name##_xy), K(name##_xz), K(name##_yz)})

// Where the mechanism is at a dead point, divisors are no smaller: squared distance [m2], length
// [m] and lever [m, m2].
static const double LEAST_SQUARE = 1e-12, LEAST_LENGTH = 1e-6, LEAST_LEVER = 1e-6;
// Length beyond all others [m].
static const double NEVER = 1e9;

// Direction across the unit axis u with n . d = e, on the side `way`; its sine against d's part
// across u is *sine.
RUT_INLINE rutVec3 direction(rutVec3 u, rutVec3 d, double e, double way, double* sine) {
  const rutVec3 across = rut_vec3_add_scaled(d, -rut_vec3_dot(u, d), u);
  const double inverse = 1 / rut_max(rut_vec3_dot(across, across), LEAST_SQUARE), a = e * inverse;
  const double square = rut_max(inverse - a * a, 0), b = rut_sqrt(square);
  *sine = square / inverse;
  return rut_vec3_add_scaled(rut_vec3_scale(across, a), way * b, rut_vec3_cross(u, across));
}

// 1/x without a pole.
RUT_INLINE double safe_inverse(double x, double least) {
  return 1 / rut_copysign(rut_max(rut_abs(x), least), x);
}

RUT_INLINE Pose pose_at(const double* constant, int i, double q, double s) {
  Pose p;
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
  p.upper_n = direction(u, d, e, K(upper_way), &p.upper_sine);
  p.upper_t = rut_vec3_cross(u, p.upper_n);
  const double per_length = 1 / length;
  const rutVec3 ball_u = rut_vec3_add_scaled(foot, upper, p.upper_n);
  p.k = rut_vec3_scale(rut_vec3_sub(ball_u, p.ball), per_length);
  const double lever = safe_inverse(upper * rut_vec3_dot(p.k, p.upper_t), LEAST_LEVER);
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
  p.m = direction(p.k, p.inner, f, K(tie_way), &p.tie_sine);
  p.o = rut_vec3_cross(p.k, p.m);
  p.tie = rut_vec3_add_scaled(rut_vec3_scale(p.k, tk), tm, p.m);
  // k x tie = tie_out o
  const rutVec3 rod_way = rut_vec3_sub(p.tie, p.inner);
  p.tie_inverse = safe_inverse(tm * rut_vec3_dot(rod_way, p.o), LEAST_LEVER);
  const rutVec3 pin_rate = rut_vec3_scale(rut_vec3_cross(p.k, v), per_length);
  const rutVec3 end = rut_vec3_add(p.ball_v, rut_vec3_cross(pin_rate, p.tie));
  p.q_w = rut_vec3_add_scaled(pin_rate, -rut_vec3_dot(rod_way, end) * p.tie_inverse, p.k);
  p.s_w = rut_vec3_scale(p.k, rut_vec3_dot(rod_way, p.inner_rate) * p.tie_inverse);
  return p;
}

// Motion of the upright: q', s', angular velocity, and accelerations with q'' = s'' = 0.
typedef struct Turn {
  double qd, sd;
  rutVec3 w, alpha, ball;  // ball: acceleration of the lower ball
} Turn;

RUT_INLINE Turn turn_at(const double* constant, int i, const Pose* p, double qd, double sd) {
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
  return (Turn){qd, sd, w, rut_vec3_add_scaled(pin_acceleration, about, p->k), ball};
}

// Points of the upright and the lower arm, from the lower ball and the arm's foot.
RUT_INLINE rutVec3 on_upright(const Pose* p, rutVec3 at) {
  return rut_vec3_along(at.x, p->k, at.y, p->m, at.z, p->o);
}

// ---- bodies ----

RUT_INLINE rutCornerMember lower_member(const double* constant, int i, const Pose* p, double qd) {
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

RUT_INLINE rutCornerMember upper_member(const double* constant, int i, const Pose* p, double qd) {
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
typedef struct PointMotion {
  rutVec3 q_v, s_v, move, rest;
} PointMotion;

// That of a point of the upright, `at` from the lower ball.
RUT_INLINE PointMotion carry_point(const Pose* p, const Turn* turn, rutVec3 at) {
  const rutVec3 q_v = rut_vec3_add(p->ball_v, rut_vec3_cross(p->q_w, at));
  const rutVec3 s_v = rut_vec3_cross(p->s_w, at);
  const rutVec3 swing = rut_vec3_cross(turn->w, rut_vec3_cross(turn->w, at));
  return (PointMotion){
      .q_v = q_v,
      .s_v = s_v,
      .move = rut_vec3_add_scaled(rut_vec3_scale(q_v, turn->qd), turn->sd, s_v),
      .rest = rut_vec3_add(rut_vec3_add(turn->ball, rut_vec3_cross(turn->alpha, at)), swing)};
}

RUT_INLINE rutCornerMember upright_member(const double* constant, int i, const Pose* p,
                                          const Turn* turn, rutVec3* s_v) {
  const rutVec3 at = on_upright(p, KVEC(upright_com));
  const PointMotion com = carry_point(p, turn, at);
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
RUT_INLINE rutCornerMember tie_member(const double* constant, int i, const Pose* p,
                                      const Turn* turn, rutVec3* s_v, rutVec3* s_w) {
  const PointMotion end = carry_point(p, turn, p->tie);
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

// ---- springs ----

// A strut from the chassis to the lower arm: length and its derivatives by q.
typedef struct Strut {
  double length, slope, bend;
} Strut;

RUT_INLINE Strut strut_at(rutVec3 top, rutVec3 foot, rutVec3 c, rutVec3 axis, const Pose* p) {
  const rutVec3 at = rut_vec3_along(c.x, axis, c.y, p->lower_n, c.z, p->lower_t);
  const rutVec3 v = rut_vec3_add_scaled(rut_vec3_scale(p->lower_t, c.y), -c.z, p->lower_n);
  const rutVec3 a = rut_vec3_add_scaled(rut_vec3_scale(p->lower_n, -c.y), -c.z, p->lower_t);
  const rutVec3 d = rut_vec3_sub(rut_vec3_add(foot, at), top);
  const double length = rut_max(rut_vec3_norm(d), LEAST_LENGTH), inverse = 1 / length;
  const double slope = rut_vec3_dot(d, v) * inverse;
  return (Strut){length, slope,
                 (rut_vec3_dot(v, v) + rut_vec3_dot(d, a) - slope * slope) * inverse};
}

// Rows of the springs of some corners: lengths and derivatives of both struts, and the force of
// spring and stops with its slope and its work.
typedef struct Springs {
  double length[RUT_CORNER_LANES], slope[RUT_CORNER_LANES], bend[RUT_CORNER_LANES];
  double damper[RUT_CORNER_LANES], damper_slope[RUT_CORNER_LANES];
  double force[RUT_CORNER_LANES], rate[RUT_CORNER_LANES], work[RUT_CORNER_LANES];
} Springs;

// Counts that the compiler knows.
typedef struct Counts {
  int corners, stride;
  int own;    // 1: each corner has constants of its own; 0: all have those of the first
  int heavy;  // tie rods have a mass
} Counts;

RUT_INLINE void measure_struts(const double* constant, int i, const Pose* p, int at,
                               Springs* restrict k) {
  const rutVec3 axis = KVEC(lower_axis), foot = KVEC(lower_foot);
  const Strut spring = strut_at(KVEC(spring_top), foot, KVEC(spring_foot), axis, p);
  const Strut damper = strut_at(KVEC(damper_top), foot, KVEC(damper_foot), axis, p);
  k->length[at] = spring.length;
  k->slope[at] = spring.slope;
  k->bend[at] = spring.bend;
  k->damper[at] = damper.length;
  k->damper_slope[at] = damper.slope;
}

RUT_INLINE void press_springs(const double* constant, Counts counts, int hinges, Springs* k) {
#pragma omp simd
  for (int at = 0; at < counts.corners; at++) {
    const int i = counts.own * at;
    const double x = k->length[at], force = K(force_0), rate = K(slope_0);
    k->force[at] = force + rate * x;
    k->rate[at] = rate;
    k->work[at] = x * (force + 0.5 * rate * x);
  }
  for (int h = 0; h < hinges; h++) {
    const double* hinge = constant + (K_HINGE + 2 * h) * RUT_CORNER_WIDTH;
#pragma omp simd
    for (int at = 0; at < counts.corners; at++) {
      const int i = counts.own * at;
      const double change = hinge[RUT_CORNER_WIDTH + i],
                   over = rut_max(k->length[at] - hinge[i], 0);
      const double part = change * over;
      k->force[at] += part;
      k->rate[at] += over > 0 ? change : 0;
      k->work[at] += 0.5 * part * over;
    }
  }
}

// ---- a corner ----

#define R(name) row[RUT_CORNER_##name * stride + at]
#define RVEC(name, v)     \
  do {                    \
    const rutVec3 to = v; \
    R(name##_x) = to.x;   \
    R(name##_y) = to.y;   \
    R(name##_z) = to.z;   \
  } while (0)

RUT_INLINE void corner_at(const rutCornerIn* in, Counts counts, int at, double* restrict row,
                          Springs* springs) {
  const double* constant = in->constant;
  const int i = counts.own * at, stride = counts.stride;
  const double q = in->travel[at], qd = in->rate[at], s = in->steer[at], sd = in->steer_rate[at];
  const rutVec3 omega = rut_vec3(in->omega_x[at], in->omega_y[at], in->omega_z[at]);
  const rutVec3 gravity = rut_vec3(in->gravity_x[at], in->gravity_y[at], in->gravity_z[at]);
  const Pose p = pose_at(constant, i, q, s);
  const Turn turn = turn_at(constant, i, &p, qd, sd);
  rutCornerSums sum = {.qq = 0};
  rutVec3 s_v, s_w;
  rut_corner_add(lower_member(constant, i, &p, qd), omega, gravity, &sum);
  rut_corner_add(upper_member(constant, i, &p, qd), omega, gravity, &sum);
  const rutCornerMember upright = upright_member(constant, i, &p, &turn, &s_v);
  rut_corner_add_steered(upright, s_v, p.s_w, omega, gravity, &sum);
  if (counts.heavy) {
    const rutCornerMember tie = tie_member(constant, i, &p, &turn, &s_v, &s_w);
    rut_corner_add_steered(tie, s_v, s_w, omega, gravity, &sum);
  }
  const rutVec3 hub = on_upright(&p, KVEC(hub));
  const PointMotion motion = carry_point(&p, &turn, hub);
  const rutVec3 place = rut_vec3_add(p.ball, hub);
  RVEC(hub, place);
  RVEC(axis, on_upright(&p, KVEC(axis)));
  RVEC(hub_v, motion.q_v);
  RVEC(hub_w, p.q_w);
  RVEC(steer_v, motion.s_v);
  RVEC(steer_w, p.s_w);
  RVEC(move_v, motion.move);
  RVEC(move_w, turn.w);
  RVEC(rest_v, motion.rest);
  RVEC(rest_w, turn.alpha);
  RVEC(first, sum.first);
  R(second_xx) = sum.second.xx;
  R(second_yy) = sum.second.yy;
  R(second_zz) = sum.second.zz;
  R(second_xy) = sum.second.xy;
  R(second_xz) = sum.second.xz;
  R(second_yz) = sum.second.yz;
  RVEC(q_v, sum.q_v);
  RVEC(q_w, sum.q_w);
  RVEC(s_v, sum.s_v);
  RVEC(s_w, sum.s_w);
  R(qq) = sum.qq;
  R(qs) = sum.qs;
  R(ss) = sum.ss;
  RVEC(rest_force, sum.force);
  RVEC(rest_moment, sum.moment);
  R(rest_q) = sum.along_q;
  R(rest_s) = sum.along_s;
  measure_struts(constant, i, &p, at, springs);
  R(travel) = place.z - K(design_z);
}

// Time in which the damper at the end of a mechanism's range takes its spring's force [s].
#define END_TIME 2e-3
// Beyond it that spring's rate grows: by so much it has doubled its force [rad]. A crash that the
// spring alone would stop would bring the arms to a dead point.
#define END_WAY 0.01

// Force along q of spring, stops and damper, its stiffness and damping, and the springs' energy.
RUT_INLINE void push_corners(const rutCornerIn* in, Counts counts, const Springs* k,
                             double* restrict row) {
  const double* constant = in->constant;
  const int stride = counts.stride;
#pragma omp simd
  for (int at = 0; at < counts.corners; at++) {
    const int i = counts.own * at;
    const double q = in->travel[at], length = k->damper[at], lever = k->damper_slope[at];
    const double speed = lever * in->rate[at], slope = k->slope[at], force = k->force[at];
    const double zone_in = K(zone_compression), zone_out = K(zone_rebound);
    const double mid_in = K(compression), mid_out = K(rebound), limit = K(limit_rate);
    const int zone = (length < K(zone_short)) | (length > K(zone_long));
    const double in_rate = zone ? zone_in : mid_in, out_rate = zone ? zone_out : mid_out;
    const double rate = speed < 0 ? in_rate : out_rate;
    // where the mechanism itself ends: a spring with a damper, which pushes back only
    const double above = rut_max(q - K(highest), 0), below = rut_min(q - K(lowest), 0);
    const double beyond = above + below, sense = above > 0 ? 1 : (below < 0 ? -1 : 0);
    const double pushes = rut_max(sense * (beyond + END_TIME * in->rate[at]), 0);
    const double pressed = pushes > 0 ? limit : 0, square = beyond * beyond / (END_WAY * END_WAY);
    R(force) = force * slope - rate * speed * lever - limit * (sense * pushes + beyond * square);
    R(stiffness) = rut_max(-k->rate[at], 0) * slope * slope + rut_max(-force * k->bend[at], 0) +
                   pressed + 3 * limit * square;
    R(damping) = rate * lever * lever + END_TIME * pressed;
    R(spring_arm) = slope;
    R(energy) = (0.5 + 0.25 * square) * limit * beyond * beyond + K(most_work) - k->work[at];
  }
}

RUT_INLINE void corners(const rutCornerIn* in, Counts counts, double* row) {
  const rutCornerIn from = *in;
  const double* constant = in->constant;
  double most = 0;
  Springs springs;
  for (int i = 0; i < (counts.own ? counts.corners : 1); i++) most = rut_max(most, K(hinges));
#pragma omp simd
  for (int at = 0; at < counts.corners; at++) corner_at(&from, counts, at, row, &springs);
  press_springs(constant, counts, (int)most, &springs);
  push_corners(&from, counts, &springs, row);
}

// The compiler knows the strides of single vehicles and of batches.
#define CORNERS(name, ...)                                                        \
  RUT_CLONES static void name(const rutCornerIn* in, double* row, size_t width) { \
    (void)width;                                                                  \
    corners(in, (Counts){__VA_ARGS__}, row);                                      \
  }
CORNERS(light_four, RUT_CORNER_WIDTH, RUT_CORNER_WIDTH, 1, 0)
CORNERS(light_four_of_eight, RUT_CORNER_WIDTH, 2 * RUT_CORNER_WIDTH, 1, 0)
CORNERS(light_lanes, RUT_CORNER_LANES, RUT_CORNER_LANES, 0, 0)
CORNERS(heavy_four, RUT_CORNER_WIDTH, (int)width, 1, 1)
CORNERS(heavy_lanes, RUT_CORNER_LANES, (int)width, 0, 1)

static void wishbone_corner(const rutCornerIn* in, double* row, size_t stride) {
  const double* constant = in->constant;
  double heavy = 0;
  for (int i = 0; i < RUT_CORNER_WIDTH; i++) heavy = rut_max(heavy, K(tie_mass));
  if (in->in_lanes) {
    (heavy > 0 || stride != RUT_CORNER_LANES ? heavy_lanes : light_lanes)(in, row, stride);
  } else if (heavy > 0 || (stride != RUT_CORNER_WIDTH && stride != 2 * RUT_CORNER_WIDTH)) {
    heavy_four(in, row, stride);
  } else {
    (stride == RUT_CORNER_WIDTH ? light_four : light_four_of_eight)(in, row, stride);
  }
}

// ---- making of the constants ----

typedef struct Maker {
  const Param* p;
  const rutCornerPlace* place;
  double* constant;
} Maker;

static void put(const Maker* k, int at, double value) {
  k->constant[at * RUT_CORNER_WIDTH] = value;
}
static void put_vector(const Maker* k, int at, rutVec3 v) {
  put(k, at, v.x);
  put(k, at + 1, v.y);
  put(k, at + 2, v.z);
}
static void put_sym(const Maker* k, int at, rutSym3 j) {
  const double value[6] = {j.xx, j.yy, j.zz, j.xy, j.xz, j.yz};
  for (int c = 0; c < 6; c++) put(k, at + c, value[c]);
}

// A vector of the parameters, on this corner's side.
static rutVec3 mirrored(const Maker* k, double list) {
  int n = 0;
  const double* v = rut_param_list(k->p, list, &n);
  return rut_vec3(v[0], k->place->side * v[1], v[2]);
}
// A point of the parameters in the vehicle's frame, from the origin.
static rutVec3 point(const Maker* k, double list) {
  const double* o = k->place->origin;
  const rutVec3 at = mirrored(k, list);
  return rut_vec3(at.x + k->place->hub[0] - o[0], at.y - o[1], at.z - o[2]);
}
static rutVec3 in_axes(rutVec3 v, rutVec3 e1, rutVec3 e2, rutVec3 e3) {
  return rut_vec3(rut_vec3_dot(v, e1), rut_vec3_dot(v, e2), rut_vec3_dot(v, e3));
}

// Moments of a body given along e1, e2, e3, in the axes f1, f2, f3.
static rutSym3 in_frame(const double moment[3], const rutVec3 e[3], const rutVec3 f[3]) {
  const rutSym3 own = {moment[0], moment[1], moment[2], 0, 0, 0};
  const rutVec3 a = in_axes(e[0], f[0], f[1], f[2]), b = in_axes(e[1], f[0], f[1], f[2]);
  return rut_sym3_turned(own, a, b, in_axes(e[2], f[0], f[1], f[2]));
}

typedef struct ArmPlan {
  rutVec3 front, rear, ball, com;
  double mass;
  const double* inertia;
} ArmPlan;

// Axes of an arm at the design position: along the pivot axis, to the ball, and across, which is
// the way in which the ball goes when the arm turns up.
static void put_arm(const Maker* k, int foot_at, int radius_at, const ArmPlan* arm, rutVec3 f[3],
                    rutVec3* foot) {
  rutVec3 axis = rut_vec3_unit(rut_vec3_sub(arm->front, arm->rear));
  const rutVec3 out = rut_vec3_sub(arm->ball, arm->rear);
  if (rut_vec3_cross(axis, out).z < 0) axis = rut_vec3_scale(axis, -1);
  *foot = rut_vec3_add_scaled(arm->rear, rut_vec3_dot(out, axis), axis);
  const rutVec3 to = rut_vec3_sub(arm->ball, *foot);
  f[0] = axis;
  f[1] = rut_vec3_unit(to);
  f[2] = rut_vec3_cross(f[0], f[1]);
  // given along the pivot axis, across it in the plane of the three points, and normal to it: the
  // plane contains the pivot axis and the ball
  put_vector(k, foot_at, *foot);
  put_vector(k, foot_at + 3, axis);
  put(k, radius_at, rut_vec3_norm(to));
  put_vector(k, radius_at + 1, in_axes(rut_vec3_sub(arm->com, *foot), f[0], f[1], f[2]));
  put(k, radius_at + 4, arm->mass);
  put_sym(k, radius_at + 5, (rutSym3){arm->inertia[0], arm->inertia[1], arm->inertia[2], 0, 0, 0});
}

// Pressing of a stop: no force before it is touched.
static bool add_stop(rutKinks* k, const Param* p, double from, double sense, double factor) {
  int n = 0;
  const double* table = rut_param_list(p, p->stop, &n);
  const double plain[6] = {-1, 0, 0, 0, 1, p->stop_rate};
  double full[2 * RUT_MAX_KINKS];
  if (n == 0) return rut_kinks_add(k, plain, 3, from, sense, factor);
  if (n + 4 > 2 * RUT_MAX_KINKS) return false;
  // nothing outside, then from its first point on
  full[0] = table[0] - 1;
  full[1] = table[1];
  for (int i = 0; i < n; i++) full[2 + i] = table[i];
  return rut_kinks_add(k, full, n / 2 + 1, from, sense, factor);
}

static rutStatus put_spring(const Maker* k, rutError* err) {
  const Param* p = k->p;
  rutKinks kinks = {0};
  int n = 0;
  const double* table = rut_param_list(p, p->spring, &n);
  const double plain[4] = {0, 0, 1, p->spring_rate};
  bool fits = n ? rut_kinks_add(&kinks, table, n / 2, p->free_length, -1, 1)
                : rut_kinks_add(&kinks, plain, 2, p->free_length, -1, 1);
  fits = fits && add_stop(&kinks, p, p->bump_length, -1, 1);
  if (p->rebound_length > 0) fits = fits && add_stop(&kinks, p, p->rebound_length, 1, -1);
  if (!fits) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "'spring' and 'stop' have more than %d points",
                         RUT_MAX_KINKS);
  }
  put(k, K_force_0, kinks.force_0);
  put(k, K_slope_0, kinks.slope_0);
  put(k, K_most_work, rut_kinks_work(&kinks, p->free_length));
  put(k, K_hinges, kinks.n);
  for (int h = 0; h < RUT_MAX_KINKS; h++) {
    put(k, K_HINGE + 2 * h, h < kinks.n ? kinks.at[h] : NEVER);
    put(k, K_HINGE + 2 * h + 1, h < kinks.n ? kinks.change[h] : 0);
  }
  return RUT_OK;
}

// Upright, tie rod and linkage at the design position.
static void put_upright(const Maker* k, rutVec3 lower, rutVec3 upper) {
  const Param* p = k->p;
  const double* o = k->place->origin;
  const rutVec3 outer = point(k, p->tie_rod_outer), inner = point(k, p->tie_rod_inner);
  const rutVec3 pin = rut_vec3_sub(upper, lower), tie = rut_vec3_sub(outer, lower);
  const rutVec3 rod = rut_vec3_sub(inner, lower), to_rod = rut_vec3_sub(outer, inner);
  rutVec3 f[3];
  f[0] = rut_vec3_unit(pin);
  const rutVec3 out = rut_vec3_add_scaled(tie, -rut_vec3_dot(tie, f[0]), f[0]);
  f[1] = rut_vec3_unit(out);
  f[2] = rut_vec3_cross(f[0], f[1]);
  const rutVec3 hub =
      rut_vec3(k->place->hub[0] - o[0], k->place->hub[1] - o[1], k->place->hub[2] - o[2]);
  // to the left; toe turns the front inwards, camber the top outwards
  double ts, tc, cs, cc;
  rut_sincos(k->place->side * p->toe, &ts, &tc);
  rut_sincos(k->place->side * p->camber, &cs, &cc);
  const rutVec3 axis = rut_vec3(ts * cc, tc * cc, -cs);
  put_vector(k, K_hub_x, in_axes(rut_vec3_sub(hub, lower), f[0], f[1], f[2]));
  put_vector(k, K_axis_x, in_axes(axis, f[0], f[1], f[2]));
  const rutVec3 com = rut_vec3_sub(point(k, p->upright_com), lower);
  put_vector(k, K_upright_com_x, in_axes(com, f[0], f[1], f[2]));
  put(k, K_upright_mass, p->upright_mass);
  const rutVec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  int n = 0;
  put_sym(k, K_upright_xx, in_frame(rut_param_list(p, p->upright_inertia, &n), unit, f));
  put(k, K_kingpin, rut_vec3_norm(pin));
  put(k, K_tie_up, rut_vec3_dot(tie, f[0]));
  put(k, K_tie_out, rut_vec3_norm(out));
  put(k, K_tie_length, rut_vec3_norm(to_rod));
  put(k, K_tie_mass, p->tie_rod_mass);
  // on which side of the inner end's direction the arm stands
  put(k, K_tie_way, rut_vec3_dot(rut_vec3_cross(f[0], rod), f[1]) < 0 ? -1 : 1);
  // the linkage is one for both sides
  const double* axis_list = rut_param_list(p, p->steering_axis, &n);
  const double* arm_list = rut_param_list(p, p->steering_arm, &n);
  const rutVec3 about = rut_vec3_unit(rut_vec3_of(axis_list)), arm = rut_vec3_of(arm_list);
  const rutVec3 across = rut_vec3_add_scaled(arm, -rut_vec3_dot(arm, about), about);
  put_vector(k, K_centre_x, rut_vec3_sub(inner, across));
  put_vector(k, K_across_x, across);
  put_vector(k, K_along_x, rut_vec3_cross(about, across));
  put(k, K_rack, p->rack);
}

// Is the mechanism clear of dead points at q, at any steering?
static bool is_clear(const Maker* k, double q) {
  static const double DEAD = 0.1;
  const double* constant = k->constant;
  const int i = 0;
  bool clear = true;
  for (int steer = -1; steer <= 1; steer++) {
    const Pose p = pose_at(constant, i, q, steer * k->place->steer_range);
    const rutVec3 hub = on_upright(&p, KVEC(hub));
    const double rise = rut_vec3_add(p.ball_v, rut_vec3_cross(p.q_w, hub)).z;
    clear = clear && p.upper_sine > DEAD && p.tie_sine > DEAD &&
            rut_abs(rut_vec3_dot(p.k, p.upper_t)) > DEAD && rise > DEAD * K(lower_radius);
  }
  return clear;
}

// How far q can go until the mechanism comes near a dead point.
static void find_range(const Maker* k, double range[2]) {
  static const double STEP = 0.005;
  enum { FAR = 260 };
  for (int side = 0; side < 2; side++) {
    const double sense = side ? 1 : -1;
    int steps = 0;
    while (steps < FAR && is_clear(k, sense * (steps + 1) * STEP)) steps++;
    range[side] = sense * steps * STEP;
  }
}

static rutStatus wishbone_derive(const void* param, const rutCornerPlace* place, double* constant,
                                 double range[2], rutError* err) {
  static const double LIMIT_RATE = 5e6;    // beyond the range, per squared radius of the arm [N/m]
  static const double LEAST_RANGE = 0.02;  // either way [rad]
  const Param* p = param;
  const Maker k = {p, place, constant};
  int n = 0;
  const ArmPlan lower = {point(&k, p->lower_front),
                         point(&k, p->lower_rear),
                         point(&k, p->lower_ball),
                         point(&k, p->lower_com),
                         p->lower_mass,
                         rut_param_list(p, p->lower_inertia, &n)};
  const ArmPlan upper = {point(&k, p->upper_front),
                         point(&k, p->upper_rear),
                         point(&k, p->upper_ball),
                         point(&k, p->upper_com),
                         p->upper_mass,
                         rut_param_list(p, p->upper_inertia, &n)};
  rutVec3 f[3], foot;
  put(&k, K_mass, p->lower_mass + p->upper_mass + p->upright_mass + p->tie_rod_mass);
  put_arm(&k, K_lower_foot_x, K_lower_radius, &lower, f, &foot);
  put_vector(&k, K_ahead_x, f[1]);
  put_vector(&k, K_up_x, f[2]);
  const struct {
    int at, damper;
    double top, foot;
  } strut[2] = {{K_spring_top_x, 0, p->spring_top, p->spring_foot},
                {K_damper_top_x, 1, p->damper_top, p->damper_foot}};
  for (int s = 0; s < 2; s++) {
    const rutVec3 at = rut_vec3_sub(point(&k, strut[s].foot), foot);
    put_vector(&k, strut[s].at, point(&k, strut[s].top));
    put_vector(&k, strut[s].at + 3, in_axes(at, f[0], f[1], f[2]));
  }
  put_arm(&k, K_upper_foot_x, K_upper_radius, &upper, f, &foot);
  const rutVec3 down = rut_vec3_sub(lower.ball, foot);
  put(&k, K_upper_way, rut_vec3_dot(rut_vec3_cross(f[0], down), f[1]) < 0 ? -1 : 1);
  put_upright(&k, lower.ball, upper.ball);
  put(&k, K_compression, p->compression_damping);
  put(&k, K_rebound, p->rebound_damping);
  const bool zones = p->zone_long > 0;
  put(&k, K_zone_short, zones ? p->zone_short : -1);
  put(&k, K_zone_long, zones ? p->zone_long : NEVER);
  put(&k, K_zone_compression, p->zone_compression_damping);
  put(&k, K_zone_rebound, p->zone_rebound_damping);
  put(&k, K_design_z, place->hub[2] - place->origin[2]);
  const rutStatus status = put_spring(&k, err);
  if (status != RUT_OK) return status;
  find_range(&k, range);
  const double radius = constant[K_lower_radius * RUT_CORNER_WIDTH];
  put(&k, K_lowest, range[0]);
  put(&k, K_highest, range[1]);
  put(&k, K_limit_rate, LIMIT_RATE * radius * radius);
  if (range[0] < -LEAST_RANGE && range[1] > LEAST_RANGE) return RUT_OK;
  return rut_error_set(err, RUT_ERR_MODEL,
                       "the arms, the upright and the tie rod cannot move from their design "
                       "position: lower arm %.3g to %.3g rad",
                       range[0], range[1]);
}

// ---- for pictures and proofs ----

static rutCornerBody body_of(const char* name, rutCornerMember b, rutVec3 e1, rutVec3 e2,
                             rutVec3 e3, rutSym3 own) {
  rutCornerBody out = {.name = name, .mass = b.mass};
  rut_vec3_put(b.r, out.position);
  rut_vec3_put(b.move, out.velocity);
  rut_vec3_put(b.turn, out.angular_velocity);
  const double attitude[9] = {e1.x, e2.x, e3.x, e1.y, e2.y, e3.y, e1.z, e2.z, e3.z};
  const double inertia[6] = {own.xx, own.yy, own.zz, own.xy, own.xz, own.yz};
  for (int c = 0; c < 9; c++) out.attitude[c] = attitude[c];
  for (int c = 0; c < 6; c++) out.inertia[c] = inertia[c];
  return out;
}

static int wishbone_bodies(const double* constant, double q, double qd, double s, double sd,
                           rutCornerBody out[RUT_MAX_CORNER_BODIES]) {
  const int i = 0;
  const Pose p = pose_at(constant, i, q, s);
  const Turn turn = turn_at(constant, i, &p, qd, sd);
  rutVec3 s_v, s_w;
  out[0] = body_of("lower arm", lower_member(constant, i, &p, qd), KVEC(lower_axis), p.lower_n,
                   p.lower_t, KSYM(lower));
  out[1] = body_of("upper arm", upper_member(constant, i, &p, qd), KVEC(upper_axis), p.upper_n,
                   p.upper_t, KSYM(upper));
  out[2] = body_of("upright", upright_member(constant, i, &p, &turn, &s_v), p.k, p.m, p.o,
                   KSYM(upright));
  const rutCornerMember tie = tie_member(constant, i, &p, &turn, &s_v, &s_w);
  const rutVec3 along = rut_vec3_unit(rut_vec3_sub(p.tie, p.inner));
  const rutVec3 across = rut_vec3_unit(rut_vec3_cross(along, p.k));
  const double j = tie.mass * K(tie_length) * K(tie_length) / 12;
  out[3] = body_of("tie rod", tie, along, across, rut_vec3_cross(along, across),
                   (rutSym3){0, j, j, 0, 0, 0});
  return 4;
}

static rutCornerLink link_of(const char* name, rutVec3 from, rutVec3 to) {
  rutCornerLink out = {.name = name};
  rut_vec3_put(from, out.from);
  rut_vec3_put(to, out.to);
  return out;
}

// Arms as two bars each from the ball joint, whose feet are a part of its distance apart.
static int wishbone_links(const double* constant, double q, double s,
                          rutCornerLink out[RUT_MAX_CORNER_LINKS]) {
  static const double SPREAD = 0.4;
  const int i = 0;
  const Pose p = pose_at(constant, i, q, s);
  const rutVec3 lower = KVEC(lower_foot), upper = KVEC(upper_foot), axis = KVEC(lower_axis);
  const rutVec3 ball = rut_vec3_add_scaled(upper, K(upper_radius), p.upper_n);
  const rutVec3 along_lower = rut_vec3_scale(axis, SPREAD * K(lower_radius));
  const rutVec3 along_upper = rut_vec3_scale(KVEC(upper_axis), SPREAD * K(upper_radius));
  const rutVec3 spring = KVEC(spring_foot), damper = KVEC(damper_foot);
  const rutVec3 spring_foot =
      rut_vec3_add(lower, rut_vec3_along(spring.x, axis, spring.y, p.lower_n, spring.z, p.lower_t));
  const rutVec3 damper_foot =
      rut_vec3_add(lower, rut_vec3_along(damper.x, axis, damper.y, p.lower_n, damper.z, p.lower_t));
  out[0] = link_of("lower arm", rut_vec3_add(lower, along_lower), p.ball);
  out[1] = link_of("lower arm", rut_vec3_sub(lower, along_lower), p.ball);
  out[2] = link_of("upper arm", rut_vec3_add(upper, along_upper), ball);
  out[3] = link_of("upper arm", rut_vec3_sub(upper, along_upper), ball);
  out[4] = link_of("upright", p.ball, ball);
  out[5] = link_of("upright", rut_vec3_scale(rut_vec3_add(p.ball, ball), 0.5),
                   rut_vec3_add(p.ball, on_upright(&p, KVEC(hub))));
  out[6] = link_of("tie rod", rut_vec3_add(p.ball, p.inner), rut_vec3_add(p.ball, p.tie));
  out[7] = link_of("spring", KVEC(spring_top), spring_foot);
  out[8] = link_of("damper", KVEC(damper_top), damper_foot);
  return 9;
}

static rutStatus wishbone_check(const double* param, rutError* err) {
  static const char* const names[2] = {"spring", "stop"};
  const Param* p = (const Param*)(const void*)param;
  const double list[2] = {p->spring, p->stop};
  for (int t = 0; t < 2; t++) {
    int n = 0;
    const double* xy = rut_param_list(p, list[t], &n);
    if (n == 0) continue;
    if (n < 4) {
      return rut_error_set(err, RUT_ERR_MODEL, "'%s' needs at least two points", names[t]);
    }
    for (int i = 2; i < n; i += 2) {
      if (xy[i] > xy[i - 2]) continue;
      return rut_error_set(err, RUT_ERR_MODEL,
                           "'%s' must have points whose first numbers rise: that of point %d is "
                           "not above %g",
                           names[t], i / 2 + 1, xy[i - 2]);
    }
  }
  return RUT_OK;
}

const rutSuspensionType rut_suspension_double_wishbone = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutSuspensionType),
             .kind = "suspension",
             .name = "double_wishbone",
             .parents = "vehicle axle",
             .doc =
                 "Two arms, an upright and a tie rod, with spring, damper and stops between the "
                 "lower arm and the chassis: one compound joint per wheel (constraint embedding, "
                 "Jain 2012). Points are those of the left side at the design position. The "
                 "defaults are the front suspension of a HMMWV (Aardema, TACOM TR 13337).",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = wishbone_check},
    .constants = CONSTANT_COUNT,
    .derive = wishbone_derive,
    .corner = wishbone_corner,
    .bodies = wishbone_bodies,
    .links = wishbone_links};
