// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicles, their wheels and what they carry.
#include <math.h>
#include <string.h>

#include "rut/appearance.h"
#include "rut/component.h"
#include "rut/navigation.h"
#include "scene/sample.h"
#include "scene/scene.h"

// Outline of vehicles that give none, as the compiler takes it.
static const double default_outline[] = {-0.4, -0.5, 0.4, -0.5, 0.6,  -0.3,
                                         0.6,  0.3,  0.4, 0.5,  -0.4, 0.5};
// As rut_vehicle_colour().
static const char* const default_colors[] = {"#d0642a", "#3572a5", "#4f8f4a", "#b8962e",
                                             "#8a5aa8", "#3f9a97", "#b5485d", "#6b7280"};
enum { COLORS = sizeof default_colors / sizeof default_colors[0], MAX_LINKS = 32 };

static void put_chassis(const viewSceneDef* def, cliJson* json, rutNode vehicle) {
  const rutSpec* spec = def->spec;
  const rutNode chassis = rut_node_first(spec, vehicle, "chassis");
  int n = 0;
  const double* outline = rut_node_numbers(spec, chassis, "outline", &n);
  const bool given = !rut_node_is_null(chassis) && n >= 6;
  cli_json_object(json, "chassis");
  if (given) {
    view_json_outline(json, n / 2, outline);
    view_json_heights(json, rut_node_number(spec, chassis, "z_min"),
                      rut_node_number(spec, chassis, "z_max"));
  } else {
    view_json_outline(json, (int)(sizeof default_outline / sizeof default_outline[0]) / 2,
                      default_outline);
    view_json_heights(json, 0.05, 0.6);
  }
  double eye[3];
  if (rut_vehicle_eye(spec, vehicle, eye)) view_json_numbers(json, "eye", 3, eye);
  cli_json_end(json);
}

// Radius, width and color of each wheel, from <wheel> or <axle> elements, which stand in the order
// of the wheels; an axle has a left and a right one, or one in the middle.
typedef struct WheelWalk {
  const rutSpec* spec;
  rutNode node;
  bool second;  // the right wheel of an axle comes next
} WheelWalk;

static bool is_kind(const rutSpec* spec, rutNode node, const char* kind) {
  return strcmp(rut_node_kind(spec, node), kind) == 0;
}

static void skip_to_wheel(WheelWalk* walk) {
  while (!rut_node_is_null(walk->node) && !is_kind(walk->spec, walk->node, "wheel") &&
         !is_kind(walk->spec, walk->node, "axle")) {
    walk->node = rut_node_next(walk->spec, walk->node, NULL);
  }
}

static void next_wheel(WheelWalk* walk) {
  if (is_kind(walk->spec, walk->node, "axle") && !walk->second &&
      rut_node_number(walk->spec, walk->node, "track") > 0) {
    walk->second = true;
    return;
  }
  walk->second = false;
  walk->node = rut_node_next(walk->spec, walk->node, NULL);
  skip_to_wheel(walk);
}

// Paint of vehicles that say nothing of it.
static rutMaterial default_paint(int index) {
  rutMaterial paint = {.reflectance_905 = 0.5,
                       .reflectance_1550 = 0.5,
                       .roughness = 0.5,
                       .specular = 0.04,
                       .radar = 1};
  rut_vehicle_colour(index, paint.colour);
  return paint;
}

// The mesh of a part that is made by rule: a wheel of the vehicle, or its body (-1).
static void put_made(const viewSceneDef* def, cliJson* json, rutNode vehicle, int index, int part) {
  const rutMaterial paint = default_paint(index);
  const int asset = view_assets_made(def->assets, def->spec, vehicle, part, &paint);
  if (asset < 0) return;
  cli_json_array(json, "visuals");
  view_json_made(json, asset, 1);
  cli_json_end(json);
}

static void put_wheels(const viewSceneDef* def, cliJson* json, rutNode vehicle, int index) {
  const rutSpec* spec = def->spec;
  const rutVehicleInfo info = rut_vehicle_info(def->model, index);
  WheelWalk walk = {spec, rut_node_first(spec, vehicle, NULL), false};
  skip_to_wheel(&walk);
  cli_json_array(json, "wheels");
  for (int i = 0; i < info.wheels; i++) {
    const int wheel = info.first_wheel + i;
    const char* name = rut_name(def->model, RUT_WHEEL, wheel);
    const char* slash = strrchr(name, '/');
    cli_json_object(json, NULL);
    cli_json_text(json, "name", slash ? slash + 1 : name);
    if (!rut_node_is_null(walk.node)) {
      cli_json_number(json, "radius", rut_node_number(spec, walk.node, "radius"));
      cli_json_number(json, "width", rut_node_number(spec, walk.node, "width"));
      view_json_color(json, rut_node_text(spec, walk.node, "color"), "#404040");
      if (!view_json_visuals(def, json, walk.node)) put_made(def, json, vehicle, index, i);
      next_wheel(&walk);
    }
    cli_json_integer(json, "links", def->shape->wheel_links[wheel]);
    cli_json_end(json);
  }
  cli_json_end(json);
}

