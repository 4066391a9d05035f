// SPDX-License-Identifier: BSD-3-Clause
//
// Vehicle files of MAVS: what a file says against what rut makes of it, loads at rest against the
// balance of moments, and drives over rough ground; all of MAVS's own files where they are at hand.
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
#include "format/json.h"
#include "rut/component.h"

static const double G = 9.81, PI = 3.14159265358979323846;

// ---- loading, with findings kept ----

enum { MAX_FINDINGS = 100 };

typedef struct Finding {
  rutLevel level;
  int line, column;
  char message[300];
} Finding;

typedef struct Load {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
  rutStatus status;
  rutError err;
  Finding finding[MAX_FINDINGS];
  int findings;
} Load;

static void note(const rutDiagnostic* d, void* user) {
  Load* load = user;
  if (load->findings == MAX_FINDINGS) return;
  Finding* f = &load->finding[load->findings++];
  f->level = d->level;
  f->line = d->line;
  f->column = d->column;
  snprintf(f->message, sizeof f->message, "%s", d->message);
}

static Load* open_load(void) {
  Load* load = calloc(1, sizeof *load);
  assert_non_null(load);
  rutContextDef def = rut_default_context();
  def.report = note;
  def.user = load;
  assert_int_equal(rut_context_create(&def, &load->context, &load->err), RUT_OK);
  return load;
}

static Load* parse(const char* text) {
  Load* load = open_load();
  load->status =
      rut_spec_parse(load->context, text, strlen(text), "here/cart.json", &load->spec, &load->err);
  return load;
}

static void close_load(Load* load) {
  if (load->data) rut_data_destroy(load->data);
  if (load->model) rut_model_destroy(load->model);
  rut_spec_destroy(load->spec);
  rut_context_destroy(load->context);
  free(load);
}

// Make the model afresh from the spec.
static void compile(Load* load) {
  if (load->data) rut_data_destroy(load->data);
  if (load->model) rut_model_destroy(load->model);
  load->data = NULL;
  load->model = NULL;
  if (rut_compile(load->spec, &load->model, &load->err) != RUT_OK)
    fail_msg("%s", load->err.message);
  load->data = rut_data_create(load->model);
  assert_non_null(load->data);
}

static int count_of(const Load* load, rutLevel level, const char* text) {
  int n = 0;
  for (int i = 0; i < load->findings; i++) {
    n += load->finding[i].level == level && strstr(load->finding[i].message, text);
  }
  return n;
}

static const Finding* finding_of(const Load* load, const char* text) {
  for (int i = 0; i < load->findings; i++) {
    if (strstr(load->finding[i].message, text)) return &load->finding[i];
  }
  fail_msg("no finding '%s'", text);
  return &load->finding[0];
}

static double field(const Load* load, const char* path, const char* name) {
  const rutNode node = rut_spec_find(load->spec, path);
  if (rut_node_is_null(node)) fail_msg("no %s", path);
  return rut_node_number(load->spec, node, name);
}

static void run(Load* load, double seconds) {
  const double end = rut_time(load->data) + seconds - 0.5 * rut_model_timestep(load->model);
  while (rut_time(load->data) < end) {
    if (rut_step(load->model, load->data, &load->err) != RUT_OK) {
      fail_msg("after %g s: %s", rut_time(load->data), load->err.message);
    }
  }
}

// ---- JSON ----

static rutJson* json_of(const char* text, Load* load) {
  rutReporter reporter = {.report = note, .user = load};
  rutJson* json;
  load->status = rut_json_parse(text, strlen(text), "x.json", &reporter, &json);
  return json;
}

