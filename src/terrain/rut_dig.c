// SPDX-License-Identifier: BSD-3-Clause
#include "terrain/rut_dig.h"

#include "terrain/rut_heap.h"

enum {
  WEIGHT_BITS = 12,       // of the part of a cell that counts
  SPREAD = 4,             // cells beside laid soil onto which it may slide
  CORNERS = 8,            // of a rectangle cut by a cell, at most
  MOST_SLIDING = 96 * 96  // cells among which soil slides
};
// Rectangles reach no farther than this many cells from the lowest point.
#define FARTHEST 40

// A rectangle along and across the direction of travel, with the cells around it.
typedef struct Area {
  const rutSoftGround* ground;
  rutSoftExtent at;
  rutSoftEdge edge;
  double rear, fore, half;
  int32_t i0, j0, i1, j1;  // cells that it may touch, and `margin` around them
} Area;

// False where no cells are kept.
static bool area_of(const rutSoftGround* ground, const rutSoftDig* d, double rear, double fore,
                    int margin, Area* out) {
  const double per = ground->inverse, most = RUT_WINDOW_FARTHEST, half = 0.5 * d->width;
  const double far_x = rut_max(rut_abs(rear), rut_abs(fore)), far = rut_hypot(far_x, half);
  // a direction is a unit vector
  const bool turned = rut_abs(d->dir_x) < 1.01 && rut_abs(d->dir_y) < 1.01;
  const bool placed = rut_abs(d->x * per) < most && rut_abs(d->y * per) < most;
  const bool shallow = d->depth <= RUT_SOFT_MOST * RUT_SOFT_UNIT;
  if (!(turned && placed && shallow && far * per < 2 * FARTHEST)) return false;
  const double side = half * rut_abs(d->dir_y), up = half * rut_abs(d->dir_x);
  const double x0 = d->x + rear * d->dir_x, x1 = d->x + fore * d->dir_x;
  const double y0 = d->y + rear * d->dir_y, y1 = d->y + fore * d->dir_y;
  *out = (Area){.ground = ground,
                .at = {d->x, d->y, d->dir_x, d->dir_y, 0, 0, half},
                .edge = rut_soft_edge(d->dir_x, d->dir_y),
                .rear = rear,
                .fore = fore,
                .half = half,
                .i0 = (int32_t)rut_floor((rut_min(x0, x1) - side) * per) - margin,
                .j0 = (int32_t)rut_floor((rut_min(y0, y1) - up) * per) - margin,
                .i1 = -(int32_t)rut_floor(-(rut_max(x0, x1) + side) * per) - 1 + margin,
                .j1 = -(int32_t)rut_floor(-(rut_max(y0, y1) + up) * per) - 1 + margin};
  return true;
}

static void widen(Area* a, int cells) {
  a->i0 -= cells;
  a->j0 -= cells;
  a->i1 += cells;
  a->j1 += cells;
}

static rutSoftPlace place(const Area* a, int32_t i, int32_t j) {
  return rut_window_place(&a->at, a->ground->def.cell, i, j);
}

// Distance of a cell's middle from the rectangle.
static double distance_from(const Area* a, rutSoftPlace p) {
  const double x = rut_max(rut_max(a->rear - p.along, p.along - a->fore), 0);
  const double y = rut_max(rut_abs(p.across) - a->half, 0);
  return rut_hypot(x, y);
}

// Part of a cell that the rectangle covers, 0 to 2^WEIGHT_BITS, as wheels read it.
static int64_t covered(const Area* a, int32_t i, int32_t j) {
  const double per = a->ground->inverse;
  const rutSoftPlace p = place(a, i, j);
  const double along =
      rut_strip_share(&a->edge, (p.along - a->rear) * per, (a->fore - p.along) * per);
  const double across =
      rut_strip_share(&a->edge, (a->half - p.across) * per, (a->half + p.across) * per);
  return (int64_t)(along * across * (1 << WEIGHT_BITS) + 0.5);
}

// ---- heights of cells ----

static int32_t height_of(const rutSoftGround* ground, int32_t i, int32_t j) {
  const rutSoftTile* tile = rut_soft_find(ground, i >> 4, j >> 4);
  const int k = rut_soft_index(i, j);
  return tile ? tile->raised[k] - tile->rut[k] : 0;
}

