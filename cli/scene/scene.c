// SPDX-License-Identifier: BSD-3-Clause
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rut/look.h"
#include "scene/json_bytes.h"
#include "scene/sample.h"

// ---- pieces ----

void view_json_numbers(cliJson* json, const char* key, int n, const double* value) {
  cli_json_array(json, key);
  for (int i = 0; i < n; i++) cli_json_number(json, NULL, value[i]);
  cli_json_end(json);
}

void view_json_outline(cliJson* json, int n, const double* xy) {
  cli_json_array(json, "outline");
  for (int i = 0; i < n; i++) view_json_numbers(json, NULL, 2, xy + 2 * i);
  cli_json_end(json);
}

void view_json_heights(cliJson* json, double low, double high) {
  const double z[2] = {low, high};
  view_json_numbers(json, "z", 2, z);
}

void view_json_color(cliJson* json, const char* color, const char* other) {
  char text[8];
  const bool written = color[0] == '#' && strspn(color + 1, "0123456789abcdefABCDEF") >= 6;
  snprintf(text, sizeof text, "%.7s", written ? color : other);
  cli_json_text(json, "color", text);
}

// Transfer function of sRGB, IEC 61966-2-1.
unsigned char view_srgb_byte(double linear) {
  const double c = fmin(fmax(linear, 0), 1);
  const double value = c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
  return (unsigned char)lround(255 * value);
}

void view_json_reflectance(cliJson* json, const double colour[3]) {
  char text[8];
  snprintf(text, sizeof text, "#%02x%02x%02x", view_srgb_byte(colour[0]), view_srgb_byte(colour[1]),
           view_srgb_byte(colour[2]));
  cli_json_text(json, "color", text);
}

void view_json_surface(cliJson* json, const rutSpec* spec, rutNode node) {
  double colour[3];
  rut_element_reflectance(spec, node, colour);
  view_json_reflectance(json, colour);
}

void view_node_angles(const rutSpec* spec, rutNode node, double angle[3]) {
  angle[0] = rut_node_number(spec, node, "roll");
  angle[1] = rut_node_number(spec, node, "pitch");
  angle[2] = rut_node_number(spec, node, "yaw");
}

bool view_json_visuals(const viewSceneDef* def, cliJson* json, rutNode carrier) {
  const rutSpec* spec = def->spec;
  bool any = false;
  for (rutNode node = rut_node_first(spec, carrier, "visual"); !rut_node_is_null(node);
       node = rut_node_next(spec, node, "visual")) {
    if (rut_node_number(spec, node, "enabled") == 0) continue;
    const int asset = view_assets_mesh(def->assets, spec, rut_node_text(spec, node, "model"));
    if (asset < 0) continue;
    if (!any) cli_json_array(json, "visuals");
    any = true;
    double pose[6] = {0};
    int n = 0;
    const double* offset = rut_node_numbers(spec, node, "offset", &n);
    for (int i = 0; i < 3 && i < n; i++) pose[i] = offset[i];
    view_node_angles(spec, node, pose + 3);
    cli_json_object(json, NULL);
    cli_json_integer(json, "asset", asset);
    view_json_numbers(json, "pose", 6, pose);
    cli_json_number(json, "scale", rut_node_number(spec, node, "scale"));
    const double* stretch = rut_node_numbers(spec, node, "stretch", &n);
    if (rut_node_has(spec, node, "stretch")) view_json_numbers(json, "stretch", n, stretch);
    if (rut_node_has(spec, node, "color")) {
      view_json_color(json, rut_node_text(spec, node, "color"), "#c0c0c0");
    }
    cli_json_end(json);
  }
  if (any) cli_json_end(json);
  return any;
}

void view_json_made(cliJson* json, int asset, double scale) {
  static const double upright[6] = {0, 0, 0, 1.5707963267948966, 0, 0};
  cli_json_object(json, NULL);
  cli_json_integer(json, "asset", asset);
  view_json_numbers(json, "pose", 6, upright);
  cli_json_number(json, "scale", scale);
  cli_json_bool(json, "made", true);
  cli_json_end(json);
}

