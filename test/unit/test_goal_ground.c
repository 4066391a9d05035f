// SPDX-License-Identifier: BSD-3-Clause
//
// Which ground a vehicle that drives to a goal knows: rings of beams on level ground in closed
// form, gaps between measured places on either side of their limits, the ground that it stood on
// at first, an edge whose first cells become occupied, and the way to it along a path.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "assert_near.h"
#include "control/goal_drive.h"
#include "control/goal_ground.h"

enum { SIDE = 128 };
static const double CELL = 0.25;

typedef struct Bench {
  rutLocalCell cell[RUT_LOCAL_MAP_CELLS(SIDE)];
  uint16_t cost[RUT_LOCAL_MAP_CELLS(SIDE)];
  rutGoalParam p;
  rutGoalState m;
  rutGoalVehicle v;
} Bench;

// A vehicle 4 m long and 2 m wide at the origin, in a map of 32 m about it: beams have passed over
// all of it, and nothing was measured.
static Bench* bench(void) {
  static Bench b;
  memset(&b, 0, sizeof b);
  b.p = (rutGoalParam){.resolution = CELL,
                       .gap = 0.5,
                       .max_step = 0.2,
                       .max_slope = 0.5,
                       .lidar_z = 2,
                       .deceleration = 1};
  b.v = (rutGoalVehicle){.p = &b.p, .m = &b.m, .steering = 4};
  b.v.car.footprint = (rutPlanFootprint){2, 2, 2};
  b.v.work.cost = b.cost;
  rutLocalMapDef def = rut_default_local_map();
  def.side = SIDE;
  assert_int_equal(rut_local_map_begin(&b.v.map, &def, b.cell, NULL), RUT_OK);
  rut_local_map_move(&b.v.map, 0, 0);
  for (int k = 0; k < SIDE * SIDE; k++) {
    b.cell[k].log_odds = -1;
    b.cost[k] = 1;
  }
  return &b;
}

static rutLocalCell* cell_at(const Bench* b, double x, double y) {
  return (rutLocalCell*)(uintptr_t)rut_local_map_at(&b->v.map, x, y);
}

// Measure a rectangle of ground at a height [m].
static void measure(Bench* b, const double x[2], const double y[2], double z) {
  for (double at_x = x[0] + 0.5 * CELL; at_x < x[1]; at_x += CELL) {
    for (double at_y = y[0] + 0.5 * CELL; at_y < y[1]; at_y += CELL) {
      rutLocalCell* c = cell_at(b, at_x, at_y);
      c->points = 1;
      c->lowest = c->highest = c->sum = z;
    }
  }
}

// Beams of 24, 22 and -3 degrees below the horizon, 2 m above the ground, of a lidar that stands
// level, or looks 10 degrees down at beams that are as much nearer to its own plane.
static void test_rings(void** state) {
  (void)state;
  const double degree = RUT_PI / 180;
  for (int pitch = 0; pitch <= 10; pitch += 10) {
    const double below[] = {24, 22, -3, 24};
    double xyz[3][4];
    for (int k = 0; k < 4; k++) {
      const double own = (below[k] - pitch) * degree;
      xyz[0][k] = 5 * cos(own);
      xyz[1][k] = 0;
      xyz[2][k] = -5 * sin(own);
    }
    Bench* b = bench();
    b->p.lidar_pitch = pitch * degree;
    rutControlReading reading[3];
    for (int i = 0; i < 3; i++) reading[i] = (rutControlReading){xyz[i], RUT_F64, 4, 1, 0};
    const rutControlIn in = {.lanes = 1, .reading = reading};
    b->v.x = 3;
    rut_goal_begin_ground(&b->v, &in, 0);
    assert_near(b->m.blind, 2 / tan(24 * degree), 1e-9);
    assert_near(b->m.start[0], 3, 0);
    // rings 2 degrees apart are at most 0.5 m apart up to here
    assert_near(b->m.near, fmax(sqrt(0.5 * 2 / (2 * degree) - 4), 1.05 * b->m.blind), 1e-9);
    // it began here, whatever it sees later
    b->v.x = 9;
    rut_goal_begin_ground(&b->v, &in, 0);
    assert_near(b->m.start[0], 3, 0);
  }
}

