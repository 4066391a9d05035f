// SPDX-License-Identifier: BSD-3-Clause
//
// The cells around a wheel: a rectangle of them, with the tiles that it covers at hand.
#ifndef RUT_TERRAIN_RUT_WINDOW_H
#define RUT_TERRAIN_RUT_WINDOW_H

#include "math/lanes.h"
#include "terrain/rut_grid.h"

enum {
  RUT_WINDOW_SPAN = 8,            // tiles along a side
  RUT_WINDOW_FARTHEST = 1 << 30,  // cells from the origin; none is kept beyond
  RUT_SOFT_LANES = 8              // cells of a row that are computed together
};
// Numbers of such cells: integers beside doubles would halve the vectors.
static const double rut_soft_lane[RUT_SOFT_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};

typedef struct rutSoftWindow {
  int32_t i0, j0, i1, j1;  // first and last cells
  int32_t tile_x, tile_y;  // of the first tile
  const rutSoftTile* tile[RUT_WINDOW_SPAN * RUT_WINDOW_SPAN];
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

// Share of a cell on one side of a line, by the distance of its middle from it.
typedef struct rutSoftEdge {
  double reach;   // distance from which on it is all or nothing [cells]
  double corner;  // depth of its corner triangles
  double per_side, per_corner;
} rutSoftEdge;

// For lines in a direction, or across it.
RUT_INLINE rutSoftEdge rut_soft_edge(double dir_x, double dir_y) {
  static const double LEAST = 1e-12;
  const double x = rut_abs(dir_x), y = rut_abs(dir_y);
  const double wide = rut_max(rut_max(x, y), LEAST), corner = rut_min(x, y);
  return (rutSoftEdge){0.5 * (wide + corner), corner, 1 / wide,
                       1 / rut_max(2 * wide * corner, LEAST)};
}

// The share, exactly: a triangle at a corner, then a trapezium. distance in cells, positive inside.
RUT_INLINE double rut_edge_share(const rutSoftEdge* e, double distance) {
  const double t = rut_max(e->reach - rut_abs(distance), 0);
  const double triangle = t * t * e->per_corner, strip = (t - 0.5 * e->corner) * e->per_side;
  const double less = t <= e->corner ? triangle : strip, more = 1 - less;
  return distance > 0 ? more : less;
}
// That between two parallel lines.
RUT_INLINE double rut_strip_share(const rutSoftEdge* e, double from_one, double from_other) {
  return rut_max(rut_edge_share(e, from_one) + rut_edge_share(e, from_other) - 1, 0);
}
// To the nearest share that is kept.
RUT_INLINE double rut_kept_share(double share) {
  return rut_round_small(share * RUT_SOFT_WHOLE) * (1.0 / RUT_SOFT_WHOLE);
}

// Its cells alone, without tiles. False where none are kept, or the extent is not finite.
bool rut_window_bounds(const rutSoftGround* ground, const rutSoftExtent* extent,
                       rutSoftWindow* out);
bool rut_window_open(const rutSoftGround* ground, const rutSoftExtent* extent, rutSoftWindow* out);

// Tile of a cell of a window, NULL if there is none, and where in it the cell stands.
RUT_INLINE const rutSoftTile* rut_window_tile(const rutSoftWindow* w, int32_t i, int32_t j) {
  return w->tile[((j >> 4) - w->tile_y) * RUT_WINDOW_SPAN + (i >> 4) - w->tile_x];
}
RUT_INLINE int rut_soft_index(int32_t i, int32_t j) {
  return (j & (RUT_SOFT_SIDE - 1)) * RUT_SOFT_SIDE + (i & (RUT_SOFT_SIDE - 1));
}
#endif  // RUT_TERRAIN_RUT_WINDOW_H
