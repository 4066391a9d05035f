// SPDX-License-Identifier: BSD-3-Clause
//
// What every registered component of any kind must hold, found by the registry: rows that are
// complete; with nothing but its defaults a world that compiles and steps; finite outputs with
// known units; a vehicle's bits alone as among eight; states that are saved and restored exactly;
// no memory taken in a step. New components are found by themselves.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/units.h"
#include "repetitions.h"
#include "rut/component.h"
#include "sim/spec/variables.h"

enum {
  FEW_STEPS = 10,  // two samples of a sensor
  VEHICLES = 9,
  LOOKED_AT = 3,
  MOST_NUMBERS = 2000000,
  MOST_OUTPUTS = 100,
  MOST_TEXT = 60000
};

// ---- a context that counts ----

static int allocations;
static void* counted_alloc(size_t size, size_t align, void* user) {
  (void)user;
  allocations++;
  return aligned_alloc(align < 16 ? 16 : align, (size + 63) & ~(size_t)63);
}
static void counted_free(void* block, void* user) {
  (void)user;
  free(block);
}
static rutContext* open_context(void) {
  rutContext* context = NULL;
  rutContextDef def = rut_default_context();
  def.alloc = counted_alloc;
  def.free = counted_free;
  assert_int_equal(rut_context_create(&def, &context, NULL), RUT_OK);
  // of terrain that has its heights from a file
  assert_int_equal(rut_context_allow_dir(context, RUT_SOURCE_DIR "/worlds/roads", NULL), RUT_OK);
  return context;
}

// ---- rows ----

static void check_unit(const char* of, const char* name, const char* unit) {
  char message[160];
  const char* end;
  double value;
  if (unit && rut_parse_quantity("1", unit, &value, &end, message)) return;
  fail_msg("%s: '%s' has the unit '%s', which is none", of, name, unit ? unit : "NULL");
}

static void check_name(const char* of, const char* name) {
  for (const char* c = name; *c; c++) {
    const bool known = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_';
    if (!known) fail_msg("%s: '%s' is not a name of small letters, digits and _", of, name);
  }
  if (!name[0]) fail_msg("%s: a row has no name", of);
}

static void check_field(const char* of, const rutField* f) {
  check_name(of, f->name);
  if (!f->doc || !f->doc[0]) fail_msg("%s: '%s' has no sentence", of, f->name);
  // the unit of a text says that it is a file; mixed ones are a list, one per number
  if (f->type == RUT_TEXT || (f->flags & RUT_FIELD_MIXED)) return;
  check_unit(of, f->name, f->unit);
  const bool scalar = f->type == RUT_REAL || f->type == RUT_INTEGER || f->type == RUT_BOOLEAN;
  const bool none = (f->flags & RUT_FIELD_REQUIRED) || f->def != f->def;
  if (!scalar || none || f->min == f->max) return;
  if (!(f->def >= f->min && f->def <= f->max)) {
    fail_msg("%s: the default of '%s' is out of its range", of, f->name);
  }
}

static void check_variables(const char* of, const rutVariable* row, int n) {
  for (int i = 0; i < n; i++) {
    check_name(of, row[i].name);
    check_unit(of, row[i].name, row[i].unit);
    if (!row[i].doc || !row[i].doc[0]) fail_msg("%s: '%s' has no sentence", of, row[i].name);
    for (int k = 0; k < i; k++) assert_string_not_equal(row[i].name, row[k].name);
  }
}

