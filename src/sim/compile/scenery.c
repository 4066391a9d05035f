// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/scenery.h"

#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "format/raster.h"
#include "geom/polygon.h"
#include "math/rut_math.h"
#include "sim/compile/build.h"
#include "sim/compile/clearance.h"
#include "sim/compile/ground.h"
#include "sim/compile/material.h"
#include "sim/compile/obstacles.h"
#include "sim/compile/read.h"
#include "sim/compile/scatter.h"
#include "sim/compile/scene.h"
#include "sim/spec/material_read.h"
#include "sim/spec/scenery_mesh.h"
#include "sim/spec/values.h"

enum { SIZE, HEADING, VARIANT };           // random numbers of an individual
enum { AT_RANDOM, AT_PLACES, ON_LINE };    // streams of them
enum { SOLID_AUTO, SOLID_NO, SOLID_YES };  // of the field `solid`
#define SLOPE_STEP 0.5                     // distance at which slopes are measured [m]

// A raster of probabilities: value i along x, from the west, and j along y, from the south, for the
// square around corner + cell (i, j).
typedef struct ChanceMap {
  rutRaster raster;
  bool given;
  double corner[2], cell[2];  // [m]
} ChanceMap;

// One <scenery>.
typedef struct Element {
  rutDraft* draft;
  rutNode node;
  const rutSceneryType* type;
  double* param;  // heap
  const rutSceneryHead* head;
  int kind;                      // its place among all <scenery>
  int first_form;                // of its variants
  int material, semantic_class;  // of what sensors see of each individual
  uint32_t stream;               // of its random numbers
  double size[2], radius;        // of the largest [m]
  rutStanding* standing;
  const rutClearance* clearance;
  rutKeepAway away;
  int corners;  // of the area, 0: its box
  const double* area;
  double box[4], tan_slope;
  int64_t* work;  // for random places, of all elements
  ChanceMap map;
} Element;

// ---- variants and individuals ----

bool rut_draft_scenery_param(rutDraft* draft, rutNode node, double** param) {
  const int n = rut_node_params(draft->spec, node, 0, NULL);
  *param = rut_context_alloc(draft->context, (size_t)(n + 1) * sizeof **param, 64);
  if (!*param) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    return false;
  }
  rut_node_params(draft->spec, node, n, *param);
  return true;
}

int rut_draft_scenery_mesh(rutDraft* draft, rutNode node, const double* param, int variant,
                           int part) {
  const rutSceneryType* type = (const rutSceneryType*)rut_node_component(draft->spec, node);
  if (!rut_draft_is_watched(draft)) return -1;
  rutMeshModel mesh;
  rutError err = {0};
  const rutStatus status = rut_scenery_type_mesh(type, param, variant, part, &mesh, &err);
  if (status != RUT_OK) {
    rut_node_error(draft->spec, node, NULL, status, "", "its mesh cannot be made: %s",
                   err.message[0] ? err.message : rut_status_text(status));
  }
  const int index = status == RUT_OK ? rut_draft_mesh(draft, &mesh) : -1;
  rut_mesh_model_free(&mesh);
  return index;
}

rutDraftVisual rut_draft_scenery_visual(rutDraft* draft, rutNode node, int form,
                                        const rutSceneryItem* item) {
  const rutSceneryType* type = (const rutSceneryType*)rut_node_component(draft->spec, node);
  rutDraftVisual visual = rut_draft_standing(item->position, item->yaw, item->size);
  visual.mesh = ((const rutSceneryForm*)rut_list_at(&draft->scenery_form, form))->mesh;
  visual.surface.instance = item->instance;
  const char* only = rut_material_only_class(draft->spec, node);
  const bool own = !only && !rut_node_is_null(rut_node_first(draft->spec, node, "material"));
  if (!own)
    visual.semantic_class = rut_draft_class(draft, node, only ? only : type->semantic_class);
  visual.surface.material =
      own ? rut_draft_preset_material(draft, node, "", type->semantic_class) : -1;
  return visual;
}