static void test_gaps(void** state) {
  (void)state;
  // two cells between measured ones are known, of three the one in the middle is not
  for (int cells = 2; cells <= 3; cells++) {
    Bench* b = bench();
    measure(b, (const double[]){2, 4}, (const double[]){-2, 2}, 0);
    measure(b, (const double[]){4 + cells * CELL, 8}, (const double[]){-2, 2}, 0);
    int known = 0;
    for (int k = 0; k < cells; k++) known += rut_goal_is_known(&b->v, 4 + (k + 0.5) * CELL, 0);
    assert_int_equal(known, 2);
    assert_true(rut_goal_is_known(&b->v, 3, 0));
    assert_false(rut_goal_is_known(&b->v, -3, 0));
    assert_false(rut_goal_is_known(&b->v, 100, 0));
  }
  // a cell beside a step is between two heights: 0.2 m, or tan 0.5 rad over two cells, is none
  for (int step = 0; step < 2; step++) {
    Bench* b = bench();
    measure(b, (const double[]){2, 4}, (const double[]){-2, 2}, 0);
    measure(b, (const double[]){4 + CELL, 8}, (const double[]){-2, 2},
            -(tan(0.5) * 2 * CELL + (step ? 0.01 : -0.01)));
    assert_int_equal(rut_goal_is_known(&b->v, 4.1, 0), !step);
  }
  // to a scanner in a plane ground that beams passed is known
  Bench* b = bench();
  b->v.map.def.level = true;
  assert_true(rut_goal_is_known(&b->v, -3, 0));
}

// Level ground is seen from 4 m on: nearer it is known where there is ground behind it.
static void test_start(void** state) {
  (void)state;
  Bench* b = bench();
  b->m.blind = 4;
  measure(b, (const double[]){4.5, 8}, (const double[]){-1, 1}, 0);
  measure(b, (const double[]){-12, -8}, (const double[]){-1, 1}, -4);
  assert_true(rut_goal_is_known(&b->v, 3, 0));
  assert_false(rut_goal_is_known(&b->v, -3, 0));
  assert_false(rut_goal_is_known(&b->v, 0, 3));
  // where it stands it has ground
  assert_true(rut_goal_is_known(&b->v, -0.5, 0));
  // that is so about its first place alone
  b->m.start[0] = -20;
  assert_false(rut_goal_is_known(&b->v, 3, 0));
}

// Ground to x = 4, and again from 8 m on, 4 m deeper.
static void test_edge(void** state) {
  (void)state;
  Bench* b = bench();
  b->m.blind = 4;
  b->m.near = 6;
  b->m.start[0] = -100;
  measure(b, (const double[]){-12, 4}, (const double[]){-12, 12}, 0);
  measure(b, (const double[]){8, 12}, (const double[]){-12, 12}, -4);
  // a wall on the plateau hides the ground behind it: that is no edge
  for (double y = -1.9; y < -1; y += CELL)
    *cell_at(b, 3.1, y) = (rutLocalCell){.log_odds = 3.5, .points = 1, .sum = 1};
  rut_goal_mark_edges(&b->v);
  for (int k = 0; k < SIDE * SIDE; k++) {
    const double x = (b->v.map.corner[0] + k % SIDE + 0.5) * CELL;
    const double y = (b->v.map.corner[1] + k / SIDE + 0.5) * CELL;
    const bool occupied = rut_local_map_occupied(&b->v.map, x, y);
    const bool wall = x > 3 && x < 3.25 && y > -2 && y < -1;
    const double bearing = atan2(y, x);
    const bool hidden = bearing > -0.56 && bearing < -0.33;
    const bool seen = bearing < -0.62 || bearing > -0.27;
    // both cells behind the last one that was measured, but for what the wall hides
    if (x > 4 && x < 4.25 && fabs(y) < 0.8) assert_true(occupied);
    if (x > 4.25 && x < 4.5 && fabs(y) < 2.9 && seen) assert_true(occupied);
    if (x > 4 && hidden) assert_false(occupied);
    if (x < 4 && !wall) assert_false(occupied);
    if (hypot(x, y) > 6 + CELL) assert_false(occupied);
  }
  // the path is straight: its front, 2 m ahead, is on known ground up to 4.25 m
  b->m.driving = 1;
  b->m.path = (rutGoalPath){.pieces = 1, .length = {10}};
  rut_goal_look_along(&b->v);
  assert_near(b->m.sight, 2, 1e-9);
  // in reverse all of it is known, as far as its rear is within -12.25 m
  b->m.path.length[0] = -10;
  rut_goal_look_along(&b->v);
  assert_true(b->m.sight == RUT_NO_LIMIT);
  b->m.path.length[0] = -14;
  rut_goal_look_along(&b->v);
  assert_near(b->m.sight, 10.25, CELL + 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rings), cmocka_unit_test(test_gaps),
                                     cmocka_unit_test(test_start), cmocka_unit_test(test_edge)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
