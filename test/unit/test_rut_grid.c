// SPDX-License-Identifier: BSD-3-Clause
//
// Ground that keeps ruts: volumes, what wheels read, saving and restoring, limits.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/hash.h"
#include "rut_press_fixture.h"
#include "terrain/rut_window.h"

static uint32_t seed = 5;
static double between(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * ((seed >> 8) + 0.5) / 16777216.0;
}

// ---- ground on its own ----

// Memory is filled with rubbish: nothing may rely on zeros.
static rutSoftGround* make(rutSoftDef def) {
  rutArena measure = {0};
  assert_null(rut_soft_build(&def, &measure));
  rutArena arena = {.size = measure.used};
  arena.base = aligned_alloc(64, (measure.used + 63) / 64 * 64);
  assert_non_null(arena.base);
  memset(arena.base, 0xa5, measure.used);
  rutSoftGround* ground = rut_soft_build(&def, &arena);
  assert_ptr_equal(ground, arena.base);
  return ground;
}

static const rutSoftDef plain = {
    .cell = 0.05, .displaced = 0, .border = 0.5, .repose = 0, .tiles = 512};
static const rutSoftDef loose = {
    .cell = 0.05, .displaced = 0.6, .border = 0.5, .repose = 0.7, .tiles = 512};

typedef struct Found {
  double pressed, raised, passes, slip;
} Found;

// What a wheel reads whose contact before the lowest point is two thirds as long as wide.
static Found look(const rutSoftGround* ground, rutSoftPress p) {
  Found f;
  const double ahead = p.width * 2 / 3;
  const rutSoftPatches patch = {&p.x, &p.y, &p.dir_x, &p.dir_y, &ahead, &p.width, NULL};
  rut_soft_read(ground, 1, &patch,
                &(rutSoftFound){&f.pressed, &f.raised, &f.passes, &f.slip, NULL, NULL});
  return f;
}

static double height(const rutSoftGround* ground, double x, double y) {
  double z = 0, slope_x = 0, slope_y = 0;
  rut_soft_add(ground, &(rutGroundPoints){1, &x, &y}, &(rutGroundSurface){&z, &slope_x, &slope_y});
  return z;
}

// Sum of the heights of all cells, in whole units.
static int64_t volume(const rutSoftGround* ground) {
  int64_t sum = 0;
  for (int t = 0; t < ground->used; t++) {
    for (int k = 0; k < RUT_SOFT_CELLS; k++) {
      const rutSoftTile* c = &ground->tile[t];
      assert_true(c->raised[k] >= 0 && c->rut[k] >= 0 && c->pressed[k] >= c->rut[k]);
      sum += (int64_t)c->raised[k] - c->rut[k];
    }
  }
  return sum;
}

// Roll from one place to another; returns the mean of the depths read on the second half.
static double roll(rutSoftGround* ground, rutSoftPress p, double way, double step) {
  double sum = 0;
  int n = 0;
  p.behind = fmax(p.behind, step);
  for (double s = 0; s <= way; s += step) {
    if (s > 0.5 * way) {
      sum += look(ground, p).pressed;
      n++;
    }
    rut_soft_press(ground, &p);
    p.x += step * p.dir_x;
    p.y += step * p.dir_y;
  }
  return sum / n;
}

static void untouched_ground_is_level(void** state) {
  (void)state;
  rutSoftGround* g = make(plain);
  const Found f = look(g, wheel(3, -2, 1));
  assert_true(f.pressed == 0 && f.raised == 0 && height(g, 3, -2) == 0);
  assert_int_equal(g->used, 0);
  free(g);
}

