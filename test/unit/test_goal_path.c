// SPDX-License-Identifier: BSD-3-Clause
//
// What drive_to_goal follows and remembers: offsets from arcs and lines in closed form, an offset
// that dies as (a + b s) exp(-s/d) in both gears, what is left of a path and what it costs, the
// memory against a plain map of the world, a way around a wall against its geometry, no way where
// there is none, and the distance of a rectangle from cells.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "assert_near.h"
#include "base/rng.h"
#include "control/goal_drive.h"
#include "control/goal_plan.h"

static uint32_t draws;
static double uniform(void) { return rut_uniform(5, 1, 0, draws++); }

// ---- paths ----

static void test_errors(void** state) {
  (void)state;
  // a line along x, then a quarter of a circle of 10 m to the left, then back on it
  rutGoalPath p = {.from = {1, 2, 0}, .pieces = 3, .length = {20, 5 * RUT_PI, -4}};
  p.curvature[1] = p.curvature[2] = 0.1;
  assert_near(rut_goal_path_left(&p, false), 24 + 5 * RUT_PI, 1e-12);
  assert_near(rut_goal_path_left(&p, true), 20 + 5 * RUT_PI, 1e-12);
  rutPlanPose at = {8, 2.5, 0.1};
  rutGoalError e = rut_goal_path_find(&p, &at, false, 0.1);
  assert_near(e.offset, 0.5, 1e-12);
  assert_near(e.heading, 0.1, 1e-12);
  assert_near(p.along, 7, 1e-12);
  // 30 degrees on along the circle about (21, 12), 1 m inside of it
  at = (rutPlanPose){21 + 9 * sin(RUT_PI / 6), 12 - 9 * cos(RUT_PI / 6), RUT_PI / 6 + 2 * RUT_PI};
  e = rut_goal_path_find(&p, &at, false, 0.1);
  assert_near(p.piece, 1, 0);
  assert_near(p.along, 10 * RUT_PI / 6, 1e-9);
  assert_near(e.offset, 1, 1e-9);
  assert_near(e.heading, 0, 1e-9);
  // at the change of gear it waits until it stands
  at = rut_goal_path_start(&p, 2);
  rut_goal_path_find(&p, &at, false, 0.1);
  assert_near(p.piece, 1, 0);
  rut_goal_path_find(&p, &at, true, 0.1);
  assert_near(p.piece, 2, 0);
  const rutPlanPose end = rut_goal_path_ahead(&p, 100);
  assert_near(end.x, 31 - 10 * (1 - cos(0.4)), 1e-9);
  assert_near(end.y, 12 - 10 * sin(0.4), 1e-9);
}

// Poses along a line, a quarter of a circle to the left and a way back on it.
static void test_poses(void** state) {
  (void)state;
  enum { N = 64 };
  rutGoalPath p = {.from = {1, 2, 0}, .pieces = 3, .length = {2, RUT_PI, -0.5 * RUT_PI}};
  p.curvature[1] = p.curvature[2] = 0.5;
  double pose[N][3];
  int n = rut_goal_path_poses(&p, 0.25, N, pose);
  // 2/0.25, 3.14/0.25 and 1.57/0.25 rounded up, and the end
  assert_int_equal(n, 8 + 13 + 7 + 1);
  for (int i = 0; i < 8; i++) assert_near(pose[i][0], 1 + 0.25 * i, 1e-12);
  // about (3, 4) with a radius of 2: 90 degrees there, 45 back
  for (int i = 8; i <= 21; i++) {
    const double turn = RUT_PI / 2 * (i - 8) / 13;
    assert_near(pose[i][0], 3 + 2 * sin(turn), 1e-12);
    assert_near(pose[i][1], 4 - 2 * cos(turn), 1e-12);
    assert_near(pose[i][2], turn, 1e-12);
  }
  assert_near(pose[n - 1][0], 3 + sqrt(2), 1e-12);
  assert_near(pose[n - 1][1], 4 - sqrt(2), 1e-12);
  assert_near(pose[n - 1][2], RUT_PI / 4, 1e-12);
  // where there is little room they are further apart, and the end is the same
  const double end = pose[n - 1][0];
  n = rut_goal_path_poses(&p, 1e-3, 10, pose);
  assert_in_range(n, 5, 10);
  assert_near(pose[n - 1][0], end, 1e-12);
  // a path without pieces is its start
  p.pieces = 0;
  assert_int_equal(rut_goal_path_poses(&p, 0.25, N, pose), 1);
  assert_near(pose[0][1], 2, 0);
}

