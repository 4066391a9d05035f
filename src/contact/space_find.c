// SPDX-License-Identifier: BSD-3-Clause
//
// Which shapes touch, or could within the step. Of two bodies that with the lower index owns their
// touches.
#include <string.h>

#include "contact/space_data.h"
#include "math/rut_math.h"

typedef struct Search {
  const rutSpaceModel* model;
  rutSpaceState* state;
  const rutSpaceWorld* world;
} Search;

// ---- shapes ----

// A shape in its place, or a fixed prism.
typedef struct Solid {
  const rutSpaceShape* shape;  // NULL: fixed
  const rutPolyhedron* body;
} Solid;

static void place_shape(const Search* s, int index) {
  if (s->state->is_placed[index]) return;
  s->state->is_placed[index] = 1;
  const rutSpaceShape* shape = &s->model->shape[index];
  rutPolyhedron* out = &s->state->placed[index];
  const rutSpaceShapeDef* d = &shape->def;
  if (d->form == RUT_FORM_PRISM) {
    rutPolyhedron local;
    rut_polyhedron_prism(d->n, d->xy, d->z_min, d->z_max, &local);
    rut_polyhedron_place(&local, &s->state->bodies.turn[d->body], s->state->bodies.at[d->body],
                         out);
  } else if (d->form == RUT_FORM_CYLINDER) {
    rut_space_cylinder(shape, &s->state->bodies, rut_vec3(0, 0, -1), out);
  } else {
    rutVec3 axis;
    *out = (rutPolyhedron){.radius = d->radius};
    rut_space_round(shape, &s->state->bodies, &out->centre, &axis);
  }
}

static bool is_sphere(Solid x) { return x.shape && x.shape->def.form == RUT_FORM_SPHERE; }
static bool is_cylinder(Solid x) { return x.shape && x.shape->def.form == RUT_FORM_CYLINDER; }

static int collide(Solid a, Solid b, double reach, rutPatch* out) {
  const double ra = is_sphere(a) ? a.shape->def.radius : 0;
  const double rb = is_sphere(b) ? b.shape->def.radius : 0;
  if (ra > 0 && rb > 0) {
    return rut_collide_spheres(a.body->centre, ra, b.body->centre, rb, reach, out);
  }
  if (ra > 0) return rut_collide_sphere(a.body->centre, ra, b.body, reach, out);
  if (rb > 0) {
    const int n = rut_collide_sphere(b.body->centre, rb, a.body, reach, out);
    out->normal = rut_vec3_scale(out->normal, -1);
    return n;
  }
  return rut_collide_polyhedra(a.body, b.body, reach, out);
}

// Two cylinders side by side. Polygons that stand for them share no face where their corners are
// nearest, and products of parallel edges are no axes; but the round ones touch on the line between
// their axes, at both ends of the length that they have in common. 0 if they do not lie so, or
// overlap less along the axes.
static int meet_rims(const Search* s, Solid a, Solid b, double reach, rutPatch* out) {
  static const double PARALLEL = 0.998;  // cosine of the largest angle between them
  static const double LEAST = 1e-6;      // distance of axes that have a direction [m]
  const rutSpaceShapeDef *p = &a.shape->def, *q = &b.shape->def;
  rutVec3 from, to, axis, other;
  rut_space_round(a.shape, &s->state->bodies, &from, &axis);
  rut_space_round(b.shape, &s->state->bodies, &to, &other);
  const double turn = rut_vec3_dot(axis, other);
  if (rut_abs(turn) < PARALLEL) return 0;
  const rutVec3 d = rut_vec3_sub(to, from);
  const double along = rut_vec3_dot(d, axis);
  const double low = rut_max(-0.5 * p->length, along - 0.5 * q->length);
  const double high = rut_min(0.5 * p->length, along + 0.5 * q->length);
  const rutVec3 beside = rut_vec3_add_scaled(d, -along, axis);
  if (!(high > low) || rut_vec3_norm(beside) < LEAST) return 0;
  const double rim = p->radius - p->section, both = rim + q->radius - q->section;
  const double end[2] = {low, high};
  *out = (rutPatch){.n = 2, .normal = rut_vec3_unit(beside)};
  for (int i = 0; i < 2; i++) {
    // the other axis has come this far from the line beside this one
    const rutVec3 there = rut_vec3_add_scaled(to, (end[i] - along) / turn, other);
    const rutVec3 here = rut_vec3_add_scaled(from, end[i], axis);
    const double gap = rut_vec3_dot(rut_vec3_sub(there, here), out->normal) - both;
    out->gap[i] = gap;
    out->point[i] = rut_vec3_add_scaled(here, rim + 0.5 * gap, out->normal);
    out->id[i] = (uint32_t)i;
  }
  const double least = rut_min(out->gap[0], out->gap[1]);
  return least < reach && -least < high - low ? 2 : 0;
}

