// SPDX-License-Identifier: BSD-3-Clause
//
// How a wheel moves on its links. The upright is a body with six velocities v, w (of the point at
// the chassis's origin, and of rotation). A rod from a at the chassis to b at the upright keeps its
// length: (b - a) . (v + w x b) = 0. Five rods, or what stands for them, leave one motion; it is
// scaled so that the hub rises at 1.
//
// MacPherson's strut. Its axis, fixed to the upright, passes through a fixed point T of the
// chassis. The point P of the upright that is at T at the design position moves along the axis a,
// at a rate r per rise: two conditions more. With P = T - s a(t), its path has the curvature
// 2 |a'|/|r| towards a'. An upper arm with its ball joint at T, its pivot in the centre of this
// curvature and its axis across it and the strut guides the upright alike to second order.
//
// Its spring. With B the lower ball joint, p its distance from T along the axis and e across it, p
// changes as the length L of the strut, and |BT|^2 = p^2 + e^2. A spring from T to B with the force
// F(L) |BT|/p has the same work at any travel.
//
// Springs on an upright without a strut. The length L between chassis and upright changes by c
// times that of a spring L' between the lower ball joint and a point of the chassis as far and in
// the same direction away. With F' = c F(L_0 + c (L' - L_0)) both have the same work, to first
// order of the geometry.
#include "format/chrono.h"

static const double LEAST_RISE = 0.05;   // of the hub, over the largest velocity of the solution
static const double LONGEST_ARM = 50;    // [m], in place of a straight path
static const double LEAST_STRUT = 0.05;  // [m] along it, from its top to the ball joint
static const double PIVOT_SPREAD = 0.1;  // of the virtual arm's two pivots [m]

typedef struct Twist {
  rutVec3 v, w;
} Twist;

static rutVec3 velocity(const Twist* t, rutVec3 p) {
  return rut_vec3_add(t->v, rut_vec3_cross(t->w, p));
}

// ---- conditions ----

typedef struct Conditions {
  int n;
  double row[6][7];
} Conditions;

// The velocity of point p along `direction` is `value`.
static void add(Conditions* c, rutVec3 p, rutVec3 direction, double value) {
  const rutVec3 moment = rut_vec3_cross(p, direction);
  const double row[7] = {direction.x, direction.y, direction.z, moment.x,
                         moment.y,    moment.z,    value};
  for (int i = 0; i < 7; i++) c->row[c->n][i] = row[i];
  c->n++;
}

static void add_rod(Conditions* c, rutVec3 chassis, rutVec3 body) {
  add(c, body, rut_vec3_unit(rut_vec3_sub(body, chassis)), 0);
}

static void add_arm(Conditions* c, const rutChronoArm* arm) {
  add_rod(c, arm->front, arm->ball);
  add_rod(c, arm->rear, arm->ball);
}

