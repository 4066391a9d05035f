// SPDX-License-Identifier: BSD-3-Clause
//
// Routes over maps of a table that is made up (map_made_up.h), against closed forms: lengths of the
// shortest ways over sixteen neighbours, refraction after Snell, walls, and moves over cells of
// different speeds.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_near.h"
#include "map_made_up.h"

static const double SPACING = 10;
static const double SPEEDS = 1e-6;  // relative precision of speeds, which a search keeps as floats

static double level(double x, double y) {
  (void)x;
  (void)y;
  return 5;
}

static rutStatus route_of(const rutMap* m, const int a[2], const int b[2], rutMapRoute* out) {
  const rutMapTrip trip = {{a[0], a[1]}, {b[0], b[1]}, RUT_MAP_SIMULATION, 0.5};
  return rut_map_route(m, &trip, out, NULL);
}

// Time of the route, infinite if there is none.
static double time_of(const rutMap* m, const int a[2], const int b[2]) {
  rutMapRoute r;
  assert_true(route_of(m, a, b, &r) == RUT_OK);
  const double time = r.steps > 0 ? r.time : INFINITY;
  rut_map_route_free(&r);
  return time;
}

// Shortest way over sixteen neighbours where nothing is in the way, in cells: knight's moves with
// steps along the longer axis up to a slope of 1/2, with diagonal steps above.
static double shortest(int rows, int cols) {
  const int most = abs(rows) > abs(cols) ? abs(rows) : abs(cols);
  const int least = abs(rows) + abs(cols) - most;
  if (2 * least <= most) return least * sqrt(5) + most - 2 * least;
  return (most - least) * sqrt(5) + (2 * least - most) * sqrt(2);
}

static void test_level(void** state) {
  (void)state;
  enum { SIZE = 41, MIDDLE = 20 };
  rutMap* m = map_made_up(SIZE, SIZE, SPACING, level);
  const int from[2] = {MIDDLE, MIDDLE};
  double most = 1;
  // all angles: to the cells of the border
  for (int i = 0; i < SIZE; i++) {
    const int to[4][2] = {{0, i}, {SIZE - 1, i}, {i, 0}, {i, SIZE - 1}};
    for (int k = 0; k < 4; k++) {
      const int rows = to[k][0] - MIDDLE, cols = to[k][1] - MIDDLE;
      const double time = time_of(m, from, to[k]), straight = hypot(rows, cols);
      assert_near(time, shortest(rows, cols), SPEEDS * time);
      assert_true(time >= straight * (1 - SPEEDS));
      most = fmax(most, time / straight);
    }
  }
  // the worst is half between two headings, 1/cos(atan(1/2)/2)
  assert_near(most, 1.02749, 2e-4);
  map_made_up_free(m);
}

static void test_steps(void** state) {
  (void)state;
  rutMap* m = map_made_up(9, 9, SPACING, level);
  rutMapRoute r;
  const int from[2] = {5, 0}, to[2] = {2, 8};
  assert_true(route_of(m, from, to, &r) == RUT_OK);
  // 8 cells east and 3 north: 3 knight's moves and 2 steps
  const double length = SPACING * (3 * sqrt(5) + 2);
  assert_true(r.steps == 6);
  assert_near(r.distance, length, 1e-9);
  assert_near(r.time, length / 10, 1e-5);
  assert_near(r.step[0].x, -40, 1e-12);
  assert_near(r.step[5].y, 20, 1e-12);
  assert_near(r.step[5].limit.speed, 10, 1e-12);
  assert_true(r.step[5].limit.reason == RUT_MAP_POWER);
  for (int i = 1; i < r.steps; i++) {
    const double dx = r.step[i].x - r.step[i - 1].x, dy = r.step[i].y - r.step[i - 1].y;
    assert_near(r.step[i].distance - r.step[i - 1].distance, hypot(dx, dy), 1e-9);
  }
  rut_map_route_free(&r);
  assert_true(route_of(m, from, from, &r) == RUT_OK);
  assert_true(r.steps == 1 && r.time == 0);
  rut_map_route_free(&r);
  const int outside[2] = {9, 0};
  assert_true(route_of(m, from, outside, &r) == RUT_ERR_ARGUMENT);
  map_made_up_free(m);
}

// On a plane the speed depends on the heading alone, 10 m/s less 10 m/s x grade.
static double slanted(double x, double y) { return 0.2 * x + 0.1 * y; }