static void check_rows(const rutComponent* c) {
  char of[100];
  snprintf(of, sizeof of, "%s/%s", c->kind, c->name);
  assert_int_equal(c->abi, RUT_ABI);
  if (!c->doc || !c->doc[0]) fail_msg("%s has no sentence", of);
  for (int i = 0; i < c->fields; i++) {
    check_field(of, &c->field[i]);
    for (int k = 0; k < i; k++) assert_string_not_equal(c->field[i].name, c->field[k].name);
  }
  check_variables(of, c->state, c->states);
  if (strcmp(c->kind, "tyre") == 0) {
    const rutTyreType* type = (const rutTyreType*)c;
    assert_true(!type->outputs == !type->observe);
    check_variables(of, type->output, type->outputs);
    for (int i = 0; i < type->outputs; i++) assert_true(!type->output[i].shape[0]);
  } else if (strcmp(c->kind, "sensor") == 0) {
    const rutSensorType* type = (const rutSensorType*)c;
    assert_true(type->outputs > 0 && type->sample);
    check_variables(of, type->output, type->outputs);
  } else if (strcmp(c->kind, "controller") == 0) {
    const rutControllerType* type = (const rutControllerType*)c;
    assert_true((type->commands > 0 || type->observes) && type->update);
    check_variables(of, type->command, type->commands);
    check_variables(of, type->output, type->outputs);
    check_variables(of, type->input, type->inputs);
  } else if (strcmp(c->kind, "drive") == 0) {
    const rutDriveType* type = (const rutDriveType*)c;
    check_variables(of, type->output, type->outputs);
  }
}

static void test_rows(void** state) {
  (void)state;
  rutContext* context = open_context();
  const int n = rut_component_count(context);
  assert_true(n > 40);
  for (int i = 0; i < n; i++) check_rows(rut_component_at(context, i));
  rut_context_destroy(context);
}

// ---- worlds around one component, which else has its defaults ----

// What has no default, or none for wheels that steer.
static const char* needed(const rutComponent* c) {
  if (strcmp(c->name, "waypoints") == 0) return "points='0 0, 50 0'";
  if (strcmp(c->name, "trajectory") == 0) {
    return "times='0 10' points='0 0, 50 0' commands='d'/><controller type='twist_ideal' name='d'";
  }
  if (strcmp(c->name, "obstacle_mpc") == 0) {
    return "goal_x='50' commands='d'/><controller type='driver' name='d'";
  }
  if (strcmp(c->name, "drive_to_goal") == 0) {
    return "goals='30 0' cells='32' memory='2' commands='d'/><controller type='twist_ideal' "
           "name='d'";
  }
  if (strcmp(c->name, "follow_trail") == 0) {
    return "cells='64' horizon='6' commands='d'/><controller type='twist_ideal' name='d'";
  }
  if (strcmp(c->name, "bug") == 0) {
    return "goals='30 0' commands='d'/><controller type='twist_ideal' name='d'";
  }
  // few enough for a short period
  if (strcmp(c->name, "lidar") == 0) return "columns='72'";
  if (strcmp(c->name, "camera") == 0) return "width='64' height='48'";
  if (strcmp(c->name, "opendrive") == 0)
    return "file='" RUT_SOURCE_DIR "/worlds/roads/course.xodr'";
  if (strcmp(c->name, "opencrg") == 0) return "file='" RUT_SOURCE_DIR "/worlds/roads/rough.crg'";
  if (strcmp(c->name, "double_wishbone") == 0) {
    return "steering_arm='0.12 0 -0.04' steering_axis='-0.317305 0 -0.948324'";
  }
  return "";
}

typedef struct Parts {
  bool axles;
  const char *ground, *tyre, *suspension, *drive, *controller, *sensor;
} Parts;

