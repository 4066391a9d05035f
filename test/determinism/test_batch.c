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
                                          "scenarios/ploughed_field"};
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
  int shared = 0, differ = 0;
  for (int i = 0; i < TEST_WORLDS + MORE_WORLDS; i++) {
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
  assert_true(shared >= TEST_WORLDS + MORE_WORLDS - 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies_are_lone_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