// Cylinders are round: once the normal is known a corner of each is turned towards the other, so
// that it is touched where a round one is.
static int meet(const Search* s, Solid a, Solid b, double reach, rutPatch* out) {
  if (is_cylinder(a) && is_cylinder(b)) {
    const int rims = meet_rims(s, a, b, reach, out);
    if (rims > 0) return rims;
  }
  const int n = collide(a, b, reach, out);
  if (n == 0 || (!is_cylinder(a) && !is_cylinder(b))) return n;
  rutPolyhedron turned[2];
  rutPatch again;
  if (is_cylinder(a)) {
    rut_space_cylinder(a.shape, &s->state->bodies, out->normal, &turned[0]);
    a.body = &turned[0];
  }
  if (is_cylinder(b)) {
    rut_space_cylinder(b.shape, &s->state->bodies, rut_vec3_scale(out->normal, -1), &turned[1]);
    b.body = &turned[1];
  }
  const int better = collide(a, b, reach, &again);
  if (better == 0) return n;
  *out = again;
  return better;
}

// ---- touches ----

// The same object as before: ground, cells, or what has the same kind and index.
static bool same_object(const rutSpaceModel* model, int other, int before) {
  if (other < 0 || before < 0) return other == before;
  return model->shape[other].def.body == model->shape[before].def.body;
}

// Impulses of the same points in the last step, and the time since which the two have touched.
static void remember(const rutSpaceModel* model, const rutSpaceState* state, double time,
                     rutSpaceTouch* t) {
  const int owner = t->side[0].body;
  t->since = t->touching ? time : -1;
  // what stands pressed at the start has been paid for
  t->held = t->stiffness > 0 && !(time > 0) ? RUT_INFINITY : 0;
  for (int i = state->cache_start[owner]; i < state->cache_start[owner + 1]; i++) {
    const rutSpaceCache* c = &state->cache[i];
    if (t->touching && c->touching && same_object(model, t->other, c->other)) {
      t->since = rut_min(t->since, c->since);
    }
    if (c->shape != t->shape || c->other != t->other) continue;
    t->held = c->held;
    for (int k = t->first; k < t->first + t->n; k++) {
      rutSpacePoint* p = &state->point[k];
      for (int j = 0; j < c->n; j++) {
        if (c->id[j] != p->id) continue;
        // friction of the last step, for now in world axes
        p->impulse[0] = c->normal_impulse[j];
        p->tangent[0] = rut_vec3_of(c->tangent_impulse[j]);
        break;
      }
    }
  }
}

// What b is, and the laws between the two.
static rutSpaceTouch describe(const Search* s, int ia, int ib) {
  const rutSpaceShapeDef *p = &s->model->shape[ia].def, *q = &s->model->shape[ib].def;
  const bool both = p->wheel >= 0 && q->wheel >= 0;
  const rutSpaceShapeDef* tyre = p->wheel >= 0 ? p : q;
  rutSpaceTouch t = {.side = {{p->body, p->wheel}, {q->body, q->wheel}},
                     .shape = ia,
                     .other = ib,
                     .kind = q->kind,
                     .index = q->index,
                     .friction = rut_sqrt(p->friction * q->friction),
                     .restitution = rut_max(p->restitution, q->restitution)};
  if (tyre->wheel >= 0) {
    t.restitution = 0;
    t.section = both ? p->section + q->section : tyre->section;
    t.stiffness =
        both ? p->stiffness * q->stiffness / (p->stiffness + q->stiffness) : tyre->stiffness;
    t.damping = both ? 0.5 * tyre->damping : tyre->damping;
  }
  return t;
}