int rut_draft_scenery_form(rutDraft* draft, rutNode node, const double* param, int variant) {
  const rutSceneryType* type = (const rutSceneryType*)rut_node_component(draft->spec, node);
  const rutSceneryHead* head = (const rutSceneryHead*)(const void*)param;
  rutSceneryPart part[RUT_SCENERY_MAX_PARTS];
  const int first = draft->scenery_part.n, parts = type->parts(param, variant, part);
  for (int i = 0; i < parts; i++) {
    rutSceneryPartRecord* p = rut_draft_push(draft, &draft->scenery_part);
    if (!p) return -1;
    p->part = part[i];
    if (head->solid != SOLID_AUTO) p->part.solid = head->solid == SOLID_YES;
    p->material = rut_draft_preset_material(draft, node, part[i].material, type->semantic_class);
  }
  rutSceneryForm* form = rut_draft_push(draft, &draft->scenery_form);
  if (!form) return -1;
  *form = (rutSceneryForm){.type = type->base.name,
                           .name = rut_node_name(draft->spec, node),
                           .variant = variant,
                           .water = type->water,
                           .element = -1,
                           .first = first,
                           .parts = parts,
                           .mesh = -1};
  return draft->scenery_form.n - 1;
}

static double random_of(const Element* e, uint32_t way, int index, uint32_t what) {
  return rut_uniform((uint64_t)e->head->seed, e->stream + way + 1, (uint64_t)index,
                     UINT32_C(0x80000000) + what);
}

// The parts of every variant. False after an error.
static bool list_forms(Element* e) {
  e->first_form = e->draft->scenery_form.n;
  for (int v = 0; v < e->type->variants; v++) {
    const int form = rut_draft_scenery_form(e->draft, e->node, e->param, v);
    if (form < 0) return false;
    const int mesh = rut_draft_scenery_mesh(e->draft, e->node, e->param, v, -1);
    rutSceneryForm* f = rut_list_at(&e->draft->scenery_form, form);
    f->element = e->kind;
    f->mesh = mesh;
  }
  return true;
}

static void add_parts(const Element* e, const rutSceneryItem* item) {
  rutDraft* draft = e->draft;
  const rutSceneryForm* form = rut_list_at(&draft->scenery_form, item->form);
  double sine, cosine;
  rut_sincos(item->yaw, &sine, &cosine);
  const rutPlanePose pose = {item->position[0], item->position[1], cosine, sine};
  rutDraftVisual seen = rut_draft_standing(item->position, item->yaw, item->size);
  seen.mesh = form->mesh;
  seen.surface = (rutSurface){item->instance, e->material};
  seen.semantic_class = e->semantic_class;
  rut_draft_visual(draft, &seen);
  for (int i = 0; i < form->parts; i++) {
    const rutSceneryPartRecord* from = rut_list_at(&draft->scenery_part, form->first + i);
    const rutSceneryPart* part = &from->part;
    if (!part->solid) continue;
    rutDraftPrism* p = rut_draft_add_prism(
        draft, &(rutPrismDef){.body = -1,
                              .z_min = item->position[2] + item->size * part->z_min,
                              .z_max = item->position[2] + item->size * part->z_max,
                              .friction = e->head->friction,
                              .restitution = e->head->restitution,
                              .kind = -1,
                              .index = -1,
                              .look = form->mesh >= 0 ? RUT_LOOK_NOTHING : RUT_LOOK_PRISM});
    if (!p) return;
    p->surface = (rutSurface){item->instance, from->material};
    double xy[2 * RUT_SCENERY_MAX_CORNERS];
    for (int k = 0; k < 2 * part->corners; k++) xy[k] = item->size * part->xy[k];
    p->outline.n = part->corners;
    rut_polygon_transform(part->corners, xy, pose, p->outline.xy);
  }
}

// False after an error.
static bool add_item(const Element* e, const double at[2], double yaw, double size, int variant) {
  rutDraft* draft = e->draft;
  if (draft->scenery_item.n == RUT_MAX_SCENERY) {
    rut_node_error(draft->spec, e->node, NULL, RUT_ERR_CAPACITY, "",
                   "the world has more than %d individuals of scenery", RUT_MAX_SCENERY);
    return false;
  }
  rutSceneryItem* item = rut_draft_push(draft, &draft->scenery_item);
  if (!item) return false;
  *item = (rutSceneryItem){.form = e->first_form + variant,
                           .instance = rut_draft_instance(draft, e->node),
                           .position = {at[0], at[1], 0},
                           .yaw = yaw,
                           .size = size};
  item->position[2] = rut_draft_ground_height(draft, at[0], at[1], RUT_INFINITY);
  add_parts(e, item);
  return true;
}

