// SPDX-License-Identifier: BSD-3-Clause
//
// Simulations of MAVS: what a file says against the world that rut makes of it, and files that are
// not there or wrong.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"
#include "scratch_files.h"

static const double DEGREE = 3.14159265358979323846 / 180;

enum { LONGEST = 8000 };

typedef struct Load {
  rutContext* context;
  rutSpec* spec;
  rutStatus status;
  rutError err;
  int warnings;
  char text[LONGEST];  // of all findings
} Load;

static void note(const rutDiagnostic* d, void* user) {
  Load* load = user;
  char line[800];
  load->warnings += d->level == RUT_WARNING;
  snprintf(line, sizeof line, "%s:%d: %s\n", d->file, d->line, d->message);
  strncat(load->text, line, LONGEST - strlen(load->text) - 1);
}

static Load* load_text(const char* text) {
  Load* load = calloc(1, sizeof *load);
  assert_non_null(load);
  write_file("sims/s.json", text);
  rutContextDef def = rut_default_context();
  def.report = note;
  def.user = load;
  assert_int_equal(rut_context_create(&def, &load->context, &load->err), RUT_OK);
  load->status = rut_spec_load(load->context, at("sims/s.json"), &load->spec, &load->err);
  return load;
}

static void close_load(Load* load) {
  if (load->status == RUT_OK) rut_spec_destroy(load->spec);
  rut_context_destroy(load->context);
  free(load);
}

static rutNode node_at(const Load* load, const char* path) {
  const rutNode node = rut_spec_find(load->spec, path);
  if (rut_node_is_null(node)) fail_msg("there is no %s", path);
  return node;
}

static double number(const Load* load, const char* path, const char* field) {
  return rut_node_number(load->spec, node_at(load, path), field);
}

static int count_nodes(const Load* load, rutNode parent, const char* kind) {
  int n = 0;
  for (rutNode node = rut_node_first(load->spec, parent, kind); !rut_node_is_null(node);
       node = rut_node_next(load->spec, node, kind)) {
    n++;
  }
  return n;
}

static void expect(const Load* load, const char* text) {
  if (!strstr(load->text, text)) fail_msg("nothing says '%s':\n%s", text, load->text);
}

// ---- files ----

static const char vehicle[] =
    "{\"Chassis\": {\"Sprung Mass\": 1000, \"CG Offset\": 0.2, \"Dimensions\": [3, 1.5, 1]},\n"
    "\"Powertrain\": {\"Final Drive Ratio\": 3, \"Max Engine Torque\": 400, \"Max Engine Rpm\": "
    "5000, \"Max Braking Torque\": 2000, \"Idle Rpm\": 800},\n"
    "\"Axles\": [\n"
    "{\"Longitudinal Offset\": 1, \"Track Width\": 1.5, \"Spring Constant\": 40000, \"Damping "
    "Constant\": 3000, \"Spring Length\": 0.3, \"Steered\": true, \"Max Steer Angle\": 30, "
    "\"Powered\": true, \"Unsprung Mass\": 40, \"Tire\": {\"Spring Constant\": 250000, \"Radius\": "
    "0.4, \"Width\": 0.25, \"Section Height\": 0.2, \"High Slip Crossover Angle\": 5}},\n"
    "{\"Longitudinal Offset\": -1, \"Track Width\": 1.5, \"Spring Constant\": 40000, \"Damping "
    "Constant\": 3000, \"Spring Length\": 0.3, \"Steered\": false, \"Powered\": true, \"Unsprung "
    "Mass\": 40, \"Tire\": {\"Spring Constant\": 250000, \"Radius\": 0.4, \"Width\": 0.25, "
    "\"Section Height\": 0.2, \"High Slip Crossover Angle\": 5}}]}\n";

