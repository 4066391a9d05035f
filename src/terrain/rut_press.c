// SPDX-License-Identifier: BSD-3-Clause
//
// What a wheel does to ground that keeps ruts. Soil is moved in whole units, so that none is lost.
#include "terrain/rut_window.h"

enum {
  MARGIN = 6,   // cells around footprint and borders into which soil may slide
  SLIDES = 24,  // cells from which it may after one deposit
  ROUNDS = 3    // of it
};

typedef struct Footprint {
  rutSoftExtent wheel;   // cells that it presses
  rutSoftStrip under;    // the same
  double cell;           // side [m]
  int columns;           // of each border
  double column;         // their width [m]
  int32_t pressed, rut;  // depths below the untouched surface, may be negative [units]
} Footprint;

// A wheel presses again when it has moved this many cells, turned by this angle [rad], or sunk
// deeper by this much [m].
#define FAR_ENOUGH 0.25
#define TURNED     0.02
#define DEEPER     1e-5
// Of a number of columns, so that rounding does not lose one.
#define ROUNDING 1e-9

static int32_t units_of(double height) {
  const double units = height / RUT_SOFT_UNIT;
  return (int32_t)rut_floor(rut_clamp(units, -(double)RUT_SOFT_MOST, RUT_SOFT_MOST) + 0.5);
}

static bool footprint_of(const rutSoftGround* ground, const rutSoftPress* p, Footprint* out) {
  const double cell = ground->def.cell, least = RUT_WINDOW_LEAST * cell;
  const double all[] = {p->x, p->y, p->dir_x, p->dir_y, p->behind, p->width, p->pressed, p->rut};
  double sum = 0;
  for (int i = 0; i < (int)(sizeof all / sizeof all[0]); i++) sum += all[i] - all[i];
  if (!(p->width > 0) || sum != 0) return false;
  const double inner = (RUT_SOFT_REACH - MARGIN) * cell;
  const double half = rut_clamp(0.5 * p->width, 0.5 * least, inner - 2 * cell);
  const double back = rut_clamp(p->behind + FAR_ENOUGH * cell, least, inner);
  const double border = rut_clamp(ground->def.border * p->width, cell, inner - half);
  const int columns = (int)(border * ground->inverse + ROUNDING);
  *out = (Footprint){.wheel = {p->x, p->y, p->dir_x, p->dir_y, back, 0, half},
                     .under = {-back, 0, -half, half},
                     .cell = cell,
                     .columns = columns > 1 ? columns : 1,
                     .column = border / (columns > 1 ? columns : 1),
                     .pressed = units_of(p->pressed),
                     .rut = units_of(p->rut)};
  return true;
}

// Tile of a cell; made if there is none and the pool has one left, else NULL.
static rutSoftTile* take(rutSoftGround* ground, rutSoftWindow* w, int32_t i, int32_t j) {
  rutSoftTile* tile = rut_window_tile(w, i, j);
  if (tile) return tile;
  const int32_t x = i >> 4, y = j >> 4;
  tile = rut_soft_take(ground, x, y);
  w->tile[(y - w->tile_y) * RUT_WINDOW_SPAN + x - w->tile_x] = tile;
  return tile;
}

// ---- beside the wheel ----

// Lay soil on a cell: a rut is filled first, what lies in it being fresh soil then. Returns what
// the cell takes, all of it but for absurd heaps.
static int32_t deposit(rutSoftTile* tile, int k, int32_t soil) {
  const int32_t fill = soil < tile->rut[k] ? soil : tile->rut[k], rest = soil - fill;
  const int32_t room = RUT_SOFT_MOST - tile->raised[k], heap = rest < room ? rest : room;
  tile->rut[k] -= fill;
  tile->pressed[k] = tile->pressed[k] > fill ? tile->pressed[k] - fill : 0;
  tile->raised[k] += heap;
  return fill + heap;
}

