// SPDX-License-Identifier: BSD-3-Clause
//
// Soil that slipping wheels carry away, on ground that keeps ruts: volumes, places, walls, mirror
// images, limits.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "terrain/rut_dig.h"

static uint32_t seed = 7;
static double between(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * ((seed >> 8) + 0.5) / 16777216.0;
}

static rutSoftGround* make(double cell, double repose, int tiles) {
  const rutSoftDef def = {cell, 0.5, 0.5, repose, tiles, 0};
  rutArena measure = {0};
  assert_null(rut_soft_build(&def, &measure));
  rutArena arena = {.size = measure.used};
  arena.base = aligned_alloc(64, (measure.used + 63) / 64 * 64);
  assert_non_null(arena.base);
  memset(arena.base, 0xa5, measure.used);
  return rut_soft_build(&def, &arena);
}

static rutSoftDig wheel(double x, double y, double yaw) {
  return (rutSoftDig){.x = x,
                      .y = y,
                      .dir_x = cos(yaw),
                      .dir_y = sin(yaw),
                      .ahead = 0.2,
                      .behind = 0.12,
                      .width = 0.3,
                      .depth = 0.005,
                      .laid = -0.6};
}

// Volume and its moments along and across a wheel, of what is gone or of what has come [m3], [m4].
typedef struct Moments {
  double volume, along, across;
} Moments;
static Moments sum_cells(const rutSoftGround* g, const rutSoftDig* d, double sign) {
  Moments m = {0};
  const double cell = g->def.cell, area = cell * cell;
  for (int t = 0; t < g->used; t++) {
    for (int k = 0; k < RUT_SOFT_CELLS; k++) {
      const rutSoftTile* c = &g->tile[t];
      const double h = sign * (c->raised[k] - c->rut[k]) * RUT_SOFT_UNIT * area;
      if (h <= 0) continue;
      const double x = (c->x * RUT_SOFT_SIDE + k % RUT_SOFT_SIDE + 0.5) * cell - d->x;
      const double y = (c->y * RUT_SOFT_SIDE + k / RUT_SOFT_SIDE + 0.5) * cell - d->y;
      m.volume += h;
      m.along += h * (x * d->dir_x + y * d->dir_y);
      m.across += h * (y * d->dir_x - x * d->dir_y);
    }
  }
  return m;
}
static int64_t balance(const rutSoftGround* g) {
  int64_t sum = 0;
  for (int t = 0; t < g->used; t++) {
    for (int k = 0; k < RUT_SOFT_CELLS; k++)
      sum += g->tile[t].raised[k] - (int64_t)g->tile[t].rut[k];
  }
  return sum - (g->ledger.deposited - g->ledger.pressed);
}

// Width x length x depth goes, whatever the heading and the cell, and lies where it was told: the
// sum of all heights stays 0 to the unit, dz A + spoil = 0.
static void test_volume(void** state) {
  static const double cells[] = {0.1, 0.05, 0.025};
  (void)state;
  for (int c = 0; c < 300; c++) {
    rutSoftGround* g = make(cells[c % 3], 0, 512);
    rutSoftDig d = wheel(between(-5, 5), between(-5, 5), between(-4, 4));
    const int forward = c % 2;
    if (forward) d.laid = 0.6;
    rut_soft_dig(g, &d);
    const Moments pit = sum_cells(g, &d, -1), heap = sum_cells(g, &d, 1);
    const double want = d.width * (d.ahead + d.behind) * d.depth;
    assert_int_equal(balance(g), 0);
    // less than a unit a cell counts as compacted
    const double lost = (double)g->ledger.pressed * RUT_SOFT_UNIT * g->def.cell * g->def.cell;
    assert_true(g->ledger.pressed >= 0 && g->ledger.pressed < 2000);
    assert_near(pit.volume, heap.volume + lost, 1e-12);
    // cells partly under the wheel and partly under the heap are only one of them
    assert_near(pit.volume, want, 0.1 * want);
    // soil goes from the middle of the contact to that of the heap, and not aside
    const double from = 0.5 * (d.ahead - d.behind), to = forward ? d.ahead + 0.3 : -d.behind - 0.3;
    assert_near((heap.along - pit.along) / want, to - from, 0.1 * cells[c % 3]);
    assert_near((heap.across - pit.across) / want, 0, 0.1 * cells[c % 3]);
    free(g);
  }
}

static int32_t height_at(const rutSoftGround* g, int i, int j) {
  const rutSoftTile* t = rut_soft_find(g, i >> 4, j >> 4);
  const int k = (j & 15) * 16 + (i & 15);
  return t ? t->raised[k] - t->rut[k] : 0;
}

