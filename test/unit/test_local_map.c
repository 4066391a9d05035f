// SPDX-License-Identifier: BSD-3-Clause
//
// The local map: sums of log-odds and their limits, the plane of exact points, steps and roughness
// in closed form, obstacles by pairs of points on either side of their limits, cells of beams
// against clipping them with every cell, the moving window against a map without a window, and the
// same bits for points in any order.
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
#include "math/rut_math.h"
#include "rut/local_map.h"

enum { SIDE = 32, CELLS = RUT_LOCAL_MAP_CELLS(SIDE), MOST = 4096 };

static const double HIT = 868.0 / 1024, MISS = 415.0 / 1024;  // ln(7/3), ln(3/2) to 4e-4

static uint32_t draws;
static double uniform(void) { return rut_uniform(11, 1, 0, draws++); }

typedef struct Fixture {
  rutLocalMap map;
  rutLocalCell cell[CELLS];
  rutLocalScan scan;
  double x[MOST], y[MOST], z[MOST], from[3][MOST];
} Fixture;

static Fixture* fixture(rutLocalMapDef def) {
  static Fixture f;
  memset(&f, 0, sizeof f);
  def.side = SIDE;
  assert_int_equal(rut_local_map_begin(&f.map, &def, f.cell, NULL), RUT_OK);
  f.scan = (rutLocalScan){
      .x = f.x, .y = f.y, .z = f.z, .from_x = f.from[0], .from_y = f.from[1], .from_z = f.from[2]};
  rut_local_map_move(&f.map, 0.01, 0.01);
  return &f;
}

static void beam(Fixture* f, const double from[3], double x, double y, double z) {
  const int k = f->scan.n++;
  f->x[k] = x;
  f->y[k] = y;
  f->z[k] = z;
  for (int i = 0; i < 3; i++) f->from[i][k] = from[i];
}

static void take(Fixture* f) {
  rut_local_map_scan(&f->map, &f->scan);
  f->scan.n = 0;
}

static double log_odds(const Fixture* f, double x, double y) {
  return rut_local_map_at(&f->map, x, y)->log_odds;
}

// ---- log-odds ----

// A wall 2.1 m away, of which a point at the ground and one at 1 m are seen.
static void see_wall(Fixture* f) {
  const double eye[3] = {0.1, 0.1, 1};
  beam(f, eye, 2.1, 0.1, 0);
  beam(f, eye, 2.1, 0.1, 1);
  take(f);
}

static void test_log_odds(void** state) {
  (void)state;
  assert_near(HIT, log(0.7 / 0.3), 5e-4);
  assert_near(MISS, log(0.6 / 0.4), 5e-4);
  Fixture* f = fixture(rut_default_local_map());
  for (int n = 1; n <= 6; n++) {
    see_wall(f);
    assert_near(log_odds(f, 2.1, 0.1), fmin(n * HIT, 3.5), 1e-12);
    assert_near(log_odds(f, 1.1, 0.1), fmax(-n * MISS, -2), 1e-12);
    assert_int_equal(rut_local_map_occupied(&f->map, 2.1, 0.1), n >= 2);
  }
  assert_false(rut_local_map_occupied(&f->map, 1.1, 0.1));
  assert_null(rut_local_map_at(&f->map, 100, 0));
  assert_false(rut_local_map_occupied(&f->map, 100, 0));

  // beams above it change nothing, those through it do: 3.5 - 0.405 n falls to 0.85 after 7
  const double eye[3] = {0.1, 0.1, 1}, above[3] = {0.1, 0.1, 1.2};
  beam(f, above, 3.1, 0.1, 1.2);
  take(f);
  // nor do those that are above it on a part of its cell, going down or up
  const double high[3] = {0.1, 0.1, 1.5}, low[3] = {0.1, 0.1, 0.5};
  beam(f, high, 3.1, 0.1, 0.75);
  take(f);
  beam(f, low, 3.1, 0.1, 1.25);
  take(f);
  assert_near(log_odds(f, 2.1, 0.1), 3.5, 0);
  for (int n = 1; n <= 7; n++) {
    beam(f, eye, 3.1, 0.1, 1);
    take(f);
    assert_near(log_odds(f, 2.1, 0.1), 3.5 - n * MISS, 1e-12);
    assert_int_equal(rut_local_map_occupied(&f->map, 2.1, 0.1), n < 7);
  }
  // what has become free has no height any more
  assert_near(rut_local_map_at(&f->map, 2.1, 0.1)->points, 0, 0);

  // an obstacle and a beam past it in one scan: occupied comes first, once
  for (int k = 0; k < 5; k++) beam(f, eye, 3.1, 0.1, 1);
  for (int k = 0; k < 3; k++) beam(f, eye, 2.1, 0.1, 0.5 * k);
  take(f);
  assert_near(log_odds(f, 2.1, 0.1), 3.5 - 7 * MISS + HIT, 1e-12);
}

