// SPDX-License-Identifier: BSD-3-Clause
//
// The cheapest way ahead: means of costs against sums over a triangle, the middle of a trail as the
// cheapest place, straight ways over equal ground and along a straight trail, costs of ways along
// ribbons in closed form, a bend followed, mirrored ways on mirrored ground, walls, dead ends.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "assert_near.h"
#include "base/rng.h"
#include "control/trail_plan.h"

enum { SIDE = 120, NODES = 30000 };
static const double CELL = 0.25;
static const rutTrailCar car = {.footprint = {2, 1, 1.8},
                                .margin = 0.2,
                                .radius = 5,
                                .weight = 10,
                                .reach = 2.5,
                                .horizon = 11,
                                .ahead = 1.2,
                                .nodes = NODES};

typedef struct Bench {
  void* memory;
  rutTrailWork work;
  rutPlanGround ground;
} Bench;

static Bench begin(void) {
  Bench b = {0};
  const size_t bytes = rut_trail_work(SIDE, NODES, NULL, &b.work);
  b.memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  assert_non_null(b.memory);
  rut_trail_work(SIDE, NODES, b.memory, &b.work);
  b.ground = (rutPlanGround){.grid = {SIDE, SIDE, b.work.cost, false},
                             .resolution = CELL,
                             .origin = {-0.5 * SIDE * CELL, -0.5 * SIDE * CELL}};
  for (int k = 0; k < SIDE * SIDE; k++) {
    b.work.cost[k] = 1;
    b.work.raw[k] = b.work.known[k] = 1;
  }
  return b;
}

static double x_of(int k) { return (k % SIDE + 0.5 - 0.5 * SIDE) * CELL; }
static double y_of(int k) { return (k / SIDE + 0.5 - 0.5 * SIDE) * CELL; }

static void test_means(void** state) {
  (void)state;
  Bench b = begin();
  uint32_t draws = 0;
  for (int k = 0; k < SIDE * SIDE; k++) {
    b.work.raw[k] = 1 + 9 * rut_uniform(7, 1, 0, draws++);
    b.work.known[k] = rut_uniform(7, 1, 0, draws++) < 0.6 ? 1 : 0;
  }
  const double all = rut_trail_smooth(CELL, 1.5, &b.work);
  double mean = 0, count = 0;
  for (int k = 0; k < SIDE * SIDE; k++) {
    if (b.work.known[k] > 0) mean += b.work.raw[k];
    count += b.work.known[k];
  }
  assert_near(all, mean / count, 1e-9);
  // cells at 1.5 m have no weight, 36 x 36 of them are all of it, a fiftieth more for the mean of
  // all
  static const int at[][2] = {{60, 60}, {31, 77}, {2, 118}, {0, 0}};
  for (int c = 0; c < 4; c++) {
    double sum = 0.02 * 1296 * mean / count, weight = 0.02 * 1296;
    for (int j = 0; j < SIDE; j++) {
      for (int i = 0; i < SIDE; i++) {
        const int a = 6 - abs(i - at[c][0]), d = 6 - abs(j - at[c][1]);
        if (a <= 0 || d <= 0 || b.work.known[j * SIDE + i] == 0) continue;
        sum += a * d * b.work.raw[j * SIDE + i];
        weight += a * d;
      }
    }
    assert_near(b.work.smooth[at[c][1] * SIDE + at[c][0]], sum / weight, 1e-9);
  }
  free(b.memory);
}

// Ribbon of a half-width about a line at a height y.
static void make_straight(Bench* b, double y, double half, double dear) {
  for (int k = 0; k < SIDE * SIDE; k++) {
    b->work.raw[k] = y_of(k) > y - half && y_of(k) < y + half ? 1 : dear;
  }
  rut_trail_smooth(CELL, car.reach, &b->work);
}

