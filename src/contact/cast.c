// SPDX-License-Identifier: BSD-3-Clause
//
// Rays in space against prisms and occupancy grids. Each ray walks through the cells of the grids
// that contacts and scans use, column by column along its longer horizontal component, and stops
// where its nearest hit is nearer than the next column (a walk as that of Amanatides and Woo,
// Eurographics 1987, in whole columns, so that what sticks out of its cell is found as well).
//
// The horizontal part of a direction is not made a unit vector: distances along it are those along
// the ray itself, and those of a level ray are computed as in scan.c.
#include <string.h>

#include "contact/contact_data.h"
#include "geom/rays.h"
#include "math/lanes.h"

enum { NO_PRISM = -1, TOP_OR_BOTTOM = -1, ROUND = -2, SEEN = 16 };

// How far around a ray cells are looked at, in cells: no rounding of places leads past a prism.
#define CELL_MARGIN 1e-6
// Margin around boxes, relative to coordinates: rounding cuts nothing off.
#define BOX_MARGIN 1e-12

typedef struct Ray {
  rutRay ray;         // its limit is the nearest hit so far
  double horizontal;  // length of the horizontal part of its direction
  int prism, face;    // nearest hit: edge of the prism, TOP_OR_BOTTOM, or ROUND
  double normal[3];   // of a round one, in the prism's axes
  int seen[SEEN];     // fixed prisms that were tried last: long ones stand in many cells
} Ray;

// ---------------------------------------------------------------------------------------------
// One prism

// A ray in the axes of a prism.
typedef struct LocalRay {
  double x, y, z, dx, dy, dz;
} LocalRay;

// Interval of a ray.
typedef struct Span {
  double enter, leave;
  int face;  // through which it enters
} Span;

// Cut a span to where the ray is between bottom and top.
static bool cut_heights(const rutPrism* p, const LocalRay* r, double inverse_z, Span* span) {
  if (r->dz == 0) return r->z >= p->low && r->z <= p->high;
  const double bottom = (p->low - r->z) * inverse_z, top = (p->high - r->z) * inverse_z;
  const bool down = r->dz < 0;
  span->enter = down ? top : bottom;
  span->leave = down ? bottom : top;
  return true;
}

// True if the ray can meet the circle around a prism before a limit.
static bool can_meet(const rutPrism* p, const LocalRay* r, double horizontal, double limit) {
  const double px = p->x - r->x, py = p->y - r->y, reach = p->radius * horizontal;
  // not "before the limit": that would be infinity times 0 for an upright ray
  const bool behind = r->dx * px + r->dy * py - reach > limit * horizontal * horizontal;
  return rut_abs(r->dx * py - r->dy * px) <= reach && !behind;
}

// A point that is on no outer side of a polygon.
static bool is_inside(int n, const double* xy, double x, double y) {
  for (int i = 0; i < n; i++) {
    const double *a = xy + 2 * i, *b = i + 1 < n ? a + 2 : xy;
    if ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) < 0) return false;
  }
  return n > 0;
}

// Distance along the ray to the line through a and b, which are relative to its origin.
static double reach_edge(const double a[2], const double b[2], const LocalRay* r) {
  const double ex = b[0] - a[0], ey = b[1] - a[1];
  return (a[0] * ey - a[1] * ex) / (r->dx * ey - r->dy * ex);
}

// Cut a span to where the ray is inside the outline. A line has the corners of a counter-clockwise
// polygon on its left, then on its right: it enters where left becomes right. Edges that share a
// corner compute the same side for it, so that no ray slips through between them.
static void cut_outline(int n, const double* xy, const LocalRay* r, Span* span) {
  double enter = RUT_INFINITY, leave = -RUT_INFINITY;
  double a[2] = {xy[2 * n - 2] - r->x, xy[2 * n - 1] - r->y};
  bool left = r->dx * a[1] - r->dy * a[0] >= 0;
  int face = 0;
  for (int i = 0; i < n; i++) {
    const double b[2] = {xy[2 * i] - r->x, xy[2 * i + 1] - r->y};
    const bool next = r->dx * b[1] - r->dy * b[0] >= 0;
    if (left && !next) {
      enter = reach_edge(a, b, r);
      face = i > 0 ? i - 1 : n - 1;
    } else if (next && !left) {
      leave = reach_edge(a, b, r);
    }
    a[0] = b[0];
    a[1] = b[1];
    left = next;
  }
  if (enter > span->enter) {
    span->enter = enter;
    span->face = face;
  }
  span->leave = rut_min(leave, span->leave);
}