static void put_commands(const rutSpec* spec, cliJson* json, rutNode vehicle) {
  const rutNode controller = rut_node_first(spec, vehicle, "controller");
  if (rut_node_is_null(controller)) return;
  const rutComponent* type = rut_node_component(spec, controller);
  int n;
  const rutVariable* row = rut_component_variables(type, RUT_COMMAND, &n);
  cli_json_text(json, "controller", type->name);
  cli_json_array(json, "commands");
  for (int i = 0; i < n; i++) {
    cli_json_object(json, NULL);
    cli_json_text(json, "name", row[i].name);
    cli_json_text(json, "unit", row[i].unit);
    cli_json_text(json, "doc", row[i].doc);
    cli_json_end(json);
  }
  cli_json_end(json);
}

// How late the picture and the commands of a page that drives it are.
static void put_packets(cliJson* json, const char* key, const rutPackets* packets) {
  cli_json_object(json, key);
  cli_json_number(json, "latency", packets->latency);
  cli_json_number(json, "jitter", packets->jitter);
  cli_json_number(json, "loss", packets->loss);
  cli_json_number(json, "rate", packets->rate);
  cli_json_end(json);
}

static void put_channels(cliJson* json, const viewDriver* driver) {
  if (!driver->by_video && !driver->by_radio) return;
  cli_json_object(json, "afar");
  put_packets(json, "video", &driver->video);
  put_packets(json, "commands", &driver->radio);
  cli_json_end(json);
}

// What pages may watch of how it finds its way.
static void put_navigation(const viewSceneDef* def, cliJson* json, int index) {
  const rutNavigationInfo info = rut_navigation_info(def->model, index);
  if (info.poses == 0 && info.columns == 0) return;
  cli_json_array(json, "navigation");
  if (info.poses > 0) cli_json_text(json, NULL, "path");
  if (info.columns > 0) cli_json_text(json, NULL, "map");
  cli_json_end(json);
}

// The load that it pulls, if there is one.
static void put_hitch(const rutSpec* spec, cliJson* json, rutNode vehicle) {
  const rutNode hitch = rut_node_first(spec, vehicle, "hitch");
  if (rut_node_is_null(hitch) || !(rut_node_number(spec, hitch, "force") > 0)) return;
  int n = 0;
  cli_json_object(json, "hitch");
  view_json_numbers(json, "position", 3, rut_node_numbers(spec, hitch, "position", &n));
  cli_json_number(json, "force", rut_node_number(spec, hitch, "force"));
  cli_json_number(json, "ramp", rut_node_number(spec, hitch, "ramp"));
  cli_json_number(json, "start", rut_node_number(spec, hitch, "start"));
  cli_json_end(json);
}

static void put_vehicle(const viewSceneDef* def, cliJson* json, rutNode node, int index) {
  const rutSpec* spec = def->spec;
  const rutVehicleInfo info = rut_vehicle_info(def->model, index);
  const rutNode chassis = rut_node_first(spec, node, "chassis");
  const char* kind = rut_node_text(spec, node, "class");
  const char* other = default_colors[index % COLORS];
  cli_json_object(json, NULL);
  cli_json_text(json, "name", info.name);
  cli_json_text(json, "kind", kind[0] ? kind : info.name);
  // the default of the file format tells nothing
  const bool colored = !rut_node_is_null(chassis) && rut_node_has(spec, chassis, "color");
  view_json_color(json, colored ? rut_node_text(spec, chassis, "color") : other, other);
  cli_json_number(json, "mass", info.mass);
  put_chassis(def, json, node);
  if (!view_json_visuals(def, json, node)) put_made(def, json, node, index, -1);
  put_commands(spec, json, node);
  cli_json_bool(json, "drivable", def->driver[index].drivable);
  put_channels(json, &def->driver[index]);
  put_navigation(def, json, index);
  put_hitch(spec, json, node);
  put_wheels(def, json, node, index);
  cli_json_end(json);
}

static void put_link_names(const viewSceneDef* def, cliJson* json) {
  rutLink link[MAX_LINKS];
  if (def->shape->links == 0) return;
  cli_json_array(json, "links");
  for (int w = 0; w < def->shape->wheels; w++) {
    const int n = def->shape->wheel_links[w];
    if (n > 0) rut_suspension_links(def->model, def->data, w, n, link);
    for (int i = 0; i < n; i++) cli_json_text(json, NULL, link[i].name);
  }
  cli_json_end(json);
}

void view_scene_vehicles(const viewSceneDef* def, cliJson* json) {
  const rutSpec* spec = def->spec;
  rutNode node = rut_node_first(spec, rut_spec_root(spec), "vehicle");
  cli_json_array(json, "vehicles");
  for (int i = 0; i < def->shape->vehicles && !rut_node_is_null(node); i++) {
    put_vehicle(def, json, node, i);
    node = rut_node_next(spec, node, "vehicle");
  }
  cli_json_end(json);
  put_link_names(def, json);
}