// ---- how it is shown ----

static void put_gui(const rutSpec* spec, cliJson* json) {
  const rutNode gui = rut_node_first(spec, rut_spec_root(spec), "gui");
  if (rut_node_is_null(gui)) return;
  cli_json_object(json, "gui");
  cli_json_bool(json, "ortho", rut_node_number(spec, gui, "ortho") != 0);
  static const char* const member[] = {"fov", "distance", "azimuth", "elevation", "force_scale"};
  static const char* const field[] = {"field_of_view", "distance", "azimuth", "elevation",
                                      "force_scale"};
  for (int i = 0; i < 5; i++) {
    // what the file does not say is the page's to choose
    if (!rut_node_has(spec, gui, field[i])) continue;
    cli_json_number(json, member[i], rut_node_number(spec, gui, field[i]));
  }
  if (rut_node_text(spec, gui, "follow")[0]) {
    cli_json_text(json, "follow", rut_node_text(spec, gui, "follow"));
  }
  int n = 0;
  const double* target = rut_node_numbers(spec, gui, "look_at", &n);
  if (rut_node_has(spec, gui, "look_at")) view_json_numbers(json, "target", n, target);
  cli_json_bool(json, "show_forces", rut_node_number(spec, gui, "show_forces") != 0);
  cli_json_end(json);
}

static void put_sun(const viewSceneDef* def, cliJson* json) {
  const rutSpec* spec = def->spec;
  const rutNode light = rut_node_first(spec, rut_spec_root(spec), "light");
  if (rut_node_is_null(light)) return;
  // what cameras have: a date and clouds change more than the element says
  rutLight found;
  rut_model_light(def->model, &found);
  cli_json_object(json, "sun");
  cli_json_number(json, "azimuth", atan2(found.sun[1], found.sun[0]));
  cli_json_number(json, "elevation", asin(fmax(-1, fmin(1, found.sun[2]))));
  view_json_reflectance(json, found.colour);
  cli_json_number(json, "ambient", found.ambient);
  cli_json_bool(json, "shadows", found.shadows);
  cli_json_number(json, "illuminance", found.illuminance);
  cli_json_end(json);
}

// A colour over its largest part.
static void put_hue(cliJson* json, const double colour[3]) {
  const double most = fmax(colour[0], fmax(colour[1], colour[2]));
  double hue[3];
  for (int k = 0; k < 3; k++) hue[k] = most > 0 ? colour[k] / most : 0;
  view_json_reflectance(json, hue);
}

// As cameras have them.
static void put_lamps(const viewSceneDef* def, cliJson* json) {
  rutLamp lamp;
  double mount[6];
  if (!rut_model_lamp(def->model, 0, &lamp, mount)) return;
  cli_json_array(json, "lamps");
  for (int i = 0; rut_model_lamp(def->model, i, &lamp, mount); i++) {
    cli_json_object(json, NULL);
    if (lamp.vehicle >= 0) cli_json_integer(json, "vehicle", lamp.vehicle);
    view_json_numbers(json, "pose", 6, mount);
    cli_json_number(json, "intensity", lamp.intensity);
    cli_json_number(json, "stray", lamp.stray);
    put_hue(json, lamp.colour);
    view_json_numbers(json, "spread", 2, lamp.spread);
    cli_json_number(json, "cone", acos(fmax(-1, fmin(1, lamp.cone))));
    cli_json_number(json, "cutoff", asin(fmax(-1, fmin(1, lamp.cutoff))));
    cli_json_number(json, "radius", lamp.radius);
    cli_json_number(json, "reach", lamp.reach);
    cli_json_end(json);
  }
  cli_json_end(json);
}

// The air, if it takes light away, and how high it reaches above cameras.
static void put_weather(const viewSceneDef* def, cliJson* json) {
  const double extinction = rut_model_extinction(def->model);
  if (!(extinction > 0)) return;
  cli_json_object(json, "weather");
  cli_json_number(json, "extinction", extinction);
  for (int i = 0; i < def->shape->sensors; i++) {
    const double height = rut_sensor_parameter(def->model, i, "air_height");
    if (isnan(height)) continue;
    cli_json_number(json, "height", height);
    break;
  }
  cli_json_end(json);
}