// An individual with a random size, heading and variant, as far as the element does not say them.
static bool add_random(const Element* e, uint32_t way, int index, const double at[2], double yaw) {
  const double u = random_of(e, way, index, SIZE);
  const double size = e->size[0] + u * (e->size[1] - e->size[0]);
  const int variant = (int)(random_of(e, way, index, VARIANT) * e->type->variants);
  return add_item(e, at, yaw, size, variant);
}

// ---- places that are given ----

static bool stands(const Element* e, const double at[2]) {
  if (rut_standing_add(e->draft->context, e->standing, at, e->radius, e->kind)) return true;
  rut_node_error(e->draft->spec, e->node, NULL, RUT_ERR_MEMORY, "", "out of memory");
  return false;
}

static void add_places(const Element* e) {
  const rutSpec* spec = e->draft->spec;
  const double given = e->head->yaw;
  int n = 0, index = 0;
  const double* xy = rut_node_numbers(spec, e->node, "places", &n);
  for (; index < n / 2; index++) {
    const double* at = xy + (size_t)2 * index;
    if (!stands(e, at) || !add_random(e, AT_PLACES, index, at, given == given ? given : 0)) return;
  }
  for (rutNode p = rut_node_first(spec, e->node, "place"); !rut_node_is_null(p);
       p = rut_node_next(spec, p, "place"), index++) {
    const double* at = rut_node_numbers(spec, p, "position", &n);
    const double yaw = rut_node_number(spec, p, "yaw"), size = rut_node_number(spec, p, "size");
    const int variant = (int)rut_node_number(spec, p, "variant");
    if (n != 2) continue;
    if (!stands(e, at) || !add_item(e, at, yaw, size, variant % e->type->variants)) return;
  }
}

static double interval_of(const Element* e) {
  if (e->head->interval == e->head->interval) return e->head->interval;
  return e->type->interval ? e->type->interval(e->param) : 2 * e->type->radius(e->param);
}

// Individuals in the middle of each interval that the line has in full.
static void add_along(const Element* e) {
  const double interval = interval_of(e), turn = e->head->yaw == e->head->yaw ? e->head->yaw : 0;
  int n = 0, index = 0;
  const double* xy = rut_node_numbers(e->draft->spec, e->node, "along", &n);
  double next = 0.5 * interval;  // from the beginning of the present segment [m]
  for (int i = 0; i + 1 < n / 2; i++) {
    const double *a = xy + (size_t)2 * i, *b = a + 2;
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = rut_hypot(dx, dy);
    const double yaw = rut_atan2(dy, dx) + turn;
    const int here = next <= length && length > 0 ? (int)((length - next) / interval) + 1 : 0;
    for (int k = 0; k < here; k++) {
      const double along = (next + k * interval) / length, side = e->head->offset / length;
      const double at[2] = {a[0] + along * dx - side * dy, a[1] + along * dy + side * dx};
      if (!stands(e, at) || !add_random(e, ON_LINE, index++, at, yaw)) return;
    }
    next += here * interval;
    next -= length;
  }
}

// ---- random places ----

static void unite(double box[4], double x, double y) {
  box[0] = rut_min(box[0], x);
  box[1] = rut_min(box[1], y);
  box[2] = rut_max(box[2], x);
  box[3] = rut_max(box[3], y);
}

// The extent of elevation maps and planes. False if there is none.
static bool ground_box(const rutDraft* draft, double box[4]) {
  for (int i = 0; i < draft->source.n; i++) {
    const rutDraftSource* s = rut_list_at(&draft->source, i);
    const rutGroundSource* g = &s->source;
    if (g->kind == RUT_GROUND_FIELD) {
      const rutHeightField* f = &s->field;
      unite(box, f->origin[0], f->origin[1]);
      unite(box, f->origin[0] + f->spacing * (f->nx - 1), f->origin[1] + f->spacing * (f->ny - 1));
    }
    if (g->kind != RUT_GROUND_PLANE) continue;
    for (int k = 0; k < 4; k++) {
      const double x = k & 1 ? g->x_max : g->x_min, y = k & 2 ? g->y_max : g->y_min;
      unite(box, g->x + g->cos_yaw * x - g->sin_yaw * y, g->y + g->sin_yaw * x + g->cos_yaw * y);
    }
  }
  return box[0] < box[2] && box[1] < box[3];
}

