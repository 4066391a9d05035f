// SPDX-License-Identifier: BSD-3-Clause
//
// Finds which prisms touch, or could within the step. Of two moving bodies the one with the larger
// radius (then the lower index) owns their touches: it looks only as far as its own size asks, so
// that one large body does not make all others search far.
#include <string.h>

#include "contact/contact_data.h"
#include "math/rut_math.h"

typedef struct Hit {
  rutManifold m;
  double depth;  // least gap [m]
  int prism, other, b;
} Hit;

typedef struct Search {
  const rutContactModel* model;
  rutContactState* state;
  const rutBodies* bodies;
  double time;
  int a;                // body whose touches are sought
  int prism, other, b;  // pair at hand
  int hits;
  Hit hit[RUT_BODY_CONTACTS];
} Search;

// ---------------------------------------------------------------------------------------------
// One pair

static double least_gap(const rutManifold* m) {
  return m->n > 1 && m->gap[1] < m->gap[0] ? m->gap[1] : m->gap[0];
}

// Keep a manifold; when there are too many, the deepest.
static void offer(void* user, const rutManifold* m) {
  Search* s = user;
  double depth = least_gap(m);
  int slot = s->hits;
  if (slot == RUT_BODY_CONTACTS) {
    slot = 0;
    for (int i = 1; i < s->hits; i++) {
      if (s->hit[i].depth > s->hit[slot].depth) slot = i;
    }
    if (!(depth < s->hit[slot].depth)) return;
  } else {
    s->hits++;
  }
  s->hit[slot] = (Hit){*m, depth, s->prism, s->other, s->b};
}

static double along(const rutManifold* m, const double p[2]) {
  return m->normal[0] * p[1] - m->normal[1] * p[0];
}

// Faces of cells whose corners [m] and normals differ by no more are one plane.
#define SAME_PLANE 1e-9
// A point this much deeper than the line through the outermost two is kept [m].
#define DEEPER 1e-4

// True if the side of `from` that faces the reference face of `into` lies in its plane.
static bool coplanar(const rutManifold* into, const rutManifold* from) {
  const double same = SAME_PLANE;
  double nx = into->normal[0], ny = into->normal[1], side = into->flip ? 0.5 : -0.5;
  if (rut_abs(nx - from->normal[0]) > same || rut_abs(ny - from->normal[1]) > same) return false;
  for (int k = 0; k < from->n; k++) {
    double height = nx * (from->point[k][0] - into->plane[0]) +
                    ny * (from->point[k][1] - into->plane[1]) + side * from->gap[k];
    if (rut_abs(height) > same) return false;
  }
  return true;
}

// Put the points of `from` into `into`, if both lie on one face and the two outermost points then
// say all: none between them is deeper than the line through them.
static bool merge(rutManifold* into, const rutManifold* from) {
  if (!coplanar(into, from)) return false;
  const rutManifold* owner[4] = {into, into, from, from};
  const int point[4] = {0, into->n - 1, 0, from->n - 1};
  double place[4], gap[4];
  int low = 0, high = 0;
  for (int i = 0; i < 4; i++) {
    place[i] = along(into, owner[i]->point[point[i]]);
    gap[i] = owner[i]->gap[point[i]];
    if (place[i] < place[low]) low = i;
    if (place[i] > place[high]) high = i;
  }
  double width = place[high] - place[low];
  if (!(width > SAME_PLANE)) return false;
  for (int i = 0; i < 4; i++) {
    double t = (place[i] - place[low]) / width;
    if (gap[i] < gap[low] + t * (gap[high] - gap[low]) - DEEPER) return false;
  }
  rutManifold m = *into;
  m.n = 2;
  for (int k = 0; k < 2; k++) {
    int i = k ? high : low;
    memcpy(m.point[k], owner[i]->point[point[i]], sizeof m.point[k]);
    m.gap[k] = gap[i];
    m.id[k] = owner[i]->id[point[i]];
  }
  *into = m;
  return true;
}

// Manifold with cells: those on one straight face become one.
static void offer_cells(void* user, const rutManifold* m) {
  Search* s = user;
  for (int i = 0; i < s->hits; i++) {
    Hit* h = &s->hit[i];
    if (h->prism != s->prism || h->other != s->other || !merge(&h->m, m)) continue;
    h->depth = least_gap(&h->m);
    return;
  }
  offer(user, m);
}

