// SPDX-License-Identifier: BSD-3-Clause
//
// Ruts of worlds through the public API: what is seen of them, state, files, wrong worlds.
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
#include "rut/host.h"
#include "rut_press_fixture.h"
#include "sim/step_ruts.h"

static int allocations;
static void* count_alloc(size_t size, size_t align, void* user) {
  (void)user;
  allocations++;
  return aligned_alloc(align, (size + align - 1) / align * align);
}
static void count_free(void* p, void* user) {
  (void)user;
  free(p);
}
static char message[512], warning[512];
static void keep(const rutDiagnostic* finding, void* user) {
  (void)user;
  if (finding->level == RUT_ERROR) snprintf(message, sizeof message, "%s", finding->message);
  if (finding->level == RUT_WARNING) snprintf(warning, sizeof warning, "%s", finding->message);
}

typedef struct World {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
} World;

#define CAR(name, x, y)                                                  \
  "<vehicle name='" name "' position='" x " " y                          \
  "'>"                                                                   \
  "<chassis mass='400' outline='-1 -0.5, 1 -0.5, 1 0.5, -1 0.5'/>"       \
  "<axle x='0.7' track='1.2' radius='0.3' width='0.3' max_steer='0.5'/>" \
  "<axle x='-0.7' track='1.2' radius='0.3' width='0.3'/>"                \
  "<suspension type='slider' stiffness='20 kN/m' damping='2 kN s/m'/>"   \
  "<tyre type='linear'/></vehicle>"

static World open_world(const char* deformable, const char* vehicles) {
  World w = {0};
  char text[4096];
  snprintf(text, sizeof text, "<world>%s%s</world>", deformable, vehicles);
  message[0] = warning[0] = '\0';
  rutContextDef def = rut_default_context();
  def.alloc = count_alloc;
  def.free = count_free;
  def.report = keep;
  assert_int_equal(rut_context_create(&def, &w.context, NULL), RUT_OK);
  rutError err = {0};
  rutStatus status = rut_spec_parse(w.context, text, strlen(text), "test.xml", &w.spec, &err);
  if (status == RUT_OK) status = rut_compile(w.spec, &w.model, &err);
  if (status == RUT_OK) w.data = rut_data_create(w.model);
  return w;
}

static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_spec_destroy(w->spec);
  rut_context_destroy(w->context);
}

// Let wheel w of slot s of the only group press.
static void press(const World* w, int slot, int wheel_index, rutSoftPress p) {
  const rutGroup* group = w->model->group;
  const rutVehicleBatch batch = rut_vehicle_batch(w->data, group, slot / group->lanes);
  assert_non_null(batch.press);
  const int at = wheel_index * group->lanes + slot % group->lanes;
  if (batch.press) batch.press[at] = p;
}

static const char* const DEFORMABLE = "<deformable cell='5 cm' memory='2 MB' displaced='0'/>";

static void world_without_it_keeps_none(void** state) {
  (void)state;
  World w = open_world("", CAR("a", "0", "0"));
  assert_non_null(w.data);
  rutRuts ruts;
  size_t cursor = 0;
  rutRutCell cell;
  assert_false(rut_ruts(w.model, w.data, &ruts));
  assert_int_equal(rut_ruts_next(w.model, w.data, &cursor, 1, &cell), 0);
  assert_null(rut_vehicle_batch(w.data, w.model->group, 0).press);
  rutError err = {0};
  assert_int_equal(rut_ruts_save(w.model, w.data, "none.csv", &err), RUT_ERR_ARGUMENT);
  // of the ground there are only the places whose soil was changed, and the number of cells
  assert_int_equal(rut_state_size(w.model, w.data, RUT_STATE_ALL),
                   rut_state_size(w.model, w.data, RUT_STATE_ALL & ~RUT_STATE_GROUND) +
                       sizeof(rutSoilChangeList));
  close_world(&w);
}

