// SPDX-License-Identifier: BSD-3-Clause
//
// One step of contact: velocities, then positions; and the list of contacts.
#include <string.h>

#include "contact/contact_data.h"
#include "math/rut_math.h"

// Dry friction of blocks on the ground, isotropic: a force of at most mu m g against sliding and,
// apart from it, a torque of at most mu m g r against turning, r the mean distance of the ground
// patch from the centre of mass. A block that the limits can stop stops exactly.
static void ground_friction(const rutContactModel* model, int body, double total[3], double dt,
                            rutBodies* bodies) {
  const rutContactBody* b = &model->body[body];
  double torque_impulse = b->ground_torque * dt, force_impulse = b->ground_force * dt;
  double wanted = total[2] - b->inertia * bodies->rate[body];
  if (b->inverse_inertia == 0 || rut_abs(wanted) <= torque_impulse) {
    total[2] = b->inverse_inertia == 0 ? 0 : wanted;
    bodies->rate[body] = b->inverse_inertia == 0 ? bodies->rate[body] : 0;
  } else {
    wanted = rut_clamp(wanted, -torque_impulse, torque_impulse);
    bodies->rate[body] += b->inverse_inertia * (wanted - total[2]);
    total[2] = wanted;
  }
  double px = total[0] - b->mass * bodies->vx[body], py = total[1] - b->mass * bodies->vy[body];
  double size = rut_hypot(px, py);
  if (size <= force_impulse) {
    bodies->vx[body] = bodies->vy[body] = 0;
  } else {
    px *= force_impulse / size;
    py *= force_impulse / size;
    bodies->vx[body] += b->inverse_mass * (px - total[0]);
    bodies->vy[body] += b->inverse_mass * (py - total[1]);
  }
  total[0] = px;
  total[1] = py;
}

static void iterate(const rutContactModel* model, rutContactState* state, double dt,
                    rutBodies* bodies) {
  // without anything that couples bodies, friction on the ground is exact at once
  int iterations = state->touches || model->joints ? RUT_VELOCITY_ITERATIONS : 1;
  for (int k = 0; k < iterations; k++) {
    for (int j = 0; j < model->joints; j++) {
      rut_joint_velocity(model, j, &state->joint[j], dt, bodies);
    }
    for (int i = 0; i < model->ground_bodies; i++) {
      int body = model->ground_body[i];
      ground_friction(model, body, state->ground[body], dt, bodies);
    }
    for (int i = 0; i < state->touches; i++) {
      rut_touch_velocity(model, &state->touch[i], bodies);
    }
  }
}

// Keep what the next step starts from.
static void keep_cache(const rutContactModel* model, rutContactState* state) {
  int owner = 0;
  for (int i = 0; i < state->touches; i++) {
    const rutTouch* t = &state->touch[i];
    while (owner <= t->a) state->cache_start[owner++] = i;
    rutTouchCache c = {.prism = t->prism,
                       .other = t->other,
                       .n = t->n,
                       .touching = t->touching,
                       .since = t->since};
    memcpy(c.id, t->id, sizeof c.id);
    memcpy(c.normal_impulse, t->normal_impulse, sizeof c.normal_impulse);
    memcpy(c.tangent_impulse, t->tangent_impulse, sizeof c.tangent_impulse);
    state->cache[i] = c;
  }
  while (owner <= model->bodies) state->cache_start[owner++] = state->touches;
  state->cached = state->touches;
}

// ---------------------------------------------------------------------------------------------
// Contact list: one entry per pair of objects, however many prisms and points touch

static rutContact contact_of(const rutContactModel* model, const rutTouch* t) {
  const rutPrism* p = &model->prism[t->prism];
  rutContact c = {.kind_a = p->kind,
                  .index_a = p->index,
                  .kind_b = t->kind,
                  .index_b = t->index,
                  .normal = {t->normal[0], t->normal[1]},
                  .since = t->since};
  // middle of the points, by their impulses; where there are none, the nearer point
  int nearer = t->n > 1 && t->gap[1] < t->gap[0];
  double weight[2] = {t->normal_impulse[0], t->n > 1 ? t->normal_impulse[1] : 0};
  c.impulse = weight[0] + weight[1];
  if (!(c.impulse > 0)) weight[nearer] = 1;
  for (int d = 0; d < 2; d++) {
    c.position[d] =
        (weight[0] * t->point[0][d] + weight[1] * t->point[1][d]) / (weight[0] + weight[1]);
  }
  return c;
}

static bool same_pair(const rutContact* c, const rutContact* d) {
  return c->kind_a == d->kind_a && c->index_a == d->index_a && c->kind_b == d->kind_b &&
         c->index_b == d->index_b;
}

static void list_contacts(const rutContactModel* model, rutContactState* state) {
  state->contacts = 0;
  int first = 0, owner = -1;
  for (int i = 0; i < state->touches; i++) {
    const rutTouch* t = &state->touch[i];
    if (!t->touching) continue;
    if (t->a != owner) first = state->contacts;
    owner = t->a;
    rutContact c = contact_of(model, t);
    int k = first;
    while (k < state->contacts && !same_pair(&state->contact[k], &c)) k++;
    rutContact* pair = &state->contact[k];
    if (k == state->contacts) {
      *pair = c;
      state->contacts++;
      continue;
    }
    // the strongest of them says where and in which direction
    double impulse = pair->impulse + c.impulse, since = rut_min(pair->since, c.since);
    if (c.impulse > pair->impulse) *pair = c;
    pair->impulse = impulse;
    pair->since = since;
  }
}

// ---------------------------------------------------------------------------------------------

void rut_contact_solve(const rutContactModel* model, rutContactState* state, double dt, double time,
                       rutBodies* bodies) {
  if (model->empty) return;
  rut_touch_find(model, state, time, bodies);
  if (state->touches || model->joints || model->ground_bodies) {
    if (state->touches) rut_energy_begin(model, state, bodies);
    for (int j = 0; j < model->joints; j++) {
      rut_joint_prepare(model, j, &state->joint[j], dt, bodies);
    }
    rut_touch_prepare(model, state, dt, bodies);
    for (int i = 0; i < model->ground_bodies; i++) {
      double* total = state->ground[model->ground_body[i]];
      total[0] = total[1] = total[2] = 0;
    }
    iterate(model, state, dt, bodies);
    if (rut_touch_bounce(state)) iterate(model, state, dt, bodies);
    if (state->touches) rut_energy_limit(model, state, bodies);
  }
  keep_cache(model, state);
  list_contacts(model, state);
}

void rut_contact_correct(const rutContactModel* model, rutContactState* state, rutBodies* bodies) {
  for (int k = 0; k < RUT_POSITION_ITERATIONS; k++) {
    for (int i = 0; i < state->touches; i++) {
      rut_touch_position(model, &state->touch[i], bodies);
    }
    for (int j = 0; j < model->joints; j++) rut_joint_position(model, j, bodies);
  }
}

bool rut_contact_is_quiet(const rutContactModel* model, const rutContactState* state) {
  return state->touches == 0 && model->joints == 0;
}

const rutContact* rut_contact_list(const rutContactState* state, int* n) {
  *n = state->contacts;
  return state->contact;
}

int rut_contact_most(const rutContactModel* model) { return RUT_BODY_CONTACTS * model->bodies; }

bool rut_contact_touching(const rutContactState* state, int body) {
  return state->touching[body] != 0;
}