static void test_price(void** state) {
  (void)state;
  rutGoalPath p = {.pieces = 3, .length = {10, -3, 5}, .along = 4};
  // 6 m forward, 3 in reverse at four times that, 5 forward, and two changes of 8 m
  assert_near(rut_goal_path_price(&p, 1, 8), 6 + 12 + 5 + 16, 1e-12);
  assert_near(rut_goal_path_price(&p, -1, 8), 6 + 12 + 5 + 24, 1e-12);
  p.piece = 1;
  p.along = 1;
  assert_near(rut_goal_path_price(&p, -1, 8), 8 + 5 + 8, 1e-12);
}

// Drive along a line from beside it: e(s) = (a + b s) exp(-s/d) with a = e(0), b = psi(0) + a/d. On
// an arc of curvature k a parallel one has the curvature k/(1 - k e) = k + k^2 e + ..., so that
// e'' + 2 e'/d + (1/d^2 + k^2) e = 0, e(s) = (a cos k s + b sin k s / k) exp(-s/d).
static void follow(double gear, double curvature) {
  enum { STEPS = 20000 };
  const double d = 3, length = 12, step = gear * length / STEPS;
  rutGoalPath p = {.pieces = 1, .length = {gear * 200}, .curvature = {curvature}};
  const double offset = 0.02, turn = 0.01;
  rutPlanPose at = {0, offset, turn};
  for (int i = 0; i < STEPS; i++) {
    const rutGoalError e = rut_goal_path_find(&p, &at, false, 0.1);
    at = rut_plan_drive(&at, step, rut_goal_curvature(&p, e, d));
  }
  const rutGoalError e = rut_goal_path_find(&p, &at, false, 0.1);
  // in reverse the way runs backwards: the heading counts the other way
  const double b = gear * turn + offset / d;
  const double swing = curvature > 0 ? sin(curvature * length) / curvature : length;
  const double expected = offset * cos(curvature * length) + b * swing;
  assert_near(e.offset, expected * exp(-length / d), 2e-5);
}

static void test_follow(void** state) {
  (void)state;
  follow(1, 0);
  follow(-1, 0);
  follow(1, 0.05);
  follow(-1, 0.05);
}

// ---- memory ----

static void test_memory(void** state) {
  (void)state;
  enum { WORDS = 3, SIDE = WORDS * RUT_GOAL_WORD, WORLD = 400, STRIDE = 2 };
  static uint8_t truth[WORLD][WORLD], cell[SIDE * SIDE];
  static double word[STRIDE * WORDS * SIDE];
  int corner[2] = {0, 0};
  for (int cost = 0; cost < 40; cost++) {
    const int kept = rut_goal_cost(rut_goal_value(cost));
    // never cheaper, and free and blocked as they are
    assert_true(cost == 0 || cost > 32 ? kept == (cost == 0 ? 0 : 32) : kept >= cost);
    assert_true(cost != 1 || kept == 1);
  }
  for (int round = 0; round < 200; round++) {
    const int middle[2] = {(int)(120 * uniform()) - 60, (int)(120 * uniform()) - 60};
    rutGoalMemory m = {.words = WORDS, .cell = cell};
    rut_goal_memory_corner(WORDS, middle, m.corner);
    assert_true(m.corner[0] % RUT_GOAL_WORD == 0 && abs(m.corner[0] + SIDE / 2 - middle[0]) <= 16);
    rut_goal_memory_read(&m, corner, STRIDE, word);
    for (int j = 0; j < WORLD; j++) {
      for (int i = 0; i < WORLD; i++) {
        const int x = i - 200 - m.corner[0], y = j - 200 - m.corner[1];
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE) {
          truth[j][i] = RUT_GOAL_UNKNOWN;
          continue;
        }
        assert_int_equal(cell[y * SIDE + x], truth[j][i]);
        if (uniform() < 0.1) cell[y * SIDE + x] = truth[j][i] = (uint8_t)(8 * uniform());
      }
    }
    rut_goal_memory_write(&m, STRIDE, word);
    memcpy(corner, m.corner, sizeof corner);
  }
}

