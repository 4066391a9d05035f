// SPDX-License-Identifier: BSD-3-Clause
//
// From <block>, <wall>, <joint> and the vehicles' outlines to bodies, prisms and planar joints.
#include "sim/compile/obstacles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "geom/polygon.h"
#include "math/rut_math.h"
#include "sim/compile/ground.h"
#include "sim/compile/material.h"
#include "sim/compile/read.h"
#include "sim/compile/space.h"

enum { POLYGON, BOX, CYLINDER, SPHERE, RAMP, BUMP };
enum { MAX_OPENINGS = 64, MAX_KNOWN = 4096, MAX_SEARCHES = 20 };

static void box_outline(double x0, double x1, double y0, double y1, rutOutline* outline) {
  const double xy[8] = {x0, y0, x1, y0, x1, y1, x0, y1};
  outline->n = 4;
  memcpy(outline->xy, xy, sizeof xy);
}

static void round_outline(double radius, int corners, rutOutline* outline) {
  outline->n = corners;
  for (int i = 0; i < corners; i++) {
    double s, c;
    rut_sincos(2 * RUT_PI * i / corners, &s, &c);
    outline->xy[2 * i] = radius * c;
    outline->xy[2 * i + 1] = radius * s;
  }
}

// Mean distance of the points of a polygon from a point: with p(t) along an edge, a triangle to the
// point has the integral of |r| dA = |a x b| / 3 times the mean of |p(t)|, here by Simpson's rule.
static double mean_distance(const rutOutline* outline, const double center[2]) {
  double area = 0, sum = 0;
  for (int i = 0; i < outline->n; i++) {
    int j = (i + 1) % outline->n;
    double ax = outline->xy[2 * i] - center[0], ay = outline->xy[2 * i + 1] - center[1];
    double bx = outline->xy[2 * j] - center[0], by = outline->xy[2 * j + 1] - center[1];
    double cross = ax * by - ay * bx;
    double mean =
        (rut_hypot(ax, ay) + 4 * rut_hypot(0.5 * (ax + bx), 0.5 * (ay + by)) + rut_hypot(bx, by)) /
        6;
    area += 0.5 * cross;
    sum += cross / 3 * mean;
  }
  return area > 0 ? sum / area : 0;
}

static void block_shape(rutDraft* draft, rutNode node, rutDraftBlock* block) {
  const rutSpec* spec = draft->spec;
  int shape = (int)rut_node_number(spec, node, "shape"), n = 0;
  const double* size = rut_node_numbers(spec, node, "size", &n);
  double lx = n > 0 ? size[0] : 1, ly = n > 1 ? size[1] : 1, lz = n > 2 ? size[2] : 1;
  double radius = rut_node_number(spec, node, "radius");
  int corners = (int)rut_node_number(spec, node, "vertices");
  block->z_min = 0;
  block->z_max = 1;
  switch (shape) {
    case POLYGON:
      if (!rut_draft_outline(draft, node, "outline", &block->outline)) {
        box_outline(-0.5, 0.5, -0.5, 0.5, &block->outline);
      }
      break;
    case CYLINDER:
      round_outline(radius, corners, &block->outline);
      block->z_max = rut_node_number(spec, node, "length");
      break;
    case SPHERE:
      round_outline(radius, corners, &block->outline);
      block->z_max = 2 * radius;
      break;
    default:
      if (!(lx > 0 && ly > 0 && lz > 0)) {
        rut_node_error(spec, node, "size", RUT_ERR_MODEL, "",
                       "the three lengths of 'size' must be positive");
        lx = ly = lz = 1;
      }
      box_outline(-0.5 * lx, 0.5 * lx, -0.5 * ly, 0.5 * ly, &block->outline);
      block->z_max = lz;
  }
  double z_min = rut_node_number(spec, node, "z_min"), z_max = rut_node_number(spec, node, "z_max");
  if (z_min == z_min) block->z_min = z_min;
  if (z_max == z_max) block->z_max = z_max;
  if (!(block->z_max > block->z_min)) {
    rut_node_error(spec, node, "z_max", RUT_ERR_MODEL, "", "z_max must be above z_min");
  }
}

static rutSurface block_surface(rutDraft* draft, const rutDraftBlock* block) {
  return (rutSurface){rut_draft_instance(draft, block->node),
                      rut_draft_material(draft, block->node, RUT_MATERIAL_OBSTACLE)};
}