// The same of a prism that is seen as a cylinder, sphere or wheel.
static void try_round(const rutContactModel* model, int prism, const LocalRay* r, Ray* ray) {
  const rutRoundLook* look = &model->round[model->prism[prism].round];
  const double x = r->x - look->x, y = r->y - look->y, z = r->z - look->z;
  const double ux = look->ux, uy = look->uy;
  const bool wheel = look->kind == RUT_LOOK_WHEEL;
  // a wheel's axes: level across the axle, down, along the axle
  rutRay own = {.o = {x, y, z}, .limit = ray->ray.limit};
  double d[3] = {r->dx, r->dy, r->dz}, n[3];
  if (wheel) {
    own.o[0] = ux * x + uy * y;
    own.o[1] = -z;
    own.o[2] = ux * y - uy * x;
    d[0] = ux * r->dx + uy * r->dy;
    d[1] = -r->dz;
    d[2] = ux * r->dy - uy * r->dx;
  }
  for (int k = 0; k < 3; k++) rut_ray_aim(&own, k, d[k]);
  const double range = rut_solid_hit(&look->solid, &own, n);
  if (!(range < ray->ray.limit)) return;
  ray->ray.limit = range;
  ray->prism = prism;
  ray->face = ROUND;
  ray->normal[0] = wheel ? ux * n[0] - uy * n[2] : n[0];
  ray->normal[1] = wheel ? uy * n[0] + ux * n[2] : n[1];
  ray->normal[2] = wheel ? -n[1] : n[2];
}

// Take a prism if the ray, given in its axes, enters it before the nearest hit so far.
static void try_prism(const rutContactModel* model, int prism, const LocalRay* r, Ray* ray) {
  const rutPrism* p = &model->prism[prism];
  Span span = {-RUT_INFINITY, RUT_INFINITY, TOP_OR_BOTTOM};
  if (!cut_heights(p, r, ray->ray.inverse[2], &span)) return;
  if (!(span.leave >= 0 && span.enter < ray->ray.limit)) return;
  if (p->n == 0 || !can_meet(p, r, ray->horizontal, ray->ray.limit)) return;
  if (p->round >= 0) {
    try_round(model, prism, r, ray);
    return;
  }
  const double* xy = model->xy + 2 * p->first;
  if (ray->horizontal == 0) {
    if (!is_inside(p->n, xy, r->x, r->y)) return;
  } else {
    cut_outline(p->n, xy, r, &span);
  }
  // what begins inside does not see the prism
  if (!(span.enter >= 0 && span.enter <= span.leave && span.enter < ray->ray.limit)) return;
  ray->ray.limit = span.enter;
  ray->prism = prism;
  ray->face = span.face;
}

// ---------------------------------------------------------------------------------------------
// Walk through cells

// Called with entries of a cell.
typedef void VisitCell(const void* source, int first_entry, int end_entry, Ray* ray);

// Entries sorted into the cells of a grid, and what to do with those near a ray.
typedef struct Sorted {
  const rutCellGrid* grid;
  const int* start;  // [cells + 1] first entry of each cell
  double reach;      // bodies stick out of their cells by at most this [m]
  VisitCell* visit;
  const void* source;  // passed to `visit`
} Sorted;

// Columns of cells across an axis of the world.
typedef struct Columns {
  int axis;  // along which columns follow each other
  int n, across;
  double low, low_across, size, inverse, reach;
} Columns;

