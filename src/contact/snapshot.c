// SPDX-License-Identifier: BSD-3-Clause
//
// Saving, restoring and hashing what a contact state carries from step to step. Layout: number of
// cached touches and of contacts, then fixed-size arrays whose unused part is zero.
#include <string.h>

#include "base/hash.h"
#include "contact/contact_data.h"

static size_t touches_of(const rutContactModel* model) {
  return (size_t)RUT_BODY_CONTACTS * (size_t)model->bodies;
}

size_t rut_contact_state_size(const rutContactModel* model) {
  return 2 * sizeof(int32_t) + touches_of(model) * (sizeof(rutTouchCache) + sizeof(rutContact)) +
         (size_t)model->joints * 4 * sizeof(double) + (size_t)model->bodies;
}

void rut_contact_state_get(const rutContactModel* model, const rutContactState* state, void* out) {
  unsigned char* p = out;
  size_t touches = touches_of(model);
  memset(p, 0, rut_contact_state_size(model));
  int32_t count[2] = {state->cached, state->contacts};
  memcpy(p, count, sizeof count);
  p += sizeof count;
  if (state->cached) memcpy(p, state->cache, (size_t)state->cached * sizeof *state->cache);
  p += touches * sizeof *state->cache;
  if (state->contacts) memcpy(p, state->contact, (size_t)state->contacts * sizeof *state->contact);
  p += touches * sizeof *state->contact;
  for (int j = 0; j < model->joints; j++) {
    memcpy(p, state->joint[j].impulse, sizeof state->joint[j].impulse);
    p += sizeof state->joint[j].impulse;
  }
  if (model->bodies) memcpy(p, state->touching, (size_t)model->bodies);
}

// Owner of a cached touch, or -1 if it cannot be one of this model's.
static int owner_of(const rutContactModel* model, const rutTouchCache* c) {
  if (c->prism < 0 || c->prism >= model->moving_prisms) return -1;
  if (c->other < -model->grids || c->other >= model->prisms) return -1;
  return c->n == 1 || c->n == 2 ? model->prism[c->prism].body : -1;
}

// First cached touch of each owner. A cache that is not in order is dropped: it came from
// elsewhere.
static void find_owners(const rutContactModel* model, rutContactState* state) {
  int owner = 0;
  for (int i = 0; i < state->cached; i++) {
    int a = owner_of(model, &state->cache[i]);
    if (a < 0 || a < owner - 1) {
      state->cached = 0;
      owner = 0;
      break;
    }
    while (owner <= a) state->cache_start[owner++] = i;
  }
  while (owner <= model->bodies) state->cache_start[owner++] = state->cached;
}

void rut_contact_state_set(const rutContactModel* model, rutContactState* state, const void* in) {
  const unsigned char* p = in;
  int32_t count[2];
  size_t touches = touches_of(model);
  memcpy(count, p, sizeof count);
  p += sizeof count;
  bool fits =
      count[0] >= 0 && count[1] >= 0 && (size_t)count[0] <= touches && (size_t)count[1] <= touches;
  state->touches = 0;
  state->cached = fits ? count[0] : 0;
  state->contacts = fits ? count[1] : 0;
  if (state->cached) memcpy(state->cache, p, (size_t)state->cached * sizeof *state->cache);
  p += touches * sizeof *state->cache;
  if (state->contacts) memcpy(state->contact, p, (size_t)state->contacts * sizeof *state->contact);
  p += touches * sizeof *state->contact;
  for (int j = 0; j < model->joints; j++) {
    memcpy(state->joint[j].impulse, p, sizeof state->joint[j].impulse);
    p += sizeof state->joint[j].impulse;
  }
  if (model->bodies) memcpy(state->touching, p, (size_t)model->bodies);
  find_owners(model, state);
}

void rut_contact_reset(const rutContactModel* model, rutContactState* state) {
  state->touches = state->cached = state->contacts = 0;
  memset(state->cache_start, 0, ((size_t)model->bodies + 1) * sizeof *state->cache_start);
  if (model->bodies) memset(state->touching, 0, (size_t)model->bodies);
  for (int j = 0; j < model->joints; j++) {
    memset(state->joint[j].impulse, 0, sizeof state->joint[j].impulse);
  }
}

uint64_t rut_contact_state_hash(const rutContactModel* model, const rutContactState* state,
                                uint64_t hash) {
  hash = rut_hash(hash, state->cache, (size_t)state->cached * sizeof *state->cache);
  hash = rut_hash(hash, state->contact, (size_t)state->contacts * sizeof *state->contact);
  for (int j = 0; j < model->joints; j++) {
    hash = rut_hash(hash, state->joint[j].impulse, sizeof state->joint[j].impulse);
  }
  return hash;
}
