// SPDX-License-Identifier: BSD-3-Clause
//
// Batches: columns, limits, rewards, ends, restarts, states, parameters of copies, candidates. That
// copies have the bits of lone runs is tested by determinism.batch.
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
#include "repetitions.h"
#include "rut/batch.h"

enum { COPIES = 10 };

// Moves as it is told, by 1 mm in a step at 1 m/s.
#define TOLD                                                                        \
  "<vehicle name='a'><chassis mass='10' outline='-.3 -.2, .3 -.2, .3 .2, -.3 .2'/>" \
  "<wheel name='l' position='0 .25' place='left' mass='1' radius='.1'/>"            \
  "<wheel name='r' position='0 -.25' place='right' mass='1' radius='.1'/>"          \
  "<tyre type='coulomb'/><drive type='direct'/>"                                    \
  "<controller type='twist_ideal' speed='1'/></vehicle>"
// Wheels with the torques that it is told.
#define DRIVEN                                                                                   \
  "<vehicle name='a'><chassis mass='10' outline='-.3 -.2, .3 -.2, .3 .2, -.3 .2'/>"              \
  "<wheel name='l' position='0 .25' place='left' mass='1' radius='.1'/>"                         \
  "<wheel name='r' position='0 -.25' place='right' mass='1' radius='.1'/>"                       \
  "<tyre type='coulomb' friction='0.5'/><drive type='direct' max_torque='0' no_load_speed='0'/>" \
  "<controller type='raw'/></vehicle>"

typedef struct World {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutBatch* batch;
} World;

static World open_world(const char* text, rutBatchDef def) {
  World w = {0};
  rutError err = {0};
  rutStatus status = rut_context_create(NULL, &w.context, &err);
  if (status == RUT_OK) {
    status = rut_spec_parse(w.context, text, strlen(text), "test.xml", &w.spec, &err);
  }
  if (status == RUT_OK) status = rut_compile(w.spec, &w.model, &err);
  if (status == RUT_OK) status = rut_batch_create(w.spec, &def, &w.batch, &err);
  if (status != RUT_OK) fail_msg("%s", err.message);
  return w;
}

static void close_world(World* w) {
  rut_batch_destroy(w->batch);
  rut_model_destroy(w->model);
  rut_spec_destroy(w->spec);
  rut_context_destroy(w->context);
}

static rutBatchDef copies(int n) {
  rutBatchDef def = rut_default_batch();
  def.copies = n;
  return def;
}

// Column 0: x of the first vehicle.
static void watch_x(rutBatch* batch) {
  const rutModel* model = rut_batch_model(batch);
  for (int i = 0; i < rut_variables(model, RUT_VEHICLE, 0, RUT_OUTPUT); i++) {
    const rutVariableInfo info = rut_variable(model, RUT_VEHICLE, 0, RUT_OUTPUT, i);
    if (strcmp(info.name, "x") != 0) continue;
    const rutVariableRange range = {RUT_VEHICLE, 0, RUT_OUTPUT, i, 1};
    int n = 0;
    assert_int_equal(rut_batch_columns(batch, 1, &range, &n, NULL), RUT_OK);
    assert_int_equal(n, 1);
    return;
  }
  fail_msg("there is no x");
}

