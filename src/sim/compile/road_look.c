// SPDX-License-Identifier: BSD-3-Clause
#include "sim/compile/road_look.h"

#include <string.h>

#include "geom/polygon.h"
#include "geom/road_surface.h"
#include "math/rut_math.h"
#include "sim/compile/material.h"
#include "sim/compile/scene.h"

enum { MOST_PIECES = 60000, MOST_REGIONS = 2000, OUTLINE = 100 };
#define ABOVE       0.02   // height of lanes above the ground [m]
#define MARKS_ABOVE 0.03   // and of markings
#define PIECE       5.0    // longest piece of a lane [m]
#define NEAR        0.005  // of pieces to the surface [m]
#define BETWEEN     0.1    // of two lines beside each other [m]

// Layers that are seen: one mesh each.
typedef enum LayerKind { LANES, PAVEMENTS, MARKINGS, LAYERS } LayerKind;
static const struct {
  const char *material, *class_name;
  double above;
} layers[LAYERS] = {{"asphalt", "road", ABOVE},
                    {"concrete", "pavement", ABOVE},
                    {"road_paint", "road marking", MARKS_ABOVE}};

typedef struct Look {
  rutDraft* draft;
  rutNode node;
  const rutXodr* file;
  const rutRoadPlan* plan;
  LayerKind layer;
  rutMeshBuilder* builder;
  int instance, material, pieces;
  double at[3], sine, cosine;  // of the terrain
} Look;

static double value(const double c[4], double w) {
  return c[0] + w * (c[1] + w * (c[2] + w * c[3]));
}

// A point of the surface in the world.
static void point_of(const Look* k, const rutRoadSpan* span, double w, double t, double p[3]) {
  double own[3];
  rut_road_point(k->plan, span, w, t, own);
  p[0] = k->at[0] + k->cosine * own[0] - k->sine * own[1];
  p[1] = k->at[1] + k->sine * own[0] + k->cosine * own[1];
  p[2] = k->at[2] + own[2];
}

// A quadrangle between two places along a span, from t[0] t[1] to t[2] t[3], right and left.
static void add_piece(Look* k, const rutRoadSpan* span, const double w[2], const double t[4]) {
  static const int order[4] = {0, 2, 3, 1};
  rutDraft* draft = k->draft;
  double p[4][3];
  int corner[4];
  if (k->pieces >= MOST_PIECES) return;
  k->pieces++;
  for (int i = 0; i < 4; i++) point_of(k, span, w[i >> 1], t[i], p[i]);
  const double above = layers[k->layer].above;
  for (int i = 0; k->builder && i < 4; i++) {
    const double* at = p[order[i]];
    corner[i] = rut_mesh_vertex(k->builder, at[0], at[1], at[2] + above);
  }
  if (k->builder) rut_mesh_quad(k->builder, corner[0], corner[1], corner[2], corner[3]);
  rutSceneryPartRecord* part = rut_draft_push(draft, &draft->scenery_part);
  rutSceneryForm* form = part ? rut_draft_push(draft, &draft->scenery_form) : NULL;
  rutSceneryItem* item = form ? rut_draft_push(draft, &draft->scenery_item) : NULL;
  if (!item) return;
  part->part = (rutSceneryPart){.corners = 4,
                                .z_min = p[0][2] - 0.05,
                                .z_max = p[0][2] + above,
                                .material = layers[k->layer].material};
  for (int i = 0; i < 4; i++) memcpy(&part->part.xy[2 * i], p[order[i]], 2 * sizeof(double));
  part->material = k->material;
  *form = (rutSceneryForm){.type = layers[k->layer].class_name,
                           .name = rut_node_name(draft->spec, k->node),
                           .first = draft->scenery_part.n - 1,
                           .parts = 1,
                           .mesh = -1,
                           .element = -1};
  *item = (rutSceneryItem){.form = draft->scenery_form.n - 1, .instance = k->instance, .size = 1};
}

// A strip between two borders, each a cubic and an offset to the left, from `from` to `to`.
typedef struct Strip {
  const double *right, *left;
  double right_offset, left_offset;
} Strip;