static void values_know_their_places(void** state) {
  (void)state;
  Load* load = open_load();
  rutJson* json = json_of(
      "\xef\xbb\xbf{ \"a\": [1, -2.5e1,\n  \"x\\\"y, ]\"],\n\t\"\": {\"\xc3\xa9\": true}, "
      "\"n\": null}\n",
      load);
  assert_int_equal(load->status, RUT_OK);
  const rutJsonValue* root = rut_json_root(json);
  assert_int_equal(root->kind, RUT_JSON_OBJECT);
  assert_int_equal(root->children, 3);
  const rutJsonValue* a = rut_json_find(root, "a");
  assert_int_equal(a->line, 1);
  assert_int_equal(a->column, 3);
  assert_int_equal(a->children, 3);
  assert_near(a->first->number, 1, 0);
  assert_int_equal(a->first->column, 9);
  assert_near(a->first->next->number, -25, 0);
  const rutJsonValue* text = a->first->next->next;
  assert_string_equal(text->text, "x\"y, ]");
  assert_int_equal(text->line, 2);
  assert_int_equal(text->column, 3);
  const rutJsonValue* empty = rut_json_find(root, "");
  assert_int_equal(empty->line, 3);
  assert_int_equal(empty->column, 2);
  // an accented letter is one column
  assert_int_equal(empty->first->column, 7);
  assert_near(empty->first->number, 1, 0);
  const rutJsonValue* n = rut_json_find(root, "n");
  assert_int_equal(n->kind, RUT_JSON_NULL);
  assert_int_equal(n->column, 19);
  rut_json_destroy(json);
  close_load(load);
}

