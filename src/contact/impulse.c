// SPDX-License-Identifier: BSD-3-Clause
//
// Impulses of one touch. Sequential impulses with accumulated, clamped totals (Catto, "Iterative
// dynamics with temporal coherence", GDC 2005; "Fast and simple physics using sequential impulses",
// GDC 2006), the two points of a manifold solved together as a linear complementarity problem
// (Catto, "Modeling and solving constraints", GDC 2009), and non-linear Gauss-Seidel on positions.
#include <string.h>

#include "contact/contact_data.h"
#include "math/rut_math.h"

// The two points of a touch are solved together up to this condition of their matrix.
#define MOST_CONDITION 1e6

static double effective_mass(const rutContactModel* model, const rutTouch* t, int k, double nx,
                             double ny) {
  double ra = t->ra[k][0] * ny - t->ra[k][1] * nx, rb = t->rb[k][0] * ny - t->rb[k][1] * nx;
  return rut_inverse_mass(model, t->a) + rut_inverse_mass(model, t->b) +
         rut_inverse_inertia(model, t->a) * ra * ra + rut_inverse_inertia(model, t->b) * rb * rb;
}

// Coupling of the two normal impulses. Zero where the matrix is nearly singular: the points are
// then solved one after the other.
static void prepare_block(const rutContactModel* model, rutTouch* t, const double k[2]) {
  double nx = t->normal[0], ny = t->normal[1];
  double a0 = t->ra[0][0] * ny - t->ra[0][1] * nx, a1 = t->ra[1][0] * ny - t->ra[1][1] * nx;
  double b0 = t->rb[0][0] * ny - t->rb[0][1] * nx, b1 = t->rb[1][0] * ny - t->rb[1][1] * nx;
  double k12 = rut_inverse_mass(model, t->a) + rut_inverse_mass(model, t->b) +
               rut_inverse_inertia(model, t->a) * a0 * a1 +
               rut_inverse_inertia(model, t->b) * b0 * b1;
  double determinant = k[0] * k[1] - k12 * k12;
  if (k[0] * k[1] < MOST_CONDITION * determinant) {
    t->block[0] = k[0];
    t->block[1] = k12;
    t->block[2] = k[1];
  }
}

RUT_INLINE double normal_speed(const rutTouch* t, int k, const rutBodies* bodies) {
  double va[2], vb[2];
  rut_point_velocity(bodies, t->a, t->ra[k], va);
  rut_point_velocity(bodies, t->b, t->rb[k], vb);
  return (vb[0] - va[0]) * t->normal[0] + (vb[1] - va[1]) * t->normal[1];
}

RUT_INLINE void push_both(const rutContactModel* model, rutBodies* bodies, const rutTouch* t, int k,
                          double px, double py) {
  rut_apply_impulse(model, bodies, t->a, t->ra[k], -px, -py);
  rut_apply_impulse(model, bodies, t->b, t->rb[k], px, py);
}

static void to_body(const rutContactState* state, const rutBodies* bodies, int body,
                    const double world[2], double local[2]) {
  if (body < 0) {
    memcpy(local, world, 2 * sizeof *local);
    return;
  }
  double dx = world[0] - bodies->x[body], dy = world[1] - bodies->y[body];
  double s = state->sine[body], c = state->cosine[body];
  local[0] = c * dx + s * dy;
  local[1] = c * dy - s * dx;
}

// Reference face and touching points in the frames of their bodies, for rut_touch_position.
static void prepare_position(const rutContactState* state, rutTouch* t, const rutBodies* bodies) {
  int face = t->flip ? t->b : t->a, inc = t->flip ? t->a : t->b;
  double out = t->flip ? -1 : 1, plane[2] = {t->local_plane[0], t->local_plane[1]};
  double nx = out * t->normal[0], ny = out * t->normal[1];
  double s = face < 0 ? 0 : state->sine[face], c = face < 0 ? 1 : state->cosine[face];
  t->local_normal[0] = c * nx + s * ny;
  t->local_normal[1] = c * ny - s * nx;
  to_body(state, bodies, face, plane, t->local_plane);
  for (int k = 0; k < t->n; k++) {
    double p[2] = {t->point[k][0] + 0.5 * t->gap[k] * nx, t->point[k][1] + 0.5 * t->gap[k] * ny};
    to_body(state, bodies, inc, p, t->local_point[k]);
  }
}