static void add_strip(Look* k, const rutRoadSpan* span, const Strip* s, double from, double to) {
  // as many pieces as keep within a height of the surface where its slope and its roll change
  const double reach = rut_max(rut_abs(s->right[0]), rut_abs(s->left[0]));
  double bend = 0;
  for (int i = 0; i < 2; i++) {
    const double w = i ? to : from;
    bend = rut_max(bend, rut_abs(2 * span->z[2] + 6 * span->z[3] * w) +
                             reach * rut_abs(2 * span->roll[2] + 6 * span->roll[3] * w));
  }
  const double pieces = rut_max((to - from) / PIECE, (to - from) * rut_sqrt(bend / (8 * NEAR)));
  const int n = 1 + (int)rut_min(pieces, 1000);
  for (int i = 0; i < n; i++) {
    const double w[2] = {from + (to - from) * i / n, from + (to - from) * (i + 1) / n};
    const double t[4] = {
        value(s->right, w[0]) + s->right_offset, value(s->left, w[0]) + s->left_offset,
        value(s->right, w[1]) + s->right_offset, value(s->left, w[1]) + s->left_offset};
    if (t[1] - t[0] > 1e-3 || t[3] - t[2] > 1e-3) add_piece(k, span, w, t);
  }
}

// Which layer a lane is in; false if it is not seen.
static bool layer_of(const rutXodrLane* lane, LayerKind* out) {
  static const char* const paved[] = {"sidewalk", "walking", "curb"};
  static const char* const green[] = {"none", "median"};
  *out = LANES;
  for (int i = 0; i < RUT_COUNT_OF(paved); i++) {
    if (strcmp(lane->type, paved[i]) == 0) *out = PAVEMENTS;
  }
  for (int i = 0; i < RUT_COUNT_OF(green); i++) {
    if (strcmp(lane->type, green[i]) == 0) return false;
  }
  return true;
}

// The marking of a lane at its outer border, which holds at a place; NULL if there is none.
static const rutXodrMark* mark_of(const Look* k, const rutXodrLane* lane, double s) {
  const rutXodrMark* mark = (const rutXodrMark*)k->file->mark.item + lane->mark.first;
  const rutXodrMark* found = NULL;
  for (int i = 0; i < lane->mark.n; i++) {
    if (mark[i].at <= s + 1e-6) found = &mark[i];
  }
  return found && !found->none && found->width > 0 ? found : NULL;
}

// A line along a border: whole, or dashes that are counted from the road's start.
static void add_line(Look* k, const rutRoadSpan* span, const rutXodrMark* mark,
                     const double* border) {
  const double whole = span->arc.length, cycle = mark->length + mark->space;
  const double width = rut_clamp(mark->width, 0.01, 1);
  for (int line = 0; line < mark->lines; line++) {
    const double middle = mark->lines > 1 ? (line ? 0.5 : -0.5) * (width + BETWEEN) : 0;
    const Strip s = {border, border, middle - 0.5 * width, middle + 0.5 * width};
    if (!mark->broken || !(mark->length > 0.05 && mark->space > 0.05)) {
      add_strip(k, span, &s, 0, whole);
      continue;
    }
    const double first = rut_floor(span->s / cycle) * cycle - span->s;
    for (int i = 0; first + i * cycle < whole; i++) {
      const double start = first + i * cycle;
      const double from = rut_max(start, 0), to = rut_min(start + mark->length, whole);
      if (to - from > 1e-3) add_strip(k, span, &s, from, to);
    }
  }
}