// Along an axis of the grid the rut is a box: width x length x depth.
static void rut_is_a_box(void** state) {
  (void)state;
  rutSoftGround* g = make(plain);
  // edges of the wheel on borders of cells: 6 cells across; middles from 0.925 to 3.975
  rutSoftPress p = wheel(1, 0.15, 0);
  roll(g, p, 3, 0.01);
  const double unit = RUT_SOFT_UNIT, cell = 0.05 * 0.05;
  const double want = 62 * 0.05 * 0.3 * 0.07;
  assert_near((double)-volume(g) * unit * cell, want, 1e-6 * want);
  assert_near((double)g->ledger.pressed * unit * cell, want, 1e-6 * want);
  assert_int_equal(g->ledger.deposited, 0);
  // depth in the middle, the untouched border, and half way between the last and the first cell
  assert_near(height(g, 2, 0.15), -0.07, unit);
  assert_true(height(g, 2, -0.04) == 0 && height(g, 2, 0.34) == 0);
  assert_near(height(g, 2, 0.3), -0.035, unit);
  double z = 1, sx = 0, sy = 0, x = 2.01, y = 0.3;
  rut_soft_add(g, &(rutGroundPoints){1, &x, &y}, &(rutGroundSurface){&z, &sx, &sy});
  assert_near(sx, 0, 1e-12);
  assert_near(sy, 0.07 / 0.05, 1e-5);
  z = NAN;
  rut_soft_add(g, &(rutGroundPoints){1, &x, &y}, &(rutGroundSurface){&z, &sx, &sy});
  assert_true(isnan(z));
  free(g);
}

// A wheel that rolls over fresh soil must not see its own rut, at any heading and speed.
static void rolling_reads_fresh_soil(void** state) {
  (void)state;
  for (int k = 0; k < 60; k++) {
    rutSoftGround* g = make(plain);
    const double step = k % 3 == 0 ? 0.001 : (k % 3 == 1 ? 0.013 : 0.4);
    const double read =
        roll(g, wheel(between(-9, 9), between(-9, 9), between(-4, 4)), k % 3 == 0 ? 0.5 : 4, step);
    assert_true(read == 0);
    free(g);
  }
}

// The next wheel, and the next pass, read the depth of the rut; in reverse as well.
static void next_wheel_reads_the_rut(void** state) {
  (void)state;
  for (int k = 0; k < 60; k++) {
    rutSoftGround* g = make(plain);
    rutSoftPress p = wheel(between(-9, 9), between(-9, 9), between(-4, 4));
    roll(g, p, 4, 0.4);
    rutSoftPress next = p;
    next.x += 1.5 * p.dir_x;
    next.y += 1.5 * p.dir_y;
    assert_near(look(g, next).pressed, 0.08, RUT_SOFT_UNIT);
    next.dir_x = -p.dir_x;
    next.dir_y = -p.dir_y;
    assert_near(look(g, next).pressed, 0.08, RUT_SOFT_UNIT);
    // half beside it, about half as deep; well beside it, nothing; no jumps between
    double before = 0.08;
    for (int i = 0; i <= 380; i++) {
      const double now = look(g, next).pressed;
      assert_near(now, before, 0.08 * 0.03);
      if (i == 150) assert_near(now, 0.04, 0.02);
      if (i == 380) assert_true(now == 0);
      before = now;
      next.x += 0.001 * p.dir_y;
      next.y -= 0.001 * p.dir_x;
    }
    free(g);
  }
}

// Deeper wins, shallower changes nothing.
static void second_press_takes_the_deeper(void** state) {
  (void)state;
  rutSoftGround* g = make(plain);
  rutSoftPress p = wheel(1, 1, 0.3);
  rut_soft_press(g, &p);
  const uint64_t once = rut_soft_hash(g, RUT_HASH_START);
  rut_soft_press(g, &p);
  p.pressed = 0.04;
  p.rut = 0.03;
  rut_soft_press(g, &p);
  assert_int_equal(rut_soft_hash(g, RUT_HASH_START), once);
  p.pressed = 0.12;
  p.rut = 0.1;
  rut_soft_press(g, &p);
  assert_int_not_equal(rut_soft_hash(g, RUT_HASH_START), once);
  p.x -= 0.15;
  assert_true(look(g, p).pressed > 0.04);
  free(g);
}