// Take soil off a cell: some of the part that lies under the wheel, some evenly. Returns what went.
static int64_t take_off(rutSoftGround* ground, int32_t i, int32_t j, double part, int64_t from_part,
                        int64_t evenly) {
  const int64_t soil = from_part + evenly;
  rutSoftTile* tile = soil > 0 ? rut_soft_take(ground, i >> 4, j >> 4) : NULL;
  if (!tile) return 0;
  const int k = rut_soft_index(i, j);
  if ((int64_t)tile->raised[k] - soil < -RUT_SOFT_MOST) return 0;
  const double run_over = (double)tile->part[k] / RUT_SOFT_WHOLE;
  tile->raised[k] -= (int32_t)soil;
  if (run_over > 0 && run_over < 1) {
    // wheels have run over a part of the cell
    const double lowers = (double)from_part / rut_max(part, run_over) + (double)evenly;
    const double under = tile->under[k] - rut_floor(lowers / RUT_SOFT_UNDER + 0.5);
    tile->under[k] = (int16_t)rut_clamp(under, -INT16_MAX, INT16_MAX);
  }
  return soil;
}

// Lay soil on a cell. Returns what it takes.
static int64_t lay_on(rutSoftGround* ground, int32_t i, int32_t j, int64_t soil) {
  rutSoftTile* tile = soil > 0 ? rut_soft_take(ground, i >> 4, j >> 4) : NULL;
  const int64_t part = soil < RUT_SOFT_MOST ? soil : RUT_SOFT_MOST;
  return tile ? rut_soft_deposit(tile, rut_soft_index(i, j), (int32_t)part, 0) : 0;
}

// ---- the pit ----

// What is carried away: soil under the wheel, to a depth, and a share of the walls that stand above
// a slope from there [units].
typedef struct Load {
  double bottom, depth;  // present height under the wheel, by how much it goes down
  double share;          // of what the walls have too much
} Load;

// What a cell of the walls has too much. Walls steeper than loose soil stand only where that does
// not slide.
static int64_t too_high(const Area* a, int32_t i, int32_t j, double foot) {
  if (a->ground->steepest <= 0) return 0;
  const double rise = a->ground->steepest * a->ground->inverse * distance_from(a, place(a, i, j));
  return (int64_t)rut_max(height_of(a->ground, i, j) - (foot + rise), 0);
}

// In whole numbers, so that the order does not matter.
typedef struct Sums {
  double area, height, walls;  // cells; units of height of them; units too much
} Sums;

static Sums sum_up(const Area* a, double foot) {
  static const double SHARE = 1.0 / (1 << WEIGHT_BITS);
  int64_t area = 0, height = 0, walls = 0;
  for (int32_t j = a->j0; j <= a->j1; j++) {
    for (int32_t i = a->i0; i <= a->i1; i++) {
      const int64_t part = covered(a, i, j), rest = (1 << WEIGHT_BITS) - part;
      area += part;
      height += part > 0 ? part * height_of(a->ground, i, j) : 0;
      walls += rest > 0 ? rest * too_high(a, i, j, foot) : 0;
    }
  }
  return (Sums){SHARE * (double)area, SHARE * (double)height, SHARE * (double)walls};
}

// How the walls share in what is to go.
static Load plan(Area* a, double depth) {
  static const double HEAPS = 1.5;  // walls with what lies on them, over the depth of the pit
  const Sums under = sum_up(a, RUT_SOFT_MOST);
  const double whole = depth / RUT_SOFT_UNIT, all = whole * under.area;
  Load load = {.bottom = under.height / rut_max(under.area, 1e-9)};
  const double steepest = a->ground->steepest, deep = HEAPS * (whole - load.bottom);
  widen(a, steepest > 0 ? (int)rut_clamp(deep / steepest, 0, FARTHEST) : 0);
  const double walls = sum_up(a, load.bottom - whole).walls;
  load.depth = whole * all / rut_max(all + walls, 1e-9);
  const double rest = all - load.depth * under.area;
  const double falls = sum_up(a, load.bottom - load.depth).walls;
  // without walls the rest is what rounding leaves of 0
  if (rest > 0) load.share = falls > rest ? rest / falls : 1;
  return load;
}

static int64_t carry_away(rutSoftGround* ground, const Area* a, Load load) {
  const double foot = load.bottom - load.depth;
  int64_t soil = 0;
  for (int32_t j = a->j0; j <= a->j1; j++) {
    for (int32_t i = a->i0; i <= a->i1; i++) {
      const double part = (double)covered(a, i, j) / (1 << WEIGHT_BITS), rest = 1 - part;
      const double falls = rest > 0 ? rest * load.share * (double)too_high(a, i, j, foot) : 0;
      soil += take_off(ground, i, j, part, (int64_t)(part * load.depth), (int64_t)falls);
    }
  }
  return soil;
}

// ---- where it is laid ----