static Columns columns_of(const rutCellGrid* grid, const rutRay* r, double reach) {
  Columns c = {.axis = rut_abs(r->d[0]) >= rut_abs(r->d[1]) ? 0 : 1,
               .size = grid->size,
               .inverse = grid->inverse,
               .reach = reach + CELL_MARGIN * grid->size};
  c.n = c.axis ? grid->ny : grid->nx;
  c.across = c.axis ? grid->nx : grid->ny;
  c.low = c.axis ? grid->y : grid->x;
  c.low_across = c.axis ? grid->x : grid->y;
  return c;
}

// Interval in which the ray is within reach of what stands in column k. Things beyond the grid are
// sorted into its outermost cells.
static void column_span(const Columns* c, const rutRay* r, int k, double* t0, double* t1) {
  const double low = k > 0 ? c->low + k * c->size - c->reach : -RUT_INFINITY;
  const double high = k < c->n - 1 ? c->low + (k + 1) * c->size + c->reach : RUT_INFINITY;
  rut_ray_clip(r, c->axis, low, high, t0, t1);
}

// Cells of column k that the ray comes near between t0 and t1.
static void cells_between(const Columns* c, const rutRay* r, double t0, double t1, int range[2]) {
  const double a = rut_ray_at(r, 1 - c->axis, t0), b = rut_ray_at(r, 1 - c->axis, t1);
  range[0] = rut_cell_index(rut_min(a, b) - c->reach, c->low_across, c->inverse, c->across);
  range[1] = rut_cell_index(rut_max(a, b) + c->reach, c->low_across, c->inverse, c->across);
}

// Visit the cells near the ray between t0 and t1, nearest columns first.
RUT_INLINE void walk(const Sorted* in, double t0, double t1, Ray* ray) {
  const rutRay* r = &ray->ray;
  const Columns c = columns_of(in->grid, r, in->reach);
  const int step = r->d[c.axis] < 0 ? -1 : 1;
  const double first = rut_ray_at(r, c.axis, t0) - step * c.reach;
  const double last = rut_ray_at(r, c.axis, t1) + step * c.reach;
  const int end = rut_cell_index(last, c.low, c.inverse, c.n) + step;
  for (int k = rut_cell_index(first, c.low, c.inverse, c.n); k != end; k += step) {
    double enter = t0, leave = rut_min(r->limit, t1);
    column_span(&c, r, k, &enter, &leave);
    if (enter >= r->limit) return;
    if (!(enter <= leave)) continue;
    int range[2];
    cells_between(&c, r, enter, leave, range);
    for (int m = range[0]; m <= range[1]; m++) {
      const int cell = c.axis ? k * c.across + m : m * c.n + k;
      const int begin = in->start[cell], after = in->start[cell + 1];
      if (begin < after) in->visit(in->source, begin, after, ray);
    }
  }
}

// ---------------------------------------------------------------------------------------------
// What there is to hit

static void widen(double box[6], double x, double y, double z_min, double z_max, double radius) {
  const double low[3] = {x - radius, y - radius, z_min}, high[3] = {x + radius, y + radius, z_max};
  for (int k = 0; k < 3; k++) {
    box[k] = rut_min(low[k], box[k]);
    box[k + 3] = rut_max(high[k], box[k + 3]);
  }
}

rutCastScene rut_contact_scene(const rutContactModel* model, const rutContactState* state,
                               const rutBodies* bodies) {
  rutCastScene scene = {.model = model, .state = state, .bodies = bodies};
  for (int k = 0; k < 6; k++) scene.moving_box[k] = k < 3 ? RUT_INFINITY : -RUT_INFINITY;
  for (int b = 0; b < model->bodies; b++) {
    const rutContactBody* body = &model->body[b];
    for (int i = body->first; i < body->first + body->prisms; i++) {
      const rutPrism* p = &model->prism[i];
      if (!rut_prism_seen(p)) continue;
      widen(scene.moving_box, bodies->x[b], bodies->y[b], bodies->z[b] + p->z_min,
            bodies->z[b] + p->z_max, body->radius);
    }
  }
  return scene;
}

