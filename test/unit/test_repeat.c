// SPDX-License-Identifier: BSD-3-Clause
//
// What loops and includes repeat: each node is its own, although all of them hold what was given
// once; vehicles that are alike; blocks that stand among those that move.
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

typedef struct World {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
} World;

static int warnings, errors, last_line;
static void keep(const rutDiagnostic* finding, void* user) {
  (void)user;
  warnings += finding->level == RUT_WARNING;
  errors += finding->level == RUT_ERROR;
  last_line = finding->line;
}

static World read_world(const char* text) {
  World w = {0};
  warnings = errors = 0;
  rutContextDef def = rut_default_context();
  def.report = keep;
  assert_int_equal(rut_context_create(&def, &w.context, NULL), RUT_OK);
  assert_int_equal(rut_spec_parse(w.context, text, strlen(text), "w.xml", &w.spec, NULL), RUT_OK);
  return w;
}

static void compile(World* w) {
  assert_int_equal(rut_compile(w->spec, &w->model, NULL), RUT_OK);
  w->data = rut_data_create(w->model);
  assert_non_null(w->data);
}

static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_spec_destroy(w->spec);
  rut_context_destroy(w->context);
}

#define ROBOTS                                                                           \
  "<world timestep='5 ms'>\n"                                                            \
  "<for var='i' from='0' to='3'>\n"                                                      \
  "<vehicle name='r$f{i}' position='$f{3*i} 0 m' yaw='$f{10*i} deg'>\n"                  \
  "<chassis mass='15 kg' outline='-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2'/>\n"           \
  "<wheel name='l' place='left' position='0 0.25 m' mass='1.5 kg' radius='0.15 m'/>\n"   \
  "<wheel name='r' place='right' position='0 -0.25 m' mass='1.5 kg' radius='0.15 m'/>\n" \
  "<tyre type='coulomb' friction='0.7'/><drive type='direct'/>\n"                        \
  "<controller type='twist_pid' speed='1 m/s'/></vehicle></for></world>\n"

static double mass_of(const World* w, const char* name) {
  return rut_vehicle_info(w->model, rut_find(w->model, RUT_VEHICLE, name)).mass;
}

// The chassis of one is changed: 15 + 2 * 1.5 kg stays the mass of the others.
static void one_of_many_is_changed(void** state) {
  (void)state;
  World w = read_world(ROBOTS);
  assert_int_equal(rut_spec_set(w.spec, "r1/chassis.mass", "20 kg", NULL), RUT_OK);
  assert_int_equal(rut_spec_set(w.spec, "r2/l.mass", "2 kg", NULL), RUT_OK);
  assert_int_equal(rut_spec_set(w.spec, "r3/chassis.outline", "0 0, 1 0, 1 1", NULL), RUT_OK);
  compile(&w);
  assert_near(mass_of(&w, "r0"), 18, 1e-12);
  assert_near(mass_of(&w, "r1"), 23, 1e-12);
  assert_near(mass_of(&w, "r2"), 18.5, 1e-12);
  int n = 0;
  rut_node_numbers(w.spec, rut_spec_find(w.spec, "r2/chassis"), "outline", &n);
  assert_int_equal(n, 8);
  rut_node_numbers(w.spec, rut_spec_find(w.spec, "r3/chassis"), "outline", &n);
  assert_int_equal(n, 6);
  close_world(&w);
}

// Those that were made after one, and like it, stay when it goes.
static void one_of_many_is_removed(void** state) {
  (void)state;
  World w = read_world(ROBOTS);
  rut_spec_remove(w.spec, rut_spec_find(w.spec, "r0"));
  compile(&w);
  assert_int_equal(rut_count(w.model, RUT_VEHICLE), 3);
  assert_near(mass_of(&w, "r3"), 18, 1e-12);
  rutSpec* copy = NULL;
  assert_int_equal(rut_spec_copy(w.spec, &copy, NULL), RUT_OK);
  rutModel* again = NULL;
  assert_int_equal(rut_compile(copy, &again, NULL), RUT_OK);
  assert_true(rut_model_hash(again) == rut_model_hash(w.model));
  rut_model_destroy(again);
  rut_spec_destroy(copy);
  close_world(&w);
}

// Vehicles that are alike begin where each of them is put, and as fast.
static void like_vehicles_begin_apart(void** state) {
  (void)state;
  World w = read_world(ROBOTS);
  assert_int_equal(rut_spec_set(w.spec, "r1.velocity", "2 0 m/s", NULL), RUT_OK);
  compile(&w);
  for (int i = 0; i < 4; i++) {
    const rutVehicleState s = rut_vehicle_state(w.model, w.data, i);
    assert_near(s.position[0], 3 * i, 1e-12);
    assert_near(s.yaw, 10 * i * 3.14159265358979323846 / 180, 1e-12);
    assert_near(s.velocity[0], i == 1 ? 2 : 0, 1e-12);
  }
  close_world(&w);
}

// A warning about one of many like ones is given for each of them.
static void warnings_are_repeated(void** state) {
  (void)state;
  World w = read_world(
      "<world>\n<for var='i' from='1' to='3'>\n<vehicle name='r$f{i}' position='$f{4*i} 0'>\n"
      "<wheel name='l' place='left' position='0 0.25 m' mass='1.5 kg'/>\n"
      "<wheel name='r' place='right' position='0 -0.25 m' mass='1.5 kg'/>\n"
      "<tyre type='coulomb'/></vehicle></for></world>");
  compile(&w);
  assert_int_equal(warnings, 3);
  close_world(&w);
}

// A fault in what is repeated is told with its own place.
static void faults_have_places(void** state) {
  (void)state;
  World w = read_world(
      "<world>\n<for var='i' from='1' to='3'>\n<vehicle name='r$f{i}' position='$f{4*i} 0'>\n"
      "<chassis mass='3 kg'\n z_min='0.5 m' z_max='0.2 m'/>\n"
      "</vehicle></for></world>");
  assert_int_not_equal(rut_compile(w.spec, &w.model, NULL), RUT_OK);
  assert_int_equal(errors, 3);
  assert_int_equal(last_line, 5);
  close_world(&w);
}

// A sliding block stops after v^2 / (2 mu g), however many fixed ones are listed before it.
static void fixed_blocks_are_passed_over(void** state) {
  (void)state;
  double end[2];
  for (int far = 0; far < 2; far++) {
    char text[1024];
    snprintf(text, sizeof text,
             "<world timestep='1 ms'><for var='i' from='1' to='%d'><block name='b$f{i}' "
             "fixed='true' position='$f{100+3*i} 50 0' shape='box' size='1 1 1'/></for>"
             "<block name='slider' shape='box' size='0.4 0.4 0.4' mass='2 kg' "
             "ground_friction='0.5' velocity='2 0 m/s'/></world>",
             far ? 100 : 0);
    World w = read_world(text);
    compile(&w);
    for (int i = 0; i < 1000; i++) assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
    double pose[6], velocity[3];
    rut_block_state(w.model, w.data, rut_find(w.model, RUT_BLOCK, "slider"), pose, velocity);
    end[far] = pose[0];
    close_world(&w);
  }
  // within the half step by which speeds are ahead of positions
  assert_near(end[0], 2.0 * 2.0 / (2 * 0.5 * 9.81), 2e-3);
  assert_true(end[0] == end[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_of_many_is_changed),    cmocka_unit_test(one_of_many_is_removed),
      cmocka_unit_test(like_vehicles_begin_apart), cmocka_unit_test(warnings_are_repeated),
      cmocka_unit_test(faults_have_places),        cmocka_unit_test(fixed_blocks_are_passed_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
