// SPDX-License-Identifier: BSD-3-Clause
//
// Simulation files of MAVS (JSON): a scene, a vehicle in it with its sensors, the path that it
// follows, the time of day. What the keys mean follows MAVS's page "MAVS Simulation Input Files"
// and its code (src/simulation/simulation_loader.cpp, src/sensors/io/json_io.cpp).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "format/element_name.h"
#include "format/json_nodes.h"
#include "format/mavs.h"
#include "format/mavs_scene.h"
#include "format/path_file.h"
#include "format/xml.h"
#include "math/quat.h"
#include "math/rut_math.h"

enum { MAX_FILE = 16 << 20, MAX_SENSORS = 256 };
static const double DEGREE = RUT_PI / 180;

typedef struct Simulation {
  rutJsonMaker maker;
  rutContext* context;
  rutNode world, vehicle;
  double mass_centre[3];  // of the vehicle, from which sensors are placed [m]
} Simulation;

// ---- files ----

// Part of a path behind its last "/data/", which MAVS's files share, or its name alone. Backslashes
// are those of Windows.
static void tail_of(const char* text, bool whole, char tail[RUT_MAVS_PATH]) {
  snprintf(tail, RUT_MAVS_PATH, "%s", text);
  for (char* c = tail; *c; c++) {
    if (*c == '\\') *c = '/';
  }
  const char* from = tail;
  if (whole) {
    for (const char* at = tail; (at = strstr(at, "/data/")) != NULL; at++) from = at + 6;
  }
  const char* slash = strrchr(tail, '/');
  if (!whole && slash) from = slash + 1;
  memmove(tail, from, strlen(from) + 1);
}

static bool can_read(const Simulation* s, const char* path) {
  int file;
  uint64_t size;
  if (rut_input_open(s->maker.reporter->access, path, &file, &size) != 0) return false;
  close(file);
  return true;
}

// The file that an object names: where it says, behind "data/", or by its name in the folders in
// which MAVS keeps such files. Paths of simulations are those of the computer that wrote them.
// False if it is not there.
static bool find_file(const Simulation* s, const rutJsonValue* file, const char* const* folder,
                      char path[RUT_MAVS_PATH]) {
  char own[RUT_MAVS_PATH], behind[RUT_MAVS_PATH], name[RUT_MAVS_PATH];
  const char* slash = strrchr(s->maker.file, '/');
  const int length = slash ? (int)(slash - s->maker.file) + 1 : 0;
  if (length + strlen(file->text) > RUT_MAVS_PATH / 2) return false;
  snprintf(own, sizeof own, "%.*s", length, s->maker.file);
  tail_of(file->text, true, behind);
  tail_of(file->text, false, name);
  snprintf(path, RUT_MAVS_PATH, "%s", file->text);
  if (file->text[0] == '/' && can_read(s, path)) return true;
  snprintf(path, RUT_MAVS_PATH, "%.600s../%.500s", own, behind);
  if (can_read(s, path)) return true;
  for (; *folder; folder++) {
    snprintf(path, RUT_MAVS_PATH, "%.600s%s%.500s", own, *folder, name);
    if (can_read(s, path)) return true;
  }
  return false;
}

// A file that a part of a simulation names.
typedef struct Input {
  const rutJsonValue* object;
  const char *label, *instead;  // instead: what is done without it; NULL: that is an error
  const char* const* folder;    // in which it may be, from that of the simulation, to a NULL
  char path[RUT_MAVS_PATH];     // of the file that was read
  size_t size;
} Input;

// Read what "Input File" of an object names. NULL if it is not there.
static char* read_input(Simulation* s, Input* input) {
  rutJsonMaker* m = &s->maker;
  const rutJsonValue* file =
      rut_json_child(m, input->object, input->label, "Input File", RUT_JSON_STRING);
  char* text = NULL;
  if (file && file->text[0] && find_file(s, file, input->folder, input->path)) {
    rut_read_file(input->path, MAX_FILE, m->reporter, rut_json_place(m, file), &text, &input->size);
    return text;
  }
  const rutJsonValue* at = file ? file : input->object;
  const char* name = file ? file->text : "";
  if (input->instead) {
    rut_json_warn(m, at, input->label, "'Input File' '%.200s' is not there: %s", name,
                  input->instead);
  } else {
    rut_json_error(m, at, input->label,
                   "'Input File' '%.200s' is not there, nor in a folder of MAVS beside this file",
                   name);
  }
  return NULL;
}

