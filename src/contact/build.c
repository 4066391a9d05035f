// SPDX-License-Identifier: BSD-3-Clause
//
// Building of the contact model and state in arenas. Everything that needs memory is sized here.
#include <stdlib.h>
#include <string.h>

#include "contact/contact_data.h"
#include "math/rut_math.h"

// Circles are larger than their corners need by this part and this many metres, so that rounding
// cuts no corner off.
#define CIRCLE_MARGIN 1e-12

static double with_margin(double radius) { return radius * (1 + CIRCLE_MARGIN) + CIRCLE_MARGIN; }

static int count_corners(const rutContactDef* def) {
  int corners = 0;
  for (int i = 0; i < def->prisms; i++) corners += def->prism[i].n;
  return corners;
}

static int count_joined(const rutContactDef* def) {
  int joined = 0;
  for (int i = 0; i < def->joints; i++) {
    if (def->joint[i].body_a >= 0 && def->joint[i].body_b >= 0) joined += 2;
  }
  return joined;
}

// Box and circle around the corners; the circle about the middle of the box is exact for boxes.
static void bounding_circle(rutPrism* p, const double* xy) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL}, radius2 = 0;
  for (int i = 0; i < p->n; i++) {
    for (int k = 0; k < 2; k++) {
      low[k] = rut_min(xy[2 * i + k], low[k]);
      high[k] = rut_max(xy[2 * i + k], high[k]);
    }
  }
  for (int k = 0; k < 2; k++) {
    p->box[k] = low[k];
    p->box[k + 2] = high[k];
  }
  p->x = p->n ? 0.5 * (low[0] + high[0]) : 0;
  p->y = p->n ? 0.5 * (low[1] + high[1]) : 0;
  for (int i = 0; i < p->n; i++) {
    double dx = xy[2 * i] - p->x, dy = xy[2 * i + 1] - p->y;
    radius2 = rut_max(radius2, dx * dx + dy * dy);
  }
  p->radius = with_margin(rut_sqrt(radius2));
}

static bool is_round(const rutPrismDef* def) {
  return def->look == RUT_LOOK_CYLINDER || def->look == RUT_LOOK_SPHERE ||
         def->look == RUT_LOOK_WHEEL;
}

static int count_rounds(const rutContactDef* def) {
  int rounds = 0;
  for (int i = 0; i < def->prisms; i++) rounds += is_round(&def->prism[i]);
  return rounds;
}

static void add_round(rutContactModel* model, const rutPrismDef* def, rutPrism* p) {
  const rutRound* r = &def->round;
  const bool wheel = def->look == RUT_LOOK_WHEEL, sphere = def->look == RUT_LOOK_SPHERE;
  p->round = model->rounds;
  model->round[model->rounds++] = (rutRoundLook){
      .kind = def->look,
      .x = r->centre[0],
      .y = r->centre[1],
      .z = 0.5 * (def->z_min + def->z_max),
      .radius = r->radius,
      .ux = r->axle[1],
      .uy = -r->axle[0],
      .half_width = 0.5 * r->width,
      .solid = sphere ? rut_solid_sphere(r->radius)
                      : rut_solid_cylinder(r->radius, wheel ? r->width : def->z_max - def->z_min)};
  if (wheel) return;
  // a circle stands out between the corners of a polygon in it
  const double middle[2] = {p->x, p->y};
  for (int k = 0; k < 2 && p->body < 0; k++) {
    model->bulge = rut_max(p->box[k] - (r->centre[k] - r->radius), model->bulge);
    model->bulge = rut_max(r->centre[k] + r->radius - p->box[k + 2], model->bulge);
  }
  p->radius =
      with_margin(rut_hypot(r->centre[0] - middle[0], r->centre[1] - middle[1]) + r->radius);
}

static void add_prism(rutContactModel* model, const rutPrismDef* def) {
  rutPrism* p = &model->prism[model->prisms++];
  *p = (rutPrism){.body = def->body < 0 ? -1 : def->body,
                  .first = model->corners,
                  .kind = def->kind,
                  .index = def->index,
                  .told = def->told,
                  .z_min = def->z_min,
                  .z_max = def->z_max,
                  .friction = def->friction,
                  .restitution = def->restitution,
                  .low = def->look == RUT_LOOK_NOTHING ? RUT_INFINITY : def->z_min,
                  .high = def->look == RUT_LOOK_NOTHING ? -RUT_INFINITY : def->z_max,
                  .round = -1};
  double *xy = model->xy + 2 * p->first, *normal = model->normal + 2 * p->first;
  int n = def->n < RUT_CONVEX_MAX ? def->n : RUT_CONVEX_MAX;
  p->n = rut_convex_prepare(n, def->xy, xy, normal);
  model->corners += p->n;
  bounding_circle(p, xy);
  if (is_round(def)) add_round(model, def, p);
  if (p->body < 0) return;
  model->moving_corners = model->corners;
  rutContactBody* body = &model->body[p->body];
  for (int i = 0; i < p->n; i++) {
    body->radius = rut_max(body->radius, with_margin(rut_hypot(xy[2 * i], xy[2 * i + 1])));
  }
}

