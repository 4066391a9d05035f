// SPDX-License-Identifier: BSD-3-Clause
#include "terrain/rut_heap.h"

enum {
  CELLS = 512,   // of both borders, next to the length that is laid at once
  ACTIVE = 128,  // cells from which soil slides at a time
  ROUNDS = 12    // of it
};

rutSoftTile* rut_window_take(rutSoftGround* ground, rutSoftWindow* w, int32_t i, int32_t j) {
  const rutSoftTile* seen = rut_window_tile(w, i, j);
  if (seen && rut_soft_owns(ground, seen)) return &ground->tile[seen - ground->tile];
  const int32_t x = i >> 4, y = j >> 4;
  rutSoftTile* tile = rut_soft_take(ground, x, y);
  w->tile[(y - w->tile_y) * RUT_WINDOW_SPAN + x - w->tile_x] = tile;
  return tile;
}

typedef struct Cell {
  int32_t i, j;
} Cell;

// ---- laying soil ----

int32_t rut_soft_deposit(rutSoftTile* tile, int k, int32_t soil, int32_t share) {
  const int64_t part = tile->part[k], rut_part = part > share ? part - share : 0;
  const int64_t outside = RUT_SOFT_WHOLE - share;
  const int32_t falls = outside > 0 ? (int32_t)((soil * rut_part) / outside) : 0;
  const int32_t fill = falls < tile->rut[k] ? falls : tile->rut[k], rest = soil - fill;
  const int32_t room = RUT_SOFT_MOST - tile->raised[k], heap = rest < room ? rest : room;
  const int64_t thick = fill > 0 ? fill * (int64_t)RUT_SOFT_WHOLE / part : 0;
  tile->rut[k] -= fill;
  tile->pressed[k] = tile->pressed[k] > thick ? (int32_t)(tile->pressed[k] - thick) : 0;
  tile->raised[k] += heap;
  if (tile->pressed[k] < tile->rut[k]) tile->pressed[k] = tile->rut[k];
  if (tile->pressed[k] == 0) tile->part[k] = tile->under[k] = 0;
  return fill + heap;
}

// Cells of one border, and their parts of what is laid there.
typedef struct Border {
  Cell cell[CELLS / 2];
  double weight[CELLS / 2];
  int32_t share[CELLS / 2];  // of the track in them
  double sum;
  int cells, heaviest;
} Border;

static void add_to(Border* border, int32_t i, int32_t j, double weight, int32_t share) {
  static const double LEAST = 0.03;  // that takes any
  if (border->cells == CELLS / 2 || !(weight > LEAST)) return;
  const int n = border->cells++;
  border->cell[n] = (Cell){i, j};
  border->weight[n] = weight;
  border->share[n] = share;
  border->sum += weight;
  if (weight > border->weight[border->heaviest]) border->heaviest = n;
}

// A border: a strip from `near` to `far` behind the lowest point [cells].
typedef struct Strip {
  const rutFootprint* print;
  double near, far, side;  // 1 left, -1 right
  double edge;             // of the track from the lowest point
} Strip;

typedef struct Row {
  double weight[RUT_SOFT_LANES], inside[RUT_SOFT_LANES];
} Row;

// Parts of the cells of a row, and of the track in them: across it, the integral over the width of
// a cell of a height that falls from 1 at the track to 0.
RUT_CLONES static void weigh(const Strip* strip, rutSoftPlace start, Row* row) {
  const rutFootprint* f = strip->print;
  const double half = 0.5 / f->edge.per_side, border = f->border, falls = 0.5 / border;
  const double track = f->left + f->right, dx = f->place.dir_x, dy = f->place.dir_y;
  RUT_FOR_LANES(k, RUT_SOFT_LANES) {
    const double k_along = rut_soft_lane[k] * dx, k_across = rut_soft_lane[k] * dy;
    const double along = start.along + k_along, across = start.across - k_across;
    const double out = strip->side * across - strip->edge;
    const double from = rut_clamp(out - half, 0, border), to = rut_clamp(out + half, 0, border);
    const double length = rut_strip_share(&f->edge, -strip->near - along, along + strip->far);
    row->weight[k] = length * ((to - from) * (1 - (to + from) * falls));
    row->inside[k] = rut_strip_share(&f->edge, -out, out + track);
  }
}

