// SPDX-License-Identifier: BSD-3-Clause
//
// Extent and kind of a world's ground.
#include <math.h>
#include <string.h>

#include "rut/look.h"
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

static bool has_pavements(const rutSpec* spec) {
  for (rutNode n = rut_node_first(spec, rut_spec_root(spec), "road"); !rut_node_is_null(n);
       n = rut_node_next(spec, n, "road")) {
    if (rut_node_number(spec, n, "pavement") > 0) return true;
  }
  return false;
}

// Level at 0 without a hole: small shapes between the probes are ruled out by their elements.
static bool is_flat(const viewSceneDef* def, const Box* box) {
  const rutSpec* spec = def->spec;
  if (has_kind(spec, "terrain") || has_kind(spec, "elevation_map")) return false;
  if (has_ramps(spec) || has_pavements(spec)) return false;
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

// How uneven ground looks, 0 to 1, and how much of it grass covers, by words in the preset of its
// material, or in the name and type of a soil without one.
typedef struct GroundLook {
  const char* word;
  double roughness, grass;
} GroundLook;
static const GroundLook looks[] = {
    {"ice", 0.05, 0}, {"snow", 0.3, 0},  {"sand", 0.6, 0},     {"clay", 0.7, 0},
    {"mud", 0.6, 0},  {"road", 0.08, 0}, {"asphalt", 0.08, 0}, {"concrete", 0.06, 0},
    {"grass", 1, 1},  {"lawn", 0.8, 1},  {"meadow", 0.8, 1},   {"gravelly", 1, 0.2},
    {"gravel", 1, 0}, {"silt", 0.9, 0},  {"loam", 0.9, 0.1},   {"dry", 0.8, 0},
    {"soft", 0.8, 0}, {"wet", 0.3, 0},   {"hard", 0.6, 0},
};

static const GroundLook* look_named(const char* text) {
  for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
    if (strstr(text, looks[i].word)) return &looks[i];
  }
  return NULL;
}

// By the <material> of an element; NULL if it has none or that says nothing.
static const GroundLook* material_look(const rutSpec* spec, rutNode node) {
  if (rut_node_is_null(node)) return NULL;
  const rutNode material = rut_node_first(spec, node, "material");
  if (rut_node_is_null(material)) return NULL;
  return look_named(rut_node_text(spec, material, "preset"));
}

static void put_look(const viewSceneDef* def, cliJson* json, int soil, const GroundLook* look) {
  double colour[3];
  rut_soil_reflectance(def->model, soil, colour);
  view_json_reflectance(json, colour);
  cli_json_number(json, "roughness", look ? look->roughness : 0.7);
  cli_json_number(json, "grass", look ? look->grass : 0);
}

// A soil without a material has that of the world, as for sensors.
static void put_soils(const viewSceneDef* def, cliJson* json) {
  const int n = rut_count(def->model, RUT_SOIL);
  const rutNode root = rut_spec_root(def->spec);
  rutNode node = rut_node_first(def->spec, root, "soil");
  cli_json_array(json, "soils");
  for (int i = 0; i < n; i++) {
    const rutSoilInfo soil = rut_soil_info(def->model, i);
    const GroundLook* look = material_look(def->spec, node);
    if (!look) look = material_look(def->spec, root);
    if (!look) look = look_named(soil.name);
    if (!look) look = look_named(soil.type);
    cli_json_object(json, NULL);
    cli_json_text(json, "name", soil.name);
    cli_json_text(json, "type", soil.type);
    put_look(def, json, i, look);
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
  const rutNode root = rut_spec_root(def->spec);
  if (!rut_node_is_null(rut_node_first(def->spec, root, "material"))) {
    put_look(def, json, -1, material_look(def->spec, root));
  }
  view_scene_ground_image(def, extent, json);
  cli_json_end(json);
  put_soils(def, json);
}
