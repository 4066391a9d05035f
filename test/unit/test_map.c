// SPDX-License-Identifier: BSD-3-Clause
//
// Cells, statistics and routes of maps over a table that is made up, so that closed forms hold:
// the vehicle holds 10 m/s less 10 m/s per unit of grade, goes up to a grade of 0.5 on any soil,
// slides from a side slope of 0.4 on, and brakes at 5 m/s2 plus gravity.
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

enum { GRADES = 15, SIDES = 8, ROWS = 9, COLS = 9 };
static const double STEEPEST = 0.7, SPACING = 10;

static void axis(rutMapAxis* a, int n, double from, double to) {
  a->n = n;
  a->value = calloc((size_t)n, sizeof *a->value);
  for (int i = 0; i < n; i++) a->value[i] = n > 1 ? from + (to - from) * i / (n - 1) : from;
}

// A map of heights z(east, north) on cells around the origin.
static rutMap* make(double (*height)(double x, double y)) {
  rutMap* m = calloc(1, sizeof *m);
  m->dem = (rutGeoGrid){.rows = ROWS,
                        .cols = COLS,
                        .value = calloc(ROWS * COLS, sizeof(double)),
                        .placed = true,
                        .metric = true,
                        .spacing = SPACING,
                        .corner = {-SPACING * (COLS / 2), -SPACING * (ROWS / 2)}};
  for (int r = 0; r < ROWS; r++) {
    for (int c = 0; c < COLS; c++) {
      m->dem.value[r * COLS + c] = height(SPACING * (c - COLS / 2), SPACING * (ROWS / 2 - r));
    }
  }
  axis(&m->grades, GRADES, -STEEPEST, STEEPEST);
  axis(&m->sides, SIDES, 0, STEEPEST);
  axis(&m->strengths, 1, NAN, NAN);
  m->planes = m->points = GRADES * SIDES;
  m->point = calloc(GRADES * SIDES, sizeof *m->point);
  for (int i = 0; i < m->points; i++) {
    const rutMapTask t = rut_map_task(m, i);
    m->point[i] = (rutMapPoint){.speed = 10 - 10 * t.grade,
                                .deceleration = 5 + 9.81 * t.grade,
                                .margin = 0.5 - t.grade - 0.02,
                                .offset = 0.5 + t.side - 0.4};
  }
  m->strength.value = m->roughness.value = m->obstacle.value = m->sight.value = NAN;
  m->driver = (rutMapDriver){4, 1, 0.5};
  m->vehicle.gravity = 9.81;
  m->vehicle.top_speed = 20;
  m->vehicle.shape = (rutMapShape){3, 0.5, 0.5, 0.4};
  return m;
}

static void end(rutMap* m) {
  free(m->dem.value);
  free(m->grades.value);
  free(m->sides.value);
  free(m->strengths.value);
  free(m->point);
  free(m);
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
static double slanted(double x, double y) { return 0.2 * x + 0.1 * y; }
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
    end(m);
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
  end(m);
}

// Up and down change places when the heading turns by 180 degrees or the ramp does.
static void test_reversal(void** state) {
  (void)state;
  rutMapLimit up[RUT_MAP_HEADINGS], down[RUT_MAP_HEADINGS];
  grade = 0.25;
  rutMap* m = make(ramp);
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, up);
  end(m);
  grade = -0.25;
  m = make(ramp);
  rut_map_cell(m, RUT_MAP_SIMULATION, 0.5, 4, 4, down);
  end(m);
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
  end(m);
  end(turned);
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
  end(m);
}

// 8 cells east and 3 north on level ground: 3 diagonal steps and 5 straight ones.
// Rough ground and obstacles between what trials have found, and the free speed at 0: 20 m/s.
static void test_ride_and_obstacles(void** state) {
  (void)state;
  rutMap* m = make(level);
  for (int i = 0; i < m->planes; i++) m->point[i].speed = 20;
  axis(&m->rides, 2, 0.01, 0.03);
  axis(&m->rounds, 2, 0.1, 0.2);
  m->points += 5;
  m->point = realloc(m->point, (size_t)m->points * sizeof *m->point);
  const double speed[5] = {15, 5, INFINITY, 6, 0.25};
  for (int i = 0; i < 5; i++) m->point[m->planes + i] = (rutMapPoint){speed[i], 0, 0, 0};
  m->obstacle.value = 0;
  m->spacing = 1;
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
  free(m->rides.value);
  free(m->rounds.value);
  end(m);
}

static rutStatus route_of(const rutMap* m, const int a[2], const int b[2], rutMapRoute* out) {
  const rutMapTrip trip = {{a[0], a[1]}, {b[0], b[1]}, RUT_MAP_SIMULATION, 0.5};
  return rut_map_route(m, &trip, out, NULL);
}

static void test_route(void** state) {
  (void)state;
  rutMap* m = make(level);
  rutMapRoute r;
  const int from[2] = {5, 0}, to[2] = {2, 8};
  assert_true(route_of(m, from, to, &r) == RUT_OK);
  const double length = SPACING * (5 + 3 * sqrt(2));
  assert_true(r.steps == 9);
  assert_near(r.distance, length, 1e-9);
  assert_near(r.time, length / 10, 1e-5);
  assert_near(r.step[0].x, -40, 1e-12);
  assert_near(r.step[8].y, 20, 1e-12);
  rut_map_route_free(&r);
  assert_true(route_of(m, from, from, &r) == RUT_OK);
  assert_true(r.steps == 1 && r.time == 0);
  rut_map_route_free(&r);
  const int outside[2] = {ROWS, 0};
  assert_true(route_of(m, from, outside, &r) == RUT_ERR_ARGUMENT);
  end(m);
  // on a plane the speed depends on the heading alone: 4 steps east, at 10 - 10 x 0.2, and back
  m = make(slanted);
  const int a[2] = {4, 2}, b[2] = {4, 6};
  assert_true(route_of(m, a, b, &r) == RUT_OK);
  assert_near(r.time, 40 / 8.0, 1e-5);
  rut_map_route_free(&r);
  assert_true(route_of(m, b, a, &r) == RUT_OK);
  assert_near(r.time, 40 / 12.0, 1e-5);
  rut_map_route_free(&r);
  end(m);
}

// A wall across the map with a gap in its two northernmost rows.
static void test_wall(void** state) {
  (void)state;
  rutMap* m = make(level);
  for (int row = 2; row < ROWS; row++) m->dem.value[row * COLS + 4] = NAN;
  const int from[2] = {6, 2}, to[2] = {6, 6};
  rutMapRoute r;
  assert_true(route_of(m, from, to, &r) == RUT_OK);
  // to the gap 5 rows and 2 columns, twice
  assert_near(r.distance, 2 * SPACING * (3 + 2 * sqrt(2)), 1e-9);
  bool through = false;
  for (int i = 0; i < r.steps; i++) through = through || (r.step[i].row == 1 && r.step[i].col == 4);
  assert_true(through);
  rut_map_route_free(&r);
  m->dem.value[4] = m->dem.value[COLS + 4] = NAN;
  assert_true(route_of(m, from, to, &r) == RUT_OK);
  assert_true(r.steps == 0);
  rut_map_route_free(&r);
  end(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ramp),
      cmocka_unit_test(test_reversal),
      cmocka_unit_test(test_rotation),
      cmocka_unit_test(test_no_data),
      cmocka_unit_test(test_ride_and_obstacles),
      cmocka_unit_test(test_route),
      cmocka_unit_test(test_wall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
