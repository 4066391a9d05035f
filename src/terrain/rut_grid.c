// SPDX-License-Identifier: BSD-3-Clause
#include "terrain/rut_grid.h"

#include <string.h>

#include "terrain/rut_window.h"

// ---------------------------------------------------------------------------------------------
// Tiles

enum { LEAST_SLOTS = 64, MOST_TILES = 1 << 28 };

// Twice as many slots as tiles, a power of two.
static uint32_t slots_for(int tiles) {
  uint32_t slots = LEAST_SLOTS;
  while (slots < 2 * (uint32_t)tiles) slots *= 2;
  return slots;
}

double rut_soft_tile_bytes(int counts) {
  return sizeof(rutSoftTile) + (counts ? sizeof(rutSoftPasses) : 0);
}

int rut_soft_tiles(double bytes, int counts) {
  // two to four slots of the index each
  const double each = rut_soft_tile_bytes(counts) + 4.0 * sizeof(int32_t);
  const double tiles = bytes / each;
  return (int)rut_clamp(tiles, 1, MOST_TILES);
}

rutSoftGround* rut_soft_build(const rutSoftDef* def, rutArena* arena) {
  rutSoftGround* ground = RUT_TAKE(arena, rutSoftGround, 1);
  const uint32_t slots = slots_for(def->tiles);
  int32_t* slot = RUT_TAKE(arena, int32_t, slots);
  rutSoftPasses* passes = RUT_TAKE(arena, rutSoftPasses, def->counts ? def->tiles : 0);
  rutSoftTile* tile = RUT_TAKE(arena, rutSoftTile, def->tiles);
  if (!tile) return NULL;
  *ground = (rutSoftGround){
      .def = *def,
      .inverse = 1 / def->cell,
      .share = (int64_t)(rut_clamp(def->displaced, 0, 1) * (1 << RUT_SOFT_SHARE_BITS) + 0.5),
      .steepest = (int32_t)rut_clamp(def->repose * def->cell / RUT_SOFT_UNIT, 0, RUT_SOFT_MOST),
      .mask = slots - 1,
      .slot = slot,
      .tile = tile,
      .passes = def->counts ? passes : NULL};
  memset(slot, 0, slots * sizeof *slot);
  return ground;
}

void rut_soft_reset(rutSoftGround* ground) {
  if (ground->used) memset(ground->slot, 0, ((size_t)ground->mask + 1) * sizeof *ground->slot);
  ground->used = ground->own = 0;
  ground->full = 0;
  ground->ledger = (rutSoftLedger){0, 0};
  rut_soft_leave(ground);
}

void rut_soft_leave(rutSoftGround* ground) {
  if (ground->base) atomic_fetch_sub_explicit(&ground->base->users, 1, memory_order_release);
  ground->base = NULL;
}

// First slot of a tile's search; multipliers of MurmurHash3's 64-bit finaliser.
static uint32_t first_slot(const rutSoftGround* ground, int32_t x, int32_t y) {
  uint64_t h = (uint64_t)(uint32_t)x << 32 | (uint32_t)y;
  h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
  h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return (uint32_t)(h >> 32) & ground->mask;
}

// The tile of a slot that is not empty.
static const rutSoftTile* tile_in(const rutSoftGround* ground, int32_t slot) {
  return slot > 0 ? &ground->tile[slot - 1] : &ground->base->tile[-slot - 1];
}

// Slot with the tile, or the empty one where it would stand.
static uint32_t slot_of(const rutSoftGround* ground, int32_t x, int32_t y) {
  uint32_t s = first_slot(ground, x, y);
  for (; ground->slot[s]; s = (s + 1) & ground->mask) {
    const rutSoftTile* tile = tile_in(ground, ground->slot[s]);
    if (tile->x == x && tile->y == y) break;
  }
  return s;
}

const rutSoftTile* rut_soft_find(const rutSoftGround* ground, int32_t x, int32_t y) {
  const int32_t slot = ground->slot[slot_of(ground, x, y)];
  return slot ? tile_in(ground, slot) : NULL;
}

const rutSoftTile* rut_soft_tile(const rutSoftGround* ground, int i) {
  if (!ground->base || i >= ground->base->tiles) return &ground->tile[i];
  return rut_soft_find(ground, ground->base->tile[i].x, ground->base->tile[i].y);
}

const rutSoftPasses* rut_soft_passes(const rutSoftGround* ground, const rutSoftTile* tile) {
  return rut_soft_owns(ground, tile) ? &ground->passes[tile - ground->tile]
                                     : &ground->base->passes[tile - ground->base->tile];
}

// The place that comes next takes a tile, whose memory may hold anything.
static int add_tile(rutSoftGround* ground, uint32_t slot, int32_t x, int32_t y) {
  int32_t* box = ground->box;
  const bool first = ground->used == 0;
  box[0] = first || x < box[0] ? x : box[0];
  box[1] = first || x > box[1] ? x : box[1];
  box[2] = first || y < box[2] ? y : box[2];
  box[3] = first || y > box[3] ? y : box[3];
  ground->slot[slot] = ++ground->used;
  return ground->used - 1;
}