// Soil is laid where all cells have been left: their shares of the track are pressed already.
static void find_border(const rutSoftGround* ground, const Strip* strip, Border* border) {
  const rutFootprint* f = strip->print;
  const double per = ground->inverse, cell = ground->def.cell, reach = f->edge.reach;
  const double middle = strip->side * (strip->edge + 0.5 * f->border) * cell;
  rutSoftExtent e = f->place;
  rutSoftWindow w;
  e.x -= middle * e.dir_y;
  e.y += middle * e.dir_x;
  e.back = (strip->far + reach) * cell;
  e.front = (reach - strip->near) * cell;
  e.half = (0.5 * f->border + reach) * cell;
  border->cells = border->heaviest = 0;
  border->sum = 0;
  if (!rut_window_bounds(ground, &e, &w)) return;
  for (int32_t j = w.j0; j <= w.j1; j++) {
    for (int32_t i = w.i0; i <= w.i1; i += RUT_SOFT_LANES) {
      const rutSoftPlace p = rut_window_place(&f->place, cell, i, j);
      Row row;
      weigh(strip, (rutSoftPlace){p.along * per, p.across * per}, &row);
      for (int k = 0; k < RUT_SOFT_LANES && i + k <= w.i1; k++) {
        add_to(border, i + k, j, row.weight[k], (int32_t)(row.inside[k] * RUT_SOFT_WHOLE + 0.5));
      }
    }
  }
}

// Lay soil on a border in parts by weight; the rest of the division goes to the heaviest.
static int64_t lay(rutSoftGround* ground, rutSoftWindow* w, const Border* border, int64_t soil) {
  int64_t taken = 0, left = soil;
  const double per = border->sum > 0 ? (double)soil / border->sum : 0;
  for (int pass = 0; pass < 2 && border->cells > 0; pass++) {
    for (int n = 0; n < (pass ? 1 : border->cells) && left > 0; n++) {
      const int c = pass ? border->heaviest : n;
      const int64_t by_weight = pass ? left : (int64_t)(border->weight[c] * per);
      const int64_t part = by_weight < left ? by_weight : left;
      rutSoftTile* tile =
          part > 0 ? rut_window_take(ground, w, border->cell[c].i, border->cell[c].j) : NULL;
      left -= part;
      if (!tile) continue;
      taken +=
          rut_soft_deposit(tile, rut_soft_index(border->cell[c].i, border->cell[c].j),
                           part < RUT_SOFT_MOST ? (int32_t)part : RUT_SOFT_MOST, border->share[c]);
    }
  }
  return taken;
}

// ---- sliding ----

// Cells from which soil may slide, and what goes to each neighbour. All flows of a round are found
// before any of them moves, so that their order does not matter.
typedef struct Slide {
  Cell cell[ACTIVE];
  int32_t flow[ACTIVE][4];
  int cells;
} Slide;