static void what_is_no_json_is_refused(void** state) {
  (void)state;
  static const struct {
    const char* text;
    int line;
    const char* message;
  } bad[] = {
      {"{\"a\": 1,}", 1, "not well-formed"},
      {"{\"a\": 1\n\"b\": 2}", 2, "not well-formed"},
      {"{\"a\": 1,\n \"a\": 2}", 2, "duplicate"},
      {"{\"a\": 1e999}", 1, "overflow"},
      {"{\"a\": nan}", 1, "not well-formed"},
      {"{\"a\": \"\xff\"}", 1, "unable to decode byte 0xff"},
      {"{} {}", 1, "end of file"},
      {"{\"a\": [1, 2\n", 2, "not well-formed"},
      {"", 1, "not well-formed"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    Load* load = open_load();
    rutJson* json = json_of(bad[i].text, load);
    assert_null(json);
    assert_int_equal(load->status, RUT_ERR_PARSE);
    assert_int_equal(load->findings, 1);
    if (!strstr(load->finding[0].message, bad[i].message)) fail_msg("%s", load->finding[0].message);
    assert_true(load->finding[0].line >= 1 && load->finding[0].line <= bad[i].line + 1);
    close_load(load);
  }
}

static void nesting_is_bounded(void** state) {
  (void)state;
  enum { DEPTH = 100000 };
  char* text = malloc(DEPTH + 1);
  assert_non_null(text);
  memset(text, '[', DEPTH);
  text[DEPTH] = '\0';
  Load* load = open_load();
  assert_null(json_of(text, load));
  assert_int_equal(load->status, RUT_ERR_PARSE);
  close_load(load);
  free(text);
}

// ---- one vehicle with round numbers ----

#define TYRE                                                                              \
  "\"Tire\": {\"Spring Constant\": 200000, \"Damping Constant\": 300, \"Radius\": 0.4,\n" \
  " \"Width\": 0.2, \"Section Height\": 0.1, \"High Slip Crossover Angle\": 6,\n"         \
  " \"Viscous Friction Coefficient\": 0.5}"
#define AXLE(x, more)                                                                            \
  "{\"Longitudinal Offset\": " x                                                                 \
  ", \"Track Width\": 1.6, \"Spring Constant\": 50000,\n"                                        \
  " \"Damping Constant\": 4000, \"Spring Length\": 0.5, \"Unsprung Mass\": 40,\n" more "\n" TYRE \
  "}"
#define CHASSIS                                                                           \
  "\"Chassis\": {\"Sprung Mass\": 1200, \"CG Offset\": 0.1, \"Dimensions\": [4, 2, 1],\n" \
  " \"Drag Coefficient\": 0.5}"
#define POWERTRAIN                                                           \
  "\"Powertrain\": {\"Final Drive Ratio\": 3, \"Max Engine Torque\": 200,\n" \
  " \"Max Engine Rpm\": 3000, \"Max Braking Torque\": 1500, \"Idle Rpm\": 600}"
#define CART \
  "{" CHASSIS                                                                                     \
  ",\n" POWERTRAIN ",\n\"Axles\": [\n" AXLE("2",                                                  \
                                            "\"Steered\": true, \"Powered\": false, \"Max Steer " \
                                            "Angle\": 30,") ",\n" AXLE("-1",                      \
                                                                       "\"Steered\": false, "     \
                                                                       "\"Powered\": true,") "]}" \
                                                                                             "\n"

static void numbers_become_fields(void** state) {
  (void)state;
  Load* load = parse(CART);
  assert_int_equal(load->status, RUT_OK);
  assert_near(field(load, "", "timestep"), 1e-3, 0);
  assert_near(field(load, "cart/chassis", "mass"), 1200, 0);
  int n = 0;
  const double* inertia =
      rut_node_numbers(load->spec, rut_spec_find(load->spec, "cart/chassis"), "inertia", &n);
  assert_int_equal(n, 3);
  // a uniform box: m (b^2 + c^2) / 12
  assert_near(inertia[0], 100 * (4 + 1), 1e-9);
  assert_near(inertia[1], 100 * (16 + 1), 1e-9);
  assert_near(inertia[2], 100 * (16 + 4), 1e-9);
  assert_near(field(load, "cart/chassis", "drag_area"), 0.5 * 2 * 1, 1e-12);
  // front and rear carry 1/3 and 2/3 of the chassis
  const double front = 1200 * G / 6, rear = 1200 * G / 3;
  assert_near(field(load, "cart/axle[0]", "max_steer"), PI / 6, 1e-12);
  assert_near(field(load, "cart/axle[1]", "max_steer"), 0, 0);
  assert_near(field(load, "cart/axle[0]", "driven"), 0, 0);
  assert_near(field(load, "cart/axle[1]", "driven"), 1, 0);
  assert_near(field(load, "cart/axle[1]", "brake"), 1500, 0);
  assert_near(field(load, "cart/axle[1]/suspension", "bump_travel"), 0.95 * 0.6 - rear / 50000,
              1e-12);
  assert_near(field(load, "cart/axle[0]/suspension", "rebound_travel"), 0.95 * 0.6 + front / 50000,
              1e-12);
  assert_near(field(load, "cart/axle[0]/tyre", "damping"), 300, 0);
  assert_near(field(load, "cart/axle[0]/tyre", "crossover"), 6 * PI / 180, 1e-12);
  assert_near(field(load, "cart/axle[0]/tyre", "bearing"), 0.5, 0);
  assert_near(field(load, "cart/drive", "max_speed"), 100 * PI, 1e-9);
  assert_near(field(load, "cart/drive", "idle_speed"), 20 * PI, 1e-9);
  assert_near(field(load, "cart", "steer_rate"), 0.785, 0);
  assert_int_equal(count_of(load, RUT_WARNING, ""), 0);
  close_load(load);
}

// At rest the centre of mass is where MAVS's springs hold it: free length and CG Offset above the
// hubs, less what springs and tyres give.
static void it_stands_as_high_as_its_springs_say(void** state) {
  (void)state;
  Load* load = parse(CART);
  compile(load);
  run(load, 3);
  const double front = 1200 * G / 6, rear = 1200 * G / 3, hub = 40 * G;
  const double low_front = 0.4 - (front + hub) / 200000 + 0.5 + 0.1 - front / 50000;
  const double low_rear = 0.4 - (rear + hub) / 200000 + 0.5 + 0.1 - rear / 50000;
  // on the line from 2 m ahead of it to 1 m behind it
  const double expected = (low_front + 2 * low_rear) / 3;
  int n = 0;
  const double* com =
      rut_node_numbers(load->spec, rut_spec_find(load->spec, "cart/chassis"), "com", &n);
  assert_int_equal(n, 3);
  const rutVehicleState s = rut_vehicle_state(load->model, load->data, 0);
  assert_near(s.position[2] + com[2], expected, 1e-4);
  assert_near(s.pitch, 0, 1e-5);
  assert_near(rut_vehicle_info(load->model, 0).mass, 1200 + 4 * 40, 1e-9);
  close_load(load);
}

// Full throttle at rest: the engine's torque at idle speed, times both gears, over radius and mass.
static void torque_is_shared_by_the_wheels(void** state) {
  (void)state;
  Load* load = parse(CART);
  rut_spec_remove(load->spec, rut_spec_find(load->spec, "cart/controller"));
  const rutNode cart = rut_spec_find(load->spec, "cart");
  rutNode pedals = rut_spec_add(load->spec, cart, "controller", "pedals", "", &load->err);
  rut_node_set_number(load->spec, pedals, "torque", 1e6, &load->err);
  compile(load);
  rut_step(load->model, load->data, &load->err);
  double sum = 0;
  for (int w = 0; w < 4; w++) {
    const double torque = rut_wheel_state(load->model, load->data, w).torque;
    assert_near(torque, w < 2 ? 0 : 0.5 * 200 * (1 - 600.0 / 3000) * 3 * 2, 1e-9);
    sum += torque;
  }
  assert_near(sum, 960, 1e-9);
  close_load(load);
}

static void what_is_not_used_is_told_once_with_its_place(void** state) {
  (void)state;
  Load* load = parse(
      "{\"Chassis\": {\"Sprung Mass\": 1200, \"CG Offset\": 0.1, \"Dimensions\": [4, 2, 1],\n"
      "   \"Sprung Mas\": 3, \"Collisions\": true, \"Drag Coefficient\": 28.2},\n" POWERTRAIN
      ",\n \"Trailer\": {}, \"Tire Mesh\": {}, \"Axles\": [\n" AXLE("2", "") ",\n" AXLE("-1", "")
      ",\n{\"Longitudinal Offset\": 0, \"Spring Constant\": 10, \"Tire\": {\"Spring Constant\": 10, "
      "\"Radius\": 0.4, \"Damping Constant\": 1e9}}]}");
  assert_int_equal(load->status, RUT_OK);
  assert_int_equal(count_of(load, RUT_WARNING, "'Sprung Mas' is not used by rut (did you mean"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "'Collisions' is not used by rut"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "'Trailer' is not used by rut"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "'Tire Mesh' is not used by rut"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "Coefficient' of 28.2"), 1);
  assert_int_equal(finding_of(load, "'Sprung Mas'")->line, 2);
  assert_int_equal(finding_of(load, "'Sprung Mas'")->column, 4);
  // steering without an angle, on two axles; lacks of the third
  assert_int_equal(count_of(load, RUT_WARNING, "'Max Steer Angle' is missing"), 2);
  assert_int_equal(count_of(load, RUT_WARNING, "'Track Width' is missing: 1.5 is taken"), 1);
  assert_int_equal(count_of(load, RUT_WARNING, "this axle is left out"), 1);
  compile(load);
  assert_int_equal(rut_count(load->model, RUT_WHEEL), 4);
  // a block's drag in place of 28.2
  assert_near(field(load, "cart/chassis", "drag_area"), 2, 1e-12);
  close_load(load);
}

// 2 sqrt(k m) = 2 sqrt(200e3 * 40)
static void damping_of_tyres_is_bounded_by_critical(void** state) {
  (void)state;
  static const struct {
    const char* given;  // as wide as the 300 of the cart
    double taken;
    int warnings;
  } cases[] = {{"9e4", 5656.854249492381, 1}, {"5e3", 5000, 0}};
  for (int i = 0; i < 2; i++) {
    char text[] = CART;
    char* at = strstr(text, "300, \"Radius\"");
    assert_non_null(at);
    memcpy(at, cases[i].given, 3);
    Load* load = parse(text);
    assert_int_equal(load->status, RUT_OK);
    assert_int_equal(count_of(load, RUT_WARNING, "times critical"), cases[i].warnings);
    assert_near(field(load, "cart/axle[0]/tyre", "damping"), cases[i].taken, 1e-9);
    close_load(load);
  }
}

static void skid_steering_turns_without_steered_wheels(void** state) {
  (void)state;
  Load* load =
      parse("{\"Skid Steered\": true,\n" CHASSIS
            ",\n\"Powertrain\": {\"Final Drive Ratio\": 3, \"Max Engine Torque\": 400,\n"
            " \"Max Engine Rpm\": 3000, \"Max Braking Torque\": 1500, \"Idle Rpm\": 600,\n"
            " \"Speed Governor\": 4},\n\"Axles\": [\n" AXLE("0.6", "") ",\n" AXLE("-0.6", "") "]}");
  assert_int_equal(load->status, RUT_OK);
  assert_near(field(load, "cart/axle[0]", "max_steer"), 0, 0);
  compile(load);
  assert_string_equal(rut_vehicle_info(load->model, 0).drive, "dc_motor");
  const double turn[2] = {1, 0.3}, fast[2] = {100, 0};
  rut_command(load->model, load->data, 0, 2, turn);
  run(load, 10);
  const rutVehicleState s = rut_vehicle_state(load->model, load->data, 0);
  // the wheels turn as asked, and the vehicle less, since its tyres scrub
  assert_near(s.odometry_velocity[1], 0.3, 0.03);
  assert_true(s.rate[2] > 0.1 && s.rate[2] < 0.3);
  // the governor holds whatever is asked for
  rut_command(load->model, load->data, 0, 2, fast);
  run(load, 20);
  const double speed = rut_vehicle_state(load->model, load->data, 0).velocity[0];
  assert_true(speed > 3.5 && speed <= 4);
  close_load(load);
}

static void wrong_files_are_refused_with_a_place(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
    int line, column;
  } bad[] = {
      {"{\n \"Powertrain\": 3}", "'Powertrain' must be an object, not a number", 2, 2},
      {"{\"Chassis\": {\"Sprung Mass\": \"x\"}}", "must be a number, not a string", 1, 14},
      {"{\"Chassis\": {\"Sprung Mass\": -1}}", "'Sprung Mass' is -1", 1, 14},
      {"{\"Chassis\": {\"Sprung Mass\": 1}}", "needs 'Dimensions'", 1, 2},
      {"{\"Chassis\": {\"Sprung Mass\": 1, \"Dimensions\": [1, 2]}}", "a list of 3 numbers", 1, 32},
      {"{\"Powertrain\": {},\n\"Axles\": []}", "2 to 32 axles, not 0", 2, 1},
      {"{\"Powertrain\": {},\n\"Axles\": [1, 2]}", "an axle must be an object, not a number", 2,
       11},
      {"{\"Powertrain\": {},\n\"Axles\": [{}, {}]}", "needs 'Longitudinal Offset'", 2, 11},
      {"{" CHASSIS ", " POWERTRAIN ", \"Axles\": [" AXLE("2", "") "," AXLE("1", "") "]}",
       "is not between the axles", 0, 0},
      {"{" CHASSIS ", " POWERTRAIN ", \"Axles\": [" AXLE("1", "") "," AXLE("1", "") "]}",
       "two axles in different places", 0, 0},
      {"{\"Initial Pose\": {\"Orientation\": [0, 0, 0, 0]}," CHASSIS ", " POWERTRAIN
       ", \"Axles\": [" AXLE("2", "") "," AXLE("-1", "") "]}",
       "quaternion", 0, 0},
  };
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    Load* load = parse(bad[i].text);
    assert_int_not_equal(load->status, RUT_OK);
    assert_null(load->spec);
    if (!count_of(load, RUT_ERROR, bad[i].message)) {
      fail_msg("case %zu: not '%s' but '%s'", i, bad[i].message, load->err.message);
    }
    const Finding* f = finding_of(load, bad[i].message);
    assert_true(f->line > 0);
    if (bad[i].line) assert_int_equal(f->line, bad[i].line);
    if (bad[i].column) assert_int_equal(f->column, bad[i].column);
    close_load(load);
  }
}