static int make_folder(void** state) {
  (void)state;
  make_scratch_folder(folder);
  char command[400];
  snprintf(command, sizeof command,
           "mkdir -p '%s/sims' '%s/scenes' '%s/vehicles/rp3d_vehicles' '%s/waypoints'", folder,
           folder, folder, folder);
  assert_int_equal(system(command), 0);
  write_file("vehicles/rp3d_vehicles/car.json", vehicle);
  write_file(
      "scenes/field.json",
      "{\"Surface Mesh\": [], \"Objects\": [{\"Mesh\": \"misc/cylinder.obj\", \"Instances\": "
      "[{\"Position\": [20, 5, 0]}]}]}");
  write_file("waypoints/path.json", "{\"Waypoints\": [[0, 0], [10, 0], [30, 4]]}");
  return 0;
}

// A path as Windows has it, one behind data/, and one by its name in a folder.
#define SCENE                                                                                \
  "\"Scene\": {\"Input File\": \"C:\\\\mavs\\\\data\\\\scenes\\\\field.json\", \"Origin\": " \
  "[32.5, "                                                                                  \
  "90.75, 73], \"Time Zone\": 6}"
#define VEHICLE                                                                                  \
  "\"Vehicle\": {\"Type\": \"Rp3d\", \"Input File\": \"/home/u/mavs/data/vehicles/runtime/"      \
  "car.json\", \"Initial Position\": [-5, 2, 0], \"Initial Orientation\": [0.9238795325, 0, 0, " \
  "0.3826834324], \"CG Height\": 1, \"Update Rate\": 100, \"Number Processors\": 1}"