// A polygon stands for the rim of a tyre. Its corner touches where the round rim does, but points
// at the corners beside it would be too far, and their part of the tyre's spring would be missing.
// So the gap at each place of the other's surface is that to the circle. Not where the flank is
// touched.
static void round_gaps(const Search* s, const rutSpaceTouch* touch, rutPatch* patch) {
  static const double LEAST = 0.7;  // part of the normal that is across the axis
  const bool first = touch->side[0].wheel >= 0, second = touch->side[1].wheel >= 0;
  if (first == second) return;
  const rutSpaceShape* shape = &s->model->shape[first ? touch->shape : touch->other];
  rutVec3 centre, axis;
  rut_space_round(shape, &s->state->bodies, &centre, &axis);
  const rutVec3 to_other = rut_vec3_scale(patch->normal, first ? 1 : -1);
  const double along = rut_vec3_dot(axis, to_other);
  const double across = rut_sqrt(rut_max(1 - along * along, 0));
  if (across < LEAST) return;
  const double rim = across * (shape->def.radius - shape->def.section);
  for (int i = 0; i < patch->n; i++) {
    const rutVec3 surface = rut_vec3_add_scaled(patch->point[i], 0.5 * patch->gap[i], to_other);
    const rutVec3 from = rut_vec3_sub(surface, centre);
    const rutVec3 beside = rut_vec3_add_scaled(from, -rut_vec3_dot(from, axis), axis);
    patch->gap[i] = rut_vec3_dot(beside, to_other) - rim;
  }
}

static void add_patch(const Search* s, const rutSpaceTouch* touch, const rutPatch* patch) {
  rutSpacePoint point[RUT_PATCH_POINTS];
  for (int i = 0; i < patch->n; i++) {
    point[i] = (rutSpacePoint){
        .normal = patch->normal, .at = patch->point[i], .gap = patch->gap[i], .id = patch->id[i]};
  }
  rut_space_add(s->model, s->state, touch, patch->n, point);
}

static void try_shapes(const Search* s, int ia, int ib, double reach) {
  rutPatch patch;
  const rutSpaceTouch touch = describe(s, ia, ib);
  place_shape(s, ia);
  place_shape(s, ib);
  const Solid a = {&s->model->shape[ia], &s->state->placed[ia]};
  const Solid b = {&s->model->shape[ib], &s->state->placed[ib]};
  if (!meet(s, a, b, reach + touch.section, &patch)) return;
  round_gaps(s, &touch, &patch);
  add_patch(s, &touch, &patch);
}

static void place_wheels(const Search* s, int body) {
  const rutSpaceKind kind = s->model->body[body].def.kind;
  if (kind == RUT_SPACE_LINKED && !s->state->wheeled[body]) {
    s->world->wheels(s->world->user, body);
  }
  s->state->wheeled[body] = 1;
}

static void try_bodies(const Search* s, int a, int b) {
  const rutSpaceBodyModel *p = &s->model->body[a], *q = &s->model->body[b];
  const double reach = RUT_SPACE_MARGIN + s->state->motion[a] + s->state->motion[b];
  const rutVec3 d = rut_vec3_sub(s->state->bodies.at[a], s->state->bodies.at[b]);
  // an upright body's middle says nothing of its height
  const bool upright = p->def.kind == RUT_SPACE_PLANAR || q->def.kind == RUT_SPACE_PLANAR;
  const double far = p->radius + q->radius + reach, z = upright ? 0 : d.z;
  if (d.x * d.x + d.y * d.y + z * z > far * far) return;
  place_wheels(s, a);
  place_wheels(s, b);
  for (int i = p->first_shape; i < p->first_shape + p->shapes; i++) {
    for (int j = q->first_shape; j < q->first_shape + q->shapes; j++) try_shapes(s, i, j, reach);
  }
}

// ---- what does not move ----

// A shape of a body against a fixed prism of these properties.
static void try_fixed(const Search* s, int ia, const rutPolyhedron* fixed, rutSpaceTouch other,
                      double reach) {
  const rutSpaceShapeDef* p = &s->model->shape[ia].def;
  rutPatch patch;
  place_shape(s, ia);
  rutSpaceTouch touch = other;
  touch.side[0] = (rutSpaceSide){p->body, p->wheel};
  touch.side[1] = (rutSpaceSide){-1, -1};
  touch.shape = ia;
  touch.friction = rut_sqrt(p->friction * other.friction);
  touch.restitution = rut_max(p->restitution, other.restitution);
  if (p->wheel >= 0) {
    touch.restitution = 0;
    touch.section = p->section;
    touch.stiffness = p->stiffness;
    touch.damping = p->damping;
  }
  const Solid a = {&s->model->shape[ia], &s->state->placed[ia]}, b = {NULL, fixed};
  if (!meet(s, a, b, reach + touch.section, &patch)) return;
  round_gaps(s, &touch, &patch);
  add_patch(s, &touch, &patch);
}

