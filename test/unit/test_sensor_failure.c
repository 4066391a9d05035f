// SPDX-License-Identifier: BSD-3-Clause
//
// Failures of sensors by schedule, in world files: what is seen during and after each, on sensors
// of planar vehicles, of vehicles on axles, and of the world.
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
#include "world_fixture.h"

// ---- a sensor whose sample k is its number k, in several types, with noise ----

static const rutField fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW)};
static const rutVariable outputs[] = {
    {.name = "count", .unit = "m", .doc = "samples so far"},
    {.name = "pair", .unit = "m", .shape = "2", .doc = "count, nothing measured", .type = RUT_F32},
    {.name = "level", .unit = "", .doc = "250", .type = RUT_U8},
    {.name = "noise", .unit = "", .shape = "300", .doc = "normal numbers"}};
static const rutVariable states[] = {RUT_VARIABLE(samples, "", "so far")};

static void sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                   void* const* out) {
  (void)param;
  (void)scratch;
  *(double*)out[0] = ++state[0];
  ((float*)out[1])[0] = (float)state[0];
  ((float*)out[1])[1] = -1;
  *(uint8_t*)out[2] = 250;
  in->normals(in->host, 0, 300, out[3]);
}

static const rutSensorType counter = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "counter", "vehicle world", "Counts.", fields),
             .state = states, .states = RUT_COUNT_OF(states)},
    .output = outputs,
    .outputs = RUT_COUNT_OF(outputs),
    .gaps = 1u << 1,
    .sample = sample};
static const rutComponent* const types[] = {&counter.base, NULL};

// ---- worlds ----

#define PLANAR                                                                  \
  "<vehicle name='v'><chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3'/>" \
  "<wheel position='0 0.25' place='left' mass='1' radius='0.1'/>"               \
  "<wheel position='0 -0.25' place='right' mass='1' radius='0.1'/>"             \
  "<tyre type='coulomb'/><drive type='direct'/>%s</vehicle>"
#define AXLES                                                                     \
  "<vehicle name='v'><chassis mass='1000' outline='-2 -0.5 2 -0.5 1 0.8 -1 0.8' " \
  "z_min='0.3' z_max='1'/><suspension type='slider' stiffness='50 kN/m' "         \
  "damping='5 kN s/m'/><tyre type='linear' stiffness='200 kN/m'/>"                \
  "<axle x='1.5' wheel_mass='20' radius='0.4' track='1'/>"                        \
  "<axle x='-1.5' wheel_mass='20' radius='0.4' track='1'/><drive type='direct'/>%s</vehicle>"

// A world with a counter that takes a sample at each step of 0.1 s.
static bool load(World* w, const char* around, const char* attributes, const char* failures) {
  char sensor[500], text[2000];
  snprintf(sensor, sizeof sensor, "<sensor name='s' type='counter' period='0.1' %s>%s</sensor>",
           attributes, failures);
  const int n = snprintf(text, sizeof text, "<world timestep='0.1'>");
  const char* at = strstr(around, "%s");
  snprintf(text + n, sizeof text - (size_t)n, "%.*s%s%s</world>", (int)(at - around), around,
           sensor, at + 2);
  return load_world(w, text, 0, types);
}

static World open_world(const char* around, const char* attributes, const char* failures) {
  World w;
  if (!load(&w, around, attributes, failures)) fail_msg("%s", w.message);
  return w;
}

// Expect number and time of the sample that is seen now.
static void expect(const World* w, double count, double stamp) {
  double when;
  const double* value = rut_sensor_output(w->model, w->data, 0, 0, &when);
  assert_non_null(value);
  if (value && *value != count) fail_msg("sample %g in place of %g", *value, count);
  assert_near(when, stamp, 1e-12);
}

static const char* const around[] = {PLANAR, AXLES, "%s"};

// From 0.3 s until before 0.6 s the sample of 0.2 s repeats with new times; then it goes on as if
// nothing had been.
static void test_stuck(void** state) {
  (void)state;
  for (int i = 0; i < RUT_COUNT_OF(around); i++) {
    World w = open_world(around[i], "", "<failure type='stuck' from='0.25' to='0.55 s'/>");
    for (int k = 1; k <= 8; k++) {
      run(&w, 1);
      expect(&w, k >= 3 && k <= 5 ? 2 : k, 0.1 * k);
    }
    close_world(&w);
  }
}

// No sample is taken: neither value nor time changes.
static void test_dropout(void** state) {
  (void)state;
  for (int i = 0; i < RUT_COUNT_OF(around); i++) {
    World w = open_world(around[i], "", "<failure type='dropout' from='0.25' to='0.55'/>");
    for (int k = 1; k <= 8; k++) {
      run(&w, 1);
      const bool lost = k >= 3 && k <= 5;
      expect(&w, lost ? 2 : k, lost ? 0.2 : 0.1 * k);
    }
    close_world(&w);
  }
}