static void test_straight(void** state) {
  (void)state;
  Bench b = begin();
  rut_trail_smooth(CELL, car.reach, &b.work);
  const rutPlanPose from = {-4, 1, 0.3};
  rutGoalPath path;
  double mean;
  // equal ground: straight ahead, one piece, a cost of one per metre
  assert_true(rut_trail_plan(&b.ground, &car, &from, &b.work, &path, &mean));
  assert_near(path.pieces, 1, 0);
  assert_near(path.curvature[0], 0, 0);
  assert_near(mean, 1, 1e-9);
  // a straight trail of 4 m: its middle costs least, the same on both sides, more further out
  make_straight(&b, 0, 2, 8);
  const double least = rut_trail_cost_at(&b.ground, &b.work, 0, 0);
  double before = least;
  for (int i = 1; i <= 30; i++) {
    const double left = rut_trail_cost_at(&b.ground, &b.work, 0, 0.1 * i);
    assert_near(rut_trail_cost_at(&b.ground, &b.work, 0, -0.1 * i), left, 1e-12);
    assert_true(left >= before - 1e-12 && (i < 2 || left > least + 1e-3));
    before = left;
  }
  // weights across are 10, then 9, 8, ... 1 on either side, 100 in all. Of the two rows in the
  // middle of 16 each has those of 2 and 1 off the trail on its own side, that of 1 on the other; a
  // fiftieth is the mean of all
  const double own = (96 + 4 * 8) / 100.0, all = (16 + 104 * 8) / 120.0;
  assert_near(least, (own + 0.02 * all) / 1.02, 1e-9);
  const rutPlanPose on = {-4, 0, 0};
  assert_true(rut_trail_plan(&b.ground, &car, &on, &b.work, &path, &mean));
  assert_near(path.pieces, 1, 0);
  assert_near(path.curvature[0], 0, 0);
  assert_near(mean, least, 1e-9);
  // beside it, it comes to it: at its end nearer than half of where it began
  const rutPlanPose off = {-4, -1.5, 0};
  assert_true(rut_trail_plan(&b.ground, &car, &off, &b.work, &path, &mean));
  const rutPlanPose end = rut_goal_path_ahead(&path, 1e3);
  assert_true(end.y > -0.75 && end.y < 0.75);
  free(b.memory);
}

// A trail about a circle of 12 m through the origin, left (1) or right (-1).
static void make_bend(Bench* b, double side) {
  for (int k = 0; k < SIDE * SIDE; k++) {
    const double away = rut_hypot(x_of(k), y_of(k) - side * 12) - 12;
    b->work.raw[k] = rut_abs(away) < 1.8 ? 1 : 12;
  }
  rut_trail_smooth(CELL, car.reach, &b->work);
}

static void test_bend(void** state) {
  (void)state;
  rutGoalPath path[2];
  double mean[2];
  for (int i = 0; i < 2; i++) {
    const double side = i == 0 ? 1 : -1;
    Bench b = begin();
    make_bend(&b, side);
    const rutPlanPose from = {0, 0, 0};
    assert_true(rut_trail_plan(&b.ground, &car, &from, &b.work, &path[i], &mean[i]));
    double sum = 0, most = 0;
    int n = 0;
    for (double way = 0; way < rut_goal_path_left(&path[i], false); way += 0.1, n++) {
      const rutPlanPose at = rut_goal_path_ahead(&path[i], way);
      const double off = rut_hypot(at.x, at.y - side * 12) - 12;
      sum += off * off;
      most = rut_max(most, rut_abs(off));
    }
    // within the trail, mostly about its middle
    assert_true(most < 1);
    assert_true(rut_sqrt(sum / n) < 0.5);
    free(b.memory);
  }
  // mirrored ground, mirrored way
  assert_near(path[1].pieces, path[0].pieces, 0);
  assert_near(mean[1], mean[0], 1e-9);
  for (int i = 0; i < (int)path[0].pieces; i++) {
    assert_near(path[1].length[i], path[0].length[i], 1e-12);
    assert_near(path[1].curvature[i], -path[0].curvature[i], 1e-15);
  }
}

static void test_walls(void** state) {
  (void)state;
  Bench b = begin();
  rut_trail_smooth(CELL, car.reach, &b.work);
  // a wall across, 6 m ahead, with a gap of 4 m about y = 3
  for (int k = 0; k < SIDE * SIDE; k++) {
    if (x_of(k) > 2 && x_of(k) < 2.5 && !(y_of(k) > 1 && y_of(k) < 5)) b.work.cost[k] = 0;
  }
  const rutPlanPose from = {-6, 0, 0};
  rutGoalPath path;
  double mean;
  assert_true(rut_trail_plan(&b.ground, &car, &from, &b.work, &path, &mean));
  for (double way = 0; way < rut_goal_path_left(&path, false); way += 0.05) {
    const rutPlanPose at = rut_goal_path_ahead(&path, way);
    assert_false(rut_plan_collides(&b.ground, &car.footprint, &at));
    if (at.x > 2 && at.x < 2.5) assert_true(at.y > 1.9 && at.y < 4.1);
  }
  // and without one
  for (int k = 0; k < SIDE * SIDE; k++) {
    if (x_of(k) > 2 && x_of(k) < 2.5) b.work.cost[k] = 0;
  }
  rutTrailCar ahead = car;
  ahead.ahead = 0.8;
  assert_false(rut_trail_plan(&b.ground, &ahead, &from, &b.work, &path, &mean));
  free(b.memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_means), cmocka_unit_test(test_straight),
                                     cmocka_unit_test(test_bend), cmocka_unit_test(test_walls)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