static void prepare_touch(const rutContactModel* model, const rutContactState* state, rutTouch* t,
                          double dt, const rutBodies* bodies) {
  double nx = t->normal[0], ny = t->normal[1], k[2] = {0, 0};
  for (int i = 0; i < t->n; i++) {
    for (int d = 0; d < 2; d++) {
      double xa = d ? bodies->y[t->a] : bodies->x[t->a];
      double xb = t->b < 0 ? 0 : d ? bodies->y[t->b] : bodies->x[t->b];
      t->ra[i][d] = t->point[i][d] - xa;
      t->rb[i][d] = t->b < 0 ? 0 : t->point[i][d] - xb;
    }
    k[i] = effective_mass(model, t, i, nx, ny);
    double tangent = effective_mass(model, t, i, -ny, nx);
    t->normal_mass[i] = k[i] > 0 ? 1 / k[i] : 0;
    t->tangent_mass[i] = tangent > 0 ? 1 / tangent : 0;
    // bodies that are still apart may close their gap in this step, but not more
    t->bound[i] = t->gap[i] > 0 ? -t->gap[i] / dt : 0;
    t->approach[i] = normal_speed(t, i, bodies);
  }
  if (t->n == 2 && k[0] > 0) prepare_block(model, t, k);
  prepare_position(state, t, bodies);
}

void rut_touch_prepare(const rutContactModel* model, rutContactState* state, double dt,
                       rutBodies* bodies) {
  for (int i = 0; i < state->touches; i++) {
    prepare_touch(model, state, &state->touch[i], dt, bodies);
  }
  // last step's impulses, only after all approach velocities have been taken
  for (int i = 0; i < state->touches; i++) {
    const rutTouch* t = &state->touch[i];
    for (int k = 0; k < t->n; k++) {
      double pn = t->normal_impulse[k], pt = t->tangent_impulse[k];
      push_both(model, bodies, t, k, pn * t->normal[0] - pt * t->normal[1],
                pn * t->normal[1] + pt * t->normal[0]);
    }
  }
}

static void solve_friction(const rutContactModel* model, rutTouch* t, int k, rutBodies* bodies) {
  double tx = -t->normal[1], ty = t->normal[0], va[2], vb[2];
  rut_point_velocity(bodies, t->a, t->ra[k], va);
  rut_point_velocity(bodies, t->b, t->rb[k], vb);
  double speed = (vb[0] - va[0]) * tx + (vb[1] - va[1]) * ty;
  double most = t->friction * t->normal_impulse[k];
  double total = rut_clamp(t->tangent_impulse[k] - t->tangent_mass[k] * speed, -most, most);
  double p = total - t->tangent_impulse[k];
  t->tangent_impulse[k] = total;
  push_both(model, bodies, t, k, p * tx, p * ty);
}

static void solve_normal(const rutContactModel* model, rutTouch* t, int k, rutBodies* bodies) {
  double speed = normal_speed(t, k, bodies) - t->bound[k];
  double total = rut_max(t->normal_impulse[k] - t->normal_mass[k] * speed, 0);
  double p = total - t->normal_impulse[k];
  t->normal_impulse[k] = total;
  push_both(model, bodies, t, k, p * t->normal[0], p * t->normal[1]);
}

// Both points at once: impulses x >= 0 and speeds above the bound w = K x + q >= 0 with x w = 0,
// by trying the four cases. False if none fits, which only rounding can cause.
static bool solve_case(const double k[3], const double q[2], double x[2]) {
  double determinant = k[0] * k[2] - k[1] * k[1];
  x[0] = (k[1] * q[1] - k[2] * q[0]) / determinant;
  x[1] = (k[1] * q[0] - k[0] * q[1]) / determinant;
  if (x[0] >= 0 && x[1] >= 0) return true;
  x[0] = -q[0] / k[0];
  x[1] = 0;
  if (x[0] >= 0 && k[1] * x[0] + q[1] >= 0) return true;
  x[0] = 0;
  x[1] = -q[1] / k[2];
  if (x[1] >= 0 && k[1] * x[1] + q[0] >= 0) return true;
  x[0] = x[1] = 0;
  return q[0] >= 0 && q[1] >= 0;
}