static void test_whole(void** state) {
  (void)state;
  Load* load = load_text(
      "{" SCENE ",\n" VEHICLE
      ",\n"
      "\"Driver\": {\"Type\": \"Waypoint Follower\", \"Input File\": \"data/waypoints/path.json\", "
      "\"Update Rate\": 10, \"Number Processors\": 1},\n"
      "\"Environment\": {\"Month\": 3, \"Day\": 22, \"Year\": 2004, \"Hour\": 14, \"Minute\": 5, "
      "\"Second\": 9, \"Rain Rate\": 36},\n"
      "\"Time Step\": 5e-05, \"Max Sim Time\": 12, \"Display Sensors\": true, \"Save Data\": "
      "false,\n"
      "\"Sensors\": [\n"
      "{\"Type\": \"lidar\", \"Model\": \"HDL-32E\", \"Name\": \"front lidar\", \"Offset\": [1.5, "
      "0.25, 0.75], \"Orientation\": [0.9659258263, 0, 0.2588190451, 0], \"Repitition Rate (Hz)\": "
      "20, \"Number Processors\": 1},\n"
      "{\"Type\": \"camera\", \"Model\": \"XCD-V60\", \"Name\": \"eye\", \"Repetition Rate (Hz)\": "
      "4},\n"
      "{\"Type\": \"camera\", \"Model\": \"Flea3-4mm\", \"Name\": \"eye\"},\n"
      "{\"Type\": \"gps\", \"Input File\": \"gps\"},\n"
      "{\"Type\": \"compass\", \"Input File\": \"compass\", \"Name\": \"north\"}]}");
  if (load->status != RUT_OK) fail_msg("%s", load->err.message);
  const rutNode world = rut_spec_root(load->spec), car = node_at(load, "car");
  assert_near(rut_node_number(load->spec, world, "duration"), 12, 0);
  assert_near(rut_node_number(load->spec, world, "timestep"), 1e-3, 0);
  assert_int_equal(count_nodes(load, world, "block"), 1);
  const rutNode earth = rut_node_first(load->spec, world, "georeference");
  assert_near(rut_node_number(load->spec, earth, "latitude"), 32.5 * DEGREE, 1e-12);
  assert_near(rut_node_number(load->spec, earth, "longitude"), -90.75 * DEGREE, 1e-12);
  assert_near(rut_node_number(load->spec, earth, "height"), 73, 0);
  const rutNode light = rut_node_first(load->spec, world, "light");
  assert_string_equal(rut_node_text(load->spec, light, "time"), "2004-03-22T14:05:09-06:00");
  const rutNode weather = rut_node_first(load->spec, world, "weather");
  assert_near(rut_node_number(load->spec, weather, "rain"), 1e-5, 1e-18);
  assert_near(rut_node_number(load->spec, car, "yaw"), 45 * DEGREE, 1e-9);
  int n = 0;
  const double* position = rut_node_numbers(load->spec, car, "position", &n);
  assert_near(position[0], -5, 0);
  assert_near(position[1], 2, 0);
  // the path, at MAVS's speed, instead of the vehicle's own controller
  assert_int_equal(count_nodes(load, car, "controller"), 1);
  const rutNode driver = rut_node_first(load->spec, car, "controller");
  assert_string_equal(rut_node_type(load->spec, driver), "waypoints");
  assert_near(rut_node_number(load->spec, driver, "speed"), 2, 0);
  const double* points = rut_node_numbers(load->spec, driver, "points", &n);
  assert_int_equal(n, 6);
  assert_near(points[5], 4, 0);
  // sensors: 0.4 m radius less the deflection under a load, springs and 0.2 m under the centre
  assert_int_equal(count_nodes(load, car, "sensor"), 5);
  const double* com =
      rut_node_numbers(load->spec, rut_node_first(load->spec, car, "chassis"), "com", &n);
  assert_true(com[2] > 0.5 && com[2] < 0.9);
  assert_string_equal(rut_node_text(load->spec, node_at(load, "car/front_lidar"), "preset"),
                      "hdl32e");
  assert_near(number(load, "car/front_lidar", "x"), com[0] + 1.5, 1e-12);
  assert_near(number(load, "car/front_lidar", "y"), com[1] + 0.25, 1e-12);
  assert_near(number(load, "car/front_lidar", "z"), com[2] + 0.75, 1e-12);
  assert_near(number(load, "car/front_lidar", "pitch"), 30 * DEGREE, 1e-9);
  assert_near(number(load, "car/front_lidar", "period"), 0.05, 1e-15);
  assert_near(number(load, "car/front_lidar", "columns"), floor(0.05 / 46.08e-6), 0);
  assert_near(number(load, "car/eye", "period"), 0.25, 1e-15);
  assert_near(number(load, "car/eye_2", "period"), 0.1, 1e-15);
  assert_string_equal(rut_node_text(load->spec, node_at(load, "car/eye_2"), "preset"), "flea3_4mm");
  assert_string_equal(rut_node_type(load->spec, node_at(load, "car/gps")), "gnss");
  assert_string_equal(rut_node_type(load->spec, node_at(load, "car/north")), "compass");
  rutModel* model = NULL;
  if (rut_compile(load->spec, &model, &load->err) != RUT_OK) fail_msg("%s", load->err.message);
  rut_model_destroy(model);
  if (strstr(load->text, "s.json")) fail_msg("findings of the simulation:\n%s", load->text);
  close_load(load);
}

// What is not known is one warning each, with its line; the rest is there.
static void test_unknown(void** state) {
  (void)state;
  Load* load = load_text("{\"Scene\": {\"Input File\": \"nowhere.json\"},\n" VEHICLE
                         ",\n"
                         "\"Sensors\": [\n"
                         "{\"Type\": \"lidar\", \"Model\": \"OS0\"},\n"
                         "{\"Type\": \"sonar\"},\n"
                         "{\"Type\": \"imu\", \"Input File\": \"imu.json\"},\n"
                         "{\"Type\": \"radar\", \"Colour\": \"red\"}],\n"
                         "\"Environment\": {\"Turbidity\": 3, \"Local Albedo\": [0, 0, 0]},\n"
                         "\"Driver\": {\"Type\": \"A* Planner\", \"Input File\": \"path.json\"}}");
  if (load->status != RUT_OK) fail_msg("%s", load->err.message);
  expect(load, "s.json:1: 'Input File' 'nowhere.json' is not there: the ground is level");
  expect(load, "s.json:4: there is no sensor 'lidar' 'OS0': it is left out");
  expect(load, "s.json:5: there is no sensor 'sonar' ''");
  expect(load, "s.json:6: 'Input File' is not read");
  expect(load, "s.json:7: 'Colour'");
  expect(load, "s.json:8: 'Turbidity'");
  expect(load, "s.json:9: 'Type' 'A* Planner'");
  assert_int_equal(count_nodes(load, node_at(load, "car"), "sensor"), 2);
  close_load(load);
}