// ---- scene, environment, vehicle ----

static void read_scene(Simulation* s, const rutJsonValue* root) {
  static const char* const folders[] = {"", "../scenes/", NULL};
  rutJsonMaker* m = &s->maker;
  const rutJsonValue* scene = rut_json_child(m, root, "", "Scene", RUT_JSON_OBJECT);
  if (!scene) return;
  RUT_JSON_CHECK_KEYS(m, scene, "Scene", "Input File", "Origin", "Time Zone");
  Input input = {
      .object = scene, .label = "Scene", .instead = "the ground is level", .folder = folders};
  char* text = read_input(s, &input);
  if (text) rut_mavs_scene_add(s->context, text, input.size, input.path, m->spec, s->world);
  free(text);
  double origin[3];
  if (!rut_json_list(m, scene, "Scene", "Origin", 3, origin)) return;
  const rutPlace place = rut_json_place(m, scene);
  const rutNode earth = rut_json_add(m, s->world, "georeference", "", "", place);
  rut_json_set(m, earth, "latitude", origin[0] * DEGREE, place);
  // west is positive
  rut_json_set(m, earth, "longitude", -origin[1] * DEGREE, place);
  rut_json_set(m, earth, "height", origin[2], place);
}

static int whole(rutJsonMaker* m, const rutJsonValue* object, const char* key, rutJsonRange range) {
  return (int)rut_json_number(m, object, "Environment", key, range);
}

// MAVS's time zones count west as positive.
static void read_environment(Simulation* s, const rutJsonValue* root) {
  rutJsonMaker* m = &s->maker;
  const rutJsonValue* e = rut_json_child(m, root, "", "Environment", RUT_JSON_OBJECT);
  if (!e) return;
  RUT_JSON_CHECK_KEYS(m, e, "Environment", "Month", "Day", "Year", "Hour", "Minute", "Second",
                      "Turbidity", "Local Albedo", "Rain Rate", "Wind");
  if (rut_json_find(e, "Turbidity") || rut_json_find(e, "Local Albedo") ||
      rut_json_find(e, "Wind")) {
    rut_json_warn(m, e, "Environment", "'Turbidity', 'Local Albedo' and 'Wind' have no effect");
  }
  const rutJsonValue* scene = rut_json_find(root, "Scene");
  const rutJsonRange zones = {0, -14, 14};
  const double west = scene && scene->kind == RUT_JSON_OBJECT
                          ? rut_json_number(m, scene, "Scene", "Time Zone", zones)
                          : 0;
  const int zone = -(int)rut_floor(60 * west + 0.5);  // [min]
  char time[64];
  snprintf(time, sizeof time, "%04d-%02d-%02dT%02d:%02d:%02d%c%02d:%02d",
           whole(m, e, "Year", (rutJsonRange){2004, 1901, 2099}),
           whole(m, e, "Month", (rutJsonRange){6, 1, 12}),
           whole(m, e, "Day", (rutJsonRange){1, 1, 31}),
           whole(m, e, "Hour", (rutJsonRange){12, 0, 23}),
           whole(m, e, "Minute", (rutJsonRange){0, 0, 59}),
           whole(m, e, "Second", (rutJsonRange){0, 0, 59}), zone < 0 ? '-' : '+', abs(zone) / 60,
           abs(zone) % 60);
  const rutPlace place = rut_json_place(m, e);
  rut_json_set_text(m, rut_json_add(m, s->world, "light", "", "", place), "time", time, place);
  const double rain = rut_json_number(m, e, "Environment", "Rain Rate", (rutJsonRange){0, 0, 350});
  if (rain > 0) {
    rut_json_set(m, rut_json_add(m, s->world, "weather", "", "", place), "rain", rain / 3.6e6,
                 place);
  }
}