static void other_json_is_not_recognised(void** state) {
  (void)state;
  static const char* const text[] = {
      "{\"Name\": \"HMMWV\", \"Type\": \"Vehicle\", \"Axles\": []}",
      "this is a JSON file, not a world; of these, rut reads vehicles and scenes of MAVS only",
      "[\"Sprung Mass\"]",
      "this is not a world file",
      "{}",
      "this is a JSON file, not a world",
      "  {",
      "this is a JSON file, not a world",
  };
  for (size_t i = 0; i < sizeof text / sizeof text[0]; i += 2) {
    Load* load = parse(text[i]);
    assert_int_equal(load->status, RUT_ERR_PARSE);
    assert_non_null(strstr(load->err.message, text[i + 1]));
    close_load(load);
  }
}

// ---- MAVS's own files ----

// Name, sprung mass, unsprung mass of a wheel, places of the two axles that carry: from the files.
static const struct {
  const char* name;
  double sprung, unsprung, front, rear;
  bool skid;
  double top;  // largest speed that engine or governor allow without slip [m/s]
} file[] = {
    {"amiga", 150, 20, 0.54, -0.54, true, 966 * 2 * PI / 60 / 2 * 0.25},
    {"amiga_1", 200, 20, 0.54, -0.54, true, 966 * 2 * PI / 60 / 2 * 0.25},
    {"amiga_3", 150, 20, 0.4, -0.4, true, 300 * 2 * PI / 60 / 6 * 0.25},
    {"army_truck", 6500, 68, 2.50751, -1.806, false, 4500 * 2 * PI / 60 / 6.6 * 0.535635},
    {"clearpath_warthog_cpu_tires", 280, 2, 0.465, -0.46, true, 5},
    {"forester_2017_rp3d_tires", 1587.6, 62.45, 1.25, -1.36, false, 6000 * 2 * PI / 60 / 2 * 0.335},
    {"hmmwv", 2086.52, 62, 1.53386, -1.2847, false, 4500 * 2 * PI / 60 / 6.6 * 0.39243},
    {"m915", 6500, 68, 2.30554, -2.51617, false, 4500 * 2 * PI / 60 / 6.6 * 0.535635},
    {"m915a5_with_trailer", 6500, 68, 2.52, -2.79292, false, 4500 * 2 * PI / 60 / 6.6 * 0.492},
    {"mrzr4_tires_low_gear", 1140.6, 34.8, 1.34625, -1.37375, false,
     5000 * 2 * PI / 60 / 3 * 0.3302},
};
enum { FILES = sizeof file / sizeof file[0] };