// Returns what was taken: less than a unit a cell stays, for no cell has a better claim to it.
static int64_t lay_down(rutSoftGround* ground, const Area* a, int64_t soil) {
  int64_t all = 0, laid = 0;
  for (int32_t j = a->j0; j <= a->j1; j++) {
    for (int32_t i = a->i0; i <= a->i1; i++) all += covered(a, i, j);
  }
  for (int32_t j = a->j0; all > 0 && j <= a->j1; j++) {
    for (int32_t i = a->i0; i <= a->i1; i++) {
      laid += lay_on(ground, i, j, soil * covered(a, i, j) / all);
    }
  }
  return laid;
}

// What a sweep of sliding soil looks at, as it was before.
typedef struct Before {
  const Area* laid;
  int32_t width;                      // cells along a row
  int32_t height[MOST_SLIDING];       // of the surface
  int32_t loose[MOST_SLIDING];        // of it, what lies on the untouched one
  unsigned char wheel[MOST_SLIDING];  // 1 under it
} Before;

static bool look(const Area* laid, const Area* wheel, Before* to) {
  const rutSoftGround* ground = laid->ground;
  const int64_t width = (int64_t)laid->i1 - laid->i0 + 1, rows = (int64_t)laid->j1 - laid->j0 + 1;
  to->laid = laid;
  to->width = (int32_t)width;
  if (width * rows > MOST_SLIDING) return false;
  int c = 0;
  for (int32_t j = laid->j0; j <= laid->j1; j++) {
    for (int32_t i = laid->i0; i <= laid->i1; i++, c++) {
      const rutSoftTile* tile = rut_soft_find(ground, i >> 4, j >> 4);
      const int32_t raised = tile ? tile->raised[rut_soft_index(i, j)] : 0;
      to->height[c] = height_of(ground, i, j);
      to->loose[c] = raised > 0 ? raised : 0;
      to->wheel[c] = covered(wheel, i, j) > 0;
    }
  }
  return true;
}

// From cell a to cell b of the box, or back: a quarter of what is too steep between them.
static void slide_between(rutSoftGround* ground, const Before* was, int32_t a, int32_t b) {
  const bool down = was->height[a] > was->height[b];
  const int32_t from = down ? a : b, to = down ? b : a;
  const int64_t steep = (int64_t)was->height[from] - was->height[to] - ground->steepest;
  const int64_t loose = was->loose[from], flow = (steep < loose ? steep : loose) / 4;
  if (flow <= 0 || was->wheel[from] || was->wheel[to]) return;
  const Area* l = was->laid;
  const int32_t i = l->i0 + from % was->width, j = l->j0 + from / was->width;
  const int64_t gone = take_off(ground, i, j, 0, 0, flow);
  const int64_t come = lay_on(ground, l->i0 + to % was->width, l->j0 + to / was->width, gone);
  lay_on(ground, i, j, gone - come);
}

// One sweep of loose soil from heaps to lower cells beside them, but not under the wheel; each by
// the heights before it, so that the order does not matter.
static void slide(rutSoftGround* ground, const Area* laid, const Area* wheel) {
  Before was;
  if (ground->steepest <= 0 || !look(laid, wheel, &was)) return;
  const int32_t cells = was.width * (laid->j1 - laid->j0 + 1);
  for (int32_t c = 0; c < cells; c++) {
    if ((c + 1) % was.width > 0) slide_between(ground, &was, c, c + 1);
    if (c + was.width < cells) slide_between(ground, &was, c, c + was.width);
  }
}

void rut_soft_dig(rutSoftGround* ground, const rutSoftDig* d) {
  const double all[] = {d->x,      d->y,     d->dir_x, d->dir_y, d->ahead,
                        d->behind, d->width, d->depth, d->laid};
  double sum = 0;
  for (int i = 0; i < (int)(sizeof all / sizeof all[0]); i++) sum += all[i] - all[i];
  if (sum != 0 || !(d->depth > 0 && d->width > 0 && d->ahead + d->behind > 0)) return;
  const double most = FARTHEST * ground->def.cell;
  const double ahead = rut_min(d->ahead, most), behind = rut_min(d->behind, most);
  const double length = rut_clamp(rut_abs(d->laid), 2 * ground->def.cell, most);
  const double rear = d->laid < 0 ? -behind - length : ahead;
  Area wheel, laid;
  if (!area_of(ground, d, -behind, ahead, 1, &wheel) ||
      !area_of(ground, d, rear, rear + length, SPREAD, &laid)) {
    return;
  }
  const Load load = plan(&wheel, d->depth);
  const int64_t soil = carry_away(ground, &wheel, load);
  // what finds no room, as where the memory is full, and the rest of divisions count as compacted
  ground->ledger.pressed += soil - lay_down(ground, &laid, soil);
  slide(ground, &laid, &wheel);
}