// False after an error.
static bool read_area(Element* e) {
  const rutSpec* spec = e->draft->spec;
  int n = 0;
  const double* xy = rut_node_numbers(spec, e->node, "area", &n);
  const double nothing[4] = {RUT_INFINITY, RUT_INFINITY, -RUT_INFINITY, -RUT_INFINITY};
  memcpy(e->box, nothing, sizeof e->box);
  if (n == 0) {
    if (ground_box(e->draft, e->box)) return true;
    rut_node_error(spec, e->node, NULL, RUT_ERR_MODEL, "area=\"-50 -50, 50 -50, 50 50, -50 50\"",
                   "random places need an 'area': the world has no elevation map or plane");
    return false;
  }
  e->corners = n / 2;
  e->area = xy;
  for (int i = 0; i < e->corners; i++) unite(e->box, xy[2 * i], xy[2 * i + 1]);
  if (e->corners >= 3 && e->box[0] < e->box[2] && e->box[1] < e->box[3]) return true;
  rut_node_error(spec, e->node, "area", RUT_ERR_MODEL, "",
                 "an area needs at least 3 points that do not lie on one line");
  return false;
}

// False after an error.
static bool read_map(Element* e) {
  const rutSpec* spec = e->draft->spec;
  ChanceMap* m = &e->map;
  const char* file = rut_node_text(spec, e->node, "map");
  if (!file[0]) return true;
  const rutStatus status = rut_raster_load(file, rut_node_place_of(spec, e->node, "map"),
                                           e->draft->reporter, &m->raster);
  rut_draft_map_failed(e->draft, e->node, "map", status);
  if (status != RUT_OK) return false;
  m->given = true;
  const int size[2] = {m->raster.values.cols, m->raster.values.rows};
  for (int k = 0; k < 2; k++) {
    const bool placed = m->raster.placed && m->raster.metric;
    m->cell[k] = placed ? m->raster.spacing : (e->box[k + 2] - e->box[k]) / size[k];
    m->corner[k] = placed ? m->raster.corner[k] : e->box[k] + 0.5 * m->cell[k];
  }
  return true;
}

static double chance_at(const ChanceMap* m, const double at[2]) {
  const double x = rut_floor((at[0] - m->corner[0]) / m->cell[0] + 0.5);
  const double y = rut_floor((at[1] - m->corner[1]) / m->cell[1] + 0.5);
  const int rows = m->raster.values.rows, cols = m->raster.values.cols;
  if (!(x >= 0 && y >= 0 && x < cols && y < rows)) return 0;
  const double value =
      m->raster.values.value[(size_t)(rows - 1 - (int)y) * (size_t)cols + (size_t)x];
  return m->raster.white > 0 ? value / m->raster.white : value;
}

// Whether the ground at a place carries scenery.
static bool ground_suits(const Element* e, const double at[2]) {
  if (e->draft->source.n == 0) return true;
  double here, ahead, left;
  const double step = SLOPE_STEP;
  if (!rut_draft_finds_ground(e->draft, at[0], at[1], RUT_INFINITY, &here)) return false;
  if (!rut_is_finite(e->tan_slope)) return true;
  if (!rut_draft_finds_ground(e->draft, at[0] + step, at[1], RUT_INFINITY, &ahead)) return false;
  if (!rut_draft_finds_ground(e->draft, at[0], at[1] + step, RUT_INFINITY, &left)) return false;
  return rut_hypot(ahead - here, left - here) <= e->tan_slope * step;
}

static bool suits(void* user, const double at[2], double draw, int64_t* cost) {
  const Element* e = user;
  *cost += e->corners;
  if (e->corners > 0 && !rut_polygon_contains(e->corners, e->area, at[0], at[1])) return false;
  if (e->map.given && !(draw < chance_at(&e->map, at))) return false;
  if (!rut_clearance_holds(e->clearance, &e->away, at, cost)) return false;
  *cost += 100 * (int64_t)(1 + e->draft->source.n) * (1 + e->draft->shape.n);
  return ground_suits(e, at);
}

// Seats of a density over the box around the area: those outside of the area stay empty.
static double density_seats(const Element* e) {
  const double area = (e->box[2] - e->box[0]) * (e->box[3] - e->box[1]);
  return rut_floor(e->head->density * area + 0.5);
}

static void report_end(const Element* e, rutScatterEnd end, int n, int seats) {
  const rutSpec* spec = e->draft->spec;
  const char* const field = e->head->number > 0 ? "number" : "density";
  switch (end) {
    case RUT_SCATTER_MEMORY:
      rut_node_error(spec, e->node, NULL, RUT_ERR_MEMORY, "", "out of memory");
      break;
    case RUT_SCATTER_LONG:
      rut_node_error(spec, e->node, field, RUT_ERR_CAPACITY,
                     "lower the number or the spacing, or enlarge the area",
                     "random places for %d individuals take too long to find: %d are found", seats,
                     n);
      break;
    case RUT_SCATTER_FULL:
      rut_node_warning(spec, e->node, field, "there is room for %d individuals only", n);
      break;
    default:
      break;
  }
}