// With a latency of two steps all of it is seen two steps later.
static void test_latency(void** state) {
  (void)state;
  for (int dropout = 0; dropout < 2; dropout++) {
    World w = open_world("%s", "latency='0.2'",
                         dropout ? "<failure type='dropout' from='0.25' to='0.75'/>"
                                 : "<failure type='stuck' from='0.25' to='0.75'/>");
    for (int k = 1; k <= 12; k++) {
      run(&w, 1);
      const int taken = k - 2;
      const bool lost = taken >= 3 && taken <= 7;
      if (taken < 1) expect(&w, -1, -1);
      if (taken >= 1) expect(&w, lost ? 2 : taken, lost && dropout ? 0.2 : 0.1 * taken);
    }
    close_world(&w);
  }
}

// What has not measured yet has nothing to repeat.
static void test_from_the_start(void** state) {
  (void)state;
  static const char* const kinds[] = {"stuck", "dropout"};
  for (int i = 0; i < 4; i++) {
    char failure[100];
    snprintf(failure, sizeof failure, "<failure type='%s' to='0.35'/>", kinds[i % 2]);
    const int late = i / 2;
    World w = open_world("%s", late ? "latency='0.1'" : "", failure);
    for (int k = 1; k <= 6; k++) {
      run(&w, 1);
      const int taken = k - late;
      expect(&w, taken <= 3 ? -1 : taken, taken <= 3 ? -1 : 0.1 * taken);
    }
    close_world(&w);
  }
}

// All numbers of the output get the value, those that mean "nothing" do not; whole numbers stay in
// their range. A value without an end holds to the end.
static void test_bias(void** state) {
  (void)state;
  World w = open_world("%s", "",
                       "<failure type='bias' from='0.25' to='0.45' output='pair' value='50 cm'/>"
                       "<failure type='bias' from='0.35' output='pair' value='-10'/>"
                       "<failure type='bias' from='0.35' output='level' value='10.4'/>");
  static const float first[] = {1, 2, 3.5f, 0, 0, 0, 0};
  for (int k = 1; k <= 7; k++) {
    run(&w, 1);
    expect(&w, k, 0.1 * k);
    const float* pair = rut_sensor_output(w.model, w.data, 0, 1, NULL);
    const uint8_t* level = rut_sensor_output(w.model, w.data, 0, 2, NULL);
    assert_true(pair && level && pair[0] == first[k - 1] && pair[1] == -1);
    assert_true(*level == (k <= 3 ? 250 : 255));
  }
  close_world(&w);
}

// A bias of 2 in every number that was measured, in none of those that were not: of sensors high
// above the ground that look level, and down.
static void test_bias_of_nothing(void** state) {
  (void)state;
  static const struct {
    const char *type, *output, *numbers;
    double measured;  // from a height of 5 m
  } row[] = {
      {"range_finder", "range", "fov='0'", 5},
      {"lidar", "range", "channels='1' columns='1' pattern='raster' fov='0' elevations='0'", 5},
      {"laser", "range", "rays='1' fov='0'", 5},
      {"camera", "depth", "width='1' height='1'", 5},
      {"camera", "class", "width='1' height='1'", 0},
      {"camera", "instance", "width='1' height='1'", 0}};
  for (int i = 0; i < RUT_COUNT_OF(row); i++) {
    for (int down = 0; down < 2; down++) {
      char text[500];
      snprintf(text, sizeof text,
               "<world timestep='0.1'><sensor type='%s' name='s' period='0.1' z='5' pitch='%s' "
               "max_range='20' %s><failure type='bias' output='%s' value='2'/></sensor></world>",
               row[i].type, down ? "90 deg" : "0", row[i].numbers, row[i].output);
      World w;
      if (!load_world(&w, text, 0, types)) fail_msg("%s: %s", row[i].type, w.message);
      run(&w, 1);
      rutVariableInfo info = {0};
      int output = 0;
      for (; output < rut_sensor_info(w.model, 0).outputs; output++) {
        info = rut_variable(w.model, RUT_SENSOR, 0, RUT_OUTPUT, output);
        if (strcmp(info.name, row[i].output) == 0) break;
      }
      const void* at = rut_sensor_output(w.model, w.data, 0, output, NULL);
      const double value = info.type == RUT_F64   ? *(const double*)at
                           : info.type == RUT_F32 ? (double)*(const float*)at
                                                  : *(const int32_t*)at;
      assert_near(value, down ? row[i].measured + 2 : -1, down ? 0.2 : 0);
      close_world(&w);
    }
  }
}

