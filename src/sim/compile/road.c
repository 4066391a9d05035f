// SPDX-License-Identifier: BSD-3-Clause
//
// A road is a strip about a centre line. Heights of elevation maps under it become those of a
// smooth profile with a crown; its surface and markings are meshes a few centimetres above the
// ground; pavements beside it are level planes.
#include "sim/compile/road.h"

#include <string.h>

#include "geom/polygon.h"
#include "math/rut_math.h"
#include "sim/compile/ground.h"
#include "sim/compile/material.h"
#include "sim/compile/scene.h"

enum { MAX_STATIONS = 50000, MAX_POINTS = 10000, MAX_COLUMNS = 64, CROSSING_BARS = 64 };
#define STATION     2.0   // distance of cross-sections [m]
#define COLUMN      1.25  // width of the strips of a cross-section [m]
#define ABOVE       0.02  // height of the surface above the ground [m]
#define MARKS_ABOVE 0.03  // and of markings [m]
#define MARK        0.12  // width of a line [m]
#define DASH        3.0   // length of a dash, and of the gap after it [m]
#define GAP         6.0
#define CURVE_END   0.45   // most of a leg that a curve at one of its ends takes
#define ARC_STEP    0.087  // change of heading between stations of a curve [rad]
#define SMOOTHING   10.0   // length over which the profile is a mean of the ground [m]
#define FAR         3e38F
// Work that all roads of a world may take: looks at places of the ground, and at nodes of maps.
#define MOST_WORK 5e8
#define LEVEL     0.05  // of ground that carries pavements: greatest difference of heights [m]

// A cross-section.
typedef struct Station {
  double x, y, z, s;  // place of its middle, height of the profile, distance from the start [m]
  double nx, ny;      // unit vector to the left
} Station;

typedef struct Road {
  rutDraft* draft;
  double work;  // so far
  rutNode node;
  Station* at;  // heap
  int n;
  double width, crown, shoulder;
} Road;

// ---- centre line ----

static void add_station(Road* road, double x, double y) {
  const Station* last = road->n ? &road->at[road->n - 1] : NULL;
  if (road->n == MAX_STATIONS) return;
  const double s = last ? last->s + rut_hypot(x - last->x, y - last->y) : 0;
  if (last && s - last->s < 1e-3) return;
  road->at[road->n++] = (Station){.x = x, .y = y, .s = s};
}

static void add_straight(Road* road, double x, double y) {
  const Station from = road->n ? road->at[road->n - 1] : (Station){.x = x, .y = y};
  const double length = rut_hypot(x - from.x, y - from.y);
  const int steps = (int)rut_min(length / STATION, MAX_STATIONS) + 1;
  for (int i = 1; i <= steps; i++) {
    add_station(road, from.x + (x - from.x) * i / steps, from.y + (y - from.y) * i / steps);
  }
}

// An arc that touches both legs of a corner, and the straight before it.
static void add_corner(Road* road, const double* a, const double* b, const double* c,
                       double radius) {
  const double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - b[0], vy = c[1] - b[1];
  const double u = rut_hypot(ux, uy), v = rut_hypot(vx, vy);
  const double turn = rut_atan2(ux * vy - uy * vx, ux * vx + uy * vy);
  const double half = rut_tan(0.5 * rut_abs(turn));
  const double cut = rut_min(radius * half, CURVE_END * rut_min(u, v));
  if (!(cut > 1e-3) || !(u > 0 && v > 0)) {
    add_straight(road, b[0], b[1]);
    return;
  }
  const double r = cut / half, side = turn > 0 ? 1 : -1;
  const double x = b[0] - cut * ux / u, y = b[1] - cut * uy / u;
  add_straight(road, x, y);
  const double cx = x - side * r * uy / u, cy = y + side * r * ux / u;
  const int steps = (int)(rut_abs(turn) / ARC_STEP) + 1;
  for (int i = 1; i <= steps; i++) {
    double s, k;
    rut_sincos(turn * i / steps, &s, &k);
    add_station(road, cx + k * (x - cx) - s * (y - cy), cy + s * (x - cx) + k * (y - cy));
  }
}

