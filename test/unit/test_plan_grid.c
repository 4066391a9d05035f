// SPDX-License-Identifier: BSD-3-Clause
//
// Searches over grids: lengths that were worked out elsewhere by another program, closed forms, the
// plainest search (Bellman and Ford) on many grids, and distances by trying all cells.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "repetitions.h"
#include "rut/plan.h"

enum { SIDE = 100, MOST = SIDE * SIDE };

// Steele, Lea, Flood, OOPSLA 2014.
static uint64_t split_mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

typedef struct Draw {
  uint64_t seed;
} Draw;
static int draw(Draw* d, int below) { return (int)(split_mix(d->seed++) % (uint64_t)below); }

static rutPlanSearch* search_for(int cells) {
  rutPlanSearch* search;
  assert_int_equal(rut_plan_search_create(cells, &search, NULL), RUT_OK);
  return search;
}

static rutPlanWay way_of(rutPlanSearch* s, const rutPlanGrid* g, rutPlanMethod method, int from,
                         int to) {
  rutPlanWay way;
  assert_int_equal(rut_plan_search(s, g, method, (int[]){from, to}, &way, NULL), RUT_OK);
  return way;
}

// A quarter of the cells blocked, by the bits of a counter.
static void fill(uint16_t* cost, uint64_t seed) {
  for (int y = 0; y < SIDE; y++) {
    for (int x = 0; x < SIDE; x++) {
      const uint64_t at = seed * 1000003 + (uint64_t)(y * SIDE + x);
      cost[y * SIDE + x] = (double)(split_mix(at) >> 11) * 0x1p-53 >= .25;
    }
  }
  cost[0] = cost[MOST - 1] = 1;
}

static void test_random_grids(void** state) {
  (void)state;
  static uint16_t cost[MOST];
  const double length[] = {0, 167.539105, 165.781746, 168.124892, 164.610173, 164.610173};
  rutPlanSearch* s = search_for(MOST);
  assert_true(split_mix(0) == UINT64_C(0xe220a8397b1dcdaf));
  for (int seed = 1; seed <= 6; seed++) {
    fill(cost, (uint64_t)seed);
    rutPlanGrid grid = {SIDE, SIDE, cost, false};
    for (int method = 0; method <= RUT_PLAN_DIJKSTRA; method++) {
      const rutPlanWay way = way_of(s, &grid, (rutPlanMethod)method, 0, MOST - 1);
      assert_int_equal(way.found, seed > 1);
      if (seed == 1) assert_int_equal(way.closed, 3);
      assert_near(way.length, length[seed - 1], 5e-7);
    }
    if (seed > 1) continue;
    assert_false(way_of(s, &grid, RUT_PLAN_THETA, 0, MOST - 1).found);
    grid.cut_corners = true;
    assert_near(way_of(s, &grid, RUT_PLAN_A_STAR, 0, MOST - 1).length, 145.279221, 5e-7);
  }
  rut_plan_search_destroy(s);
}

static void test_wall(void** state) {
  (void)state;
  uint16_t cost[21 * 21];
  for (int i = 0; i < 21 * 21; i++) cost[i] = i % 21 != 10 || i < 21;
  rutPlanGrid grid = {21, 21, cost, false};
  rutPlanSearch* s = search_for(21 * 21);
  const int from = 10 * 21, to = 10 * 21 + 20;
  assert_near(way_of(s, &grid, RUT_PLAN_A_STAR, from, to).length, 29.455844, 5e-7);
  const rutPlanWay any = way_of(s, &grid, RUT_PLAN_THETA, from, to);
  assert_near(any.length, 28.907248, 5e-7);
  assert_int_equal(any.cells, 4);
  grid.cut_corners = true;
  assert_near(way_of(s, &grid, RUT_PLAN_A_STAR, from, to).length, 28.284271, 5e-7);
  rut_plan_search_destroy(s);
}