// Yaw, pitch and roll of "Orientation", a quaternion w x y z. False with an error if it is none.
static bool read_turn(rutJsonMaker* m, const rutJsonValue* object, const char* label,
                      const char* key, rutVec3* rpy) {
  double q[4] = {1, 0, 0, 0};
  rut_json_list(m, object, label, key, 4, q);
  const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (rut_abs(norm - 1) > 1e-3) {
    rut_json_error(m, object, label, "'%s' must be a quaternion w x y z of length 1", key);
    return false;
  }
  *rpy = rut_quat_rpy(rut_quat_unit(rut_quat(q[0], q[1], q[2], q[3])));
  return true;
}

static void read_vehicle(Simulation* s, const rutJsonValue* root) {
  static const char* const folders[] = {"", "../vehicles/", "../vehicles/rp3d_vehicles/", NULL};
  rutJsonMaker* m = &s->maker;
  const rutJsonValue* v = rut_json_child(m, root, "", "Vehicle", RUT_JSON_OBJECT);
  if (!v) return;
  RUT_JSON_CHECK_KEYS(m, v, "Vehicle", "Type", "Input File", "Number Processors",
                      "Initial Position", "Initial Orientation", "CG Height", "Update Rate");
  const char* type = rut_json_text(m, v, "Vehicle", "Type");
  if (type[0] && strcmp(type, "Rp3d") != 0) {
    rut_json_error(m, v, "Vehicle", "'Type' '%.60s': rut reads vehicles of the type 'Rp3d'", type);
    return;
  }
  Input input = {.object = v, .label = "Vehicle", .folder = folders};
  char* text = read_input(s, &input);
  const rutVehiclePlace to = {.spec = m->spec, .world = s->world};
  if (text) rut_mavs_add_vehicle(s->context, text, input.size, input.path, &to, &s->vehicle);
  free(text);
  if (rut_node_is_null(s->vehicle)) return;
  const rutPlace place = rut_json_place(m, v);
  double position[3] = {0};
  rutVec3 rpy;
  if (rut_json_list(m, v, "Vehicle", "Initial Position", 3, position)) {
    rut_json_set_list(m, s->vehicle, "position", 2, position, place);
  }
  if (read_turn(m, v, "Vehicle", "Initial Orientation", &rpy)) {
    rut_json_set(m, s->vehicle, "yaw", rpy.z, place);
  }
  int n = 0;
  const rutNode chassis = rut_node_first(m->spec, s->vehicle, "chassis");
  const double* com = rut_node_numbers(m->spec, chassis, "com", &n);
  for (int i = 0; i < 3 && i < n; i++) s->mass_centre[i] = com[i];
}

// A vehicle that is there but wrong has its own error.
static bool has_vehicle(const rutJsonValue* root) { return rut_json_find(root, "Vehicle") != NULL; }

// ---- driver ----

