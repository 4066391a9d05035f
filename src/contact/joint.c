// SPDX-License-Identifier: BSD-3-Clause
//
// Pins with angle limits, and ropes, rods and springs, as velocity constraints with accumulated
// impulses and position correction. The laws are those of Box2D 2.4's revolute and distance joints,
// which MVSim worlds use (soft constraint: Catto, "Soft constraints", GDC 2011), but for one term:
// velocities are asked to satisfy the constraint at the end of the step to second order, with the
// centripetal part 1/2 dt w^2 r of each arm. The impulse then acts along the arm at the start of
// the step as in SHAKE (Ryckaert, Ciccotti and Berendsen, J. Comput. Phys. 23, 1977), and a body
// that turns about a pin keeps its energy instead of losing (w dt)^2 / 2 of it in each step.
#include "contact/contact_data.h"
#include "math/rut_math.h"

// Anchors nearer than this have no direction from one to the other [m].
#define NO_LENGTH 1e-9

enum { ROD = 0, LOWER = 2, UPPER = 3 };  // places in rutJointWork.impulse

static void anchor_arm(const rutBodies* bodies, int body, const double anchor[2], double r[2]) {
  r[0] = anchor[0];
  r[1] = anchor[1];
  if (body < 0) return;
  double s, c;
  rut_sincos(bodies->yaw[body], &s, &c);
  r[0] = c * anchor[0] - s * anchor[1];
  r[1] = s * anchor[0] + c * anchor[1];
}

static double angle_of(const rutBodies* bodies, int body) {
  return body < 0 ? 0 : bodies->yaw[body];
}

static double rate_of(const rutBodies* bodies, int body) {
  return body < 0 ? 0 : bodies->rate[body];
}

// Angle of b against a, in the turn about the middle of the limits.
static double joint_angle(const rutPlanarJointDef* j, const rutBodies* bodies) {
  double angle = angle_of(bodies, j->body_b) - angle_of(bodies, j->body_a);
  if (!(j->upper - j->lower < 2 * RUT_PI)) return angle;
  double middle = 0.5 * (j->lower + j->upper);
  return angle - 2 * RUT_PI * rut_floor((angle - middle) / (2 * RUT_PI) + 0.5);
}

static void arms(const rutPlanarJointDef* j, const rutBodies* bodies, double ra[2], double rb[2]) {
  anchor_arm(bodies, j->body_a, j->anchor_a, ra);
  anchor_arm(bodies, j->body_b, j->anchor_b, rb);
}

// Vector from the anchor on a to the anchor on b.
static void gap_vector(const rutPlanarJointDef* j, const rutBodies* bodies, const double ra[2],
                       const double rb[2], double d[2]) {
  d[0] = (j->body_b < 0 ? 0 : bodies->x[j->body_b]) + rb[0];
  d[1] = (j->body_b < 0 ? 0 : bodies->y[j->body_b]) + rb[1];
  d[0] -= (j->body_a < 0 ? 0 : bodies->x[j->body_a]) + ra[0];
  d[1] -= (j->body_a < 0 ? 0 : bodies->y[j->body_a]) + ra[1];
}

static void spin_both(const rutContactModel* model, const rutPlanarJointDef* j, rutBodies* bodies,
                      double p) {
  if (j->body_a >= 0) bodies->rate[j->body_a] -= rut_inverse_inertia(model, j->body_a) * p;
  if (j->body_b >= 0) bodies->rate[j->body_b] += rut_inverse_inertia(model, j->body_b) * p;
}

static void push_anchors(const rutContactModel* model, const rutPlanarJointDef* j,
                         const rutJointWork* w, rutBodies* bodies, double px, double py) {
  rut_apply_impulse(model, bodies, j->body_a, w->ra, -px, -py);
  rut_apply_impulse(model, bodies, j->body_b, w->rb, px, py);
}

static void relative_velocity(const rutPlanarJointDef* j, const rutJointWork* w,
                              const rutBodies* bodies, double v[2]) {
  double va[2], vb[2];
  rut_point_velocity(bodies, j->body_a, w->ra, va);
  rut_point_velocity(bodies, j->body_b, w->rb, vb);
  v[0] = vb[0] - va[0];
  v[1] = vb[1] - va[1];
}