// ---- plans ----

typedef struct Bench {
  rutLocalMap map;
  rutGoalMemory memory;
  rutGoalWork work;
  rutGoalCar car;
  void* block;
} Bench;

// A map of 40 m about the origin, all of it free.
static Bench bench(void) {
  Bench b = {.car = {.footprint = {3, 1, 2},
                     .margin = 0.25,
                     .radius = 4,
                     .comfort = 1,
                     .horizon = 15,
                     .nodes = 20000}};
  rutLocalMapDef def = rut_default_local_map();
  def.side = 160;
  const rutGoalSize size = {def.side, def.resolution, 16, 16};
  const size_t bytes = rut_goal_work(&size, &b.car, NULL, &b.work, NULL);
  assert_true(bytes > 0);
  b.block = calloc(1, bytes + 64);
  assert_non_null(b.block);
  rut_goal_work(&size, &b.car, (void*)(((uintptr_t)b.block + 63) & ~(uintptr_t)63), &b.work, NULL);
  assert_int_equal(rut_local_map_begin(&b.map, &def, b.work.cell, NULL), RUT_OK);
  rut_local_map_move(&b.map, 0, 0);
  return b;
}

// Block a rectangle of ground [m].
static void block(Bench* b, double x0, double y0, double x1, double y1) {
  const double r = b->map.def.resolution;
  for (int k = 0; k < b->map.def.side * b->map.def.side; k++) {
    const double x = (b->map.corner[0] + k % b->map.def.side + 0.5) * r;
    const double y = (b->map.corner[1] + k / b->map.def.side + 0.5) * r;
    rutLocalCell* c = (rutLocalCell*)(uintptr_t)rut_local_map_at(&b->map, x, y);
    if (x > x0 && x < x1 && y > y0 && y < y1) c->log_odds = b->map.def.most;
  }
}

static rutGoalAnswer plan_with(Bench* b, double margin, rutPlanPose from, double x, double y,
                               rutGoalPath* path, double* rest) {
  const rutLocalLimits limits = rut_default_local_limits();
  rut_local_map_costs(&b->map, &limits, b->work.cost);
  const int middle[2] = {0, 0};
  b->memory = (rutGoalMemory){.words = 16, .cell = b->work.remembered};
  rut_goal_memory_corner(16, middle, b->memory.corner);
  memset(b->work.remembered, 0, 256 * 256);
  rut_goal_memory_take(&b->memory, &b->map, b->work.cost);
  rutGoalTask task = {.map = &b->map,
                      .memory = &b->memory,
                      .car = &b->car,
                      .from = from,
                      .target = {.x = x, .y = y, .radius = 1},
                      .margin = margin,
                      .gear = 1};
  // call after call, each of which comes further, until there is an answer
  for (;;) {
    const int before = task.search;
    const rutGoalAnswer answer = rut_goal_plan(&task, &b->work, path, rest, &task.search);
    if (answer != RUT_GOAL_GOES_ON) {
      assert_int_equal(task.search, 0);
      return answer;
    }
    assert_true(task.search > before);
  }
}

static rutGoalAnswer plan(Bench* b, rutPlanPose from, double x, double y, rutGoalPath* path,
                          double* rest) {
  return plan_with(b, b->car.margin, from, x, y, path, rest);
}