static void add_span(Look* k, const rutRoadSpan* span) {
  const rutXodrRoad* road = rut_xodr_road(k->file, span->road);
  const double middle = span->s + 0.5 * span->arc.length;
  const int at = rut_xodr_section_at(k->file, road, middle);
  if (at < 0) return;
  const rutXodrSection* section = rut_xodr_section(k->file, at);
  const rutRoadStrip* strips =
      (const rutRoadStrip*)(const void*)((const char*)k->plan + k->plan->strip) + span->strip;
  for (int side = 1; side >= -1; side--) {
    const int n = side == 0 ? 1 : span->strips[side > 0 ? 0 : 1] - 1;
    for (int i = 0; i < n; i++) {
      const int found = rut_xodr_find_lane(k->file, section, side * (i + 1));
      if (found < 0) continue;
      const rutXodrLane* lane = rut_xodr_lane(k->file, found);
      const rutRoadStrip* strip = side == 0 ? NULL : &strips[(side > 0 ? 0 : span->strips[0]) + i];
      LayerKind kind;
      if (strip && layer_of(lane, &kind) && kind == k->layer) {
        const Strip s = {side > 0 ? strip->inner : strip->outer,
                         side > 0 ? strip->outer : strip->inner, 0, 0};
        add_strip(k, span, &s, 0, span->arc.length);
      }
      const rutXodrMark* mark = k->layer == MARKINGS ? mark_of(k, lane, middle) : NULL;
      if (mark) add_line(k, span, mark, strip ? strip->outer : span->middle);
    }
  }
}

static void close_layer(Look* k) {
  rutDraft* draft = k->draft;
  if (!k->builder) return;
  rutMeshModel mesh = {0};
  rutError err = {0};
  const rutStatus status = rut_mesh_builder_finish(k->builder, &mesh, &err);
  if (status != RUT_OK) {
    rut_node_error(draft->spec, k->node, NULL, status, "", "%s", err.message);
  } else if (mesh.triangles > 0) {
    rutDraftVisual seen = rut_draft_standing((const double[]){0, 0, 0}, 0, 1);
    seen.mesh = rut_draft_mesh(draft, &mesh);
    seen.surface.instance = k->instance;
    seen.semantic_class = rut_draft_class(draft, k->node, layers[k->layer].class_name);
    rut_draft_visual(draft, &seen);
  }
  rut_mesh_model_free(&mesh);
  rut_mesh_builder_free(k->builder);
}

static void place_terrain(rutDraft* draft, rutNode node, double at[3], double* sine,
                          double* cosine) {
  int n = 0;
  const double* position = rut_node_numbers(draft->spec, node, "position", &n);
  for (int i = 0; i < 3; i++) at[i] = i < n ? position[i] : 0;
  rut_sincos(rut_node_number(draft->spec, node, "yaw"), sine, cosine);
}

void rut_draft_road_look(rutDraft* draft, rutNode node, const rutXodr* file,
                         const rutRoadPlan* plan) {
  const bool watched = rut_draft_is_watched(draft);
  if (!watched && !draft->context->shows_ground) return;
  Look k = {.draft = draft, .node = node, .file = file, .plan = plan};
  place_terrain(draft, node, k.at, &k.sine, &k.cosine);
  for (int layer = 0; layer < LAYERS; layer++) {
    k.layer = (LayerKind)layer;
    k.instance = rut_draft_instance(draft, node);
    k.material =
        rut_draft_preset_material(draft, node, layers[layer].material, layers[layer].class_name);
    k.builder = watched ? rut_mesh_builder_new() : NULL;
    if (k.builder) rut_mesh_preset(k.builder, layers[layer].material);
    for (int i = 0; i < plan->spans; i++) add_span(&k, rut_road_span(plan, i));
    close_layer(&k);
  }
  if (k.pieces < MOST_PIECES) return;
  rut_node_warning(draft->spec, node, "file",
                   "only the first %d pieces of lanes and lines are seen", MOST_PIECES);
}

// ---- friction ----