// A wheel that has moved less than a quarter of a cell and is no deeper need not press again.
static void following_leaves_out_little(void** state) {
  (void)state;
  rutSoftGround *all = make(plain), *some = make(plain);
  rutSoftPress p = wheel(0.3, 0.2, 0.3), last = {0};
  for (int i = 0; i < 2000; i++) {
    rut_soft_press(all, &p);
    rut_soft_follow(some, &p, &last);
    p.x += 0.001 * p.dir_x;
    p.y += 0.001 * p.dir_y;
  }
  // no gaps, and an end at most one cell short: 6 of 40 cells in a row
  assert_true(volume(some) >= volume(all));
  assert_near((double)volume(some), (double)volume(all), -0.02 * (double)volume(all));
  // standing it does nothing, deeper it does
  p.x += 0.05 * p.dir_x;
  p.y += 0.05 * p.dir_y;
  rut_soft_follow(some, &p, &last);
  const uint64_t hash = rut_soft_hash(some, RUT_HASH_START);
  p.pressed += 9e-6;
  rut_soft_follow(some, &p, &last);
  assert_int_equal(rut_soft_hash(some, RUT_HASH_START), hash);
  p.pressed += 2e-6;
  rut_soft_follow(some, &p, &last);
  assert_int_not_equal(rut_soft_hash(some, RUT_HASH_START), hash);
  // NaN does no harm
  p.x = NAN;
  rut_soft_follow(some, &p, &last);
  free(all);
  free(some);
}

// ---- volumes ----

static void assert_balance(const rutSoftGround* g) {
  assert_true(volume(g) == g->ledger.deposited - g->ledger.pressed);
}

// Exact after a million presses at random places, with borders that fall into ruts.
static void no_volume_is_lost(void** state) {
  (void)state;
  rutSoftDef def = loose;
  def.tiles = 4096;
  rutSoftGround* g = make(def);
  for (int i = 0; i < 100000; i++) {
    rutSoftPress p = wheel(between(-5, 5), between(-5, 5), between(-4, 4));
    p.pressed = between(-0.02, 0.3);
    p.rut = p.pressed * between(0.5, 1);
    rut_soft_press(g, &p);
    if (i % 10000 == 0) assert_balance(g);
  }
  assert_balance(g);
  assert_true(g->ledger.pressed > 0 && !g->full);
  free(g);
}

// What moves aside is the asked part, to the last unit or one per press.
static void displaced_part_is_exact(void** state) {
  (void)state;
  const double part[] = {0, 0.25, 0.6, 1};
  for (int k = 0; k < 4; k++) {
    rutSoftDef def = loose;
    def.displaced = part[k];
    rutSoftGround* g = make(def);
    roll(g, wheel(0, 0, 0.4), 3, 0.02);
    const double moved = (double)g->ledger.deposited, all = (double)g->ledger.pressed;
    // the factor is a multiple of 2^-16
    assert_near(moved / all, part[k], 1.0 / 65536);
    if (part[k] == 1) assert_true(volume(g) == 0);
    assert_balance(g);
    free(g);
  }
}

// Sums of the heights along a line across the rut at x, to its left and right [m2].
static void section(const rutSoftGround* g, double x, double side[2]) {
  side[0] = side[1] = 0;
  for (int i = 0; i < 40; i++) {
    side[0] += 0.05 * height(g, x, 0.025 + 0.05 * i);
    side[1] += 0.05 * height(g, x, -0.025 - 0.05 * i);
  }
}

// What a section of the rut has lost lies beside it, but for what is compacted; alike on both
// sides.
static void borders_are_alike(void** state) {
  (void)state;
  rutSoftDef def = loose;
  def.repose = 0;
  for (int k = 0; k < 2; k++) {
    rutSoftGround* g = make(def);
    roll(g, wheel(0, 0, 0), 3, 0.01);
    double side[2];
    section(g, 1.525, side);
    const double lost = (1 - def.displaced) * 0.3 * 0.07;
    assert_near(side[0] + side[1], -lost, 1e-4 * 0.3 * 0.07);
    assert_near(side[0], side[1], k == 0 ? 1e-6 : 1e-3 * 0.3 * 0.07);
    // borders raise the ground for a wheel beside the rut
    const Found f = look(g, wheel(1.5, 0.3, 0));
    print_message("borders raise the ground by %.4f m\n", f.raised);
    assert_true(f.raised > 0.01 && f.raised < 0.07 && f.pressed == 0);
    // the second time all of it moves, and slides
    def.displaced = 1;
    def.repose = 0.7;
    free(g);
  }
}