// Let loose soil slide from a cell to one beside it, but not under the wheel. Where that cell is
// lower than the firm ground under the heap, only the heap slides. Returns whether some did.
static bool slide(rutSoftGround* ground, rutSoftWindow* w, const Footprint* f, int32_t* from,
                  int32_t i, int32_t j) {
  if (i < w->i0 || i > w->i1 || j < w->j0 || j > w->j1) return false;
  const rutSoftTile* seen = rut_window_tile(w, i, j);
  const int k = rut_soft_index(i, j);
  const int32_t foot = seen ? seen->raised[k] - seen->rut[k] : 0;
  const int32_t flow = (*from - (foot > 0 ? foot : 0) - ground->steepest) / 2;
  if (flow <= 0) return false;
  if (rut_strip_holds(&f->under, rut_window_place(&f->wheel, f->cell, i, j))) return false;
  rutSoftTile* to = take(ground, w, i, j);
  if (!to) return false;
  *from -= deposit(to, k, flow);
  return true;
}

// From a cell that has become higher, and from those onto which its soil slides, a bounded number
// of them. Only soil on cells that no wheel has pressed is loose.
static void slide_from(rutSoftGround* ground, rutSoftWindow* w, const Footprint* f, int32_t i,
                       int32_t j) {
  static const int32_t next[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  int32_t queue[SLIDES][2] = {{i, j}};
  int queued = 1;
  for (int q = 0; q < queued; q++) {
    const int32_t x = queue[q][0], y = queue[q][1];
    rutSoftTile* tile = rut_window_tile(w, x, y);
    const int k = rut_soft_index(x, y);
    if (!tile || tile->pressed[k] > 0 || tile->raised[k] <= ground->steepest) continue;
    for (int n = 0; n < 4; n++) {
      const int32_t to_x = x + next[n][0], to_y = y + next[n][1];
      if (!slide(ground, w, f, &tile->raised[k], to_x, to_y) || queued == SLIDES) continue;
      queue[queued][0] = to_x;
      queue[queued++][1] = to_y;
    }
  }
}

// Cell of a border at a place along the wheel, `out` from its side; the next one further out where
// that is under the wheel. side is 1 left, -1 right.
static void border_cell(const rutSoftGround* ground, const Footprint* f, double along, double out,
                        int side, int32_t cell[2]) {
  const rutSoftExtent* e = &f->wheel;
  for (int step = 0; step < 2; step++) {
    const double across = side * (e->half + out + step * f->cell);
    const double x = e->x + along * e->dir_x - across * e->dir_y;
    const double y = e->y + along * e->dir_y + across * e->dir_x;
    cell[0] = (int32_t)rut_floor(x * ground->inverse);
    cell[1] = (int32_t)rut_floor(y * ground->inverse);
    if (!rut_strip_holds(&f->under, rut_window_place(e, f->cell, cell[0], cell[1]))) break;
  }
}

// Column c of 2 n, alternately to the left and right, from the wheel outwards.
static void column_cell(const rutSoftGround* ground, const Footprint* f, double along, int c,
                        int32_t cell[2]) {
  border_cell(ground, f, along, (c / 2 + 0.5) * f->column, c % 2 ? -1 : 1, cell);
}

// Push soil from a place under the wheel to both borders, so that their height falls outwards.
// Returns what they took: where the pool is full, or heaps are, the rest counts as compacted.
static int64_t push_aside(rutSoftGround* ground, rutSoftWindow* w, const Footprint* f, double along,
                          int64_t soil) {
  const int64_t n = f->columns, all = 2 * n * n;
  int64_t before = 0, taken = 0;
  int32_t at[2];
  for (int c = 0; c < 2 * f->columns; c++) {
    // weights 2 n - 1, 2 n - 3, ..., 1 on either side; parts of all sum to the soil exactly
    const int64_t weight = 2 * n - 1 - 2 * (c / 2);
    const int64_t part = soil * (before + weight) / all - soil * before / all;
    before += weight;
    column_cell(ground, f, along, c, at);
    rutSoftTile* tile = part > 0 ? take(ground, w, at[0], at[1]) : NULL;
    if (!tile) continue;
    taken += deposit(tile, rut_soft_index(at[0], at[1]),
                     part < RUT_SOFT_MOST ? (int32_t)part : RUT_SOFT_MOST);
  }
  for (int k = 0; ground->steepest > 0 && k < ROUNDS * 2 * f->columns; k++) {
    column_cell(ground, f, along, k % (2 * f->columns), at);
    slide_from(ground, w, f, at[0], at[1]);
  }
  return taken;
}

// ---- under it ----

static int32_t or_zero(int32_t depth) { return depth > 0 ? depth : 0; }

// Press a cell. Returns by how much its surface goes down.
static int32_t press_cell(rutSoftTile* tile, int k, const Footprint* f) {
  const int32_t raised = tile->raised[k];
  const int32_t pressed = or_zero(raised + f->pressed), left = or_zero(raised + f->rut);
  const int32_t rut = left < pressed ? left : pressed;
  const int32_t drop = rut > tile->rut[k] ? rut - tile->rut[k] : 0;
  tile->rut[k] += drop;
  tile->pressed[k] = pressed > tile->pressed[k] ? pressed : tile->pressed[k];
  return drop;
}

static bool open_borders(const rutSoftGround* ground, const Footprint* f, rutSoftWindow* out) {
  const double margin = MARGIN * f->cell;
  rutSoftExtent reach = f->wheel;
  reach.half += f->columns * f->column + margin;
  reach.back += margin;
  return rut_window_open(ground, &reach, out);
}

void rut_soft_press(rutSoftGround* ground, const rutSoftPress* press) {
  Footprint f;
  rutSoftWindow w, wide;
  if (!footprint_of(ground, press, &f) || !rut_window_open(ground, &f.wheel, &w)) return;
  // soil to push aside, by place along the wheel, in bins of a cell
  int64_t moved[RUT_SOFT_REACH + 2] = {0}, all = 0;
  const rutSoftPlace step = rut_window_step(&f.wheel, f.cell);
  for (int32_t j = w.j0; j <= w.j1; j++) {
    const rutSoftPlace start = rut_window_place(&f.wheel, f.cell, w.i0, j);
    int k = 0;
    for (int32_t i = w.i0; i <= w.i1; i++, k++) {
      const rutSoftPlace p = rut_window_onward(start, step, k);
      if (!rut_strip_holds(&f.under, p)) continue;
      rutSoftTile* tile = take(ground, &w, i, j);
      const int32_t drop = tile ? press_cell(tile, rut_soft_index(i, j), &f) : 0;
      if (drop == 0) continue;
      ground->ledger.pressed += drop;
      const int64_t aside = (drop * ground->share) >> RUT_SOFT_SHARE_BITS;
      moved[(int)((p.along + f.wheel.back) * ground->inverse)] += aside;
      all += aside;
    }
  }
  if (all == 0 || !open_borders(ground, &f, &wide)) return;
  const int bins = (int)(f.wheel.back * ground->inverse) + 1;
  for (int b = 0; b < bins; b++) {
    const double along = rut_min((b + 0.5) * f.cell - f.wheel.back, 0);
    if (moved[b]) ground->ledger.deposited += push_aside(ground, &wide, &f, along, moved[b]);
  }
}

void rut_soft_follow(rutSoftGround* ground, const rutSoftPress* press, rutSoftPress* last) {
  const double far = FAR_ENOUGH * ground->def.cell, dx = press->x - last->x,
               dy = press->y - last->y;
  const double turn = press->dir_x * last->dir_y - press->dir_y * last->dir_x;
  const bool same = press->width == last->width && press->behind <= last->behind + far;
  const bool there = dx * dx + dy * dy < far * far && rut_abs(turn) < TURNED &&
                     press->dir_x * last->dir_x + press->dir_y * last->dir_y > 0;
  const bool above = press->pressed <= last->pressed + DEEPER && press->rut <= last->rut + DEEPER;
  if (!(press->width > 0) || (same && there && above)) return;
  rut_soft_press(ground, press);
  *last = *press;
}
