// SPDX-License-Identifier: BSD-3-Clause
//
// Extent and kind of a world's ground.
#include <math.h>
#include <string.h>

#include "scene/scene.h"

enum { SIDE = 33, PROBES = 65, INWARD = 32 };
static const double SKY = 1e6;        // above all ground [m]
static const double LEAST = 20;       // half of the side of the smallest world [m]
static const double FAR_AHEAD = 100;  // a vehicle is not expected farther from its start [m]
static const double ENDLESS = HUGE_VAL;
static const double FARTHEST = 4096;  // ground beyond counts as endless [m]

typedef struct Box {
  double x0, y0, x1, y1;
} Box;

static void widen(Box* box, double x, double y, double reach) {
  if (!isfinite(x) || !isfinite(y)) return;
  box->x0 = fmin(box->x0, x - reach);
  box->y0 = fmin(box->y0, y - reach);
  box->x1 = fmax(box->x1, x + reach);
  box->y1 = fmax(box->y1, y + reach);
}

static void heights_at(const viewSceneDef* def, int n, const double* x, const double* y,
                       double* z) {
  double below[PROBES], sx[PROBES], sy[PROBES];
  for (int i = 0; i < n; i++) below[i] = SKY;
  rut_terrain_surface(def->model, def->data, &(rutGroundPoints){n, x, y}, below,
                      &(rutGroundSurface){z, sx, sy});
}

// ---- extent ----

// Ends of the courses that vehicles follow.
static void widen_by_course(const rutSpec* spec, rutNode vehicle, Box* box) {
  const rutNode controller = rut_node_first(spec, vehicle, "controller");
  int n = 0;
  if (rut_node_is_null(controller)) return;
  const double* xy = rut_node_numbers(spec, controller, "points", &n);
  for (int i = 0; xy && i + 1 < n; i += 2) widen(box, xy[i], xy[i + 1], 5);
}

// How far a vehicle that goes straight on will come.
static double way_ahead(const viewSceneDef* def, int vehicle) {
  const viewDriver* driver = &def->driver[vehicle];
  const double duration = rut_node_number(def->spec, rut_spec_root(def->spec), "duration");
  const rutVehicleState v = rut_vehicle_state(def->model, def->data, vehicle);
  const double speed = fmax(fabs(v.velocity[0]), driver->started ? driver->speed : 0);
  return fmin(FAR_AHEAD, speed * duration);
}

static Box box_of_things(const viewSceneDef* def) {
  const rutSpec* spec = def->spec;
  const rutNode root = rut_spec_root(spec);
  Box box = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < def->shape->vehicles; i++) {
    const rutVehicleState v = rut_vehicle_state(def->model, def->data, i);
    widen(&box, v.position[0], v.position[1], 5);
    const double way = way_ahead(def, i);
    widen(&box, v.position[0] + way * cos(v.yaw), v.position[1] + way * sin(v.yaw), 5);
  }
  for (int i = 0; i < rut_count(def->model, RUT_BLOCK); i++) {
    double pose[6], velocity[3];
    rut_block_state(def->model, def->data, i, pose, velocity);
    widen(&box, pose[0], pose[1], 2);
  }
  for (int i = 0; i < rut_count(def->model, RUT_MECHANISM); i++) {
    rutBodyPose body[VIEW_BODIES];
    const int n = rut_mechanism_bodies(def->model, def->data, i, VIEW_BODIES, body);
    for (int k = 0; k < n; k++) widen(&box, body[k].position[0], body[k].position[1], 3);
  }
  for (rutNode n = rut_node_first(spec, root, "vehicle"); !rut_node_is_null(n);
       n = rut_node_next(spec, n, "vehicle")) {
    widen_by_course(spec, n, &box);
  }
  for (rutNode n = rut_node_first(spec, root, "wall"); !rut_node_is_null(n);
       n = rut_node_next(spec, n, "wall")) {
    int count = 0;
    const double* from = rut_node_numbers(spec, n, "from", &count);
    widen(&box, from[0], from[1], 1);
    const double* to = rut_node_numbers(spec, n, "to", &count);
    widen(&box, to[0], to[1], 1);
  }
  if (!(box.x1 > box.x0)) box = (Box){-LEAST, -LEAST, LEAST, LEAST};
  return box;
}