static void test_empty(void** state) {
  (void)state;
  uint16_t cost[50 * 31];
  for (int i = 0; i < 50 * 31; i++) cost[i] = 1;
  const rutPlanGrid grid = {50, 31, cost, false};
  rutPlanSearch* s = search_for(50 * 31);
  const rutPlanWay octile = way_of(s, &grid, RUT_PLAN_A_STAR, 0, 30 * 50 + 49);
  assert_near(octile.length, 61.426407, 5e-7);
  assert_int_equal(octile.cost, 19 * 1000 + 30 * 1414);
  assert_int_equal(octile.closed, 50);  // none that is not on the way
  const rutPlanWay straight = way_of(s, &grid, RUT_PLAN_THETA, 0, 30 * 50 + 49);
  assert_near(straight.length, 57.454330, 5e-7);
  assert_int_equal(straight.cells, 2);
  // a way to where it is
  const rutPlanWay none = way_of(s, &grid, RUT_PLAN_A_STAR, 7, 7);
  assert_true(none.found && none.cells == 1 && none.cost == 0);
  rut_plan_search_destroy(s);
}

// ---- by the plainest search ----

typedef struct Plain {
  int64_t cost[MOST];
} Plain;

// Whether a step between neighbours is allowed, and its cost; written without the library's code.
static int64_t step_cost(const rutPlanGrid* g, int x, int y, int dx, int dy) {
  const int u = x + dx, v = y + dy, w = g->width;
  if (u < 0 || v < 0 || u >= w || v >= g->height) return -1;
  const int a = g->cost[y * w + x], b = g->cost[v * w + u];
  if (a == 0 || b == 0) return -1;
  if (dx != 0 && dy != 0 && !g->cut_corners &&
      (g->cost[y * w + u] == 0 || g->cost[v * w + x] == 0)) {
    return -1;
  }
  return (int64_t)(dx != 0 && dy != 0 ? 1414 : 1000) * (a + b) / 2;
}

// Costs from a cell by rounds over all cells until none changes.
static void relax(const rutPlanGrid* g, int from, Plain* p) {
  const int cells = g->width * g->height;
  for (int i = 0; i < cells; i++) p->cost[i] = -1;
  if (g->cost[from] == 0) return;
  p->cost[from] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < cells; i++) {
      for (int k = 0; k < 9 && p->cost[i] >= 0; k++) {
        const int x = i % g->width, y = i / g->width, dx = k % 3 - 1, dy = k / 3 - 1;
        const int64_t step = k == 4 ? -1 : step_cost(g, x, y, dx, dy);
        const int to = i + dy * g->width + dx;
        if (step < 0 || (p->cost[to] >= 0 && p->cost[to] <= p->cost[i] + step)) continue;
        p->cost[to] = p->cost[i] + step;
        changed = true;
      }
    }
  }
}

// The cost of a way over neighbours, by its cells.
static int64_t cost_along(const rutPlanGrid* g, const rutPlanWay* way) {
  int64_t cost = 0;
  for (int i = 1; i < way->cells; i++) {
    const int a = way->cell[i - 1], b = way->cell[i], w = g->width;
    const int64_t step = step_cost(g, a % w, a / w, b % w - a % w, b / w - a / w);
    assert_true(abs(b % w - a % w) <= 1 && abs(b / w - a / w) <= 1 && step > 0);
    cost += step;
  }
  return cost;
}

// Cost and blocked cells at random; sides, share of blocked cells and costs differ.
static rutPlanGrid random_grid(Draw* d, uint16_t* cost) {
  const rutPlanGrid g = {2 + draw(d, 29), 2 + draw(d, 29), cost, draw(d, 2) == 1};
  const int blocked = draw(d, 45), dearest = draw(d, 3) == 0 ? 1 : 1 + draw(d, 9);
  for (int i = 0; i < g.width * g.height; i++) {
    cost[i] = draw(d, 100) < blocked ? 0 : (uint16_t)(1 + draw(d, dearest));
  }
  return g;
}

// Cost of a way along straight lines, by looking up the cells of many points.
static double cost_of_lines(const rutPlanGrid* g, const rutPlanWay* way) {
  const int n = 2000, w = g->width;
  double cost = 0;
  for (int i = 1; i < way->cells; i++) {
    const int a = way->cell[i - 1], b = way->cell[i];
    const double dx = b % w - a % w, dy = b / w - a / w, length = hypot(dx, dy);
    for (int k = 0; k < n; k++) {
      const double t = (k + .5) / n;
      const int x = (int)floor(a % w + .5 + t * dx), y = (int)floor(a / w + .5 + t * dy);
      cost += g->cost[y * w + x] * length / n;
    }
  }
  return cost;
}