// World corners of all prisms of a moving body, once per step.
static void place(Search* s, int body) {
  if (s->state->placed[body]) return;
  s->state->placed[body] = 1;
  const rutContactBody* b = &s->model->body[body];
  double x = s->bodies->x[body], y = s->bodies->y[body];
  double sn = s->state->sine[body], cs = s->state->cosine[body];
  for (int i = b->first; i < b->first + b->prisms; i++) {
    const rutPrism* p = &s->model->prism[i];
    for (int k = 2 * p->first; k < 2 * (p->first + p->n); k += 2) {
      const double *xy = s->model->xy + k, *normal = s->model->normal + k;
      s->state->corner_xy[k] = x + (cs * xy[0] - sn * xy[1]);
      s->state->corner_xy[k + 1] = y + (sn * xy[0] + cs * xy[1]);
      s->state->corner_normal[k] = cs * normal[0] - sn * normal[1];
      s->state->corner_normal[k + 1] = sn * normal[0] + cs * normal[1];
    }
  }
}

static rutConvex convex_of(const Search* s, const rutPrism* p) {
  const double* xy = p->body < 0 ? s->model->xy : s->state->corner_xy;
  const double* normal = p->body < 0 ? s->model->normal : s->state->corner_normal;
  return (rutConvex){p->n, xy + 2 * p->first, normal + 2 * p->first};
}

// Centre of a prism's circle in the world.
static void centre_of(const Search* s, const rutPrism* p, double out[2]) {
  int b = p->body;
  if (b < 0) {
    out[0] = p->x;
    out[1] = p->y;
    return;
  }
  double sn = s->state->sine[b], cs = s->state->cosine[b];
  out[0] = s->bodies->x[b] + (cs * p->x - sn * p->y);
  out[1] = s->bodies->y[b] + (sn * p->x + cs * p->y);
}

static bool same_height(const Search* s, const rutPrism* p, const rutPrism* q) {
  double zp = p->body < 0 ? 0 : s->bodies->z[p->body], zq = q->body < 0 ? 0 : s->bodies->z[q->body];
  return p->z_min + zp < q->z_max + zq && q->z_min + zq < p->z_max + zp;
}

static void try_prisms(Search* s, int ip, int iq, double reach) {
  const rutPrism *p = &s->model->prism[ip], *q = &s->model->prism[iq];
  double cp[2], cq[2];
  centre_of(s, p, cp);
  centre_of(s, q, cq);
  double dx = cq[0] - cp[0], dy = cq[1] - cp[1], far = p->radius + q->radius + reach;
  if (!(dx * dx + dy * dy < far * far) || !same_height(s, p, q)) return;
  rutConvex a = convex_of(s, p), b = convex_of(s, q);
  rutManifold m;
  s->prism = ip;
  s->other = iq;
  s->b = q->body;
  if (rut_convex_collide(&a, &b, reach, 0, 0, &m)) offer(s, &m);
}

static bool joined(const rutContactModel* model, int a, int b) {
  for (int i = model->body[a].first_joined; i < model->body[a + 1].first_joined; i++) {
    if (model->joined_to[i] == b) return true;
  }
  return false;
}

// How far apart prisms of two bodies count.
static double reach_of(const Search* s, int b) {
  return s->model->margin + s->state->motion[s->a] + s->state->motion[b];
}

// Whether the circles around two bodies meet.
static bool is_close(const Search* s, int b) {
  const rutContactBody *pa = &s->model->body[s->a], *pb = &s->model->body[b];
  const double dx = s->bodies->x[b] - s->bodies->x[s->a], dy = s->bodies->y[b] - s->bodies->y[s->a];
  const double far = pa->radius + pb->radius + reach_of(s, b);
  return dx * dx + dy * dy < far * far;
}

static void try_body(Search* s, int b) {
  const rutContactModel* model = s->model;
  const rutContactBody *pa = &model->body[s->a], *pb = &model->body[b];
  const double reach = reach_of(s, b);
  if (joined(model, s->a, b)) return;
  place(s, s->a);
  place(s, b);
  for (int i = pa->first; i < pa->first + pa->prisms; i++) {
    for (int j = pb->first; j < pb->first + pb->prisms; j++) try_prisms(s, i, j, reach);
  }
}

// ---------------------------------------------------------------------------------------------
// Everything near one body

static void box_around(const Search* s, double reach, double box[4]) {
  box[0] = s->bodies->x[s->a] - reach;
  box[1] = s->bodies->y[s->a] - reach;
  box[2] = s->bodies->x[s->a] + reach;
  box[3] = s->bodies->y[s->a] + reach;
}