// Directions across: half way between those of the pieces that meet.
static void find_normals(Road* road) {
  for (int i = 0; i < road->n; i++) {
    const Station* a = &road->at[i > 0 ? i - 1 : 0];
    const Station* b = &road->at[i + 1 < road->n ? i + 1 : i];
    const double dx = b->x - a->x, dy = b->y - a->y, length = rut_hypot(dx, dy);
    road->at[i].nx = -dy / length;
    road->at[i].ny = dx / length;
  }
}

// Heights of the ground along the line, each the mean over a length about it; 0 off all ground.
static void find_profile(Road* road) {
  double* height = rut_context_alloc(road->draft->context, (size_t)road->n * sizeof *height, 16);
  if (!height) return;
  for (int i = 0; i < road->n; i++) {
    const Station* st = &road->at[i];
    if (rut_draft_finds_ground(road->draft, st->x, st->y, RUT_INFINITY, &height[i])) continue;
    height[i] = RUT_NAN;
  }
  for (int i = 0, from = 0; i < road->n; i++) {
    double sum = 0;
    int n = 0;
    while (road->at[i].s - road->at[from].s > 0.5 * SMOOTHING) from++;
    for (int k = from; k < road->n && road->at[k].s - road->at[i].s <= 0.5 * SMOOTHING; k++) {
      if (!(height[k] == height[k])) continue;
      sum += height[k];
      n++;
    }
    road->at[i].z = n > 0 ? sum / n : 0;
  }
  rut_context_free(road->draft->context, height);
}