// Ramps and bumps carry wheels.
static void block_ground(rutDraft* draft, rutNode node, const rutDraftBlock* block) {
  int shape = (int)rut_node_number(draft->spec, node, "shape"), n = 0;
  if (shape != RAMP && shape != BUMP) return;
  const double* size = rut_node_numbers(draft->spec, node, "size", &n);
  rutDraftSource* s = rut_draft_push(draft, &draft->source);
  if (!s || n < 3) return;
  const double* pose = block->record.start;
  s->source = (rutGroundSource){
      .kind = shape == RAMP ? RUT_GROUND_RAMP : RUT_GROUND_BUMP,
      .x = pose[0],
      .y = pose[1],
      .z = pose[2],
      .x_min = -0.5 * size[0],
      .x_max = 0.5 * size[0],
      .y_min = -0.5 * size[1],
      .y_max = 0.5 * size[1],
      .height = size[2],
  };
  s->surface = block_surface(draft, block);
  rut_sincos(pose[5], &s->source.sin_yaw, &s->source.cos_yaw);
}

static void read_block(rutDraft* draft, rutNode node) {
  const rutSpec* spec = draft->spec;
  rutDraftBlock* block = rut_draft_push(draft, &draft->block);
  if (!block) return;
  block->node = node;
  block->record.form = -1;
  block_shape(draft, node, block);
  rutBlockRecord* r = &block->record;
  bool has_z = false;
  rut_draft_pose(draft, node, r->start, &has_z);
  rut_draft_keyframes(draft, node, &block->keyframe);
  r->keyframes = block->keyframe.n;
  r->fixed = rut_node_number(spec, node, "fixed") != 0 && r->keyframes == 0;
  r->intangible = rut_node_number(spec, node, "intangible") != 0;
  r->on_ground = rut_node_number(spec, node, "on_ground") != 0 && !has_z;
  r->mass = r->keyframes ? 0 : rut_node_number(spec, node, "mass");
  rut_polygon_mass(block->outline.n, block->outline.xy, r->mass, r->com, &r->inertia);
  r->linear_damping = rut_node_number(spec, node, "linear_damping");
  r->angular_damping = rut_node_number(spec, node, "angular_damping");
  r->body = r->fixed ? -1 : draft->bodies++;
  int n = 0;
  const double* velocity = rut_node_numbers(spec, node, "velocity", &n);
  for (int i = 0; i < n && i < 2; i++) r->velocity[i] = velocity[i];
  r->velocity[2] = rut_node_number(spec, node, "yaw_rate");
  block->friction = rut_node_number(spec, node, "friction");
  block->restitution = rut_node_number(spec, node, "restitution");
  block->ground_friction = rut_node_number(spec, node, "ground_friction");
  block->ground_radius = mean_distance(&block->outline, r->com);
  if (rut_node_number(spec, node, "motion") != 0) rut_draft_space_block(draft, node, block);
  block_ground(draft, node, block);
}

void rut_draft_blocks(rutDraft* draft) {
  for (rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), "block");
       !rut_node_is_null(node); node = rut_node_next(draft->spec, node, "block")) {
    if (draft->block.n == RUT_MAX_BLOCKS) {
      rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "", "more than %d blocks",
                     RUT_MAX_BLOCKS);
      return;
    }
    read_block(draft, node);
  }
}

// ---- prisms ----

rutDraftPrism* rut_draft_add_prism(rutDraft* draft, const rutPrismDef* def) {
  draft->vehicle_prisms += def->kind == RUT_VEHICLE;
  if (draft->prism.n - draft->vehicle_prisms >= RUT_MAX_PRISMS) {
    if (!draft->reporter->errors) {
      rut_node_error(draft->spec, rut_spec_root(draft->spec), NULL, RUT_ERR_CAPACITY, "",
                     "the world has more than %d solid parts", RUT_MAX_PRISMS);
    }
    return NULL;
  }
  rutDraftPrism* p = rut_draft_push(draft, &draft->prism);
  if (!p) return NULL;
  p->def = *def;
  p->wheel = -1;
  return p;
}