static void test_plans(void** state) {
  (void)state;
  Bench b = bench();
  rutGoalPath path = {0};
  double rest = -1;
  // on open ground straight to the goal
  assert_int_equal(plan(&b, (rutPlanPose){-5, 0.125, 0}, 5, 0.125, &path, &rest), RUT_GOAL_FOUND);
  assert_near(rut_goal_path_left(&path, false), 10, 0.2);
  assert_near(rest, 0, 0);
  const rutPlanPose end = rut_goal_path_ahead(&path, 100);
  assert_near(hypot(end.x - 5, end.y - 0.125), 0, 0.3);
  // further than the horizon a part of the way is left; what is outside is free
  assert_int_equal(plan(&b, (rutPlanPose){0, 0, 0}, 60, 0, &path, &rest), RUT_GOAL_FOUND);
  assert_near(rut_goal_path_left(&path, false) + rest, 60, 1);
  // a wall at x = 4 that reaches down to y = -6: by geometry the way is hypot(4, 6) + hypot(5, 6)
  block(&b, 4, -6, 5, 30);
  assert_int_equal(plan(&b, (rutPlanPose){0, 0, -0.9}, 10, 0, &path, &rest), RUT_GOAL_FOUND);
  const double left = rut_goal_path_left(&path, false) + rest;
  const double shortest = hypot(4, 6) + 1 + hypot(5, 6);
  assert_true(left > shortest - 1.5 && left < 1.5 * shortest);
  // every place of the path is free
  const rutPlanGround ground = rut_goal_ground(&b.map, &b.work);
  for (double way = 0; way < rut_goal_path_left(&path, false); way += 0.05) {
    const rutPlanPose at = rut_goal_path_ahead(&path, way);
    assert_false(rut_plan_collides(&ground, &b.car.footprint, &at));
  }
  // closed all around there is no way; with a gap as wide as half of the vehicle neither
  block(&b, -12, -13, 5, -12);
  block(&b, -12, 12, 5, 13);
  block(&b, -13, -13, -12, 13);
  block(&b, 4, -12.5, 5, -7);
  assert_int_equal(plan(&b, (rutPlanPose){0, 0, 0}, 10, 0, &path, &rest), RUT_GOAL_NO_WAY);
  block(&b, 4, -7, 5, -6);
  assert_int_equal(plan(&b, (rutPlanPose){0, 0, 0}, 10, 0, &path, &rest), RUT_GOAL_NO_WAY);
  free(b.block);
}

// A goal 1 m beside a wall: half of the vehicle and its margin are 1.25 m, so that it ends beside
// the goal, within its radius, and not short of it.
static void test_goal_beside_a_wall(void** state) {
  (void)state;
  static const rutPlanPose from[] = {{-9, -1, 0}, {-6, -2, 0}, {-4.5, -1, -0.1}, {4, -7, 1.6}};
  Bench b = bench();
  rutGoalPath path = {0};
  block(&b, -20, 1, 20, 2);
  for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
    double rest = -1;
    assert_int_equal(plan(&b, from[i], 0, 0, &path, &rest), RUT_GOAL_FOUND);
    assert_near(rest, 0, 0);
    const rutPlanPose end = rut_goal_path_ahead(&path, 100);
    assert_true(hypot(end.x, end.y) <= 1);
    for (int corner = 0; corner < 4; corner++) {
      const double x = corner < 2 ? 3 : -1, y = corner % 2 == 0 ? 1 : -1;
      assert_true(end.y + sin(end.yaw) * x + cos(end.yaw) * y <= 1 - b.car.margin + 1e-9);
    }
  }
  // between two walls there is no room for the margin: nothing short of the goal is proposed then
  double rest = -1;
  const rutPlanPose before = {-7.4, 0, 0};
  Bench narrow = bench();
  block(&narrow, -3, 1.25, 8, 2);
  block(&narrow, -3, -2, 8, -1.25);
  assert_int_equal(plan(&narrow, before, 0, 0, &path, &rest), RUT_GOAL_NO_MANOEUVRE);
  assert_int_equal(plan_with(&narrow, 0, before, 0, 0, &path, &rest), RUT_GOAL_FOUND);
  assert_near(rest, 0, 0);
  free(narrow.block);
  free(b.block);
}

