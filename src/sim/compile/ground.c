// SPDX-License-Identifier: BSD-3-Clause
//
// From <elevation_map>, <plane> and <terrain> to ground sources and shapes.
#include "sim/compile/ground.h"

#include <stdlib.h>
#include <string.h>

#include "format/matrix.h"
#include "math/rut_math.h"
#include "sim/compile/elevation.h"
#include "sim/compile/ground_place.h"
#include "sim/compile/ground_texture.h"
#include "sim/compile/material.h"
#include "sim/compile/read.h"
#include "sim/compile/road_file.h"
#include "sim/compile/ruts.h"

static const double HIGHEST = 1e6;  // [m] of the ground, up and down

static void element_of(const rutDraft* draft, rutNode node, char element[RUT_ELEMENT_TEXT]) {
  rut_node_element(draft->spec, node, element);
}

static bool smooth(rutDraft* draft, rutNode node, rutMatrix* heights) {
  const char* text = rut_node_text(draft->spec, node, "kernel");
  if (!text[0]) return true;
  char element[RUT_ELEMENT_TEXT];
  element_of(draft, node, element);
  rutPlace place = rut_node_place_of(draft->spec, node, "kernel");
  rutMatrix kernel = {0}, out = {0};
  rutStatus status = rut_matrix_parse(text, strlen(text), place, element, draft->reporter, &kernel);
  if (status == RUT_OK) {
    status = rut_matrix_smooth(heights, &kernel, place, element, draft->reporter, &out);
  }
  rut_matrix_free(&kernel);
  if (status != RUT_OK) return false;
  rut_matrix_free(heights);
  *heights = out;
  return true;
}

// Heights whose squares and differences stay finite, at least one of them, and no more than memory
// should hold.
static bool check_heights(rutDraft* draft, rutNode node, const rutMatrix* heights) {
  const int n = heights->rows * heights->cols;
  int holes = 0;
  draft->heights += (size_t)n;
  if (draft->heights > RUT_MAX_HEIGHTS) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_CAPACITY, "",
                   "the elevation maps of this world have more than %d heights", RUT_MAX_HEIGHTS);
    return false;
  }
  for (int i = 0; i < n; i++) {
    const double z = heights->value[i];
    holes += !(z == z);
    if (!(rut_abs(z) > HIGHEST)) continue;
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "",
                   "height %.9g m in row %d, column %d is beyond %g m", z, i / heights->cols + 1,
                   i % heights->cols + 1, HIGHEST);
    return false;
  }
  if (holes < n) return true;
  rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "", "the map has no heights at all");
  return false;
}

// Rows that run south, each from west to east.
static void copy_north_up(const rutMatrix* m, double* height) {
  const size_t bytes = (size_t)m->cols * sizeof(double);
  for (int r = 0; r < m->rows; r++) {
    memcpy(height + (size_t)(m->rows - 1 - r) * (size_t)m->cols,
           m->value + (size_t)r * (size_t)m->cols, bytes);
  }
}

// What sensors see of ground with an element of its own.
static rutSurface ground_surface(rutDraft* draft, rutNode node) {
  const int own = rut_draft_material(draft, node, RUT_MATERIAL_GROUND);
  return (rutSurface){rut_draft_instance(draft, node),
                      own == RUT_MATERIAL_GROUND ? draft->ground_surface.material : own};
}

// Turn a map into a field of the draft.
static void add_field(rutDraft* draft, rutNode node, const rutElevation* map) {
  const rutMatrix* heights = &map->heights;
  if (heights->rows < 2 || heights->cols < 2) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MODEL, "",
                   "an elevation map needs at least 2 x 2 heights");
    return;
  }
  if (!check_heights(draft, node, heights)) return;
  rutDraftSource* s = rut_draft_push(draft, &draft->source);
  if (!s) return;
  size_t bytes = (size_t)heights->rows * (size_t)heights->cols * sizeof(double);
  s->height = rut_context_alloc(draft->context, bytes, 64);
  if (!s->height) {
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    draft->source.n--;
    return;
  }
  const int nx = map->north_up ? heights->cols : heights->rows;
  const int ny = map->north_up ? heights->rows : heights->cols;
  if (map->north_up)
    copy_north_up(heights, s->height);
  else
    rut_height_field_from_rows(heights->rows, heights->cols, heights->value, s->height);
  const double spacing = map->spacing;
  double origin[2] = {-0.5 * spacing * (nx - 1), -0.5 * spacing * (ny - 1)};
  if (map->placed) memcpy(origin, map->corner, sizeof origin);
  int n = 0;
  const double* corner = rut_node_numbers(draft->spec, node, "corner", &n);
  if (n == 2 && rut_node_has(draft->spec, node, "corner")) memcpy(origin, corner, sizeof origin);
  rut_height_field_init(&s->field, nx, ny, spacing, origin, s->height);
  s->surface = ground_surface(draft, node);
  s->source.kind = RUT_GROUND_FIELD;
  rut_draft_texture_map(draft, node, map->north_up);
}

