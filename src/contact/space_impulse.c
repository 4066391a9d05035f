// SPDX-License-Identifier: BSD-3-Clause
//
// Impulses at the points of all touches: sequential impulses with accumulated, clamped totals and
// warm start (Catto, GDC 2005), friction in the circle of Coulomb's law, tyres as springs that are
// implicit in the step (Catto, "Soft constraints", GDC 2011), restitution in a second pass. Overlap
// is removed by displacements that are found likewise and give no speed, so that a correction never
// becomes motion.
#include <string.h>

#include "contact/space_rows.h"
#include "math/rut_math.h"

// ---- inverse masses ----

static rutSym3 inverse_of(const double j[6]) {
  const double a = j[1] * j[2] - j[5] * j[5], b = j[4] * j[5] - j[3] * j[2];
  const double c = j[3] * j[5] - j[4] * j[1];
  const double det = j[0] * a + j[3] * b + j[4] * c, k = det > 0 ? 1 / det : 0;
  return (rutSym3){k * a, k * (j[0] * j[2] - j[4] * j[4]), k * (j[0] * j[1] - j[3] * j[3]), k * b,
                   k * c, k * (j[3] * j[4] - j[0] * j[5])};
}

static rutVec3 column(const rutMat3* r, int k) {
  return rut_vec3(r->m[k], r->m[3 + k], r->m[6 + k]);
}

static void find_masses(const rutSpaceSolver* s) {
  double* matrix = s->state->matrix;
  for (int i = 0; i < s->model->bodies; i++) {
    const rutSpaceBodyDef* d = &s->model->body[i].def;
    rutSpaceMass* m = &s->state->mass[i];
    *m = (rutSpaceMass){.mass = d->mass > 0 ? 1 / d->mass : 0};
    if (d->kind == RUT_SPACE_LINKED) {
      m->matrix = matrix;
      matrix += (size_t)d->speeds * (size_t)d->speeds;
    }
    if (!s->state->changed[i] || !(d->mass > 0)) continue;
    if (d->kind == RUT_SPACE_LINKED) {
      s->world->inverse_mass(s->world->user, i, m->matrix);
    } else if (d->kind == RUT_SPACE_PLANAR) {
      m->inertia.zz = d->inertia[2] > 0 && rut_is_finite(d->inertia[2]) ? 1 / d->inertia[2] : 0;
    } else {
      const rutMat3* r = &s->state->bodies.turn[i];
      m->inertia =
          rut_sym3_turned(inverse_of(d->inertia), column(r, 0), column(r, 1), column(r, 2));
    }
  }
}

// Change of a body's speeds by an impulse along a row of the Jacobian.
static void respond(const rutSpaceSolver* s, rutSpaceSide side, const double* j, double* out) {
  const rutSpaceBodyDef* d = &s->model->body[side.body].def;
  const rutSpaceMass* m = &s->state->mass[side.body];
  const int n = d->speeds;
  memset(out, 0, (size_t)n * sizeof *out);
  if (!(d->mass > 0)) return;
  if (d->kind == RUT_SPACE_LINKED) {
    const int wheel = RUT_SPACE_RIGID + 2 * side.wheel;
    for (int i = 0; i < n; i++) {
      const double* row = m->matrix + (size_t)i * (size_t)n;
      double sum = 0;
      for (int k = 0; k < RUT_SPACE_RIGID; k++) sum += row[k] * j[k];
      if (side.wheel >= 0) sum += row[wheel] * j[6] + row[wheel + 1] * j[7];
      out[i] = sum;
    }
    return;
  }
  const bool planar = d->kind == RUT_SPACE_PLANAR;
  const rutVec3 turn = rut_sym3_apply(m->inertia, rut_vec3_of(j + 3));
  out[0] = m->mass * j[0];
  out[1] = m->mass * j[1];
  out[2] = planar ? 0 : m->mass * j[2];
  rut_vec3_put(turn, out + 3);
}

// ---- rows ----

// Change of the speed along direction i by a unit impulse along direction k.
static double coupling(const rutSpaceSolver* s, const rutSpaceTouch* t, const rutSpacePoint* p,
                       int i, int k) {
  double sum = 0;
  for (int side = 0; side < 2; side++) {
    const rutSpaceSide of = t->side[side];
    if (of.body < 0) continue;
    const double* j = p->jacobian[side][i];
    const double* r = p->response[side] + k * s->model->body[of.body].def.speeds;
    for (int c = 0; c < RUT_SPACE_RIGID; c++) sum += j[c] * r[c];
    if (of.wheel < 0) continue;
    const double* w = r + RUT_SPACE_RIGID + 2 * of.wheel;
    sum += j[6] * w[0] + j[7] * w[1];
  }
  return sum;
}

