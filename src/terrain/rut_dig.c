// SPDX-License-Identifier: BSD-3-Clause
#include "terrain/rut_dig.h"

#include <string.h>

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

// ---- strips: the cells of one row of a tile, of which an area may have some only ----

static int32_t first_strip(const Area* a) { return a->i0 & -RUT_SOFT_SIDE; }

// Parts of its cells that the rectangle covers, 0 to 2^WEIGHT_BITS in whole numbers, as wheels read
// them.
RUT_CLONES static void cover_cells(const Area* a, int32_t i, int32_t j, double* part) {
  const double per = a->ground->inverse;
  RUT_FOR_LANES(k, RUT_SOFT_SIDE) {
    const rutSoftPlace p = place(a, i + k, j);
    const double along =
        rut_strip_share(&a->edge, (p.along - a->rear) * per, (a->fore - p.along) * per);
    const double across =
        rut_strip_share(&a->edge, (a->half - p.across) * per, (a->half + p.across) * per);
    const double most = rut_floor(along * across * (1 << WEIGHT_BITS) + 0.5);
    part[k] = i + k >= a->i0 && i + k <= a->i1 ? most : 0;
  }
}

// The same; false where the strip lies beside the area.
static bool covered(const Area* a, int32_t i, int32_t j, double* part) {
  const bool meets = j >= a->j0 && j <= a->j1 && i + RUT_SOFT_SIDE > a->i0 && i <= a->i1;
  if (meets) {
    cover_cells(a, i, j, part);
  } else {
    memset(part, 0, RUT_SOFT_SIDE * sizeof *part);
  }
  return meets;
}

// Heights of its cells [units].
static void find_heights(const rutSoftGround* ground, int32_t i, int32_t j, double* height) {
  const rutSoftTile* tile = rut_soft_find(ground, i >> 4, j >> 4);
  const int row = rut_soft_index(i, j);
  for (int k = 0; k < RUT_SOFT_SIDE; k++) {
    height[k] = tile ? tile->raised[row + k] - tile->rut[row + k] : 0;
  }
}

// ---- soil of cells ----

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

// What is under the wheel, and with the walls around it.
typedef struct Pit {
  Area wheel, walls;
} Pit;

// What is carried away: soil under the wheel, to a depth, and a share of the walls that stand above
// a slope from there [units].
typedef struct Load {
  double bottom, depth;  // present height under the wheel, by how much it goes down
  double share;          // of what the walls have too much
} Load;

// What a strip's cells have too much; those beside the area have nothing. Walls steeper than loose
// soil stand only where that does not slide.
RUT_CLONES static void find_too_high(const Area* a, double foot, int32_t i, int32_t j,
                                     double* too_high) {
  const double rise = a->ground->steepest * a->ground->inverse;
  double height[RUT_SOFT_SIDE];
  find_heights(a->ground, i, j, height);
  RUT_FOR_LANES(k, RUT_SOFT_SIDE) {
    const double from = distance_from(a, place(a, i + k, j));
    const double most = rut_floor(rut_max(height[k] - (foot + rise * from), 0));
    too_high[k] = i + k >= a->i0 && i + k <= a->i1 ? most : 0;
  }
}

// In whole numbers, so that the order does not matter.
typedef struct Sums {
  double area, height;  // cells; units of height of them
} Sums;

static Sums sum_up(const Area* a) {
  static const double SHARE = 1.0 / (1 << WEIGHT_BITS);
  double area = 0, sum = 0, part[RUT_SOFT_SIDE], height[RUT_SOFT_SIDE];
  for (int32_t j = a->j0; j <= a->j1; j++) {
    for (int32_t i = first_strip(a); i <= a->i1; i += RUT_SOFT_SIDE) {
      cover_cells(a, i, j, part);
      find_heights(a->ground, i, j, height);
      for (int k = 0; k < RUT_SOFT_SIDE; k++) {
        area += part[k];
        sum += part[k] * height[k];
      }
    }
  }
  return (Sums){SHARE * area, SHARE * sum};
}

// What all walls have too much, of which the part of a cell that is under the wheel is none.
static double sum_walls(const Pit* p, double foot) {
  static const double SHARE = 1.0 / (1 << WEIGHT_BITS);
  if (p->walls.ground->steepest <= 0) return 0;
  double all = 0, under = 0, part[RUT_SOFT_SIDE], too_high[RUT_SOFT_SIDE];
  for (int32_t j = p->walls.j0; j <= p->walls.j1; j++) {
    for (int32_t i = first_strip(&p->walls); i <= p->walls.i1; i += RUT_SOFT_SIDE) {
      find_too_high(&p->walls, foot, i, j, too_high);
      for (int k = 0; k < RUT_SOFT_SIDE; k++) all += too_high[k];
      if (!covered(&p->wheel, i, j, part)) continue;
      for (int k = 0; k < RUT_SOFT_SIDE; k++) under += part[k] * too_high[k];
    }
  }
  return all - SHARE * under;
}

