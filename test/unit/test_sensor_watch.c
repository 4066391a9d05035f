// SPDX-License-Identifier: BSD-3-Clause
//
// Sensors that nobody watches: no sample while they are not watched, and afterwards the same ones,
// bit by bit, as in a run in which they always were.
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
#include "rut/rut.h"
#include "world_fixture.h"

// A robot that turns beside a post. Steps of 5 ms.
static const char room[] =
    "<world timestep='5 ms'><block shape='box' position='2 0 0' size='0.4 0.4 1'/>"
    "<vehicle name='v' velocity='0.5 0 0.7'>"
    "<chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3'/>"
    "<wheel position='0 0.25' place='left' mass='1' radius='0.1'/>"
    "<wheel position='0 -0.25' place='right' mass='1' radius='0.1'/>"
    "<tyre type='coulomb'/><drive type='direct'/>"
    "<sensor name='s' %s</vehicle></world>";

static World open_room(const char* sensor) {
  char text[2000];
  snprintf(text, sizeof text, room, sensor);
  return open_world_with(text, 0, (const rutComponent* const[]){NULL});
}

static size_t bytes_of(const rutVariableInfo* v) {
  static const size_t size[] = {
      [RUT_F64] = 8, [RUT_F32] = 4, [RUT_U8] = 1, [RUT_U16] = 2, [RUT_I32] = 4};
  return (size_t)v->count * size[v->type];
}

static double stamp_of(const World* w) {
  double stamp;
  assert_non_null(rut_sensor_output(w->model, w->data, 0, 0, &stamp));
  return stamp;
}

static void expect_equal(const World* a, const World* b) {
  const int outputs = rut_sensor_info(a->model, 0).outputs;
  for (int i = 0; i < outputs; i++) {
    const rutVariableInfo v = rut_variable(a->model, RUT_SENSOR, 0, RUT_OUTPUT, i);
    double from, of;
    const void* x = rut_sensor_output(a->model, a->data, 0, i, &from);
    const void* y = rut_sensor_output(b->model, b->data, 0, i, &of);
    if (from != of) fail_msg("%s: sample of %g s in place of %g s", v.name, of, from);
    if (memcmp(x, y, bytes_of(&v)) != 0) fail_msg("%s at %g s differs", v.name, from);
  }
}

// Watched until 0.3 s, from then on not, and again from 0.6 s on; a sample each 0.1 s.
static void test_same_samples(void** state) {
  (void)state;
  static const struct {
    const char* sensor;
    int latency;  // [steps]
  } cases[] = {{"type='laser' period='0.1' rays='90'/>", 0},
               {"type='laser' period='0.1' rays='90' latency='0.15'/>", 30},
               {"type='lidar' period='0.1' preset='vlp16'/>", 0},
               {"type='radar' period='0.1'/>", 0},
               {"type='camera' period='0.1' width='32' height='24' latency='0.05'/>", 10}};
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    World always = open_room(cases[i].sensor), now = open_room(cases[i].sensor);
    for (int k = 1; k <= 200; k++) {
      if (k == 61 || k == 121) rut_sensor_watch(now.model, now.data, 0, k == 121);
      run(&always, 1);
      run(&now, 1);
      const int late = k - cases[i].latency;
      const bool missed = late >= 80 && late < 140;
      if (missed && stamp_of(&now) != -1) fail_msg("%s: seen at step %d", cases[i].sensor, k);
      if (!missed) expect_equal(&always, &now);
    }
    assert_true(stamp_of(&now) > 0.75);
    close_world(&always);
    close_world(&now);
  }
}

// Sensors with a state or a failure go on; indices that no sensor has do nothing.
static void test_those_that_go_on(void** state) {
  (void)state;
  static const char* const cases[] = {
      "type='imu' period='0.1'/>",
      "type='laser' period='0.1' rays='9'><failure type='stuck' from='0.2' to='0.4'/></sensor>"};
  for (int i = 0; i < 2; i++) {
    World w = open_room(cases[i]);
    for (int sensor = -1; sensor <= 1; sensor++) {
      rut_sensor_watch(w.model, w.data, sensor, false);
    }
    run(&w, 25);
    assert_near(stamp_of(&w), 0.1, 1e-12);
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_samples),
                                     cmocka_unit_test(test_those_that_go_on)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