static void shift_outline(const rutOutline* from, double dx, double dy, rutOutline* to) {
  to->n = from->n;
  rut_polygon_transform(from->n, from->xy, (rutPlanePose){dx, dy, 1, 0}, to->xy);
}

// Material of the first element of this kind in a vehicle.
static int part_material(rutDraft* draft, rutNode vehicle, const char* kind,
                         rutStandardMaterial standard) {
  const rutNode part = rut_node_first(draft->spec, vehicle, kind);
  return rut_node_is_null(part) ? (int)standard : rut_draft_material(draft, part, standard);
}

// Chassis and wheels of a vehicle, from its centre of mass.
static void vehicle_prisms(rutDraft* draft, int vehicle) {
  rutDraftVehicle* v = rut_list_at(&draft->vehicle, vehicle);
  if (v->group < 0) return;
  v->instance = rut_draft_instance(draft, v->node);
  v->first_prism = draft->prism.n;
  rutSurface surface = {v->instance,
                        part_material(draft, v->node, "chassis", RUT_MATERIAL_VEHICLE)};
  const rutDraftClass* c = rut_list_at(&draft->group, v->group);
  const rutControllerType* driver = (const rutControllerType*)c->controller.type;
  const bool told = driver && driver->imposes_twist && (c->spatial.axles > 0 || c->coupled);
  rutPrismDef def = {.body = v->record.body,
                     .z_min = c->z_min,
                     .z_max = c->z_max,
                     .friction = c->friction,
                     .restitution = c->restitution,
                     .kind = RUT_VEHICLE,
                     .index = vehicle,
                     .told = told};
  rutDraftPrism* p = rut_draft_add_prism(draft, &def);
  if (!p) return;
  v->prisms = 1;
  p->surface = surface;
  surface.material =
      part_material(draft, v->node, c->spatial.axles > 0 ? "axle" : "wheel", RUT_MATERIAL_TYRE);
  shift_outline(&c->outline, -c->com[0], -c->com[1], &p->outline);
  for (int w = 0; w < c->wheels; w++) {
    if (!(c->width[w] > 0)) continue;
    double s, k;
    rut_sincos(c->mount_yaw[w], &s, &k);
    def.z_min = 0;
    def.z_max = 2 * c->radius[w];
    def.look = RUT_LOOK_WHEEL;
    def.round = (rutRound){.centre = {c->x[w] - c->com[0], c->y[w] - c->com[1]},
                           .radius = c->radius[w],
                           .axle = {-s, k},
                           .width = c->width[w]};
    p = rut_draft_add_prism(draft, &def);
    if (!p) return;
    v->prisms++;
    p->surface = surface;
    p->wheel = w;
    rutOutline box;
    box_outline(-c->radius[w], c->radius[w], -0.5 * c->width[w], 0.5 * c->width[w], &box);
    p->outline.n = box.n;
    const rutPlanePose pose = {c->x[w] - c->com[0], c->y[w] - c->com[1], k, s};
    rut_polygon_transform(box.n, box.xy, pose, p->outline.xy);
  }
}

// Upright cylinders, and spheres, are seen as such; others as their prism.
static void block_look(const rutDraft* draft, const rutDraftBlock* b, const double centre[2],
                       rutPrismDef* def) {
  const int shape = (int)rut_node_number(draft->spec, b->node, "shape");
  const double* start = b->record.start;
  if ((shape != CYLINDER && shape != SPHERE) || start[3] != 0 || start[4] != 0) return;
  const double radius = rut_node_number(draft->spec, b->node, "radius");
  const bool whole = b->z_max - b->z_min == 2 * radius;
  if (shape == SPHERE && !whole) return;
  def->look = shape == SPHERE ? RUT_LOOK_SPHERE : RUT_LOOK_CYLINDER;
  def->round = (rutRound){.centre = {centre[0], centre[1]}, .radius = radius};
}