static void solve_block(const rutContactModel* model, rutTouch* t, rutBodies* bodies) {
  const double *k = t->block, *old = t->normal_impulse;
  double q[2] = {
      normal_speed(t, 0, bodies) - t->bound[0] - (k[0] * old[0] + k[1] * old[1]),
      normal_speed(t, 1, bodies) - t->bound[1] - (k[1] * old[0] + k[2] * old[1]),
  };
  double x[2];
  if (!solve_case(k, q, x)) {
    for (int i = 0; i < 2; i++) solve_normal(model, t, i, bodies);
    return;
  }
  for (int i = 0; i < 2; i++) {
    double p = x[i] - t->normal_impulse[i];
    t->normal_impulse[i] = x[i];
    push_both(model, bodies, t, i, p * t->normal[0], p * t->normal[1]);
  }
}

void rut_touch_velocity(const rutContactModel* model, rutTouch* t, rutBodies* bodies) {
  // friction first: that nothing overlaps matters more and has the last word
  for (int k = 0; k < t->n; k++) solve_friction(model, t, k, bodies);
  if (t->n == 2 && t->block[0] > 0) {
    solve_block(model, t, bodies);
  } else {
    for (int k = 0; k < t->n; k++) solve_normal(model, t, k, bodies);
  }
}

int rut_touch_bounce(rutContactState* state) {
  int bouncing = 0;
  for (int i = 0; i < state->touches; i++) {
    rutTouch* t = &state->touch[i];
    for (int k = 0; k < t->n && t->restitution > 0; k++) {
      if (t->approach[k] > -RUT_BOUNCE_THRESHOLD || t->normal_impulse[k] <= 0) continue;
      t->bound[k] = -t->restitution * t->approach[k];
      bouncing++;
    }
  }
  return bouncing;
}

// Pose of a body for position correction; the world stands still at the origin.
typedef struct Placement {
  double x, y, s, c;
} Placement;

static Placement place_of(const rutBodies* bodies, int body) {
  Placement p = {0, 0, 0, 1};
  if (body < 0) return p;
  p.x = bodies->x[body];
  p.y = bodies->y[body];
  rut_sincos(bodies->yaw[body], &p.s, &p.c);
  return p;
}

void rut_touch_position(const rutContactModel* model, rutTouch* t, rutBodies* bodies) {
  int face = t->flip ? t->b : t->a, inc = t->flip ? t->a : t->b;
  double sign = t->flip ? -1 : 1;
  Placement f = place_of(bodies, face), i = place_of(bodies, inc);
  for (int k = 0; k < t->n; k++) {
    const double *n = t->local_normal, *q = t->local_plane, *p = t->local_point[k];
    double nx = f.c * n[0] - f.s * n[1], ny = f.s * n[0] + f.c * n[1];
    double qx = f.x + f.c * q[0] - f.s * q[1], qy = f.y + f.s * q[0] + f.c * q[1];
    double px = i.x + i.c * p[0] - i.s * p[1], py = i.y + i.s * p[0] + i.c * p[1];
    double gap = (px - qx) * nx + (py - qy) * ny;
    double move =
        rut_clamp(RUT_CORRECTION_RATE * (gap + RUT_CONTACT_SLOP), -RUT_CORRECTION_LIMIT, 0);
    if (!(move < 0)) continue;
    double ax = t->a < 0 ? 0 : bodies->x[t->a], ay = t->a < 0 ? 0 : bodies->y[t->a];
    double bx = t->b < 0 ? 0 : bodies->x[t->b], by = t->b < 0 ? 0 : bodies->y[t->b];
    t->ra[k][0] = px - ax;
    t->ra[k][1] = py - ay;
    t->rb[k][0] = px - bx;
    t->rb[k][1] = py - by;
    double mass = effective_mass(model, t, k, nx, ny);
    double correction = mass > 0 ? -sign * move / mass : 0;
    rut_shift(model, bodies, t->a, t->ra[k], -correction * nx, -correction * ny);
    rut_shift(model, bodies, t->b, t->rb[k], correction * nx, correction * ny);
    f = place_of(bodies, face);
    i = place_of(bodies, inc);
  }
}