// False after an error.
static bool read_line(Road* road) {
  const rutSpec* spec = road->draft->spec;
  int n = 0;
  const double* xy = rut_node_numbers(spec, road->node, "points", &n);
  const double radius = rut_node_number(spec, road->node, "corner_radius");
  n /= 2;
  if (n < 2 || n > MAX_POINTS) {
    rut_node_error(spec, road->node, "points", RUT_ERR_MODEL, "",
                   "a road needs 2 to %d points, not %d", MAX_POINTS, n);
    return false;
  }
  road->at = rut_context_alloc(road->draft->context, MAX_STATIONS * sizeof *road->at, 16);
  if (!road->at) {
    rut_node_error(spec, road->node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    return false;
  }
  add_station(road, xy[0], xy[1]);
  for (int i = 1; i + 1 < n; i++) {
    const double* b = xy + (size_t)2 * i;
    add_corner(road, b - 2, b, b + 2, radius);
  }
  add_straight(road, xy[2 * n - 2], xy[2 * n - 1]);
  if (road->n >= 2 && road->n < MAX_STATIONS) return true;
  rut_node_error(spec, road->node, "points", RUT_ERR_CAPACITY, "", "a road is %g m to %g m long",
                 1e-3, MAX_STATIONS * STATION);
  return false;
}

// ---- ground ----

// Nearest place on a piece of the line: how far along it, 0 to 1, and how far from it [m].
static double nearest(const Station* a, const Station* b, double x, double y, double* away) {
  const double dx = b->x - a->x, dy = b->y - a->y;
  const double t = rut_clamp(((x - a->x) * dx + (y - a->y) * dy) / (dx * dx + dy * dy), 0, 1);
  *away = rut_hypot(x - a->x - t * dx, y - a->y - t * dy);
  return t;
}

// Nodes of a map under a piece of road: `best` keeps how far from the line each node's height was
// taken, since pieces overlap.
static void stamp_piece(Road* road, int piece, const rutDraftSource* s, float* best) {
  const Station *a = &road->at[piece], *b = a + 1;
  const rutHeightField* f = &s->field;
  const double reach = 0.5 * road->width + road->shoulder;
  const double low[2] = {rut_min(a->x, b->x) - reach, rut_min(a->y, b->y) - reach};
  const double high[2] = {rut_max(a->x, b->x) + reach, rut_max(a->y, b->y) + reach};
  int from[2], to[2];
  for (int k = 0; k < 2; k++) {
    const int n = k ? f->ny : f->nx;
    from[k] = (int)rut_clamp((low[k] - f->origin[k]) / f->spacing, 0, n - 1);
    to[k] = (int)rut_clamp((high[k] - f->origin[k]) / f->spacing + 1, 0, n - 1);
  }
  road->work += (double)(to[0] - from[0] + 1) * (to[1] - from[1] + 1);
  for (int iy = from[1]; iy <= to[1] && road->work < MOST_WORK; iy++) {
    for (int ix = from[0]; ix <= to[0]; ix++) {
      double away;
      const double t =
          nearest(a, b, f->origin[0] + ix * f->spacing, f->origin[1] + iy * f->spacing, &away);
      const size_t node = (size_t)iy * (size_t)f->nx + (size_t)ix;
      if (away > reach || !((float)away < best[2 * node])) continue;
      if (best[2 * node] == FAR) best[2 * node + 1] = (float)s->height[node];
      best[2 * node] = (float)away;
      const double off = rut_max(away - 0.5 * road->width, 0) / rut_max(road->shoulder, 1e-9);
      const double keep = off * off * (3 - 2 * off);
      const double surface =
          a->z + t * (b->z - a->z) - road->crown * rut_min(away, 0.5 * road->width);
      const double before = (double)best[2 * node + 1];
      s->height[node] = keep * before + (1 - keep) * surface;
    }
  }
}

static void stamp(Road* road, rutDraftSource* s) {
  const size_t nodes = (size_t)s->field.nx * (size_t)s->field.ny;
  road->work += (double)nodes;
  float* best = rut_context_alloc(road->draft->context, 2 * nodes * sizeof *best, 16);
  if (!best) {
    rut_node_error(road->draft->spec, road->node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    return;
  }
  for (size_t i = 0; i < nodes; i++) best[2 * i] = FAR;
  for (int i = 0; i + 1 < road->n; i++) stamp_piece(road, i, s, best);
  const double origin[2] = {s->field.origin[0], s->field.origin[1]};
  rut_height_field_init(&s->field, s->field.nx, s->field.ny, s->field.spacing, origin, s->height);
  rut_context_free(road->draft->context, best);
}

static double height_at(const Road* road, int i, double offset) {
  const Station* st = &road->at[i];
  return rut_draft_ground_height(road->draft, st->x + offset * st->nx, st->y + offset * st->ny,
                                 RUT_INFINITY);
}

// ---- what is seen ----

// A strip between two offsets to the left, from station to station, above the ground.
typedef struct Strip {
  double right, left, above;
  const char *material, *class_name;
} Strip;

static void add_row(const Road* road, const Strip* strip, int i, int columns,
                    rutMeshBuilder* builder, int* row) {
  const Station* st = &road->at[i];
  for (int c = 0; c <= columns; c++) {
    const double offset = strip->right + (strip->left - strip->right) * c / columns;
    row[c] = rut_mesh_vertex(builder, st->x + offset * st->nx, st->y + offset * st->ny,
                             height_at(road, i, offset) + strip->above);
  }
}

static void draw_strip(const Road* road, const Strip* strip, int from, int to,
                       rutMeshBuilder* builder) {
  const int columns = (int)rut_clamp((strip->left - strip->right) / COLUMN, 0, MAX_COLUMNS - 1) + 1;
  int row[2][MAX_COLUMNS + 1];
  add_row(road, strip, from, columns, builder, row[0]);
  for (int i = from; i < to; i++) {
    add_row(road, strip, i + 1, columns, builder, row[1]);
    for (int c = 0; c < columns; c++) {
      rut_mesh_quad(builder, row[0][c], row[1][c], row[1][c + 1], row[0][c + 1]);
    }
    memcpy(row[0], row[1], sizeof row[0]);
  }
}

// A level quadrangle for the page: part of a form of its own.
static void show_piece(const Road* road, const Strip* strip, int i, int instance) {
  rutDraft* draft = road->draft;
  const Station *a = &road->at[i], *b = a + 1;
  const double z = 0.5 * (height_at(road, i, strip->left) + height_at(road, i + 1, strip->right));
  rutSceneryPart part = {
      4,
      {a->x + strip->right * a->nx, a->y + strip->right * a->ny, b->x + strip->right * b->nx,
       b->y + strip->right * b->ny, b->x + strip->left * b->nx, b->y + strip->left * b->ny,
       a->x + strip->left * a->nx, a->y + strip->left * a->ny},
      z - 0.05,
      z + strip->above,
      strip->material,
      false};
  rutSceneryPartRecord* p = rut_draft_push(draft, &draft->scenery_part);
  rutSceneryForm* form = p ? rut_draft_push(draft, &draft->scenery_form) : NULL;
  rutSceneryItem* item = form ? rut_draft_push(draft, &draft->scenery_item) : NULL;
  if (!item) return;
  p->part = part;
  p->material = rut_draft_preset_material(draft, road->node, strip->material, strip->class_name);
  *form = (rutSceneryForm){.type = strip->class_name,
                           .name = rut_node_name(draft->spec, road->node),
                           .first = draft->scenery_part.n - 1,
                           .parts = 1,
                           .mesh = -1,
                           .element = -1};
  *item = (rutSceneryItem){.form = draft->scenery_form.n - 1, .instance = instance, .size = 1};
}

// Strips of one class in a mesh.
typedef struct Layer {
  const Road* road;
  rutMeshBuilder* builder;
  int instance;
} Layer;

static void lay(const Layer* layer, const Strip* strip, int from, int to) {
  if (layer->builder) {
    rut_mesh_preset(layer->builder, strip->material);
    draw_strip(layer->road, strip, from, to, layer->builder);
  }
  for (int i = from; i < to; i++) show_piece(layer->road, strip, i, layer->instance);
}

static Layer open_layer(const Road* road, int instance) {
  const bool seen = rut_draft_is_watched(road->draft);
  return (Layer){road, seen ? rut_mesh_builder_new() : NULL, instance};
}

static void close_layer(Layer* layer, const char* class_name) {
  rutDraft* draft = layer->road->draft;
  if (!layer->builder) return;
  rutMeshModel mesh = {0};
  rutError err = {0};
  const rutStatus status = rut_mesh_builder_finish(layer->builder, &mesh, &err);
  if (status != RUT_OK) {
    rut_node_error(draft->spec, layer->road->node, NULL, status, "", "%s", err.message);
  } else if (mesh.triangles > 0) {
    rutDraftVisual seen = rut_draft_standing((const double[]){0, 0, 0}, 0, 1);
    seen.mesh = rut_draft_mesh(draft, &mesh);
    seen.surface.instance = layer->instance;
    seen.semantic_class = rut_draft_class(draft, layer->road->node, class_name);
    rut_draft_visual(draft, &seen);
  }
  rut_mesh_model_free(&mesh);
  rut_mesh_builder_free(layer->builder);
}

// A line of dashes, or a whole one.
static void mark(const Layer* layer, double offset, bool dashed) {
  const Strip line = {offset - 0.5 * MARK, offset + 0.5 * MARK, MARKS_ABOVE, "road_paint",
                      "road marking"};
  const Road* road = layer->road;
  if (!dashed) {
    lay(layer, &line, 0, road->n - 1);
    return;
  }
  for (int i = 0; i + 1 < road->n; i++) {
    const double s = road->at[i].s, phase = s - (DASH + GAP) * rut_floor(s / (DASH + GAP));
    if (phase < DASH) lay(layer, &line, i, i + 1);
  }
}

// Bars along the road where people cross it.
static void mark_crossings(const Layer* layer) {
  const Road* road = layer->road;
  int n = 0;
  const double* s = rut_node_numbers(road->draft->spec, road->node, "crossings", &n);
  for (int k = 0; k < n; k++) {
    int from = 0;
    while (from + 1 < road->n - 1 && road->at[from + 1].s < s[k] - 2) from++;
    int to = from;
    while (to < road->n - 1 && road->at[to].s < s[k] + 2) to++;
    for (int bar = 0; bar < CROSSING_BARS; bar++) {
      const double right = -0.5 * road->width + 0.35 + bar;
      if (right + 0.5 > 0.5 * road->width - 0.2) break;
      const Strip strip = {right, right + 0.5, MARKS_ABOVE, "road_paint", "road marking"};
      lay(layer, &strip, from, to);
    }
  }
}

static void mark_lanes(const Layer* layer) {
  const Road* road = layer->road;
  const int lanes = (int)rut_node_number(road->draft->spec, road->node, "lanes");
  mark(layer, 0.5 * road->width - 0.2, false);
  mark(layer, 0.2 - 0.5 * road->width, false);
  for (int i = 1; i < lanes; i++) {
    const bool middle = 2 * i == lanes && lanes > 2;
    mark(layer, road->width * ((double)i / lanes - 0.5), !middle);
  }
}

// ---- soil and pavements ----

// The friction coefficient of the road, as a region with its outline.
static void lay_friction(const Road* road) {
  rutDraft* draft = road->draft;
  const double friction = rut_node_number(draft->spec, road->node, "friction");
  if (!(friction == friction)) return;
  const double half = 0.5 * road->width;
  double* xy = rut_context_alloc(draft->context, (size_t)road->n * 4 * sizeof *xy, 16);
  double** kept = xy ? rut_draft_push(draft, &draft->road_outline) : NULL;
  rutRegion* r = kept ? rut_draft_push(draft, &draft->region) : NULL;
  if (kept) *kept = xy;
  if (!r) return;
  for (int i = 0; i < road->n; i++) {
    const Station* st = &road->at[i];
    double *left = xy + (size_t)2 * i, *right = xy + (size_t)2 * (2 * road->n - 1 - i);
    left[0] = st->x + half * st->nx;
    left[1] = st->y + half * st->ny;
    right[0] = st->x - half * st->nx;
    right[1] = st->y - half * st->ny;
  }
  double box[4];
  rut_polygon_bounds(2 * road->n, xy, box);
  *r = (rutRegion){.min = {box[0], box[1], -1e9},
                   .max = {box[2], box[3], 1e9},
                   .friction = friction,
                   .rolling_resistance = RUT_NAN,
                   .strength = RUT_NAN,
                   .moisture = RUT_NAN,
                   .soft_depth = RUT_NAN,
                   .soil = -1,
                   .corners = 2 * road->n,
                   .xy = xy};
}

// A pavement on one side: a level plane along each straight piece.
static void add_pavement(const Road* road, double side, double width, double kerb) {
  rutDraft* draft = road->draft;
  const rutSurface surface = {rut_draft_instance(draft, road->node),
                              rut_draft_preset_material(draft, road->node, "concrete", "pavement")};
  int from = 0;
  for (int i = 1; i < road->n; i++) {
    const bool straight = i + 1 < road->n &&
                          rut_abs(road->at[i + 1].nx - road->at[from].nx) < 1e-6 &&
                          rut_abs(road->at[i + 1].ny - road->at[from].ny) < 1e-6;
    if (straight) continue;
    const Station *a = &road->at[from], *b = &road->at[i];
    const double near = side * 0.5 * road->width, far = near + side * width;
    const double z = height_at(road, from, near);
    const bool level = rut_abs(height_at(road, i, near) - z) < LEVEL &&
                       rut_abs(height_at(road, from, far) - z) < LEVEL;
    rutDraftSource* s = level ? rut_draft_push(draft, &draft->source) : NULL;
    if (s) {
      const double length = rut_hypot(b->x - a->x, b->y - a->y);
      s->source = (rutGroundSource){.kind = RUT_GROUND_PLANE,
                                    .x = a->x,
                                    .y = a->y,
                                    .z = z + kerb,
                                    .x_min = -0.05,
                                    .x_max = length + 0.05,
                                    .y_min = rut_min(near, far),
                                    .y_max = rut_max(near, far),
                                    .cos_yaw = (b->x - a->x) / length,
                                    .sin_yaw = (b->y - a->y) / length};
      s->surface = surface;
      const Strip strip = {rut_min(near, far), rut_max(near, far), kerb, "concrete", "pavement"};
      for (int k = from; k < i; k++) show_piece(road, &strip, k, surface.instance);
    } else {
      rut_node_warning(draft->spec, road->node, "pavement",
                       "the ground beside the road is not level at (%.4g, %.4g) m: it has no "
                       "pavement there",
                       a->x, a->y);
    }
    from = i;
  }
}

// ---- elements ----

// False after an error.
static bool is_short_work(const Road* road) {
  if (road->work < MOST_WORK) return true;
  rut_node_error(road->draft->spec, road->node, "points", RUT_ERR_CAPACITY,
                 "shorten the road, or use a coarser elevation map",
                 "it would take too long to lay the road on this ground");
  return false;
}

static void read_road(Road* road) {
  rutDraft* draft = road->draft;
  const rutSpec* spec = draft->spec;
  static const char* const surfaces[] = {"asphalt", "concrete", "gravel", "sandy_loam"};
  road->width = rut_node_number(spec, road->node, "width");
  road->crown = rut_node_number(spec, road->node, "crown");
  road->shoulder = rut_node_number(spec, road->node, "shoulder");
  if (!read_line(road)) return;
  // each cross-section looks at the ground at so many places
  road->work +=
      (double)road->n * (road->width / COLUMN + 20) * (1 + draft->source.n) * (1 + draft->shape.n);
  if (!is_short_work(road)) return;
  find_normals(road);
  find_profile(road);
  for (int i = 0; i < draft->source.n; i++) {
    rutDraftSource* s = rut_list_at(&draft->source, i);
    if (s->source.kind == RUT_GROUND_FIELD) stamp(road, s);
    if (!is_short_work(road)) return;
  }
  const int instance = rut_draft_instance(draft, road->node);
  const int surface = (int)rut_node_number(spec, road->node, "surface");
  const Strip strip = {-0.5 * road->width, 0.5 * road->width, ABOVE, surfaces[surface], "road"};
  Layer layer = open_layer(road, instance);
  lay(&layer, &strip, 0, road->n - 1);
  close_layer(&layer, "road");
  layer = open_layer(road, rut_draft_instance(draft, road->node));
  if (rut_node_number(spec, road->node, "markings") != 0) mark_lanes(&layer);
  mark_crossings(&layer);
  close_layer(&layer, "road marking");
  lay_friction(road);
  const double pavement = rut_node_number(spec, road->node, "pavement");
  for (int side = -1; side <= 1 && pavement > 0; side += 2) {
    add_pavement(road, side, pavement, rut_node_number(spec, road->node, "kerb"));
  }
}

void rut_draft_roads(rutDraft* draft) {
  const rutSpec* spec = draft->spec;
  double work = 0;
  for (rutNode node = rut_node_first(spec, rut_spec_root(spec), "road"); !rut_node_is_null(node);
       node = rut_node_next(spec, node, "road")) {
    if (draft->reporter->errors >= RUT_MAX_FILE_ERRORS) return;
    Road road = {.draft = draft, .node = node, .work = work};
    read_road(&road);
    work = road.work;
    rut_context_free(draft->context, road.at);
  }
}