// NULL, with the test skipped, if the files are not there.
static Load* load_shipped(int i) {
  char path[300];
  snprintf(path, sizeof path, "%s/data/mavs/vehicles/%s.json", RUT_SHARED_DIR, file[i].name);
  FILE* stream = fopen(path, "rb");
  if (!stream) {
    print_message("no %s: skipped\n", path);
    skip();
  }
  fclose(stream);
  Load* load = open_load();
  load->status = rut_spec_load(load->context, path, &load->spec, &load->err);
  if (load->status != RUT_OK) fail_msg("%s: %s", path, load->err.message);
  return load;
}

// Half of the sprung mass times the other axle's part of the wheelbase, and the wheel's own mass.
static void shipped_vehicles_stand_level(void** state) {
  (void)state;
  for (int i = 0; i < FILES; i++) {
    Load* load = load_shipped(i);
    // it comes to rest from a hop
    const rutNode vehicle = rut_node_first(load->spec, rut_spec_root(load->spec), "vehicle");
    const double hop[3] = {0, 0, 1};
    rut_node_set_numbers(load->spec, vehicle, "velocity", 3, hop, &load->err);
    compile(load);
    run(load, 8);
    const double base = file[i].front - file[i].rear, half = 0.5 * file[i].sprung;
    const double front = G * (half * -file[i].rear / base + file[i].unsprung);
    const double rear = G * (half * file[i].front / base + file[i].unsprung);
    const rutVehicleState s = rut_vehicle_state(load->model, load->data, 0);
    assert_near(rut_vehicle_info(load->model, 0).mass, file[i].sprung + 4 * file[i].unsprung, 1e-6);
    assert_int_equal(rut_count(load->model, RUT_WHEEL), 4);
    double load_of[4], sum = 0;
    for (int w = 0; w < 4; w++) {
      load_of[w] = rut_wheel_state(load->model, load->data, w).load;
      sum += load_of[w];
    }
    print_message("%-28s loads %8.1f %8.1f N (%8.1f %8.1f), pitch %9.2e roll %9.2e speed %8.1e\n",
                  file[i].name, load_of[0], load_of[2], front, rear, s.pitch, s.roll,
                  s.velocity[0]);
    for (int w = 0; w < 4; w++) {
      assert_near(load_of[w], w < 2 ? front : rear, 1e-3 * (w < 2 ? front : rear));
    }
    assert_near(sum, G * (file[i].sprung + 4 * file[i].unsprung), 1e-4 * sum);
    assert_near(s.pitch, 0, 1e-3);
    assert_near(s.roll, 0, 1e-6);
    assert_near(s.velocity[0], 0, 1e-3);
    close_load(load);
  }
}