// Heaps that would be more than 0.3 m high fall off outwards about as steep as repose; work is
// bounded, so that not all has slid when the wheel has left.
static void loose_soil_slides(void** state) {
  (void)state;
  rutSoftDef def = loose;
  def.displaced = 1;
  def.border = 0.2;
  rutSoftGround* still = make(def);
  still->steepest = 0;
  rutSoftGround* g = make(def);
  rutSoftPress p = wheel(0, 0, 0);
  p.pressed = p.rut = 0.2;
  roll(still, p, 2, 0.01);
  roll(g, p, 2, 0.01);
  assert_true(height(still, 1.025, 0.175) > 0.3);
  double steepest = 0;
  for (int i = 4; i < 20; i++) {
    const double a = height(g, 1.025, 0.025 + 0.05 * i), b = height(g, 1.025, 0.075 + 0.05 * i);
    steepest = fmax(steepest, fabs(a - b) / 0.05);
  }
  print_message("steepest slope of loose soil %.3f, repose %.3f\n", steepest, def.repose);
  assert_true(steepest < 1.5 * def.repose);
  assert_true(volume(g) == 0 && volume(still) == 0);
  free(g);
  free(still);
}

// A wheel on a border: depths count from the raised surface, and the rut goes back down to it.
static void border_can_be_pressed(void** state) {
  (void)state;
  rutSoftDef def = loose;
  def.displaced = 1;
  def.repose = 0;
  rutSoftGround* g = make(def);
  roll(g, wheel(0, 0, 0), 3, 0.01);
  rutSoftPress p = wheel(1, 0.3, 0);
  const Found before = look(g, p);
  assert_true(before.raised > 0.02 && before.pressed == 0);
  // pressed to 0.03 below the raised surface
  p.pressed = 0.03 - before.raised;
  p.rut = p.pressed;
  roll(g, p, 1, 0.01);
  p.x += 0.4;
  const Found after = look(g, p);
  assert_true(after.pressed > 0.01 && after.pressed < 0.06);
  assert_balance(g);
  free(g);
}

// ---- symmetry ----

typedef struct Cell {
  int32_t raised, pressed, rut;
} Cell;

// A cell's numbers at a place, 0 where nothing has happened.
static Cell cell_at(const rutSoftGround* g, int32_t i, int32_t j) {
  const rutSoftTile* t = rut_soft_find(g, i >> 4, j >> 4);
  const int k = (j & 15) * 16 + (i & 15);
  return t ? (Cell){t->raised[k], t->pressed[k], t->rut[k]} : (Cell){0, 0, 0};
}

// Mirrored in the x axis and turned by a quarter: the same cells, mirrored and turned.
static void mirrored_and_turned_footprints(void** state) {
  (void)state;
  rutSoftDef def = plain;
  def.cell = 0.0625;
  for (int k = 0; k < 50; k++) {
    rutSoftGround *a = make(def), *mirrored = make(def), *turned = make(def);
    rutSoftPress p = wheel(between(-1, 1), between(-1, 1), between(-4, 4));
    p.behind = 0.25;
    rutSoftPress m = p, t = p;
    m.y = -p.y;
    m.dir_y = -p.dir_y;
    t.x = -p.y;
    t.y = p.x;
    t.dir_x = -p.dir_y;
    t.dir_y = p.dir_x;
    rut_soft_press(a, &p);
    rut_soft_press(mirrored, &m);
    rut_soft_press(turned, &t);
    for (int32_t j = -40; j < 40; j++) {
      for (int32_t i = -40; i < 40; i++) {
        const Cell one = cell_at(a, i, j);
        const Cell two = cell_at(mirrored, i, -1 - j), three = cell_at(turned, -1 - j, i);
        assert_true(one.pressed == two.pressed && one.rut == two.rut);
        assert_true(one.pressed == three.pressed && one.rut == three.rut);
      }
    }
    // what a wheel has pressed is seen from further back
    rutSoftPress* all[] = {&p, &m, &t};
    const rutSoftGround* ground[] = {a, mirrored, turned};
    for (int i = 0; i < 3; i++) {
      all[i]->x -= 0.2 * all[i]->dir_x;
      all[i]->y -= 0.2 * all[i]->dir_y;
      all[i]->width = 0.15;
      assert_near(look(ground[i], *all[i]).pressed, 0.08, RUT_SOFT_UNIT);
    }
    free(a);
    free(mirrored);
    free(turned);
  }
}