// A copy of the base's tile in a slot, to be changed.
static rutSoftTile* copy_tile(rutSoftGround* ground, uint32_t slot) {
  const int i = -ground->slot[slot] - 1;
  ground->slot[slot] = i + 1;
  ground->own++;
  memcpy(&ground->tile[i], &ground->base->tile[i], sizeof *ground->tile);
  if (ground->passes) ground->passes[i] = ground->base->passes[i];
  return &ground->tile[i];
}

rutSoftTile* rut_soft_take(rutSoftGround* ground, int32_t x, int32_t y) {
  const uint32_t s = slot_of(ground, x, y);
  if (ground->slot[s] > 0) return &ground->tile[ground->slot[s] - 1];
  if (ground->slot[s] < 0) return copy_tile(ground, s);
  if (ground->used == ground->def.tiles) {
    ground->full = 1;
    return NULL;
  }
  const int i = add_tile(ground, s, x, y);
  rutSoftTile* tile = &ground->tile[i];
  ground->own++;
  memset(tile, 0, sizeof *tile);
  if (ground->passes) memset(&ground->passes[i], 0, sizeof *ground->passes);
  tile->x = x;
  tile->y = y;
  return tile;
}

void rut_soft_share(rutSoftGround* ground, rutSoftBase* base) {
  rut_soft_reset(ground);
  atomic_fetch_add_explicit(&base->users, 1, memory_order_relaxed);
  ground->base = base;
  for (int i = 0; i < base->tiles; i++) {
    const rutSoftTile* tile = &base->tile[i];
    const uint32_t s = slot_of(ground, tile->x, tile->y);
    add_tile(ground, s, tile->x, tile->y);
    ground->slot[s] = -(i + 1);
  }
  ground->full = base->full;
  ground->ledger = base->ledger;
}

bool rut_window_bounds(const rutSoftGround* ground, const rutSoftExtent* e, rutSoftWindow* w) {
  const double rear_x = e->x - e->back * e->dir_x, rear_y = e->y - e->back * e->dir_y;
  const double fore_x = e->x + e->front * e->dir_x, fore_y = e->y + e->front * e->dir_y;
  const double side_x = e->half * rut_abs(e->dir_y), side_y = e->half * rut_abs(e->dir_x);
  const double low_x = (rut_min(rear_x, fore_x) - side_x) * ground->inverse;
  const double high_x = (rut_max(rear_x, fore_x) + side_x) * ground->inverse;
  const double low_y = (rut_min(rear_y, fore_y) - side_y) * ground->inverse;
  const double high_y = (rut_max(rear_y, fore_y) + side_y) * ground->inverse;
  const double most = RUT_WINDOW_FARTHEST;
  // also false for NaN
  if (!(low_x > -most && low_y > -most && high_x < most && high_y < most)) return false;
  w->i0 = (int32_t)rut_floor(low_x);
  w->j0 = (int32_t)rut_floor(low_y);
  w->i1 = (int32_t)rut_floor(high_x);
  w->j1 = (int32_t)rut_floor(high_y);
  w->tile_x = w->i0 >> 4;
  w->tile_y = w->j0 >> 4;
  return true;
}

bool rut_window_open(const rutSoftGround* ground, const rutSoftExtent* e, rutSoftWindow* w) {
  if (!rut_window_bounds(ground, e, w)) return false;
  const int32_t tiles_x = (w->i1 >> 4) - w->tile_x + 1, tiles_y = (w->j1 >> 4) - w->tile_y + 1;
  if (tiles_x > RUT_WINDOW_SPAN || tiles_y > RUT_WINDOW_SPAN) return false;
  w->empty = true;
  for (int32_t ty = 0; ty < tiles_y; ty++) {
    for (int32_t tx = 0; tx < tiles_x; tx++) {
      const rutSoftTile* tile = rut_soft_find(ground, w->tile_x + tx, w->tile_y + ty);
      w->tile[ty * RUT_WINDOW_SPAN + tx] = tile;
      w->empty = w->empty && !tile;
    }
  }
  return true;
}

// ---------------------------------------------------------------------------------------------
// The surface

double rut_soft_depth(const rutSoftTile* tile, int cell) {
  const double part = (double)tile->part[cell] / RUT_SOFT_WHOLE;
  const double under = part < 1 ? (double)tile->under[cell] * RUT_SOFT_UNDER : tile->raised[cell];
  return part > 0 ? (tile->rut[cell] / part - under) * RUT_SOFT_UNIT
                  : (double)-tile->raised[cell] * RUT_SOFT_UNIT;
}

static double height_of(const rutSoftGround* ground, int32_t i, int32_t j) {
  const rutSoftTile* tile = rut_soft_find(ground, i >> 4, j >> 4);
  if (!tile) return 0;
  const int k = rut_soft_index(i, j);
  return (tile->raised[k] - tile->rut[k]) * RUT_SOFT_UNIT;
}