// A* and Dijkstra against the plainest search; Theta* at most as dear as A* of true lengths.
static void test_against_plain(void** state) {
  (void)state;
  static uint16_t cost[MOST];
  static Plain plain;
  Draw d = {1};
  int found = 0;
  rutPlanSearch* s = search_for(MOST);
  for (int n = 0; n < repetitions(600, 60); n++) {
    const rutPlanGrid g = random_grid(&d, cost);
    const int cells = g.width * g.height, from = draw(&d, cells), to = draw(&d, cells);
    relax(&g, from, &plain);
    if (cost[from] == 0 || cost[to] == 0) plain.cost[to] = -1;
    const rutPlanWay dijkstra = way_of(s, &g, RUT_PLAN_DIJKSTRA, from, to);
    const int64_t least = plain.cost[to];
    assert_int_equal(dijkstra.found, least >= 0);
    if (!dijkstra.found && cost[from] && cost[to]) {
      int reached = 0;
      for (int i = 0; i < cells; i++) reached += plain.cost[i] >= 0;
      assert_int_equal(dijkstra.closed, reached);
      assert_int_equal(way_of(s, &g, RUT_PLAN_A_STAR, from, to).closed, reached);
      assert_int_equal(way_of(s, &g, RUT_PLAN_THETA, from, to).closed, reached);
    }
    if (!dijkstra.found) continue;
    found++;
    assert_int_equal(dijkstra.cost, least);
    const int dijkstra_closed = dijkstra.closed;
    const rutPlanWay way = way_of(s, &g, RUT_PLAN_A_STAR, from, to);
    assert_int_equal(way.cost, least);
    assert_int_equal(cost_along(&g, &way), least);
    assert_true(way.cell[0] == from && way.cell[way.cells - 1] == to);
    assert_true(way.closed <= dijkstra_closed);
    // 1.414 is at most 0.0152 % below the root of 2
    const rutPlanWay any = way_of(s, &g, RUT_PLAN_THETA, from, to);
    assert_true(any.found && (double)any.cost <= (double)least * 1.000152 + 1);
    assert_true(any.cell[0] == from && any.cell[any.cells - 1] == to);
    assert_near((double)any.cost, 1000 * cost_of_lines(&g, &any), .5 + 2e-3 * (double)any.cost);
  }
  assert_true(found > repetitions(300, 30));
  rut_plan_search_destroy(s);
}

// True if a straight line between middles of cells passes a blocked cell within a small distance.
static bool is_blocked(const rutPlanGrid* g, int a, int b) {
  const int n = 2000, w = g->width;
  const double x = a % w + .5, y = a / w + .5, dx = b % w - a % w, dy = b / w - a / w;
  for (int i = 0; i <= n; i++) {
    const double u = x + dx * i / n, v = y + dy * i / n, near = 1e-4;
    for (int k = 0; k < 4; k++) {
      const int cx = (int)floor(u + (k % 2 ? near : -near)),
                cy = (int)floor(v + (k / 2 ? near : -near));
      if (g->cost[cy * w + cx] == 0) return true;
    }
  }
  return false;
}