// Occupied by the caller, without a point: beams that pass change nothing, a point decides anew.
static void test_claimed(void** state) {
  (void)state;
  const double eye[3] = {0.1, 0.1, 1};
  for (int hit = 0; hit < 2; hit++) {
    Fixture* f = fixture(rut_default_local_map());
    rutLocalCell* c = (rutLocalCell*)(uintptr_t)rut_local_map_at(&f->map, 2.1, 0.1);
    c->log_odds = f->map.def.most;
    for (int n = 0; n < 20; n++) {
      beam(f, eye, 3.1, 0.1, 0);
      take(f);
    }
    assert_near(log_odds(f, 2.1, 0.1), 3.5, 0);
    beam(f, eye, 2.1, 0.1, 0);
    if (hit) beam(f, eye, 2.1, 0.1, 0.5);
    take(f);
    assert_near(log_odds(f, 2.1, 0.1), hit ? HIT : -MISS, 1e-12);
  }
}

// ---- obstacles ----

// Ground at 0 on all cells near x = 1, and a point at a height on one of them.
static double seen_with(rutLocalMapDef def, double height) {
  Fixture* f = fixture(def);
  const double eye[3] = {0.1, 0.1, 20}, r = def.resolution;
  for (int j = -4; j <= 4; j++) {
    for (int i = -4; i <= 4; i++) beam(f, eye, (i + 0.5) * r, (j + 0.5) * r, 0);
  }
  beam(f, eye, 1.5 * r, 0.5 * r, height);
  take(f);
  return log_odds(f, 1.5 * r, 0.5 * r);
}

// A ramp along x that rises by so much from cell to cell; log-odds of a cell on it.
static double seen_on_ramp(rutLocalMapDef def, double rise) {
  Fixture* f = fixture(def);
  const double eye[3] = {0.1, 0.1, 40};
  for (int j = -3; j <= 3; j++) {
    for (int i = -3; i <= 3; i++) {
      beam(f, eye, (i + 0.5) * def.resolution, (j + 0.5) * def.resolution, rise * i);
    }
  }
  take(f);
  return log_odds(f, 0.5 * def.resolution, 0.5 * def.resolution);
}

static void test_obstacles(void** state) {
  (void)state;
  rutLocalMapDef def = rut_default_local_map();
  assert_near(seen_with(def, 0.195), -MISS, 1e-12);
  assert_near(seen_with(def, 0.205), HIT, 1e-12);
  // what hangs higher than the vehicle is above it: 2.5 m, and 0.28 m at most by slope
  assert_near(seen_with(def, 2.4), HIT, 1e-12);
  assert_near(seen_with(def, 2.9), -MISS, 1e-12);
  // cells of 1 m: 30 degrees are a rise of 0.5774 m, or 0.8165 m over a diagonal
  def.resolution = 1;
  assert_near(seen_on_ramp(def, 0.57), -MISS, 1e-12);
  assert_near(seen_on_ramp(def, 0.585), HIT, 1e-12);
  // on level ground the height above the vehicle's own counts
  def.level = true;
  assert_near(seen_on_ramp(def, 0.57), -MISS, 1e-12);
  assert_near(seen_with(def, 0.205), HIT, 1e-12);
}