static void test_definitions_are_checked(void** state) {
  (void)state;
  World w = open_world("<world>" TOLD "</world>", copies(2));
  rutError err = {0};
  rutBatch* none = NULL;
  rutBatchDef def = copies(0);
  assert_int_equal(rut_batch_create(w.spec, &def, &none, &err), RUT_ERR_ARGUMENT);
  assert_null(none);
  def = copies(1);
  def.struct_size = 3;
  assert_int_equal(rut_batch_create(w.spec, &def, &none, &err), RUT_ERR_VERSION);
  assert_int_equal(rut_batch_step(w.batch, -1, NULL, &err), RUT_ERR_ARGUMENT);
  const double infinite[2] = {INFINITY, 0};
  const rutBatchIo io = {.command = {(double*)(uintptr_t)infinite, 1, 1}};
  assert_int_equal(rut_batch_step(w.batch, 1, &io, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_batch_copy(w.batch, 0).steps, 0);
  const rutBatchLimit limit = {0, 0, 1};
  assert_int_equal(rut_batch_limits(w.batch, 1, &limit, &err), RUT_ERR_ARGUMENT);
  const rutBatchTerm term = {0, RUT_BATCH_LINEAR, RUT_BATCH_EACH, 1, 0};
  assert_int_equal(rut_batch_reward(w.batch, 1, &term, &err), RUT_ERR_ARGUMENT);
  const rutVariableRange range = {RUT_VEHICLE, 1, RUT_OUTPUT, 0, 1};
  assert_int_equal(rut_batch_columns(w.batch, 1, &range, NULL, &err), RUT_ERR_ARGUMENT);
  assert_null(rut_batch_data(w.batch, 2));
  assert_null(rut_batch_copy_model(w.batch, -1));
  assert_string_equal(rut_batch_end_name(RUT_BATCH_LIMIT), "limit");
  assert_string_equal(rut_batch_end_name((rutBatchEnd)99), "");
  rut_batch_destroy(NULL);
  close_world(&w);
}

// Both orders of an array; what is NaN holds.
static void test_arrays_are_the_callers(void** state) {
  (void)state;
  World w = open_world("<world timestep='1 ms'>" TOLD "</world>", copies(COPIES));
  watch_x(w.batch);
  const int n = rut_batch_commands(w.batch);
  assert_true(n >= 1);
  double* by_copy = calloc((size_t)(n * COPIES), sizeof *by_copy);
  double* by_column = calloc((size_t)(n * COPIES), sizeof *by_column);
  double seen[COPIES];
  assert_non_null(by_copy);
  assert_non_null(by_column);
  for (int c = 0; c < COPIES; c++) by_copy[c * n] = c;
  rutBatchIo io = {.command = {by_copy, n, 1}, .output = {seen, 1, COPIES}};
  assert_int_equal(rut_batch_step(w.batch, 100, &io, NULL), RUT_OK);
  for (int c = 0; c < COPIES; c++) assert_near(seen[c], 0.1 * c, 1e-12);
  for (int i = 0; i < n * COPIES; i++) by_column[i] = (double)NAN;
  by_column[3] = -1;  // copy 3 comes back from 0.3 m
  io.command = (rutBatchArray){by_column, 1, COPIES};
  io.output = (rutBatchArray){seen, 1, 1};
  assert_int_equal(rut_batch_step(w.batch, 100, &io, NULL), RUT_OK);
  for (int c = 0; c < COPIES; c++) assert_near(seen[c], c == 3 ? 0.2 : 0.2 * c, 1e-12);
  // the same without a step
  double room[2 * COPIES];
  rut_batch_read(w.batch, &(rutBatchArray){room, 2, 1});
  for (int c = 0; c < COPIES; c++) assert_true(room[2 * c] == seen[c]);
  free(by_copy);
  free(by_column);
  close_world(&w);
}

// Copies end where they leave their limits, each by itself; the others go on.
static void test_copies_end_one_by_one(void** state) {
  (void)state;
  rutBatchDef def = copies(COPIES);
  def.horizon = 400;
  World w = open_world("<world timestep='1 ms'>" TOLD "</world>", def);
  watch_x(w.batch);
  const rutBatchLimit limit = {0, -1, 0.5};
  assert_int_equal(rut_batch_limits(w.batch, 1, &limit, NULL), RUT_OK);
  const int n = rut_batch_commands(w.batch);
  double* command = calloc((size_t)(n * COPIES), sizeof *command);
  double last[COPIES] = {0};
  unsigned char end[COPIES];
  assert_non_null(command);
  for (int c = 0; c < COPIES; c++) command[c * n] = c + 0.5;
  const rutBatchIo io = {.command = {command, n, 1}, .last_output = {last, 1, 1}, .end = end};
  assert_int_equal(rut_batch_step(w.batch, 500, &io, NULL), RUT_OK);
  for (int c = 0; c < COPIES; c++) {
    const rutBatchCopy copy = rut_batch_copy(w.batch, c);
    // the first step behind 0.5 m at (c + 0.5) mm a step
    const double steps = floor(500 / (c + 0.5)) + 1;
    if (steps > 400) {
      assert_int_equal(copy.end, RUT_BATCH_HORIZON);
      assert_int_equal(copy.steps, 400);
    } else {
      assert_int_equal(copy.end, RUT_BATCH_LIMIT);
      assert_near((double)copy.steps, steps, 1);
      assert_near(last[c], 1e-3 * (c + 0.5) * (double)copy.steps, 1e-12);
      assert_true(last[c] > 0.5);
    }
    assert_int_equal(end[c], copy.end);
  }
  // they stand still, and begin anew where they are told
  assert_int_equal(rut_batch_step(w.batch, 10, &io, NULL), RUT_OK);
  assert_int_equal(rut_batch_copy(w.batch, 0).steps, 400);
  assert_int_equal(end[0], RUT_BATCH_NONE);
  const int one = 3;
  const uint64_t seed = 77;
  rut_batch_reset(w.batch, 1, &one, &seed);
  assert_int_equal(rut_batch_step(w.batch, 10, &io, NULL), RUT_OK);
  assert_int_equal(rut_batch_copy(w.batch, 3).steps, 10);
  assert_int_equal(rut_batch_copy(w.batch, 3).episode, 1);
  assert_true(rut_batch_copy(w.batch, 3).seed == 77);
  assert_int_equal(rut_batch_copy(w.batch, 4).episode, 0);
  free(command);
  close_world(&w);
}

// With `restart` a copy goes on in its next episode, with the seed that belongs to that.
static void test_copies_begin_anew(void** state) {
  (void)state;
  rutBatchDef def = copies(COPIES);
  def.horizon = 30;
  def.restart = true;
  def.seed = 9;
  World w = open_world("<world timestep='1 ms'>" TOLD "</world>", def);
  watch_x(w.batch);
  unsigned char end[COPIES];
  double seen[COPIES];
  const rutBatchIo io = {.end = end, .output = {seen, 1, 1}};
  assert_int_equal(rut_batch_step(w.batch, 100, &io, NULL), RUT_OK);
  for (int c = 0; c < COPIES; c++) {
    const rutBatchCopy copy = rut_batch_copy(w.batch, c);
    assert_int_equal(copy.end, RUT_BATCH_NONE);
    assert_int_equal(copy.episode, 3);
    assert_int_equal(copy.steps, 10);
    assert_true(copy.seed == rut_batch_seed(9, c, 3));
    assert_int_equal(end[c], RUT_BATCH_HORIZON);
    assert_near(seen[c], 0.01, 1e-12);
  }
  assert_true(rut_batch_seed(9, 0, 0) != rut_batch_seed(9, 0, 1));
  assert_true(rut_batch_seed(9, 0, 0) != rut_batch_seed(9, 1, 0));
  close_world(&w);
}

// One copy of eight that share lanes diverges; the others have the bits that they have without it.
static void test_divergence_stops_nobody_else(void** state) {
  (void)state;
  World w = open_world("<world timestep='1 ms'>" DRIVEN "</world>", copies(8));
  World calm = open_world("<world timestep='1 ms'>" DRIVEN "</world>", copies(8));
  const int n = rut_batch_commands(w.batch);
  double command[8 * 3];
  assert_int_equal(n, 3);
  for (int i = 0; i < 8 * n; i++) command[i] = i % 3 == 2 ? 0 : 0.01 * i;
  const rutBatchIo io = {.command = {command, n, 1}};
  assert_int_equal(rut_batch_step(w.batch, 50, &io, NULL), RUT_OK);
  assert_int_equal(rut_batch_step(calm.batch, 50, &io, NULL), RUT_OK);
  assert_int_equal(rut_batch_info(w.batch).in_lanes, 8);
  assert_int_equal(rut_batch_step(calm.batch, 50, &io, NULL), RUT_OK);
  command[5 * n] = 1e308;
  assert_int_equal(rut_batch_step(w.batch, 50, &io, NULL), RUT_OK);
  assert_int_equal(rut_batch_copy(w.batch, 5).end, RUT_BATCH_DIVERGED);
  assert_int_equal(rut_batch_copy(w.batch, 5).steps, 50);
  for (int c = 0; c < 8; c++) {
    const uint64_t hash = rut_state_hash(rut_batch_model(w.batch), rut_batch_data(w.batch, c));
    const uint64_t other =
        rut_state_hash(rut_batch_model(calm.batch), rut_batch_data(calm.batch, c));
    if (c != 5) assert_true(hash == other);
  }
  // it stands as it did before that step
  assert_true(
      isfinite(rut_wheel_state(rut_batch_model(w.batch), rut_batch_data(w.batch, 5), 0).speed));
  close_world(&w);
  close_world(&calm);
}

// A state goes from a run into copies, and from a copy into a run.
static void test_states_are_those_of_runs(void** state) {
  (void)state;
  World w = open_world("<world timestep='1 ms'>" DRIVEN "</world>", copies(COPIES));
  rutData* data = rut_data_create(w.model);
  assert_non_null(data);
  const double torque[2] = {0.1, 0.2};
  rut_command(w.model, data, 0, 2, torque);
  for (int i = 0; i < 40; i++) assert_int_equal(rut_step(w.model, data, NULL), RUT_OK);
  assert_int_equal(rut_batch_adopt(w.batch, 0, NULL, w.model, data, NULL), RUT_OK);
  assert_int_equal(rut_batch_step(w.batch, 60, NULL, NULL), RUT_OK);
  for (int i = 0; i < 60; i++) assert_int_equal(rut_step(w.model, data, NULL), RUT_OK);
  for (int c = 0; c < COPIES; c++) {
    rutData* copy = rut_batch_data(w.batch, c);
    assert_true(rut_state_hash(rut_batch_model(w.batch), copy) == rut_state_hash(w.model, data));
  }
  // a saved copy in a plain run
  const rutModel* model = rut_batch_model(w.batch);
  const size_t size = rut_state_size(model, rut_batch_data(w.batch, 2), RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_non_null(saved);
  assert_int_equal(rut_state_get(model, rut_batch_data(w.batch, 2), RUT_STATE_ALL, saved, size),
                   RUT_OK);
  rut_data_reset(w.model, data, 3);
  assert_int_equal(rut_state_set(w.model, data, RUT_STATE_ALL, saved, size), RUT_OK);
  assert_int_equal(rut_steps(data), 100);
  // and into another copy, which had ended
  assert_int_equal(rut_state_set(model, rut_batch_data(w.batch, 7), RUT_STATE_ALL, saved, size),
                   RUT_OK);
  rut_batch_resume(w.batch, 7);
  assert_int_equal(rut_batch_copy(w.batch, 7).steps, 100);
  free(saved);
  rut_data_destroy(data);
  close_world(&w);
}

// A mass of each copy: the model of a spec in which it is set; torque over mass is the
// acceleration of a body without wheels' friction.
static void test_copies_have_parameters_of_their_own(void** state) {
  (void)state;
  World w = open_world("<world timestep='1 ms'>" DRIVEN "</world>", copies(COPIES));
  watch_x(w.batch);
  const char* const path[] = {"a/chassis[0].mass", "a/tyre[0].friction"};
  double value[2 * COPIES];
  for (int c = 0; c < COPIES; c++) {
    value[2 * c] = 10 + c % 3;
    value[2 * c + 1] = 0.5 + 0.1 * (c % 2);
  }
  rutError err = {0};
  const rutBatchArray array = {value, 2, 1};
  if (rut_batch_vary(w.batch, 2, path, &array, &err) != RUT_OK) fail_msg("%s", err.message);
  assert_int_equal(rut_batch_info(w.batch).variants, 7);  // 3 x 2, and that of the spec
  assert_int_equal(rut_batch_copy(w.batch, 0).episode, 1);
  const double torque[3] = {0.05, 0.05, 0};
  double command[3 * COPIES];
  for (int i = 0; i < 3 * COPIES; i++) command[i] = torque[i % 3];
  const rutBatchIo io = {.command = {command, 3, 1}};
  assert_int_equal(rut_batch_step(w.batch, 200, &io, NULL), RUT_OK);
  for (int c = 0; c < COPIES; c++) {
    rutModel* model = NULL;
    assert_int_equal(rut_spec_set(w.spec, path[0],
                                  c % 3 == 0   ? "10"
                                  : c % 3 == 1 ? "11"
                                               : "12",
                                  &err),
                     RUT_OK);
    assert_int_equal(rut_spec_set(w.spec, path[1], c % 2 ? "0.6" : "0.5", &err), RUT_OK);
    assert_int_equal(rut_compile(w.spec, &model, &err), RUT_OK);
    assert_true(rut_model_hash(model) == rut_model_hash(rut_batch_copy_model(w.batch, c)));
    rutData* data = rut_data_create(model);
    assert_non_null(data);
    rut_data_reset(model, data, rut_batch_seed(0, c, 1));
    rut_command(model, data, 0, 3, torque);
    for (int i = 0; i < 200; i++) assert_int_equal(rut_step(model, data, NULL), RUT_OK);
    assert_true(rut_state_hash(rut_batch_copy_model(w.batch, c), rut_batch_data(w.batch, c)) ==
                rut_state_hash(model, data));
    rut_data_destroy(data);
    rut_model_destroy(model);
  }
  // what is wrong changes nothing
  const char* const wrong[] = {"a/chasis[0].mass"};
  assert_int_equal(rut_batch_vary(w.batch, 1, wrong, &array, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "chassis"));
  value[0] = -1;
  assert_true(rut_batch_vary(w.batch, 2, path, &array, &err) != RUT_OK);
  assert_int_equal(rut_batch_info(w.batch).variants, 7);
  assert_int_equal(rut_batch_copy(w.batch, 0).steps, 200);
  close_world(&w);
}

// Before every step: a torque that grows with time; vehicles of two set points go on as they are.
static void push(const rutModel* model, rutData* data, int copy, void* user) {
  (void)copy;
  (void)user;
  rut_command(model, data, 0, 3, (double[3]){0.1 * rut_time(data), 0.05, 0});
}

// State after so many steps of a lone run of a spec.
static uint64_t alone(const rutSpec* spec, uint64_t seed, int steps) {
  rutModel* model = NULL;
  assert_int_equal(rut_compile(spec, &model, NULL), RUT_OK);
  rutData* data = rut_data_create(model);
  assert_non_null(data);
  rut_data_reset(model, data, seed);
  for (int i = 0; i < steps; i++) {
    push(model, data, 0, NULL);
    assert_int_equal(rut_step(model, data, NULL), RUT_OK);
  }
  const uint64_t hash = rut_state_hash(model, data);
  rut_data_destroy(data);
  rut_model_destroy(model);
  return hash;
}

// Worlds that are exchanged while others go on, some of another structure, are lone runs.
static void test_copies_get_worlds_of_their_own(void** state) {
  (void)state;
  static const char* const start[] = {"0 0", "1 0.5", "-1 2", "3 3"};
  static const char pair[] =
      "<world timestep='1 ms'>" DRIVEN
      "<block name='b' fixed='true' shape='box' size='1 1 1' position='9 9'/></world>";
  World w = open_world("<world timestep='1 ms'>" DRIVEN "</world>", copies(COPIES));
  watch_x(w.batch);
  rutSpec* other = NULL;
  rutError err = {0};
  assert_int_equal(rut_spec_parse(w.context, pair, strlen(pair), "pair.xml", &other, &err), RUT_OK);
  rut_batch_prepare(w.batch, push, NULL);
  rut_batch_reset(w.batch, 1, (int[]){9}, (uint64_t[]){77});
  for (int k = 0; k < 4; k++) {
    assert_int_equal(rut_spec_set(w.spec, "a.position", start[k], &err), RUT_OK);
    const uint64_t seed = 100 + (uint64_t)k;
    assert_int_equal(rut_batch_set_world(w.batch, 2 * k, w.spec, seed, &err), RUT_OK);
    assert_int_equal(rut_batch_share_world(w.batch, 2 * k + 1, 2 * k, seed, &err), RUT_OK);
    assert_int_equal(rut_batch_step(w.batch, 30, NULL, &err), RUT_OK);
    assert_true(rut_batch_copy(w.batch, 0).in_lanes);
    assert_true(rut_batch_info(w.batch).matched >= 8);
  }
  assert_int_equal(rut_batch_set_world(w.batch, 7, other, 5, &err), RUT_OK);
  rut_batch_pause(w.batch, 8);
  assert_int_equal(rut_batch_step(w.batch, 20, NULL, &err), RUT_OK);
  assert_int_equal(rut_batch_copy(w.batch, 8).steps, 120);
  assert_int_equal(rut_batch_copy(w.batch, 8).end, RUT_BATCH_PAUSED);
  assert_false(rut_batch_copy(w.batch, 7).in_lanes);
  for (int c = 0; c < 7; c++) {
    assert_int_equal(rut_spec_set(w.spec, "a.position", start[c / 2], &err), RUT_OK);
    const uint64_t hash = alone(w.spec, 100 + (uint64_t)(c / 2), 140 - 30 * (c / 2));
    assert_true(hash ==
                rut_state_hash(rut_batch_copy_model(w.batch, c), rut_batch_data(w.batch, c)));
  }
  assert_true(alone(other, 5, 20) ==
              rut_state_hash(rut_batch_copy_model(w.batch, 7), rut_batch_data(w.batch, 7)));
  assert_int_equal(rut_spec_set(w.spec, "a.position", start[0], &err), RUT_OK);
  assert_true(alone(w.spec, 77, 140) ==
              rut_state_hash(rut_batch_copy_model(w.batch, 9), rut_batch_data(w.batch, 9)));
  assert_int_equal(rut_batch_set_world(w.batch, COPIES, w.spec, 0, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_batch_share_world(w.batch, 0, -1, 0, &err), RUT_ERR_ARGUMENT);
  rut_spec_destroy(other);
  close_world(&w);
}

// A car on springs whose front wheels are driven.
#define CAR(pose)                                                                       \
  "<world timestep='1 ms'><soil name='road' type='magic_formula'/>"                     \
  "<vehicle name='a' velocity='5 0 0' " pose                                            \
  ">"                                                                                   \
  "<chassis mass='1000' com='0 0 0.4' inertia='400 1500 1600' z_min='0.2' z_max='1.2' " \
  "outline='-2 -.7, 2 -.7, 2 .7, -2 .7'/><tyre type='linear'/>"                         \
  "<suspension type='slider' stiffness='30 kN/m' damping='3 kN s/m'/>"                  \
  "<axle x='1.3' track='1.5' radius='.3' wheel_mass='20' max_steer='30 deg'/>"          \
  "<axle x='-1.3' track='1.5' radius='.3' wheel_mass='20'/>"                            \
  "<drive type='direct'/><controller type='raw'/></vehicle></world>"

// Text of a field of copy c, from 0 to 1 as c goes from 0 to COPIES.
typedef struct Field {
  const char *path, *text;
  double first, last;
} Field;

static void set_fields(rutSpec* spec, int n, const Field* field, int c) {
  for (int i = 0; i < n; i++) {
    char text[96];
    rutError err = {0};
    const double part = (double)c / COPIES;
    snprintf(text, sizeof text, field[i].text,
             field[i].first + part * (field[i].last - field[i].first));
    if (rut_spec_set(spec, field[i].path, text, &err) != RUT_OK) fail_msg("%s", err.message);
  }
}

// Copies whose cars differ share lanes, and are runs of their worlds bit for bit.
static void load_differently(const char* world, int n, const Field* field) {
  const int steps = repetitions(600, 60);
  World w = open_world(world, copies(COPIES));
  rutError err = {0};
  uint64_t before = 0;
  rut_batch_prepare(w.batch, push, NULL);
  for (int c = 0; c < COPIES; c++) {
    set_fields(w.spec, n, field, c);
    assert_int_equal(rut_batch_set_world(w.batch, c, w.spec, (uint64_t)c, &err), RUT_OK);
  }
  assert_int_equal(rut_batch_step(w.batch, steps, NULL, &err), RUT_OK);
  assert_int_equal(rut_batch_info(w.batch).tiles, 2);
  // of ten copies eight fill a tile; two go on by themselves
  assert_int_equal(rut_batch_info(w.batch).in_lanes, 8);
  for (int c = 0; c < COPIES; c++) {
    set_fields(w.spec, n, field, c);
    const uint64_t hash = alone(w.spec, (uint64_t)c, steps);
    assert_true(hash ==
                rut_state_hash(rut_batch_copy_model(w.batch, c), rut_batch_data(w.batch, c)));
    // what differs does make a difference
    assert_true(hash != before);
    before = hash;
  }
  close_world(&w);
}

static void test_cars_of_other_masses_share_lanes(void** state) {
  (void)state;
  const Field field[] = {{"a/chassis.mass", "%.17g", 900, 1400},
                         {"a/chassis.com", "0.1 %.17g 0.5", -0.05, 0.1},
                         {"a/chassis.inertia", "%.17g 1500 1600", 350, 500},
                         {"a/drive.max_torque", "%.17g", 0.01, 0.1}};
  for (int i = 0; i < 4; i++) load_differently(CAR("position='0 0'"), 1, &field[i]);
  load_differently(CAR("position='0 0'"), 4, field);
  // on its roof
  load_differently(CAR("position='0 0 1.2' roll='180 deg' on_ground='false'"), 3, field);
}

// A car in the plane whose front wheels steer and are driven, and a world of one.
#define CART(name, pose, car)                                                                     \
  "<vehicle name='" name "' velocity='2 0 0' max_steer='30 deg' position='" pose "' " car         \
  "><chassis mass='100' outline='-.2 -.3, 1 -.3, 1 .3, -.2 .3'/>"                                 \
  "<wheel name='rl' place='rear_left' position='0 .3' mass='2' radius='.15'/>"                    \
  "<wheel name='rr' place='rear_right' position='0 -.3' mass='2' radius='.15'/>"                  \
  "<wheel name='fl' place='front_left' position='.8 .3' mass='2' radius='.15' steered='true'/>"   \
  "<wheel name='fr' place='front_right' position='.8 -.3' mass='2' radius='.15' steered='true'/>" \
  "<tyre type='coulomb' rolling_resistance='.01'/><drive type='direct' driven='front'/>"          \
  "<controller type='front_steer_pid' speed='3' steer='10 deg' max_torque='20'/></vehicle>"
#define TROLLEY(world, car) "<world timestep='1 ms' " world ">" CART("a", "0 0", car) "</world>"

static void test_planar_vehicles_of_other_numbers_share_lanes(void** state) {
  (void)state;
  const Field field[] = {{"a/chassis.mass", "%.17g", 80, 140},
                         {"a/chassis.com", "%.17g 0.05", 0.3, 0.5},
                         {"a/fl.radius", "%.17g", 0.14, 0.16},
                         {"a/rr.mass", "%.17g", 1, 3},
                         {"a/fl.position", "0.8 %.17g", 0.25, 0.35},
                         {"a/rl.position", "0 %.17g", 0.25, 0.35},
                         {"a/tyre.rolling_resistance", "%.17g", 0, 0.1},
                         {"a/tyre.friction", "%.17g", 0.1, 0.5},
                         {"a/tyre.bearing_damping", "%.17g", 0.01, 0.3},
                         {"a/drive.max_torque", "%.17g", 5, 30},
                         {"a/controller.proportional_gain", "%.17g", 10, 40},
                         {"a/chassis.linear_damping", "%.17g", 0.1, 1}};
  enum { FIELDS = sizeof field / sizeof *field };
  for (int i = 0; i < FIELDS; i++) load_differently(TROLLEY("", ""), 1, &field[i]);
  load_differently(TROLLEY("", ""), FIELDS, field);
  // two that are equal, and bump into each other
  const Field both[] = {{"a/chassis.mass", "%.17g", 80, 140},
                        {"b/chassis.mass", "%.17g", 80, 140},
                        {"a/fl.radius", "%.17g", 0.14, 0.16},
                        {"b/fl.radius", "%.17g", 0.14, 0.16}};
  load_differently("<world timestep='1 ms'>" CART("a", "0 0", "")
                       CART("b", "1.3 0.2", "yaw='180 deg'") "</world>",
                   4, both);
  // integrated otherwise, and with wheels that take the velocity of the step before
  load_differently(TROLLEY("integrator='rk4'", ""), FIELDS, field);
  load_differently(TROLLEY("", "wheel_coupling='explicit'"), FIELDS, field);
  load_differently(TROLLEY("integrator='rk4'", "wheel_coupling='explicit'"), FIELDS, field);
}

// Rewards of uniform motion: the integral of x, and the square of what is left at the end.
static void test_rewards_add_up(void** state) {
  (void)state;
  World w = open_world("<world timestep='1 ms'>" TOLD "</world>", copies(COPIES));
  watch_x(w.batch);
  const rutBatchTerm term[] = {{0, RUT_BATCH_LINEAR, RUT_BATCH_EACH, 2, 0},
                               {0, RUT_BATCH_SQUARE, RUT_BATCH_LAST, -3, 1},
                               {0, RUT_BATCH_ABSOLUTE, RUT_BATCH_LAST, 1, 2}};
  assert_int_equal(rut_batch_reward(w.batch, 3, term, NULL), RUT_OK);
  double reward[COPIES];
  const rutBatchIo io = {.reward = reward};
  assert_int_equal(rut_batch_step(w.batch, 500, &io, NULL), RUT_OK);
  // x = k mm after k steps: sum of 2 x dt over 500 steps is 2e-6 (500 x 501 / 2)
  for (int c = 0; c < COPIES; c++) {
    assert_near(reward[c], 2e-6 * 125250 - 3 * 0.25 + 1.5, 1e-12);
  }
  close_world(&w);
}

static bool stop_at(const rutModel* model, const rutData* data, int copy, double* reward,
                    void* user) {
  (void)user;
  *reward += 1;
  return rut_vehicle_state(model, data, 0).position[0] > 0.02 + 0.01 * copy;
}

static void test_a_judge_ends_and_rewards(void** state) {
  (void)state;
  rutBatchDef def = copies(COPIES);
  def.workers = 3;
  World w = open_world("<world timestep='1 ms'>" TOLD "</world>", def);
  rut_batch_judge(w.batch, stop_at, NULL);
  double reward[COPIES];
  const rutBatchIo io = {.reward = reward};
  assert_int_equal(rut_batch_step(w.batch, 500, &io, NULL), RUT_OK);
  for (int c = 0; c < COPIES; c++) {
    assert_int_equal(rut_batch_copy(w.batch, c).end, RUT_BATCH_JUDGE);
    assert_near((double)rut_batch_copy(w.batch, c).steps, 21 + 10 * c, 1);
    assert_near(reward[c], (double)rut_batch_copy(w.batch, c).steps, 0);
  }
  close_world(&w);
}

// Speeds in three intervals from one state: what is left to 1 m, squared. One leaves its limits,
// one diverges.
static void test_rollouts_cost_what_they_do(void** state) {
  (void)state;
  enum { INTERVALS = 3 };
  World w = open_world("<world timestep='1 ms'>" TOLD "</world>", copies(COPIES));
  watch_x(w.batch);
  const rutBatchTerm term = {0, RUT_BATCH_SQUARE, RUT_BATCH_LAST, -1, 1};
  const rutBatchLimit limit = {0, -1, 2};
  assert_int_equal(rut_batch_reward(w.batch, 1, &term, NULL), RUT_OK);
  assert_int_equal(rut_batch_limits(w.batch, 1, &limit, NULL), RUT_OK);
  rutData* data = rut_data_create(w.model);
  assert_non_null(data);
  for (int i = 0; i < 100; i++) assert_int_equal(rut_step(w.model, data, NULL), RUT_OK);
  const int n = rut_batch_commands(w.batch);
  double* command = calloc((size_t)(n * INTERVALS * 9), sizeof *command);
  double cost[9];
  assert_non_null(command);
  for (int c = 0; c < 9; c++) {
    for (int k = 0; k < INTERVALS; k++) command[(c * INTERVALS + k) * n] = 0.5 * c + 0.1 * k;
  }
  command[(8 * INTERVALS + 2) * n] = 1000;
  const rutRollout rollout = {.candidates = 9,
                              .intervals = INTERVALS,
                              .steps = 50,
                              .command = command,
                              .candidate_stride = INTERVALS * n,
                              .interval_stride = n,
                              .column_stride = 1,
                              .end_cost = 100};
  rutError err = {0};
  // twice: nothing is left of the first time
  for (int pass = 0; pass < 2; pass++) {
    assert_int_equal(rut_rollout(w.batch, w.model, data, &rollout, cost, &err), RUT_OK);
    for (int c = 0; c < 8; c++) {
      const double left = 0.9 - 0.05 * (3 * 0.5 * c + 0.3);
      assert_near(cost[c], left * left, 1e-12);
    }
    // 0.1 + 0.05 (4 + 4.1) = 0.505 m, then 1 m a step: the second one ends at 2.505 m
    assert_near(cost[8], 100 + 1.505 * 1.505, 1e-9);
  }
  rutRollout wrong = rollout;
  wrong.candidates = COPIES + 1;
  assert_int_equal(rut_rollout(w.batch, w.model, data, &wrong, cost, &err), RUT_ERR_ARGUMENT);
  free(command);
  rut_data_destroy(data);
  close_world(&w);
}

// Stops the batch at a step of copy 2, whose worker has seven others in lanes.
static bool stop_at_100(const rutModel* model, const rutData* data, int copy, double* reward,
                        void* user) {
  (void)model;
  (void)reward;
  if (copy == 2 && rut_steps(data) == 100) rut_batch_stop(user);
  return false;
}

// Copies stand where a lone run stands after as many steps.
static void expect_whole_steps(World* w, const double* x) {
  for (int c = 0; c < COPIES; c++) {
    const int64_t steps = rut_batch_copy(w->batch, c).steps;
    assert_near(x[c], 1e-3 * (double)steps, 1e-9);
    const rutModel* model = rut_batch_model(w->batch);
    rutData* alone = rut_data_create(model);
    assert_non_null(alone);
    rut_data_reset(model, alone, rut_batch_copy(w->batch, c).seed);
    for (int64_t i = 0; i < steps; i++) assert_int_equal(rut_step(model, alone, NULL), RUT_OK);
    assert_true(rut_state_hash(model, alone) == rut_state_hash(model, rut_batch_data(w->batch, c)));
    rut_data_destroy(alone);
  }
}

// Two workers, one with eight copies in lanes, one with two copies outside.
static void test_a_step_is_stopped(void** state) {
  (void)state;
  enum { MANY = 1000000 };
  rutBatchDef def = copies(COPIES);
  def.workers = 2;
  World w = open_world("<world timestep='1 ms'>" TOLD "</world>", def);
  watch_x(w.batch);
  double x[COPIES];
  unsigned char end[COPIES];
  const rutBatchIo io = {.output = {x, 1, 1}, .end = end};
  rutError err = {0};
  rut_batch_judge(w.batch, stop_at_100, w.batch);
  assert_int_equal(rut_batch_step(w.batch, MANY, &io, &err), RUT_ERR_STOPPED);
  assert_int_equal(err.status, RUT_ERR_STOPPED);
  expect_whole_steps(&w, x);
  int64_t before[COPIES];
  for (int c = 0; c < COPIES; c++) {
    before[c] = rut_batch_copy(w.batch, c).steps;
    assert_int_equal(rut_batch_copy(w.batch, c).end, RUT_BATCH_NONE);
    assert_int_equal(end[c], RUT_BATCH_NONE);
    // the eight go together
    if (c < 8) assert_in_range(before[c], 100, 101);
    assert_true(before[c] < MANY);
  }
  // it ended one call
  assert_int_equal(rut_batch_step(w.batch, 5, &io, &err), RUT_OK);
  expect_whole_steps(&w, x);
  for (int c = 0; c < COPIES; c++) {
    assert_true(rut_batch_copy(w.batch, c).steps == before[c] + 5);
  }
  rut_batch_reset(w.batch, 0, NULL, NULL);
  assert_int_equal(rut_batch_step(w.batch, 7, &io, &err), RUT_OK);
  for (int c = 0; c < COPIES; c++) assert_near(x[c], 7e-3, 1e-12);
  close_world(&w);
}

// What is stopped between calls makes no step, and takes no command; an error leaves it for the
// next.
static void test_a_call_is_stopped_before_it_begins(void** state) {
  (void)state;
  World w = open_world("<world timestep='1 ms'>" TOLD "</world>", copies(COPIES));
  watch_x(w.batch);
  assert_int_equal(rut_batch_step(w.batch, 20, NULL, NULL), RUT_OK);
  uint64_t hash[COPIES];
  const rutModel* model = rut_batch_model(w.batch);
  for (int c = 0; c < COPIES; c++) hash[c] = rut_state_hash(model, rut_batch_data(w.batch, c));
  double command[3 * COPIES], x[COPIES];
  for (int i = 0; i < 3 * COPIES; i++) command[i] = 3;
  assert_int_equal(rut_batch_commands(w.batch), 3);
  const rutBatchIo io = {.command = {command, 3, 1}, .output = {x, 1, 1}};
  rut_batch_stop(w.batch);
  rut_batch_stop(w.batch);
  assert_int_equal(rut_batch_step(w.batch, -1, &io, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_batch_step(w.batch, 50, &io, NULL), RUT_ERR_STOPPED);
  for (int c = 0; c < COPIES; c++) {
    assert_near(x[c], 0.02, 1e-12);
    assert_true(hash[c] == rut_state_hash(model, rut_batch_data(w.batch, c)));
  }
  rutData* data = rut_data_create(w.model);
  assert_non_null(data);
  const rutRollout rollout = {.candidates = COPIES,
                              .intervals = 1,
                              .steps = 50,
                              .command = command,
                              .candidate_stride = 3,
                              .interval_stride = 3,
                              .column_stride = 1};
  double cost[COPIES] = {17};
  rut_batch_stop(w.batch);
  assert_int_equal(rut_rollout(w.batch, w.model, data, &rollout, cost, NULL), RUT_ERR_STOPPED);
  assert_near(cost[0], 17, 0);
  assert_int_equal(rut_rollout(w.batch, w.model, data, &rollout, cost, NULL), RUT_OK);
  assert_near(cost[0], 0, 0);
  rut_data_destroy(data);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_definitions_are_checked),
      cmocka_unit_test(test_arrays_are_the_callers),
      cmocka_unit_test(test_copies_end_one_by_one),
      cmocka_unit_test(test_copies_begin_anew),
      cmocka_unit_test(test_divergence_stops_nobody_else),
      cmocka_unit_test(test_states_are_those_of_runs),
      cmocka_unit_test(test_copies_have_parameters_of_their_own),
      cmocka_unit_test(test_copies_get_worlds_of_their_own),
      cmocka_unit_test(test_cars_of_other_masses_share_lanes),
      cmocka_unit_test(test_planar_vehicles_of_other_numbers_share_lanes),
      cmocka_unit_test(test_rewards_add_up),
      cmocka_unit_test(test_a_judge_ends_and_rewards),
      cmocka_unit_test(test_rollouts_cost_what_they_do),
      cmocka_unit_test(test_a_step_is_stopped),
      cmocka_unit_test(test_a_call_is_stopped_before_it_begins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