// Moving prisms in the order of their bodies (stable), then the fixed ones.
static void add_prisms(rutContactModel* model, const rutContactDef* def) {
  // counting sort by body; first_joined serves as the counter before joints are entered
  for (int i = 0; i < def->prisms; i++) {
    if (def->prism[i].body >= 0) model->body[def->prism[i].body].prisms++;
  }
  int next = 0;
  for (int b = 0; b < model->bodies; b++) {
    model->body[b].first = next;
    model->body[b].first_joined = next;
    next += model->body[b].prisms;
  }
  model->moving_prisms = next;
  // order[k]: which definition becomes prism k; cell of fixed ones follows
  int* order = model->fixed_entry;
  int fixed = next;
  for (int i = 0; i < def->prisms; i++) {
    int b = def->prism[i].body;
    order[b < 0 ? fixed++ : model->body[b].first_joined++] = i;
  }
  for (int k = 0; k < def->prisms; k++) add_prism(model, &def->prism[order[k]]);
  memset(order, 0, (size_t)def->prisms * sizeof *order);
}

static void add_bodies(rutContactModel* model, const rutContactDef* def) {
  for (int i = 0; i < def->bodies; i++) {
    const rutBodyDef* d = &def->body[i];
    rutContactBody* b = &model->body[i];
    b->in_space = def->in_space && def->in_space[i];
    b->mass = d->mass;
    b->inertia = d->inertia;
    b->inverse_mass = d->mass > 0 ? 1 / d->mass : 0;
    b->inverse_inertia =
        d->mass > 0 && d->inertia > 0 && rut_is_finite(d->inertia) ? 1 / d->inertia : 0;
    b->ground_force = d->ground_friction * d->mass * rut_abs(def->gravity);
    b->ground_torque = b->ground_force * d->ground_radius;
    if (b->ground_force > 0) model->ground_body[model->ground_bodies++] = i;
  }
}

// For each body the bodies it has joints with, in joint order.
static void add_joints(rutContactModel* model, const rutContactDef* def) {
  if (def->joints) memcpy(model->joint, def->joint, (size_t)def->joints * sizeof *def->joint);
  // counting sort by body; first_joined is the count, then where the next entry goes, then the end
  rutContactBody* body = model->body;
  for (int b = 0; b <= def->bodies; b++) body[b].first_joined = 0;
  for (int i = 0; i < def->joints; i++) {
    const rutPlanarJointDef* j = &def->joint[i];
    if (j->body_a < 0 || j->body_b < 0) continue;
    body[j->body_a].first_joined++;
    body[j->body_b].first_joined++;
  }
  model->joined = 0;
  for (int b = 0; b <= def->bodies; b++) {
    const int count = body[b].first_joined;
    body[b].first_joined = model->joined;
    model->joined += count;
  }
  for (int i = 0; i < def->joints; i++) {
    const rutPlanarJointDef* j = &def->joint[i];
    if (j->body_a < 0 || j->body_b < 0) continue;
    model->joined_to[body[j->body_a].first_joined++] = j->body_b;
    model->joined_to[body[j->body_b].first_joined++] = j->body_a;
  }
  for (int b = def->bodies; b > 0; b--) body[b].first_joined = body[b - 1].first_joined;
  body[0].first_joined = 0;
}