// Ways of Theta* on grids of one cost: never longer than those of A*, nor shorter than the straight
// line, and free of obstacles.
static void test_any_angle(void** state) {
  (void)state;
  static uint16_t cost[MOST];
  rutPlanSearch *s = search_for(MOST), *steps = search_for(MOST);
  Draw d = {77};
  int shorter = 0;
  for (int n = 0; n < repetitions(200, 20); n++) {
    const rutPlanGrid g = {40, 40, cost, false};
    const int blocked = 5 + draw(&d, 30);
    for (int i = 0; i < 1600; i++) cost[i] = draw(&d, 100) >= blocked;
    const int from = draw(&d, 1600), to = draw(&d, 1600);
    const rutPlanWay any = way_of(s, &g, RUT_PLAN_THETA, from, to);
    const rutPlanWay way = way_of(steps, &g, RUT_PLAN_A_STAR, from, to);
    assert_int_equal(any.found, way.found);
    if (!any.found) continue;
    assert_true(any.length <= way.length * (1 + 1e-12));
    assert_true(any.length >= hypot(from % 40 - to % 40, from / 40 - to / 40) * (1 - 1e-12));
    assert_near((double)any.cost, 1000 * any.length, .51);
    for (int i = 1; i < any.cells; i++) assert_false(is_blocked(&g, any.cell[i - 1], any.cell[i]));
    shorter += any.length < way.length - 1e-9;
  }
  assert_true(shorter > repetitions(100, 10));
  rut_plan_search_destroy(s);
  rut_plan_search_destroy(steps);
}

// ---- incremental ----

static void assert_same_way(const rutPlanWay* a, const rutPlanWay* b) {
  assert_int_equal(a->found, b->found);
  assert_int_equal(a->cost, b->cost);
  assert_int_equal(a->cells, b->cells);
  assert_true(memcmp(&a->length, &b->length, sizeof a->length) == 0);
  if (a->cells) assert_memory_equal(a->cell, b->cell, (size_t)a->cells * sizeof *a->cell);
  if (!a->found) assert_int_equal(a->closed, b->closed);
}

// Cells change and the start moves, along the way or anywhere; each answer is that of a search from
// scratch, cell by cell, and has the cost that the plainest search finds.
static void test_updates(void** state) {
  (void)state;
  static uint16_t cost[MOST];
  static Plain plain;
  rutPlanUpdate *kept, *fresh;
  assert_int_equal(rut_plan_update_create(MOST, &kept, NULL), RUT_OK);
  assert_int_equal(rut_plan_update_create(MOST, &fresh, NULL), RUT_OK);
  Draw d = {5};
  int found = 0, lost = 0;
  int64_t looked = 0, looked_anew = 0;
  for (int n = 0; n < repetitions(60, 6); n++) {
    const rutPlanGrid g = random_grid(&d, cost);
    const int cells = g.width * g.height, to = draw(&d, cells);
    int from = draw(&d, cells);
    assert_int_equal(rut_plan_update_begin(kept, &g, (int[]){from, to}, NULL), RUT_OK);
    for (int turn = 0; turn < 20; turn++) {
      rutPlanWay way, anew;
      rut_plan_update_find(kept, &way);
      assert_int_equal(rut_plan_update_begin(fresh, &g, (int[]){from, to}, NULL), RUT_OK);
      rut_plan_update_find(fresh, &anew);
      assert_same_way(&way, &anew);
      relax(&g, from, &plain);
      const int64_t least = cost[to] && cost[from] ? plain.cost[to] : -1;
      assert_int_equal(way.found, least >= 0);
      if (way.found) assert_int_equal(way.cost, least);
      if (way.found) assert_int_equal(cost_along(&g, &way), least);
      found += way.found;
      lost += !way.found;
      looked += way.found ? way.closed : 0;
      looked_anew += way.found ? anew.closed : 0;
      if (draw(&d, 3) > 0) from = way.cells > 1 ? way.cell[1] : from;
      if (draw(&d, 6) == 0) from = draw(&d, cells);
      rut_plan_update_start(kept, from);
      for (int change = draw(&d, 6); change > 0; change--) {
        const int cell = draw(&d, cells);
        cost[cell] = draw(&d, 3) == 0 ? 0 : (uint16_t)(1 + draw(&d, 9));
        rut_plan_update_cost(kept, cell, cost[cell]);
      }
    }
  }
  assert_true(found > repetitions(400, 40) && lost > repetitions(100, 10));
  assert_true(looked < looked_anew);
  rut_plan_update_destroy(kept);
  rut_plan_update_destroy(fresh);
}