// Velocity of the point along a direction per speed of the body.
static void find_jacobian(const rutSpaceSolver* s, rutSpaceSide side, rutVec3 at, rutVec3 d,
                          double* j) {
  const rutSpaceBodies* b = &s->state->bodies;
  const rutVec3 turn = rut_vec3_cross(rut_vec3_sub(at, b->at[side.body]), d);
  rut_vec3_put(d, j);
  rut_vec3_put(turn, j + 3);
  if (side.wheel < 0) return;
  const rutSpaceWheel* w = &b->wheel[b->first_wheel[side.body] + side.wheel];
  const rutVec3 arm = rut_vec3_sub(at, w->hub);
  j[6] = rut_vec3_dot(d, rut_vec3_add(w->move, rut_vec3_cross(w->turning, arm)));
  j[7] = rut_vec3_dot(d, rut_vec3_cross(w->axis, arm));
}

static void find_tangents(rutSpacePoint* p) {
  const rutVec3 kept = p->tangent[0], n = p->normal;
  const bool steep = rut_abs(n.z) < 0.9;
  p->tangent[0] = rut_vec3_unit(rut_vec3_cross(rut_vec3(!steep, 0, steep), n));
  p->tangent[1] = rut_vec3_cross(n, p->tangent[0]);
  // friction of the last step, which came in world axes
  p->impulse[1] = rut_vec3_dot(kept, p->tangent[0]);
  p->impulse[2] = rut_vec3_dot(kept, p->tangent[1]);
}

static void invert_across(const rutSpaceSolver* s, const rutSpaceTouch* t, rutSpacePoint* p) {
  static const double LEAST = 1e-12;  // of the squared size of the matrix
  const double a = coupling(s, t, p, 1, 1), b = coupling(s, t, p, 1, 2),
               c = coupling(s, t, p, 2, 2);
  const double det = a * c - b * b, size = a + c;
  if (det > LEAST * size * size) {
    p->across[0] = c / det;
    p->across[1] = -b / det;
    p->across[2] = a / det;
    p->least = 2 / (size + rut_hypot(a - c, 2 * b));
    return;
  }
  // one direction only can move: the pseudo-inverse
  const double k = size > 0 ? 1 / (size * size) : 0;
  p->across[0] = k * a;
  p->across[1] = k * b;
  p->across[2] = k * c;
  p->least = size > 0 ? 1 / size : 0;
}

// Radial part of a tyre's section along the normal of a point: it is there around the rim, not
// beside it.
static double section_at(const rutSpaceSolver* s, const rutSpaceTouch* t, const rutSpacePoint* p) {
  const rutSpaceSide side = t->side[t->side[0].wheel >= 0 ? 0 : 1];
  const rutSpaceBodies* b = &s->state->bodies;
  const double along =
      rut_vec3_dot(b->wheel[b->first_wheel[side.body] + side.wheel].axis, p->normal);
  return t->section * rut_sqrt(rut_max(1 - along * along, 0));
}

// The outer part of a tyre is a spring k and a damper d, at the end of the step h: with the gap C
// to the tread it has the impulse l = -(h k (C + h v) + h d v), hence v + h k C/a + l/a = 0 with a
// = h^2 k + h d. Of a tread that is pressed in, -C is the part that has been paid for.
static void prepare_tyre(const rutSpaceSolver* s, const rutSpaceTouch* t, double paid,
                         rutSpacePoint* p) {
  const double h = s->world->dt, gap = p->gap - section_at(s, t, p);
  const double rate = t->stiffness / t->n, damping = t->damping / t->n;
  const double a = h * (damping + h * rate);
  p->softness = a > 0 ? 1 / a : 0;
  p->lead = h * rate * (gap < 0 ? paid * gap : gap) * p->softness;
}

// Another face, or more points, may be nearer within a step than motion has brought them: what a
// tyre then holds by its depth nobody has paid for. Its spring gives back no more than it has
// taken: the depths are lessened until they hold that. Returns their part.
static double limit_held(const rutSpaceSolver* s, rutSpaceTouch* t) {
  double holds = 0;
  for (int k = t->first; k < t->first + t->n; k++) {
    const rutSpacePoint* p = &s->state->point[k];
    const double depth = rut_max(section_at(s, t, p) - p->gap, 0);
    holds += 0.5 * t->stiffness / t->n * depth * depth;
  }
  const double part = holds > t->held ? rut_sqrt(t->held / holds) : 1;
  t->held = rut_min(t->held, holds);
  return part;
}