static void read_elevation(rutDraft* draft, rutNode node) {
  rutElevation map;
  if (!rut_draft_elevation(draft, node, &map)) return;
  if (smooth(draft, node, &map.heights)) add_field(draft, node, &map);
  rut_matrix_free(&map.heights);
}

static void read_plane(rutDraft* draft, rutNode node) {
  const rutSpec* spec = draft->spec;
  if (!rut_draft_extent(draft, node, "x_min", "x_max") ||
      !rut_draft_extent(draft, node, "y_min", "y_max")) {
    return;
  }
  rutDraftSource* s = rut_draft_push(draft, &draft->source);
  if (!s) return;
  double pose[6];
  rut_draft_pose(draft, node, pose, NULL);
  s->source = (rutGroundSource){
      .kind = RUT_GROUND_PLANE,
      .x = pose[0],
      .y = pose[1],
      .z = pose[2] + rut_node_number(spec, node, "z"),
      .x_min = rut_node_number(spec, node, "x_min"),
      .x_max = rut_node_number(spec, node, "x_max"),
      .y_min = rut_node_number(spec, node, "y_min"),
      .y_max = rut_node_number(spec, node, "y_max"),
  };
  rut_sincos(pose[5], &s->source.sin_yaw, &s->source.cos_yaw);
  s->surface = ground_surface(draft, node);
  rut_draft_keyframes(draft, node, &s->keyframe);
  rut_draft_texture_plane(draft, node);
}

// ---- shapes ----

static double limit(double value, double none) { return value == value ? value : none; }

static void read_terrain(rutDraft* draft, rutNode node) {
  double param[RUT_MAX_PARAMS];
  rut_draft_check_count(draft, node, "position", 2, 3);
  const rutTerrainType* type = (const rutTerrainType*)rut_node_component(draft->spec, node);
  if (!rut_draft_params(draft, node, param)) return;
  const rutTerrainHead* head = (const rutTerrainHead*)(const void*)param;
  const bool filed = rut_draft_has_road_file(type);
  size_t plan_size = type->plan_size ? type->plan_size(param) : 0;
  void* plan = filed ? rut_draft_road_plan(draft, node, &plan_size) : NULL;
  if (filed && !plan) return;
  rutGroundShape* s = rut_draft_push(draft, &draft->shape);
  double* kept = s ? rut_context_alloc(draft->context, sizeof param, 64) : NULL;
  if (!filed && plan_size) plan = rut_context_alloc(draft->context, plan_size, 64);
  if (!s) {
    rut_context_free(draft->context, plan);
    return;
  }
  if (!kept || (plan_size && !plan)) {
    rut_context_free(draft->context, kept);
    rut_context_free(draft->context, plan);
    draft->shape.n--;
    rut_node_error(draft->spec, node, NULL, RUT_ERR_MEMORY, "", "out of memory");
    return;
  }
  s->param = kept;
  s->plan = plan;
  s->plan_bytes = plan_size;
  memcpy(kept, param, sizeof param);
  if (plan && !filed) {
    memset(plan, 0, plan_size);
    type->plan(kept, plan);
  }
  int n = 0;
  const double* position = rut_param_list(kept, head->position, &n);
  s->type = type;
  s->x = n > 0 ? position[0] : 0;
  s->y = n > 1 ? position[1] : 0;
  s->z = n > 2 ? position[2] : 0;
  rut_sincos(head->yaw, &s->sin_yaw, &s->cos_yaw);
  s->x_min = limit(head->x_min, -RUT_INFINITY);
  s->x_max = limit(head->x_max, RUT_INFINITY);
  s->y_min = limit(head->y_min, -RUT_INFINITY);
  s->y_max = limit(head->y_max, RUT_INFINITY);
  s->edge = head->edge;
  s->blend = (rutBlend)head->blend;
  rut_ground_shape_box(s);
  if (!(s->x_min < s->x_max && s->y_min < s->y_max)) {
    rut_node_error(draft->spec, node, s->x_min < s->x_max ? "y_max" : "x_max", RUT_ERR_MODEL, "",
                   "'x_max' must be above 'x_min', and 'y_max' above 'y_min'");
  }
}