static void block_prism(rutDraft* draft, int index) {
  const rutDraftBlock* b = rut_list_at(&draft->block, index);
  const rutBlockRecord* r = &b->record;
  // wheels drive on ramps and bumps: a prism there would stop them
  const int shape = (int)rut_node_number(draft->spec, b->node, "shape");
  if (r->intangible || r->space || shape == RAMP || shape == BUMP) return;
  double base = r->fixed ? r->start[2] : 0;
  rutDraftPrism* p = rut_draft_add_prism(draft, &(rutPrismDef){.body = r->body,
                                                               .z_min = base + b->z_min,
                                                               .z_max = base + b->z_max,
                                                               .friction = b->friction,
                                                               .restitution = b->restitution,
                                                               .kind = RUT_BLOCK,
                                                               .index = index});
  if (!p) return;
  p->surface = block_surface(draft, b);
  if (r->fixed) {
    double s, c;
    rut_sincos(r->start[5], &s, &c);
    p->outline.n = b->outline.n;
    block_look(draft, b, r->start, &p->def);
    const rutPlanePose pose = {r->start[0], r->start[1], c, s};
    rut_polygon_transform(b->outline.n, b->outline.xy, pose, p->outline.xy);
  } else {
    shift_outline(&b->outline, -r->com[0], -r->com[1], &p->outline);
    block_look(draft, b, (const double[]){-r->com[0], -r->com[1]}, &p->def);
  }
}

static int count_vehicle_prisms(const rutDraft* draft) {
  int prisms = 0;
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    if (v->group < 0) continue;
    prisms += 1 + ((const rutDraftClass*)rut_list_at(&draft->group, v->group))->wheels;
  }
  return prisms;
}

void rut_draft_prisms(rutDraft* draft) {
  for (int i = 0; i < draft->block.n; i++) {
    rutDraftBlock* b = rut_list_at(&draft->block, i);
    double* start = b->record.start;
    const double shape = b->actor ? BOX : rut_node_number(draft->spec, b->node, "shape");
    const bool is_ground = shape == RAMP || shape == BUMP;
    if (b->record.on_ground && b->record.space) {
      rut_draft_space_settle(draft, b);
    } else if (b->record.on_ground && !is_ground) {
      start[2] = rut_draft_ground_height(draft, start[0], start[1], start[2]);
    }
  }
  rut_draft_reserve(draft, &draft->prism, count_vehicle_prisms(draft));
  for (int i = 0; i < draft->vehicle.n; i++) vehicle_prisms(draft, i);
  for (int i = 0; i < draft->block.n; i++) {
    const rutDraftBlock* b = rut_list_at(&draft->block, i);
    if (!b->actor) block_prism(draft, i);
  }
}

// ---- walls ----

// An upright rectangle in a wall.
typedef struct Rectangle {
  double from, to, z_min, z_max;  // along the wall [m], heights above its foot [m]
} Rectangle;

typedef struct Wall {
  double from[2], along[2];  // where it begins [m], unit vector to its end
  double length, thickness;  // [m]
  double foot, height;       // of its foot above the world's origin, of its top above that [m]
  double friction, restitution;
  rutSurface surface;
  Rectangle opening[MAX_OPENINGS];
  int openings;
} Wall;

static void wall_piece(rutDraft* draft, const Wall* wall, Rectangle piece) {
  if (piece.to - piece.from < 1e-6 || piece.z_max - piece.z_min < 1e-6) return;
  rutDraftPrism* p = rut_draft_add_prism(draft, &(rutPrismDef){.body = -1,
                                                               .z_min = wall->foot + piece.z_min,
                                                               .z_max = wall->foot + piece.z_max,
                                                               .friction = wall->friction,
                                                               .restitution = wall->restitution,
                                                               .kind = -1,
                                                               .index = -1});
  if (!p) return;
  p->surface = wall->surface;
  rutOutline box;
  box_outline(piece.from, piece.to, -0.5 * wall->thickness, 0.5 * wall->thickness, &box);
  p->outline.n = box.n;
  const rutPlanePose pose = {wall->from[0], wall->from[1], wall->along[0], wall->along[1]};
  rut_polygon_transform(box.n, box.xy, pose, p->outline.xy);
}

// The solid parts of the wall between two neighbouring cuts: heights that no opening covers.
static void wall_column(rutDraft* draft, const Wall* wall, double from, double to) {
  double middle = 0.5 * (from + to), floor = 0;
  for (;;) {
    // lowest opening that reaches above what has been built
    const Rectangle* next = NULL;
    for (int i = 0; i < wall->openings; i++) {
      const Rectangle* o = &wall->opening[i];
      bool here = middle > o->from && middle < o->to && o->z_max > floor;
      if (here && (!next || o->z_min < next->z_min)) next = o;
    }
    double top = next ? rut_min(next->z_min, wall->height) : wall->height;
    wall_piece(draft, wall, (Rectangle){from, to, floor, top});
    if (!next || next->z_max >= wall->height) return;
    floor = next->z_max;
  }
}