// How the walls share in what is to go.
static Load plan(Pit* p, double depth) {
  static const double HEAPS = 1.5;  // walls with what lies on them, over the depth of the pit
  const Sums under = sum_up(&p->wheel);
  const double whole = depth / RUT_SOFT_UNIT, all = whole * under.area;
  Load load = {.bottom = under.height / rut_max(under.area, 1e-9)};
  const double steepest = p->walls.ground->steepest, deep = HEAPS * (whole - load.bottom);
  widen(&p->walls, steepest > 0 ? (int)rut_clamp(deep / steepest, 0, FARTHEST) : 0);
  const double walls = sum_walls(p, load.bottom - whole);
  load.depth = whole * all / rut_max(all + walls, 1e-9);
  const double rest = all - load.depth * under.area;
  const double falls = sum_walls(p, load.bottom - load.depth);
  // without walls the rest is what rounding leaves of 0
  if (rest > 0) load.share = falls > rest ? rest / falls : 1;
  return load;
}

static int64_t carry_away(rutSoftGround* ground, const Pit* p, Load load) {
  static const double SHARE = 1.0 / (1 << WEIGHT_BITS);
  const double foot = load.bottom - load.depth;
  const double falls = ground->steepest > 0 ? load.share : 0;
  double part[RUT_SOFT_SIDE], too_high[RUT_SOFT_SIDE];
  int64_t soil = 0;
  for (int32_t j = p->walls.j0; j <= p->walls.j1; j++) {
    for (int32_t i = first_strip(&p->walls); i <= p->walls.i1; i += RUT_SOFT_SIDE) {
      covered(&p->wheel, i, j, part);
      find_too_high(&p->walls, foot, i, j, too_high);
      for (int k = 0; k < RUT_SOFT_SIDE; k++) {
        const double under = SHARE * part[k];
        soil += take_off(ground, i + k, j, under, (int64_t)(under * load.depth),
                         (int64_t)((1 - under) * falls * too_high[k]));
      }
    }
  }
  return soil;
}

// ---- where it is laid ----

// Returns what was taken: less than a unit a cell stays, for no cell has a better claim to it.
static int64_t lay_down(rutSoftGround* ground, const Area* a, int64_t soil) {
  double all = 0, part[RUT_SOFT_SIDE];
  for (int32_t j = a->j0; j <= a->j1; j++) {
    for (int32_t i = first_strip(a); i <= a->i1; i += RUT_SOFT_SIDE) {
      cover_cells(a, i, j, part);
      for (int k = 0; k < RUT_SOFT_SIDE; k++) all += part[k];
    }
  }
  int64_t laid = 0;
  for (int32_t j = a->j0; all > 0 && j <= a->j1; j++) {
    for (int32_t i = first_strip(a); i <= a->i1; i += RUT_SOFT_SIDE) {
      cover_cells(a, i, j, part);
      for (int k = 0; k < RUT_SOFT_SIDE; k++) {
        if (part[k] > 0) laid += lay_on(ground, i + k, j, soil * (int64_t)part[k] / (int64_t)all);
      }
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

// What is needed of a strip's cells that the box has.
static void look_at(const Area* laid, const Area* wheel, int32_t i, int32_t j, Before* to) {
  const rutSoftTile* tile = rut_soft_find(laid->ground, i >> 4, j >> 4);
  const int32_t first = i > laid->i0 ? i : laid->i0, end = i + RUT_SOFT_SIDE;
  double part[RUT_SOFT_SIDE];
  covered(wheel, i, j, part);
  for (int32_t at = first; at < end && at <= laid->i1; at++) {
    const int c = (j - laid->j0) * to->width + at - laid->i0, k = rut_soft_index(at, j);
    const int32_t raised = tile ? tile->raised[k] : 0;
    to->height[c] = tile ? raised - tile->rut[k] : 0;
    to->loose[c] = raised > 0 ? raised : 0;
    to->wheel[c] = part[at - i] > 0;
  }
}

static bool look(const Area* laid, const Area* wheel, Before* to) {
  const int64_t width = (int64_t)laid->i1 - laid->i0 + 1, rows = (int64_t)laid->j1 - laid->j0 + 1;
  to->laid = laid;
  to->width = (int32_t)width;
  if (width * rows > MOST_SLIDING) return false;
  for (int32_t j = laid->j0; j <= laid->j1; j++) {
    for (int32_t i = first_strip(laid); i <= laid->i1; i += RUT_SOFT_SIDE) {
      look_at(laid, wheel, i, j, to);
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
  Pit pit;
  Area laid;
  if (!area_of(ground, d, -behind, ahead, 1, &pit.wheel) ||
      !area_of(ground, d, rear, rear + length, SPREAD, &laid)) {
    return;
  }
  pit.walls = pit.wheel;
  const Load load = plan(&pit, d->depth);
  const int64_t soil = carry_away(ground, &pit, load);
  // what finds no room, as where the memory is full, and the rest of divisions count as compacted
  ground->ledger.pressed += soil - lay_down(ground, &laid, soil);
  slide(ground, &laid, &pit.wheel);
}
