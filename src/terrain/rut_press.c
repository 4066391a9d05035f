// SPDX-License-Identifier: BSD-3-Clause
//
// What a wheel does to ground that keeps ruts. Soil is moved in whole units, so that none is lost.
#include "terrain/rut_heap.h"

// A wheel presses again when it has moved this many cells, turned by this angle [rad], or sunk
// deeper by this much [m]: on its way by more, in squares of cells moved, since cells that it
// leaves get its depth then.
#define FAR_ENOUGH 0.5
#define TURNED     0.02
#define DEEPER     1e-5
#define SLOPE      0.01
// Part of the length of a contact in front by which its side widens a track, full depth: the mean
// of the parabola of its depths.
#define SIDE (2.0 / 3)
// A wheel that moves at more than 60 degrees to its heading leaves a track along the heading.
#define SIDEWAYS 0.5
// What a band of cells is longer than the way [cells], and the least distance behind a wheel at
// which cells have been left.
#define SPARE        0.25
#define LEAST_BEHIND 0.4
// Of places of cells [cells], so that rounding does not lose one.
#define ROUNDING 1e-9

static int32_t units_of(double height) {
  const double units = height / RUT_SOFT_UNIT;
  return (int32_t)rut_floor(rut_clamp(units, -(double)RUT_SOFT_MOST, RUT_SOFT_MOST) + 0.5);
}

// Cells whose middle is at least so far behind the lowest point have been left [cells].
static double left_behind(double dir_x, double dir_y) {
  return rut_soft_edge(dir_x, dir_y).reach - ROUNDING;
}

// Whether one goes on from where the other was, so that cells that were left then need nothing.
static bool goes_on(const rutSoftGround* ground, const rutSoftPress* p, const rutSoftPress* last) {
  const double dx = p->x - last->x, dy = p->y - last->y;
  const double far = p->behind + FAR_ENOUGH * ground->def.cell;
  const bool same = p->dir_x * last->dir_x + p->dir_y * last->dir_y > 1 - TURNED;
  return last->width > 0 && same && dx * dx + dy * dy <= far * far;
}

// length: of what it has left [m].
static bool footprint_of(const rutSoftGround* ground, const rutSoftPress* p, double length,
                         rutFootprint* out) {
  const double cell = ground->def.cell, per = ground->inverse;
  const double all[] = {p->x,     p->y,      p->dir_x, p->dir_y,   p->move_x, p->move_y,
                        p->ahead, p->behind, p->width, p->pressed, p->rut,    p->slip};
  double sum = 0;
  for (int i = 0; i < (int)(sizeof all / sizeof all[0]); i++) sum += all[i] - all[i];
  if (!(p->width > 0) || sum != 0) return false;
  const double straight = p->move_x * p->dir_x + p->move_y * p->dir_y;
  const bool own = straight >= SIDEWAYS;
  const double mx = own ? p->move_x : p->dir_x, my = own ? p->move_y : p->dir_y;
  // where the heading leans from the motion, to the left
  const double most = (RUT_SOFT_REACH - RUT_SOFT_MARGIN) * cell;
  const double leans = own ? p->dir_y * mx - p->dir_x * my : 0;
  const double side = SIDE * rut_clamp(p->ahead, 0, most) * leans;
  const double half = rut_clamp(0.5 * p->width * (own ? straight : 1), 0, most - 2 * cell);
  const double behind = left_behind(p->dir_x, p->dir_y);
  // the line of the lowest points is not square to the motion
  const double far = half + rut_abs(side) + rut_soft_edge(mx, my).reach * cell;
  const double oblique = rut_abs(leans) / rut_max(straight, SIDEWAYS) * far;
  const double back = rut_clamp(length + (behind - ROUNDING) * cell + oblique, 0, most);
  const double border = rut_clamp(ground->def.border * p->width, cell, most - half);
  const int32_t pressed = units_of(p->pressed), rut = units_of(p->rut);
  *out = (rutFootprint){.place = {p->x, p->y, mx, my, back, 0, half + rut_abs(side) + border},
                        .edge = rut_soft_edge(mx, my),
                        .dir_x = p->dir_x,
                        .dir_y = p->dir_y,
                        .front = rut_clamp(p->ahead, 0, most) * per,
                        .behind = behind,
                        .back = back * per,
                        .left = (half + rut_max(side, 0)) * per,
                        .right = (half - rut_min(side, 0)) * per,
                        .border = border * per,
                        .leans = leans,
                        .slip = rut_clamp(p->slip, 0, 1),
                        .pressed = pressed,
                        .rut = rut < pressed ? rut : pressed};
  return true;
}