static int read_openings(rutDraft* draft, rutNode node, double length, Rectangle* opening) {
  int n = 0;
  for (rutNode o = rut_node_first(draft->spec, node, "opening"); !rut_node_is_null(o);
       o = rut_node_next(draft->spec, o, "opening")) {
    if (n == MAX_OPENINGS) {
      rut_node_error(draft->spec, o, NULL, RUT_ERR_CAPACITY, "", "a wall has at most %d openings",
                     MAX_OPENINGS);
      return n;
    }
    if (!(rut_node_number(draft->spec, o, "z_min") < rut_node_number(draft->spec, o, "z_max"))) {
      rut_node_error(draft->spec, o, "z_max", RUT_ERR_MODEL, "", "z_max must be above z_min");
    }
    double middle = rut_node_number(draft->spec, o, "position") * length;
    double half = 0.5 * rut_node_number(draft->spec, o, "width");
    opening[n++] = (Rectangle){
        rut_clamp(middle - half, 0, length), rut_clamp(middle + half, 0, length),
        rut_node_number(draft->spec, o, "z_min"), rut_node_number(draft->spec, o, "z_max")};
  }
  return n;
}

// Cut the wall where an opening begins or ends.
static void build_wall(rutDraft* draft, const Wall* wall) {
  double cut[2 * MAX_OPENINGS + 2] = {0, wall->length};
  int cuts = 2;
  for (int i = 0; i < wall->openings; i++) {
    cut[cuts++] = wall->opening[i].from;
    cut[cuts++] = wall->opening[i].to;
  }
  for (int i = 1; i < cuts; i++) {
    for (int j = i; j > 0 && cut[j] < cut[j - 1]; j--) {
      double swap = cut[j];
      cut[j] = cut[j - 1];
      cut[j - 1] = swap;
    }
  }
  for (int i = 0; i + 1 < cuts; i++) wall_column(draft, wall, cut[i], cut[i + 1]);
}

static void read_wall(rutDraft* draft, rutNode node) {
  int n = 0;
  double a[2] = {0, 0}, b[2] = {1, 0};
  const double* from = rut_node_numbers(draft->spec, node, "from", &n);
  if (n == 2) memcpy(a, from, sizeof a);
  const double* to = rut_node_numbers(draft->spec, node, "to", &n);
  if (n == 2) memcpy(b, to, sizeof b);
  double length = rut_hypot(b[0] - a[0], b[1] - a[1]);
  if (!(length > 1e-6)) {
    rut_node_warning(draft->spec, node, NULL, "has no length and is left out");
    return;
  }
  Wall wall = {.from = {a[0], a[1]},
               .along = {(b[0] - a[0]) / length, (b[1] - a[1]) / length},
               .length = length,
               .thickness = rut_node_number(draft->spec, node, "thickness"),
               .foot = rut_node_number(draft->spec, node, "z"),
               .height = rut_node_number(draft->spec, node, "height"),
               .friction = rut_node_number(draft->spec, node, "friction"),
               .restitution = rut_node_number(draft->spec, node, "restitution"),
               .surface = {rut_draft_instance(draft, node),
                           rut_draft_material(draft, node, RUT_MATERIAL_WALL)}};
  wall.openings = read_openings(draft, node, length, wall.opening);
  build_wall(draft, &wall);
}

void rut_draft_walls(rutDraft* draft) {
  for (rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), "wall");
       !rut_node_is_null(node); node = rut_node_next(draft->spec, node, "wall")) {
    read_wall(draft, node);
  }
}

// ---- joints ----

typedef struct Carrier {
  rutCarrier kind;
  int body;
  double pose[3], com[2];  // x y yaw of its reference point; centre of mass from there
} Carrier;

// A vehicle or block by its name.
typedef struct Named {
  const char* name;
  int vehicle, block;  // index, or -1
} Named;

// All that a joint can hold, sorted by name: worlds may have as many joints as vehicles.
typedef struct NameTable {
  Named* item;
  int n;
} NameTable;