static void put_vehicle(char* text, const Parts* p, int index) {
  char* to = text + strlen(text);
  // trucks stand with their wheels on the ground
  to += sprintf(to, "<vehicle name='v%d' position='0 %d%s' velocity='1 0'>", index, 12 * index,
                p->axles ? " 0.496" : "");
  if (p->axles) {
    to += sprintf(to,
                  "<chassis mass='2000' com='0 0 0.2' z_min='-0.1' z_max='1' "
                  "outline='-2.3 -1, 2.3 -1, 2.3 1, -2.3 1'/>%s%s"
                  "<axle x='1.65' z='-0.026' track='1.82' radius='0.47' width='0.3' "
                  "wheel_mass='70' max_steer='0.5'/>"
                  "<axle x='-1.65' z='-0.026' track='1.82' radius='0.47' width='0.3' "
                  "wheel_mass='70'/>",
                  p->suspension, p->tyre);
  } else {
    to += sprintf(to,
                  "<chassis mass='200' outline='-0.8 -0.5, 1.6 -0.5, 1.6 0.5, -0.8 0.5'/>%s"
                  "<wheel place='rear_left' position='0 0.5' mass='5' radius='0.3'/>"
                  "<wheel place='rear_right' position='0 -0.5' mass='5' radius='0.3'/>"
                  "<wheel place='front_left' position='1.2 0.5' mass='5' radius='0.3' "
                  "steered='true'/>"
                  "<wheel place='front_right' position='1.2 -0.5' mass='5' radius='0.3' "
                  "steered='true'/>",
                  p->tyre);
  }
  sprintf(to, "%s%s%s</vehicle>", p->drive, p->controller, p->sensor);
}

// The component in a world with vehicles on axles, or planar ones.
static Parts parts_with(const rutComponent* c, const char* element, bool axles) {
  Parts p = {.axles = axles,
             .ground = "",
             .tyre = axles ? "<tyre type='linear'/>" : "<tyre type='coulomb'/>",
             .suspension = "<suspension type='slider'/>",
             .drive = "<drive type='direct'/>",
             .controller = "<controller type='raw'/>",
             .sensor = ""};
  const struct {
    const char *kind, **part;
  } place[] = {{"tyre", &p.tyre},     {"suspension", &p.suspension}, {"soil", &p.ground},
               {"drive", &p.drive},   {"controller", &p.controller}, {"sensor", &p.sensor},
               {"terrain", &p.ground}};
  for (int i = 0; i < RUT_COUNT_OF(place); i++) {
    if (strcmp(place[i].kind, c->kind) == 0) *place[i].part = element;
  }
  const rutControllerType* type = (const rutControllerType*)c;
  if (strcmp(c->kind, "controller") == 0 && type->blends > 0) {
    // those that it blends
    static char all[900];
    const int used = snprintf(all, sizeof all, "%s", element);
    for (int i = 0, at = used; i < type->blends && at < (int)sizeof all; i++) {
      at += snprintf(all + at, sizeof all - (size_t)at, "<controller type='raw' name='%s'/>",
                     type->blend[i]);
    }
    p.controller = all;
  }
  if (strcmp(c->kind, "controller") == 0 && type->observes) {
    // what it looks at, and one that drives
    static char both[600];
    snprintf(both, sizeof both, "%s<controller type='raw' name='drives'/>", element);
    p.controller = both;
    p.sensor =
        "<sensor type='imu' name='imu' period='4 ms'/><sensor type='gnss' name='gnss' period='8 "
        "ms'/>";
  }
  if (strcmp(c->name, "obstacle_mpc") == 0) {
    p.sensor = "<sensor type='laser' name='laser' period='4 ms' rays='61' fov='180 deg'/>";
  }
  if (strcmp(c->name, "drive_to_goal") == 0 || strcmp(c->name, "follow_trail") == 0 ||
      strcmp(c->name, "bug") == 0) {
    p.sensor = "<sensor type='lidar' name='lidar' period='4 ms' columns='36' z='1'/>";
  }
  return p;
}

typedef struct World {
  rutModel* model;
  rutData* data;
  rutError err;
} World;

// Vehicles first .. last - 1.
static bool open_world(rutContext* context, const Parts* p, int first, int last, World* w) {
  static char text[MOST_TEXT];
  rutSpec* spec = NULL;
  memset(w, 0, sizeof *w);
  sprintf(text, "<world timestep='2 ms'>%s", p->ground);
  for (int i = first; i < last; i++) put_vehicle(text, p, i);
  strcat(text, "</world>");
  rutStatus status = rut_spec_parse(context, text, strlen(text), "world.xml", &spec, &w->err);
  if (status == RUT_OK) status = rut_compile(spec, &w->model, &w->err);
  rut_spec_destroy(spec);
  if (status != RUT_OK) return false;
  w->data = rut_data_create(w->model);
  assert_non_null(w->data);
  return true;
}