// Half of what the second-order motion of an arm that turns takes from its end in a step, per step
// time: 1/2 dt w^2 r. Arms that turn more than a radian per step count as turning by one.
static void centripetal(const rutBodies* bodies, int body, const double r[2], double dt,
                        double out[2]) {
  double turn = rut_min(rut_abs(rate_of(bodies, body)) * dt, 1);
  double factor = 0.5 * turn * turn / dt;
  out[0] = factor * r[0];
  out[1] = factor * r[1];
}

// Relative velocity that the anchors need at the start of the step to be as far apart after it.
static void end_of_step_lead(const rutPlanarJointDef* j, const rutBodies* bodies, double dt,
                             rutJointWork* w) {
  double a[2], b[2];
  centripetal(bodies, j->body_a, w->ra, dt, a);
  centripetal(bodies, j->body_b, w->rb, dt, b);
  w->lead[0] = b[0] - a[0];
  w->lead[1] = b[1] - a[1];
}

// ---------------------------------------------------------------------------------------------
// Pin

// Inverse effective mass of the two anchors held together: k11, k12, k22.
static void pin_matrix(const rutContactModel* model, const rutPlanarJointDef* j, const double ra[2],
                       const double rb[2], double k[3]) {
  double m = rut_inverse_mass(model, j->body_a) + rut_inverse_mass(model, j->body_b);
  double ia = rut_inverse_inertia(model, j->body_a), ib = rut_inverse_inertia(model, j->body_b);
  k[0] = m + ia * ra[1] * ra[1] + ib * rb[1] * rb[1];
  k[1] = -ia * ra[0] * ra[1] - ib * rb[0] * rb[1];
  k[2] = m + ia * ra[0] * ra[0] + ib * rb[0] * rb[0];
}

// Solve K p = d; 0 where K is singular (nothing can move).
static void pin_solve(const double k[3], const double d[2], double p[2]) {
  double determinant = k[0] * k[2] - k[1] * k[1];
  double inverse = determinant > 0 ? 1 / determinant : 0;
  p[0] = inverse * (k[2] * d[0] - k[1] * d[1]);
  p[1] = inverse * (k[0] * d[1] - k[1] * d[0]);
}

static void prepare_pin(const rutContactModel* model, const rutPlanarJointDef* j, rutJointWork* w,
                        rutBodies* bodies) {
  double i = rut_inverse_inertia(model, j->body_a) + rut_inverse_inertia(model, j->body_b);
  pin_matrix(model, j, w->ra, w->rb, w->k);
  w->axial_mass = i > 0 ? 1 / i : 0;
  w->angle = joint_angle(j, bodies);
  if (!j->limited) w->impulse[LOWER] = w->impulse[UPPER] = 0;
  spin_both(model, j, bodies, w->impulse[LOWER] - w->impulse[UPPER]);
  push_anchors(model, j, w, bodies, w->impulse[0], w->impulse[1]);
}

static void solve_pin_limits(const rutContactModel* model, const rutPlanarJointDef* j,
                             rutJointWork* w, double dt, rutBodies* bodies) {
  for (int side = LOWER; side <= UPPER; side++) {
    double sign = side == LOWER ? 1 : -1;
    double room = side == LOWER ? w->angle - j->lower : j->upper - w->angle;
    double rate = sign * (rate_of(bodies, j->body_b) - rate_of(bodies, j->body_a));
    double total = w->impulse[side] - w->axial_mass * (rate + rut_max(room, 0) / dt);
    total = rut_max(total, 0);
    double p = total - w->impulse[side];
    w->impulse[side] = total;
    spin_both(model, j, bodies, sign * p);
  }
}

