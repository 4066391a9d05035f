// SPDX-License-Identifier: BSD-3-Clause
//
// Contact takes energy or keeps it. A few iterations over many coupled contacts, with friction and
// with Newton's law of restitution, can nevertheless add some (Stewart, SIAM Review 42, 2000).
// Bodies that push each other form islands. Over an island the change of velocity d by all impulses
// changes the kinetic energy by s B + s^2 A if only a part s of it is applied, with B = sum m v d
// and A = sum m d^2 / 2; where A + B > 0, s = -B / A adds nothing. Momentum is conserved for any s.
#include "contact/contact_data.h"
#include "math/rut_math.h"

static int root_of(int* island, int body) {
  while (island[body] != body) {
    island[body] = island[island[body]];
    body = island[body];
  }
  return body;
}

static void join(const rutContactModel* model, int* island, int a, int b) {
  // what does not move joins nothing
  if (rut_inverse_mass(model, a) == 0 || rut_inverse_mass(model, b) == 0) return;
  int ra = root_of(island, a), rb = root_of(island, b);
  if (ra < rb) island[rb] = ra;
  if (rb < ra) island[ra] = rb;
}

void rut_energy_begin(const rutContactModel* model, rutContactState* state,
                      const rutBodies* bodies) {
  for (int i = 0; i < model->bodies; i++) {
    state->island[i] = i;
    state->before[i][0] = bodies->vx[i];
    state->before[i][1] = bodies->vy[i];
    state->before[i][2] = bodies->rate[i];
  }
  for (int i = 0; i < state->touches; i++) {
    join(model, state->island, state->touch[i].a, state->touch[i].b);
  }
  for (int j = 0; j < model->joints; j++) {
    join(model, state->island, model->joint[j].body_a, model->joint[j].body_b);
  }
}

// A body that is moved from outside does work on others.
static bool is_driven(const rutContactModel* model, int body) {
  return body >= 0 && model->body[body].inverse_mass == 0;
}

static void exempt(rutContactState* state, int body) {
  if (body >= 0) state->balance[root_of(state->island, body)][1] = -HUGE_VAL;
}

// Sums A and B of each island, at its root. Islands that may gain energy get B = -infinity.
static void balance(const rutContactModel* model, rutContactState* state, const rutBodies* bodies) {
  for (int i = 0; i < model->bodies; i++) state->balance[i][0] = state->balance[i][1] = 0;
  for (int i = 0; i < model->bodies; i++) {
    const rutContactBody* b = &model->body[i];
    if (b->inverse_mass == 0) continue;
    const double* v = state->before[i];
    double dx = bodies->vx[i] - v[0], dy = bodies->vy[i] - v[1], turn = bodies->rate[i] - v[2];
    double inertia = b->inverse_inertia > 0 ? b->inertia : 0;
    double* sum = state->balance[root_of(state->island, i)];
    sum[0] += 0.5 * (b->mass * (dx * dx + dy * dy) + inertia * turn * turn);
    sum[1] += b->mass * (v[0] * dx + v[1] * dy) + inertia * v[2] * turn;
  }
  for (int i = 0; i < state->touches; i++) {
    const rutTouch* t = &state->touch[i];
    if (!is_driven(model, t->a) && !is_driven(model, t->b)) continue;
    exempt(state, t->a);
    exempt(state, t->b);
  }
  for (int j = 0; j < model->joints; j++) {
    const rutPlanarJointDef* joint = &model->joint[j];
    bool driven = is_driven(model, joint->body_a) || is_driven(model, joint->body_b);
    if (!driven && !rut_joint_is_sprung(model, j)) continue;
    exempt(state, joint->body_a);
    exempt(state, joint->body_b);
  }
}

// Part of its impulses that an island keeps.
static double part_of(const double sum[2]) {
  double a = sum[0], b = sum[1];
  return a + b > 0 && b < 0 ? -b / a : 1;
}

void rut_energy_limit(const rutContactModel* model, rutContactState* state, rutBodies* bodies) {
  balance(model, state, bodies);
  for (int i = 0; i < model->bodies; i++) {
    double part = part_of(state->balance[root_of(state->island, i)]);
    if (part == 1) continue;
    const double* v = state->before[i];
    bodies->vx[i] = v[0] + part * (bodies->vx[i] - v[0]);
    bodies->vy[i] = v[1] + part * (bodies->vy[i] - v[1]);
    bodies->rate[i] = v[2] + part * (bodies->rate[i] - v[2]);
  }
  for (int i = 0; i < state->touches; i++) {
    rutTouch* t = &state->touch[i];
    double part = part_of(state->balance[root_of(state->island, t->a)]);
    for (int k = 0; k < t->n; k++) {
      t->normal_impulse[k] *= part;
      t->tangent_impulse[k] *= part;
    }
  }
}