// The outline of a part of a lane, up one border and down the other.
static int outline_of(const rutXodr* file, const rutXodrRoad* road, int lane, const double s[2],
                      double* xy) {
  const int n = (int)rut_clamp((s[1] - s[0]) / 2 + 2, 2, OUTLINE);
  for (int i = 0; i < 2 * n; i++) {
    const int side = i < n ? 0 : 1, step = side ? 2 * n - 1 - i : i;
    const double at = s[0] + (s[1] - s[0]) * (1e-9 + (1 - 2e-9) * step / (n - 1));
    const int section = rut_xodr_section_at(file, road, at);
    rutRoadCubic border[2], roll = rut_xodr_cubic_at(file, road->superelevation, at);
    rut_xodr_borders(file, road, rut_xodr_section(file, section), lane, at, border);
    const rutRoadPlace line = rut_xodr_line_at(file, road, at);
    const double t =
        rut_road_cubic_at(&border[side], at).v * rut_cos(rut_road_cubic_at(&roll, at).v);
    double sine, cosine;
    rut_sincos(line.heading, &sine, &cosine);
    xy[2 * i] = line.x - sine * t;
    xy[2 * i + 1] = line.y + cosine * t;
  }
  return 2 * n;
}

static void add_region(rutDraft* draft, const Look* k, const rutXodrRoad* road, int lane,
                       const double s[2], double friction) {
  double* xy = rut_context_alloc(draft->context, (size_t)OUTLINE * 4 * sizeof *xy, 16);
  double** kept = xy ? rut_draft_push(draft, &draft->road_outline) : NULL;
  rutRegion* r = kept ? rut_draft_push(draft, &draft->region) : NULL;
  if (kept) *kept = xy;
  if (!r) return;
  const int n = outline_of(k->file, road, lane, s, xy);
  for (int i = 0; i < n; i++) {
    const double x = xy[2 * i], y = xy[2 * i + 1];
    xy[2 * i] = k->at[0] + k->cosine * x - k->sine * y;
    xy[2 * i + 1] = k->at[1] + k->sine * x + k->cosine * y;
  }
  double box[4];
  rut_polygon_bounds(n, xy, box);
  *r = (rutRegion){.min = {box[0], box[1], -1e9},
                   .max = {box[2], box[3], 1e9},
                   .friction = friction,
                   .rolling_resistance = RUT_NAN,
                   .strength = RUT_NAN,
                   .moisture = RUT_NAN,
                   .soft_depth = RUT_NAN,
                   .soil = -1,
                   .corners = n,
                   .xy = xy};
}

static int lane_friction(rutDraft* draft, const Look* k, const rutXodrRoad* road,
                         const rutXodrSection* section, const rutXodrLane* lane) {
  const rutXodrMaterial* m = (const rutXodrMaterial*)k->file->material.item + lane->material.first;
  int n = 0;
  for (int i = 0; i < lane->material.n; i++) {
    const double end = i + 1 < lane->material.n ? m[i + 1].at : section->end;
    const double s[2] = {rut_clamp(m[i].at, 0, road->length), rut_clamp(end, 0, road->length)};
    if (!(m[i].friction >= 0) || !(s[1] - s[0] > 0.01)) continue;
    add_region(draft, k, road, lane->id, s, m[i].friction);
    n++;
  }
  return n;
}

void rut_draft_road_friction(rutDraft* draft, rutNode node, const rutXodr* file,
                             const rutRoadPlan* plan) {
  Look k = {.draft = draft, .node = node, .file = file, .plan = plan};
  place_terrain(draft, node, k.at, &k.sine, &k.cosine);
  int regions = 0, road_seen = -1;
  for (int i = 0; i < plan->spans && regions < MOST_REGIONS; i++) {
    const int index = rut_road_span(plan, i)->road;
    if (index == road_seen) continue;
    road_seen = index;
    const rutXodrRoad* road = rut_xodr_road(file, index);
    for (int j = 0; j < road->section.n; j++) {
      const rutXodrSection* section = rut_xodr_section(file, road->section.first + j);
      for (int l = 0; l < section->lane.n && regions < MOST_REGIONS; l++) {
        const rutXodrLane* lane = rut_xodr_lane(file, section->lane.first + l);
        if (lane->id != 0) regions += lane_friction(draft, &k, road, section, lane);
      }
    }
  }
  if (regions < MOST_REGIONS) return;
  rut_node_warning(draft->spec, node, "file",
                   "only the first %d places with a <material> have its "
                   "friction",
                   MOST_REGIONS);
}