static void ruts_are_seen_and_are_state(void** state) {
  (void)state;
  World w = open_world(DEFORMABLE, CAR("a", "0", "0"));
  assert_non_null(w.data);
  assert_true(strstr(warning, "is deformable"));
  assert_true(rut_data_size(w.model) > 1900000 && rut_data_size(w.model) < 2200000);
  const uint64_t fresh = rut_state_hash(w.model, w.data);
  const size_t small = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  const int before = allocations;
  rutSoftPress p = wheel(50, 20.15, 0);
  for (int i = 0; i < 20; i++, p.x += 0.05) {
    press(&w, 0, 2, p);
    rut_ruts_commit(w.model, w.data);
  }
  // committed once, not again
  rut_ruts_commit(w.model, w.data);
  assert_int_equal(allocations, before);
  // there is no ground but the endless plane of vehicles on axles
  assert_true(isnan(rut_terrain_height(w.model, w.data, 50.4, 20.15, 0)));
  double x = 50.4, y = 20.15, below = 1, z, sx, sy;
  rut_terrain_surface(w.model, w.data, &(rutGroundPoints){1, &x, &y}, &below,
                      &(rutGroundSurface){&z, &sx, &sy});
  assert_near(z, -0.07, RUT_SOFT_UNIT);

  rutRuts ruts;
  assert_true(rut_ruts(w.model, w.data, &ruts));
  assert_near(ruts.mean_depth, 0.07, RUT_SOFT_UNIT);
  assert_near(ruts.max_depth, 0.07, RUT_SOFT_UNIT);
  assert_near(ruts.volume, ruts.area * 0.07, 1e-6 * ruts.volume);
  // 50 - 0.1 to 50.95: 21 cells, 6 across
  assert_near(ruts.area, 21 * 6 * 0.05 * 0.05, 1e-9);
  assert_true(ruts.displaced == 0 && !ruts.full && ruts.memory > 0 && ruts.capacity > 1.9e6);
  size_t cursor = 0;
  rutRutCell cell[50];
  int cells = 0;
  for (int n = 1; n > 0; cells += n) {
    n = rut_ruts_next(w.model, w.data, &cursor, 50, cell);
    for (int i = 0; i < n; i++) {
      assert_near(cell[i].height, -0.07, RUT_SOFT_UNIT);
      assert_near(cell[i].pressed, 0.08, RUT_SOFT_UNIT);
      assert_true(cell[i].x > 49.89 && cell[i].x < 50.96 && fabs(cell[i].y - 20.15) < 0.13);
    }
  }
  assert_int_equal(cells, 126);

  // saved, lost and set again
  const uint64_t pressed = rut_state_hash(w.model, w.data);
  assert_int_not_equal(pressed, fresh);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  assert_true(size > small);
  void* saved = malloc(size);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, small), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  rut_data_reset(w.model, w.data, 0);
  assert_int_equal(rut_state_hash(w.model, w.data), fresh);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size - 1),
                   RUT_ERR_ARGUMENT);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, small), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_state_hash(w.model, w.data), fresh);
  assert_int_equal(rut_state_set(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  assert_int_equal(rut_state_hash(w.model, w.data), pressed);
  // parts without the ground leave it alone
  const unsigned rest = RUT_STATE_ALL & ~RUT_STATE_GROUND;
  assert_int_equal(
      rut_state_get(w.model, w.data, rest, saved, rut_state_size(w.model, w.data, rest)), RUT_OK);
  assert_int_equal(
      rut_state_set(w.model, w.data, rest, saved, rut_state_size(w.model, w.data, rest)), RUT_OK);
  assert_int_equal(rut_state_hash(w.model, w.data), pressed);
  // a step that failed presses nothing
  press(&w, 0, 1, wheel(70, 0, 0));
  rut_ruts_forget(w.model, w.data);
  rut_ruts_commit(w.model, w.data);
  assert_int_equal(rut_state_hash(w.model, w.data), pressed);
  free(saved);
  close_world(&w);
}

// Lanes that fill up a batch repeat a vehicle: they must not press.
static void padding_presses_nothing(void** state) {
  (void)state;
  World w = open_world(DEFORMABLE, CAR("a", "0", "0") CAR("b", "0", "5"));
  assert_non_null(w.data);
  assert_int_equal(w.model->group->lanes, 8);
  for (int slot = 2; slot < 8; slot++) press(&w, slot, 0, wheel(10, 0, 0));
  rut_ruts_commit(w.model, w.data);
  rutRuts ruts;
  assert_true(rut_ruts(w.model, w.data, &ruts) && ruts.area == 0);
  press(&w, 1, 3, wheel(10, 0, 0));
  rut_ruts_commit(w.model, w.data);
  assert_true(rut_ruts(w.model, w.data, &ruts) && ruts.area > 0);
  close_world(&w);
}

static void files_hold_the_ruts(void** state) {
  (void)state;
  World w = open_world(DEFORMABLE, CAR("a", "0", "0"));
  press(&w, 0, 0, wheel(0, 0, 0));
  rut_ruts_commit(w.model, w.data);
  assert_int_equal(rut_ruts_save(w.model, w.data, "ruts.csv", NULL), RUT_OK);
  assert_int_equal(rut_ruts_save(w.model, w.data, "ruts.asc", NULL), RUT_OK);
  FILE* file = fopen("ruts.csv", "r");
  char line[256];
  assert_true(fgets(line, sizeof line, file));
  assert_string_equal(line, "x [m],y [m],height [m],pressed [m]\n");
  int rows = 0;
  while (fgets(line, sizeof line, file)) rows++;
  fclose(file);
  // 2 cells behind the lowest point, 6 across
  assert_int_equal(rows, 12);
  file = fopen("ruts.asc", "r");
  static const char* const head[] = {"ncols 2\n",
                                     "nrows 6\n",
                                     "xllcorner -0.100000\n",
                                     "yllcorner -0.150000\n",
                                     "cellsize 0.050000\n",
                                     "NODATA_value -9999\n"};
  for (int i = 0; i < 6; i++) {
    assert_true(fgets(line, sizeof line, file));
    assert_string_equal(line, head[i]);
  }
  for (int i = 0; i < 6; i++) {
    assert_true(fgets(line, sizeof line, file));
    assert_string_equal(line, "-0.070000 -0.070000\n");
  }
  assert_false(fgets(line, sizeof line, file));
  fclose(file);
  rutError err = {0};
  assert_int_equal(rut_ruts_save(w.model, w.data, "no/such/folder.asc", &err), RUT_ERR_IO);
  assert_int_equal(rut_ruts_save(w.model, w.data, "no/such/folder.csv", &err), RUT_ERR_IO);
  close_world(&w);
}

static void wrong_worlds(void** state) {
  (void)state;
  static const char* const wrong[][2] = {
      {"<deformable/><deformable/>", "one <deformable>"},
      {"<deformable cell='5 mm'/>", "too fine"},
      {"<deformable cell='0'/>", "cell"},
      {"<deformable memory='256 MPa'/>", "memory"},
      {"<deformable memory='3 GB'/>", "memory"},
      {"<deformable displaced='1.2'/>", "displaced"},
      {"<deformable cells='5 cm'/>", "cells"},
  };
  for (int i = 0; i < 7; i++) {
    World w = open_world(wrong[i][0], CAR("a", "0", "0"));
    if (w.model || !strstr(message, wrong[i][1])) fail_msg("%s: %s", wrong[i][0], message);
    close_world(&w);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(world_without_it_keeps_none),
      cmocka_unit_test(ruts_are_seen_and_are_state),
      cmocka_unit_test(padding_presses_nothing),
      cmocka_unit_test(files_hold_the_ruts),
      cmocka_unit_test(wrong_worlds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