// Shapes change the ground below them, ramps and bumps stand on it; without a map or a plane that
// is level ground at height 0.
static void lay_level_ground(rutDraft* draft) {
  for (int i = 0; i < draft->source.n; i++) {
    const rutDraftSource* s = rut_list_at(&draft->source, i);
    if (s->source.kind == RUT_GROUND_FIELD || s->source.kind == RUT_GROUND_PLANE) return;
  }
  rutDraftSource* s = rut_draft_push(draft, &draft->source);
  if (!s) return;
  s->source = (rutGroundSource){.kind = RUT_GROUND_LEVEL, .cos_yaw = 1};
  s->surface = draft->ground_surface;
}

bool rut_draft_finds_ground(const rutDraft* draft, double x, double y, double z, double* height) {
  bool any = false;
  *height = 0;
  for (int i = 0; i < draft->source.n; i++) {
    const rutDraftSource* s = rut_list_at(&draft->source, i);
    rutGroundSource source = s->source;
    const bool field = source.kind == RUT_GROUND_FIELD || source.kind == RUT_GROUND_LEVEL;
    if (source.kind == RUT_GROUND_FIELD) source.field = &s->field;
    rutGround one = {
        .sources = 1, .source = &source, .shapes = draft->shape.n, .shape = draft->shape.item};
    bool found = false;
    double h = rut_ground_height(&one, NULL, x, y, z, &found);
    bool beneath = field || h <= z + RUT_GROUND_STEP;
    if (found && beneath && (!any || h > *height)) {
      *height = h;
      any = true;
    }
  }
  return any;
}

double rut_draft_ground_height(const rutDraft* draft, double x, double y, double z) {
  double height;
  rut_draft_finds_ground(draft, x, y, z, &height);
  return height;
}

void rut_draft_ground_free(rutDraft* draft) {
  for (int i = 0; i < draft->shape.n; i++) {
    const rutGroundShape* s = rut_list_at(&draft->shape, i);
    rut_context_free(draft->context, (void*)(uintptr_t)s->param);
    rut_context_free(draft->context, (void*)(uintptr_t)s->plan);
  }
  for (int i = 0; i < draft->ground_map.n; i++) {
    rut_context_free(draft->context, ((rutDraftMap*)rut_list_at(&draft->ground_map, i))->cells);
  }
  rut_context_free(draft->context, draft->shape.item);
  rut_context_free(draft->context, draft->ground_map.item);
}

void rut_draft_ground(rutDraft* draft) {
  static const struct {
    const char* kind;
    void (*read)(rutDraft*, rutNode);
  } readers[] = {{"elevation_map", read_elevation}, {"plane", read_plane},
                 {"terrain", read_terrain},         {"region", rut_draft_region},
                 {"soil_map", rut_draft_soil_map},  {"deformable", rut_draft_deformable}};
  draft->shape.item_size = sizeof(rutGroundShape);
  draft->ground_map.item_size = sizeof(rutDraftMap);
  rut_draft_default_soil(draft);
  for (int i = 0; i < RUT_COUNT_OF(readers); i++) {
    for (rutNode node = rut_node_first(draft->spec, rut_spec_root(draft->spec), readers[i].kind);
         !rut_node_is_null(node); node = rut_node_next(draft->spec, node, readers[i].kind)) {
      const bool enough = draft->heights > RUT_MAX_HEIGHTS || draft->properties > RUT_MAX_HEIGHTS;
      if (draft->reporter->errors >= RUT_MAX_FILE_ERRORS || enough) return;
      readers[i].read(draft, node);
    }
  }
  if (draft->shape.n > 0 || draft->source.n > 0) lay_level_ground(draft);
}