// ---- ground ----

// A point in the middle of each cell of the window.
static void see_ground(Fixture* f, double (*height)(double x, double y)) {
  const double r = f->map.def.resolution, eye[3] = {0, 0, 40};
  for (int j = 0; j < SIDE; j++) {
    for (int i = 0; i < SIDE; i++) {
      const double x = (f->map.corner[0] + i + 0.5) * r, y = (f->map.corner[1] + j + 0.5) * r;
      beam(f, eye, x, y, height(x, y));
    }
  }
  take(f);
}

// Multiples of 1/1024 in the middles of cells of 0.25 m, as are all heights here.
static double plane(double x, double y) { return 5 + 0.125 * x - 0.25 * y; }
static double edge(double x, double y) {
  (void)y;
  return x > 1 ? 0.1875 : 0;
}
static double board(double x, double y) {
  return ((int)floor(4 * x) + (int)floor(4 * y)) % 2 == 0 ? 0.0625 : -0.0625;
}

static void test_ground(void** state) {
  (void)state;
  Fixture* f = fixture(rut_default_local_map());
  f->scan.ground = 5;
  see_ground(f, plane);
  rutLocalTerrain t = rut_local_map_terrain(&f->map, 1.1, -0.6);
  assert_int_equal(t.cells, 25);
  assert_near(t.height, plane(1.125, -0.625), 1e-12);
  assert_near(t.slope, atan(hypot(0.125, 0.25)), 1e-12);
  assert_near(t.step, 0.0625, 1e-12);
  assert_near(t.roughness, 0, 1e-12);
  assert_near(t.bulge, 0, 1e-12);
  // at the border some are not known, and the plane is the same
  t = rut_local_map_terrain(&f->map, -3.9, -3.9);
  assert_int_equal(t.cells, 9);
  assert_near(t.slope, atan(hypot(0.125, 0.25)), 1e-12);

  f = fixture(rut_default_local_map());
  see_ground(f, edge);
  assert_near(rut_local_map_terrain(&f->map, 1.1, 0.1).step, 0.1875, 1e-12);
  assert_near(rut_local_map_terrain(&f->map, 0.9, 0.1).step, 0.1875, 1e-12);
  assert_near(rut_local_map_terrain(&f->map, 0.6, 0.1).step, 0, 0);

  // 13 cells of 25 at a, 12 at -a: mean a/25, mean square a^2, no slope
  f = fixture(rut_default_local_map());
  see_ground(f, board);
  t = rut_local_map_terrain(&f->map, 0.1, 0.1);
  assert_near(t.slope, 0, 1e-12);
  assert_near(t.height, 0.0625 / 25, 1e-12);
  assert_near(t.roughness, 0.0625 * sqrt(1 - 1.0 / 625), 1e-12);
  assert_near(t.bulge, 0.0625 * (1 - 1.0 / 25), 1e-12);

  // a line of cells has no slope across
  f = fixture(rut_default_local_map());
  const double eye[3] = {0};
  for (int i = 0; i < 5; i++) beam(f, eye, 0.125 + 0.25 * i, 0.125, 0.1 * i);
  take(f);
  t = rut_local_map_terrain(&f->map, 0.6, 0.1);
  assert_int_equal(t.cells, 5);
  assert_near(t.slope + t.height, 0, 0);
}

