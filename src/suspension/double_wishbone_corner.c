// SPDX-License-Identifier: BSD-3-Clause
//
// Springs of double wishbones, and corners in a step.
#include "suspension/double_wishbone_mechanism.h"

// ---- springs ----

// Where a strut has no length, the divisor is no smaller [m].
static const double LEAST_LENGTH = 1e-6;

// A strut from the chassis to the lower arm: length and its derivatives by q.
typedef struct Strut {
  double length, slope, bend;
} Strut;

RUT_INLINE Strut strut_at(rutVec3 top, rutVec3 foot, rutVec3 c, rutVec3 axis,
                          const rutWishbonePose* p) {
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

RUT_INLINE void measure_struts(const double* constant, int i, const rutWishbonePose* p, int at,
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
    const double* hinge = constant + (RUT_WISHBONE_HINGE + 2 * h) * RUT_CORNER_WIDTH;
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
  const rutWishbonePose p = rut_wishbone_pose(constant, i, q, s);
  const rutWishboneTurn turn = rut_wishbone_turn(constant, i, &p, qd, sd);
  rutCornerSums sum = {.qq = 0};
  rutVec3 s_v, s_w;
  rut_corner_add(rut_wishbone_lower_arm(constant, i, &p, qd), omega, gravity, &sum);
  rut_corner_add(rut_wishbone_upper_arm(constant, i, &p, qd), omega, gravity, &sum);
  const rutCornerMember upright = rut_wishbone_upright(constant, i, &p, &turn, &s_v);
  rut_corner_add_steered(upright, s_v, p.s_w, omega, gravity, &sum);
  if (counts.heavy) {
    const rutCornerMember tie = rut_wishbone_tie_rod(constant, i, &p, &turn, &s_v, &s_w);
    rut_corner_add_steered(tie, s_v, s_w, omega, gravity, &sum);
  }
  const rutVec3 hub = rut_wishbone_on_upright(&p, KVEC(hub));
  const rutWishboneMotion motion = rut_wishbone_carry(&p, &turn, hub);
  const rutVec3 place = rut_vec3_add(p.ball, hub);
  RVEC(hub, place);
  RVEC(axis, rut_wishbone_on_upright(&p, KVEC(axis)));
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

void rut_wishbone_corner(const rutCornerIn* in, double* row, size_t stride) {
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