// Wheels whose footprints and borders are apart: any order gives the same cells.
static void order_of_wheels_does_not_matter(void** state) {
  (void)state;
  enum { WHEELS = 12 };
  rutSoftGround *a = make(loose), *b = make(loose);
  rutSoftPress p[WHEELS];
  for (int i = 0; i < WHEELS; i++) p[i] = wheel(2 * (i % 4), 2 * (i / 4), between(-4, 4));
  for (int step = 0; step < 30; step++) {
    for (int i = 0; i < WHEELS; i++) rut_soft_press(a, &p[i]);
    for (int i = WHEELS; i-- > 0;) rut_soft_press(b, &p[i]);
    for (int i = 0; i < WHEELS; i++) p[i].x += 0.03 * p[i].dir_x;
    for (int i = 0; i < WHEELS; i++) p[i].y += 0.03 * p[i].dir_y;
  }
  assert_int_equal(a->used, b->used);
  assert_memory_equal(&a->ledger, &b->ledger, sizeof a->ledger);
  for (int t = 0; t < a->used; t++) {
    const rutSoftTile* other = rut_soft_find(b, a->tile[t].x, a->tile[t].y);
    assert_non_null(other);
    assert_memory_equal(&a->tile[t], other, sizeof *other);
  }
  free(a);
  free(b);
}

// ---- any grid ----

// A wheel of the digest of ground models, 0.3175 m wide, that rolls 2 m from a random place, along
// an axis or anywhere: what a section of the rut lacks is width times depth, and its middle where
// the wheel rolled. The digest has 1.31, 0.52 and 0.12 mm for the middle along an axis,
// and 21.6, 8.2 and 4.4 mm for cells that are pressed where their middle is under the wheel.
static void tracks_are_the_same_on_any_grid(void** state) {
  static const double cells[] = {0.1, 0.05, 0.025}, middles[] = {1.31e-3, 0.52e-3, 0.12e-3};
  enum { RUNS = 100 };
  (void)state;
  for (int c = 0; c < 3; c++) {
    double width_error = 0, middle_error = 0;
    for (int run = 0; run < RUNS; run++) {
      rutSoftDef def = plain;
      def.cell = cells[c];
      rutSoftGround* g = make(def);
      rutSoftPress p = wheel(between(-1, 1), between(-1, 1), run % 2 ? 0 : between(-4, 4));
      p.width = 0.3175;
      const rutSoftPress start = p;
      for (int i = 0; i < 2000; i++) {
        rut_soft_press(g, &p);
        p.x += 1e-3 * p.dir_x;
        p.y += 1e-3 * p.dir_y;
      }
      // moments of the cells between 0.5 and 1.5 m, each as far as it is between them
      double area = 0, moment = 0;
      for (int t = 0; t < g->used; t++) {
        for (int k = 0; k < RUT_SOFT_CELLS; k++) {
          const rutSoftTile* tile = &g->tile[t];
          const double x = (tile->x * 16 + k % 16 + 0.5) * def.cell - start.x;
          const double y = (tile->y * 16 + k / 16 + 0.5) * def.cell - start.y;
          const double along = x * p.dir_x + y * p.dir_y, across = y * p.dir_x - x * p.dir_y;
          const rutSoftEdge edge = rut_soft_edge(p.dir_x, p.dir_y);
          const double part =
              rut_strip_share(&edge, (along - 0.5) / def.cell, (1.5 - along) / def.cell);
          const double lacks = part * tile->rut[k] * RUT_SOFT_UNIT / 0.07 * def.cell * def.cell;
          area += lacks;
          moment += lacks * across;
        }
      }
      const double width = area - 0.3175, middle = moment / area;
      width_error += width * width / RUNS;
      if (run % 2) middle_error += middle * middle / (RUNS / 2);
      free(g);
    }
    print_message("%g m: width %.1e, middle along an axis %.2e m rms\n", cells[c],
                  sqrt(width_error), sqrt(middle_error));
    assert_near(sqrt(width_error), 0, 2e-3 * 0.3175);
    assert_near(sqrt(middle_error), 0, 1.3 * middles[c]);
  }
}

