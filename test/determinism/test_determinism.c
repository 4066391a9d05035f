// SPDX-License-Identifier: BSD-3-Clause
//
// The same bits after a save and restore in mid-run, after a reset, and from a saved and reloaded
// spec; the hashes themselves stand in test/golden/hashes.txt, which every compiler and build type
// must reproduce.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "repetitions.h"
#include "worlds.h"

enum { STEPS = 400 };

static void test_restore_in_mid_run_changes_nothing(void** state) {
  (void)state;
  for (int i = 0; i < TEST_WORLDS; i += repetitions(1, 10)) {
    TestWorld w = test_world_open(test_worlds[i], 1);
    test_world_run(&w, STEPS / 2);
    size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
    void* saved = malloc(size);
    assert_non_null(saved);
    assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
    const rutWheelState wheel = rut_wheel_state(w.model, w.data, 0);
    test_world_run(&w, STEPS / 2);
    uint64_t straight = rut_state_hash(w.model, w.data);

    // into the same data, and into one that has never moved
    assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
    test_world_run(&w, STEPS / 2);
    assert_int_equal(rut_state_hash(w.model, w.data), straight);
    rut_data_destroy(w.data);
    w.data = rut_data_create(w.model);
    assert_non_null(w.data);
    assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
    const rutWheelState restored = rut_wheel_state(w.model, w.data, 0);
    assert_true(restored.load == wheel.load && restored.torque == wheel.torque);
    assert_true(restored.force[0] == wheel.force[0] && restored.slip[0] == wheel.slip[0]);
    test_world_run(&w, STEPS / 2);
    assert_int_equal(rut_state_hash(w.model, w.data), straight);

    // a state of another size, mask or model is refused
    assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size - 1),
                     RUT_ERR_ARGUMENT);
    ((unsigned char*)saved)[9] ^= 1;
    assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_ERR_VERSION);
    free(saved);
    test_world_close(&w);
  }
}

static void test_reset_is_a_fresh_start(void** state) {
  (void)state;
  for (int i = 0; i < TEST_WORLDS; i += repetitions(1, 10)) {
    TestWorld w = test_world_open(test_worlds[i], 1);
    uint64_t start = rut_state_hash(w.model, w.data);
    test_world_run(&w, STEPS);
    rut_data_reset(w.model, w.data, 0);
    assert_int_equal(rut_state_hash(w.model, w.data), start);
    test_world_close(&w);
  }
}

static void test_seed_changes_the_noise_only(void** state) {
  (void)state;
  TestWorld w = test_world_open("demo", 1);
  test_world_run(&w, STEPS);
  int n = 0;
  double stamp, x = rut_vehicle_state(w.model, w.data, 0).position[0];
  double range = rut_sensor(w.model, w.data, 0, &stamp, &n)[0];
  rut_data_reset(w.model, w.data, 7);
  test_world_run(&w, STEPS);
  assert_true(rut_vehicle_state(w.model, w.data, 0).position[0] == x);
  assert_true(rut_sensor(w.model, w.data, 0, &stamp, &n)[0] != range);
  test_world_close(&w);
}

static void test_saved_spec_makes_the_same_model(void** state) {
  (void)state;
  for (int i = 0; i < TEST_WORLDS; i += repetitions(1, 10)) {
    TestWorld w = test_world_open(test_worlds[i], 1);
    char path[] = "/tmp/rut_roundtrip_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    rutError err = {0};
    if (rut_spec_save(w.spec, path, &err) != RUT_OK) fail_msg("%s", err.message);
    rutSpec* again = NULL;
    rutModel* model = NULL;
    // saved elsewhere, it still names the files beside the first one
    assert_int_equal(rut_context_allow_dir(w.context, RUT_SOURCE_DIR "/worlds", &err), RUT_OK);
    if (rut_spec_load(w.context, path, &again, &err) != RUT_OK) fail_msg("%s", err.message);
    if (rut_compile(again, &model, &err) != RUT_OK) fail_msg("%s", err.message);
    assert_int_equal(rut_model_hash(model), rut_model_hash(w.model));
    rut_model_destroy(model);
    rut_spec_destroy(again);
    remove(path);
    test_world_close(&w);
  }
}

// Lines "world steps hash".
static void test_golden_hashes(void** state) {
  (void)state;
  FILE* file = fopen(RUT_SOURCE_DIR "/test/golden/hashes.txt", "r");
  assert_non_null(file);
  char name[64];
  int steps, seen = 0;
  unsigned long long want;
  while (fscanf(file, "%63s %d %llx", name, &steps, &want) == 3) {
    if (seen++ % without_threads(1, 6) != 0) continue;
    unsigned long long got = test_world_hash(name, 1, steps);
    if (got != want) fail_msg("%s after %d steps: %016llx, golden %016llx", name, steps, got, want);
  }
  fclose(file);
  assert_int_equal(seen, TEST_WORLDS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_restore_in_mid_run_changes_nothing),
      cmocka_unit_test(test_reset_is_a_fresh_start),
      cmocka_unit_test(test_seed_changes_the_noise_only),
      cmocka_unit_test(test_saved_spec_makes_the_same_model),
      cmocka_unit_test(test_golden_hashes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
