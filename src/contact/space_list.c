// SPDX-License-Identifier: BSD-3-Clause
//
// What is kept of touches until the next step, and the list of contacts: one entry per pair of
// objects, however many shapes and points touch.
#include "contact/space_rows.h"
#include "math/rut_math.h"

void rut_space_mark_met(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  for (int i = 0; i < state->touches; i++) {
    rutSpaceTouch* t = &state->touch[i];
    double impulse = 0;
    for (int k = t->first; k < t->first + t->n; k++) impulse += state->point[k].impulse[0];
    if (t->touching || !(impulse > 0)) continue;
    t->touching = 1;
    t->since = s->world->time;
    for (int k = 0; k < 2; k++) {
      if (t->side[k].body >= 0) state->touching[t->side[k].body] = 1;
    }
  }
}

static void keep_cache(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  int owner = 0;
  for (int i = 0; i < state->touches; i++) {
    const rutSpaceTouch* t = &state->touch[i];
    while (owner <= t->side[0].body) state->cache_start[owner++] = i;
    rutSpaceCache c = {.owner = t->side[0].body,
                       .shape = t->shape,
                       .other = t->other,
                       .n = t->n,
                       .touching = t->touching,
                       .since = t->since,
                       .held = t->held};
    for (int k = 0; k < t->n; k++) {
      const rutSpacePoint* p = &state->point[t->first + k];
      c.id[k] = p->id;
      c.normal_impulse[k] = p->impulse[0];
      rut_vec3_put(rut_vec3_add_scaled(rut_vec3_scale(p->tangent[0], p->impulse[1]), p->impulse[2],
                                       p->tangent[1]),
                   c.tangent_impulse[k]);
    }
    state->cache[i] = c;
  }
  while (owner <= s->model->bodies) state->cache_start[owner++] = state->touches;
  state->cached = state->touches;
}

static rutContact contact_of(const rutSpaceSolver* s, const rutSpaceTouch* t) {
  const rutSpaceShapeDef* d = &s->model->shape[t->shape].def;
  rutContact c = {.kind_a = d->kind,
                  .index_a = d->index,
                  .kind_b = t->kind,
                  .index_b = t->index,
                  .since = t->since};
  rutVec3 at = rut_vec3(0, 0, 0), normal = at, middle = at;
  for (int k = t->first; k < t->first + t->n; k++) {
    const rutSpacePoint* p = &s->state->point[k];
    c.impulse += p->impulse[0];
    at = rut_vec3_add_scaled(at, p->impulse[0], p->at);
    middle = rut_vec3_add_scaled(middle, 1.0 / t->n, p->at);
    normal = rut_vec3_add_scaled(normal, 1.0 / t->n, p->normal);
  }
  if (c.impulse > 0) middle = rut_vec3_scale(at, 1 / c.impulse);
  c.position[0] = middle.x;
  c.position[1] = middle.y;
  c.normal[0] = normal.x;
  c.normal[1] = normal.y;
  return c;
}

static bool same_pair(const rutContact* c, const rutContact* d) {
  return c->kind_a == d->kind_a && c->index_a == d->index_a && c->kind_b == d->kind_b &&
         c->index_b == d->index_b;
}

static void list_contacts(const rutSpaceSolver* s) {
  rutSpaceState* state = s->state;
  int first = 0, owner = -1;
  state->contacts = 0;
  for (int i = 0; i < state->touches; i++) {
    const rutSpaceTouch* t = &state->touch[i];
    // lying on the ground is no contact of two things
    if (!t->touching || t->other == RUT_OTHER_GROUND) continue;
    if (t->side[0].body != owner) first = state->contacts;
    owner = t->side[0].body;
    const rutContact c = contact_of(s, t);
    int k = first;
    while (k < state->contacts && !same_pair(&state->contact[k], &c)) k++;
    rutContact* pair = &state->contact[k];
    if (k == state->contacts) {
      *pair = c;
      state->contacts++;
      continue;
    }
    // the strongest of them says where and in which direction
    const double impulse = pair->impulse + c.impulse, since = rut_min(pair->since, c.since);
    if (c.impulse > pair->impulse) *pair = c;
    pair->impulse = impulse;
    pair->since = since;
  }
}

void rut_space_keep(const rutSpaceSolver* s) {
  keep_cache(s);
  list_contacts(s);
}

const rutContact* rut_space_list(const rutSpaceState* state, int* n) {
  *n = state->contacts;
  return state->contact;
}

int rut_space_most(const rutSpaceModel* model) { return model->touches; }

bool rut_space_touching(const rutSpaceState* state, int body) { return state->touching[body] != 0; }

bool rut_space_is_quiet(const rutSpaceState* state) { return state->touches == 0; }

bool rut_space_changed(const rutSpaceState* state, int body) { return state->changed[body] != 0; }
