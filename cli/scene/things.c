// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks, walls, lines, points, and what else stands in a world.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scenery.h"

static const double TURN = 6.283185307179586;
enum { ROUND = 32, MAX_OPENINGS = 64, MAX_LINE = 100000 };

static bool has_text(const rutSpec* spec, rutNode node, const char* field, const char* text) {
  return strcmp(rut_node_text(spec, node, field), text) == 0;
}

// ---- blocks ----

static void put_round(cliJson* json, double radius) {
  double xy[2 * ROUND];
  for (int i = 0; i < ROUND; i++) {
    const double angle = i * TURN / ROUND;
    xy[2 * i] = radius * cos(angle);
    xy[2 * i + 1] = radius * sin(angle);
  }
  view_json_outline(json, ROUND, xy);
}

static void put_box(cliJson* json, double x, double y) {
  const double xy[] = {x / 2, y / 2, -x / 2, y / 2, -x / 2, -y / 2, x / 2, -y / 2};
  view_json_outline(json, 4, xy);
}

// Outline and heights as the compiler takes them.
static void put_block_shape(const rutSpec* spec, cliJson* json, rutNode node) {
  double low = 0, high = 1;
  int n = 0;
  if (has_text(spec, node, "shape", "polygon")) {
    const double* outline = rut_node_numbers(spec, node, "outline", &n);
    if (n >= 6) {
      view_json_outline(json, n / 2, outline);
    } else {
      put_box(json, 1, 1);
    }
  } else if (has_text(spec, node, "shape", "cylinder")) {
    put_round(json, rut_node_number(spec, node, "radius"));
    high = rut_node_number(spec, node, "length");
  } else if (has_text(spec, node, "shape", "sphere")) {
    put_round(json, rut_node_number(spec, node, "radius"));
    high = 2 * rut_node_number(spec, node, "radius");
  } else {
    const double* size = rut_node_numbers(spec, node, "size", &n);
    put_box(json, size[0], size[1]);
    high = size[2];
  }
  const double z_min = rut_node_number(spec, node, "z_min");
  const double z_max = rut_node_number(spec, node, "z_max");
  view_json_heights(json, isnan(z_min) ? low : z_min, isnan(z_max) ? high : z_max);
}

static void put_block(const viewSceneDef* def, cliJson* json, rutNode node, int index) {
  double pose[6], velocity[3], at[7];
  float turn[4];
  rut_block_state(def->model, def->data, index, pose, velocity);
  view_quaternion(pose[3], pose[4], pose[5], turn);
  for (int i = 0; i < 3; i++) at[i] = pose[i];
  for (int i = 0; i < 4; i++) at[3 + i] = (double)turn[i];
  cli_json_object(json, NULL);
  cli_json_text(json, "name", rut_name(def->model, RUT_BLOCK, index));
  put_block_shape(def->spec, json, node);
  view_json_surface(json, def->spec, node);
  cli_json_bool(json, "moves", rut_block_moves(def->model, index));
  view_json_numbers(json, "pose", 7, at);
  view_json_visuals(def, json, node);
  cli_json_end(json);
}

// The joint that carries a body of a mechanism, if it is one that can be seen.
static void put_support(cliJson* json, const rutSpec* spec, rutNode node) {
  if (rut_node_is_null(node)) return;
  const char* type = rut_node_text(spec, node, "joint");
  if (strcmp(type, "hinge") != 0 && strcmp(type, "slide") != 0) return;
  int n = 0;
  cli_json_object(json, "joint");
  cli_json_text(json, "type", type);
  view_json_numbers(json, "axis", 3, rut_node_numbers(spec, node, "axis", &n));
  cli_json_bool(json, "grounded",
                strcmp(rut_node_kind(spec, rut_node_parent(spec, node)), "mechanism") == 0);
  cli_json_end(json);
}