// A wheel that moves at an angle to its heading leaves a track along its motion, as wide as it
// appears from there, and two thirds of its contact's length in front beside that.
static void skidding_wheels_leave_tracks_along_their_motion(void** state) {
  (void)state;
  for (int k = 0; k < 30; k++) {
    const double angle = between(-0.7, 0.7), yaw = between(-4, 4);
    rutSoftGround* g = make(plain);
    rutSoftPress p = wheel(between(-1, 1), between(-1, 1), yaw + angle), last = {0};
    p.move_x = cos(yaw);
    p.move_y = sin(yaw);
    p.ahead = 0.2;
    p.behind = 0.02;
    int64_t before = 0;
    for (int i = 0; i < 600; i++) {
      if (i == 200) before = volume(g);
      rut_soft_follow(g, &p, &last);
      p.x += 0.01 * p.move_x;
      p.y += 0.01 * p.move_y;
    }
    const double width = 0.3 * cos(angle) + 0.2 * 2 / 3 * fabs(sin(angle));
    const double area = (double)(before - volume(g)) * RUT_SOFT_UNIT * 0.05 * 0.05 / 0.07;
    // within the cells at both ends
    assert_near(area / 4, width, 0.01 * width);
    free(g);
  }
}

// ---- passes ----

// Wheels are counted, with the mean of their slips, wherever a track is on the grid; a wheel that
// meets half of a track finds half a pass. Saved and restored with the rest.
static void passes_are_counted(void** state) {
  (void)state;
  rutSoftDef def = plain;
  def.counts = 1;
  for (int k = 0; k < 20; k++) {
    rutSoftGround *g = make(def), *other = make(def);
    const rutSoftPress start = wheel(between(-1, 1), between(-1, 1), between(-4, 4));
    static const double slips[] = {0.1, 0.4, 0.4};
    for (int pass = 0; pass < 3; pass++) {
      rutSoftPress p = start, last = {0};
      p.slip = slips[pass];
      p.behind = 0.02;
      for (int i = 0; i < 200; i++) {
        rut_soft_follow(g, &p, &last);
        // sinking where it stands is no pass
        p.pressed += i % 50 == 0 ? 2e-5 : 0;
        rut_soft_follow(g, &p, &last);
        p.x += 0.01 * p.dir_x;
        p.y += 0.01 * p.dir_y;
      }
      rutSoftPress at = start;
      at.x += at.dir_x;
      at.y += at.dir_y;
      const Found f = look(g, at);
      double mean = 0;
      for (int i = 0; i <= pass; i++) mean += slips[i] / (pass + 1);
      // shares of cells and slips are rounded
      assert_near(f.passes, pass + 1, 0.01 * (pass + 1));
      assert_near(f.slip, mean, 0.005);
      at.x += 0.15 * at.dir_y;
      at.y -= 0.15 * at.dir_x;
      assert_near(look(g, at).passes, 0.5 * (pass + 1), 0.06 * (pass + 1));
    }
    const size_t size = rut_soft_size(g);
    void* saved = malloc(size);
    rut_soft_get(g, saved);
    assert_int_equal(rut_soft_saved_size(other, saved, size), size);
    assert_int_equal(rut_soft_saved_size(other, saved, size - 1), 0);
    rut_soft_set(other, saved);
    assert_true(rut_soft_hash(other, RUT_HASH_START) == rut_soft_hash(g, RUT_HASH_START));
    other->passes[0].passes[7]++;
    assert_true(rut_soft_hash(other, RUT_HASH_START) != rut_soft_hash(g, RUT_HASH_START));
    free(saved);
    free(g);
    free(other);
  }
}

