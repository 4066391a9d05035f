// SPDX-License-Identifier: BSD-3-Clause
//
// Every output of every sensor in the scenarios after one second, by its hash in
// test/golden/sensors.txt: lines "scenario sensor output hash". The cameras that show a scenario
// see it small and after a second.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "repetitions.h"
#include "worlds.h"

#define DURATION 1.0

static const char* const scenarios[] = {
    "desert",         "forest_trail", "night_convoy", "obstacle_course",
    "ploughed_field", "quarry",       "urban"};
enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

static TestWorld open_scenario(const char* name, int workers) {
  static const char* const small[][2] = {
      {"view.period", "1 s"}, {"view.width", "160"}, {"view.height", "90"}};
  char world[64];
  rutError err = {0};
  snprintf(world, sizeof world, "scenarios/%s", name);
  TestWorld w = test_world_open(world, workers);
  for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
    if (rut_spec_set(w.spec, small[i][0], small[i][1], &err) != RUT_OK) fail_msg("%s", err.message);
  }
  rut_data_destroy(w.data);
  rut_model_destroy(w.model);
  assert_int_equal(rut_compile(w.spec, &w.model, &err), RUT_OK);
  w.data = rut_data_create(w.model);
  while (rut_time(w.data) < DURATION - 1e-9) test_world_run(&w, 1);
  return w;
}

static size_t size_of(rutNumberType type) {
  switch (type) {
    case RUT_F64:
      return sizeof(double);
    case RUT_F32:
    case RUT_I32:
      return 4;
    case RUT_U16:
      return 2;
    case RUT_U8:
      return 1;
  }
  return 0;
}

// FNV-1a (Fowler, Noll and Vo).
static uint64_t hash_of(const unsigned char* byte, size_t n) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < n; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static uint64_t output_hash(const TestWorld* w, int sensor, int output) {
  const rutVariableInfo info = rut_variable(w->model, RUT_SENSOR, sensor, RUT_OUTPUT, output);
  double stamp;
  const void* value = rut_sensor_output(w->model, w->data, sensor, output, &stamp);
  assert_non_null(value);
  assert_true(stamp > 0.4);
  return hash_of(value, (size_t)info.count * size_of(info.type));
}

// Hash of the file's line of an output, 0 if it has none.
static uint64_t golden_hash(const char* scenario, const char* sensor, const char* output) {
  FILE* file = fopen(RUT_SOURCE_DIR "/test/golden/sensors.txt", "r");
  char name[3][64];
  unsigned long long hash;
  uint64_t found = 0;
  assert_non_null(file);
  while (fscanf(file, "%63s %63s %63s %llx", name[0], name[1], name[2], &hash) == 4) {
    const bool same = strcmp(name[0], scenario) == 0 && strcmp(name[1], sensor) == 0 &&
                      strcmp(name[2], output) == 0;
    if (same) found = hash;
  }
  fclose(file);
  return found;
}

static int compare_scenario(const char* name, int workers, int* outputs) {
  int different = 0;
  TestWorld w = open_scenario(name, workers);
  for (int s = 0; s < rut_count(w.model, RUT_SENSOR); s++) {
    const rutSensorInfo sensor = rut_sensor_info(w.model, s);
    for (int i = 0; i < sensor.outputs; i++) {
      const rutVariableInfo info = rut_variable(w.model, RUT_SENSOR, s, RUT_OUTPUT, i);
      const char* output = info.name;
      if (info.count == 0) continue;
      ++*outputs;
      const uint64_t got = output_hash(&w, s, i);
      if (got == golden_hash(name, sensor.name, output)) continue;
      different++;
      print_message("%s %s %s %016llx\n", name, sensor.name, output, (unsigned long long)got);
    }
  }
  test_world_close(&w);
  return different;
}

static void sensors_of_scenarios(void** state) {
  (void)state;
  int different = 0, outputs = 0, seen = 0;
  for (int i = 0; i < SCENARIOS; i++) {
    const int workers = 1 + i % 2;
    if (workers == 1 && without_threads(1, 0) == 0) continue;
    different += compare_scenario(scenarios[i], workers, &outputs);
    seen++;
  }
  assert_true(outputs > seen * 15);
  if (different > 0) fail_msg("%d outputs differ from test/golden/sensors.txt", different);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sensors_of_scenarios)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