static void shipped_vehicles_drive_on_rough_ground(void** state) {
  (void)state;
  for (int i = 0; i < FILES; i++) {
    Load* load = load_shipped(i);
    const rutNode world = rut_spec_root(load->spec);
    const rutNode ground = rut_spec_add(load->spec, world, "terrain", "iso8608", "", &load->err);
    assert_false(rut_node_is_null(ground));
    rut_node_set(load->spec, ground, "class", "D", &load->err);
    rut_node_set(load->spec, ground, "form", "area", &load->err);
    compile(load);
    const double speed = file[i].top < 2 ? 1 : 4;
    const double command[2] = {speed, file[i].skid ? 0.1 : 0.05};
    rut_command(load->model, load->data, 0, 2, command);
    run(load, 20);
    const rutVehicleState s = rut_vehicle_state(load->model, load->data, 0);
    rutEnergy e;
    assert_true(rut_vehicle_energy(load->model, load->data, 0, &e));
    print_message("%-28s after 20 s on class D: x %6.2f y %6.2f z %6.3f speed %5.2f of %g\n",
                  file[i].name, s.position[0], s.position[1], s.position[2], s.velocity[0], speed);
    assert_near(s.velocity[0], speed, 0.3 * speed);
    assert_true(fabs(s.roll) < 0.3 && fabs(s.pitch) < 0.3);
    assert_true(fabs(e.residual) < 0.05 * e.throughput);
    close_load(load);
  }
}