static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
}

static int steps(void) { return repetitions(40, 12); }

static void step(World* w, int steps, const char* of) {
  const int before = allocations;
  for (int i = 0; i < steps; i++) {
    if (rut_step(w->model, w->data, &w->err) != RUT_OK) fail_msg("%s: %s", of, w->err.message);
  }
  if (allocations != before) fail_msg("%s: a step takes memory", of);
}

static void check_finite(const World* w, const char* of) {
  static double number[MOST_NUMBERS];
  for (int kind = 0; kind < RUT_KIND_COUNT; kind++) {
    for (int i = 0; i < rut_count(w->model, (rutKind)kind); i++) {
      const int n = rut_variables(w->model, (rutKind)kind, i, RUT_OUTPUT);
      for (int v = 0; v < n; v++) {
        const rutVariableInfo info = rut_variable(w->model, (rutKind)kind, i, RUT_OUTPUT, v);
        const rutVariableRange one = {(rutKind)kind, i, RUT_OUTPUT, v, 1};
        assert_true(info.count <= MOST_NUMBERS);
        check_unit(of, info.name, info.unit);
        assert_int_equal(rut_variables_read(w->model, w->data, &one, info.count, number), RUT_OK);
        // numbers that say "none" by not being one have that in their sentence
        for (int k = 0; k < info.count && !strstr(info.doc, "NaN"); k++) {
          if (!isfinite(number[k])) fail_msg("%s: '%s' is not finite", of, info.name);
        }
      }
    }
  }
}