static void test_clearance(void** state) {
  (void)state;
  Bench b = bench();
  const rutLocalLimits limits = rut_default_local_limits();
  rut_local_map_costs(&b.map, &limits, b.work.cost);
  const rutPlanGround ground = rut_goal_ground(&b.map, &b.work);
  const rutPlanPose at = {0, 0, 0}, turned = {0, 0, RUT_PI / 2};
  assert_true(isinf(rut_goal_clearance(&ground, &b.car.footprint, &at)));
  // one cell, whose middle is at (6.125, 5.125): 3.125 ahead of the front and 4.125 aside
  block(&b, 6, 5, 6.25, 5.25);
  rut_local_map_costs(&b.map, &limits, b.work.cost);
  assert_near(rut_goal_clearance(&ground, &b.car.footprint, &at), hypot(3.125, 4.125) - 0.125,
              1e-9);
  assert_near(rut_goal_clearance(&ground, &b.car.footprint, &turned), hypot(2.125, 5.125) - 0.125,
              1e-9);
  // 1.875 within the front and 0.375 within the left side
  block(&b, 1, 0.5, 1.25, 0.75);
  rut_local_map_costs(&b.map, &limits, b.work.cost);
  assert_near(rut_goal_clearance(&ground, &b.car.footprint, &at), -sqrt(1.875 * 0.375) - 0.125,
              1e-9);
  free(b.block);
}

// A vehicle off its path, which is free, with a block on the way that it takes back to it: the
// footprint is 2 m wide, 1 m off to the left, so that what is 1.5 m beside the path is in its way.
// Freeing itself it comes no nearer to what it stands in.
static void test_looks_along(void** state) {
  (void)state;
  Bench b = bench();
  const rutLocalLimits limits = rut_default_local_limits();
  rutGoalState m = {.driving = 1, .blocked = 0, .path = {.pieces = 1, .length = {10}}};
  rutGoalParam p = {.resolution = b.map.def.resolution, .deceleration = 1};
  rutGoalVehicle v = {.p = &p, .m = &m, .map = b.map, .car = b.car, .work = b.work, .steering = 4};
  block(&b, 3.5, 1.5, 3.75, 1.75);
  rut_local_map_costs(&b.map, &limits, b.work.cost);
  v.pose = (rutPlanPose){0, 0, 0};
  rut_goal_look_along(&v);
  assert_true(m.blocked == RUT_NO_LIMIT);
  v.pose = (rutPlanPose){0, 1, 0};
  rut_goal_look_along(&v);
  // its front is 3 m ahead
  assert_true(m.blocked <= 0.75 + b.map.def.resolution);
  // at 3 m/s it does not stop where its path ends, but 4.5 m further
  m.path.length[0] = 0.1;
  rut_goal_look_along(&v);
  assert_true(m.blocked == RUT_NO_LIMIT);
  v.speed = 3;
  rut_goal_look_along(&v);
  assert_true(m.blocked <= 0.75 + b.map.def.resolution);
  v.speed = 0;
  // in the block by 0.5 m: backwards out of it, not deeper into it
  m.backing = 1;
  m.path = (rutGoalPath){.from = {1, 1, 0}, .pieces = 1, .length = {-1}};
  v.pose = (rutPlanPose){1, 1, 0};
  // not over ground that was not seen, but for lidars that see none
  rut_goal_look_along(&v);
  assert_true(m.blocked == 0);
  v.map.def.level = true;
  rut_goal_look_along(&v);
  assert_true(m.blocked == RUT_NO_LIMIT);
  m.path.length[0] = 1;
  rut_goal_look_along(&v);
  assert_true(m.blocked == 0);
  free(b.block);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors),    cmocka_unit_test(test_price),
      cmocka_unit_test(test_follow),    cmocka_unit_test(test_memory),
      cmocka_unit_test(test_plans),     cmocka_unit_test(test_goal_beside_a_wall),
      cmocka_unit_test(test_clearance), cmocka_unit_test(test_looks_along),
      cmocka_unit_test(test_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