// Box around a body, wider by reach: x_min, y_min, x_max, y_max.
static void box_of(const Search* s, int body, double reach, double box[4]) {
  const rutVec3 at = s->state->bodies.at[body];
  const double far = s->model->body[body].radius + reach;
  box[0] = at.x - far;
  box[1] = at.y - far;
  box[2] = at.x + far;
  box[3] = at.y + far;
}

static void try_prism(const Search* s, int body, int index, double reach) {
  const rutContactModel* planar = s->model->planar;
  const rutPrism* q = &planar->prism[index];
  const rutSpaceBodyModel* p = &s->model->body[body];
  const double z = s->state->bodies.at[body].z, far = p->radius + reach;
  rutPolyhedron fixed;
  if (q->z_min > z + far || q->z_max < z - far) return;
  const double* xy = planar->xy + (size_t)(2 * q->first);
  if (!rut_polyhedron_prism(q->n, xy, q->z_min, q->z_max, &fixed)) return;
  const rutSpaceTouch other = {.other = RUT_OTHER_FIXED - index,
                               .kind = q->kind,
                               .index = q->index,
                               .friction = q->friction,
                               .restitution = q->restitution};
  place_wheels(s, body);
  for (int i = p->first_shape; i < p->first_shape + p->shapes; i++) {
    try_fixed(s, i, &fixed, other, reach);
  }
}

static void search_fixed(const Search* s, int body, double reach) {
  const rutContactModel* model = s->model->planar;
  const rutCellGrid* grid = &model->fixed_grid;
  double box[4];
  int range[4];
  box_of(s, body, reach, box);
  if (box[2] < grid->x || box[3] < grid->y) return;
  rut_cell_range(grid, box, range);
  for (int iy = range[1]; iy <= range[3]; iy++) {
    for (int ix = range[0]; ix <= range[2]; ix++) {
      const int cell = iy * grid->nx + ix;
      for (int k = model->fixed_start[cell]; k < model->fixed_start[cell + 1]; k++) {
        const rutPrism* q = &model->prism[model->fixed_entry[k]];
        // a prism stands in many cells: take it only in the first one that both ranges share
        const int qx = rut_cell_index(q->box[0], grid->x, grid->inverse, grid->nx);
        const int qy = rut_cell_index(q->box[1], grid->y, grid->inverse, grid->ny);
        if ((qx > range[0] ? qx : range[0]) != ix || (qy > range[1] ? qy : range[1]) != iy)
          continue;
        const bool near = box[0] <= q->box[2] && box[2] >= q->box[0] && box[1] <= q->box[3] &&
                          box[3] >= q->box[1];
        if (near) try_prism(s, body, model->fixed_entry[k], reach);
      }
    }
  }
}

// Occupied cells in a row are one upright box, beyond the body upwards and downwards.
static void try_run(const Search* s, int body, int index, const int run[3], double reach) {
  const rutContactModel* model = s->model->planar;
  const rutOccupancy* g = model->grid[index];
  const rutSpaceBodyModel* p = &s->model->body[body];
  const double x0 = g->origin[0] + g->resolution * run[0];
  const double x1 = g->origin[0] + g->resolution * run[1];
  const double y0 = g->origin[1] + g->resolution * run[2], y1 = y0 + g->resolution;
  const double xy[8] = {x0, y0, x1, y0, x1, y1, x0, y1};
  // columns have no ends: nothing comes over them
  const double z = s->state->bodies.at[body].z, far = 10 * (p->radius + reach);
  rutPolyhedron fixed;
  rut_polyhedron_prism(4, xy, z - far, z + far, &fixed);
  const rutSpaceTouch other = {.other = RUT_OTHER_FIXED - model->prisms - index,
                               .kind = -1,
                               .index = -1,
                               .friction = model->grid_friction[index],
                               .restitution = model->grid_restitution[index]};
  place_wheels(s, body);
  for (int i = p->first_shape; i < p->first_shape + p->shapes; i++) {
    try_fixed(s, i, &fixed, other, reach);
  }
}

static int cell_at(double x, double origin, double resolution, int n) {
  return rut_cell_index(x, origin, 1 / resolution, n);
}