static void test_costs(void** state) {
  (void)state;
  static uint16_t cost[CELLS];
  rutLocalLimits limits = rut_default_local_limits();
  Fixture* f = fixture(rut_default_local_map());
  rut_local_map_costs(&f->map, &limits, cost);
  for (int k = 0; k < CELLS; k++) assert_int_equal(cost[k], 2);
  f->scan.ground = 5;
  see_ground(f, plane);
  rut_local_map_costs(&f->map, &limits, cost);
  // slope 15.6 degrees of 30 and step 0.0625 of 0.2 m: 1 + 10 ((0.5208 - 0.3)^2 + 0.0125^2) = 1.49
  const double over = atan(hypot(0.125, 0.25)) / (RUT_PI / 6) - 0.3;
  const double expected = 1 + 10 * (over * over + 0.0125 * 0.0125);
  assert_int_equal(cost[SIDE * 10 + 10], (int)floor(expected + 0.5));
  limits.slope_weight = limits.step_weight = 1000;
  rut_local_map_costs(&f->map, &limits, cost);
  const double dear = 1 + 1000 * (over * over + 0.0125 * 0.0125);
  assert_int_equal(cost[SIDE * 10 + 10], (int)floor(dear + 0.5));
  limits.slope = atan(hypot(0.125, 0.25)) - 1e-9;
  rut_local_map_costs(&f->map, &limits, cost);
  assert_int_equal(cost[SIDE * 10 + 10], 0);
  limits.level = true;
  rut_local_map_costs(&f->map, &limits, cost);
  assert_int_equal(cost[SIDE * 10 + 10], 1);
}

// Each measure has a weight of its own, and costs nothing below the free part.
static void test_weights(void** state) {
  (void)state;
  static uint16_t cost[CELLS];
  Fixture* f = fixture(rut_default_local_map());
  see_ground(f, board);
  // a board of +-a: step 2 a of 0.2 m, roughness a (1 - 1/625)^(1/2) of 0.15 m, bulge a (1 + 1/25)
  // or a (1 - 1/25) of 0.4 m; no slope
  const double a = 0.0625;
  const double part[4] = {0, 2 * a / 0.2, a * sqrt(1 - 1.0 / 625) / 0.15, a * 0.96 / 0.4};
  for (int one = 0; one < 4; one++) {
    rutLocalLimits limits = rut_default_local_limits();
    double* const weight[4] = {&limits.slope_weight, &limits.step_weight, &limits.roughness_weight,
                               &limits.clearance_weight};
    limits.free_part = 0.1;
    for (int k = 0; k < 4; k++) *weight[k] = k == one ? 3000 : 0;
    rut_local_map_costs(&f->map, &limits, cost);
    const double over = fmax(part[one] - 0.1, 0);
    const int cell = (SIDE / 2) * SIDE + SIDE / 2;  // that of (0.1, 0.1)
    assert_int_equal(cost[cell], (int)floor(1.5 + 3000 * over * over));
  }
}

// An obstacle takes no room from the level ground beside it: a wall two cells wide and 1 m high
// blocks what it stands on, and no more.
static void test_ground_beside_obstacles(void** state) {
  (void)state;
  static uint16_t cost[CELLS];
  const rutLocalLimits limits = rut_default_local_limits();
  Fixture* f = fixture(rut_default_local_map());
  const double r = f->map.def.resolution, eye[3] = {0, 0, 40};
  for (int scan = 0; scan < 3; scan++) {
    for (int k = 0; k < CELLS; k++) {
      const double x = (f->map.corner[0] + k % SIDE + 0.5) * r;
      const double y = (f->map.corner[1] + k / SIDE + 0.5) * r;
      const bool wall = x > 1 && x < 1.5;
      beam(f, eye, x, y, 0);
      if (wall) beam(f, eye, x, y, 1);
    }
    take(f);
  }
  rut_local_map_costs(&f->map, &limits, cost);
  for (int k = 0; k < CELLS; k++) {
    const double x = (f->map.corner[0] + k % SIDE + 0.5) * r;
    assert_int_equal(cost[k], x > 1 && x < 1.5 ? 0 : 1);
  }
  const rutLocalTerrain t = rut_local_map_terrain(&f->map, 0.9, 0.1);
  assert_near(t.slope + t.step + t.roughness + t.bulge, 0, 1e-12);
}

