// SPDX-License-Identifier: BSD-3-Clause
//
// Timers of the stages of a step: what runs is timed, and no time is counted twice.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "rut/rut.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Run 100 steps of a world beside the project's; seconds of each stage, and the time that the steps
// took on a clock outside.
static double run(const char* text, double stage[RUT_STAGE_COUNT]) {
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &context, &err), RUT_OK);
  const char* name = RUT_SOURCE_DIR "/worlds/test.xml";
  rutStatus status = rut_spec_parse(context, text, strlen(text), name, &spec, &err);
  if (status == RUT_OK) status = rut_compile(spec, &model, &err);
  if (status != RUT_OK) fail_msg("%s", err.message);
  rutData* data = rut_data_create(model);
  assert_non_null(data);
  rut_profile(data, true);
  const double start = now();
  for (int i = 0; i < 100; i++) assert_int_equal(rut_step(model, data, &err), RUT_OK);
  const double total = now() - start;
  for (int i = 0; i < RUT_STAGE_COUNT; i++) stage[i] = rut_stage_time(data, (rutStage)i);
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return total;
}

static void test_every_stage_is_timed(void** state) {
  static const char* const world[] = {
      "<world timestep='1 ms'><terrain type='iso8608' class='C' form='area'/>%s</world>",
      "<world timestep='1 ms' integrator='rk4'><terrain type='iso8608' class='C' "
      "form='area'/>%s</world>"};
  (void)state;
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text, world[i],
             "<include file='vehicles/hmmwv.xml' throttle='0.5'/>"
             "<block name='b' position='9 9' outline='-1 -1, 1 -1, 1 1, -1 1'/>"
             "<sensor type='laser' y='20' z='1' period='10 ms'/>");
    double stage[RUT_STAGE_COUNT], sum = 0;
    const double total = run(text, stage);
    for (int k = 0; k < RUT_STAGE_COUNT; k++) {
      if (!(stage[k] > 0)) fail_msg("no time is told of the stage '%s'", rut_stage_name(k));
      sum += stage[k];
    }
    assert_true(sum <= total);
  }
}

// A kinematic vehicle meets the ground, and asks no tyre.
static void test_what_does_not_run_takes_no_time(void** state) {
  (void)state;
  double stage[RUT_STAGE_COUNT];
  run("<world><include file='vehicles/hmmwv.xml' ideal='1'/></world>", stage);
  assert_true(stage[RUT_STAGE_terrain] > 0 && stage[RUT_STAGE_control] > 0);
  assert_true(stage[RUT_STAGE_dynamics] > 0 && stage[RUT_STAGE_tyre] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_stage_is_timed),
                                     cmocka_unit_test(test_what_does_not_run_takes_no_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
