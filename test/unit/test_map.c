// SPDX-License-Identifier: BSD-3-Clause
//
// Cells and statistics of maps over a table that is made up (map_made_up.h).
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
#include "host/map.h"
#include "map_made_up.h"

enum { ROWS = 9, COLS = 9 };
static const double SPACING = 10;

static rutMap* make(double (*height)(double x, double y)) {
  return map_made_up(ROWS, COLS, SPACING, height);
}

static double level(double x, double y) {
  (void)x;
  (void)y;
  return 5;
}
static double grade;
static double ramp(double x, double y) {
  (void)y;
  return grade * x;
}
static double hills(double x, double y) {
  return 3 * sin(x / 17) * cos(y / 23) + 0.15 * x + 0.004 * x * y;
}
static double hills_turned(double x, double y) { return hills(y, -x); }

static void test_ramp(void** state) {
  (void)state;
  rutMapLimit l[RUT_MAP_HEADINGS];
  for (int k = 0; k < 2; k++) {
    grade = k ? 0.502 : 0.498;
    rutMap* m = make(ramp);
    rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, l);
    assert_true((l[0].speed > 0) == (k == 0));
    if (k) assert_true(l[0].reason == RUT_MAP_SLOPE);
    // down: 4 m/s2 do not hold against gravity from sin = 4/9.81 on
    assert_true(l[4].speed == 0 && l[4].reason == RUT_MAP_BRAKING);
    assert_true(l[2].speed == 0 && l[2].reason == RUT_MAP_SIDE_SLOPE);
    map_made_up_free(m);
  }
  grade = 0.3;
  rutMap* m = make(ramp);
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, l);
  assert_near(l[0].speed, 7, 1e-9);
  assert_near(l[1].speed, 10 - 3 * sqrt(0.5), 1e-9);
  assert_near(l[2].speed, 10, 1e-9);
  assert_near(l[4].speed, 13, 1e-9);
  // at the border the slope is that of the inside
  rutMapLimit border[RUT_MAP_HEADINGS];
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 0, 0, border);
  for (int k = 0; k < 8; k++) assert_near(border[k].speed, l[k].speed, 1e-9);
  map_made_up_free(m);
}

// Up and down change places when the heading turns by 180 degrees or the ramp does.
static void test_reversal(void** state) {
  (void)state;
  rutMapLimit up[RUT_MAP_HEADINGS], down[RUT_MAP_HEADINGS];
  grade = 0.25;
  rutMap* m = make(ramp);
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, up);
  map_made_up_free(m);
  grade = -0.25;
  m = make(ramp);
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, down);
  map_made_up_free(m);
  for (int k = 0; k < 8; k++) assert_near(up[k].speed, down[(k + 4) % 8].speed, 1e-12);
}

// A quarter turn to the left of the heights moves (row, col) to (last - col, row), and heading k to
// k + 2.
static void test_rotation(void** state) {
  (void)state;
  rutMap *m = make(hills), *turned = make(hills_turned);
  for (int row = 0; row < ROWS; row++) {
    for (int col = 0; col < COLS; col++) {
      rutMapLimit a[RUT_MAP_HEADINGS], b[RUT_MAP_HEADINGS];
      rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, row, col, a);
      rut_map_cell(turned, RUT_MAP_SIMULATION, 0.5, COLS - 1 - col, row, b);
      for (int k = 0; k < 8; k++) {
        assert_near(a[k].speed, b[(k + 2) % 8].speed, 1e-9);
        assert_true(a[k].reason == b[(k + 2) % 8].reason);
      }
    }
  }
  map_made_up_free(m);
  map_made_up_free(turned);
}

static void test_no_data(void** state) {
  (void)state;
  rutMap* m = make(level);
  rutMapLimit l[RUT_MAP_HEADINGS];
  m->dem.value[4 * COLS + 4] = NAN;
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, l);
  assert_true(l[0].speed == 0 && l[0].reason == RUT_MAP_NO_DATA);
  // its neighbours have slopes of their other sides
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 5, l);
  assert_near(l[0].speed, 10, 1e-12);
  m->point[0].speed = NAN;
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, -1, 99, l);
  assert_true(l[0].reason == RUT_MAP_NO_DATA);
  rutMapStatistics s;
  assert_true(rut_map_statistics(m, RUT_MAP_SIMULATION, 0.5, &s, NULL) == RUT_OK);
  assert_true(s.cells == ROWS * COLS - 1);
  assert_near(s.profile[50], 10, 1e-9);
  assert_near(s.profile[100], 10, 1e-9);
  for (int i = 0; i < ROWS * COLS; i++) m->dem.value[i] = NAN;
  assert_true(rut_map_statistics(m, RUT_MAP_SIMULATION, 0.5, &s, NULL) == RUT_OK);
  assert_true(s.cells == 0 && s.profile[50] == 0);
  map_made_up_free(m);
}

// Rough ground and obstacles between what trials have found, and the free speed at 0: 20 m/s.
static void test_ride_and_obstacles(void** state) {
  (void)state;
  rutMap* m = make(level);
  for (int i = 0; i < m->planes; i++) m->point[i].speed = 20;
  map_made_up_axis(&m->rides, 2, 0.01, 0.03);
  map_made_up_axis(&m->rounds, 2, 0.1, 0.2);
  m->points += 5;
  m->point = realloc(m->point, (size_t)m->points * sizeof *m->point);
  const double speed[5] = {15, 5, INFINITY, 6, 0.25};
  for (int i = 0; i < 5; i++) m->point[m->planes + i] = (rutMapPoint){speed[i], 0, 0, 0};
  m->obstacle.value = 0;
  m->obstacle_spacing = 1;
  rutMapLimit l[RUT_MAP_HEADINGS];
  const double rough[4] = {0, 0.005, 0.02, 0.1}, ride[4] = {20, 17.5, 10, 5};
  for (int i = 0; i < 4; i++) {
    m->roughness.value = rough[i];
    rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, l);
    assert_near(l[0].speed, ride[i], 1e-9);
    assert_true(l[0].reason == (i ? RUT_MAP_RIDE : RUT_MAP_POWER));
  }
  // crossed at 13 m/s, between 20 and 6, and hardly faster between them: peaks of 13.06 m/s
  m->roughness.value = 0;
  m->obstacle.value = 0.15;
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, l);
  assert_near(l[0].speed, 13.03, 0.01);
  assert_true(l[0].reason == RUT_MAP_OBSTACLE);
  m->obstacle.value = 0.26;
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, l);
  assert_true(l[0].speed == 0 && l[0].reason == RUT_MAP_OBSTACLE);
  m->obstacle.value = NAN;
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, l);
  assert_true(l[0].reason == RUT_MAP_NO_DATA);
  map_made_up_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ramp),
      cmocka_unit_test(test_reversal),
      cmocka_unit_test(test_rotation),
      cmocka_unit_test(test_no_data),
      cmocka_unit_test(test_ride_and_obstacles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