static double level(double x, double y) { return 0 * x * y; }

// How many cells no vehicle passes; all others cost nothing more.
static int blocked_cells(const Fixture* f) {
  static uint16_t cost[CELLS];
  const rutLocalLimits limits = rut_default_local_limits();
  int n = 0;
  rut_local_map_costs(&f->map, &limits, cost);
  for (int k = 0; k < CELLS; k++) {
    n += cost[k] == 0;
    assert_true(cost[k] <= 1);
  }
  return n;
}

// A point of a wall that falls on free ground, once: it blocks the cell that it is on, and none
// beside it, until beams have passed there below it as often as makes it free.
static void test_stray_point(void** state) {
  (void)state;
  Fixture* f = fixture(rut_default_local_map());
  const double eye[3] = {0.1, 0.1, 2};
  for (int scan = 0; scan < 6; scan++) see_ground(f, level);
  assert_int_equal(blocked_cells(f), 0);
  beam(f, eye, 2.1, 0.1, 1.6);
  take(f);
  assert_near(log_odds(f, 2.1, 0.1), HIT - 2, 1e-12);
  assert_int_equal(blocked_cells(f), 1);
  // 2 m away it is at 1.8 m, above it
  beam(f, eye, 4.1, 0.1, 1.6);
  take(f);
  assert_int_equal(blocked_cells(f), 1);
  // at 1 m; the last of the log-odds goes with the third of them all
  beam(f, eye, 4.1, 0.1, 0);
  take(f);
  assert_int_equal(blocked_cells(f), 1);
  for (int scan = 0; scan < 2; scan++) {
    beam(f, eye, 4.1, 0.1, 0);
    take(f);
  }
  assert_int_equal(blocked_cells(f), 0);
  // what one scan sees of a wall blocks its cells, also where hardly any ground is seen about them
  f = fixture(rut_default_local_map());
  beam(f, eye, 3.1, 0.1, 0);
  beam(f, eye, 3.1, 0.1, 1);
  take(f);
  assert_false(rut_local_map_occupied(&f->map, 3.1, 0.1));
  assert_near(rut_local_map_terrain(&f->map, 3.1, 0.1).bulge, 1, 0);
  // two of them beside each other are no ground for the cells beside them either
  f = fixture(rut_default_local_map());
  for (int scan = 0; scan < 2; scan++) see_ground(f, level);
  beam(f, eye, 2.1, 0.1, 1.6);
  beam(f, eye, 2.1, 0.35, 1.6);
  take(f);
  const rutLocalTerrain t = rut_local_map_terrain(&f->map, 1.6, 0.1);
  assert_near(t.slope + t.step + t.roughness + t.bulge, 0, 1e-12);
}

// ---- beams ----

// Length of the part of a beam in a cell, as a share.
static double share_in(const double from[2], const double to[2], const double corner[2], double r) {
  double low = 0, high = 1;
  for (int i = 0; i < 2; i++) {
    const double way = to[i] - from[i];
    const double a = (corner[i] - from[i]) / way, b = (corner[i] + r - from[i]) / way;
    low = fmax(low, fmin(a, b));
    high = fmin(high, fmax(a, b));
  }
  return high - low;
}

static void test_beams(void** state) {
  (void)state;
  const double r = rut_default_local_map().resolution;
  for (int round = 0; round < 300; round++) {
    Fixture* f = fixture(rut_default_local_map());
    // also from and to outside of the window
    const double from[3] = {12 * uniform() - 6, 12 * uniform() - 6, 0.1};
    const double to[2] = {12 * uniform() - 6, 12 * uniform() - 6};
    beam(f, from, to[0], to[1], 0.1);
    take(f);
    for (int k = 0; k < CELLS; k++) {
      const double corner[2] = {(f->map.corner[0] + k % SIDE) * r,
                                (f->map.corner[1] + k / SIDE) * r};
      const double share = share_in(from, to, corner, r);
      if (fabs(share) < 1e-9) continue;  // through a corner
      const double value = log_odds(f, corner[0] + 0.5 * r, corner[1] + 0.5 * r);
      assert_near(value, share > 0 ? -MISS : 0, 1e-12);
    }
  }
}

