// SPDX-License-Identifier: BSD-3-Clause
#include "geom/height_field.h"

#include <stddef.h>

#include "geom/bilinear.h"
#include "geom/height_patch.h"
#include "math/lanes.h"

void rut_height_field_init(rutHeightField* field, int nx, int ny, double spacing,
                           const double origin[2], const double* height) {
  field->nx = nx;
  field->ny = ny;
  field->spacing = spacing;
  field->origin[0] = origin[0];
  field->origin[1] = origin[1];
  field->height = height;
  field->pyramid = NULL;
  field->maxima = NULL;
  double low = HUGE_VAL, high = -HUGE_VAL;
  size_t nodes = (size_t)nx * (size_t)ny;
  for (size_t i = 0; i < nodes; i++) {
    if (height[i] < low) low = height[i];
    if (height[i] > high) high = height[i];
  }
  field->z_min = low;
  field->z_max = high;
}

void rut_height_field_from_rows(int rows, int cols, const double* value, double* height) {
  // in squares, whose rows and columns both stay in the cache
  enum { SQUARE = 32 };
  const size_t n = (size_t)rows, m = (size_t)cols;
  for (size_t r0 = 0; r0 < n; r0 += SQUARE) {
    const size_t r1 = r0 + SQUARE < n ? r0 + SQUARE : n;
    for (size_t c0 = 0; c0 < m; c0 += SQUARE) {
      const size_t c1 = c0 + SQUARE < m ? c0 + SQUARE : m;
      for (size_t r = r0; r < r1; r++) {
        for (size_t c = c0; c < c1; c++) height[c * n + r] = value[r * m + c];
      }
    }
  }
}

bool rut_height_field_at(const rutHeightField* field, double x, double y, double* z,
                         double normal[3]) {
  const double inverse = 1 / field->spacing;
  const double u = (x - field->origin[0]) * inverse, v = (y - field->origin[1]) * inverse;
  const int nx = field->nx, ny = field->ny;
  double slope_x = 0, slope_y = 0;
  *z = (double)NAN;
  if (u >= 0 && v >= 0 && u <= nx - 1 && v <= ny - 1) {
    const int ix = (int)u < nx - 2 ? (int)u : nx - 2, iy = (int)v < ny - 2 ? (int)v : ny - 2;
    const double us = u - ix, vs = v - iy;
    const rutHeightPatch p = rut_height_patch(field->height + (ptrdiff_t)iy * nx + ix, nx);
    *z = p.a + p.b * us + (p.c + p.d * us) * vs;
    // around nodes that are NaN there is no ground
    slope_x = *z == *z ? (p.b + p.d * vs) * inverse : 0;
    slope_y = *z == *z ? (p.c + p.d * us) * inverse : 0;
  }
  if (normal) {
    const double length = sqrt(1 + slope_x * slope_x + slope_y * slope_y);
    normal[0] = -slope_x / length;
    normal[1] = -slope_y / length;
    normal[2] = 1 / length;
  }
  return *z == *z;
}

RUT_INLINE void field_cells(const rutHeightField* field, int n, const double* restrict x,
                            const double* restrict y, rutCells* restrict cells) {
  const double inverse = 1 / field->spacing, x0 = field->origin[0], y0 = field->origin[1];
  const int nx = field->nx, last_x = field->nx - 2, last_y = field->ny - 2;
  const double most_x = field->nx - 1, most_y = field->ny - 1;
  RUT_FOR_LANES(i, n) {
    const double u = (x[i] - x0) * inverse, v = (y[i] - y0) * inverse;
    const int inside = (u >= 0) & (v >= 0) & (u <= most_x) & (v <= most_y);
    const double us = inside ? u : 0, vs = inside ? v : 0;
    const int ku = (int)us, kv = (int)vs;
    const int ix = ku < last_x ? ku : last_x, iy = kv < last_y ? kv : last_y;
    cells->offset[i] = iy * nx + ix;
    cells->u[i] = us - ix;
    cells->v[i] = vs - iy;
    cells->inside[i] = inside ? 1 : 0;
  }
}
// The compiler knows the counts of wheels of one vehicle and of a tile.
RUT_CLONES static void find_field_cells(const rutHeightField* field, const double* restrict x,
                                        const double* restrict y, rutCells* restrict cells) {
  if (cells->n == 4) {
    field_cells(field, 4, x, y, cells);
  } else if (cells->n == 8) {
    field_cells(field, 8, x, y, cells);
  } else {
    field_cells(field, cells->n, x, y, cells);
  }
}

void rut_height_field_at_n(const rutHeightField* field, const rutGroundPoints* at,
                           const rutGroundSurface* out) {
  const rutNodes nodes = {field->height, field->nx, 1 / field->spacing};
  rutCells cells;
  for (int i = 0; i < at->n; i += RUT_BILINEAR_BLOCK) {
    cells.n = at->n - i < RUT_BILINEAR_BLOCK ? at->n - i : RUT_BILINEAR_BLOCK;
    find_field_cells(field, at->x + i, at->y + i, &cells);
    rut_bilinear(&nodes, &cells, out, i);
  }
}