// A body of a mechanism as an upright prism in its own axes: from its joint to beyond its centre of
// mass, as thick as its inertia says.
static void put_body(cliJson* json, const char* name, int number, const rutBodyPose* body,
                     const rutSpec* spec, rutNode node) {
  const double *com = body->com, *sides = body->sides;
  const double reach = fabs(com[0]) + fabs(com[1]) + fabs(com[2]);
  const double thin = reach > 0 ? 0.06 * reach : 0.1;
  double low[3], high[3], at[7];
  for (int k = 0; k < 3; k++) {
    const double half = 0.5 * fmax(sides[k], thin);
    low[k] = fmin(com[k] - half, -0.25 * thin);
    high[k] = fmax(com[k] + half, 0.25 * thin);
    at[k] = body->position[k];
  }
  for (int k = 0; k < 4; k++) at[3 + k] = body->quaternion[k];
  const double outline[8] = {high[0], low[1], high[0], high[1], low[0], high[1], low[0], low[1]};
  char text[600];
  snprintf(text, sizeof text, "%.500s/%d", name, number);
  cli_json_object(json, NULL);
  cli_json_text(json, "name", text);
  view_json_outline(json, 4, outline);
  view_json_heights(json, low[2], high[2]);
  cli_json_text(json, "color", number % 2 ? "#c8622d" : "#4a78b0");
  cli_json_bool(json, "moves", true);
  view_json_numbers(json, "pose", 7, at);
  put_support(json, spec, node);
  cli_json_end(json);
}

// The body after another in the order of the model, each before those that hang on it; null after
// the last one of the mechanism.
static rutNode next_body(const rutSpec* spec, rutNode mechanism, rutNode node) {
  rutNode next = rut_node_first(spec, node, "body");
  while (rut_node_is_null(next)) {
    if (memcmp(&node, &mechanism, sizeof node) == 0) return next;
    next = rut_node_next(spec, node, "body");
    node = rut_node_parent(spec, node);
  }
  return next;
}

static void put_mechanisms(const viewSceneDef* def, cliJson* json) {
  const rutSpec* spec = def->spec;
  rutBodyPose body[VIEW_BODIES];
  rutNode mechanism = rut_node_first(spec, rut_spec_root(spec), "mechanism");
  for (int m = 0; m < rut_count(def->model, RUT_MECHANISM); m++) {
    const int n = rut_mechanism_bodies(def->model, def->data, m, VIEW_BODIES, body);
    const char* name = rut_name(def->model, RUT_MECHANISM, m);
    rutNode node = mechanism;
    for (int i = 0; i < n; i++) {
      node = next_body(spec, mechanism, node);
      put_body(json, name, i, &body[i], spec, node);
    }
    mechanism = rut_node_next(spec, mechanism, "mechanism");
  }
}

// The mesh of an actor's <scenery>.
static void put_look(const viewSceneDef* def, cliJson* json, rutNode actor, int index) {
  int n = 0;
  const rutNode look = rut_node_first(def->spec, actor, "scenery");
  if (rut_node_is_null(look)) return;
  const int asset = view_scenery_mesh(def, look, index, -1);
  if (asset < 0) return;
  cli_json_array(json, "visuals");
  view_json_made(json, asset, rut_node_numbers(def->spec, look, "size", &n)[0]);
  cli_json_end(json);
}