// Walls of a deep pit stand at most at the angle of repose, within a cell; the pit grows slower
// than without walls, by what falls in: at a depth D over b x l the mouth is D/tan wider all round.
static void test_walls(void** state) {
  const double repose = 0.7, cell = 0.05;
  rutSoftGround* g = make(cell, repose, 2048);
  const rutSoftDig d = wheel(0.025, 0.025, 0);
  const double b = d.width, l = d.ahead + d.behind;
  double fed = 0, last = 0;
  (void)state;
  for (int n = 0; n < 200; n++) {
    rut_soft_dig(g, &d);
    fed += b * l * d.depth;
    const double deep = -height_at(g, 0, 0) * RUT_SOFT_UNIT;
    assert_true(deep >= last - 1e-6);
    last = deep;
  }
  assert_int_equal(balance(g), 0);
  assert_true(last > 0.1 && last < 0.5 * 200 * d.depth);
  // straight ahead of the wheel and to its sides, along which nothing is laid
  for (int k = 0; k < 30; k++) {
    const double rise = (height_at(g, k + 1, 0) - height_at(g, k, 0)) * RUT_SOFT_UNIT;
    const double side = (height_at(g, 0, k + 1) - height_at(g, 0, k)) * RUT_SOFT_UNIT;
    assert_true(rise < repose * cell * 1.3 && side < repose * cell * 1.3);
  }
  // a pit with walls is no larger than what was carried away
  const Moments pit = sum_cells(g, &d, -1);
  assert_true(pit.volume <= fed * 1.001);
  print_message("%.3f m deep of %.3f m without walls\n", last, 200 * d.depth);
  free(g);
}

// The mirror image across the line of travel leaves the mirror image, with walls and heaps.
static void test_mirror(void** state) {
  (void)state;
  for (int c = 0; c < 20; c++) {
    rutSoftGround *left = make(0.05, 0.7, 2048), *right = make(0.05, 0.7, 2048);
    const double x = between(-1, 1), y = between(-1, 1), yaw = between(-4, 4);
    for (int n = 0; n < 40; n++) {
      const rutSoftDig d = wheel(x, y, yaw), m = wheel(x, -y, -yaw);
      rut_soft_dig(left, &d);
      rut_soft_dig(right, &m);
    }
    for (int j = -60; j < 60; j++) {
      for (int i = -60; i < 60; i++) {
        assert_int_equal(height_at(left, i, j), height_at(right, i, -1 - j));
      }
    }
    free(left);
    free(right);
  }
}

// What falls into a rut fills it and is fresh soil there.
static void test_into_rut(void** state) {
  rutSoftGround* g = make(0.05, 0, 512);
  (void)state;
  const rutSoftPress p = {
      .x = 0, .y = 0, .dir_x = 1, .behind = 1.5, .width = 0.3, .pressed = 0.05, .rut = 0.04};
  rut_soft_press(g, &p);
  const int64_t pressed = g->ledger.pressed;
  const rutSoftDig d = wheel(0, 0, 0);
  rut_soft_dig(g, &d);
  assert_int_equal(balance(g), 0);
  assert_true(g->ledger.pressed - pressed < 200);
  const rutSoftTile* behind = rut_soft_find(g, -1, 0);
  const int k = (int)(-0.3 / 0.05) & 15;
  assert_true(behind->rut[k] < 0.04 / RUT_SOFT_UNIT && behind->raised[k] == 0);
  assert_true(behind->pressed[k] >= behind->rut[k]);
  free(g);
}

// No place, no number, no memory: nothing is lost, and nothing is written out of bounds.
static void test_bad(void** state) {
  rutSoftGround* g = make(0.05, 0.7, 1);
  rutSoftDig d = wheel(0.4, 0.4, 0.3);
  (void)state;
  double* const number[] = {&d.x,      &d.y,     &d.dir_x, &d.dir_y, &d.ahead,
                            &d.behind, &d.width, &d.depth, &d.laid};
  static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
  for (int i = 0; i < 9; i++) {
    for (int k = 0; k < 4; k++) {
      const double was = *number[i];
      *number[i] = bad[k];
      rut_soft_dig(g, &d);
      *number[i] = was;
      assert_int_equal(balance(g), 0);
    }
  }
  for (int n = 0; n < 500; n++) rut_soft_dig(g, &d);
  assert_true(g->full);
  assert_int_equal(balance(g), 0);
  free(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_volume),   cmocka_unit_test(test_walls), cmocka_unit_test(test_mirror),
      cmocka_unit_test(test_into_rut), cmocka_unit_test(test_bad),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