static int compare_double(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// Median of the bodies' radii, in scratch memory of `bodies` numbers.
static double median_radius(const rutContactModel* model, double* scratch) {
  for (int i = 0; i < model->bodies; i++) scratch[i] = model->body[i].radius;
  qsort(scratch, (size_t)model->bodies, sizeof *scratch, compare_double);
  return model->bodies ? scratch[model->bodies / 2] : 0;
}

static int can_touch(const rutContactModel* model) {
  int shapes = 0;
  for (int i = 0; i < model->bodies; i++) {
    shapes += model->body[i].prisms > 0 && !model->body[i].in_space;
  }
  int fixed = model->prisms > model->moving_prisms || model->has_solid_grid;
  return shapes > 1 || (shapes == 1 && fixed);
}

rutContactModel* rut_contact_build(const rutContactDef* def, rutArena* arena) {
  rutFixedPlan plan = rut_fixed_plan(def);
  int corners = count_corners(def), cells = plan.grid.nx * plan.grid.ny;
  rutContactModel* model = RUT_TAKE(arena, rutContactModel, 1);
  rutContactBody* body = RUT_TAKE(arena, rutContactBody, def->bodies + 1);
  rutPrism* prism = RUT_TAKE(arena, rutPrism, def->prisms);
  double* xy = RUT_TAKE(arena, double, 2 * (size_t)corners);
  double* normal = RUT_TAKE(arena, double, 2 * (size_t)corners);
  int* joined_to = RUT_TAKE(arena, int, count_joined(def));
  rutPlanarJointDef* joint = RUT_TAKE(arena, rutPlanarJointDef, def->joints);
  const rutOccupancy** grid = RUT_TAKE(arena, const rutOccupancy*, def->grids);
  double* grid_friction = RUT_TAKE(arena, double, def->grids);
  double* grid_restitution = RUT_TAKE(arena, double, def->grids);
  unsigned char* grid_solid = RUT_TAKE(arena, unsigned char, def->grids);
  int* ground_body = RUT_TAKE(arena, int, def->bodies);
  int* fixed_start = RUT_TAKE(arena, int, cells + 1);
  int entries = plan.entries > def->prisms ? plan.entries : def->prisms;
  int* fixed_entry = RUT_TAKE(arena, int, entries);
  rutRoundLook* round = RUT_TAKE(arena, rutRoundLook, count_rounds(def));
  double* scratch = RUT_TAKE(arena, double, def->bodies);
  if (!scratch || !model) return NULL;

  *model = (rutContactModel){.bodies = def->bodies,
                             .joints = def->joints,
                             .grids = def->grids,
                             .gravity = def->gravity,
                             .margin = def->margin,
                             .body = body,
                             .prism = prism,
                             .xy = xy,
                             .normal = normal,
                             .joined_to = joined_to,
                             .joint = joint,
                             .grid = grid,
                             .grid_friction = grid_friction,
                             .grid_restitution = grid_restitution,
                             .grid_solid = grid_solid,
                             .ground_body = ground_body,
                             .fixed_grid = plan.grid,
                             .fixed_start = fixed_start,
                             .fixed_entry = fixed_entry,
                             .round = round};
  add_bodies(model, def);
  add_prisms(model, def);
  add_joints(model, def);
  for (int i = 0; i < def->grids; i++) {
    grid[i] = def->grid[i];
    grid_friction[i] = def->grid_friction[i];
    grid_restitution[i] = def->grid_restitution[i];
    grid_solid[i] = def->grid_solid[i];
    model->has_solid_grid |= def->grid_solid[i] != 0;
  }
  rut_fixed_fill(model);
  model->typical_radius = median_radius(model, scratch);
  for (int i = 0; i < def->bodies; i++) {
    model->largest_radius = rut_max(model->largest_radius, body[i].radius);
  }
  model->empty = def->joints == 0 && model->ground_bodies == 0 && !can_touch(model);
  return model;
}

rutContactState* rut_contact_state_build(const rutContactModel* model, rutArena* arena) {
  size_t bodies = (size_t)model->bodies, touches = RUT_BODY_CONTACTS * bodies;
  size_t corners = (size_t)model->moving_corners;
  rutContactState s = {.cells = {1, 1, 0, 0, 1, 0}};
  rutContactState* state = RUT_TAKE(arena, rutContactState, 1);
  s.touch = RUT_TAKE(arena, rutTouch, touches);
  s.cache = RUT_TAKE(arena, rutTouchCache, touches);
  s.cache_start = RUT_TAKE(arena, int, bodies + 1);
  s.contact = RUT_TAKE(arena, rutContact, touches);
  s.touching = RUT_TAKE(arena, unsigned char, bodies);
  s.joint = RUT_TAKE(arena, rutJointWork, model->joints);
  s.sine = RUT_TAKE(arena, double, bodies);
  s.cosine = RUT_TAKE(arena, double, bodies);
  s.motion = RUT_TAKE(arena, double, bodies);
  s.before = (double(*)[3])rut_arena_take(arena, bodies, sizeof(double[3]));
  s.balance = (double(*)[2])rut_arena_take(arena, bodies, sizeof(double[2]));
  s.island = RUT_TAKE(arena, int, bodies);
  s.ground = (double(*)[3])rut_arena_take(arena, bodies, sizeof(double[3]));
  s.corner_xy = RUT_TAKE(arena, double, 2 * corners);
  s.corner_normal = RUT_TAKE(arena, double, 2 * corners);
  s.placed = RUT_TAKE(arena, unsigned char, bodies);
  s.crowded = RUT_TAKE(arena, unsigned char, bodies);
  s.cell_of = RUT_TAKE(arena, int, bodies);
  s.cell_start = RUT_TAKE(arena, int, rut_body_cells(model->bodies) + 1);
  s.entry = RUT_TAKE(arena, int, bodies);
  s.entry_x = RUT_TAKE(arena, double, bodies);
  s.entry_y = RUT_TAKE(arena, double, bodies);
  if (!state || arena->used > arena->size) return NULL;
  *state = s;
  return state;
}

const rutOccupancy* rut_contact_occupancy(const rutContactModel* model, int index) {
  return index >= 0 && index < model->grids ? model->grid[index] : NULL;
}

bool rut_contact_is_empty(const rutContactModel* model) { return model->empty != 0; }