static const int32_t next[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

// Only soil on cells that no wheel has pressed is loose.
static bool is_loose(const rutSoftGround* ground, const rutSoftTile* tile, int k) {
  return tile && tile->part[k] == 0 && tile->raised[k] > ground->steepest;
}

static void activate(const rutSoftGround* ground, const rutSoftWindow* w, Slide* s, Cell c) {
  if (s->cells == ACTIVE ||
      !is_loose(ground, rut_window_tile(w, c.i, c.j), rut_soft_index(c.i, c.j)))
    return;
  for (int n = 0; n < s->cells; n++) {
    if (s->cell[n].i == c.i && s->cell[n].j == c.j) return;
  }
  s->cell[s->cells++] = c;
}

// Under the wheel or behind it, where soil does not slide.
static bool is_under(const rutSoftGround* ground, const rutFootprint* f, int32_t i, int32_t j) {
  const rutSoftExtent heading = rut_footprint_heading(f);
  const rutSoftPlace p = rut_window_place(&f->place, ground->def.cell, i, j);
  const double across = p.across * ground->inverse;
  const double ahead = rut_window_place(&heading, ground->def.cell, i, j).along * ground->inverse;
  return ahead <= f->front && across <= f->left && -across <= f->right;
}

// Flow from a heap to a cell beside it. Where that is lower than the firm ground under the heap,
// only the heap slides. A quarter of the height's excess: four neighbours take from one.
static int32_t flow_to(const rutSoftGround* ground, const rutFootprint* f, const rutSoftWindow* w,
                       int32_t from, int32_t i, int32_t j) {
  if (i < w->i0 || i > w->i1 || j < w->j0 || j > w->j1 || is_under(ground, f, i, j)) return 0;
  const rutSoftTile* seen = rut_window_tile(w, i, j);
  const int k = rut_soft_index(i, j);
  const int32_t foot = seen ? seen->raised[k] - seen->rut[k] : 0;
  const int32_t excess = from - (foot > 0 ? foot : 0) - ground->steepest;
  return excess > 0 ? excess / 4 : 0;
}

static void slide(rutSoftGround* ground, const rutFootprint* f, rutSoftWindow* w, Slide* s) {
  Slide then;
  then.cells = 0;
  for (int n = 0; n < s->cells; n++) {
    const Cell c = s->cell[n];
    const int32_t from = rut_window_tile(w, c.i, c.j)->raised[rut_soft_index(c.i, c.j)];
    for (int d = 0; d < 4; d++) {
      s->flow[n][d] = flow_to(ground, f, w, from, c.i + next[d][0], c.j + next[d][1]);
    }
  }
  for (int n = 0; n < s->cells; n++) {
    const Cell c = s->cell[n];
    int32_t* from = &rut_window_take(ground, w, c.i, c.j)->raised[rut_soft_index(c.i, c.j)];
    for (int d = 0; d < 4; d++) {
      const int32_t i = c.i + next[d][0], j = c.j + next[d][1], flow = s->flow[n][d];
      rutSoftTile* to = flow > 0 ? rut_window_take(ground, w, i, j) : NULL;
      if (to) *from -= rut_soft_deposit(to, rut_soft_index(i, j), flow, 0);
    }
  }
  for (int n = 0; n < s->cells; n++) {
    activate(ground, w, &then, s->cell[n]);
    for (int d = 0; d < 4; d++) {
      const Cell to = {s->cell[n].i + next[d][0], s->cell[n].j + next[d][1]};
      if (s->flow[n][d] > 0) activate(ground, w, &then, to);
    }
  }
  *s = then;
}

// ---- both ----

int64_t rut_heap_push(rutSoftGround* ground, const rutFootprint* f, rutSoftSides soil) {
  const double cell = ground->def.cell, near = 2 * f->edge.reach;
  const double length = rut_max(1, f->back - f->behind), far = near + length;
  Border left, right;
  rutSoftWindow w;
  rutSoftExtent reach = f->place;
  reach.back = (far + RUT_SOFT_MARGIN) * cell;
  reach.front = 0;
  reach.half += RUT_SOFT_MARGIN * cell;
  if (!rut_window_open(ground, &reach, &w)) return 0;
  find_border(ground, &(Strip){f, near, far, 1, f->left}, &left);
  find_border(ground, &(Strip){f, near, far, -1, f->right}, &right);
  int64_t taken = lay(ground, &w, &left, soil.left);
  taken += lay(ground, &w, &right, soil.right);
  if (ground->steepest <= 0) return taken;
  Slide s;
  s.cells = 0;
  for (int n = 0; n < left.cells; n++) activate(ground, &w, &s, left.cell[n]);
  for (int n = 0; n < right.cells; n++) activate(ground, &w, &s, right.cell[n]);
  for (int round = 0; round < ROUNDS && s.cells > 0; round++) slide(ground, f, &w, &s);
  return taken;
}