// Calls for bodies whose circles meet that of the body, each pair once, of the larger of both;
// until it is answered true.
RUT_INLINE bool search_bodies(Search* s, bool (*found)(Search* s, int b)) {
  const rutContactModel* model = s->model;
  const rutContactState* state = s->state;
  const rutCellGrid* grid = &state->cells;
  double radius = model->body[s->a].radius, box[4];
  int range[4];
  box_around(s, 2 * radius + model->margin + state->motion[s->a] + state->most_motion, box);
  rut_cell_range(grid, box, range);
  for (int iy = range[1]; iy <= range[3]; iy++) {
    int first = state->cell_start[iy * grid->nx + range[0]];
    int end = state->cell_start[iy * grid->nx + range[2] + 1];
    for (int k = first; k < end; k++) {
      double x = state->entry_x[k], y = state->entry_y[k];
      if (!(x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])) continue;
      int b = state->entry[k];
      double other = model->body[b].radius;
      if (model->body[b].prisms == 0 || model->body[b].in_space) continue;
      if (!(other < radius || (other == radius && b > s->a)) || !is_close(s, b)) continue;
      if (found(s, b)) return true;
    }
  }
  return false;
}

static bool try_next(Search* s, int b) {
  try_body(s, b);
  return false;
}

static bool any_will_do(Search* s, int b) {
  (void)s;
  (void)b;
  return true;
}

static void search_fixed(Search* s) {
  const rutContactModel* model = s->model;
  const rutCellGrid* grid = &model->fixed_grid;
  const rutContactBody* body = &model->body[s->a];
  double reach = model->margin + s->state->motion[s->a], box[4];
  int range[4];
  box_around(s, body->radius + reach, box);
  if (box[2] < grid->x || box[3] < grid->y) return;
  rut_cell_range(grid, box, range);
  for (int iy = range[1]; iy <= range[3]; iy++) {
    for (int ix = range[0]; ix <= range[2]; ix++) {
      int cell = iy * grid->nx + ix;
      for (int k = model->fixed_start[cell]; k < model->fixed_start[cell + 1]; k++) {
        int other = model->fixed_entry[k];
        const rutPrism* q = &model->prism[other];
        // a prism stands in many cells: take it only in the first one that both ranges share
        int qx = rut_cell_index(q->box[0], grid->x, grid->inverse, grid->nx);
        int qy = rut_cell_index(q->box[1], grid->y, grid->inverse, grid->ny);
        if ((qx > range[0] ? qx : range[0]) != ix || (qy > range[1] ? qy : range[1]) != iy)
          continue;
        if (!(box[0] <= q->box[2] && box[2] >= q->box[0] && box[1] <= q->box[3] &&
              box[3] >= q->box[1])) {
          continue;
        }
        place(s, s->a);
        for (int i = body->first; i < body->first + body->prisms; i++) {
          try_prisms(s, i, other, reach);
        }
      }
    }
  }
}

static void search_cells(Search* s) {
  const rutContactModel* model = s->model;
  const rutContactBody* body = &model->body[s->a];
  double reach = model->margin + s->state->motion[s->a];
  place(s, s->a);
  for (int i = body->first; i < body->first + body->prisms; i++) {
    rutConvex c = convex_of(s, &model->prism[i]);
    double box[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int k = 0; k < c.n; k++) {
      box[0] = rut_min(c.xy[2 * k], box[0]);
      box[1] = rut_min(c.xy[2 * k + 1], box[1]);
      box[2] = rut_max(c.xy[2 * k], box[2]);
      box[3] = rut_max(c.xy[2 * k + 1], box[3]);
    }
    double wide[4] = {box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach};
    s->prism = i;
    s->b = -1;
    for (int g = 0; g < model->grids; g++) {
      s->other = -1 - g;
      if (model->grid_solid[g]) rut_touch_cells(model->grid[g], &c, wide, reach, offer_cells, s);
    }
  }
}

// ---------------------------------------------------------------------------------------------
// From hits to touches

// What b is, its friction and restitution.
static void describe_other(const rutContactModel* model, const Hit* h, rutTouch* t) {
  const rutPrism* p = &model->prism[h->prism];
  double friction, restitution;
  int told = p->told;
  if (h->other >= 0) {
    const rutPrism* q = &model->prism[h->other];
    t->kind = q->kind;
    t->index = q->index;
    friction = q->friction;
    restitution = q->restitution;
    told = told || q->told;
  } else {
    t->kind = -1;
    t->index = -1;
    friction = model->grid_friction[-1 - h->other];
    restitution = model->grid_restitution[-1 - h->other];
  }
  t->friction = rut_sqrt(p->friction * friction);
  // it would meet a wall that holds it anew in each step
  t->restitution = told ? 0 : rut_max(p->restitution, restitution);
}

