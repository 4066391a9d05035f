// SPDX-License-Identifier: BSD-3-Clause
//
// Which bodies are near anything, seen from above: most vehicles are not for most of the time, and
// then nothing is asked of them. Near pairs are found by a sweep along x.
#include <string.h>

#include "contact/space_data.h"
#include "math/rut_math.h"

typedef struct Near {
  const rutSpaceModel* model;
  rutSpaceState* state;
  const rutBodies* bodies;
} Near;

// Farthest that a body reaches from its place within the step.
static void find_reach(const Near* s, double dt) {
  const rutBodies* b = s->bodies;
  for (int i = 0; i < s->model->bodies; i++) {
    const rutSpaceBodyModel* body = &s->model->body[i];
    const double moved = rut_min(dt * rut_hypot(b->vx[i], b->vy[i]), RUT_SPECULATIVE_LIMIT);
    s->state->reach[i] = body->radius + body->def.slack + moved + RUT_SPACE_MARGIN;
    s->state->low[i] = b->x[i] - s->state->reach[i];
  }
}

// By their lower ends, then by index: the same order whatever it was before.
static void sort_bodies(const Near* s) {
  int* order = s->state->order;
  const double* low = s->state->low;
  for (int i = 1; i < s->model->bodies; i++) {
    const int body = order[i];
    int k = i;
    for (; k > 0; k--) {
      const double before = low[order[k - 1]];
      if (before < low[body] || (before == low[body] && order[k - 1] < body)) break;
      order[k] = order[k - 1];
    }
    order[k] = body;
  }
}

static bool joined(const rutContactModel* model, int a, int b) {
  if (!model) return false;
  for (int i = model->body[a].first_joined; i < model->body[a + 1].first_joined; i++) {
    if (model->joined_to[i] == b) return true;
  }
  return false;
}

static bool are_near(const Near* s, int a, int b) {
  const rutSpaceBodyModel *p = &s->model->body[a], *q = &s->model->body[b];
  const double far = s->state->reach[a] + s->state->reach[b];
  const double dx = s->bodies->x[a] - s->bodies->x[b], dy = s->bodies->y[a] - s->bodies->y[b];
  if (dx * dx + dy * dy > far * far || p->shapes == 0 || q->shapes == 0) return false;
  // those that both move in the plane only are of rut_contact_solve
  if (p->def.kind == RUT_SPACE_PLANAR && q->def.kind == RUT_SPACE_PLANAR) return false;
  return !joined(s->model->planar, a, b);
}

// Near pairs, those of one owner after the other, in order.
static void find_pairs(const Near* s) {
  rutSpaceState* state = s->state;
  const int n = s->model->bodies, most = RUT_SPACE_PAIRS * n, room = most / 2;
  int* found = state->pair + (size_t)most;  // the second half, before they are sorted
  int pairs = 0;
  memset(state->pair_start, 0, ((size_t)n + 1) * sizeof *state->pair_start);
  for (int i = 0; i < n; i++) {
    const int a = state->order[i];
    const double end = s->bodies->x[a] + state->reach[a];
    for (int k = i + 1; k < n && state->low[state->order[k]] <= end && pairs < room; k++) {
      const int b = state->order[k];
      if (!are_near(s, a, b)) continue;
      found[2 * pairs] = a < b ? a : b;
      found[2 * pairs + 1] = a < b ? b : a;
      state->pair_start[found[2 * pairs] + 1]++;
      state->active[a] = state->active[b] = 1;
      pairs++;
    }
  }
  for (int i = 0; i < n; i++) state->pair_start[i + 1] += state->pair_start[i];
  // each owner's others, in order: insertion among those that are there
  int* count = state->island;
  memset(count, 0, (size_t)n * sizeof *count);
  for (int i = 0; i < pairs; i++) {
    const int owner = found[2 * i], other = found[2 * i + 1];
    int k = state->pair_start[owner] + count[owner]++;
    for (; k > state->pair_start[owner] && state->pair[k - 1] > other; k--) {
      state->pair[k] = state->pair[k - 1];
    }
    state->pair[k] = other;
  }
}

// Whether a fixed prism or an occupancy grid may be in the box around a body.
static bool is_near_fixed(const Near* s, int body) {
  const rutContactModel* planar = s->model->planar;
  const double x = s->bodies->x[body], y = s->bodies->y[body], far = s->state->reach[body];
  const double box[4] = {x - far, y - far, x + far, y + far};
  if (!planar) return false;
  if (planar->has_solid_grid) return true;
  if (planar->prisms == planar->moving_prisms) return false;
  const rutCellGrid* grid = &planar->fixed_grid;
  int range[4];
  if (box[2] < grid->x || box[3] < grid->y) return false;
  rut_cell_range(grid, box, range);
  for (int iy = range[1]; iy <= range[3]; iy++) {
    const int* start = planar->fixed_start + (size_t)(iy * grid->nx);
    if (start[range[2] + 1] > start[range[0]]) return true;
  }
  return false;
}

bool rut_space_near(const rutSpaceModel* model, rutSpaceState* state, const rutBodies* bodies,
                    double dt) {
  const Near s = {model, state, bodies};
  bool any = false;
  memset(state->active, 0, (size_t)model->bodies);
  find_reach(&s, dt);
  sort_bodies(&s);
  find_pairs(&s);
  for (int i = 0; i < model->bodies; i++) {
    const rutSpaceBodyDef* d = &model->body[i].def;
    const bool free = d->kind != RUT_SPACE_PLANAR;
    if (free && !state->active[i]) state->active[i] = d->on_ground || is_near_fixed(&s, i);
    any = any || state->active[i];
  }
  if (any) return true;
  state->touches = state->points = state->cached = state->contacts = 0;
  memset(state->cache_start, 0, ((size_t)model->bodies + 1) * sizeof *state->cache_start);
  memset(state->touching, 0, (size_t)model->bodies);
  memset(state->changed, 0, (size_t)model->bodies);
  return false;
}

bool rut_space_is_active(const rutSpaceState* state, int body) { return state->active[body] != 0; }