// Both drivers of MAVS become one that follows the points; forces and brakes stay those of the
// vehicle's own controller.
static void read_driver(Simulation* s, const rutJsonValue* root) {
  static const char* const folders[] = {"", "../waypoints/", NULL};
  static const char* const kept[] = {"max_force", "brake_force", "drive_brakes"};
  const double speed = 2;  // of MAVS's waypoint follower [m/s]
  rutJsonMaker* m = &s->maker;
  const rutJsonValue* driver = rut_json_child(m, root, "", "Driver", RUT_JSON_OBJECT);
  if (!driver) return;
  if (rut_node_is_null(s->vehicle)) {
    if (!has_vehicle(root)) rut_json_warn(m, driver, "Driver", "there is no 'Vehicle' to drive");
    return;
  }
  RUT_JSON_CHECK_KEYS(m, driver, "Driver", "Type", "Input File", "Number Processors",
                      "Update Rate");
  const char* type = rut_json_text(m, driver, "Driver", "Type");
  if (strcmp(type, "Waypoint Follower") != 0) {
    rut_json_warn(m, driver, "Driver", "'Type' '%.60s': the vehicle follows the points of its file",
                  type);
  }
  Input input = {
      .object = driver, .label = "Driver", .instead = "the vehicle stands", .folder = folders};
  char* text = read_input(s, &input);
  rutPathPoints points = {0};
  const bool fine = text &&
                    rut_path_parse(text, input.size, input.path, m->reporter, &points) == RUT_OK &&
                    points.n > 0;
  free(text);
  if (!fine) return;
  const rutPlace place = rut_json_place(m, driver);
  const rutNode old = rut_node_first(m->spec, s->vehicle, "controller");
  const rutNode node = rut_json_add(m, s->vehicle, "controller", "waypoints", "", place);
  const bool same = !rut_node_is_null(old) && strcmp(rut_node_type(m->spec, old), "p_gravity") == 0;
  for (int i = 0; i < RUT_COUNT_OF(kept) && same; i++) {
    rut_json_set(m, node, kept[i], rut_node_number(m->spec, old, kept[i]), place);
  }
  rut_json_set(m, node, "speed", speed, place);
  rut_json_set_list(m, node, "points", 2 * points.n, points.xy, place);
  if (!rut_node_is_null(old)) rut_spec_remove(m->spec, old);
  rut_path_points_free(&points);
}

// ---- sensors ----

// Types and models as MAVS names them, and what they are here. Model "": without one.
static const struct Known {
  const char *type, *model, *sensor, *preset;
} known[] = {{"lidar", "M8", "lidar", "m8"},
             {"lidar", "HDL-64E", "lidar", "hdl64e"},
             {"lidar", "HDL-32E", "lidar", "hdl32e"},
             {"lidar", "VLP-16", "lidar", "vlp16"},
             {"lidar", "LMS-291", "lidar", "lms291"},
             {"lidar", "OS1", "lidar", "mavs_os1"},
             {"lidar", "OS1-16", "lidar", "mavs_os1_16"},
             {"lidar", "OS2", "lidar", "mavs_os2"},
             {"lidar", "RS-32", "lidar", "rs32"},
             {"camera", "Flea3-4mm", "camera", "flea3_4mm"},
             {"camera", "XCD-V60", "camera", "xcd_v60"},
             {"camera", "", "camera", "mavs"},
             {"fisheye", "", "camera", "fisheye"},
             {"radar", "Delphi Long Range", "radar", "delphi_long"},
             {"radar", "Delphi Mid Range", "radar", "delphi_mid"},
             {"radar", "", "radar", "mavs"},
             {"gps", "", "gnss", "single"},
             {"compass", "", "compass", ""},
             {"imu", "", "imu", ""}};

static const struct Known* known_sensor(const char* type, const char* model) {
  for (int i = 0; i < RUT_COUNT_OF(known); i++) {
    if (strcmp(type, known[i].type) == 0 && strcmp(model, known[i].model) == 0) return &known[i];
  }
  return NULL;
}

static bool is_taken(const Simulation* s, const char* name) {
  for (rutNode node = rut_node_first(s->maker.spec, s->vehicle, "sensor"); !rut_node_is_null(node);
       node = rut_node_next(s->maker.spec, node, "sensor")) {
    if (strcmp(rut_node_name(s->maker.spec, node), name) == 0) return true;
  }
  return false;
}

// Name of a sensor, with the letters that names may have; a number tells those of one name apart.
static void name_of(const Simulation* s, const char* given, char name[64]) {
  char plain[RUT_ELEMENT_NAME];
  rut_element_name(given, 47, plain);
  snprintf(name, 64, "%s", plain);
  for (int i = 2; is_taken(s, name); i++) snprintf(name, 64, "%.47s_%d", plain, i);
}

