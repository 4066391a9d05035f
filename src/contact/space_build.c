// SPDX-License-Identifier: BSD-3-Clause
//
// Building of the model and state of contact in space in arenas, and what is saved of a state.
#include <string.h>

#include "base/hash.h"
#include "contact/space_data.h"

// Distance of the farthest point of a shape from its body's centre of mass.
static double reach_of(const rutSpaceShapeDef* d) {
  double reach = 0;
  if (d->form != RUT_FORM_PRISM) {
    const double arm = rut_vec3_norm(rut_vec3_of(d->at));
    // a wheel moves with its suspension
    const double travel = d->wheel >= 0 ? d->radius : 0;
    const double own =
        d->form == RUT_FORM_SPHERE ? d->radius : rut_hypot(d->radius, 0.5 * d->length);
    return arm + own + travel;
  }
  const double high = rut_max(rut_abs(d->z_min), rut_abs(d->z_max));
  for (int i = 0; i < d->n; i++) {
    reach = rut_max(reach, rut_hypot(rut_hypot(d->xy[2 * i], d->xy[2 * i + 1]), high));
  }
  return reach;
}

static int count_corners(const rutSpaceDef* def) {
  int corners = 0;
  for (int i = 0; i < def->shapes; i++) {
    if (def->shape[i].form == RUT_FORM_PRISM) corners += def->shape[i].n;
  }
  return corners;
}

static void add_shapes(rutSpaceModel* model, const rutSpaceDef* def, double* xy) {
  for (int i = 0; i < def->shapes; i++) {
    const rutSpaceShapeDef* from = &def->shape[i];
    rutSpaceBodyModel* body = &model->body[from->body];
    rutSpaceShape* to = &model->shape[i];
    to->def = *from;
    if (from->form == RUT_FORM_PRISM) {
      memcpy(xy, from->xy, (size_t)(2 * from->n) * sizeof *xy);
      to->def.xy = xy;
      xy += (size_t)(2 * from->n);
    }
    to->reach = reach_of(from);
    body->radius = rut_max(body->radius, to->reach);
    body->shapes++;
  }
}

// One of the two always moves in space.
static int count_touches(const rutSpaceDef* def) {
  int touches = RUT_SPACE_SPARE;
  for (int i = 0; i < def->bodies; i++) {
    if (def->body[i].kind != RUT_SPACE_PLANAR) touches += RUT_SPACE_MEAN;
  }
  return touches;
}

rutSpaceModel* rut_space_build(const rutSpaceDef* def, rutArena* arena) {
  rutSpaceModel* model = RUT_TAKE(arena, rutSpaceModel, 1);
  rutSpaceBodyModel* body = RUT_TAKE(arena, rutSpaceBodyModel, def->bodies + 1);
  rutSpaceShape* shape = RUT_TAKE(arena, rutSpaceShape, def->shapes);
  double* xy = RUT_TAKE(arena, double, 2 * (size_t)count_corners(def));
  int* first = RUT_TAKE(arena, int, def->bodies + 1);
  int* first_wheel = RUT_TAKE(arena, int, def->bodies + 1);
  if (!model || !first_wheel) return NULL;
  *model = (rutSpaceModel){.bodies = def->bodies,
                           .shapes = def->shapes,
                           .touches = count_touches(def),
                           .points = RUT_PATCH_POINTS * count_touches(def),
                           .planar = def->planar,
                           .body = body,
                           .shape = shape,
                           .first = first,
                           .first_wheel = first_wheel};
  for (int i = 0; i < def->bodies; i++) body[i].def = def->body[i];
  add_shapes(model, def, xy);
  for (int i = 0, at = 0; i <= def->bodies; i++) {
    body[i].first_shape = at;
    at += body[i].shapes;
    first[i] = model->speeds;
    first_wheel[i] = model->wheels;
    if (i == def->bodies) break;
    model->speeds += body[i].def.speeds;
    model->wheels += (body[i].def.speeds - RUT_SPACE_RIGID) / 2;
  }
  int most = RUT_SPACE_RIGID;
  for (int i = 0; i < def->bodies; i++)
    most = def->body[i].speeds > most ? def->body[i].speeds : most;
  model->responses = (size_t)3 * (size_t)model->points * (size_t)(2 * most);
  return model;
}

static size_t matrices_of(const rutSpaceModel* model) {
  size_t numbers = 0;
  for (int i = 0; i < model->bodies; i++) {
    const size_t n = (size_t)model->body[i].def.speeds;
    if (model->body[i].def.kind == RUT_SPACE_LINKED) numbers += n * n;
  }
  return numbers;
}