static void search_cells(const Search* s, int body, int index, double reach) {
  const rutOccupancy* g = s->model->planar->grid[index];
  double box[4];
  box_of(s, body, reach, box);
  const int x0 = cell_at(box[0], g->origin[0], g->resolution, g->nx);
  const int x1 = cell_at(box[2], g->origin[0], g->resolution, g->nx);
  const int y0 = cell_at(box[1], g->origin[1], g->resolution, g->ny);
  const int y1 = cell_at(box[3], g->origin[1], g->resolution, g->ny);
  for (int iy = y0; iy <= y1; iy++) {
    const uint8_t* row = g->cell + (size_t)iy * (size_t)g->nx;
    for (int ix = x0; ix <= x1; ix++) {
      if (row[ix] != RUT_CELL_OCCUPIED) continue;
      const int from = ix;
      while (ix + 1 <= x1 && row[ix + 1] == RUT_CELL_OCCUPIED) ix++;
      try_run(s, body, index, (const int[]){from, ix + 1, iy}, reach);
    }
  }
}

static void search_still(const Search* s, int body) {
  const rutSpaceBodyModel* p = &s->model->body[body];
  const rutContactModel* planar = s->model->planar;
  const double reach = RUT_SPACE_MARGIN + s->state->motion[body];
  for (int i = p->first_shape; p->def.on_ground && i < p->first_shape + p->shapes; i++) {
    place_shape(s, i);
    rut_space_touch_ground(s->model, s->state, s->world, i);
  }
  // those that move in the plane meet it there
  if (!planar || p->def.kind == RUT_SPACE_PLANAR) return;
  if (planar->prisms > planar->moving_prisms) search_fixed(s, body, reach);
  for (int g = 0; g < planar->grids; g++) {
    if (planar->grid_solid[g]) search_cells(s, body, g, reach);
  }
}

// Of more touches than a body may own the deepest stay, in their order.
static void limit_touches(const Search* s, int first) {
  rutSpaceState* state = s->state;
  while (state->touches - first > RUT_SPACE_TOUCHES) {
    int shallowest = first;
    double most = -RUT_INFINITY;
    for (int i = first; i < state->touches; i++) {
      const rutSpaceTouch* t = &state->touch[i];
      double gap = RUT_INFINITY;
      for (int k = t->first; k < t->first + t->n; k++) gap = rut_min(gap, state->point[k].gap);
      if (gap > most) shallowest = i;
      most = rut_max(most, gap);
    }
    memmove(&state->touch[shallowest], &state->touch[shallowest + 1],
            (size_t)(state->touches - shallowest - 1) * sizeof *state->touch);
    state->touches--;
  }
}

// Farthest that any point of each body can move in the step.
static void find_motion(const Search* s) {
  const rutSpaceBodies* b = &s->state->bodies;
  for (int i = 0; i < s->model->bodies; i++) {
    if (!s->state->active[i]) continue;
    const double* v = b->speed + b->first[i];
    const double speed = rut_vec3_norm(rut_vec3_of(v)) +
                         rut_vec3_norm(rut_vec3_of(v + 3)) * s->model->body[i].radius;
    s->state->motion[i] = rut_min(speed * s->world->dt, RUT_SPECULATIVE_LIMIT);
  }
}

void rut_space_find(const rutSpaceModel* model, rutSpaceState* state, const rutSpaceWorld* world) {
  const Search s = {model, state, world};
  state->touches = state->points = 0;
  state->responses = 0;
  memset(state->is_placed, 0, (size_t)model->shapes);
  memset(state->touching, 0, (size_t)model->bodies);
  memset(state->changed, 0, (size_t)model->bodies);
  memset(state->wheeled, 0, (size_t)model->bodies);
  find_motion(&s);
  for (int a = 0; a < model->bodies; a++) {
    if (model->body[a].shapes == 0 || !state->active[a]) continue;
    const int first = state->touches;
    search_still(&s, a);
    for (int k = state->pair_start[a]; k < state->pair_start[a + 1]; k++) {
      try_bodies(&s, a, state->pair[k]);
    }
    limit_touches(&s, first);
    for (int i = first; i < state->touches; i++) {
      rutSpaceTouch* t = &state->touch[i];
      remember(model, state, world->time, t);
      if (!t->touching) continue;
      state->touching[a] = 1;
      if (t->side[1].body >= 0) state->touching[t->side[1].body] = 1;
    }
  }
}