// ---- state ----

static void saved_ground_goes_on_to_the_bit(void** state) {
  (void)state;
  rutSoftGround *g = make(loose), *other = make(loose);
  const uint64_t empty = rut_soft_hash(g, RUT_HASH_START);
  rutSoftPress p = wheel(-3, 1, 0.2);
  roll(g, p, 3, 0.02);
  const uint64_t half = rut_soft_hash(g, RUT_HASH_START);
  assert_int_not_equal(half, empty);
  const size_t size = rut_soft_size(g);
  void* saved = malloc(size);
  rut_soft_get(g, saved);
  p.dir_x = cos(-0.4);
  p.dir_y = sin(-0.4);
  roll(g, p, 3, 0.02);
  const uint64_t whole = rut_soft_hash(g, RUT_HASH_START);
  assert_int_not_equal(whole, half);

  assert_int_equal(rut_soft_saved_size(other, saved, size), size);
  assert_int_equal(rut_soft_saved_size(other, saved, size + 99), size);
  assert_int_equal(rut_soft_saved_size(other, saved, size - 1), 0);
  assert_int_equal(rut_soft_saved_size(other, saved, 3), 0);
  rutSoftGround* both[] = {g, other};
  for (int i = 0; i < 2; i++) {
    rut_soft_set(both[i], saved);
    assert_int_equal(rut_soft_hash(both[i], RUT_HASH_START), half);
    roll(both[i], p, 3, 0.02);
    assert_int_equal(rut_soft_hash(both[i], RUT_HASH_START), whole);
  }
  rut_soft_reset(g);
  assert_int_equal(rut_soft_hash(g, RUT_HASH_START), empty);
  assert_true(height(g, -2.5, 1) == 0);
  // a count that cannot be
  const int64_t most = 1 << 20;
  memcpy(saved, &most, sizeof most);
  assert_int_equal(rut_soft_saved_size(g, saved, size), 0);
  free(saved);
  free(g);
  free(other);
}

// ---- limits ----

static void full_pool_keeps_what_it_has(void** state) {
  (void)state;
  rutSoftDef def = loose;
  def.tiles = 6;
  rutSoftGround* g = make(def);
  rutSoftPress p = wheel(0.4, 0.4, 0);
  rut_soft_press(g, &p);
  assert_false(g->full);
  roll(g, p, 20, 0.02);
  assert_true(g->full && g->used == 6);
  assert_balance(g);
  // there it still works, elsewhere nothing is kept
  p.x = 0.6;
  assert_near(look(g, p).pressed, 0.08, RUT_SOFT_UNIT);
  p.x = 15;
  assert_true(look(g, p).pressed == 0);
  rut_soft_reset(g);
  assert_false(g->full);
  free(g);
}

