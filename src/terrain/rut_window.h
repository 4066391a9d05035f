// SPDX-License-Identifier: BSD-3-Clause
//
// The cells around a wheel: a rectangle of them, with the tiles that it covers at hand.
#ifndef RUT_TERRAIN_RUT_WINDOW_H
#define RUT_TERRAIN_RUT_WINDOW_H

#include "math/rut_math.h"
#include "terrain/rut_grid.h"

enum {
  RUT_WINDOW_SPAN = 8,           // tiles along a side
  RUT_WINDOW_FARTHEST = 1 << 30  // cells from the origin; none is kept beyond
};
// A side of a footprint is at least this many cells, so that the middle of some cell is in it.
#define RUT_WINDOW_LEAST 1.5

typedef struct rutSoftWindow {
  int32_t i0, j0, i1, j1;  // first and last cells
  int32_t tile_x, tile_y;  // of the first tile
  rutSoftTile* tile[RUT_WINDOW_SPAN * RUT_WINDOW_SPAN];
  bool empty;  // none of the tiles is there
} rutSoftWindow;

// Extent around a lowest point: from `back` behind to `front` before it, `half` to each side.
typedef struct rutSoftExtent {
  double x, y, dir_x, dir_y, back, front, half;
} rutSoftExtent;

// Place of a cell's middle, along the heading and across it to the left.
typedef struct rutSoftPlace {
  double along, across;
} rutSoftPlace;

RUT_INLINE rutSoftPlace rut_window_place(const rutSoftExtent* e, double cell, int32_t i,
                                         int32_t j) {
  const double dx = ((double)i + 0.5) * cell - e->x, dy = ((double)j + 0.5) * cell - e->y;
  return (rutSoftPlace){dx * e->dir_x + dy * e->dir_y, dy * e->dir_x - dx * e->dir_y};
}

// The place k cells further along x, `step` being that of one.
RUT_INLINE rutSoftPlace rut_window_onward(rutSoftPlace p, rutSoftPlace step, int k) {
  return (rutSoftPlace){p.along + k * step.along, p.across + k * step.across};
}
RUT_INLINE rutSoftPlace rut_window_step(const rutSoftExtent* e, double cell) {
  return (rutSoftPlace){cell * e->dir_x, -cell * e->dir_y};
}

// A rectangle along and across the heading.
typedef struct rutSoftStrip {
  double rear, fore, right, left;
} rutSoftStrip;

RUT_INLINE bool rut_strip_holds(const rutSoftStrip* s, rutSoftPlace p) {
  return p.along >= s->rear && p.along <= s->fore && p.across >= s->right && p.across <= s->left;
}

// False where no cells are kept, or the extent is not finite.
bool rut_window_open(const rutSoftGround* ground, const rutSoftExtent* extent, rutSoftWindow* out);

// Tile of a cell of a window, NULL if there is none, and where in it the cell stands.
RUT_INLINE rutSoftTile* rut_window_tile(const rutSoftWindow* w, int32_t i, int32_t j) {
  return w->tile[((j >> 4) - w->tile_y) * RUT_WINDOW_SPAN + (i >> 4) - w->tile_x];
}
RUT_INLINE int rut_soft_index(int32_t i, int32_t j) {
  return (j & (RUT_SOFT_SIDE - 1)) * RUT_SOFT_SIDE + (i & (RUT_SOFT_SIDE - 1));
}
#endif  // RUT_TERRAIN_RUT_WINDOW_H