// Without a vehicle nothing carries the sensors. Clocks of Nepal are 5 h 45 min ahead of UTC.
static void test_no_vehicle(void** state) {
  (void)state;
  Load* load = load_text(
      "{\"Scene\": {\"Input File\": \"field.json\", \"Time Zone\": -5.75},\n"
      "\"Driver\": {\"Input File\": \"path.json\"},\n"
      "\"Environment\": {\"Local Albedo\": [0, 0, 0]},\n"
      "\"Sensors\": [\n{\"Type\": \"imu\"}]}");
  if (load->status != RUT_OK) fail_msg("%s", load->err.message);
  expect(load, "s.json:2: there is no 'Vehicle' to drive");
  expect(load, "s.json:3: 'Turbidity', 'Local Albedo' and 'Wind' have no effect");
  expect(load, "s.json:5: there is no 'Vehicle': they are left out");
  const rutNode light = rut_node_first(load->spec, rut_spec_root(load->spec), "light");
  assert_string_equal(rut_node_text(load->spec, light, "time"), "2004-06-01T12:00:00+05:45");
  close_load(load);
}

// Names are told apart one by one, which thousands of sensors would make slow.
static void test_many_sensors(void** state) {
  (void)state;
  static char text[20000];
  int n = snprintf(text, sizeof text, "{\"Scene\": {}, " VEHICLE ", \"Sensors\": [");
  for (int i = 0; i < 257; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n, "%s{\"Type\": \"imu\"}", i ? "," : "");
  }
  snprintf(text + n, sizeof text - (size_t)n, "]}");
  Load* load = load_text(text);
  assert_int_not_equal(load->status, RUT_OK);
  expect(load, "a vehicle has at most 256 sensors");
  close_load(load);
}

static void expect_error(const char* text, const char* message) {
  Load* load = load_text(text);
  assert_int_not_equal(load->status, RUT_OK);
  expect(load, message);
  close_load(load);
}

static void test_errors(void** state) {
  (void)state;
  expect_error("{\"Scene\": {}, \"Sensors\": [], \"Vehicle\": {\"Input File\": \"gone.json\"}}",
               "'gone.json' is not there");
  expect_error("{\"Scene\": {}, \"Sensors\": [], \"Vehicle\": {\"Type\": \"Chrono\"}}",
               "'Type' 'Chrono'");
  expect_error("{\"Scene\": 5, \"Sensors\": []}", "'Scene' must be an object");
  expect_error("{\"Scene\": {}, " VEHICLE ", \"Sensors\": [3]}", "must be an object");
  expect_error("{\"Scene\": {}, " VEHICLE
               ", \"Sensors\": [{\"Type\": \"gps\", \"Orientation\": [1, 1, 0, 0]}]}",
               "quaternion");
  expect_error("{\"Scene\": {}, " VEHICLE
               ", \"Sensors\": [{\"Type\": \"gps\", \"Repitition Rate (Hz)\": 0}]}",
               "Repitition Rate");
  expect_error("{\"Scene\": {}, \"Sensors\": [], \"Environment\": {\"Month\": 13}}", "Month");
  // files elsewhere are not read, whatever the name
  expect_error("{\"Scene\": {}, \"Sensors\": [], \"Vehicle\": {\"Input File\": \"/etc/passwd\"}}",
               "'/etc/passwd' is not there");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_unknown),
                                     cmocka_unit_test(test_no_vehicle),
                                     cmocka_unit_test(test_many_sensors),
                                     cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