// True if there is ground at a distance beyond one side of a box (0 to 3: west, south, east,
// north), seen along a line as long as the box and its surroundings.
static bool ground_beyond(const viewSceneDef* def, const Box* box, int side, double distance) {
  double x[PROBES], y[PROBES], z[PROBES];
  const bool along_y = side % 2 == 0;
  const double low = along_y ? box->y0 : box->x0, high = along_y ? box->y1 : box->x1;
  const double edge[4] = {box->x0 - distance, box->y0 - distance, box->x1 + distance,
                          box->y1 + distance};
  for (int i = 0; i < PROBES; i++) {
    const double at = low + (high - low) * (2.0 * i / (PROBES - 1) - 0.5);
    x[i] = along_y ? edge[side] : at;
    y[i] = along_y ? at : edge[side];
  }
  heights_at(def, PROBES, x, y, z);
  for (int i = 0; i < PROBES; i++) {
    if (isfinite(z[i])) return true;
  }
  return false;
}

// How far the ground reaches beyond a side, less than 0 where it ends before.
static double reach(const viewSceneDef* def, const Box* box, int side) {
  const double size = side % 2 == 0 ? box->x1 - box->x0 : box->y1 - box->y0;
  double inside = 0, outside = FARTHEST;
  if (ground_beyond(def, box, side, FARTHEST)) return ENDLESS;
  for (int i = 0; i < INWARD && !ground_beyond(def, box, side, inside); i++) {
    outside = inside;
    inside -= size / INWARD;
  }
  // a world without ground here is shown as large as its bodies
  if (inside < 0.01 * size - size) return 0;
  // outwards first: a hole near the things is not the end
  double d = FARTHEST / 2;
  while (inside == 0 && d >= 1) {
    *(ground_beyond(def, box, side, d) ? &inside : &outside) = d;
    d /= 2;
  }
  while (outside - inside > 1e-4) {
    const double middle = 0.5 * (inside + outside);
    if (ground_beyond(def, box, side, middle)) {
      inside = middle;
    } else {
      outside = middle;
    }
  }
  return inside;
}

// The things with some surroundings, or all of the ground where that has an end.
static Box extent_of(const viewSceneDef* def) {
  const Box things = box_of_things(def);
  const double size = fmax(things.x1 - things.x0, things.y1 - things.y0);
  const double margin = fmax(LEAST, 0.25 * size);
  double more[4];
  for (int side = 0; side < 4; side++) {
    more[side] = reach(def, &things, side);
    if (more[side] == ENDLESS) more[side] = margin;
  }
  Box box = {things.x0 - more[0], things.y0 - more[1], things.x1 + more[2], things.y1 + more[3]};
  for (int i = 0; i < 4; i++) {
    double* edge = (double*[]){&box.x0, &box.y0, &box.x1, &box.y1}[i];
    *edge = round(1e3 * *edge) / 1e3;  // to the millimetre
  }
  return box;
}

// ---- ground ----

static bool has_kind(const rutSpec* spec, const char* kind) {
  return !rut_node_is_null(rut_node_first(spec, rut_spec_root(spec), kind));
}

static bool has_ramps(const rutSpec* spec) {
  for (rutNode n = rut_node_first(spec, rut_spec_root(spec), "block"); !rut_node_is_null(n);
       n = rut_node_next(spec, n, "block")) {
    const char* shape = rut_node_text(spec, n, "shape");
    if (strcmp(shape, "ramp") == 0 || strcmp(shape, "bump") == 0) return true;
  }
  return false;
}

// Level at 0 without a hole: small shapes between the probes are ruled out by their elements.
static bool is_flat(const viewSceneDef* def, const Box* box) {
  const rutSpec* spec = def->spec;
  if (has_kind(spec, "terrain") || has_kind(spec, "elevation_map") || has_ramps(spec)) return false;
  for (int row = 0; row < SIDE; row++) {
    double x[SIDE], y[SIDE], z[SIDE];
    for (int i = 0; i < SIDE; i++) {
      // a hand's breadth inside, where rounding cannot matter
      x[i] = box->x0 + 1e-3 + (box->x1 - box->x0 - 2e-3) * i / (SIDE - 1);
      y[i] = box->y0 + 1e-3 + (box->y1 - box->y0 - 2e-3) * row / (SIDE - 1);
    }
    heights_at(def, SIDE, x, y, z);
    for (int i = 0; i < SIDE; i++) {
      if (!(z[i] == 0)) return false;
    }
  }
  return true;
}