// Offsets are from the vehicle's centre of mass, MAVS's origin of it.
static void place_sensor(Simulation* s, const rutJsonValue* item, const char* label, rutNode node) {
  static const char* const field[6] = {"x", "y", "z", "roll", "pitch", "yaw"};
  rutJsonMaker* m = &s->maker;
  const rutPlace place = rut_json_place(m, item);
  double offset[3] = {0};
  rutVec3 rpy = {0};
  rut_json_list(m, item, label, "Offset", 3, offset);
  read_turn(m, item, label, "Orientation", &rpy);
  const double pose[6] = {s->mass_centre[0] + offset[0],
                          s->mass_centre[1] + offset[1],
                          s->mass_centre[2] + offset[2],
                          rpy.x,
                          rpy.y,
                          rpy.z};
  for (int i = 0; i < 6; i++) rut_json_set(m, node, field[i], pose[i], place);
}

// A lidar fires at its own rate: when it turns faster its columns are farther apart.
static void set_rate(Simulation* s, const rutJsonValue* item, const char* label, rutNode node) {
  rutJsonMaker* m = &s->maker;
  const rutJsonRange rates = {10, 1e-3, 1e5};
  // both spellings; MAVS's own is the wrong one
  const bool correct = rut_json_find(item, "Repetition Rate (Hz)") != NULL;
  const char* key = correct ? "Repetition Rate (Hz)" : "Repitition Rate (Hz)";
  const double period = 1 / rut_json_number(m, item, label, key, rates);
  const rutPlace place = rut_json_place(m, item);
  rut_json_set(m, node, "period", period, place);
  if (rut_node_is_null(node) || strcmp(rut_node_type(m->spec, node), "lidar") != 0) return;
  const double time = rut_node_number(m->spec, node, "column_time");
  const double fitting = time > 0 ? rut_floor(period / time * (1 + 1e-9)) : RUT_INFINITY;
  if (fitting >= 1 && fitting < rut_node_number(m->spec, node, "columns")) {
    rut_json_set(m, node, "columns", fitting, place);
  }
}

static void read_sensor(Simulation* s, const rutJsonValue* item, int index) {
  rutJsonMaker* m = &s->maker;
  char label[32], name[64];
  snprintf(label, sizeof label, "Sensors[%d]", index);
  if (item->kind != RUT_JSON_OBJECT) {
    rut_json_error(m, item, label, "a sensor must be an object, not %s",
                   rut_json_kind_text(item->kind));
    return;
  }
  RUT_JSON_CHECK_KEYS(m, item, label, "Type", "Model", "Input File", "Name", "Offset",
                      "Orientation", "Repitition Rate (Hz)", "Repetition Rate (Hz)",
                      "Number Processors", "Draw Annotations");
  const char* type = rut_json_text(m, item, label, "Type");
  const char* model = rut_json_text(m, item, label, "Model");
  const struct Known* found = known_sensor(type, model);
  if (!found) {
    rut_json_warn(m, item, label, "there is no sensor '%.40s' '%.60s': it is left out", type,
                  model);
    return;
  }
  // of a gps and a compass MAVS does not read it either
  const rutJsonValue* file = rut_json_find(item, "Input File");
  if (file && !model[0] && strcmp(type, "gps") != 0 && strcmp(type, "compass") != 0) {
    rut_json_warn(m, file, label, "'Input File' is not read: the sensor has the numbers of '%s'",
                  found->preset[0] ? found->preset : found->sensor);
  }
  const char* given = rut_json_text(m, item, label, "Name");
  name_of(s, given[0] ? given : type, name);
  const rutPlace place = rut_json_place(m, item);
  const rutNode node = rut_json_add(m, s->vehicle, "sensor", found->sensor, name, place);
  if (found->preset[0]) rut_json_set_text(m, node, "preset", found->preset, place);
  place_sensor(s, item, label, node);
  set_rate(s, item, label, node);
}