// An actor as the box around what it looks like, in the colour of its widest part, and its mesh; if
// parts of it move, they are blocks of their own, and it has no outline.
static void put_actor(const viewSceneDef* def, cliJson* json, rutNode node, int index) {
  double pose[6], velocity[3], at[7], box[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  double low = HUGE_VAL, high = -HUGE_VAL, widest = -1, colour[3] = {0.5, 0.5, 0.5};
  float turn[4];
  rutSceneryPrism part;
  for (int i = 0; rut_block_prism(def->model, index, i, &part); i++) {
    for (int k = 0; k < 2 * part.corners; k++) {
      box[k % 2] = fmin(box[k % 2], part.xy[k]);
      box[2 + k % 2] = fmax(box[2 + k % 2], part.xy[k]);
    }
    low = fmin(low, part.z_min);
    high = fmax(high, part.z_max);
    const double width = fabs(part.xy[0]) + fabs(part.xy[1]) + part.z_max - part.z_min;
    if (width > widest) memcpy(colour, part.colour, sizeof colour);
    widest = fmax(widest, width);
  }
  rut_block_state(def->model, def->data, index, pose, velocity);
  view_quaternion(pose[3], pose[4], pose[5], turn);
  for (int i = 0; i < 3; i++) at[i] = pose[i];
  for (int i = 0; i < 4; i++) at[3 + i] = (double)turn[i];
  const bool parts = rut_block_moving_parts(def->model, index) > 0;
  cli_json_object(json, NULL);
  cli_json_text(json, "name", rut_name(def->model, RUT_BLOCK, index));
  view_json_outline(
      json, parts ? 0 : 4,
      (const double[]){box[0], box[1], box[2], box[1], box[2], box[3], box[0], box[3]});
  view_json_heights(json, low, high);
  view_json_reflectance(json, colour);
  cli_json_bool(json, "moves", true);
  view_json_numbers(json, "pose", 7, at);
  if (!parts) put_look(def, json, node, index);
  cli_json_end(json);
}

// Limbs and wheels of an actor, each a block with a mesh.
static void put_moving_parts(const viewSceneDef* def, cliJson* json, rutNode actor, int index) {
  const rutNode look = rut_node_first(def->spec, actor, "scenery");
  int n = 0;
  for (int i = 0; i < rut_block_moving_parts(def->model, index); i++) {
    double pose[7];
    char name[600];
    rut_block_moving_part(def->model, def->data, index, i, pose);
    snprintf(name, sizeof name, "%.500s/%d", rut_name(def->model, RUT_BLOCK, index), i);
    cli_json_object(json, NULL);
    cli_json_text(json, "name", name);
    view_json_outline(json, 0, NULL);
    view_json_heights(json, 0, 0);
    cli_json_text(json, "color", "#808080");
    cli_json_bool(json, "moves", true);
    view_json_numbers(json, "pose", 7, pose);
    const int asset = view_scenery_mesh(def, look, index, i);
    if (asset >= 0) {
      cli_json_array(json, "visuals");
      view_json_made(json, asset, rut_node_numbers(def->spec, look, "size", &n)[0]);
      cli_json_end(json);
    }
    cli_json_end(json);
  }
}

// Ramps and bumps are ground: the terrain has them.
static bool is_ground(const rutSpec* spec, rutNode node) {
  return has_text(spec, node, "shape", "ramp") || has_text(spec, node, "shape", "bump");
}

void view_scene_blocks(const viewSceneDef* def, cliJson* json) {
  const rutSpec* spec = def->spec;
  cli_json_array(json, "blocks");
  for (rutNode node = rut_node_first(spec, rut_spec_root(spec), "block"); !rut_node_is_null(node);
       node = rut_node_next(spec, node, "block")) {
    const int index = rut_find(def->model, RUT_BLOCK, rut_node_name(spec, node));
    if (index >= 0 && !is_ground(spec, node)) put_block(def, json, node, index);
  }
  for (rutNode node = rut_node_first(spec, rut_spec_root(spec), "actor"); !rut_node_is_null(node);
       node = rut_node_next(spec, node, "actor")) {
    const int index = rut_find(def->model, RUT_BLOCK, rut_node_name(spec, node));
    if (index >= 0) put_actor(def, json, node, index);
  }
  put_mechanisms(def, json);
  for (rutNode node = rut_node_first(spec, rut_spec_root(spec), "actor"); !rut_node_is_null(node);
       node = rut_node_next(spec, node, "actor")) {
    const int index = rut_find(def->model, RUT_BLOCK, rut_node_name(spec, node));
    if (index >= 0) put_moving_parts(def, json, node, index);
  }
  cli_json_end(json);
}

// ---- walls ----

typedef struct Opening {
  double from, to, z_min, z_max;  // along the wall, and above its foot
} Opening;

typedef struct Wall {
  double from[2], along[2], length, thickness, foot, height;
  const rutSpec* spec;
  rutNode node;
  Opening opening[MAX_OPENINGS];
  int openings;
} Wall;

static void put_wall_part(cliJson* json, const Wall* wall, double from, double to, double low,
                          double high) {
  if (to - from < 1e-6 || high - low < 1e-6) return;
  const double half = 0.5 * wall->thickness, side[2] = {-wall->along[1], wall->along[0]};
  double xy[8];
  for (int i = 0; i < 4; i++) {
    const double s = i == 1 || i == 2 ? to : from, t = i >= 2 ? half : -half;
    for (int k = 0; k < 2; k++) xy[2 * i + k] = wall->from[k] + s * wall->along[k] + t * side[k];
  }
  cli_json_object(json, NULL);
  view_json_outline(json, 4, xy);
  view_json_heights(json, wall->foot + low, wall->foot + high);
  view_json_surface(json, wall->spec, wall->node);
  cli_json_end(json);
}

static int by_number(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

// One strip between two edges of openings, from the foot up past the openings in it.
static void put_strip(cliJson* json, const Wall* wall, double from, double to) {
  const double middle = 0.5 * (from + to);
  double floor = 0;
  for (;;) {
    const Opening* next = NULL;
    for (int i = 0; i < wall->openings; i++) {
      const Opening* o = &wall->opening[i];
      const bool here = middle > o->from && middle < o->to && o->z_max > floor;
      if (here && (!next || o->z_min < next->z_min)) next = o;
    }
    put_wall_part(json, wall, from, to, floor,
                  next ? fmin(next->z_min, wall->height) : wall->height);
    if (!next || next->z_max >= wall->height) return;
    floor = next->z_max;
  }
}

static void put_wall(const rutSpec* spec, cliJson* json, rutNode node) {
  int n = 0;
  double to[2];
  Wall wall = {.thickness = rut_node_number(spec, node, "thickness"),
               .foot = rut_node_number(spec, node, "z"),
               .height = rut_node_number(spec, node, "height"),
               .spec = spec,
               .node = node};
  memcpy(wall.from, rut_node_numbers(spec, node, "from", &n), sizeof wall.from);
  memcpy(to, rut_node_numbers(spec, node, "to", &n), sizeof to);
  wall.length = hypot(to[0] - wall.from[0], to[1] - wall.from[1]);
  if (!(wall.length > 0)) return;
  for (int k = 0; k < 2; k++) wall.along[k] = (to[k] - wall.from[k]) / wall.length;
  double edge[2 * MAX_OPENINGS + 2] = {0, wall.length};
  int edges = 2;
  for (rutNode o = rut_node_first(spec, node, "opening");
       !rut_node_is_null(o) && wall.openings < MAX_OPENINGS;
       o = rut_node_next(spec, o, "opening")) {
    const double middle = rut_node_number(spec, o, "position") * wall.length;
    const double half = 0.5 * rut_node_number(spec, o, "width");
    const Opening opening = {fmax(0, middle - half), fmin(wall.length, middle + half),
                             rut_node_number(spec, o, "z_min"), rut_node_number(spec, o, "z_max")};
    wall.opening[wall.openings++] = opening;
    edge[edges++] = opening.from;
    edge[edges++] = opening.to;
  }
  qsort(edge, (size_t)edges, sizeof *edge, by_number);
  for (int i = 0; i + 1 < edges; i++) {
    put_strip(json, &wall, edge[i], edge[i + 1]);
  }
}

// ---- lines and points ----

static void put_marker_points(cliJson* json, const char* text, const double offset[3]) {
  cli_json_array(json, "points");
  for (int i = 0; i < MAX_LINE; i++) {
    double p[3];
    for (int k = 0; k < 3; k++) {
      char* end;
      text += strspn(text, " \t\r\n,;");
      p[k] = strtod(text, &end) + offset[k];
      if (end == text) {
        cli_json_end(json);
        return;
      }
      text = end;
    }
    view_json_numbers(json, NULL, 3, p);
  }
  cli_json_end(json);
}

static void put_marker(const rutSpec* spec, cliJson* json, rutNode node) {
  int n = 0;
  const double* offset = rut_node_numbers(spec, node, "offset", &n);
  cli_json_object(json, NULL);
  put_marker_points(json, rut_node_text(spec, node, "points"), offset);
  view_json_color(json, rut_node_text(spec, node, "color"), "#ffffff");
  cli_json_number(json, "width", 2);
  cli_json_end(json);
}

static void put_cloud(const viewSceneDef* def, cliJson* json, rutNode node) {
  const int asset = view_assets_points(def->assets, def->spec, node);
  if (asset < 0) return;
  cli_json_object(json, NULL);
  cli_json_integer(json, "asset", asset);
  cli_json_text(json, "color", "#ffffff");
  cli_json_number(json, "size", rut_node_number(def->spec, node, "size"));
  cli_json_end(json);
}

// Cells as shades, row by row from the north: 0 occupied, 127 unknown, 255 free.
static viewBytes* shades_of(const rutGrid* grid) {
  static const unsigned char shade[] = {255, 0, 127};
  const size_t n = (size_t)grid->columns * (size_t)grid->rows;
  viewBytes* bytes = view_bytes_create(n);
  for (int row = 0; bytes && row < grid->rows; row++) {
    const unsigned char* state = grid->state + (size_t)row * (size_t)grid->columns;
    unsigned char* out = bytes->data + (size_t)(grid->rows - 1 - row) * (size_t)grid->columns;
    for (int i = 0; i < grid->columns; i++) out[i] = shade[state[i] < 3 ? state[i] : 2];
  }
  return bytes;
}

static void put_grids(const viewSceneDef* def, cliJson* json) {
  rutGrid grid;
  cli_json_array(json, "grids");
  for (int i = 0; rut_grid(def->model, i, &grid); i++) {
    const int asset = view_assets_bytes(def->assets, "grid.raw", shades_of(&grid));
    if (asset < 0) continue;
    cli_json_object(json, NULL);
    cli_json_integer(json, "asset", asset);
    cli_json_number(json, "x", grid.x);
    cli_json_number(json, "y", grid.y);
    cli_json_number(json, "cell", grid.cell);
    cli_json_integer(json, "width", grid.columns);
    cli_json_integer(json, "height", grid.rows);
    cli_json_end(json);
  }
  cli_json_end(json);
}

void view_scene_things(const viewSceneDef* def, cliJson* json) {
  const rutSpec* spec = def->spec;
  const rutNode root = rut_spec_root(spec);
  view_json_visuals(def, json, root);
  viewScenery* scenery = view_scenery_create(def);
  if (scenery) view_scenery_put(scenery, json);
  cli_json_array(json, "walls");
  for (rutNode n = rut_node_first(spec, root, "wall"); !rut_node_is_null(n);
       n = rut_node_next(spec, n, "wall")) {
    put_wall(spec, json, n);
  }
  if (scenery) view_scenery_put_prisms(scenery, json);
  view_scenery_destroy(scenery);
  cli_json_end(json);
  put_grids(def, json);
  cli_json_array(json, "markers");
  for (rutNode n = rut_node_first(spec, root, "marker"); !rut_node_is_null(n);
       n = rut_node_next(spec, n, "marker")) {
    put_marker(spec, json, n);
  }
  cli_json_end(json);
  cli_json_array(json, "points");
  for (rutNode n = rut_node_first(spec, root, "point_cloud"); !rut_node_is_null(n);
       n = rut_node_next(spec, n, "point_cloud")) {
    put_cloud(def, json, n);
  }
  cli_json_end(json);
}
