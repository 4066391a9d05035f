// SPDX-License-Identifier: BSD-3-Clause
//
// Which ground a vehicle that drives to a goal knows: rings of beams on level ground in closed
// form, gaps between measured places on either side of their limits, the ground that it stood on
// at first, by drops, slopes and domes behind that, from where a lidar stands and is pitched, an
// edge whose first cells become occupied, and the way to it along a path.
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

// Beams of 24, 22 and -3 degrees below the plane of a lidar, 2 m above the ground, of a vehicle
// that heads up a slope and leans.
static void test_rings(void** state) {
  (void)state;
  const double degree = RUT_PI / 180, below[] = {24, 22, -3, 24};
  double xyz[3][4];
  for (int k = 0; k < 4; k++) {
    xyz[0][k] = 5 * cos(below[k] * degree);
    xyz[1][k] = 0;
    xyz[2][k] = -5 * sin(below[k] * degree);
  }
  Bench* b = bench();
  rutControlReading reading[3];
  for (int i = 0; i < 3; i++) reading[i] = (rutControlReading){xyz[i], RUT_F64, 4, 1, 0};
  const rutControlIn in = {.lanes = 1, .reading = reading};
  b->v.x = 3;
  b->v.z = 1;
  b->v.pitch = -0.1;  // its nose is up
  b->v.roll = 0.2;    // and its left side
  b->v.yaw = 0.5 * RUT_PI;
  rut_goal_begin_ground(&b->v, &in, 0);
  assert_near(b->m.steepest, 24 * degree, 1e-12);
  // rings 2 degrees apart are at most 0.5 m apart up to here
  assert_near(b->m.ring, sqrt(0.5 * 2 / (2 * degree) - 4), 1e-9);
  assert_near(b->m.start.x, 3, 0);
  assert_near(b->m.start.z, 1, 0);
  // it heads along y, and left of it is -x
  assert_near(b->m.start.slope[0], -tan(0.2), 1e-12);
  assert_near(b->m.start.slope[1], tan(0.1), 1e-12);
  // it began here, whatever it sees later
  b->v.x = 9;
  rut_goal_begin_ground(&b->v, &in, 0);
  assert_near(b->m.start.x, 3, 0);
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

static const double FROM_4_M = 0.46364760900080612;  // atan(2 m/4 m)

// How far ahead of the vehicle and behind it ground is known [m], by steps of 5 cm.
static double known_to(const Bench* b, double direction) {
  double way = 0;
  while (way < 20 && rut_goal_is_known(&b->v, direction * way, 0)) way += 0.05;
  return way;
}

// Level ground is seen from 4 m on: nearer it is known where ground goes on behind it.
static void test_start(void** state) {
  (void)state;
  Bench* b = bench();
  b->m.steepest = FROM_4_M;
  measure(b, (const double[]){4.5, 8}, (const double[]){-1, 1}, 0);
  assert_true(rut_goal_is_known(&b->v, 3, 0));
  assert_false(rut_goal_is_known(&b->v, -3, 0));
  assert_false(rut_goal_is_known(&b->v, 0, 3));
  // all that it stands on, 4 m by 2 m and a cell
  assert_near(known_to(b, -1), 2 + CELL, 0.06);
  assert_true(rut_goal_is_known(&b->v, -1.9, 1.2));
  assert_false(rut_goal_is_known(&b->v, -1.9, -1.3));
  // that is so about its first place alone, as it stood there
  b->m.start.yaw = 0.5 * RUT_PI;
  assert_true(rut_goal_is_known(&b->v, 1.2, -1.9));
  b->m.start.x = -20;
  assert_false(rut_goal_is_known(&b->v, 3, 0));
}

// Behind what it does not see the ground may be lower: after a drop it is as low all along, while a
// slope or a dome, of radius R, x^2/(2 R) lower, falls further. Higher ground is no drop.
static void test_ground_goes_on(void** state) {
  (void)state;
  enum { LEVEL, STEP_UP, DROP, DROPS = DROP + 3, DOME = DROPS, SLOPE, CASES };
  for (int k = 0; k < CASES; k++) {
    Bench* b = bench();
    b->m.steepest = FROM_4_M;
    for (double x = 4.75; x < 10; x += CELL) {
      const double z = k == LEVEL     ? -0.19
                       : k == STEP_UP ? 0.5
                       : k < DROPS    ? -0.3 * (k - DROP + 1)
                       : k == DOME    ? -x * x / 60
                                      : -0.2 * (x - 2.5);
      measure(b, (const double[]){x, x + CELL}, (const double[]){-1, 1}, z);
    }
    assert_int_equal(rut_goal_is_known(&b->v, 3, 0), k < DROP || k >= DROPS);
  }
  // up a slope, 1 in 2, ground goes on along that, and level from right before the vehicle on, but
  // not 1 m lower
  for (int k = 0; k < 3; k++) {
    Bench* b = bench();
    b->m.steepest = FROM_4_M;
    b->m.start.slope[0] = 0.5;
    for (double x = 4.5; x < 10; x += CELL) {
      const double z = k == 0 ? 0.5 * x : k == 1 ? 0 : -1;
      measure(b, (const double[]){x, x + CELL}, (const double[]){-1, 1}, z);
    }
    assert_int_equal(rut_goal_is_known(&b->v, 3, 0), k < 2);
  }
}

// A lidar 1.5 m ahead sees level ground from 5.5 m on, and behind it from 2.5 m; one that is
// pitched down by p sees it ahead from 2 m/tan(e + p) on, behind from 2 m/tan(e - p).
static void test_place_of_the_lidar(void** state) {
  (void)state;
  Bench* b = bench();
  b->m.steepest = FROM_4_M;
  b->p.lidar_x = 1.5;
  measure(b, (const double[]){7, 9}, (const double[]){-1, 1}, 0);
  measure(b, (const double[]){-9, -4}, (const double[]){-1, 1}, 0);
  assert_near(known_to(b, 1), 1.5 + 1.05 * 4 + CELL, 0.06);
  assert_true(rut_goal_is_known(&b->v, -2.6, 0));
  b = bench();
  b->m.steepest = FROM_4_M;
  b->p.lidar_pitch = 0.1;
  measure(b, (const double[]){4.25, 9}, (const double[]){-1, 1}, 0);
  measure(b, (const double[]){-12, -7}, (const double[]){-1, 1}, 0);
  assert_near(known_to(b, 1), 1.05 * 2 / tan(FROM_4_M + 0.1) + CELL, 0.06);
  assert_near(known_to(b, -1), 1.05 * 2 / tan(FROM_4_M - 0.1) + CELL, 0.06);
}

// Ground to x = 4, and again from 8 m on, 4 m deeper.
static void test_edge(void** state) {
  (void)state;
  Bench* b = bench();
  b->m.steepest = FROM_4_M;
  b->m.ring = 6;
  b->m.start.x = -100;
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rings),
                                     cmocka_unit_test(test_gaps),
                                     cmocka_unit_test(test_start),
                                     cmocka_unit_test(test_ground_goes_on),
                                     cmocka_unit_test(test_place_of_the_lidar),
                                     cmocka_unit_test(test_edge)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