rutSpaceState* rut_space_state_build(const rutSpaceModel* model, rutArena* arena) {
  const size_t bodies = (size_t)model->bodies, touches = (size_t)model->touches;
  const int speeds = model->speeds;
  rutSpaceState s = {.bodies = {.n = model->bodies}};
  rutSpaceState* state = RUT_TAKE(arena, rutSpaceState, 1);
  s.bodies.first = model->first;
  s.bodies.first_wheel = model->first_wheel;
  s.bodies.at = RUT_TAKE(arena, rutVec3, bodies);
  s.bodies.turn = RUT_TAKE(arena, rutMat3, bodies);
  s.bodies.speed = RUT_TAKE(arena, double, speeds);
  s.bodies.wheel = RUT_TAKE(arena, rutSpaceWheel, model->wheels);
  s.bodies.shift = RUT_TAKE(arena, double, speeds);
  s.bodies.work = RUT_TAKE(arena, double, bodies);
  s.touch = RUT_TAKE(arena, rutSpaceTouch, model->touches);
  s.point = RUT_TAKE(arena, rutSpacePoint, model->points);
  s.cache = RUT_TAKE(arena, rutSpaceCache, touches);
  s.cache_start = RUT_TAKE(arena, int, bodies + 1);
  s.contact = RUT_TAKE(arena, rutContact, touches);
  s.touching = RUT_TAKE(arena, unsigned char, bodies);
  s.changed = RUT_TAKE(arena, unsigned char, bodies);
  s.active = RUT_TAKE(arena, unsigned char, bodies);
  s.wheeled = RUT_TAKE(arena, unsigned char, bodies);
  s.reach = RUT_TAKE(arena, double, bodies);
  s.low = RUT_TAKE(arena, double, bodies);
  s.bodies.before = RUT_TAKE(arena, double, speeds);
  s.motion = RUT_TAKE(arena, double, bodies);
  s.balance = RUT_TAKE(arena, double, 2 * bodies);
  s.island = RUT_TAKE(arena, int, bodies);
  s.mass = RUT_TAKE(arena, rutSpaceMass, bodies);
  s.matrix = RUT_TAKE(arena, double, matrices_of(model));
  s.response = RUT_TAKE(arena, double, model->responses);
  s.placed = RUT_TAKE(arena, rutPolyhedron, model->shapes);
  s.is_placed = RUT_TAKE(arena, unsigned char, model->shapes);
  s.order = RUT_TAKE(arena, int, bodies);
  s.pair = RUT_TAKE(arena, int, 2 * RUT_SPACE_PAIRS * bodies);
  s.pair_start = RUT_TAKE(arena, int, bodies + 1);
  if (!state || arena->used > arena->size) return NULL;
  *state = s;
  return state;
}

rutSpaceBodies* rut_space_bodies(rutSpaceState* state) { return &state->bodies; }

int rut_space_speeds(const rutSpaceModel* model) { return model->speeds; }

void rut_space_reset(const rutSpaceModel* model, rutSpaceState* state) {
  const size_t bodies = (size_t)model->bodies;
  state->touches = state->points = state->cached = state->contacts = 0;
  memset(state->cache_start, 0, (bodies + 1) * sizeof *state->cache_start);
  memset(state->touching, 0, bodies);
  memset(state->changed, 0, bodies);
  memset(state->bodies.shift, 0, (size_t)model->speeds * sizeof(double));
  memset(state->bodies.work, 0, bodies * sizeof(double));
  for (int i = 0; i < model->bodies; i++) state->order[i] = i;
}

// ---- saving ----

static size_t touches_of(const rutSpaceModel* model) { return (size_t)model->touches; }

size_t rut_space_state_size(const rutSpaceModel* model) {
  return 2 * sizeof(int64_t) + touches_of(model) * (sizeof(rutSpaceCache) + sizeof(rutContact)) +
         (size_t)model->bodies;
}

void rut_space_state_get(const rutSpaceModel* model, const rutSpaceState* state, void* out) {
  unsigned char* p = out;
  const int64_t count[2] = {state->cached, state->contacts};
  memset(p, 0, rut_space_state_size(model));
  memcpy(p, count, sizeof count);
  p += sizeof count;
  if (state->cached) memcpy(p, state->cache, (size_t)state->cached * sizeof *state->cache);
  p += touches_of(model) * sizeof *state->cache;
  if (state->contacts) memcpy(p, state->contact, (size_t)state->contacts * sizeof *state->contact);
  p += touches_of(model) * sizeof *state->contact;
  memcpy(p, state->touching, (size_t)model->bodies);
}

// First cached touch of each owner. A cache that is not in order is dropped: it came from
// elsewhere.
static void find_owners(const rutSpaceModel* model, rutSpaceState* state) {
  int owner = 0;
  for (int i = 0; i < state->cached; i++) {
    const rutSpaceCache* c = &state->cache[i];
    const bool fits = c->owner >= 0 && c->owner < model->bodies && c->owner >= owner - 1 &&
                      c->n >= 0 && c->n <= RUT_PATCH_POINTS;
    if (!fits) {
      state->cached = 0;
      owner = 0;
      break;
    }
    while (owner <= c->owner) state->cache_start[owner++] = i;
  }
  while (owner <= model->bodies) state->cache_start[owner++] = state->cached;
}

void rut_space_state_set(const rutSpaceModel* model, rutSpaceState* state, const void* in) {
  const unsigned char* p = in;
  const int64_t most = (int64_t)touches_of(model);
  int64_t count[2];
  rut_space_reset(model, state);
  memcpy(count, p, sizeof count);
  p += sizeof count;
  const bool fits = count[0] >= 0 && count[1] >= 0 && count[0] <= most && count[1] <= most;
  state->cached = fits ? (int)count[0] : 0;
  state->contacts = fits ? (int)count[1] : 0;
  if (state->cached) memcpy(state->cache, p, (size_t)state->cached * sizeof *state->cache);
  p += touches_of(model) * sizeof *state->cache;
  if (state->contacts) memcpy(state->contact, p, (size_t)state->contacts * sizeof *state->contact);
  p += touches_of(model) * sizeof *state->contact;
  memcpy(state->touching, p, (size_t)model->bodies);
  find_owners(model, state);
}

uint64_t rut_space_state_hash(const rutSpaceState* state, uint64_t hash) {
  hash = rut_hash(hash, state->cache, (size_t)state->cached * sizeof *state->cache);
  return rut_hash(hash, state->contact, (size_t)state->contacts * sizeof *state->contact);
}
