// SPDX-License-Identifier: BSD-3-Clause
//
// Copies of a batch have the bits of lone runs, whatever their neighbours, their number and the
// workers: planar robots, vehicles on axles on planes, maps and soil with ruts, with controllers,
// sensors, obstacles and other vehicles.
#define _DEFAULT_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "repetitions.h"
#include "rut/batch.h"
#include "worlds.h"

enum { COPIES = 11, MOST_COMMANDS = 256, CALLS = 4, STEPS = 23 };

// Worlds beside those of the other tests: soils that keep ruts, weather, scenery, joints.
static const char* const more_worlds[] = {"winter",
                                          "hmmwv_sensors",
                                          "stuck",
                                          "wet_hollow",
                                          "inflation",
                                          "holding_current",
                                          "crates",
                                          "gate",
                                          "rocks",
                                          "planner",
                                          "pond",
                                          "high_centred",
                                          "kerb_trip",
                                          "manoeuvres/multi_pass",
                                          "manoeuvres/step_steer",
                                          "manoeuvres/drawbar_pull",
                                          "scenarios/ploughed_field",
                                          "autonomy/fishhook",
                                          "autonomy/shared_control"};
enum { MORE_WORLDS = sizeof more_worlds / sizeof more_worlds[0] };

static const char* world_name(int i) {
  return i < TEST_WORLDS ? test_worlds[i] : more_worlds[i - TEST_WORLDS];
}

static rutBatch* open_batch(const TestWorld* w, rutBatchDef def) {
  rutBatch* batch = NULL;
  rutError err = {0};
  if (rut_batch_create(w->spec, &def, &batch, &err) != RUT_OK) fail_msg("%s", err.message);
  return batch;
}

// Set point i of a copy in a call: what the world has, changed a little, or left alone (NaN).
static double command_of(double own, int copy, int call, int i) {
  if ((copy + call + i) % 3 == 0) return (double)NAN;
  return own + 0.01 * (copy - 3) * (1 + call) + 0.003 * i;
}

// Set points that a world begins with, of all vehicles.
static int begin_commands(const TestWorld* w, double own[MOST_COMMANDS]) {
  int n = 0;
  for (int v = 0; v < rut_count(w->model, RUT_VEHICLE); v++) {
    n += rut_command_state(w->model, w->data, v, MOST_COMMANDS - n, own + n);
  }
  assert_true(n <= MOST_COMMANDS);
  return n;
}

// The lone run of a copy: hash after every call.
static void run_alone(TestWorld* w, int copy, const double* own, uint64_t hash[CALLS]) {
  rut_data_reset(w->model, w->data, rut_batch_seed(5, copy, 0));
  for (int call = 0; call < CALLS; call++) {
    for (int v = 0, at = 0; v < rut_count(w->model, RUT_VEHICLE); v++) {
      double value[MOST_COMMANDS];
      const int n = rut_command_state(w->model, w->data, v, MOST_COMMANDS, value);
      for (int i = 0; i < n; i++, at++) {
        const double x = command_of(own[at], copy, call, at);
        if (x == x) value[i] = x;
      }
      assert_int_equal(rut_command(w->model, w->data, v, n, value), RUT_OK);
    }
    test_world_run(w, STEPS);
    hash[call] = rut_state_hash(w->model, w->data);
  }
}

// Tells of copies that differ, and returns their number.
static int run_batch(const char* name, TestWorld* w, rutBatchDef def, uint64_t hash[][CALLS]) {
  int differ = 0;
  double own[MOST_COMMANDS], *command;
  const int n = begin_commands(w, own);
  rutBatch* batch = open_batch(w, def);
  assert_int_equal(rut_batch_commands(batch), n);
  command = malloc((size_t)(n + 1) * (size_t)def.copies * sizeof *command);
  assert_non_null(command);
  // [set point][copy]
  const rutBatchIo io = {.command = {command, 1, def.copies}};
  for (int call = 0; call < CALLS; call++) {
    for (int c = 0; c < def.copies; c++) {
      for (int i = 0; i < n; i++) command[i * def.copies + c] = command_of(own[i], c, call, i);
    }
    rutError err = {0};
    assert_int_equal(rut_batch_step(batch, STEPS, &io, &err), RUT_OK);
    for (int c = 0; c < def.copies; c++) {
      assert_int_equal(rut_batch_copy(batch, c).steps, (call + 1) * STEPS);
      // in the last call but one nobody is taken out of its lane
      if (call == CALLS - 2) continue;
      const rutData* data = rut_batch_data(batch, c);
      if (rut_state_hash(rut_batch_model(batch), data) != hash[c][call]) {
        print_error("copy %d of %d of %s differs from its lone run after %d steps\n", c, def.copies,
                    name, (call + 1) * STEPS);
        differ++;
      }
    }
  }
  free(command);
  rut_batch_destroy(batch);
  return differ;
}