static void add_scattered(Element* e, int seats, bool insist) {
  rutContext* context = e->draft->context;
  const double spacing = e->head->spacing;
  const rutScatter scatter = {
      .seed = (uint64_t)e->head->seed,
      .stream = e->stream,
      .box = {e->box[0], e->box[1], e->box[2], e->box[3]},
      .seats = seats,
      .insist = insist,
      .kind = e->kind,
      .spacing = spacing == spacing ? spacing : 2 * e->type->radius(e->param) * e->size[1],
      .radius = e->radius,
      .suits = suits,
      .user = e,
      .work = e->work};
  rutScatterPlace* place = rut_context_alloc(context, (size_t)(seats + 1) * sizeof *place, 16);
  int n = 0;
  const rutScatterEnd end =
      place ? rut_scatter(context, &scatter, e->standing, place, &n) : RUT_SCATTER_MEMORY;
  report_end(e, end, n, seats);
  for (int i = 0; i < n; i++) {
    const double given = e->head->yaw;
    const double yaw =
        given == given ? given : 2 * RUT_PI * random_of(e, AT_RANDOM, place[i].seat, HEADING);
    if (!add_random(e, AT_RANDOM, place[i].seat, place[i].at, yaw)) break;
  }
  rut_context_free(context, place);
}

static void add_at_random(Element* e) {
  const rutSpec* spec = e->draft->spec;
  const rutSceneryHead* h = e->head;
  if (!(h->number > 0 || h->density > 0)) return;
  if (h->number > 0 && h->density > 0) {
    rut_node_error(spec, e->node, "density", RUT_ERR_MODEL, "",
                   "give the 'number' or the 'density', not both");
    return;
  }
  if (!read_area(e) || !read_map(e)) return;
  const double seats = h->number > 0 ? h->number : density_seats(e);
  if (seats > RUT_MAX_SCENERY) {
    rut_node_error(spec, e->node, "density", RUT_ERR_CAPACITY, "",
                   "this density gives %.3g individuals in the box around the area; at most %d are "
                   "allowed",
                   seats, RUT_MAX_SCENERY);
  } else {
    add_scattered(e, (int)seats, h->number > 0);
  }
  if (e->map.given) rut_raster_free(&e->map.raster);
}

// ---- elements ----

static bool read_size(Element* e) {
  int n = 0;
  const double* size = rut_node_numbers(e->draft->spec, e->node, "size", &n);
  memcpy(e->size, size, sizeof e->size);
  if (e->size[0] <= e->size[1]) return true;
  rut_node_error(e->draft->spec, e->node, "size", RUT_ERR_MODEL, "",
                 "the least size comes first: \"%g %g\"", e->size[1], e->size[0]);
  return false;
}

static void read_scenery(Element* e) {
  if (!rut_draft_scenery_param(e->draft, e->node, &e->param) || !read_size(e)) return;
  e->head = (const rutSceneryHead*)(const void*)e->param;
  const char* name = rut_node_name(e->draft->spec, e->node);
  uint64_t hash = rut_hash(RUT_HASH_START, e->type->base.name, strlen(e->type->base.name));
  hash = rut_hash(hash, name, strlen(name));
  e->stream = (uint32_t)(hash >> 32);
  e->radius = e->size[1] * e->type->radius(e->param);
  e->away = (rutKeepAway){e->head->start_distance + e->radius, e->head->path_distance + e->radius,
                          e->head->road_distance + e->radius};
  e->tan_slope = e->head->max_slope < 0.5 * RUT_PI ? rut_tan(e->head->max_slope) : RUT_INFINITY;
  if (!list_forms(e)) return;
  const rutSceneryItem any = {.size = 1};
  const rutDraftVisual look = rut_draft_scenery_visual(e->draft, e->node, e->first_form, &any);
  e->material = look.surface.material;
  e->semantic_class = look.semantic_class;
  add_places(e);
  add_along(e);
  add_at_random(e);
}