// ---- the window ----

static void test_window(void** state) {
  (void)state;
  enum { WORLD = 200 };
  static double truth[WORLD][WORLD];  // log-odds; from -100 on
  Fixture* f = fixture(rut_default_local_map());
  memset(truth, 0, sizeof truth);
  int corner[2] = {f->map.corner[0], f->map.corner[1]};
  for (int round = 0; round < 500; round++) {
    const int leap = round % 50 == 49 ? 60 : 8;
    for (int axis = 0; axis < 2; axis++) {
      const int by = (int)floor(leap * (uniform() - 0.5));
      const int next = corner[axis] + by;
      if (next > -80 && next < 40) corner[axis] = next;
    }
    const double r = f->map.def.resolution;
    rut_local_map_move(&f->map, (corner[0] + 16 + 0.5) * r, (corner[1] + 16 + 0.5) * r);
    assert_int_equal(f->map.corner[0], corner[0]);
    assert_int_equal(f->map.corner[1], corner[1]);
    for (int j = 0; j < WORLD; j++) {
      for (int i = 0; i < WORLD; i++) {
        const int x = i - 100 - corner[0], y = j - 100 - corner[1];
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE) truth[j][i] = 0;
      }
    }
    for (int k = 0; k < 20; k++) {
      const int i = corner[0] + (int)(SIDE * uniform()), j = corner[1] + (int)(SIDE * uniform());
      rutLocalCell* c =
          (rutLocalCell*)(uintptr_t)rut_local_map_at(&f->map, (i + 0.5) * r, (j + 0.5) * r);
      c->log_odds = truth[j + 100][i + 100] = 1 + uniform();
    }
    for (int j = 0; j < SIDE; j++) {
      for (int i = 0; i < SIDE; i++) {
        const double x = (corner[0] + i + 0.5) * r, y = (corner[1] + j + 0.5) * r;
        assert_near(log_odds(f, x, y), truth[corner[1] + j + 100][corner[0] + i + 100], 0);
      }
    }
  }
}

// Of many points the mean is kept, as if of 256: 600 at 1 m, then 300 at 1.125 m, in scans of 100.
static void test_mean(void** state) {
  (void)state;
  Fixture* f = fixture(rut_default_local_map());
  f->scan.ground = 1;
  const double eye[3] = {0.1, 0.1, 5};
  double mean = 0, points = 0;
  for (int scan = 0; scan < 9; scan++) {
    const double z = scan < 6 ? 1 : 1.125;
    for (int k = 0; k < 100; k++) beam(f, eye, 1.1, 0.1, z);
    take(f);
    mean = (points * mean + 100 * z) / (points + 100);
    points = fmin(points + 100, 256);
    const rutLocalCell* c = rut_local_map_at(&f->map, 1.1, 0.1);
    assert_near(c->points, points, 0);
    assert_near(c->sum / c->points, mean, 1e-4);
  }
}

// ---- order, and what is refused ----