// The same object: same grid, or prisms of the same vehicle, block or element.
static bool same_object(const rutContactModel* model, int other, int before) {
  if (other < 0 || before < 0) return other == before;
  const rutPrism *p = &model->prism[other], *q = &model->prism[before];
  return p->kind == q->kind && p->index == q->index && p->body == q->body;
}

// Impulses of the same points in the last step, and the time since which the two have touched.
static void remember(const Search* s, rutTouch* t) {
  const rutContactState* state = s->state;
  t->since = t->touching ? s->time : -1;
  for (int i = state->cache_start[t->a]; i < state->cache_start[t->a + 1]; i++) {
    const rutTouchCache* c = &state->cache[i];
    if (t->touching && c->touching && same_object(s->model, t->other, c->other)) {
      t->since = rut_min(t->since, c->since);
    }
    if (c->prism != t->prism || c->other != t->other) continue;
    for (int j = 0; j < t->n; j++) {
      for (int k = 0; k < c->n; k++) {
        if (c->id[k] != t->id[j]) continue;
        t->normal_impulse[j] = c->normal_impulse[k];
        t->tangent_impulse[j] = c->tangent_impulse[k];
      }
    }
  }
}

static void add_touch(Search* s, const Hit* h) {
  rutTouch* t = &s->state->touch[s->state->touches++];
  *t = (rutTouch){.a = s->a,
                  .b = h->b,
                  .prism = h->prism,
                  .other = h->other,
                  .n = h->m.n,
                  .flip = h->m.flip,
                  .touching = h->depth < s->model->margin};
  describe_other(s->model, h, t);
  memcpy(t->normal, h->m.normal, sizeof t->normal);
  memcpy(t->local_plane, h->m.plane, sizeof t->local_plane);
  for (int k = 0; k < t->n; k++) {
    memcpy(t->point[k], h->m.point[k], sizeof t->point[k]);
    t->gap[k] = h->m.gap[k];
    t->id[k] = h->m.id[k];
  }
  remember(s, t);
  if (t->touching) {
    s->state->touching[t->a] = 1;
    if (t->b >= 0) s->state->touching[t->b] = 1;
  }
}

// Farthest that any point of each body can move in the step. Returns the largest.
static double find_motion(const rutContactModel* model, rutContactState* state, double dt,
                          const rutBodies* bodies) {
  double most = 0;
  for (int i = 0; i < model->bodies; i++) {
    double speed =
        rut_hypot(bodies->vx[i], bodies->vy[i]) + rut_abs(bodies->rate[i]) * model->body[i].radius;
    double motion = rut_min(speed * dt, RUT_SPECULATIVE_LIMIT);
    state->motion[i] = motion;
    most = motion > most ? motion : most;
  }
  return most;
}

enum { TILE = 64 };  // bodies of a look

void rut_contact_begin(const rutContactModel* model, rutContactState* state, double dt,
                       const rutBodies* bodies) {
  if (!model->empty) state->most_motion = find_motion(model, state, dt, bodies);
}

int rut_contact_tiles(const rutContactModel* model) {
  return model->empty || model->bodies < 2 ? 0 : (model->bodies + TILE - 1) / TILE;
}

void rut_contact_look(const rutContactModel* model, rutContactState* state, const rutBodies* bodies,
                      int tile) {
  Search s = {.model = model, .state = state, .bodies = bodies};
  const int end = (tile + 1) * TILE < model->bodies ? (tile + 1) * TILE : model->bodies;
  for (s.a = tile * TILE; s.a < end; s.a++) {
    const bool counts = model->body[s.a].prisms > 0 && !model->body[s.a].in_space;
    state->crowded[s.a] = counts && search_bodies(&s, any_will_do);
  }
}

void rut_touch_find(const rutContactModel* model, rutContactState* state, double time,
                    const rutBodies* bodies) {
  Search s = {.model = model, .state = state, .bodies = bodies, .time = time};
  size_t n = (size_t)model->bodies;
  state->touches = 0;
  if (n == 0) return;
  memset(state->placed, 0, n);
  memset(state->touching, 0, n);
  const bool fixed = model->prisms > model->moving_prisms;
  const bool ground = fixed || model->has_solid_grid;
  for (s.a = 0; s.a < model->bodies; s.a++) {
    const bool crowded = model->bodies > 1 && state->crowded[s.a];
    if (!ground && !crowded) continue;
    if (model->body[s.a].prisms == 0 || model->body[s.a].in_space) continue;
    s.hits = 0;
    if (crowded) search_bodies(&s, try_next);
    if (fixed) search_fixed(&s);
    if (model->has_solid_grid) search_cells(&s);
    for (int i = 0; i < s.hits; i++) add_touch(&s, &s.hit[i]);
  }
}