// Interval before the nearest hit in which the ray is inside a box. False if there is none, as for
// the box of nothing.
static bool inside_box(const double box[6], const rutRay* r, double* t0, double* t1) {
  if (!(box[0] <= box[3])) return false;
  *t0 = 0;
  *t1 = r->limit;
  for (int k = 0; k < 3; k++) {
    const double size = rut_abs(box[k]) + rut_abs(box[k + 3]) + rut_abs(r->o[k]);
    const double margin = BOX_MARGIN * size;
    rut_ray_clip(r, k, box[k] - margin, box[k + 3] + margin, t0, t1);
  }
  return *t0 <= *t1;
}

static void visit_fixed(const void* source, int first, int end, Ray* ray) {
  const rutContactModel* model = source;
  const rutRay* r = &ray->ray;
  const LocalRay local = {r->o[0], r->o[1], r->o[2], r->d[0], r->d[1], r->d[2]};
  for (int e = first; e < end; e++) {
    const int prism = model->fixed_entry[e];
    int* seen = &ray->seen[prism & (SEEN - 1)];
    if (*seen == prism) continue;
    *seen = prism;
    try_prism(model, prism, &local, ray);
  }
}

// Moving bodies that a cast sees.
typedef struct Moving {
  const rutCastScene* scene;
  int skip_body;
} Moving;

static void visit_moving(const void* source, int first, int end, Ray* ray) {
  const Moving* moving = source;
  const rutCastScene* in = moving->scene;
  const rutRay* r = &ray->ray;
  for (int e = first; e < end; e++) {
    const int id = in->state->entry[e];
    const rutContactBody* body = &in->model->body[id];
    if (id == moving->skip_body) continue;
    const double sn = in->state->sine[id], cs = in->state->cosine[id];
    const double x = r->o[0] - in->state->entry_x[e], y = r->o[1] - in->state->entry_y[e];
    if (rut_abs(r->d[0] * y - r->d[1] * x) > body->radius * ray->horizontal) continue;
    const LocalRay local = {cs * x + sn * y,
                            cs * y - sn * x,
                            r->o[2] - in->bodies->z[id],
                            cs * r->d[0] + sn * r->d[1],
                            cs * r->d[1] - sn * r->d[0],
                            r->d[2]};
    for (int i = body->first; i < body->first + body->prisms; i++) {
      try_prism(in->model, i, &local, ray);
    }
  }
}

// Boxes that rays have to meet to hit anything: of fixed prisms that they see, and of moving ones
// but the body that is skipped. Those of nothing are empty: low > high.
typedef struct Boxes {
  double fixed[6], moving[6];
  bool everywhere;  // there are occupancy grids
} Boxes;

static Boxes boxes_of(const Moving* moving, bool see_moving) {
  const rutContactModel* model = moving->scene->model;
  Boxes boxes = {.everywhere = model->grids > 0};
  for (int k = 0; k < 6; k++) boxes.fixed[k] = boxes.moving[k] = k < 3 ? 1 : -1;
  if (model->prisms > model->moving_prisms) {
    memcpy(boxes.fixed, model->fixed_box, sizeof boxes.fixed);
  }
  const bool alone = model->bodies == 1 && moving->skip_body == 0;
  if (see_moving && model->moving_prisms > 0 && !alone) {
    memcpy(boxes.moving, moving->scene->moving_box, sizeof boxes.moving);
  }
  return boxes;
}

enum { BLOCK = 64 };