static void test_order(void** state) {
  (void)state;
  static rutLocalCell first[CELLS];
  for (int round = 0; round < 20; round++) {
    Fixture* f = fixture(rut_default_local_map());
    draws = 0;
    enum { POINTS = 600 };
    for (int scan = 0; scan < 4; scan++) {
      for (int k = 0; k < POINTS; k++) {
        const double from[3] = {uniform(), uniform(), 1 + uniform()};
        const double x = 9 * uniform() - 4, y = 9 * uniform() - 4;
        beam(f, from, x, y, 0.3 * uniform() + (x > 2));
      }
      // shuffle by a law of its own
      for (int k = POINTS - 1; k > 0 && round > 0; k--) {
        const int to =
            (int)(rut_uniform(3, (uint32_t)round, 0, (uint32_t)(scan * POINTS + k)) * (k + 1));
        double* const row[] = {f->x, f->y, f->z, f->from[0], f->from[1], f->from[2]};
        for (int i = 0; i < 6; i++) {
          const double kept = row[i][k];
          row[i][k] = row[i][to];
          row[i][to] = kept;
        }
      }
      take(f);
    }
    if (round == 0) memcpy(first, f->cell, sizeof first);
    assert_memory_equal(first, f->cell, sizeof first);
    // as two doubles per cell nothing is lost
    static double packed[3 * 2 * CELLS];
    rut_local_map_pack(&f->map, 3, packed);
    memset(f->cell, 1, sizeof f->cell);
    rut_local_map_unpack(&f->map, 3, packed);
    assert_memory_equal(first, f->cell, sizeof first);
  }
}

static void test_refused(void** state) {
  (void)state;
  static rutLocalCell cell[CELLS];
  rutLocalMap map;
  rutError err;
  rutLocalMapDef def = rut_default_local_map();
  def.struct_size--;
  assert_int_equal(rut_local_map_begin(&map, &def, cell, &err), RUT_ERR_VERSION);
  const size_t at[] = {offsetof(rutLocalMapDef, resolution), offsetof(rutLocalMapDef, hit),
                       offsetof(rutLocalMapDef, miss),       offsetof(rutLocalMapDef, least),
                       offsetof(rutLocalMapDef, most),       offsetof(rutLocalMapDef, occupied),
                       offsetof(rutLocalMapDef, step),       offsetof(rutLocalMapDef, slope),
                       offsetof(rutLocalMapDef, overhead),   offsetof(rutLocalMapDef, range)};
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    def = rut_default_local_map();
    def.side = SIDE;
    const double bad = NAN;
    memcpy((char*)&def + at[i], &bad, sizeof bad);
    assert_int_equal(rut_local_map_begin(&map, &def, cell, &err), RUT_ERR_ARGUMENT);
  }
  def = rut_default_local_map();
  def.side = 7;
  assert_int_equal(rut_local_map_begin(&map, &def, cell, NULL), RUT_ERR_ARGUMENT);

  // numbers that are none, or huge, leave the map as it is
  Fixture* f = fixture(rut_default_local_map());
  static rutLocalCell before[CELLS];
  memcpy(before, f->cell, sizeof before);
  const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, 1e18, -1e18};
  for (int k = 0; k < 6; k++) {
    const double eye[3] = {0, 0, 1}, far[3] = {odd[k], 0, 1};
    beam(f, eye, odd[k], 0, 0);
    beam(f, eye, 0, odd[k], 0);
    if (k != 5) beam(f, eye, 1, 0, odd[k]);
    beam(f, far, odd[k], odd[k], odd[k]);
    take(f);
    rut_local_map_move(&f->map, odd[k], 0);
    rut_local_map_move(&f->map, 0, odd[k]);
  }
  assert_int_equal(f->map.corner[0], -16);
  // a beam that ends above still passes below: no cell is seen
  for (int k = 0; k < CELLS; k++) assert_near(f->cell[k].points, 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_log_odds),
                                     cmocka_unit_test(test_claimed),
                                     cmocka_unit_test(test_obstacles),
                                     cmocka_unit_test(test_ground),
                                     cmocka_unit_test(test_costs),
                                     cmocka_unit_test(test_weights),
                                     cmocka_unit_test(test_ground_beside_obstacles),
                                     cmocka_unit_test(test_stray_point),
                                     cmocka_unit_test(test_beams),
                                     cmocka_unit_test(test_window),
                                     cmocka_unit_test(test_mean),
                                     cmocka_unit_test(test_order),
                                     cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