static void solve_pin(const rutContactModel* model, const rutPlanarJointDef* j, rutJointWork* w,
                      double dt, rutBodies* bodies) {
  if (j->limited) solve_pin_limits(model, j, w, dt, bodies);
  double v[2], p[2];
  relative_velocity(j, w, bodies, v);
  v[0] -= w->lead[0];
  v[1] -= w->lead[1];
  pin_solve(w->k, v, p);
  w->impulse[0] -= p[0];
  w->impulse[1] -= p[1];
  push_anchors(model, j, w, bodies, -p[0], -p[1]);
}

static void correct_pin(const rutContactModel* model, const rutPlanarJointDef* j,
                        rutBodies* bodies) {
  double i = rut_inverse_inertia(model, j->body_a) + rut_inverse_inertia(model, j->body_b);
  if (j->limited && i > 0) {
    double angle = joint_angle(j, bodies);
    double excess = rut_max(angle - j->upper, 0) + rut_min(angle - j->lower, 0);
    double p = -rut_clamp(excess, -RUT_CORRECTION_LIMIT, RUT_CORRECTION_LIMIT) / i;
    if (j->body_a >= 0) bodies->yaw[j->body_a] -= rut_inverse_inertia(model, j->body_a) * p;
    if (j->body_b >= 0) bodies->yaw[j->body_b] += rut_inverse_inertia(model, j->body_b) * p;
  }
  double ra[2], rb[2], d[2], k[3], p[2];
  arms(j, bodies, ra, rb);
  gap_vector(j, bodies, ra, rb, d);
  pin_matrix(model, j, ra, rb, k);
  pin_solve(k, d, p);
  rut_shift(model, bodies, j->body_a, ra, p[0], p[1]);
  rut_shift(model, bodies, j->body_b, rb, -p[0], -p[1]);
}

// ---------------------------------------------------------------------------------------------
// Rope, rod, spring

// Direction from a to b and distance of the anchors.
static double direction(const rutPlanarJointDef* j, const rutBodies* bodies, const double ra[2],
                        const double rb[2], double u[2]) {
  double d[2];
  gap_vector(j, bodies, ra, rb, d);
  double length = rut_hypot(d[0], d[1]);
  // anchors on one point have no direction, and then no constraint is active along it
  double scale = length > NO_LENGTH ? 1 / length : 0;
  u[0] = scale * d[0];
  u[1] = scale * d[1];
  return length;
}

static double axial_inverse_mass(const rutContactModel* model, const rutPlanarJointDef* j,
                                 const double ra[2], const double rb[2], const double u[2]) {
  double ca = ra[0] * u[1] - ra[1] * u[0], cb = rb[0] * u[1] - rb[1] * u[0];
  return rut_inverse_mass(model, j->body_a) + rut_inverse_mass(model, j->body_b) +
         rut_inverse_inertia(model, j->body_a) * ca * ca +
         rut_inverse_inertia(model, j->body_b) * cb * cb;
}

static bool is_rod(const rutPlanarJointDef* j) { return !(j->min_length < j->max_length); }

static bool is_sprung(const rutPlanarJointDef* j) {
  return !is_rod(j) && (j->stiffness > 0 || j->damping > 0);
}

static void prepare_distance(const rutContactModel* model, const rutPlanarJointDef* j,
                             rutJointWork* w, double dt, rutBodies* bodies) {
  w->length = direction(j, bodies, w->ra, w->rb, w->u);
  double inverse = axial_inverse_mass(model, j, w->ra, w->rb, w->u);
  w->mass = inverse > 0 ? 1 / inverse : 0;
  w->soft_mass = w->gamma = w->bias = 0;
  if (is_sprung(j)) {
    // implicit spring and damper: softness gamma, and the speed that the spring asks for
    double gamma = 1 / (dt * (j->damping + dt * j->stiffness));
    w->gamma = gamma;
    w->bias = (w->length - j->rest_length) * dt * j->stiffness * gamma;
    w->soft_mass = 1 / (inverse + gamma);
  } else if (!is_rod(j)) {
    w->impulse[ROD] = 0;
  }
  // the anchors also move apart by turning about each other: 1/2 dt v^2 / length, v across
  double v[2];
  relative_velocity(j, w, bodies, v);
  double across = (w->u[0] * v[1] - w->u[1] * v[0]) * dt;
  double apart = w->length > NO_LENGTH ? rut_min(across * across / w->length, w->length) / dt : 0;
  w->axial_lead = w->u[0] * w->lead[0] + w->u[1] * w->lead[1] - 0.5 * apart;
  double p = w->impulse[ROD] + w->impulse[LOWER] - w->impulse[UPPER];
  push_anchors(model, j, w, bodies, p * w->u[0], p * w->u[1]);
}