void rut_soft_add(const rutSoftGround* ground, const rutGroundPoints* at,
                  const rutGroundSurface* surface) {
  const double *x = at->x, *y = at->y;
  double *z = surface->z, *slope_x = surface->slope_x, *slope_y = surface->slope_y;
  const double per = ground->inverse, most = RUT_WINDOW_FARTHEST;
  for (int k = 0; ground->used && k < at->n; k++) {
    const double u = x[k] * per - 0.5, v = y[k] * per - 0.5;
    if (!(z[k] == z[k]) || !(rut_abs(u) < most && rut_abs(v) < most)) continue;
    const double left = rut_floor(u), low = rut_floor(v), s = u - left, t = v - low;
    const int32_t i = (int32_t)left, j = (int32_t)low;
    const double a = height_of(ground, i, j), b = height_of(ground, i + 1, j);
    const double c = height_of(ground, i, j + 1), d = height_of(ground, i + 1, j + 1);
    z[k] += (1 - t) * (a + s * (b - a)) + t * (c + s * (d - c));
    slope_x[k] += ((1 - t) * (b - a) + t * (d - c)) * per;
    slope_y[k] += ((1 - s) * (c - a) + s * (d - b)) * per;
  }
}

// Tiles of the cells that are read for places in [low, high], cut to those that there are. False if
// none are.
static bool tile_range(const rutSoftGround* ground, double low, double high, const int32_t there[2],
                       int32_t range[2]) {
  const double per = ground->inverse, most = RUT_WINDOW_FARTHEST;
  const double first = rut_clamp(rut_floor(low * per - 0.5), -most, most);
  const double last = rut_clamp(rut_floor(high * per - 0.5) + 1, -most, most);
  range[0] = (int32_t)first >> 4;
  range[1] = (int32_t)last >> 4;
  if (range[0] < there[0]) range[0] = there[0];
  if (range[1] > there[1]) range[1] = there[1];
  return range[0] <= range[1];
}

static int32_t most_raised(const rutSoftTile* tile) {
  int32_t most = 0;
  for (int k = 0; k < RUT_SOFT_CELLS; k++) most = tile->raised[k] > most ? tile->raised[k] : most;
  return most;
}

// Places between `from` and `to` whose coordinate along an axis is in a column of tiles, as a range
// of the other coordinate.
static void across_column(const rutSoftGround* ground, const double from[2], const double to[2],
                          int axis, int32_t column, double range[2]) {
  // a cell changes the surface up to the middles of its neighbours; half a cell more for rounding
  const double side = RUT_SOFT_SIDE * ground->def.cell, margin = 1.5 * ground->def.cell;
  const double length = to[axis] - from[axis], other = to[1 - axis] - from[1 - axis];
  const double per = length != 0 ? 1 / length : 0;
  const double one = (column * side - margin - from[axis]) * per;
  const double two = ((column + 1.0) * side + margin - from[axis]) * per;
  const double first = length != 0 ? rut_clamp(rut_min(one, two), 0, 1) : 0;
  const double last = length != 0 ? rut_clamp(rut_max(one, two), 0, 1) : 1;
  const double a = from[1 - axis] + first * other, b = from[1 - axis] + last * other;
  range[0] = rut_min(a, b);
  range[1] = rut_max(a, b);
}

bool rut_soft_near(const rutSoftGround* ground, const double from[2], const double to[2],
                   double* raised) {
  const int axis = rut_abs(to[0] - from[0]) >= rut_abs(to[1] - from[1]) ? 0 : 1;
  const int32_t *there = ground->box + 2 * axis, *there_across = ground->box + 2 * (1 - axis);
  int32_t along[2], across[2], most = 0;
  bool any = false;
  *raised = 0;
  if (!ground->used ||
      !tile_range(ground, rut_min(from[1 - axis], to[1 - axis]),
                  rut_max(from[1 - axis], to[1 - axis]), there_across, across) ||
      !tile_range(ground, rut_min(from[axis], to[axis]), rut_max(from[axis], to[axis]), there,
                  along)) {
    return false;
  }
  if (along[1] - along[0] >= RUT_WINDOW_SPAN) {
    *raised = RUT_INFINITY;
    return true;
  }
  for (int32_t i = along[0]; i <= along[1]; i++) {
    double range[2];
    across_column(ground, from, to, axis, i, range);
    if (!tile_range(ground, range[0], range[1], there_across, across)) continue;
    for (int32_t j = across[0]; j <= across[1]; j++) {
      const rutSoftTile* tile = rut_soft_find(ground, axis ? j : i, axis ? i : j);
      if (!tile) continue;
      const int32_t high = most_raised(tile);
      most = high > most ? high : most;
      any = true;
    }
  }
  *raised = most * RUT_SOFT_UNIT;
  return any;
}