static void prepare_point(const rutSpaceSolver* s, const rutSpaceTouch* t, double paid,
                          rutSpacePoint* p) {
  rutSpaceState* state = s->state;
  find_tangents(p);
  const rutVec3 direction[3] = {p->normal, p->tangent[0], p->tangent[1]};
  for (int side = 0; side < 2; side++) {
    const rutSpaceSide of = t->side[side];
    if (of.body < 0) continue;
    const int n = s->model->body[of.body].def.speeds;
    p->response[side] = state->response + state->responses;
    state->responses += (size_t)(3 * n);
    for (int d = 0; d < 3; d++) {
      find_jacobian(s, of, p->at, rut_vec3_scale(direction[d], side ? 1 : -1),
                    p->jacobian[side][d]);
      respond(s, of, p->jacobian[side][d], p->response[side] + d * n);
    }
  }
  const double k = coupling(s, t, p, 0, 0);
  p->mass = k > 0 ? 1 / k : 0;
  invert_across(s, t, p);
  p->approach = rut_space_speed(s, t, p, 0, state->bodies.speed);
  // things that are still apart may close their gap in this step, but not more
  p->bound = p->gap > 0 ? -p->gap / s->world->dt : 0;
  if (t->stiffness > 0) prepare_tyre(s, t, paid, p);
}

static void prepare(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  state->responses = 0;
  for (int i = 0; i < state->touches; i++) {
    rutSpaceTouch* t = &state->touch[i];
    const double paid = t->stiffness > 0 ? limit_held(s, t) : 1;
    for (int k = t->first; k < t->first + t->n; k++) prepare_point(s, t, paid, &state->point[k]);
  }
  // last step's impulses, only after all speeds of approach have been taken
  for (int i = 0; i < state->touches; i++) {
    const rutSpaceTouch* t = &state->touch[i];
    for (int k = t->first; k < t->first + t->n; k++) {
      rutSpacePoint* p = &state->point[k];
      for (int d = 0; d < 3; d++) rut_space_push(s, t, p, d, p->impulse[d], state->bodies.speed);
    }
  }
}

// ---- speeds ----

// Returns how much it changes a speed.
static double solve_normal(const rutSpaceSolver* s, const rutSpaceTouch* t, rutSpacePoint* p) {
  double* speed = s->state->bodies.speed;
  const double v = rut_space_speed(s, t, p, 0, speed);
  double total = rut_max(p->impulse[0] - p->mass * (v - p->bound), 0);
  if (p->softness > 0) {
    const double soft = p->mass / (1 + p->mass * p->softness);
    total = rut_max(total, p->impulse[0] - soft * (v + p->lead + p->softness * p->impulse[0]));
  }
  const double change = total - p->impulse[0];
  p->impulse[0] = total;
  if (change != 0) rut_space_push(s, t, p, 0, change, speed);
  return p->mass > 0 ? rut_abs(change) / p->mass : 0;
}

// What ends sliding, if friction can. Otherwise the largest friction against the velocity: a step
// along that is the same in all directions ends where both are parallel.
static double solve_friction(const rutSpaceSolver* s, const rutSpaceTouch* t, rutSpacePoint* p) {
  double* speed = s->state->bodies.speed;
  const double v1 = rut_space_speed(s, t, p, 1, speed), v2 = rut_space_speed(s, t, p, 2, speed);
  double a = p->impulse[1] - (p->across[0] * v1 + p->across[1] * v2);
  double b = p->impulse[2] - (p->across[1] * v1 + p->across[2] * v2);
  const double most = t->friction * p->impulse[0], size = rut_hypot(a, b);
  if (size > most) {
    a = p->impulse[1] - p->least * v1;
    b = p->impulse[2] - p->least * v2;
    const double long_way = rut_hypot(a, b), scale = long_way > most ? most / long_way : 1;
    a *= scale;
    b *= scale;
  }
  const double da = a - p->impulse[1], db = b - p->impulse[2];
  p->impulse[1] = a;
  p->impulse[2] = b;
  if (da != 0) rut_space_push(s, t, p, 1, da, speed);
  if (db != 0) rut_space_push(s, t, p, 2, db, speed);
  return p->mass > 0 ? (rut_abs(da) + rut_abs(db)) / p->mass : 0;
}