// As inside_box, for rays from `first` on, at most BLOCK: met[i] gets 1 for those that meet the
// box, and stays as it is for others.
RUT_CLONES static void meet_box(const rutRayBatch* rays, const double* so_far, int first, int n,
                                const double box[6], int* restrict met) {
  const double* restrict x = rays->origin[0] + first;
  const double* restrict y = rays->origin[1] + first;
  const double* restrict z = rays->origin[2] + first;
  const double* restrict dx = rays->direction[0] + first;
  const double* restrict dy = rays->direction[1] + first;
  const double* restrict dz = rays->direction[2] + first;
  const double* restrict range = so_far + first;
  const double farthest = rays->max_range * RUT_RAY_INCLUSIVE;
  const double x0 = box[0], y0 = box[1], z0 = box[2], x1 = box[3], y1 = box[4], z1 = box[5];
  const double size_x = rut_abs(x0) + rut_abs(x1), size_y = rut_abs(y0) + rut_abs(y1);
  const double size_z = rut_abs(z0) + rut_abs(z1);
  RUT_FOR_LANES(i, n) {
    const double ux = rut_ray_motion(dx[i]), uy = rut_ray_motion(dy[i]), uz = rut_ray_motion(dz[i]);
    const double mx = BOX_MARGIN * (size_x + rut_abs(x[i]));
    const double my = BOX_MARGIN * (size_y + rut_abs(y[i]));
    const double mz = BOX_MARGIN * (size_z + rut_abs(z[i]));
    double t0 = 0, t1 = rut_min(range[i], farthest);
    rut_ray_cut((rutRayAxis){x[i], ux, rut_ray_inverse(ux)}, x0 - mx, x1 + mx, &t0, &t1);
    rut_ray_cut((rutRayAxis){y[i], uy, rut_ray_inverse(uy)}, y0 - my, y1 + my, &t0, &t1);
    rut_ray_cut((rutRayAxis){z[i], uz, rut_ray_inverse(uz)}, z0 - mz, z1 + mz, &t0, &t1);
    met[i] |= t0 <= t1;
  }
}

static void find_near(const Boxes* boxes, const rutRayBatch* rays, const double* range, int first,
                      int n, int* near) {
  for (int i = 0; i < n; i++) near[i] = boxes->everywhere;
  if (boxes->everywhere) return;
  if (boxes->fixed[0] <= boxes->fixed[3]) meet_box(rays, range, first, n, boxes->fixed, near);
  if (boxes->moving[0] <= boxes->moving[3]) meet_box(rays, range, first, n, boxes->moving, near);
}

static void try_prisms(const Moving* moving, bool see_moving, Ray* ray) {
  const rutCastScene* in = moving->scene;
  const rutContactModel* model = in->model;
  double t0, t1;
  ray->prism = NO_PRISM;
  ray->horizontal = rut_hypot(ray->ray.d[0], ray->ray.d[1]);
  const bool fixed = model->prisms > model->moving_prisms;
  if (fixed && inside_box(model->fixed_box, &ray->ray, &t0, &t1)) {
    for (int k = 0; k < SEEN; k++) ray->seen[k] = NO_PRISM;
    const Sorted prisms = {&model->fixed_grid, model->fixed_start, model->bulge, visit_fixed,
                           model};
    walk(&prisms, t0, t1, ray);
  }
  // without moving prisms their box is empty, and their grid is not made
  see_moving = see_moving && model->moving_prisms > 0;
  if (see_moving && inside_box(in->moving_box, &ray->ray, &t0, &t1)) {
    const Sorted bodies = {&in->state->cells, in->state->cell_start, model->largest_radius,
                           visit_moving, moving};
    walk(&bodies, t0, t1, ray);
  }
}

// Outward normal of the face that was hit, turned into the world.
static void prism_normal(const rutCastScene* in, const Ray* ray, double normal[3]) {
  const rutPrism* p = &in->model->prism[ray->prism];
  const bool side = ray->face != TOP_OR_BOTTOM;
  const double* flat = in->model->normal + 2 * (p->first + (side ? ray->face : 0));
  const double c = p->body >= 0 ? in->state->cosine[p->body] : 1;
  const double s = p->body >= 0 ? in->state->sine[p->body] : 0;
  if (ray->face == ROUND) {
    normal[0] = c * ray->normal[0] - s * ray->normal[1];
    normal[1] = s * ray->normal[0] + c * ray->normal[1];
    normal[2] = ray->normal[2];
    return;
  }
  normal[0] = side ? c * flat[0] - s * flat[1] : 0;
  normal[1] = side ? s * flat[0] + c * flat[1] : 0;
  normal[2] = side ? 0 : ray->ray.d[2] < 0 ? 1 : -1;
}

