// SPDX-License-Identifier: BSD-3-Clause
//
// Every public function that takes a model and data finds out when they do not belong together.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rut/rut.h"

// A world of a bit of everything, and a smaller one.
static const char* const large =
    "<world timestep='0.01'>"
    "<elevation_map matrix='[0 0; 0 0]' resolution='50'/>"
    "<vehicle name='v'><chassis mass='10' outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
    "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
    "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
    "<tyre type='coulomb'/><drive type='direct'/><controller type='twist_ideal' speed='2'/>"
    "<sensor type='laser' name='scan' rays='500' period='0.01'/></vehicle>"
    "<block name='b' shape='box' size='1 1 1' position='5 -3' mass='5'/>"
    "<mechanism name='arm'><body joint='hinge' axis='0 1 0' com='0 0 -1'/></mechanism></world>";
static const char* const small = "<world><block name='b' shape='box' size='1 1 1'/></world>";

typedef struct Worlds {
  rutContext* context;
  rutModel *large, *small, *twin;
  rutData *of_large, *of_small;
} Worlds;

static rutModel* compile(rutContext* context, const char* text) {
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  rutError err = {0};
  if (rut_spec_parse(context, text, strlen(text), "w.xml", &spec, &err) != RUT_OK ||
      rut_compile(spec, &model, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  rut_spec_destroy(spec);
  return model;
}

static int set_up(void** state) {
  Worlds* w = calloc(1, sizeof *w);
  if (!w || rut_context_create(NULL, &w->context, NULL) != RUT_OK) return 1;
  w->large = compile(w->context, large);
  w->twin = compile(w->context, large);
  w->small = compile(w->context, small);
  w->of_large = rut_data_create(w->large);
  w->of_small = rut_data_create(w->small);
  *state = w;
  return !w->of_large || !w->of_small;
}

static int tear_down(void** state) {
  Worlds* w = *state;
  rut_data_destroy(w->of_small);
  rut_data_destroy(w->of_large);
  rut_model_destroy(w->small);
  rut_model_destroy(w->twin);
  rut_model_destroy(w->large);
  rut_context_destroy(w->context);
  free(w);
  return 0;
}

static void steps_and_states_are_refused(void** state) {
  const Worlds* w = *state;
  rutError err = {0};
  char buffer[64] = {0};
  double command[2] = {1, 1};
  const uint64_t before = rut_state_hash(w->small, w->of_small);
  assert_int_equal(rut_step(w->large, w->of_small, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "made from another model"));
  assert_int_equal(rut_step(w->large, w->of_small, NULL), RUT_ERR_ARGUMENT);
  // of equal content, but not the one that the data holds on to
  assert_int_equal(rut_step(w->twin, w->of_large, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_command(w->large, w->of_small, 0, 2, command), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_command_state(w->large, w->of_small, 0, 2, command), 0);
  assert_int_equal(rut_state_size(w->large, w->of_small, RUT_STATE_ALL), 0);
  assert_int_equal(rut_state_get(w->large, w->of_small, 1, buffer, sizeof buffer),
                   RUT_ERR_ARGUMENT);
  assert_int_equal(rut_state_get(w->large, w->of_small, 1, buffer, 0), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_state_set(w->large, w->of_small, 1, buffer, sizeof buffer),
                   RUT_ERR_ARGUMENT);
  assert_int_equal(rut_state_adopt(w->large, w->of_small, w->large, w->of_large, &err),
                   RUT_ERR_ARGUMENT);
  assert_int_equal(rut_state_adopt(w->large, w->of_large, w->small, w->of_large, &err),
                   RUT_ERR_ARGUMENT);
  assert_int_equal(rut_state_hash(w->large, w->of_small), 0);
  rut_data_reset(w->large, w->of_small, 7);
  assert_true(rut_state_hash(w->small, w->of_small) == before);
  assert_int_equal(rut_step(w->small, w->of_small, &err), RUT_OK);
  assert_int_equal(rut_step(w->large, w->of_large, &err), RUT_OK);
}

static void questions_get_nothing(void** state) {
  const Worlds* w = *state;
  const rutModel* m = w->large;
  const rutData* d = w->of_small;
  double a[16], b[16], stamp;
  const double x = 1, y = 1, below = 10;
  int n = 7, soil = 7;
  rutMotion motion;
  rutEnergy energy;
  rutRuts ruts;
  rutRutCell cell;
  rutBodyPose body;
  rutLink link[4];
  size_t cursor = 0;
  assert_true(rut_vehicle_state(m, d, 0).position[0] == 0);
  assert_true(rut_wheel_state(m, d, 0).load == 0);
  assert_true(rut_wheel_pose(m, d, 0).quaternion[0] == 1);
  assert_int_equal(rut_suspension_links(m, d, 0, 4, link), 0);
  assert_false(rut_motion(m, d, 0, NULL, &motion));
  assert_false(rut_vehicle_energy(m, d, 0, &energy));
  rut_block_state(m, d, 0, a, b);
  assert_true(a[0] == 0 && b[0] == 0);
  a[0] = 42;
  rut_mechanism_state(m, d, 0, a, b);
  assert_true(a[0] == 42);
  assert_int_equal(rut_mechanism_bodies(m, d, 0, 1, &body), 0);
  assert_true(isnan(rut_mechanism_energy(m, d, 0)));
  assert_null(rut_sensor(m, d, 0, &stamp, &n));
  assert_int_equal(n, 0);
  assert_null(rut_sensor_output(m, d, 0, 0, &stamp));
  rut_sensor_pose(m, d, 0, a);
  assert_true(a[0] == 0 && a[3] == 0);
  assert_null(rut_contacts(m, d, &n));
  assert_true(isnan(rut_terrain_height(m, d, 0, 0, 1)));
  rut_terrain_surface(m, d, &(rutGroundPoints){1, &x, &y}, &below,
                      &(rutGroundSurface){a, a + 1, a + 2});
  assert_true(isnan(a[0]) && a[1] == 0 && a[2] == 0);
  rut_terrain_soils(m, d, &(rutGroundPoints){1, &x, &y}, &soil);
  assert_int_equal(soil, -1);
  assert_false(rut_ruts(m, d, &ruts));
  assert_int_equal(rut_ruts_next(m, d, &cursor, 1, &cell), 0);
  assert_int_equal(
      rut_variables_read(m, d, &(rutVariableRange){RUT_VEHICLE, 0, RUT_COMMAND, 0, 1}, 1, a),
      RUT_ERR_ARGUMENT);
}

// Another model at the address of one that is gone is another one.
static void an_address_is_no_model(void** state) {
  Worlds* w = *state;
  rutModel* old = w->twin;
  rutData* data = rut_data_create(old);
  const size_t bytes = rut_model_size(w->small) < rut_model_size(old) ? rut_model_size(w->small)
                                                                      : rut_model_size(old);
  // what memory that is used again looks like
  char* kept = malloc(bytes);
  assert_non_null(kept);
  memcpy(kept, old, bytes);
  memcpy(old, w->small, bytes);
  assert_int_equal(rut_step(old, data, NULL), RUT_ERR_ARGUMENT);
  memcpy(old, kept, bytes);
  free(kept);
  assert_int_equal(rut_step(old, data, NULL), RUT_OK);
  rut_data_destroy(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(steps_and_states_are_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(questions_get_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(an_address_is_no_model, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