static void test_plane(void** state) {
  (void)state;
  rutMap* m = map_made_up(9, 9, SPACING, slanted);
  const int a[2] = {4, 2}, b[2] = {4, 6}, c[2] = {2, 6};
  assert_near(time_of(m, a, b), 40 / 8.0, 1e-5);
  assert_near(time_of(m, b, a), 40 / 12.0, 1e-5);
  // two knight's moves, whose heading is 26.565 of the 45 degrees from east to north-east
  const double share = atan(0.5) / atan(1), diagonal = 0.3 / sqrt(2);
  const double up = (1 - share) * 8 + share * (10 - 10 * diagonal);
  assert_near(time_of(m, a, c), 2 * SPACING * sqrt(5) / up, 1e-5);
  map_made_up_free(m);
}

// East and west are NO-GO, too steep up and down; north and south slide; the diagonals go. So do
// no moves between a diagonal and the others, and half of all cells cannot be reached.
static double steep(double x, double y) {
  (void)y;
  return 0.55 * x;
}

static void test_headings(void** state) {
  (void)state;
  rutMap* m = map_made_up(9, 9, SPACING, steep);
  const int from[2] = {4, 4}, odd[2] = {3, 6}, even[2] = {4, 6};
  assert_true(isinf(time_of(m, from, odd)));
  const double speed = 10 - 5.5 / sqrt(2);
  assert_near(time_of(m, from, even), 2 * SPACING * sqrt(2) / speed, 1e-5);
  map_made_up_free(m);
}

// The only way leads over four cells of different speeds, to a quarter in each.
static double four(int row, int col) {
  if (row == 4 && col == 3) return 8;
  if (row == 4 && col == 4) return 5;
  if (row == 3 && col == 4) return 4;
  return row == 3 && col == 5 ? 2 : 0;
}

static void test_parts(void** state) {
  (void)state;
  rutMap* m = map_made_up(9, 9, SPACING, level);
  map_made_up_speeds(m, four);
  const int a[2] = {4, 3}, b[2] = {3, 5};
  rutMapRoute r;
  for (int back = 0; back < 2; back++) {
    assert_true(route_of(m, back ? b : a, back ? a : b, &r) == RUT_OK);
    assert_true(r.steps == 2);
    assert_near(r.time, SPACING * sqrt(5) / 4 * (1.0 / 8 + 1.0 / 5 + 1.0 / 4 + 1.0 / 2), 1e-5);
    assert_near(r.step[1].limit.speed, 2, 1e-9);
    assert_true(r.step[1].limit.reason == RUT_MAP_RIDE);
    rut_map_route_free(&r);
  }
  map_made_up_free(m);
}

// ---- symmetry ----

static double hills(double x, double y) {
  return 4 * sin(x / 27) * cos(y / 33) + 0.1 * x +
         6 * exp(-(x - 20) * (x - 20) / 500 - y * y / 800);
}
static double hills_east_west(double x, double y) { return hills(-x, y); }
static double hills_north_south(double x, double y) { return hills(x, -y); }
static double hills_diagonal(double x, double y) { return hills(y, x); }

static void test_mirrors(void** state) {
  (void)state;
  enum { SIZE = 25, LAST = SIZE - 1 };
  rutMap* m = map_made_up(SIZE, SIZE, SPACING, hills);
  rutMap* mirror[3] = {map_made_up(SIZE, SIZE, SPACING, hills_east_west),
                       map_made_up(SIZE, SIZE, SPACING, hills_north_south),
                       map_made_up(SIZE, SIZE, SPACING, hills_diagonal)};
  for (int i = 0; i < 6; i++) {
    const int a[2] = {3 * i, 1}, b[2] = {LAST - 2 * i, LAST - i};
    const double time = time_of(m, a, b);
    assert_true(isfinite(time));
    const int of[3][2][2] = {{{a[0], LAST - a[1]}, {b[0], LAST - b[1]}},
                             {{LAST - a[0], a[1]}, {LAST - b[0], b[1]}},
                             {{LAST - a[1], LAST - a[0]}, {LAST - b[1], LAST - b[0]}}};
    for (int k = 0; k < 3; k++) {
      assert_near(time_of(mirror[k], of[k][0], of[k][1]), time, SPEEDS * time);
    }
  }
  map_made_up_free(m);
  for (int k = 0; k < 3; k++) map_made_up_free(mirror[k]);
}

// ---- walls ----