static void far_places_and_nonsense(void** state) {
  (void)state;
  rutSoftGround* g = make(plain);
  // as good as near the origin as far as doubles tell cells apart
  rutSoftPress far = wheel(4e7, -4e7, 0.7);
  roll(g, far, 2, 0.02);
  far.x += 0.5 * far.dir_x;
  far.y += 0.5 * far.dir_y;
  assert_near(look(g, far).pressed, 0.08, RUT_SOFT_UNIT);
  const uint64_t hash = rut_soft_hash(g, RUT_HASH_START);
  const double bad[] = {1e9, -1e12, 1e300, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 6; i++) {
    rutSoftPress p = wheel(bad[i], 0, 0);
    rut_soft_press(g, &p);
    assert_true(look(g, p).pressed == 0 && height(g, bad[i], 0) == 0);
    p = wheel(0, bad[i], 0);
    rut_soft_press(g, &p);
    assert_true(look(g, p).pressed == 0 && height(g, 0, bad[i]) == 0);
    if (isfinite(bad[i])) continue;
    double* field[] = {&p.dir_x, &p.behind, &p.width, &p.pressed, &p.rut};
    for (int k = 0; k < 5; k++) {
      p = wheel(0, 0, 0);
      *field[k] = bad[i];
      rut_soft_press(g, &p);
      (void)look(g, p);
    }
  }
  // no width: not on the ground
  rutSoftPress off = wheel(0, 0, 0);
  off.width = 0;
  rut_soft_press(g, &off);
  assert_int_equal(rut_soft_hash(g, RUT_HASH_START), hash);
  // absurd sizes are cut
  off = wheel(0, 0, 0.5);
  off.width = off.behind = 1e6;
  off.pressed = off.rut = 1e9;
  for (int i = 0; i < 3; i++) rut_soft_press(g, &off);
  assert_balance(g);
  free(g);
}

// A wheel narrower than a cell still leaves a track without gaps, and reads it.
static void small_wheels_on_coarse_cells(void** state) {
  (void)state;
  for (int k = 0; k < 40; k++) {
    rutSoftGround* g = make(plain);
    rutSoftPress p = wheel(between(-1, 1), between(-1, 1), between(-4, 4));
    p.width = 0.01;
    p.behind = 0.004;
    assert_true(roll(g, p, 1, 0.003) == 0);
    for (int i = 0; i < 30; i++) {
      rutSoftPress at = p;
      at.x += 0.03 * i * p.dir_x;
      at.y += 0.03 * i * p.dir_y;
      assert_near(look(g, at).pressed, 0.08, RUT_SOFT_UNIT);
    }
    free(g);
  }
}

// ---- cost ----

static void memory_per_metre(void** state) {
  (void)state;
  rutSoftDef def = loose;
  def.tiles = rut_soft_tiles(64e6, 0);
  rutSoftGround* g = make(def);
  // two tracks of 1.8 m, at a heading that is no better than others
  rutSoftPress left = wheel(0, 0.9, 0.3), right = wheel(0, -0.9, 0.3);
  roll(g, left, 1000, 0.05);
  roll(g, right, 1000, 0.05);
  const double each = g->used * rut_soft_tile_bytes(0) / 1000;
  print_message("%.0f bytes per metre of way, %.1f km in 256 MB\n", each, 256e3 / each);
  assert_true(each < 20e3 && !g->full);
  free(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(untouched_ground_is_level),
      cmocka_unit_test(rut_is_a_box),
      cmocka_unit_test(rolling_reads_fresh_soil),
      cmocka_unit_test(next_wheel_reads_the_rut),
      cmocka_unit_test(second_press_takes_the_deeper),
      cmocka_unit_test(following_leaves_out_little),
      cmocka_unit_test(no_volume_is_lost),
      cmocka_unit_test(displaced_part_is_exact),
      cmocka_unit_test(borders_are_alike),
      cmocka_unit_test(loose_soil_slides),
      cmocka_unit_test(border_can_be_pressed),
      cmocka_unit_test(mirrored_and_turned_footprints),
      cmocka_unit_test(order_of_wheels_does_not_matter),
      cmocka_unit_test(tracks_are_the_same_on_any_grid),
      cmocka_unit_test(skidding_wheels_leave_tracks_along_their_motion),
      cmocka_unit_test(passes_are_counted),
      cmocka_unit_test(saved_ground_goes_on_to_the_bit),
      cmocka_unit_test(full_pool_keeps_what_it_has),
      cmocka_unit_test(far_places_and_nonsense),
      cmocka_unit_test(small_wheels_on_coarse_cells),
      cmocka_unit_test(memory_per_metre),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