static void iterate(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  for (int pass = 0; pass < RUT_SPACE_ITERATIONS; pass++) {
    double change = 0;
    for (int i = 0; i < state->touches; i++) {
      const rutSpaceTouch* t = &state->touch[i];
      // friction first: that nothing overlaps matters more and has the last word
      for (int k = t->first; k < t->first + t->n; k++) {
        change = rut_max(change, solve_friction(s, t, &state->point[k]));
      }
      for (int k = t->first; k < t->first + t->n; k++) {
        change = rut_max(change, solve_normal(s, t, &state->point[k]));
      }
    }
    if (!(change > RUT_SPACE_SETTLED)) return;
  }
}

// Points that approached fast and have met leave with a part of that speed.
static bool bounce(const rutSpaceSolver* s) {
  bool any = false;
  for (int i = 0; i < s->state->touches; i++) {
    const rutSpaceTouch* t = &s->state->touch[i];
    for (int k = t->first; k < t->first + t->n && t->restitution > 0; k++) {
      rutSpacePoint* p = &s->state->point[k];
      if (p->approach > -RUT_SPACE_BOUNCE || !(p->impulse[0] > 0)) continue;
      p->bound = -t->restitution * p->approach;
      p->bounces = true;
      any = true;
    }
  }
  return any;
}

// ---- places ----

// Speed of the correction along the normal that a point asks for. One that bounces reached the
// other within the step: it is put back to where it would be had it turned there.
static void find_targets(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  const double rate = 1 / s->world->dt;
  for (int i = 0; i < state->touches; i++) {
    const rutSpaceTouch* t = &state->touch[i];
    for (int k = t->first; k < t->first + t->n; k++) {
      rutSpacePoint* p = &state->point[k];
      const double v = rut_space_speed(s, t, p, 0, state->bodies.speed);
      p->correction = 0;
      if (p->bounces && p->gap > 0) {
        p->target = -(1 + t->restitution) * p->gap * rate;
        continue;
      }
      const double deep = -p->gap - RUT_SPACE_SLOP;
      const double wanted = rut_min(RUT_SPACE_CORRECTION * deep * rate, RUT_SPACE_PUSH);
      p->target = deep > 0 ? wanted - rut_max(v, 0) : -rut_max(p->gap * rate + v, 0);
    }
  }
}

static void correct(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  double* shift = state->bodies.shift;
  bool any = false;
  find_targets(s);
  for (int i = 0; i < state->touches && !any; i++) {
    const rutSpaceTouch* t = &state->touch[i];
    for (int k = t->first; k < t->first + t->n; k++) {
      any = any || state->point[k].target > 0 || state->point[k].bounces;
    }
  }
  for (int pass = 0; pass < RUT_SPACE_CORRECTIONS && any; pass++) {
    for (int i = 0; i < state->touches; i++) {
      const rutSpaceTouch* t = &state->touch[i];
      for (int k = t->first; k < t->first + t->n; k++) {
        rutSpacePoint* p = &state->point[k];
        const double v = rut_space_speed(s, t, p, 0, shift);
        double total = p->correction - p->mass * (v - p->target);
        if (!p->bounces) total = rut_max(total, 0);
        const double change = total - p->correction;
        p->correction = total;
        if (change != 0) rut_space_push(s, t, p, 0, change, shift);
      }
    }
  }
  for (int i = 0; i < s->model->speeds; i++) shift[i] *= s->world->dt;
}

// ---------------------------------------------------------------------------------------------

void rut_space_impulses(const rutSpaceModel* model, rutSpaceState* state,
                        const rutSpaceWorld* world) {
  const rutSpaceSolver s = {model, state, world};
  const size_t speeds = (size_t)model->speeds;
  memset(state->bodies.shift, 0, speeds * sizeof(double));
  memset(state->bodies.work, 0, (size_t)model->bodies * sizeof(double));
  if (state->touches > 0) {
    memcpy(state->bodies.before, state->bodies.speed, speeds * sizeof(double));
    find_masses(&s);
    prepare(&s);
    iterate(&s);
    if (bounce(&s)) iterate(&s);
    rut_space_limit_energy(&s);
    rut_space_find_held(&s);
    rut_space_find_work(&s);
    correct(&s);
    rut_space_mark_met(&s);
  }
  rut_space_keep(&s);
}

void rut_space_solve(const rutSpaceModel* model, rutSpaceState* state, const rutSpaceWorld* world) {
  rut_space_find(model, state, world);
  rut_space_impulses(model, state, world);
}