// A wall across the map, and a gap of one cell, into which a step or a knight's move along its axis
// leads: all others would cut its corners.
enum { WALL = 7, GAP = 3 };
static double wall(int row, int col) { return col != WALL || row == GAP ? 10 : 0; }
static double closed(int row, int col) {
  (void)row;
  return col != WALL ? 10 : 0;
}

// Shortest way into the gap from so many rows and columns away.
static double into(int rows, int cols) {
  const int less = abs(rows) > 0 ? abs(rows) - 1 : 1;
  return fmin(shortest(rows, cols - 1) + 1, shortest(less, cols - 2) + sqrt(5));
}

static void test_wall(void** state) {
  (void)state;
  enum { SIZE = 15 };
  rutMap* m = map_made_up(SIZE, SIZE, SPACING, level);
  map_made_up_speeds(m, wall);
  for (int row = 0; row < SIZE; row++) {
    const int from[2] = {row, 4}, to[2] = {SIZE - 2, 12};
    const double cells = into(GAP - row, WALL - from[1]) + into(to[0] - GAP, to[1] - WALL);
    rutMapRoute r;
    assert_true(route_of(m, from, to, &r) == RUT_OK);
    assert_near(r.time, cells, SPEEDS * cells);
    assert_near(r.distance, SPACING * cells, 1e-9);
    rut_map_route_free(&r);
  }
  map_made_up_free(m);
  m = map_made_up(SIZE, SIZE, SPACING, level);
  map_made_up_speeds(m, closed);
  const int from[2] = {8, 2}, to[2] = {8, 12};
  assert_true(isinf(time_of(m, from, to)));
  map_made_up_free(m);
}

// Cells that touch at their corners are a wall, too.
static void test_corners(void** state) {
  (void)state;
  enum { SIZE = 9 };
  rutMap* m = map_made_up(SIZE, SIZE, SPACING, level);
  for (int i = 0; i < SIZE; i++) m->dem.value[i * SIZE + i] = NAN;
  const int from[2] = {6, 2}, to[2] = {2, 6}, beside[2] = {8, 5};
  assert_true(isinf(time_of(m, from, to)));
  assert_true(isfinite(time_of(m, from, beside)));
  map_made_up_free(m);
}

// ---- refraction ----

static const double SLOW = 5, FAST = 8.5;  // [m/s]
enum { LAST_SLOW = 37 };
static double half_planes(int row, int col) {
  (void)row;
  return col <= LAST_SLOW ? SLOW : FAST;
}

// The fastest way from slow to fast ground refracts: sin/v is the same on both sides. Here with
// 8/17 and 4/5, of right triangles of 37.5 x 20 and 31.5 x 42 cells, whose long sides are 42.5 and
// 52.5. A route is longer by at most what the grid's headings cost.
static void test_refraction(void** state) {
  (void)state;
  enum { ROWS = 63, COLS = 70 };
  rutMap* m = map_made_up(ROWS, COLS, SPACING, level);
  map_made_up_speeds(m, half_planes);
  const int a[2] = {ROWS - 1, 0}, b[2] = {0, COLS - 1};
  const double snell = SPACING * (42.5 / SLOW + 52.5 / FAST);
  const double straight = SPACING * hypot(62, 69) / 69 * (37.5 / SLOW + 31.5 / FAST);
  rutMapRoute r;
  for (int back = 0; back < 2; back++) {
    assert_true(route_of(m, back ? b : a, back ? a : b, &r) == RUT_OK);
    assert_true(r.time >= snell * (1 - SPEEDS));
    assert_true(r.time <= 1.0275 * snell);
    // over a border at any height, in the metric of sixteen neighbours
    double least = INFINITY;
    for (int row = 0; row < ROWS; row++) {
      const double time = (shortest(row - a[0], LAST_SLOW) + 0.5) / SLOW +
                          (shortest(row - b[0], COLS - 2 - LAST_SLOW) + 0.5) / FAST;
      least = fmin(least, SPACING * time);
    }
    assert_true(r.time <= least * (1 + SPEEDS));
    assert_true(r.time >= least - SPACING * (1 / SLOW - 1 / FAST));
    rut_map_route_free(&r);
  }
  // a straight line is slower than what refracts, by more than this
  assert_true(straight > 1.01 * snell);
  map_made_up_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_level),      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_plane),      cmocka_unit_test(test_headings),
      cmocka_unit_test(test_parts),      cmocka_unit_test(test_mirrors),
      cmocka_unit_test(test_wall),       cmocka_unit_test(test_corners),
      cmocka_unit_test(test_refraction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