// ---- sensors ----

// What a page needs to draw samples of a sensor that it watches.
static void put_sample(const viewSceneDef* def, cliJson* json, int index) {
  static const char* const kinds[] = {"", "points", "image", "fix"};
  const viewSampleKind kind = view_sample_kind(def->model, index);
  if (kind == VIEW_SAMPLE_NONE) return;
  cli_json_text(json, "sample", kinds[kind]);
  const unsigned layers = view_sample_layers(def->model, index);
  if (layers) cli_json_array(json, "layers");
  for (int i = 0; i < VIEW_LAYERS; i++) {
    if (layers >> i & 1) cli_json_text(json, NULL, view_layer_name(i));
  }
  if (layers) cli_json_end(json);
  if (kind != VIEW_SAMPLE_IMAGE) return;
  int size[2];
  view_sample_size(def->model, index, size);
  cli_json_integer(json, "width", size[0]);
  cli_json_integer(json, "height", size[1]);
  cli_json_number(json, "fov", rut_sensor_parameter(def->model, index, "fov"));
}

// The solid angle that lidars, radars and range finders have in view, by the fields that their kind
// has: a horizontal one, elevations or a vertical one, and how far they see.
static void put_field_of_view(const viewSceneDef* def, cliJson* json, rutNode node, int index) {
  const double fov = rut_sensor_parameter(def->model, index, "fov");
  const double range = rut_sensor_parameter(def->model, index, "max_range");
  if (isnan(fov) || isnan(range)) return;
  const double first = rut_sensor_parameter(def->model, index, "elevation_first");
  const double last = rut_sensor_parameter(def->model, index, "elevation_last");
  const double vertical = rut_sensor_parameter(def->model, index, "fov_vertical");
  const double half = 0.5 * (isnan(vertical) ? fov : vertical);
  double elevation[2] = {-half, half};
  if (!isnan(first) && !isnan(last)) {
    elevation[0] = fmin(first, last);
    elevation[1] = fmax(first, last);
    int n = 0;
    const double* list = rut_node_numbers(def->spec, node, "elevations", &n);
    for (int i = 0; i < n; i++) {
      elevation[0] = i == 0 ? list[i] : fmin(elevation[0], list[i]);
      elevation[1] = i == 0 ? list[i] : fmax(elevation[1], list[i]);
    }
  }
  cli_json_number(json, "fov", fov);
  cli_json_number(json, "range", range);
  view_json_numbers(json, "elevation", 2, elevation);
}

static void put_sensor(const viewSceneDef* def, cliJson* json, rutNode node, int index) {
  const rutSpec* spec = def->spec;
  const rutSensorInfo info = rut_sensor_info(def->model, index);
  double pose[6] = {rut_node_number(spec, node, "x"), rut_node_number(spec, node, "y"),
                    rut_node_number(spec, node, "z")};
  view_node_angles(spec, node, pose + 3);
  cli_json_object(json, NULL);
  cli_json_text(json, "name", info.name);
  cli_json_text(json, "type", info.type);
  if (info.vehicle >= 0) cli_json_integer(json, "vehicle", info.vehicle);
  view_json_numbers(json, "pose", 6, pose);
  rutScanGeometry scan;
  const bool scans = rut_sensor_scan(def->model, index, &scan);
  cli_json_integer(json, "rays", scan.rays);
  if (scans) {
    cli_json_number(json, "fov", scan.angle_increment * (scan.rays - 1));
    cli_json_number(json, "range", scan.range_max);
    cli_json_bool(json, "level", scan.level);
  } else if (view_sample_kind(def->model, index) != VIEW_SAMPLE_IMAGE) {
    put_field_of_view(def, json, node, index);
  }
  put_sample(def, json, index);
  cli_json_end(json);
}

// Those of one carrier; index is the number of the first, and moves on.
static void put_sensors_of(const viewSceneDef* def, cliJson* json, rutNode carrier, int* index) {
  for (rutNode node = rut_node_first(def->spec, carrier, "sensor");
       !rut_node_is_null(node) && *index < def->shape->sensors;
       node = rut_node_next(def->spec, node, "sensor")) {
    put_sensor(def, json, node, (*index)++);
  }
}

// The model has the sensors of the vehicles first, then those of the world.
void view_scene_sensors(const viewSceneDef* def, cliJson* json) {
  const rutSpec* spec = def->spec;
  int index = 0;
  cli_json_array(json, "sensors");
  for (rutNode vehicle = rut_node_first(spec, rut_spec_root(spec), "vehicle");
       !rut_node_is_null(vehicle); vehicle = rut_node_next(spec, vehicle, "vehicle")) {
    put_sensors_of(def, json, vehicle, &index);
  }
  put_sensors_of(def, json, rut_spec_root(spec), &index);
  cli_json_end(json);
}