void view_scene_extent(const viewSceneDef* def, double extent[4], bool* flat) {
  const Box box = extent_of(def);
  memcpy(extent, (double[4]){box.x0, box.y0, box.x1, box.y1}, 4 * sizeof *extent);
  *flat = is_flat(def, &box);
}

// How soils look, by words in their names and types, else by their number: the colour where they
// have no <material>, and how uneven the surface looks, 0 to 1.
static const struct soilLook {
  const char *word, *color;
  double roughness;
} looks[] = {
    {"ice", "#c9dce8", 0.05},  {"snow", "#eef2f5", 0.3},     {"sand", "#cbb27a", 0.6},
    {"clay", "#8c6a4f", 0.7},  {"mud", "#5e4a38", 0.6},      {"wet", "#5a5d60", 0.3},
    {"road", "#77787a", 0.08}, {"asphalt", "#6b6c6e", 0.08}, {"concrete", "#9a9a96", 0.06},
    {"grass", "#7c9a55", 1},   {"gravel", "#9b938a", 1},     {"loam", "#7a5c3e", 0.9},
    {"dry", "#a08d6c", 0.8},   {"soft", "#8f7a58", 0.8},     {"hard", "#8a8069", 0.6},
};
static const char* const other_soils[] = {"#8a8069", "#9c8f6f", "#77806a", "#8b7866", "#a39a83"};

static struct soilLook soil_look(const rutSoilInfo* soil, int index) {
  const char* const text[] = {soil->name, soil->type};
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
      if (strstr(text[k], looks[i].word)) return looks[i];
    }
  }
  const char* other = other_soils[(size_t)index % (sizeof other_soils / sizeof other_soils[0])];
  return (struct soilLook){"", other, 0.7};
}

// Transfer function of sRGB, IEC 61966-2-1.
static int srgb_byte(double linear) {
  const double value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
  return (int)lround(255 * fmin(1, fmax(0, value)));
}

// Colour of the <material> of an element as #rrggbb; false if it has none.
static bool material_color(const rutSpec* spec, rutNode node, char color[8]) {
  const rutNode material = rut_node_first(spec, node, "material");
  if (rut_node_is_null(material)) return false;
  int n = 0;
  const double* rgb = rut_node_numbers(spec, material, "colour", &n);
  if (n < 3) return false;
  snprintf(color, 8, "#%02x%02x%02x", srgb_byte(rgb[0]) & 255, srgb_byte(rgb[1]) & 255,
           srgb_byte(rgb[2]) & 255);
  return true;
}

static void put_soils(const viewSceneDef* def, cliJson* json) {
  const int n = rut_count(def->model, RUT_SOIL);
  rutNode node = rut_node_first(def->spec, rut_spec_root(def->spec), "soil");
  cli_json_array(json, "soils");
  for (int i = 0; i < n; i++) {
    const rutSoilInfo soil = rut_soil_info(def->model, i);
    const struct soilLook look = soil_look(&soil, i);
    char color[8];
    const bool given = !rut_node_is_null(node) && material_color(def->spec, node, color);
    cli_json_object(json, NULL);
    cli_json_text(json, "name", soil.name);
    cli_json_text(json, "type", soil.type);
    cli_json_text(json, "color", given ? color : look.color);
    cli_json_number(json, "roughness", look.roughness);
    cli_json_end(json);
    if (!rut_node_is_null(node)) node = rut_node_next(def->spec, node, "soil");
  }
  cli_json_end(json);
}

void view_scene_ground(const viewSceneDef* def, cliJson* json) {
  double extent[4];
  bool flat;
  rutRuts ruts;
  const bool keeps = rut_ruts(def->model, def->data, &ruts);
  view_scene_extent(def, extent, &flat);
  view_json_numbers(json, "extent", 4, extent);
  cli_json_object(json, "ground");
  cli_json_bool(json, "flat", flat);
  cli_json_bool(json, "keeps_ruts", keeps);
  if (keeps) cli_json_number(json, "rut_cell", ruts.cell);
  char color[8];
  if (material_color(def->spec, rut_spec_root(def->spec), color)) {
    cli_json_text(json, "color", color);
  }
  cli_json_end(json);
  put_soils(def, json);
}
