// SPDX-License-Identifier: BSD-3-Clause
//
// Lasers of whole worlds see the ground: distances that follow from the geometry alone.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/rut.h"

// Range of the only ray of the first sensor, after some steps.
static double range_in(const char* text) {
  rutContext* context = NULL;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &context, &err), RUT_OK);
  if (rut_spec_parse(context, text, strlen(text), "world.xml", &spec, &err) != RUT_OK ||
      rut_compile(spec, &model, &err) != RUT_OK) {
    fail_msg("%s: %s", err.element, err.message);
  }
  rutData* data = rut_data_create(model);
  for (int i = 0; i < 50; i++) assert_int_equal(rut_step(model, data, &err), RUT_OK);
  double stamp;
  int n;
  const double range = rut_sensor(model, data, 0, &stamp, &n)[0];
  assert_true(n == 1 && stamp > 0);
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return range;
}

#define LASER "<sensor type='laser' rays='1' range_noise='0' angle_noise='0' "

// A slope of 45 degrees that begins 4 m ahead of a laser half a metre up.
static void a_ramp_ahead_is_seen(void** state) {
  (void)state;
#define RAMP "<world timestep='0.005'><terrain type='ramp' position='4 0' length='2' height='2'/>"
  assert_near(range_in(RAMP LASER "z='0.5'/></world>"), 4.5, 1e-8);
  assert_near(range_in(RAMP LASER "z='0.5' ground_visible='false'/></world>"), -1, 0);
  assert_near(range_in(RAMP LASER "z='2.5'/></world>"), -1, 0);
  // a block before it, and one behind
  assert_near(range_in(RAMP LASER "z='0.5'/><block position='3 0' fixed='true' shape='box' "
                                  "size='1 1 1'/></world>"),
              2.5, 1e-12);
  assert_near(range_in(RAMP LASER "z='0.5'/><block position='6 0' fixed='true' shape='box' "
                                  "size='1 1 1'/></world>"),
              4.5, 1e-8);
}

// A ray at the corner that two blocks have in common does not pass between them.
static void no_ray_passes_a_common_corner(void** state) {
  (void)state;
#define BOX(place) "<block position='" place "' fixed='true' shape='box' size='2 2 1'/>"
  assert_near(range_in("<world timestep='0.005'>" LASER "z='0.5'/>" BOX("5 1") BOX("5 -1")
                           BOX("9 0") "</world>"),
              4, 1e-12);
}

// 30 degrees nose down, 1 m above a world without ground.
static void a_laser_that_looks_down_sees_level_ground(void** state) {
  (void)state;
  assert_near(range_in("<world timestep='0.005'>" LASER "z='1' pitch='30 deg'/></world>"), 2,
              1e-12);
  assert_near(range_in("<world timestep='0.005'>" LASER "z='1'/></world>"), -1, 0);
}

// On a grade of 3 in 4 a laser 0.5 m from the ground, along its normal, is 0.625 m above it. Its
// own plane is parallel to the ground; the level one meets it 0.625 / 0.75 ahead.
static void on_a_slope_it_tilts_unless_it_is_stabilised(void** state) {
  (void)state;
#define SLOPE                                                                            \
  "<world timestep='0.005'><terrain type='plane' slope_x='0.75'/>"                       \
  "<vehicle name='r'><chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>" \
  "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"               \
  "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"             \
  "<tyre type='coulomb' friction='9'/><drive type='direct'/><controller "                \
  "type='twist_ideal'/>" LASER "z='0.5' "
  assert_near(range_in(SLOPE "/></vehicle></world>"), -1, 0);
  assert_near(range_in(SLOPE "pitch='30 deg'/></vehicle></world>"), 1, 1e-6);
  assert_near(range_in(SLOPE "stabilised='true'/></vehicle></world>"), 0.625 / 0.75, 1e-6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ramp_ahead_is_seen),
      cmocka_unit_test(no_ray_passes_a_common_corner),
      cmocka_unit_test(a_laser_that_looks_down_sees_level_ground),
      cmocka_unit_test(on_a_slope_it_tilts_unless_it_is_stabilised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