static void check_state(World* w, const char* of) {
  const size_t size = rut_state_size(w->model, w->data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_int_equal(rut_state_get(w->model, w->data, RUT_STATE_ALL, saved, size), RUT_OK);
  step(w, steps(), of);
  const uint64_t hash = rut_state_hash(w->model, w->data);
  assert_int_equal(rut_state_set(w->model, w->data, RUT_STATE_ALL, saved, size), RUT_OK);
  step(w, steps(), of);
  if (rut_state_hash(w->model, w->data) != hash)
    fail_msg("%s: a restored state goes elsewhere", of);
  free(saved);
}

// All outputs of a wheel; returns their number.
static int wheel_outputs(const World* w, int wheel, double out[MOST_OUTPUTS]) {
  const rutVariableRange all = {RUT_WHEEL, wheel, RUT_OUTPUT, 0,
                                rut_variables(w->model, RUT_WHEEL, wheel, RUT_OUTPUT)};
  assert_true(all.count <= MOST_OUTPUTS);
  assert_int_equal(rut_variables_read(w->model, w->data, &all, all.count, out), RUT_OK);
  return all.count;
}

// One vehicle has the bits that it has as one of nine.
static void check_lanes(rutContext* context, const Parts* p, const World* many, const char* of) {
  World one;
  assert_true(open_world(context, p, LOOKED_AT, LOOKED_AT + 1, &one));
  step(&one, steps(), of);
  const rutVehicleState a = rut_vehicle_state(one.model, one.data, 0);
  const rutVehicleState b = rut_vehicle_state(many->model, many->data, LOOKED_AT);
  const bool same = memcmp(a.position, b.position, sizeof a.position) == 0 &&
                    memcmp(a.velocity, b.velocity, sizeof a.velocity) == 0 &&
                    memcmp(a.rate, b.rate, sizeof a.rate) == 0;
  if (!same) fail_msg("%s: a vehicle alone has other bits than among eight", of);
  for (int w = 0; w < 4; w++) {
    const int first = rut_vehicle_info(many->model, LOOKED_AT).first_wheel;
    const rutWheelState s = rut_wheel_state(one.model, one.data, w);
    const rutWheelState t = rut_wheel_state(many->model, many->data, first + w);
    assert_true(s.speed == t.speed && s.load == t.load && s.torque == t.torque);
    double alone[MOST_OUTPUTS], among[MOST_OUTPUTS];
    const int n = wheel_outputs(&one, w, alone);
    assert_int_equal(wheel_outputs(many, first + w, among), n);
    for (int i = 0; i < n; i++) {
      if (alone[i] == among[i]) continue;
      fail_msg("%s: '%s' of a wheel is %.17g alone, %.17g among eight", of,
               rut_variable(one.model, RUT_WHEEL, w, RUT_OUTPUT, i).name, alone[i], among[i]);
    }
  }
  close_world(&one);
}

// It works on one kind of vehicle at least; the other kind may refuse it, and says why. Presets of
// sensors are numbers of what has been looked at in lanes: one vehicle has them. Nullable: preset.
static void check_instance(rutContext* context, const rutComponent* c, const rutPreset* preset) {
  char of[200], element[300];
  const bool alone = preset && strcmp(c->kind, "sensor") == 0;
  const int first = alone ? LOOKED_AT : 0, end = alone ? LOOKED_AT + 1 : VEHICLES;
  int compiled = 0;
  snprintf(of, sizeof of, "%s/%s %s", c->kind, c->name, preset ? preset->name : "");
  snprintf(element, sizeof element, "<%s type='%s' %s %s%s%s/>", c->kind, c->name, needed(c),
           preset ? "preset='" : "", preset ? preset->name : "", preset ? "'" : "");
  World w = {0};
  for (int axles = 0; axles < 2; axles++) {
    const Parts p = parts_with(c, element, axles != 0);
    if (!axles && strcmp(c->kind, "suspension") == 0) continue;
    if (!open_world(context, &p, first, end, &w)) {
      if (!w.err.message[0]) fail_msg("%s: refused without a reason", of);
      continue;
    }
    step(&w, steps(), of);
    check_finite(&w, of);
    if (!alone) check_lanes(context, &p, &w, of);
    check_state(&w, of);
    close_world(&w);
    compiled++;
  }
  if (compiled == 0) fail_msg("%s with its defaults: %s", of, w.err.message);
}

static void test_instances(void** state) {
  static const char* const kinds[] = {"tyre",  "suspension", "soil",  "terrain",
                                      "drive", "controller", "sensor"};
  (void)state;
  rutContext* context = open_context();
  for (int k = 0; k < RUT_COUNT_OF(kinds); k++) {
    int found = 0;
    for (int i = 0; i < rut_component_count(context); i++) {
      const rutComponent* c = rut_component_at(context, i);
      if (strcmp(c->kind, kinds[k]) != 0 || !c->name[0]) continue;
      check_instance(context, c, NULL);
      for (int j = 0; j < c->presets; j += repetitions(1, 5))
        check_instance(context, c, &c->preset[j]);
      found++;
    }
    if (found == 0) fail_msg("no component of the kind '%s'", kinds[k]);
  }
  rut_context_destroy(context);
}

// A sensor with noise="none" gives the same with any seed, in every preset.
static void check_exact(rutContext* context, const rutComponent* c, const char* preset) {
  char of[200], element[300];
  uint64_t hash[2];
  snprintf(of, sizeof of, "%s/%s '%s'", c->kind, c->name, preset);
  snprintf(element, sizeof element,
           "<sensor type='%s' preset='%s' noise='none' period='4 ms' latency='0' z='0.5' %s/>",
           c->name, preset, needed(c));
  const Parts p = parts_with(c, element, true);
  for (int i = 0; i < 2; i++) {
    World w;
    if (!open_world(context, &p, 0, 1, &w)) fail_msg("%s: %s", of, w.err.message);
    rut_data_reset(w.model, w.data, 1 + (uint64_t)i);
    step(&w, FEW_STEPS, of);
    double stamp;
    const rutSensorType* type = (const rutSensorType*)c;
    hash[i] = RUT_HASH_START;
    for (int k = 0; k < type->outputs; k++) {
      const rutVariableInfo info = rut_variable(w.model, RUT_SENSOR, 0, RUT_OUTPUT, k);
      const void* value = rut_sensor_output(w.model, w.data, 0, k, &stamp);
      hash[i] = rut_hash(hash[i], value, (size_t)info.count * rut_number_size(info.type));
      assert_true(stamp > 0);
    }
    close_world(&w);
  }
  if (hash[0] != hash[1]) fail_msg("%s: noise='none' gives other samples with another seed", of);
}

static void test_exact_sensors(void** state) {
  (void)state;
  rutContext* context = open_context();
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* c = rut_component_at(context, i);
    if (strcmp(c->kind, "sensor") != 0 || !c->name[0]) continue;
    check_exact(context, c, "");
    for (int k = 0; k < c->presets; k += repetitions(1, 5)) {
      check_exact(context, c, c->preset[k].name);
    }
  }
  rut_context_destroy(context);
}