static void put_world(const viewSceneDef* def, cliJson* json) {
  const rutNode root = rut_spec_root(def->spec);
  cli_json_integer(json, "version", 1);
  cli_json_text(json, "mode", "live");
  cli_json_text(json, "title", def->title);
  const char* description = rut_node_text(def->spec, root, "description");
  if (description[0]) cli_json_text(json, "description", description);
  cli_json_number(json, "timestep", rut_model_timestep(def->model));
  cli_json_number(json, "gravity", rut_node_number(def->spec, root, "gravity"));
  cli_json_number(json, "duration", rut_node_number(def->spec, root, "duration"));
}

// Where the world lies on earth: in attributes of its own, or in <georeference>.
static void put_place(const rutSpec* spec, cliJson* json) {
  static const char* const member[] = {"latitude", "longitude", "height", "rotation"};
  static const char* const own[] = {"latitude", "longitude", "altitude", NULL};
  const rutNode root = rut_spec_root(spec);
  const rutNode reference = rut_node_first(spec, root, "georeference");
  const bool referenced = !rut_node_is_null(reference);
  if (!referenced && !rut_node_has(spec, root, "latitude")) return;
  cli_json_object(json, "georeference");
  for (int i = 0; i < 4; i++) {
    const char* field = referenced ? member[i] : own[i];
    const rutNode node = referenced ? reference : root;
    cli_json_number(json, member[i], field ? rut_node_number(spec, node, field) : 0);
  }
  cli_json_end(json);
}

// Names of the classes of images and points.
static void put_classes(const viewSceneDef* def, cliJson* json) {
  unsigned layers = 0;
  for (int i = 0; i < def->shape->sensors; i++) layers |= view_sample_layers(def->model, i);
  if (!(layers >> VIEW_LAYER_CLASS & 1)) return;
  cli_json_array(json, "classes");
  for (int i = 0; rut_class_name(def->model, i)[0]; i++) {
    cli_json_text(json, NULL, rut_class_name(def->model, i));
  }
  cli_json_end(json);
}

enum { MAX_SIGNALS = 10000 };

// Of worlds with very many only the first are listed; all can be subscribed.
static void put_signals(const rutSignals* signals, cliJson* json) {
  cli_json_array(json, "signals");
  for (int i = 0; i < rut_signals_count(signals) && i < MAX_SIGNALS; i++) {
    const rutSignal signal = rut_signals_at(signals, i);
    cli_json_object(json, NULL);
    cli_json_text(json, "name", signal.name);
    cli_json_text(json, "unit", signal.unit);
    cli_json_text(json, "doc", signal.doc);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void put_assets(const viewAssets* assets, cliJson* json) {
  cli_json_array(json, "assets");
  for (int i = 0; i < assets->count; i++) cli_json_text(json, NULL, assets->asset[i].path);
  cli_json_end(json);
}

// ---- all of it ----

viewBytes* view_scene_write(const viewSceneDef* def, uint64_t* fixed) {
  viewJsonText text;
  if (!view_json_begin(&text)) return NULL;
  cliJson* json = &text.json;
  put_world(def, json);
  view_scene_ground(def, json);
  view_scene_roads(def, json);
  put_gui(def->spec, json);
  put_sun(def, json);
  put_weather(def, json);
  put_lamps(def, json);
  view_scene_vehicles(def, json);
  view_scene_blocks(def, json);
  view_scene_joints(def, json);
  view_scene_things(def, json);
  view_scene_sensors(def, json);
  put_place(def->spec, json);
  put_classes(def, json);
  put_assets(def->assets, json);
  put_signals(def->signals, json);
  fflush(json->out);
  *fixed = view_hash(text.text, text.size);
  view_scene_parameters(def->spec, json);
  cli_json_end(json);
  return view_json_end(&text);
}