// At full throttle no vehicle is faster than engine speed, gears and wheels allow.
static void shipped_vehicles_have_a_top_speed(void** state) {
  (void)state;
  for (int i = 0; i < FILES; i++) {
    Load* load = load_shipped(i);
    compile(load);
    const double command[2] = {300, 0};
    rut_command(load->model, load->data, 0, 2, command);
    run(load, 60);
    const double speed = rut_vehicle_state(load->model, load->data, 0).velocity[0];
    print_message("%-28s after 60 s at full throttle %6.2f m/s of %6.2f\n", file[i].name, speed,
                  file[i].top);
    assert_true(speed > 0.3 * file[i].top && speed < file[i].top);
    close_load(load);
  }
}

// ---- in a world of rut ----

static void a_native_world_takes_vehicle_files(void** state) {
  (void)state;
  FILE* stream = fopen("cart.json", "wb");
  assert_non_null(stream);
  fputs(CART, stream);
  fclose(stream);
  static const char world[] =
      "<world timestep='2 ms'>\n"
      "  <for var='i' from='1' to='3'>\n"
      "    <vehicle file='cart.json' name='c${i}' position='0 $f{5*i}'/>\n"
      "  </for>\n"
      "  <vehicle file='cart.json' yaw='90 deg'><controller type='pedals' torque='5'/></vehicle>\n"
      "</world>\n";
  Load* load = open_load();
  load->status =
      rut_spec_parse(load->context, world, strlen(world), "w.xml", &load->spec, &load->err);
  if (load->status != RUT_OK) fail_msg("%s", load->err.message);
  // told once, not four times
  assert_int_equal(count_of(load, RUT_NOTE, "moments of inertia"), 1);
  assert_near(field(load, "", "timestep"), 2e-3, 0);
  int n = 0;
  const double* at = rut_node_numbers(load->spec, rut_spec_find(load->spec, "c3"), "position", &n);
  assert_near(at[1], 15, 0);
  assert_string_equal(rut_node_type(load->spec, rut_spec_find(load->spec, "cart/controller")),
                      "pedals");
  compile(load);
  assert_int_equal(rut_count(load->model, RUT_VEHICLE), 4);
  assert_string_equal(rut_vehicle_info(load->model, 0).controller, "p_gravity");
  close_load(load);
}