// A change far from the way costs less than a search from scratch: on an empty square, a cell
// behind the start changes nothing.
static void test_update_is_small(void** state) {
  (void)state;
  static uint16_t cost[MOST];
  for (int i = 0; i < MOST; i++) cost[i] = 1;
  const rutPlanGrid g = {SIDE, SIDE, cost, false};
  rutPlanUpdate* u;
  assert_int_equal(rut_plan_update_create(MOST, &u, NULL), RUT_OK);
  rutPlanWay way;
  rut_plan_update_find(u, &way);
  assert_false(way.found);  // it has not begun
  assert_int_equal(rut_plan_update_begin(u, &g, (int[]){50 * SIDE + 20, 50 * SIDE + 90}, NULL),
                   RUT_OK);
  rut_plan_update_find(u, &way);
  assert_int_equal(way.cost, 70000);
  rut_plan_update_cost(u, 50 * SIDE + 10, 0);
  rut_plan_update_find(u, &way);
  assert_int_equal(way.closed, 0);
  rut_plan_update_cost(u, 50 * SIDE + 30, 0);
  rut_plan_update_find(u, &way);
  // round a cell without cutting its corners: two diagonal steps instead of straight ones
  assert_int_equal(way.cost, 68000 + 2 * 1414);
  assert_true(way.closed < 200);
  rut_plan_update_cost(u, -1, 0);
  rut_plan_update_cost(u, MOST, 0);
  rut_plan_update_start(u, MOST);
  rut_plan_update_destroy(u);
}

// ---- distances ----

static void test_distances(void** state) {
  (void)state;
  static uint16_t cost[MOST];
  static int32_t squared[MOST], work[3 * SIDE];
  Draw d = {9};
  for (int n = 0; n < repetitions(200, 20); n++) {
    const rutPlanGrid g = {1 + draw(&d, 40), 1 + draw(&d, 40), cost, false};
    const int cells = g.width * g.height, free_of = 1 + draw(&d, n % 2 ? 5 : 200);
    for (int i = 0; i < cells; i++) cost[i] = draw(&d, free_of) > 0 || n % 10 == 0;
    rut_plan_distances(&g, squared, work);
    for (int i = 0; i < cells; i++) {
      int32_t least = INT32_MAX;
      for (int k = 0; k < cells; k++) {
        const int dx = i % g.width - k % g.width, dy = i / g.width - k / g.width;
        if (cost[k] == 0 && dx * dx + dy * dy < least) least = dx * dx + dy * dy;
      }
      assert_int_equal(squared[i], least);
    }
  }
}

static void test_refused(void** state) {
  (void)state;
  rutPlanSearch* s;
  rutPlanUpdate* u;
  rutPlanWay way;
  rutError err = {0};
  assert_int_equal(rut_plan_search_create(0, &s, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_plan_search_create(RUT_PLAN_MOST_CELLS + 1, &s, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_plan_update_create(-1, &u, &err), RUT_ERR_ARGUMENT);
  rut_plan_search_destroy(NULL);
  rut_plan_update_destroy(NULL);
  s = search_for(6);
  uint16_t cost[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  const rutPlanGrid large = {3, 3, cost, false}, none = {0, 3, cost, false}, fits = {3, 2, cost, 0};
  const int ends[] = {0, 5}, out[] = {0, 6}, negative[] = {-1, 5};
  assert_int_equal(rut_plan_search(s, &large, RUT_PLAN_A_STAR, ends, &way, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "3 x 3"));
  assert_int_equal(rut_plan_search(s, &none, RUT_PLAN_A_STAR, ends, &way, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_plan_search(s, &fits, RUT_PLAN_A_STAR, out, &way, &err), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_plan_search(s, &fits, RUT_PLAN_A_STAR, negative, &way, &err),
                   RUT_ERR_ARGUMENT);
  assert_int_equal(rut_plan_search(s, &fits, RUT_PLAN_A_STAR, ends, &way, &err), RUT_OK);
  rut_plan_search_destroy(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_grids),    cmocka_unit_test(test_wall),
      cmocka_unit_test(test_empty),           cmocka_unit_test(test_against_plain),
      cmocka_unit_test(test_any_angle),       cmocka_unit_test(test_updates),
      cmocka_unit_test(test_update_is_small), cmocka_unit_test(test_distances),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