// Two independent normal numbers of 1 and 3 have sqrt(10) together; the standard error of a
// standard deviation from n samples is s/sqrt(2 n).
static void test_noise(void** state) {
  (void)state;
  enum { NUMBERS = 300, SAMPLES = 100 };
  static const char failure[] = "<failure type='noise' output='noise' value='3'/>";
  World w = open_world("%s", "", failure), clean = open_world("%s", "", "");
  double sum = 0, square = 0, with = 0;
  for (int k = 0; k < SAMPLES; k++) {
    run(&w, 1);
    run(&clean, 1);
    const double* value = rut_sensor_output(w.model, w.data, 0, 3, NULL);
    const double* own = rut_sensor_output(clean.model, clean.data, 0, 3, NULL);
    assert_true(value && own);
    for (int i = 0; i < NUMBERS; i++) {
      sum += value[i];
      square += value[i] * value[i];
      with += (value[i] - own[i]) * own[i];
    }
  }
  const double n = NUMBERS * SAMPLES;
  assert_near(sum / n, 0, 4 * sqrt(10 / n));
  assert_near(sqrt(square / n), sqrt(10), 4 * sqrt(10 / (2 * n)));
  assert_near(with / n, 0, 4 * 3 / sqrt(n));
  close_world(&clean);
  close_world(&w);
}

// The numbers of a run with failures are those without them, outside of them, and the same again
// after a state was restored.
static void test_repeatable(void** state) {
  (void)state;
  World w = open_world("%s", "",
                       "<failure type='noise' from='0.25' to='0.65' output='noise' value='3'/>"
                       "<failure type='stuck' from='0.45' to='0.75'/>");
  World clean = open_world("%s", "", "");
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  for (int k = 1; k <= 9; k++) {
    run(&w, 1);
    run(&clean, 1);
    const double* value = rut_sensor_output(w.model, w.data, 0, 3, NULL);
    const double* own = rut_sensor_output(clean.model, clean.data, 0, 3, NULL);
    assert_true((memcmp(value, own, 300 * sizeof *own) == 0) == (k < 3 || k > 7));
    if (k == 4) assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), 0);
  }
  const uint64_t hash = rut_state_hash(w.model, w.data);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  run(&w, 5);
  assert_true(rut_state_hash(w.model, w.data) == hash);
  free(saved);
  close_world(&clean);
  close_world(&w);
}

// noise="none" is the truth: nothing fails.
static void test_exact(void** state) {
  (void)state;
  World w = open_world("%s", "noise='none'", "<failure type='dropout' from='0.25'/>");
  run(&w, 5);
  expect(&w, 5, 0.5);
  close_world(&w);
}

static void test_refused(void** state) {
  (void)state;
  static const struct {
    const char *failure, *message;
  } cases[] = {
      {"<failure type='stuck' from='2' to='2'/>", "'to' must be above 'from'"},
      {"<failure type='bias' value='1'/>", "the sensor has 4 outputs: say which"},
      {"<failure type='bias' output='pear' value='1'/>",
       "a sensor of type 'counter' has no output 'pear'"},
      {"<failure type='bias' output='pair' value='1 s'/>", "'value' must be a number in m"},
      {"<failure type='noise' output='level' value='nan'/>", "'value' must be a number"},
      {"<failure type='bias' output='pair'/>", "needs 'value'"},
      {"<failure type='stuck' output='pair'/>", "has no field 'output'"},
      {"<failure type='freeze'/>", "unknown type 'freeze'"}};
  for (int i = 0; i < RUT_COUNT_OF(cases); i++) {
    World w;
    assert_false(load(&w, "%s", "", cases[i].failure));
    if (!strstr(w.message, cases[i].message)) fail_msg("%d: %s", i, w.message);
    close_world(&w);
  }
  char many[1000] = "";
  for (int i = 0; i < 17; i++) strcat(many, "<failure type='stuck'/>");
  World w;
  char text[2000];
  snprintf(text, sizeof text, "<world><sensor type='counter'>%s</sensor></world>", many);
  assert_false(load_world(&w, text, 0, types));
  assert_string_equal(w.message, "a sensor can have at most 16 failures");
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stuck),   cmocka_unit_test(test_dropout),
      cmocka_unit_test(test_latency), cmocka_unit_test(test_from_the_start),
      cmocka_unit_test(test_bias),    cmocka_unit_test(test_bias_of_nothing),
      cmocka_unit_test(test_noise),   cmocka_unit_test(test_repeatable),
      cmocka_unit_test(test_exact),   cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