static void test_copies_are_lone_runs(void** state) {
  (void)state;
  const int every = repetitions(1, 12);
  int shared = 0, differ = 0;
  for (int i = 0; i < TEST_WORLDS + MORE_WORLDS; i += every) {
    uint64_t hash[COPIES][CALLS];
    double own[MOST_COMMANDS];
    TestWorld w = test_world_open(world_name(i), 1);
    begin_commands(&w, own);
    for (int c = 0; c < COPIES; c++) run_alone(&w, c, own, hash[c]);
    rut_data_reset(w.model, w.data, 0);
    rutBatchDef def = rut_default_batch();
    def.seed = 5;
    def.copies = COPIES;
    def.workers = 2;
    differ += run_batch(world_name(i), &w, def, hash);
    rutBatch* batch = open_batch(&w, def);
    shared += rut_batch_info(batch).can_share;
    rut_batch_destroy(batch);
    // another number of copies and workers
    def.copies = 5;
    def.workers = 1;
    differ += run_batch(world_name(i), &w, def, hash);
    test_world_close(&w);
  }
  assert_int_equal(differ, 0);
  // all but those with controllers beside the steps and with pressures that change
  assert_true(shared >= (TEST_WORLDS + MORE_WORLDS) / every - 3);
}

// Every how many copies is compared with a run of its own. Sanitizers have seen the steps of all of
// them by then, and a run takes the same ways for each.
static int compared(void) { return repetitions(1, 5); }

// A number that differs from copy to copy, [SI].
typedef struct Varied {
  const char* path;
  double first, step;
} Varied;