void rut_draft_scenery(rutDraft* draft) {
  const rutNode root = rut_spec_root(draft->spec);
  rutNode node = rut_node_first(draft->spec, root, "scenery");
  if (rut_node_is_null(node)) return;
  int64_t work = 0;
  rutClearance clearance;
  rut_clearance_read(draft, &clearance);
  rutStanding* standing = rut_standing_create(draft->context);
  if (!standing) rut_node_error(draft->spec, root, NULL, RUT_ERR_MEMORY, "", "out of memory");
  for (int i = 0; standing && !rut_node_is_null(node);
       node = rut_node_next(draft->spec, node, "scenery"), i++) {
    // places take time to find: after several faults it is enough
    if (draft->reporter->errors >= RUT_MAX_FILE_ERRORS) break;
    Element e = {.draft = draft,
                 .node = node,
                 .type = (const rutSceneryType*)rut_node_component(draft->spec, node),
                 .kind = i,
                 .standing = standing,
                 .clearance = &clearance,
                 .work = &work};
    read_scenery(&e);
    rut_context_free(draft->context, e.param);
    // no place is left for the elements that follow
    if (draft->scenery_item.n == RUT_MAX_SCENERY && draft->reporter->errors > 0) break;
  }
  rut_standing_destroy(draft->context, standing);
  rut_clearance_free(draft, &clearance);
}

void rut_draft_scenery_free(rutDraft* draft) {
  rut_context_free(draft->context, draft->scenery_item.item);
  rut_context_free(draft->context, draft->scenery_form.item);
  rut_context_free(draft->context, draft->scenery_part.item);
}

// The outline of a part of an individual in the world, between nothing and a level of water.
static void build_water(const rutSceneryItem* item, const rutSceneryPart* part, double* xy,
                        rutWater* water) {
  double sine, cosine;
  rut_sincos(item->yaw, &sine, &cosine);
  for (int k = 0; k < 2 * part->corners; k++) xy[k] = item->size * part->xy[k];
  rut_polygon_transform(part->corners, xy,
                        (rutPlanePose){item->position[0], item->position[1], cosine, sine}, xy);
  *water = (rutWater){
      .corners = part->corners, .xy = xy, .level = item->position[2] + item->size * part->z_max};
  rut_polygon_bounds(part->corners, xy, water->box);
}

static void build_waters(const rutDraft* draft, rutArena* arena, rutModel* model) {
  int n = 0;
  for (int i = 0; i < draft->scenery_item.n; i++) {
    const rutSceneryItem* item = rut_list_at(&draft->scenery_item, i);
    const rutSceneryForm* form = rut_list_at(&draft->scenery_form, item->form);
    n += form->water ? form->parts : 0;
  }
  rutWater* water = RUT_TAKE(arena, rutWater, n);
  double highest = -RUT_NO_LIMIT;
  for (int i = 0, w = 0; i < draft->scenery_item.n; i++) {
    const rutSceneryItem* item = rut_list_at(&draft->scenery_item, i);
    const rutSceneryForm* form = rut_list_at(&draft->scenery_form, item->form);
    for (int k = 0; form->water && k < form->parts; k++, w++) {
      const rutSceneryPartRecord* from = rut_list_at(&draft->scenery_part, form->first + k);
      double* xy = RUT_TAKE(arena, double, 2 * from->part.corners);
      if (!water || !xy) continue;
      build_water(item, &from->part, xy, &water[w]);
      highest = rut_max(highest, water[w].level);
    }
  }
  if (model) model->waters = (rutWaters){n, water, highest};
}

void rut_build_scenery(const rutDraft* draft, rutArena* arena, rutModel* model) {
  rutSceneryForm* form = RUT_TAKE(arena, rutSceneryForm, draft->scenery_form.n);
  const rutSceneryItem* item =
      RUT_COPY(arena, (const rutSceneryItem*)draft->scenery_item.item, draft->scenery_item.n);
  const rutSceneryPartRecord* part =
      RUT_COPY(arena, (const rutSceneryPartRecord*)draft->scenery_part.item, draft->scenery_part.n);
  for (int i = 0; i < draft->scenery_form.n; i++) {
    const rutSceneryForm* from = rut_list_at(&draft->scenery_form, i);
    const char* name = rut_build_text(arena, from->name);
    if (!form) continue;
    form[i] = *from;
    form[i].name = name;
  }
  build_waters(draft, arena, model);
  if (!model) return;
  model->scenery = (rutScenery){draft->scenery_item.n, draft->scenery_form.n, item, form, part};
}