// ---- cells under it ----

static int64_t or_zero(int64_t depth) { return depth > 0 ? depth : 0; }

// The part of a cell that wheels have run over, and the rest of it.
typedef struct Parts {
  int64_t part, rest;     // [1/RUT_SOFT_WHOLE]
  int64_t under, beside;  // raised soil there
  int64_t rut;            // depth in the part
} Parts;

static Parts parts_of(const rutSoftTile* tile, int k) {
  const int64_t part = tile->part[k], rest = RUT_SOFT_WHOLE - part, raised = tile->raised[k];
  const int64_t all = raised * RUT_SOFT_WHOLE;
  const int64_t kept = (int64_t)tile->under[k] * RUT_SOFT_UNDER;
  const int64_t under = rest > 0 ? kept : raised;
  return (Parts){.part = part,
                 .rest = rest,
                 .under = under,
                 .beside = rest > 0 ? (all - part * under) / rest : 0,
                 .rut = part > 0 ? tile->rut[k] * (int64_t)RUT_SOFT_WHOLE / part : 0};
}

// What is raised under a part is kept in coarser units, cut off.
static int16_t kept_under(int64_t raised) {
  const int64_t units = raised / RUT_SOFT_UNDER, most = INT16_MAX;
  return (int16_t)(units > most ? most : (units < -most ? -most : units));
}

// Press `share` of a cell. Shares of tracks in one cell lie over each other: only what this one has
// beyond those before is fresh. Returns by how much the cell's surface goes down.
static int32_t press_cell(rutSoftTile* tile, int k, int64_t share, const rutFootprint* f) {
  const Parts c = parts_of(tile, k);
  const int64_t again = share < c.part ? share : c.part, fresh = share - again;
  const int64_t whole = c.part + fresh, half = RUT_SOFT_WHOLE / 2;
  const int64_t pressed = or_zero(c.under + f->pressed), before = tile->pressed[k];
  const int64_t deeper = pressed > before ? pressed : before;
  const int64_t rut = or_zero(c.under + f->rut);
  int64_t drop = 0;
  if (fresh == 0 && again == c.part) {
    // the same track again
    drop = or_zero((whole * rut + half) / RUT_SOFT_WHOLE - tile->rut[k]);
    tile->pressed[k] = (int32_t)deeper;
  } else {
    const int64_t lowered = again * or_zero(rut - c.rut) + fresh * or_zero(c.beside + f->rut);
    const int64_t sum =
        (c.part - again) * before + again * deeper + fresh * or_zero(c.beside + f->pressed);
    drop = (lowered + half) / RUT_SOFT_WHOLE;
    tile->pressed[k] = (int32_t)((sum + whole / 2) / whole);
    tile->under[k] = kept_under((c.part * c.under + fresh * c.beside) / whole);
    tile->part[k] = (uint16_t)whole;
  }
  tile->rut[k] += (int32_t)drop;
  if (tile->pressed[k] < tile->rut[k]) tile->pressed[k] = tile->rut[k];
  return (int32_t)drop;
}

// Count a pass over a share of a cell, of which wheels had run over a part before. Shares lie over
// each other as in press_cell.
static void count_pass(rutSoftPasses* p, int k, int64_t before, int64_t share, double slip) {
  const double part = (double)before, again = share < before ? (double)share : part;
  const double fresh = (double)share - again, whole = part + fresh;
  const double n = p->passes[k] * (1.0 / RUT_SOFT_PASS), sum = part * n + (double)share;
  const double slips = part * n * p->slip[k] * (1.0 / RUT_SOFT_SLIP) + (double)share * slip;
  const double passes = sum / whole * RUT_SOFT_PASS, most = UINT16_MAX;
  p->passes[k] = (uint16_t)(rut_min(passes, most) + 0.5 * (passes < most));
  p->slip[k] = (uint8_t)(rut_clamp(slips / sum, 0, 1) * RUT_SOFT_SLIP + 0.5);
}

// Soil of a cell goes to the side on which it is, by its share; an odd unit to where more of it is,
// so that mirrored wheels leave mirrored ruts.
static void divide(int64_t soil, double on_left, rutSoftSides* sides) {
  const int64_t left = (int64_t)((double)soil * on_left);
  const int64_t right = (int64_t)((double)soil * (1 - on_left)), rest = soil - left - right;
  sides->left += left + (on_left >= 0.5 ? rest : 0);
  sides->right += right + (on_left >= 0.5 ? 0 : rest);
}

