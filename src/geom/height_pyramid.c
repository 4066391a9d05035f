// SPDX-License-Identifier: BSD-3-Clause
//
// Maximum pyramids over a height field.
#include "geom/height_field.h"
#include "math/rut_math.h"

// Margin of bounds, relative to heights: far above rounding.
#define MARGIN 1e-9

// ---------------------------------------------------------------------------------------------
// Pyramid

static int blocks_of(int cells, int shift) { return ((cells - 1) >> shift) + 1; }

size_t rut_height_pyramid_size(int nx, int ny) {
  size_t size = 0;
  for (int shift = RUT_PYRAMID_SHIFT;; shift++) {
    const int bx = blocks_of(nx - 1, shift), by = blocks_of(ny - 1, shift);
    size += (size_t)bx * (size_t)by;
    if (bx == 1 && by == 1) return size;
  }
}

// Highest of the nodes [x0, x1] x [y0, y1], -infinity if all are holes.
static double highest(const double* z, int stride, int x0, int x1, int y0, int y1) {
  double top = -RUT_INFINITY;
  for (int y = y0; y <= y1; y++) {
    const double* row = z + (ptrdiff_t)y * stride;
    for (int x = x0; x <= x1; x++) top = rut_max(row[x], top);
  }
  return top;
}

static int least(int a, int b) { return a < b ? a : b; }

// First level, from the nodes. The margin covers the rounding of heights between nodes.
static void fill_blocks(const rutHeightField* field, int bx, int by, double* top) {
  enum { SIDE = 1 << RUT_PYRAMID_SHIFT };
  for (int iy = 0; iy < by; iy++) {
    for (int ix = 0; ix < bx; ix++) {
      const int x = ix * SIDE, y = iy * SIDE;
      const double z = highest(field->height, field->nx, x, least(x + SIDE, field->nx - 1), y,
                               least(y + SIDE, field->ny - 1));
      top[(ptrdiff_t)iy * bx + ix] = z + MARGIN * (1 + rut_abs(z));
    }
  }
}

// Both slopes of a bilinear surface are between those of the lines of nodes.
static double steepest_slope(const rutHeightField* field) {
  double along = 0, across = 0;
  bool whole = true;
  for (int iy = 0; iy < field->ny; iy++) {
    const double* row = field->height + (ptrdiff_t)iy * field->nx;
    for (int ix = 0; ix < field->nx; ix++) {
      whole = whole && row[ix] == row[ix];
      if (ix + 1 < field->nx) along = rut_max(rut_abs(row[ix + 1] - row[ix]), along);
      if (iy + 1 < field->ny) across = rut_max(rut_abs(row[ix + field->nx] - row[ix]), across);
    }
  }
  return whole ? rut_hypot(along, across) / field->spacing : RUT_INFINITY;
}

void rut_height_pyramid_build(rutHeightField* field, double* top, rutHeightPyramid* pyramid) {
  const double* below = NULL;
  int nx = 0, ny = 0, level = 0;
  for (;; level++) {
    const int shift = RUT_PYRAMID_SHIFT + level;
    const int bx = blocks_of(field->nx - 1, shift), by = blocks_of(field->ny - 1, shift);
    if (!below) fill_blocks(field, bx, by, top);
    for (int iy = 0; below && iy < by; iy++) {
      for (int ix = 0; ix < bx; ix++) {
        top[(ptrdiff_t)iy * bx + ix] = highest(below, nx, 2 * ix, least(2 * ix + 1, nx - 1), 2 * iy,
                                               least(2 * iy + 1, ny - 1));
      }
    }
    pyramid->level[level].nx = nx = bx;
    pyramid->level[level].ny = ny = by;
    pyramid->level[level].top = below = top;
    top += (ptrdiff_t)bx * by;
    if (bx == 1 && by == 1) break;
  }
  pyramid->levels = level + 1;
  pyramid->steepest = steepest_slope(field);
  field->pyramid = pyramid;
}

// First and last cell that a range touches, cut to the field. False if it is off the field.
static bool cells_in(double low, double high, double origin, double spacing, int cells,
                     int range[2]) {
  const double first = (low - origin) / spacing - MARGIN, last = (high - origin) / spacing + MARGIN;
  if (!(last >= 0 && first <= cells)) return false;
  range[0] = (int)rut_clamp(first, 0, cells - 1);
  range[1] = (int)rut_clamp(last, 0, cells - 1);
  return true;
}

double rut_height_field_top(const rutHeightField* field, const double box[4]) {
  const rutHeightPyramid* p = field->pyramid;
  int x[2], y[2], level = 0;
  if (!cells_in(box[0], box[1], field->origin[0], field->spacing, field->nx - 1, x) ||
      !cells_in(box[2], box[3], field->origin[1], field->spacing, field->ny - 1, y)) {
    return -RUT_INFINITY;
  }
  if (!p) return field->z_max;
  // a level of which few blocks cover the rectangle
  const int extent = x[1] - x[0] > y[1] - y[0] ? x[1] - x[0] : y[1] - y[0];
  while (level < p->levels - 1 && extent >> (RUT_PYRAMID_SHIFT + level) > 2) level++;
  const int shift = RUT_PYRAMID_SHIFT + level;
  return highest(p->level[level].top, p->level[level].nx, x[0] >> shift, x[1] >> shift,
                 y[0] >> shift, y[1] >> shift);
}
