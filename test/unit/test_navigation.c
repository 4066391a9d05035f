// SPDX-License-Identifier: BSD-3-Clause
//
// The local map and the path that a controller tells, against the world: a wall whose face is at
// x = 10 m from y = -4 to 4 m, on level ground.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/navigation.h"

#define GOAL                                                                                    \
  "<controller type='drive_to_goal' name='pilot' commands='drive' period='20 ms' goals='20 1' " \
  "yaw='.5' has_yaw='true' speed='.5' width='.6' front='.4' rear='.4' lidar_z='1' range='30' "  \
  "cells='96' publish='cost'/>"
#define TRAIL                                                                                \
  "<controller type='follow_trail' name='pilot' commands='drive' period='20 ms' speed='.5' " \
  "width='.6' front='.4' rear='.4' lidar_z='1' range='30' cells='96' horizon='6' publish='all'/>"
#define WORLD(pilot)                                                                             \
  "<world timestep='2 ms' noise='none'>"                                                         \
  "<block name='wall' fixed='true' shape='box' size='1 8 3' position='10.5 0'/>"                 \
  "<vehicle name='robot' position='0 3' ><chassis mass='10' outline='-.4 -.3 .4 -.3 .4 .3 -.4 "  \
  ".3'/><wheel name='l' position='0 .3' place='left'/><wheel name='r' position='0 -.3' "         \
  "place='right'/><tyre type='coulomb'/>"                                                        \
  "<sensor type='lidar' name='eye' channels='24' columns='360' elevation_first='-40 deg' "       \
  "elevation_last='3 deg' period='.1' rolling='false' max_range='30' rated_range='0' "           \
  "z='1'/>" pilot                                                                                \
  "<controller type='twist_ideal' name='drive'/></vehicle>"                                      \
  "<vehicle name='blind' position='0 -20'><chassis mass='10' outline='-.4 -.3 .4 -.3 .4 .3 -.4 " \
  ".3'/><wheel name='l' position='0 .3' place='left'/><wheel name='r' position='0 -.3' "         \
  "place='right'/><tyre type='coulomb'/><controller type='twist_ideal'/></vehicle></world>"

typedef struct Run {
  rutContext* context;
  rutModel* model;
  rutData* data;
} Run;