// The lines that wheels have left behind: cells beyond one and not the other are new.
typedef struct Lines {
  const rutFootprint* print;
  rutSoftPlace now, then;  // directions
  double now_at, then_at;  // behind the lowest points [cells]
  double then_along;       // from one lowest point to the other [cells]
  double cell, per;        // size of a cell [m], and its inverse
} Lines;

// Eight cells of a row from i on, some of which have a share in the track.
typedef struct Row {
  int32_t i, j;
  double share[RUT_SOFT_LANES], left[RUT_SOFT_LANES];
} Row;
enum { ROWS = 32 };  // that are computed together

static Lines lines_of(const rutSoftGround* ground, const rutFootprint* f,
                      const rutSoftPress* last) {
  const double cell = ground->def.cell, per = ground->inverse;
  Lines l = {f, {f->dir_x, f->dir_y}, {f->dir_x, f->dir_y}, f->behind, RUT_INFINITY, 0, cell, per};
  if (!last) return l;
  l.then = (rutSoftPlace){last->dir_x, last->dir_y};
  l.then_at = left_behind(last->dir_x, last->dir_y);
  l.then_along =
      ((f->place.x - last->x) * last->dir_x + (f->place.y - last->y) * last->dir_y) * per;
  return l;
}

// Shares of the track in the cells of a row that it has newly left, and of what is to the left of
// its middle. dx, dy: from the lowest point to the first [cells]. Returns whether there are any.
RUT_INLINE bool find_shares(const Lines* lines, const rutFootprint* f, double dx, double dy,
                            Row* row) {
  const rutSoftPlace now = lines->now, then = lines->then;
  const double mx = f->place.dir_x, my = f->place.dir_y, middle = 0.5 * (f->left - f->right);
  double some = 0;
#pragma omp simd reduction(max : some)
  for (int k = 0; k < RUT_SOFT_LANES; k++) {
    const double x = dx + rut_soft_lane[k], along = x * mx + dy * my, across = dy * mx - x * my;
    const double from_now = x * now.along + dy * now.across;
    const double from_then = x * then.along + dy * then.across + lines->then_along;
    const double part =
        rut_kept_share(rut_strip_share(&f->edge, f->left - across, f->right + across));
    const int behind = from_now <= -lines->now_at, fresh = from_then > -lines->then_at;
    const int near = along >= -f->back;
    const double share = part * RUT_SOFT_WHOLE, own = (behind & fresh & near) ? share : 0;
    row->share[k] = own;
    row->left[k] = rut_edge_share(&f->edge, across - middle);
    some = rut_max(some, own);
  }
  return some > 0;
}

// Of those of a window, in which `from` to before `to` are, one row after the other: the ones that
// have any. Returns how many.
RUT_CLONES static int find_rows(const Lines* given, const rutSoftWindow* w, int from, int to,
                                Row* row) {
  const Lines lines = *given;
  const double cell = lines.cell, per = lines.per;
  const rutFootprint f = *lines.print;
  const int each = (w->i1 - w->i0) / RUT_SOFT_LANES + 1;
  int32_t i = w->i0 + from % each * RUT_SOFT_LANES, j = w->j0 + from / each;
  int n = 0;
  for (int k = from; k < to; k++) {
    const double dx = (((double)i + 0.5) * cell - f.place.x) * per;
    const double dy = (((double)j + 0.5) * cell - f.place.y) * per;
    row[n].i = i;
    row[n].j = j;
    n += find_shares(&lines, &f, dx, dy, &row[n]);
    i += RUT_SOFT_LANES;
    if (i <= w->i1) continue;
    i = w->i0;
    j++;
  }
  return n;
}

// Press the cells of a row that the wheel has left.
static void press_row(rutSoftGround* ground, const rutFootprint* f, rutSoftWindow* w,
                      const rutSoftPress* last, const Row* row, rutSoftSides* sides) {
  for (int k = 0; k < RUT_SOFT_LANES && row->i + k <= w->i1; k++) {
    if (!(row->share[k] > 0)) continue;
    rutSoftTile* tile = rut_window_take(ground, w, row->i + k, row->j);
    const int at = rut_soft_index(row->i + k, row->j);
    const int64_t share = (int64_t)row->share[k], before = tile ? tile->part[at] : 0;
    const int32_t drop = tile ? press_cell(tile, at, share, f) : 0;
    if (tile && ground->passes && (last || before == 0))
      count_pass(&ground->passes[tile - ground->tile], at, before, share, f->slip);
    ground->ledger.pressed += drop;
    divide((drop * ground->share) >> RUT_SOFT_SHARE_BITS, row->left[k], sides);
  }
}