static void set_number(rutSpec* spec, const Varied* varied, int copy) {
  char node[128];
  const char* dot = strrchr(varied->path, '.');
  snprintf(node, sizeof node, "%.*s", (int)(dot - varied->path), varied->path);
  rutError err = {0};
  const rutNode at = rut_spec_find(spec, node);
  if (rut_node_set_number(spec, at, dot + 1, varied->first + copy * varied->step, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
}

// Copies of a world with numbers of their own share lanes, and have the bits of worlds that were
// compiled with these numbers.
static void vary(const char* name, int n, const Varied* varied) {
  enum { LANES = 8 };
  const int steps = repetitions(60, 20);
  const char* path[4];
  double value[4 * LANES];
  TestWorld w = test_world_open(name, 1);
  rutBatchDef def = rut_default_batch();
  def.copies = LANES;
  rutBatch* batch = open_batch(&w, def);
  for (int i = 0; i < n; i++) path[i] = varied[i].path;
  for (int i = 0; i < n * LANES; i++) {
    value[i] = varied[i % n].first + i / n * varied[i % n].step;
  }
  rutError err = {0};
  if (rut_batch_vary(batch, n, path, &(rutBatchArray){value, n, 1}, &err) != RUT_OK) {
    fail_msg("%s: %s", name, err.message);
  }
  for (int call = 0; call < 3; call++) {
    assert_int_equal(rut_batch_step(batch, steps, NULL, &err), RUT_OK);
    const int in_lanes = rut_batch_info(batch).in_lanes;
    if (in_lanes != LANES) fail_msg("%s: %d copies in lanes", name, in_lanes);
  }
  assert_int_equal(rut_batch_info(batch).variants, 1 + LANES);
  for (int c = 0; c < LANES; c += compared()) {
    for (int i = 0; i < n; i++) set_number(w.spec, &varied[i], c);
    TestWorld own = {.context = w.context};
    assert_int_equal(rut_compile(w.spec, &own.model, &err), RUT_OK);
    own.data = rut_data_create(own.model);
    assert_non_null(own.data);
    rut_data_reset(own.model, own.data, rut_batch_seed(0, c, 1));
    test_world_run(&own, 3 * steps);
    if (rut_state_hash(own.model, own.data) !=
        rut_state_hash(rut_batch_copy_model(batch, c), rut_batch_data(batch, c))) {
      fail_msg("copy %d of %s differs from a world with its numbers", c, name);
    }
    for (int i = 0; i < rut_count(own.model, RUT_WHEEL); i++) {
      const int soil = rut_soil_contact(own.model, own.data, i).soil;
      assert_int_equal(
          rut_soil_contact(rut_batch_copy_model(batch, c), rut_batch_data(batch, c), i).soil, soil);
    }
    rut_data_destroy(own.data);
    rut_model_destroy(own.model);
  }
  rut_batch_destroy(batch);
  test_world_close(&w);
}

// Copies that have worlds of their own share lanes as well: `field` of the vehicle gets this text
// with a number, `first` and `step` more for every copy.
typedef struct Loaded {
  const char *world, *field, *text;
  double first, step;
  int steps;
} Loaded;

static void set_text(rutSpec* spec, const Loaded* loaded, int copy) {
  char value[128];
  rutError err = {0};
  snprintf(value, sizeof value, loaded->text, loaded->first + copy * loaded->step);
  if (rut_spec_set(spec, loaded->field, value, &err) != RUT_OK) fail_msg("%s", err.message);
}

static void load(const Loaded* loaded) {
  enum { LANES = 8 };
  TestWorld w = test_world_open(loaded->world, 1);
  rutBatchDef def = rut_default_batch();
  def.copies = LANES;
  rutBatch* batch = open_batch(&w, def);
  rutError err = {0};
  for (int c = 0; c < LANES; c++) {
    set_text(w.spec, loaded, c);
    assert_int_equal(rut_batch_set_world(batch, c, w.spec, (uint64_t)c, &err), RUT_OK);
  }
  assert_int_equal(rut_batch_step(batch, loaded->steps, NULL, &err), RUT_OK);
  const int in_lanes = rut_batch_info(batch).in_lanes;
  if (in_lanes != LANES) fail_msg("%s: %d copies in lanes", loaded->world, in_lanes);
  for (int c = 0; c < LANES; c += compared()) {
    set_text(w.spec, loaded, c);
    TestWorld own = {.context = w.context};
    assert_int_equal(rut_compile(w.spec, &own.model, &err), RUT_OK);
    own.data = rut_data_create(own.model);
    assert_non_null(own.data);
    rut_data_reset(own.model, own.data, (uint64_t)c);
    test_world_run(&own, loaded->steps);
    if (rut_state_hash(own.model, own.data) !=
        rut_state_hash(rut_batch_copy_model(batch, c), rut_batch_data(batch, c))) {
      fail_msg("copy %d of %s with another %s differs from its lone run", c, loaded->world,
               loaded->field);
    }
    rut_data_destroy(own.data);
    rut_model_destroy(own.model);
  }
  rut_batch_destroy(batch);
  test_world_close(&w);
}

// Centres of mass and inertias: on the road, on the hull, in the water, with a load at the hitch.
static void test_loads_differ_from_lane_to_lane(void** state) {
  (void)state;
  const Loaded loaded[] = {
      {"hmmwv", "hmmwv/chassis.com", "0.059266 0.000191 %.17g m", 0.2, 0.03, 400},
      {"hmmwv", "hmmwv/chassis.inertia", "%.17g 2964.6 3579.3 kg m2", 1000, 40, 400},
      {"manoeuvres/double_lane_change_nato", "hmmwv/chassis.com", "%.17g 0 0.3 m", 0, 0.02, 400},
      {"kerb_trip", "truck0/chassis.com", "0.06 0 %.17g m", 0.7, 0.05, 1500},
      {"wet_hollow", "in_hollow/chassis.com", "0.06 %.17g 0.2 m", 0, 0.01, 400},
      {"high_centred", "snow.k_phi", "%.17g", 2e4, 4e3, 600},
      {"pond", "scout/chassis.mass", "%.17g kg", 2000, 100, 400},
      {"manoeuvres/drawbar_pull", "hmmwv/chassis.com", "0.06 0 %.17g m", 0.2, 0.02, 400}};
  for (int i = 0; i < (int)(sizeof loaded / sizeof loaded[0]); i++) {
    if (i % repetitions(1, 4) == 0) load(&loaded[i]);
  }
}

// Of hard ground, and of ground that keeps ruts, one soil or several, with what maps say of them.
// Sizes and masses of the wheels of vehicles on axles: on tarmac under a driver, at a kerb, in
// water, in sand into which they dig, in snow, on ground with many soils, in the air.
static void test_wheels_differ_from_lane_to_lane(void** state) {
  (void)state;
  const Varied tripped[] = {{"truck0/axle[0].radius", 0.45, 0.005},
                            {"truck1/axle[1].width", 0.3, 0.01},
                            {"truck1/axle[0].wheel_mass", 18, 1}};
  vary("kerb_trip", 3, tripped);
  const Varied stuck[] = {{"truck/axle[0].radius", 0.44, 0.008},
                          {"truck/axle[1].radius", 0.5, -0.006},
                          {"truck/axle[1].width", 0.25, 0.02},
                          {"truck/axle[0].section_height", 0.16, 0.01}};
  vary("stuck", 4, stuck);
  const Varied jumping[] = {{"jump_35/axle[0].radius", 0.12, 0.002},
                            {"ramp/axle[1].wheel_mass", 1, 0.1},
                            {"jump_22/drive[0].gear", 6, 0.5},
                            {"jump_45/drive[0].rotor_inertia", 1e-4, 1e-5}};
  vary("rover_jump", 4, jumping);
  // worlds that take long to compile
  if (repetitions(1, 0) == 0) return;
  const Varied driven[] = {{"hmmwv/axle[0].radius", 0.44, 0.008},
                           {"hmmwv/axle[1].width", 0.28, 0.01},
                           {"hmmwv/axle[0].wheel_mass", 60, 3},
                           {"hmmwv/axle[1].brake", 3000, 200}};
  vary("manoeuvres/double_lane_change_nato", 4, driven);
  const Varied wet[] = {{"in_hollow/axle[0].radius", 0.44, 0.01},
                        {"in_snow/axle[1].width", 0.25, 0.02}};
  vary("wet_hollow", 2, wet);
  const Varied wading[] = {{"scout/axle[0].radius", 0.44, 0.005},
                           {"scout/axle[1].width", 0.25, 0.02}};
  vary("pond", 2, wading);
  const Varied soils[] = {{"snow_truck/axle[0].width", 0.25, 0.02},
                          {"wet_clay_truck/axle[0].radius", 0.44, 0.008},
                          {"cone_index_truck/axle[1].radius", 0.44, 0.008}};
  vary("soils", 3, soils);
}

static void test_soils_differ_from_lane_to_lane(void** state) {
  (void)state;
  const Varied road[] = {{"road.d", 0.4, 0.08}, {"hmmwv/chassis[0].mass", 2000, 150}};
  vary("manoeuvres/double_lane_change_nato", 2, road);
  const Varied sand[] = {{"sand.friction_angle", 0.4, 0.03}, {"sand.k_phi", 8e5, 1e5}};
  vary("manoeuvres/drawbar_pull", 2, sand);
  vary("manoeuvres/multi_pass", 2, sand);
  vary("stuck", 1, sand);
  const Varied two[] = {{"loam.cohesion", 1500, 200}, {"snow.k_phi", 15e4, 2e4}};
  vary("wet_hollow", 2, two);
  const Varied belly[] = {{"snow.k_phi", 2e4, 4e3}};
  vary("high_centred", 1, belly);
  const Varied many[] = {{"dry_sand.friction_angle", 0.5, 0.02},
                         {"sandy_loam.cohesion", 3000, 300},
                         {"snow.k_phi", 24e4, 1e4},
                         {"cone_index_clay.cone_index", 3e5, 2e4}};
  vary("soils", 4, many);
}

static void test_numbers_differ_from_lane_to_lane(void** state) {
  (void)state;
  const Varied trucks[] = {{"short/suspension[0].stiffness", 78e3, 1e3},
                           {"short/suspension[0].damping", 8e3, 100},
                           {"plank/tyre[0].damping", 800, 30},
                           {"stone/tyre[0].crossover", 0.08, 0.003}};
  vary("cleat", 4, trucks);
  const Varied car[] = {{"hmmwv/tyre[0].rolling_resistance", 0.01, 0.001},
                        {"hmmwv.yaw", 0, 0.1},
                        {"hmmwv/tyre[0].largest_x", 7600, 30}};
  vary("hmmwv", 3, car);
  const Varied loaded[] = {{"hmmwv/chassis[0].mass", 2000, 150},
                           {"hmmwv/tyre[0].rolling_resistance", 0.01, 0.001}};
  vary("hmmwv", 2, loaded);
  const Varied springs[] = {{"hmmwv/axle[0]/suspension[0].spring_rate", 180e3, 2e3},
                            {"hmmwv/axle[1]/suspension[0].compression_damping", 12e3, 300}};
  vary("hmmwv", 2, springs);
  const Varied driven[] = {{"hmmwv/chassis[0].mass", 2000, 150},
                           {"hmmwv/controller[0].speed", 12, 0.5},
                           {"hmmwv/drive[0].shift_interval", 0.5, 0.1}};
  vary("manoeuvres/double_lane_change_nato", 3, driven);
  const Varied laser[] = {{"rover/laser.range_noise", 0.01, 0.002}, {"rover.yaw", 0.1, 0.2}};
  vary("laser_failures", 2, laser);
  const Varied rover[] = {{"rover/tyre[0].friction", 0.5, 0.05},
                          {"rover/laser.range_noise", 0, 0.01}};
  vary("laser_failures", 2, rover);
  const Varied cars[] = {{"open/tyre[0].friction", 0.3, 0.1},
                         {"locked/tyre[0].friction", 0.4, 0.05}};
  vary("split_friction", 2, cars);
}

// Masses, wheels, drives, controllers and tyres of vehicles in the plane: a robot among obstacles,
// cars with five drives, vehicles that follow the ground, a body that moves as it is told.
static void test_planar_vehicles_differ_from_lane_to_lane(void** state) {
  (void)state;
  const Varied robot[] = {{"rover/chassis[0].mass", 10, 1.5},
                          {"rover/left.radius", 0.1, 0.003},
                          {"rover/right.mass", 1, 0.2},
                          {"rover/controller[0].proportional_gain", 5, 2}};
  vary("laser_failures", 4, robot);
  const Varied motor[] = {{"rover/drive[0].max_torque", 1, 0.3},
                          {"rover/controller[0].slope_feedforward", 0, 0.1}};
  vary("laser_failures", 2, motor);
  const Varied cars[] = {{"open/chassis[0].mass", 700, 30},
                         {"locked/fl.radius", 0.28, 0.005},
                         {"torsen/controller[0].max_torque", 500, 20},
                         {"direct/rl.width", 0.1, 0.02}};
  vary("slalom", 4, cars);
  const Varied split[] = {{"torque_biasing/drive[0].rear_left_right_bias", 2, 0.3},
                          {"open.max_steer", 0.4, 0.03},
                          {"torsen/tyre[0].rolling_resistance", 0, 0.01},
                          {"locked/tyre[0].bearing_damping", 0.01, 0.1}};
  vary("split_friction", 4, split);
  const Varied hills[] = {{"rover/chassis[0].mass", 20, 4},
                          {"car/rl.radius", 0.28, 0.01},
                          {"trailer/chassis[0].mass", 200, 20}};
  vary("hills", 3, hills);
  const Loaded loaded[] = {
      {"laser_failures", "rover/chassis.com", "%.17g 0.02 m", -0.05, 0.02, 300},
      {"laser_failures", "rover/left.position", "0.02 %.17g m", 0.2, 0.02, 300},
      {"slalom", "torsen/fr.position", "%.17g -0.7 m", 2.0, 0.05, 300},
      {"hills", "car/chassis.com", "1 %.17g m", -0.1, 0.03, 300},
      {"trajectory", "square/chassis.com", "%.17g 0.02 m", -0.05, 0.02, 300},
      {"trajectory", "square/left.position", "0 %.17g m", 0.4, 0.02, 300}};
  for (int i = 0; i < (int)(sizeof loaded / sizeof loaded[0]); i++) load(&loaded[i]);
}

// Copies that begin anew in mid-call, and those that are reset while others go on, are lone runs of
// their seeds, also where delays count steps.
static void test_episodes_are_lone_runs(void** state) {
  (void)state;
  enum { MANY = 24, HORIZON = 37 };
  static const char* const name[] = {"demo",    "hmmwv",    "soils", "delayed_steering",
                                     "sensors", "obstacles"};
  for (int i = 0; i < (int)(sizeof name / sizeof name[0]); i++) {
    TestWorld w = test_world_open(name[i], 1);
    rutBatchDef def = rut_default_batch();
    def.copies = MANY;
    def.workers = 2;
    def.horizon = HORIZON;
    def.restart = true;
    rutBatch* batch = open_batch(&w, def);
    for (int call = 0; call < 20; call++) {
      assert_int_equal(rut_batch_step(batch, 11, NULL, NULL), RUT_OK);
      const int one = 7 * call % MANY;
      if (call % 3 == 0) rut_batch_reset(batch, 1, &one, NULL);
    }
    assert_true(rut_batch_info(batch).in_lanes > 0);
    for (int c = 0; c < MANY; c += compared()) {
      const rutBatchCopy copy = rut_batch_copy(batch, c);
      assert_true(copy.steps < HORIZON && copy.episode > 0);
      rut_data_reset(w.model, w.data, rut_batch_seed(0, c, copy.episode));
      test_world_run(&w, (int)copy.steps);
      if (rut_state_hash(w.model, w.data) !=
          rut_state_hash(rut_batch_model(batch), rut_batch_data(batch, c))) {
        fail_msg("copy %d of %s differs from a lone run of its seed", c, name[i]);
      }
    }
    rut_batch_destroy(batch);
    test_world_close(&w);
  }
}

// Copies go on from a run with ruts: they have its bits, and memory only for what they change, also
// where the run is a copy itself and the next ones come after it.
static void test_ruts_are_shared(void** state) {
  (void)state;
  enum { MANY = 9 };
  TestWorld w = test_world_open("manoeuvres/multi_pass", 1);
  rutBatchDef def = rut_default_batch();
  def.copies = MANY;
  def.workers = 2;
  rutBatch* batch = open_batch(&w, def);
  rutRuts before, after, shared;
  test_world_run(&w, 1500);
  assert_true(rut_ruts(w.model, w.data, &before));
  assert_true(before.memory > 0);
  assert_int_equal(rut_batch_adopt(batch, 0, NULL, w.model, w.data, NULL), RUT_OK);
  for (int round = 0; round < 3; round++) {
    const rutModel* model = rut_batch_model(batch);
    assert_true(rut_ruts(model, rut_batch_data(batch, round), &shared));
    assert_true(shared.memory == 0 && shared.volume > 0);
    assert_int_equal(rut_batch_step(batch, 40, NULL, NULL), RUT_OK);
    test_world_run(&w, 40);
    assert_true(rut_ruts(w.model, w.data, &after));
    for (int c = 0; c < MANY; c++) {
      const rutData* data = rut_batch_data(batch, c);
      assert_true(rut_state_hash(model, data) == rut_state_hash(w.model, w.data));
      assert_true(rut_ruts(model, data, &shared));
      assert_true(shared.memory > 0 && shared.memory < 0.7 * after.memory);
      assert_true(shared.volume == after.volume && shared.mean_depth == after.mean_depth);
    }
    if (round == 1) rut_batch_reset(batch, 1, &(int){3}, NULL);
    const rutData* next = rut_batch_data(batch, 8 - round);
    assert_int_equal(rut_batch_adopt(batch, 0, NULL, model, next, NULL), RUT_OK);
  }
  rut_batch_destroy(batch);
  test_world_close(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers_differ_from_lane_to_lane),
      cmocka_unit_test(test_soils_differ_from_lane_to_lane),
      cmocka_unit_test(test_loads_differ_from_lane_to_lane),
      cmocka_unit_test(test_wheels_differ_from_lane_to_lane),
      cmocka_unit_test(test_planar_vehicles_differ_from_lane_to_lane),
      cmocka_unit_test(test_copies_are_lone_runs),
      cmocka_unit_test(test_episodes_are_lone_runs),
      cmocka_unit_test(test_ruts_are_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