static void a_native_world_tells_what_is_wrong_with_a_vehicle_file(void** state) {
  (void)state;
  FILE* stream = fopen("own.xml", "wb");
  assert_non_null(stream);
  fputs("<world/>", stream);
  fclose(stream);
  static const struct {
    const char *text, *message;
  } bad[] = {{"<world>\n<vehicle file='none.json'/></world>", "cannot be read"},
             {"<world>\n<vehicle file='own.xml'/></world>", "not a vehicle file"},
             {"<world>\n<vehicle file='own.xml' colour='red'/></world>", "not a vehicle file"}};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    Load* load = open_load();
    load->status = rut_spec_parse(load->context, bad[i].text, strlen(bad[i].text), "w.xml",
                                  &load->spec, &load->err);
    assert_int_not_equal(load->status, RUT_OK);
    const Finding* f = finding_of(load, bad[i].message);
    assert_int_equal(f->line, 2);
    assert_int_equal(f->column, 10);
    close_load(load);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_know_their_places),
      cmocka_unit_test(what_is_no_json_is_refused),
      cmocka_unit_test(nesting_is_bounded),
      cmocka_unit_test(numbers_become_fields),
      cmocka_unit_test(it_stands_as_high_as_its_springs_say),
      cmocka_unit_test(torque_is_shared_by_the_wheels),
      cmocka_unit_test(what_is_not_used_is_told_once_with_its_place),
      cmocka_unit_test(damping_of_tyres_is_bounded_by_critical),
      cmocka_unit_test(skid_steering_turns_without_steered_wheels),
      cmocka_unit_test(wrong_files_are_refused_with_a_place),
      cmocka_unit_test(other_json_is_not_recognised),
      cmocka_unit_test(shipped_vehicles_stand_level),
      cmocka_unit_test(shipped_vehicles_drive_on_rough_ground),
      cmocka_unit_test(shipped_vehicles_have_a_top_speed),
      cmocka_unit_test(a_native_world_takes_vehicle_files),
      cmocka_unit_test(a_native_world_tells_what_is_wrong_with_a_vehicle_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