static double axial_speed(const rutPlanarJointDef* j, const rutJointWork* w,
                          const rutBodies* bodies) {
  double v[2];
  relative_velocity(j, w, bodies, v);
  return w->u[0] * v[0] + w->u[1] * v[1];
}

static void solve_distance(const rutContactModel* model, const rutPlanarJointDef* j,
                           rutJointWork* w, double dt, rutBodies* bodies) {
  if (is_rod(j) || is_sprung(j)) {
    double mass = is_rod(j) ? w->mass : w->soft_mass, lead = is_rod(j) ? w->axial_lead : 0;
    double p = -mass * (axial_speed(j, w, bodies) - lead + w->bias + w->gamma * w->impulse[ROD]);
    w->impulse[ROD] += p;
    push_anchors(model, j, w, bodies, p * w->u[0], p * w->u[1]);
    if (is_rod(j)) return;
  }
  for (int side = LOWER; side <= UPPER; side++) {
    double sign = side == LOWER ? 1 : -1;
    double room = side == LOWER ? w->length - j->min_length : j->max_length - w->length;
    double speed = sign * (axial_speed(j, w, bodies) - w->axial_lead);
    double total = rut_max(w->impulse[side] - w->mass * (speed + rut_max(room, 0) / dt), 0);
    double p = sign * (total - w->impulse[side]);
    w->impulse[side] = total;
    push_anchors(model, j, w, bodies, p * w->u[0], p * w->u[1]);
  }
}

static void correct_distance(const rutContactModel* model, const rutPlanarJointDef* j,
                             rutBodies* bodies) {
  double ra[2], rb[2], u[2];
  arms(j, bodies, ra, rb);
  double length = direction(j, bodies, ra, rb, u);
  double excess = length - rut_min(rut_max(length, j->min_length), j->max_length);
  double inverse = axial_inverse_mass(model, j, ra, rb, u);
  if (excess == 0 || !(inverse > 0)) return;
  double p = -rut_clamp(excess, -RUT_CORRECTION_LIMIT, RUT_CORRECTION_LIMIT) / inverse;
  rut_shift(model, bodies, j->body_a, ra, -p * u[0], -p * u[1]);
  rut_shift(model, bodies, j->body_b, rb, p * u[0], p * u[1]);
}

// ---------------------------------------------------------------------------------------------

void rut_joint_prepare(const rutContactModel* model, int joint, rutJointWork* work, double dt,
                       rutBodies* bodies) {
  const rutPlanarJointDef* j = &model->joint[joint];
  arms(j, bodies, work->ra, work->rb);
  end_of_step_lead(j, bodies, dt, work);
  if (j->distance) {
    prepare_distance(model, j, work, dt, bodies);
  } else {
    prepare_pin(model, j, work, bodies);
  }
}

void rut_joint_velocity(const rutContactModel* model, int joint, rutJointWork* work, double dt,
                        rutBodies* bodies) {
  const rutPlanarJointDef* j = &model->joint[joint];
  if (j->distance) {
    solve_distance(model, j, work, dt, bodies);
  } else {
    solve_pin(model, j, work, dt, bodies);
  }
}

bool rut_joint_is_sprung(const rutContactModel* model, int joint) {
  return model->joint[joint].distance && is_sprung(&model->joint[joint]);
}

void rut_joint_position(const rutContactModel* model, int joint, rutBodies* bodies) {
  const rutPlanarJointDef* j = &model->joint[joint];
  if (j->distance) {
    correct_distance(model, j, bodies);
  } else {
    correct_pin(model, j, bodies);
  }
}