static int compare_named(const void* a, const void* b) {
  const Named *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  // where a vehicle and a block share a name the vehicle comes first
  return order ? order : (y->vehicle >= 0) - (x->vehicle >= 0);
}

static NameTable list_carriers(rutDraft* draft) {
  NameTable table = {0};
  const size_t most = (size_t)draft->vehicle.n + (size_t)draft->block.n;
  table.item = rut_context_alloc(draft->context, (most + 1) * sizeof *table.item, 16);
  if (!table.item) {
    rut_report_error(draft->reporter, RUT_ERR_MEMORY, (rutPlace){0}, "", "", "out of memory");
    return table;
  }
  for (int i = 0; i < draft->vehicle.n; i++) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, i);
    const char* name = rut_node_name(draft->spec, v->node);
    if (v->group >= 0) table.item[table.n++] = (Named){name, i, -1};
  }
  for (int i = 0; i < draft->block.n; i++) {
    const rutDraftBlock* b = rut_list_at(&draft->block, i);
    table.item[table.n++] = (Named){rut_node_name(draft->spec, b->node), -1, i};
  }
  qsort(table.item, (size_t)table.n, sizeof *table.item, compare_named);
  return table;
}

// First entry of that name, NULL if there is none.
static const Named* find_named(const NameTable* table, const char* name) {
  int low = 0, high = table->n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (strcmp(table->item[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  const bool found = low < table->n && strcmp(table->item[low].name, name) == 0;
  return found ? &table->item[low] : NULL;
}

static Carrier carrier_of(const rutDraft* draft, const Named* named) {
  if (named->vehicle >= 0) {
    const rutDraftVehicle* v = rut_list_at(&draft->vehicle, named->vehicle);
    const rutDraftClass* c = rut_list_at(&draft->group, v->group);
    const double* p = v->record.start;
    return (Carrier){.kind = {RUT_CARRIER_VEHICLE, named->vehicle, 0},
                     .body = v->record.body,
                     .pose = {p[0], p[1], p[5]},
                     .com = {c->com[0], c->com[1]}};
  }
  const rutDraftBlock* b = rut_list_at(&draft->block, named->block);
  const double* p = b->record.start;
  return (Carrier){.kind = {RUT_CARRIER_BLOCK, named->block, 0},
                   .body = b->record.body,
                   .pose = {p[0], p[1], p[5]},
                   .com = {b->record.com[0], b->record.com[1]}};
}

static void unknown_body(rutDraft* draft, const NameTable* table, rutNode node,
                         const char* body_field) {
  const char* name = rut_node_text(draft->spec, node, body_field);
  const char* known[MAX_KNOWN];
  int n = 0;
  for (; n < table->n && n < MAX_KNOWN; n++) known[n] = table->item[n].name;
  // a search through many names for each of many faults would take long
  const bool search = draft->reporter->errors < MAX_SEARCHES;
  const char* nearest = search ? rut_suggest(name, known, (size_t)n) : NULL;
  char hint[128] = "";
  if (nearest) snprintf(hint, sizeof hint, "did you mean '%.100s'?", nearest);
  rut_node_error(draft->spec, node, body_field, RUT_ERR_MODEL, hint,
                 "there is no vehicle or block named '%.100s'", name);
}

// The vehicle or block that a joint names. False after an error.
static bool find_carrier(rutDraft* draft, const NameTable* table, rutNode node,
                         const char* body_field, Carrier* out) {
  const char* name = rut_node_text(draft->spec, node, body_field);
  if (!name[0]) return false;  // required, hence reported before
  const Named* named = find_named(table, name);
  if (!named) {
    unknown_body(draft, table, node, body_field);
    return false;
  }
  const Named* next = named + 1;
  if (next < table->item + table->n && strcmp(next->name, name) == 0) {
    rut_node_error(draft->spec, node, body_field, RUT_ERR_MODEL, "rename one of them",
                   "'%.100s' is the name of a vehicle and of a block", name);
    return false;
  }
  *out = carrier_of(draft, named);
  const rutDraftBlock* b = named->block >= 0 ? rut_list_at(&draft->block, named->block) : NULL;
  if (b && b->record.space) {
    rut_node_error(draft->spec, node, body_field, RUT_ERR_MODEL, "",
                   "joints hold bodies that move in the plane: block '%.100s' has motion=\"space\"",
                   name);
    return false;
  }
  return true;
}

// One end of a joint: what it holds, and where, from the centre of mass of that (from the world's
// origin on fixed things), in the world, and in its frame [m].
typedef struct JointEnd {
  Carrier carrier;
  double anchor[2], world[2], local[2];
} JointEnd;

// The end with these fields. False after an error.
static bool joint_end(rutDraft* draft, const NameTable* table, rutNode node,
                      const char* const field[2], JointEnd* end) {
  Carrier* carrier = &end->carrier;
  if (!find_carrier(draft, table, node, field[0], carrier)) return false;
  int n = 0;
  const double* given = rut_node_numbers(draft->spec, node, field[1], &n);
  double s, c, x = n > 0 ? given[0] : 0, y = n > 1 ? given[1] : 0;
  rut_sincos(carrier->pose[2], &s, &c);
  end->local[0] = x;
  end->local[1] = y;
  end->world[0] = carrier->pose[0] + c * x - s * y;
  end->world[1] = carrier->pose[1] + s * x + c * y;
  end->anchor[0] = carrier->body < 0 ? end->world[0] : x - carrier->com[0];
  end->anchor[1] = carrier->body < 0 ? end->world[1] : y - carrier->com[1];
  return true;
}

static void read_joint(rutDraft* draft, const NameTable* table, rutNode node) {
  const rutSpec* spec = draft->spec;
  static const char *const field_a[2] = {"body_a", "anchor_a"}, *const field_b[2] = {"body_b",
                                                                                     "anchor_b"};
  JointEnd first, second;
  bool ok = joint_end(draft, table, node, field_a, &first);
  ok = joint_end(draft, table, node, field_b, &second) && ok;
  if (!ok) return;
  const Carrier a = first.carrier, b = second.carrier;
  rutPlanarJointDef def = {.anchor_a = {first.anchor[0], first.anchor[1]},
                           .anchor_b = {second.anchor[0], second.anchor[1]}};
  if (a.body == b.body) {
    rut_node_error(spec, node, "body_b", RUT_ERR_MODEL, "",
                   "a joint connects two different bodies");
    return;
  }
  def.body_a = a.body;
  def.body_b = b.body;
  def.distance = strcmp(rut_node_type(spec, node), "distance") == 0;
  if (def.distance) {
    def.min_length = rut_node_number(spec, node, "min_length");
    def.max_length = rut_node_number(spec, node, "max_length");
    def.stiffness = rut_node_number(spec, node, "stiffness");
    def.damping = rut_node_number(spec, node, "damping");
    def.rest_length = rut_hypot(second.world[0] - first.world[0], second.world[1] - first.world[1]);
    if (def.max_length < def.min_length) {
      rut_node_error(spec, node, "max_length", RUT_ERR_MODEL, "", "max_length is below min_length");
    } else if (!(def.max_length > 0)) {
      rut_node_error(spec, node, "max_length", RUT_ERR_MODEL, "type=\"revolute\" is a pin",
                     "a rope without length has no direction to pull in");
    }
  } else {
    double start = (b.body < 0 ? 0 : b.pose[2]) - (a.body < 0 ? 0 : a.pose[2]);
    def.limited = rut_node_number(spec, node, "limited") != 0;
    def.lower = start + rut_node_number(spec, node, "lower");
    def.upper = start + rut_node_number(spec, node, "upper");
    if (def.limited && def.upper < def.lower) {
      rut_node_error(spec, node, "upper", RUT_ERR_MODEL, "", "upper is below lower");
    }
  }
  rutPlanarJointDef* joint = rut_draft_push(draft, &draft->joint);
  rutDraftJoint* ends = rut_draft_push(draft, &draft->joint_end);
  if (!joint || !ends) return;
  *joint = def;
  *ends = (rutDraftJoint){
      .node = node,
      .end = {a.kind, b.kind},
      .anchor = {{first.local[0], first.local[1]}, {second.local[0], second.local[1]}}};
}

void rut_draft_joints(rutDraft* draft) {
  const NameTable table = list_carriers(draft);
  for (rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), "joint");
       table.item && !rut_node_is_null(node); node = rut_node_next(draft->spec, node, "joint")) {
    read_joint(draft, &table, node);
  }
  rut_context_free(draft->context, table.item);
}