// Press the cells that the wheel has left since `last`, which may be NULL: all that it has left.
// Returns the soil to push aside.
static rutSoftSides press_cells(rutSoftGround* ground, const rutFootprint* f, rutSoftWindow* w,
                                const rutSoftPress* last) {
  const Lines lines = lines_of(ground, f, last);
  const int each = (w->i1 - w->i0) / RUT_SOFT_LANES + 1, all = each * (w->j1 - w->j0 + 1);
  rutSoftSides sides = {0, 0};
  for (int from = 0; from < all; from += ROWS) {
    Row row[ROWS];
    const int to = from + ROWS < all ? from + ROWS : all;
    const int n = find_rows(&lines, w, from, to, row);
    for (int r = 0; r < n; r++) press_row(ground, f, w, last, &row[r], &sides);
  }
  return sides;
}

static void press_since(rutSoftGround* ground, const rutSoftPress* press,
                        const rutSoftPress* last) {
  rutFootprint f;
  rutSoftWindow w;
  const double cell = ground->def.cell;
  const double way = last ? rut_hypot(press->x - last->x, press->y - last->y) + SPARE * cell
                          : rut_max(press->behind, cell);
  if (!footprint_of(ground, press, way, &f)) return;
  rutSoftExtent under = f.place;
  under.half = rut_max(f.left, f.right) * cell + f.edge.reach * cell;
  under.front = rut_abs(f.leans) / SIDEWAYS * under.half - LEAST_BEHIND * cell;
  if (!rut_window_open(ground, &under, &w)) return;
  const rutSoftSides soil = press_cells(ground, &f, &w, last);
  if (soil.left + soil.right > 0) ground->ledger.deposited += rut_heap_push(ground, &f, soil);
}

void rut_soft_press(rutSoftGround* ground, const rutSoftPress* press) {
  press_since(ground, press, NULL);
}

void rut_soft_follow(rutSoftGround* ground, const rutSoftPress* press, rutSoftPress* last) {
  const double far = FAR_ENOUGH * ground->def.cell, dx = press->x - last->x,
               dy = press->y - last->y;
  const double turn = press->dir_x * last->dir_y - press->dir_y * last->dir_x;
  const bool same = press->width == last->width && press->behind <= last->behind + far;
  const bool there = dx * dx + dy * dy < far * far && rut_abs(turn) < TURNED &&
                     press->dir_x * last->dir_x + press->dir_y * last->dir_y > 0;
  const double deeper = DEEPER + SLOPE * (dx * dx + dy * dy) * ground->inverse;
  const bool above = press->pressed <= last->pressed + deeper && press->rut <= last->rut + deeper;
  if (!(press->width > 0) || (same && there && above)) return;
  const bool onward = !there && goes_on(ground, press, last);
  press_since(ground, press, onward ? last : NULL);
  *last = *press;
}

// ---- plates ----

rutSoftBlock rut_soft_block(const rutSoftGround* ground, int32_t side, double x, double y) {
  const double per = ground->inverse / side, most = 1 << 24;
  return (rutSoftBlock){side, (int32_t)rut_clamp(rut_floor(x * per), -most, most),
                        (int32_t)rut_clamp(rut_floor(y * per), -most, most)};
}

void rut_soft_mean(const rutSoftGround* ground, rutSoftBlock block, double* dug, double* pressed) {
  int64_t up = 0, down = 0;
  for (int32_t k = 0; k < block.side * block.side; k++) {
    const int32_t i = block.i * block.side + k % block.side;
    const int32_t j = block.j * block.side + k / block.side;
    const rutSoftTile* tile = rut_soft_find(ground, i >> 4, j >> 4);
    if (!tile) continue;
    const int at = rut_soft_index(i, j);
    up += tile->raised[at];
    down += (int64_t)tile->pressed[at] * tile->part[at] / RUT_SOFT_WHOLE;
  }
  const double unit = RUT_SOFT_UNIT / (block.side * block.side);
  *dug = (double)or_zero(-up) * unit;
  *pressed = (double)or_zero(down - or_zero(up)) * unit;
}

void rut_soft_stamp(rutSoftGround* ground, rutSoftBlock block, double pressed, double rut) {
  const rutFootprint f = {.pressed = units_of(pressed), .rut = units_of(rut_min(rut, pressed))};
  for (int32_t k = 0; k < block.side * block.side; k++) {
    const int32_t i = block.i * block.side + k % block.side;
    const int32_t j = block.j * block.side + k / block.side;
    rutSoftTile* tile = rut_soft_take(ground, i >> 4, j >> 4);
    if (!tile) continue;
    ground->ledger.pressed += press_cell(tile, rut_soft_index(i, j), RUT_SOFT_WHOLE, &f);
  }
}
