// SPDX-License-Identifier: BSD-3-Clause
//
// Soil that is changed in a run: where it is, that a wheel then sinks as on a world that has the
// soil from the start, and that the state, the reset and any number of workers keep the bits.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "vehicle_world.h"

#define CAR                                                                                    \
  "<vehicle name='car' velocity='3 0'><chassis mass='2000' com='0 0 0.6' outline='-2 -0.8 2 "  \
  "-0.8 2 0.8 -2 0.8' z_min='0.4' z_max='1.2'/><suspension type='slider' stiffness='80 kN/m' " \
  "damping='8 kN s/m'/><tyre type='fiala'/><axle x='1.4' track='1.6' radius='0.47' "           \
  "width='0.3' wheel_mass='60'/><axle x='-1.4' track='1.6' radius='0.47' width='0.3' "         \
  "wheel_mass='60'/><drive type='direct'/><controller type='raw'/></vehicle>"
#define SOILS                                                \
  "<soil type='bekker' name='sand' preset='lete_sand'/>"     \
  "<soil type='bekker' name='snow' preset='snow_harrison'/>" \
  "<soil type='magic_formula' name='road'/>"
enum { SAND, SNOW, ROAD };
static const double TURN = 0.5235987755982988;  // 30 deg

static World open_with(const char* attributes, int workers) {
  char text[2500];
  World w = {0};
  rutContextDef def = rut_default_context();
  def.workers = workers;
  assert_int_equal(rut_context_create(&def, &w.context, NULL), RUT_OK);
  snprintf(text, sizeof text, "<world timestep='1 ms' %s>" SOILS CAR "</world>", attributes);
  load_world(&w, text, "test.xml", NULL, NULL);
  return w;
}
static World open_on(const char* attributes) { return open_with(attributes, 1); }

static void run(World* w, double duration) {
  const double end = rut_time(w->data) + duration;
  while (rut_time(w->data) < end - 1e-9) {
    assert_int_equal(rut_step(w->model, w->data, NULL), RUT_OK);
  }
}

static int soil_at(const World* w, double x, double y) {
  int soil;
  rut_terrain_soils(w->model, w->data, &(rutGroundPoints){1, &x, &y}, &soil);
  return soil;
}

// A rectangle of 4 m x 2 m, turned by 30 degrees, and a circle of 1 m on it.
static void test_places(void** state) {
  World w = open_on("soil='road'");
  const rutSoilArea box = {.x = 10, .y = 5, .length = 4, .width = 2, .yaw = TURN};
  const rutSoilArea disc = {.x = 10, .y = 5, .radius = 1};
  const double c = cos(TURN), s = sin(TURN);
  (void)state;
  assert_int_equal(rut_set_soil(w.model, w.data, SAND, &box), RUT_OK);
  assert_int_equal(rut_set_soil(w.model, w.data, SNOW, &disc), RUT_OK);
  assert_int_equal(soil_at(&w, 10, 5), SNOW);
  assert_int_equal(soil_at(&w, 10 + 0.97 * s, 5 - 0.97 * c), SNOW);
  assert_int_equal(soil_at(&w, 10 + 1.9 * c, 5 + 1.9 * s), SAND);
  assert_int_equal(soil_at(&w, 10 + 2.1 * c, 5 + 2.1 * s), ROAD);
  assert_int_equal(soil_at(&w, 10 + 1.5 * c - 0.9 * s, 5 + 1.5 * s + 0.9 * c), SAND);
  assert_int_equal(soil_at(&w, 10 + 1.5 * c - 1.1 * s, 5 + 1.5 * s + 1.1 * c), ROAD);
  // the last one is on top; the same area again is no further one
  for (int i = 0; i < 200; i++) {
    assert_int_equal(rut_set_soil(w.model, w.data, i % 2 ? SAND : ROAD, &disc), RUT_OK);
  }
  assert_int_equal(soil_at(&w, 10, 5), SAND);
  int more = 0;
  for (int i = 0; i < 100; i++) {
    const rutSoilArea next = {.x = 100 + i, .radius = 0.1};
    more += rut_set_soil(w.model, w.data, SNOW, &next) == RUT_OK;
  }
  assert_int_equal(more, 62);
  rut_data_reset(w.model, w.data, 0);
  assert_int_equal(soil_at(&w, 10, 5), ROAD);
  close_world(&w);
}

// Changed everywhere before the first step, the motion is that of a world of that soil.
static void test_same_as_world(void** state) {
  World a = open_on("soil='sand'"), b = open_on("soil='road'");
  const rutSoilArea all = {.length = 1e4, .width = 1e4};
  (void)state;
  assert_int_equal(rut_set_soil(b.model, b.data, SAND, &all), RUT_OK);
  run(&a, 1);
  run(&b, 1);
  const rutVehicleState p = rut_vehicle_state(a.model, a.data, 0);
  const rutVehicleState q = rut_vehicle_state(b.model, b.data, 0);
  // the first loads were found before the change
  assert_near(p.position[0], q.position[0], 1e-3);
  assert_near(rut_soil_contact(a.model, a.data, 0).sinkage,
              rut_soil_contact(b.model, b.data, 0).sinkage, 1e-5);
  assert_int_equal(rut_soil_contact(b.model, b.data, 0).soil, SAND);
  close_world(&a);
  close_world(&b);
}

// Under one wheel only; saved and set, it goes on with the same bits, also with two workers.
static void test_wheel_and_state(void** state) {
  World w = open_on("soil='road'"), two = open_with("soil='road'", 2);
  uint64_t hash[2];
  (void)state;
  run(&w, 0.2);
  const uint64_t before = rut_state_hash(w.model, w.data);
  assert_int_equal(rut_set_soil_under(w.model, w.data, 1, SNOW, 2), RUT_OK);
  assert_true(rut_state_hash(w.model, w.data) != before);
  run(&w, 0.1);
  assert_int_equal(rut_soil_contact(w.model, w.data, 1).soil, SNOW);
  assert_int_equal(rut_soil_contact(w.model, w.data, 2).soil, -1);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* kept = malloc(size);
  assert_non_null(kept);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, kept, size), RUT_OK);
  run(&w, 0.5);
  hash[0] = rut_state_hash(w.model, w.data);
  rut_data_reset(w.model, w.data, 0);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, kept, size), RUT_OK);
  run(&w, 0.5);
  assert_true(rut_state_hash(w.model, w.data) == hash[0]);
  free(kept);
  run(&two, 0.2);
  assert_int_equal(rut_set_soil_under(two.model, two.data, 1, SNOW, 2), RUT_OK);
  run(&two, 0.6);
  hash[1] = rut_state_hash(two.model, two.data);
  assert_true(hash[0] == hash[1]);
  close_world(&w);
  close_world(&two);
}

static void test_errors(void** state) {
  World w = open_on("soil='road'");
  const rutSoilArea none = {.x = 1}, flat = {.length = 1}, wild = {.x = NAN, .radius = 1},
                    fine = {.radius = 1};
  (void)state;
  assert_int_equal(rut_set_soil(w.model, w.data, SAND, &none), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_set_soil(w.model, w.data, SAND, &flat), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_set_soil(w.model, w.data, SAND, &wild), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_set_soil(w.model, w.data, 3, &fine), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_set_soil(w.model, w.data, -2, &fine), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_set_soil_under(w.model, w.data, 4, SAND, 1), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_set_soil_under(w.model, w.data, 0, SAND, 0), RUT_ERR_ARGUMENT);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places), cmocka_unit_test(test_same_as_world),
      cmocka_unit_test(test_wheel_and_state), cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