static void read_sensors(Simulation* s, const rutJsonValue* root) {
  const rutJsonValue* list = rut_json_child(&s->maker, root, "", "Sensors", RUT_JSON_ARRAY);
  const rutJsonValue* one = rut_json_child(&s->maker, root, "", "Sensor", RUT_JSON_OBJECT);
  const rutJsonValue* first = list ? list->first : one;
  if (!first) return;
  if (rut_node_is_null(s->vehicle)) {
    if (!has_vehicle(root)) {
      rut_json_warn(&s->maker, first, "Sensors", "there is no 'Vehicle': they are left out");
    }
    return;
  }
  int index = 0;
  for (const rutJsonValue* item = first; item; item = list ? item->next : NULL) {
    if (rut_json_halted(&s->maker)) return;
    if (index == MAX_SENSORS) {
      rut_json_error(&s->maker, item, "Sensors", "a vehicle has at most %d sensors", MAX_SENSORS);
      return;
    }
    read_sensor(s, item, index++);
  }
}

// ---- the format ----

static void read_simulation(Simulation* s, const rutJsonValue* root) {
  rutJsonMaker* m = &s->maker;
  if (root->kind != RUT_JSON_OBJECT) {
    rut_json_error(m, root, "", "a simulation of MAVS is an object, not %s",
                   rut_json_kind_text(root->kind));
    return;
  }
  RUT_JSON_CHECK_KEYS(m, root, "", "Scene", "Driver", "Vehicle", "Sensors", "Sensor", "Environment",
                      "Time Step", "Max Sim Time", "Display Sensors", "Save Data",
                      "Output Directory");
  const double step = 1e-3;  // of MAVS's vehicles, as in mavs_vehicle.c
  const rutJsonRange times = {0, 0, 1e6};
  const double most = rut_json_number(m, root, "", "Max Sim Time", times);
  const rutPlace place = rut_json_place(m, root);
  rut_json_set(m, s->world, "timestep", step, place);
  if (most > 0) rut_json_set(m, s->world, "duration", most, place);
  read_scene(s, root);
  read_environment(s, root);
  read_vehicle(s, root);
  read_driver(s, root);
  read_sensors(s, root);
}

static rutStatus simulation_read(rutContext* context, const char* text, size_t size,
                                 const char* name, rutSpec* spec, rutError* err) {
  static const char* const beside[] = {"scenes", "vehicles", "waypoints"};
  rutReporter* reporter = rut_context_reporter(context);
  const rutNode world = rut_spec_root(spec);
  const rutPlace start = {name, 1, 1};
  rutJson* json = NULL;
  rut_node_place(spec, world, NULL, start);
  rutStatus status = RUT_OK;
  for (int i = 0; i < RUT_COUNT_OF(beside) && status == RUT_OK; i++) {
    status = rut_spec_allow_beside(spec, name, beside[i]);
  }
  if (status == RUT_OK) status = rut_json_parse(text, size, name, reporter, &json);
  if (status == RUT_OK) {
    const int before = reporter->errors;
    Simulation s = {.maker = {.spec = spec, .reporter = reporter, .file = name},
                    .context = context,
                    .world = world};
    read_simulation(&s, rut_json_root(json));
    if (reporter->errors != before) status = reporter->first.status;
  }
  rut_json_destroy(json);
  if (status != RUT_OK && err) *err = reporter->first;
  return status;
}

// A scene, and sensors: no other file of MAVS has both.
static bool recognise(const char* text, size_t size) {
  bool scene = false, sensors = false;
  size_t at = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (at < size && strchr(" \t\r\n", text[at]) && text[at]) at++;
  if (at == size || text[at] != '{') return false;
  for (size_t i = at; i < size; i++) {
    if (text[i] != '"') continue;
    scene = scene || rut_json_key_at(text + i, size - i, "Scene");
    sensors = sensors || rut_json_key_at(text + i, size - i, "Sensors") ||
              rut_json_key_at(text + i, size - i, "Sensor");
  }
  return scene && sensors;
}

const rutFormatType rut_format_mavs_simulation = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutFormatType),
             .kind = "format",
             .name = "mavs_simulation",
             .parents = "",
             .doc = "Simulation files of MAVS (JSON): a scene, a vehicle with sensors, its path."},
    .recognise = recognise,
    .read = simulation_read};