// Gaussian elimination with pivots. False if the conditions do not determine the motion.
static bool solve(Conditions* c, Twist* out) {
  double x[6];
  for (int k = 0; k < 6; k++) {
    int best = k;
    for (int i = k + 1; i < 6; i++) {
      if (rut_abs(c->row[i][k]) > rut_abs(c->row[best][k])) best = i;
    }
    if (!(rut_abs(c->row[best][k]) > 1e-9)) return false;
    for (int j = 0; j < 7; j++) {
      const double swap = c->row[k][j];
      c->row[k][j] = c->row[best][j];
      c->row[best][j] = swap;
    }
    for (int i = k + 1; i < 6; i++) {
      const double f = c->row[i][k] / c->row[k][k];
      for (int j = k; j < 7; j++) c->row[i][j] -= f * c->row[k][j];
    }
  }
  for (int k = 5; k >= 0; k--) {
    double sum = c->row[k][6];
    for (int j = k + 1; j < 6; j++) sum -= c->row[k][j] * x[j];
    x[k] = sum / c->row[k][k];
  }
  *out = (Twist){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  const double most = rut_max(rut_vec3_norm(out->v), rut_vec3_norm(out->w));
  return most * LEAST_RISE < 1;
}

static rutVec3 strut_axis(const rutChronoSuspension* s) {
  return rut_vec3_unit(rut_vec3_sub(s->damper.top, s->damper.foot));
}

// The body turns about a point of the chassis, or about an axis.
static void add_ball(Conditions* c, rutVec3 p) {
  add(c, p, rut_vec3(1, 0, 0), 0);
  add(c, p, rut_vec3(0, 1, 0), 0);
  add(c, p, rut_vec3(0, 0, 1), 0);
}

static void add_hinge(Conditions* c, rutVec3 p, rutVec3 q) {
  const rutVec3 a = rut_vec3_unit(rut_vec3_sub(q, p));
  const rutVec3 some = rut_abs(a.x) < 0.7 ? rut_vec3(1, 0, 0) : rut_vec3(0, 1, 0);
  const rutVec3 e = rut_vec3_unit(rut_vec3_cross(a, some));
  add_ball(c, p);
  add(c, q, e, 0);
  add(c, q, rut_vec3_cross(a, e), 0);
}

// Motion of the upright, or of a solid axle that rises without rolling.
static bool find_motion(const rutChronoSuspension* s, Twist* out) {
  Conditions c = {0};
  const rutVec3 up = rut_vec3(0, 0, 1);
  if (s->form == RUT_CHRONO_STRAIGHT) {
    *out = (Twist){up, {0, 0, 0}};
    return true;
  }
  if (s->form == RUT_CHRONO_HINGE || s->form == RUT_CHRONO_TRAILING) {
    if (s->form == RUT_CHRONO_HINGE) {
      add_hinge(&c, s->lower.front, s->lower.rear);
    } else {
      add_ball(&c, s->trailing_chassis);
      for (int i = 0; i < 2; i++) add_rod(&c, s->link_chassis[i], s->link_axle[i]);
    }
    add(&c, s->hub, up, 1);
    return solve(&c, out);
  }
  if (s->form == RUT_CHRONO_SOLID) {
    // straight up and down, as the links of both sides allow: only the pitch is open
    const rutVec3 zero = {0, 0, 0};
    add_rod(&c, s->link_chassis[0], s->link_axle[0]);
    add_rod(&c, s->link_chassis[1], s->link_axle[1]);
    add(&c, zero, rut_vec3(0, 1, 0), 0);
    c.row[c.n++][3] = 1;
    c.row[c.n++][5] = 1;
    add(&c, rut_vec3(s->hub.x, 0, s->hub.z), up, 1);
    return solve(&c, out);
  }
  if (s->form == RUT_CHRONO_LINKS) {
    add_arm(&c, &s->upper);
    add_rod(&c, s->lateral_chassis, s->lateral_upright);
    add_rod(&c, s->trailing_chassis, s->trailing_upright);
  } else {
    add_arm(&c, &s->lower);
    if (s->form == RUT_CHRONO_STRUT) {
      const rutVec3 a = strut_axis(s);
      const rutVec3 some = rut_abs(a.x) < 0.7 ? rut_vec3(1, 0, 0) : rut_vec3(0, 1, 0);
      const rutVec3 e = rut_vec3_unit(rut_vec3_cross(a, some));
      add(&c, s->damper.top, e, 0);
      add(&c, s->damper.top, rut_vec3_cross(a, e), 0);
    } else {
      add_arm(&c, &s->upper);
    }
  }
  add_rod(&c, s->tie_inner, s->tie_outer);
  add(&c, s->hub, up, 1);
  return solve(&c, out);
}

// ---- springs ----

// Velocity of a point of the body on which springs stand.
static rutVec3 foot_velocity(const rutChronoSuspension* s, const Twist* t, rutVec3 p) {
  if (s->form == RUT_CHRONO_WISHBONE) {
    const rutChronoArm* arm = &s->lower;
    const rutVec3 u = rut_vec3_unit(rut_vec3_sub(arm->front, arm->rear));
    const rutVec3 way = rut_vec3_cross(u, rut_vec3_sub(arm->ball, arm->front));
    const double square = rut_vec3_dot(way, way);
    const double rate = square > 0 ? rut_vec3_dot(velocity(t, arm->ball), way) / square : 0;
    return rut_vec3_scale(rut_vec3_cross(u, rut_vec3_sub(p, arm->front)), rate);
  }
  if (s->form == RUT_CHRONO_LINKS) {
    const rutVec3 r = rut_vec3_sub(s->trailing_upright, s->trailing_chassis);
    const double square = rut_vec3_dot(r, r);
    const rutVec3 w = rut_vec3_scale(rut_vec3_cross(r, velocity(t, s->trailing_upright)),
                                     square > 0 ? 1 / square : 0);
    return rut_vec3_cross(w, rut_vec3_sub(p, s->trailing_chassis));
  }
  return velocity(t, p);
}

static double stretch(const rutChronoSuspension* s, const Twist* t, rutVec3 top, rutVec3 foot) {
  return rut_vec3_dot(foot_velocity(s, t, foot), rut_vec3_unit(rut_vec3_sub(foot, top)));
}

rutChronoRatios rut_chrono_ratios(const rutChronoSuspension* s) {
  Twist t = {{0, 0, 1}, {0, 0, 0}};
  rutChronoRatios out = {0, 0};
  if (s->form == RUT_CHRONO_GENERIC) return s->ratio;
  // links of a solid axle may not determine it: it rises straight then
  if (!find_motion(s, &t)) t = (Twist){{0, 0, 1}, {0, 0, 0}};
  if (s->spring.given) out.spring = stretch(s, &t, s->spring.top, s->spring.foot);
  if (s->damper.given) out.damper = stretch(s, &t, s->damper.top, s->damper.foot);
  return out;
}

// ---- wishbones in place of others ----

static void replace_arm(rutChronoSuspension* s, const Twist* t) {
  const rutVec3 a = strut_axis(s), top = s->damper.top;
  const double rate = rut_vec3_dot(velocity(t, top), a);
  const rutVec3 bend = rut_vec3_cross(t->w, a);
  const double size = rut_vec3_norm(bend);
  const double side = rate < 0 ? -1 : 1;
  const double length = rut_min(size > 0 ? 0.5 * rut_abs(rate) / size : LONGEST_ARM, LONGEST_ARM);
  rutVec3 towards = rut_vec3_scale(bend, size > 0 ? side / size : 0);
  if (!(size > 0)) towards = rut_vec3_unit(rut_vec3_cross(a, rut_vec3(1, 0, 0)));
  const rutVec3 pivot = rut_vec3_add_scaled(top, length, towards);
  rutVec3 axis = rut_vec3_unit(rut_vec3_cross(a, towards));
  if (axis.x < 0) axis = rut_vec3_scale(axis, -1);
  s->upper = (rutChronoArm){.front = rut_vec3_add_scaled(pivot, PIVOT_SPREAD, axis),
                            .rear = rut_vec3_add_scaled(pivot, -PIVOT_SPREAD, axis),
                            .ball = top,
                            .com = top};
}

// The force of a strut's spring, pushing, at a length.
static double strut_force(const rutChronoSpring* spring, double length) {
  const double over = length - spring->free_length;
  return spring->preload -
         (spring->curve.n > 0 ? rut_chrono_curve_at(&spring->curve, over) : spring->rate * over);
}

typedef struct Strut {
  double along, across;  // of the ball joint from the top
} Strut;

static double joint_length(const Strut* strut, double longer) {
  return rut_hypot(rut_max(strut->along + longer, LEAST_STRUT), strut->across);
}

static void move_strut(rutChronoSuspension* s) {
  enum { HALF = 10 };
  static const double STEP = 0.02;
  rutChronoSpring* spring = &s->spring;
  const rutVec3 a = strut_axis(s), down = rut_vec3_sub(s->lower.ball, s->damper.top);
  const Strut strut = {.along = -rut_vec3_dot(down, a),
                       .across = rut_vec3_norm(rut_vec3_cross(down, a))};
  const double length = rut_vec3_norm(rut_vec3_sub(spring->top, spring->foot));
  const double design = joint_length(&strut, 0);
  const double ratio = design / rut_max(strut.along, LEAST_STRUT);
  rutChronoCurve curve = {0};
  for (int i = -HALF; i <= HALF; i++) {
    const double longer = i * STEP, along = strut.along + longer;
    if (along < LEAST_STRUT) continue;
    const double joint = joint_length(&strut, longer);
    curve.x[curve.n] = joint - design;
    curve.y[curve.n++] = -strut_force(spring, length + longer) * joint / along;
  }
  if (spring->longest > 0) {
    spring->shortest = joint_length(&strut, spring->shortest - length);
    spring->longest = joint_length(&strut, spring->longest - length);
  }
  spring->curve = curve;
  spring->rate = spring->preload = 0;
  spring->free_length = design;
  spring->top = s->damper.top;
  spring->foot = s->lower.ball;
  s->damper.compression *= ratio * ratio;
  s->damper.rebound *= ratio * ratio;
  s->damper.zone_short = s->damper.zone_long = 0;
  s->damper.foot = s->lower.ball;
}

static void move_spring(rutChronoSpring* spring, rutVec3 ball, double share) {
  const rutVec3 along = rut_vec3_sub(spring->top, spring->foot);
  const double length = rut_vec3_norm(along);
  spring->foot = ball;
  spring->top = rut_vec3_add(ball, along);
  spring->free_length = length + (spring->free_length - length) / share;
  spring->rate *= share * share;
  spring->preload *= share;
  for (int i = 0; i < spring->curve.n; i++) {
    spring->curve.x[i] /= share;
    spring->curve.y[i] *= share;
  }
  if (!(spring->longest > 0)) return;
  spring->shortest = rut_max(length + (spring->shortest - length) / share, 0);
  spring->longest = rut_max(length + (spring->longest - length) / share, 0);
}

static void move_damper(rutChronoDamper* damper, rutVec3 ball, double share) {
  const rutVec3 along = rut_vec3_sub(damper->top, damper->foot);
  damper->foot = ball;
  damper->top = rut_vec3_add(ball, along);
  damper->compression *= share * share;
  damper->rebound *= share * share;
  damper->zone_short = damper->zone_long = 0;
}

bool rut_chrono_as_wishbone(rutChronoSuspension* s) {
  static const double LEAST_SHARE = 0.05, MOST_SHARE = 20;
  Twist t;
  if (s->form != RUT_CHRONO_REDUCED && s->form != RUT_CHRONO_STRUT) {
    return s->form == RUT_CHRONO_WISHBONE;
  }
  if (!find_motion(s, &t)) return false;
  const rutVec3 ball = s->lower.ball;
  double share[2];
  const rutVec3 end[2][2] = {{s->spring.top, s->spring.foot}, {s->damper.top, s->damper.foot}};
  for (int i = 0; i < 2; i++) {
    const rutVec3 along = rut_vec3_unit(rut_vec3_sub(end[i][1], end[i][0]));
    share[i] =
        rut_vec3_dot(velocity(&t, end[i][1]), along) / rut_vec3_dot(velocity(&t, ball), along);
    if (!(share[i] > LEAST_SHARE && share[i] < MOST_SHARE)) return false;
  }
  if (s->form == RUT_CHRONO_STRUT) {
    replace_arm(s, &t);
    move_strut(s);
  } else {
    move_spring(&s->spring, ball, share[0]);
    move_damper(&s->damper, ball, share[1]);
  }
  s->form = RUT_CHRONO_WISHBONE;
  return true;
}