// ---- formats ----

// Each knows its own text, and no other one's; what is no text of any it does not take.
static void test_formats(void** state) {
  static const struct {
    const char *name, *text;
  } sample[] = {
      {"native", "<world timestep='1 ms'><block name='b' outline='0 0 1 0 1 1'/></world>"},
      {"mvsim", "<mvsim_world version='1.0'></mvsim_world>"},
      {"chrono", "// V\n{\"Template\": \"WheeledVehicle\", \"Axles\": []}"},
      {"mavs", "{\"Chassis\": {\"Sprung Mass\": 500}}"},
      {"mavs_scene", "{\"Surface Mesh\": []}"},
      {"mavs_simulation", "{\"Scene\": {}, \"Sensors\": []}"},
      {"urdf", "<robot name='r'><link name='l'/></robot>"},
      {"sdf", "<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>"},
      {"opendrive", "<OpenDRIVE><header/></OpenDRIVE>"},
      {"opencrg", "$CT\nA road\n$ROAD_CRG\n"}};
  static const char* const noise[] = {"", "<", "{", "{}", "<a>", "\xff\xfe<world>", "P5 1 1 255 x"};
  (void)state;
  rutContext* context = open_context();
  int found = 0;
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutFormatType* format = (const rutFormatType*)rut_component_at(context, i);
    if (strcmp(format->base.kind, "format") != 0) continue;
    assert_non_null(format->read);
    bool own = false;
    for (int k = 0; k < RUT_COUNT_OF(sample); k++) {
      const bool takes = format->recognise(sample[k].text, strlen(sample[k].text));
      const bool is = strcmp(sample[k].name, format->base.name) == 0;
      if (takes != is)
        fail_msg("%s takes the text of %s: %d", format->base.name, sample[k].name, takes);
      own = own || is;
    }
    if (!own) fail_msg("no sample of the format '%s' in this test", format->base.name);
    for (int k = 0; k < RUT_COUNT_OF(noise); k++) {
      assert_false(format->recognise(noise[k], strlen(noise[k])));
    }
    found++;
  }
  assert_int_equal(found, RUT_COUNT_OF(sample));
  rut_context_destroy(context);
}

// ---- laws of soils and terrains ----

static uint64_t seed = 1;
static double uniform(double low, double high) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return low + (high - low) * ((double)(seed >> 11) * 0x1p-53);
}