static void try_grids(const rutContactModel* model, int i, rutRay* r, const rutRayResult* out) {
  for (int g = 0; g < model->grids; g++) {
    int flat[2];
    const rutGridRay flat_ray = {r->o[0], r->o[1], r->d[0], r->d[1], r->limit};
    const double t = rut_occupancy_cast(model->grid[g], &flat_ray, flat);
    if (!(t < r->limit)) continue;
    r->limit = t;
    const bool starts_inside = flat[0] == 0 && flat[1] == 0;
    const double side[3] = {flat[0], flat[1], 0}, back[3] = {-r->d[0], -r->d[1], -r->d[2]};
    rut_ray_put(out, i, t, starts_inside ? back : side, RUT_RAY_GRID, g);
  }
}

static void cast_one(const Moving* moving, bool see_moving, const rutRayBatch* rays,
                     const rutRayResult* out, int i) {
  Ray ray;
  if (rut_ray_is_settled(rays, out, i) || !rut_ray_of(rays, out, i, &ray.ray)) return;
  try_prisms(moving, see_moving, &ray);
  if (ray.prism != NO_PRISM) {
    double normal[3];
    prism_normal(moving->scene, &ray, normal);
    rut_ray_put(out, i, ray.ray.limit, normal, RUT_RAY_PRISM, ray.prism);
  }
  try_grids(moving->scene->model, i, &ray.ray, out);
}

void rut_contact_cast(const rutCastScene* scene, bool see_moving, int skip_body,
                      const rutRayBatch* rays, const rutRayResult* out) {
  const Moving moving = {scene, skip_body};
  const Boxes boxes = boxes_of(&moving, see_moving);
  const bool any =
      boxes.everywhere || boxes.fixed[0] <= boxes.fixed[3] || boxes.moving[0] <= boxes.moving[3];
  for (int first = 0; first < rays->n && any; first += BLOCK) {
    const int n = rays->n - first < BLOCK ? rays->n - first : BLOCK;
    int near[BLOCK];
    find_near(&boxes, rays, out->range, first, n, near);
    for (int i = 0; i < n; i++) {
      if (near[i]) cast_one(&moving, see_moving, rays, out, first + i);
    }
  }
}

rutPrismOwner rut_contact_owner(const rutContactModel* model, int prism) {
  if (prism < 0 || prism >= model->prisms) return (rutPrismOwner){-1, -1, -1};
  const rutPrism* p = &model->prism[prism];
  return (rutPrismOwner){p->body, p->kind, p->index};
}

bool rut_contact_prism(const rutContactModel* model, int prism, rutPrismDef* out) {
  if (prism < 0 || prism >= model->prisms) return false;
  const rutPrism* p = &model->prism[prism];
  *out = (rutPrismDef){.body = p->body,
                       .n = p->n,
                       .xy = model->xy + 2 * (size_t)p->first,
                       .z_min = p->z_min,
                       .z_max = p->z_max,
                       .friction = p->friction,
                       .restitution = p->restitution,
                       .kind = p->kind,
                       .index = p->index,
                       .told = p->told,
                       .look = p->low > p->high ? RUT_LOOK_NOTHING : RUT_LOOK_PRISM};
  if (p->round < 0) return true;
  const rutRoundLook* r = &model->round[p->round];
  out->look = r->kind;
  out->round = (rutRound){.centre = {r->x, r->y},
                          .radius = r->radius,
                          .axle = {-r->uy, r->ux},
                          .width = 2 * r->half_width};
  return true;
}