static Run begin(const char* world) {
  Run run = {0};
  rutSpec* spec;
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &run.context, NULL), RUT_OK);
  if (rut_spec_parse(run.context, world, strlen(world), "w.xml", &spec, &err) != RUT_OK ||
      rut_compile(spec, &run.model, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  rut_spec_destroy(spec);
  run.data = rut_data_create(run.model);
  assert_non_null(run.data);
  return run;
}

static void end(Run* run) {
  rut_data_destroy(run->data);
  rut_model_destroy(run->model);
  rut_context_destroy(run->context);
}

static void check_map(const rutNavigationView* v) {
  enum { SIDE = 96 };
  // the robot is in the middle cell
  assert_near(v->origin[0], -12, 0.26);
  assert_near(v->origin[1], 3 - 12, 0.26);
  int heights = 0;
  for (int k = 0; k < SIDE * SIDE; k++) {
    const double x = v->origin[0] + (k % SIDE + 0.5) * 0.25;
    const double y = v->origin[1] + (k / SIDE + 0.5) * 0.25;
    const double cost = (double)v->cost[k], height = (double)v->height[k];
    if (x > 10 && x < 10.25 && y > -3.8 && y < 3.8) assert_near(cost, 1, 0);
    // the middles of the face's neighbours are two cells away from it
    if (x > 3 && x < 9.25 && fabs(y) < 3.5) assert_near(cost, 0, 0);
    if (x > 11.2 && fabs(y) < 2.5) assert_true(isnan(cost) && isnan(height));
    if (!(x < 9.5) || isnan(height)) continue;
    assert_near(height, 0, 2e-3);
    heights++;
  }
  assert_true(heights > 500);
}

static void check_path(const rutNavigationView* v, int most) {
  assert_in_range(v->poses, 20, most);
  // it has driven less than 0.35 m
  assert_near(v->path[0][0], 0.17, 0.18);
  assert_near(v->path[0][1], 3, 0.02);
  for (int i = 0; i + 1 < v->poses; i++) {
    const double *a = v->path[i], *b = v->path[i + 1], yaw = 0.5 * (a[2] + b[2]);
    const double dx = b[0] - a[0], dy = b[1] - a[1];
    assert_true(hypot(dx, dy) < 0.3);
    // a chord of an arc stands at the mean of the angles at its ends
    assert_near(fabs(cos(yaw) * dx + sin(yaw) * dy), hypot(dx, dy), 1e-9);
    // half of the width from the wall
    if (a[0] > 9.7 && a[0] < 11.3) assert_true(fabs(a[1]) > 4.3);
  }
}

static void a_map_and_a_path_are_told(void** state) {
  (void)state;
  Run run = begin(WORLD(GOAL));
  const rutNavigationInfo info = rut_navigation_info(run.model, 0);
  assert_string_equal(info.controller, "drive_to_goal");
  assert_true(info.columns == 96 && info.rows == 96 && info.resolution == 0.25);
  assert_int_equal(info.publish, RUT_NAVIGATION_PATH | RUT_NAVIGATION_COST);
  rutNavigation* n;
  assert_int_equal(rut_navigation_create(run.model, 0, &n, NULL), RUT_OK);
  const unsigned all = RUT_NAVIGATION_PATH | RUT_NAVIGATION_LAYERS;
  // before the first scan there is a goal alone
  const rutNavigationView* v = rut_navigation_read(n, run.model, run.data, all);
  assert_true(v->map_stamp < 0 && v->path_stamp < 0 && v->poses == 0 && v->has_goal);
  assert_near(v->goal[0], 20, 0);
  assert_near(v->goal[1], 1, 0);
  assert_near(v->goal[2], 0.5, 0);
  const uint64_t before = rut_state_hash(run.model, run.data);
  while (rut_time(run.data) < 0.75) assert_int_equal(rut_step(run.model, run.data, NULL), RUT_OK);
  const uint64_t hash = rut_state_hash(run.model, run.data);
  assert_true(hash != before);
  v = rut_navigation_read(n, run.model, run.data, 0);
  assert_near(v->map_stamp, 0.7, 1e-9);
  assert_true(v->path_stamp >= 0 && v->poses == 0);
  v = rut_navigation_read(n, run.model, run.data, all);
  check_map(v);
  check_path(v, info.poses);
  // nothing of it changes the run
  assert_true(rut_state_hash(run.model, run.data) == hash);
  rut_navigation_destroy(n);
  end(&run);
}

static void a_follower_of_trails_tells_them(void** state) {
  (void)state;
  Run run = begin(WORLD(TRAIL));
  const rutNavigationInfo info = rut_navigation_info(run.model, 0);
  const unsigned all = RUT_NAVIGATION_PATH | RUT_NAVIGATION_LAYERS;
  assert_string_equal(info.controller, "follow_trail");
  assert_int_equal(info.publish, all | RUT_NAVIGATION_COST);
  rutNavigation* n;
  assert_int_equal(rut_navigation_create(run.model, 0, &n, NULL), RUT_OK);
  while (rut_time(run.data) < 0.75) assert_int_equal(rut_step(run.model, run.data, NULL), RUT_OK);
  const uint64_t hash = rut_state_hash(run.model, run.data);
  const rutNavigationView* v = rut_navigation_read(n, run.model, run.data, all);
  assert_near(v->map_stamp, 0.7, 1e-9);
  assert_false(v->has_goal);
  check_map(v);
  check_path(v, info.poses);
  // on level ground it goes straight ahead, as far as its horizon
  const double* last = v->path[v->poses - 1];
  assert_near(last[1], 3, 0.05);
  assert_near(last[0], 6, 0.6);
  assert_true(rut_state_hash(run.model, run.data) == hash);
  rut_navigation_destroy(n);
  end(&run);
}

static void others_tell_nothing(void** state) {
  (void)state;
  Run run = begin(WORLD(GOAL));
  rutNavigation* n = (rutNavigation*)state;
  rutError err = {0};
  assert_string_equal(rut_navigation_info(run.model, 1).controller, "");
  for (int i = -1; i < 4; i++) {
    if (i == 0) continue;
    assert_int_equal(rut_navigation_create(run.model, i, &n, &err), RUT_ERR_ARGUMENT);
    assert_null(n);
    assert_non_null(strstr(err.message, "tells a map or a path"));
  }
  rut_navigation_destroy(NULL);
  end(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_map_and_a_path_are_told),
                                     cmocka_unit_test(a_follower_of_trails_tells_them),
                                     cmocka_unit_test(others_tell_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