// A wheel gets no more out of the soil than it puts in: with the hub at speed v the torque's power
// is traction v/(1 - slip) when it drives; side forces oppose the slip angle.
static void check_soil(const World* w, const char* of) {
  const int rounds = repetitions(400, 80);
  int points = 0;
  for (int round = 0; round < rounds; round++) {
    rutSoilWheel wheel = rut_default_soil_wheel();
    rutSoilPoint p;
    wheel.load = uniform(500, 20e3);
    wheel.slip = uniform(-0.95, 0.95);
    wheel.slip_angle = uniform(-0.5, 0.5);
    wheel.stiffness = uniform(1e5, 1e6);
    if (!rut_soil_point(w->model, 0, &wheel, &p)) continue;
    points++;
    const double all[] = {p.sinkage,    p.deflection,    p.rut,          p.torque,
                          p.traction,   p.resistance,    p.drawbar_pull, p.lateral_force,
                          p.efficiency, p.traction_limit};
    for (int i = 0; i < RUT_COUNT_OF(all); i++) {
      if (!isfinite(all[i])) fail_msg("%s: number %d of a point is not finite", of, i);
    }
    assert_true(p.resistance >= 0 && p.sinkage >= 0 && p.deflection >= 0);
    assert_true(p.lateral_force * wheel.slip_angle <= 1e-9 * wheel.load);
    if (fabs(wheel.slip_angle) < 0.02 && wheel.slip > 0) {
      assert_true(p.traction / (1 - wheel.slip) >= p.drawbar_pull - 1e-9 * wheel.load);
    }
    assert_true(p.efficiency <= 1 + 1e-9);
  }
  if (points < rounds / 2) fail_msg("%s carries hardly any of the loads", of);
}

// Ground at n points, wherever it is.
static void surface(const World* w, int n, const double* x, const double* y, double* z, double* sx,
                    double* sy) {
  double below[100];
  for (int i = 0; i < n; i++) below[i] = 1e4;
  const rutGroundPoints at = {n, x, y};
  const rutGroundSurface out = {z, sx, sy};
  rut_terrain_surface(w->model, w->data, &at, below, &out);
}

// Slopes are those of the heights, but at kinks and faces, and the same for many points as for one.
static void check_terrain(const World* w, const char* of) {
  enum { POINTS = 64 };
  double x[POINTS], y[POINTS], z[POINTS], sx[POINTS], sy[POINTS];
  int smooth = 0, all = 0;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < POINTS; i++) {
      x[i] = uniform(-20, 20);
      y[i] = uniform(-20, 20);
    }
    surface(w, POINTS, x, y, z, sx, sy);
    for (int i = 0; i < POINTS; i++) {
      static const double D = 1e-6;
      const double px[3] = {x[i], x[i] + D, x[i] - D}, py[3] = {y[i], y[i], y[i]};
      double one[3], ax[3], ay[3];
      surface(w, 1, &x[i], &y[i], one, ax, ay);
      assert_true(isfinite(z[i]) && isfinite(sx[i]) && isfinite(sy[i]));
      assert_true(one[0] == z[i] && ax[0] == sx[i] && ay[0] == sy[i]);
      surface(w, 3, px, py, one, ax, ay);
      const double slope = (one[1] - one[2]) / (2 * D);
      smooth += fabs(slope - sx[i]) <= 1e-3 * (1 + fabs(slope));
      all++;
    }
  }
  if (smooth < 0.95 * all) fail_msg("%s: slopes are not those of its heights", of);
}

static void test_ground_laws(void** state) {
  (void)state;
  rutContext* context = open_context();
  for (int i = 0; i < rut_component_count(context); i++) {
    const rutComponent* c = rut_component_at(context, i);
    const bool soil = strcmp(c->kind, "soil") == 0, terrain = strcmp(c->kind, "terrain") == 0;
    char of[100], element[300];
    World w;
    if (!soil && !terrain) continue;
    snprintf(of, sizeof of, "%s/%s", c->kind, c->name);
    snprintf(element, sizeof element, "<%s type='%s'%s %s/>", c->kind, c->name,
             soil ? " name='s'" : "", needed(c));
    const Parts p = parts_with(c, element, true);
    if (!open_world(context, &p, 0, 1, &w)) fail_msg("%s: %s", of, w.err.message);
    if (soil) check_soil(&w, of);
    if (terrain) check_terrain(&w, of);
    close_world(&w);
  }
  rut_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_instances),
                                     cmocka_unit_test(test_exact_sensors),
                                     cmocka_unit_test(test_formats),
                                     cmocka_unit_test(test_ground_laws)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
