// SPDX-License-Identifier: BSD-3-Clause
#include "geom/height_field.h"

#include <stddef.h>

#include "geom/bilinear.h"
#include "geom/height_patch.h"
#include "math/lanes.h"

void rut_height_field_init(rutHeightField* field, int nx, int ny, double spacing,
                           const double origin[2], rutHeightSurface surface, const double* height) {
  field->nx = nx;
  field->ny = ny;
  field->spacing = spacing;
  field->origin[0] = origin[0];
  field->origin[1] = origin[1];
  field->surface = surface;
  field->height = height;
  field->pyramid = NULL;
  double low = HUGE_VAL, high = -HUGE_VAL;
  size_t nodes = (size_t)nx * (size_t)ny;
  for (size_t i = 0; i < nodes; i++) {
    if (height[i] < low) low = height[i];
    if (height[i] > high) high = height[i];
  }
  field->z_min = low;
  field->z_max = high;
}

void rut_height_field_from_rows(int rows, int cols, const double* value, double scale,
                                double offset, double* height) {
  // in squares, whose rows and columns both stay in the cache
  enum { SQUARE = 32 };
  const size_t n = (size_t)rows, m = (size_t)cols;
  for (size_t r0 = 0; r0 < n; r0 += SQUARE) {
    const size_t r1 = r0 + SQUARE < n ? r0 + SQUARE : n;
    for (size_t c0 = 0; c0 < m; c0 += SQUARE) {
      const size_t c1 = c0 + SQUARE < m ? c0 + SQUARE : m;
      for (size_t r = r0; r < r1; r++) {
        for (size_t c = c0; c < c1; c++) height[c * n + r] = offset + scale * value[r * m + c];
      }
    }
  }
}

// Height and slopes at one point. In loops over points `triangles` is a constant, and the corners
// become gathers. Nodes that are NaN are holes: there is no ground in the cells around them.
RUT_INLINE void sample(const rutHeightField* field, bool triangles, double x, double y, double* z,
                       double* slope_x, double* slope_y) {
  double inverse = 1 / field->spacing;
  double u = (x - field->origin[0]) * inverse, v = (y - field->origin[1]) * inverse;
  const int nx = field->nx, ny = field->ny;
  const int inside = (u >= 0) & (v >= 0) & (u <= nx - 1) & (v <= ny - 1);
  // outside, any cell will do: the result is replaced below
  double us = inside ? u : 0, vs = inside ? v : 0;
  int ix = (int)us, iy = (int)vs;
  ix = ix < nx - 2 ? ix : nx - 2;
  iy = iy < ny - 2 ? iy : ny - 2;
  us -= ix;
  vs -= iy;
  rutHeightPatch p = rut_height_patch(field->height + (ptrdiff_t)(iy * nx + ix), nx);
  if (triangles) p = rut_height_plane(p, us >= vs);
  double height = p.a + p.b * us + (p.c + p.d * us) * vs;
  const int ground = inside & (height == height);
  *z = inside ? height : (double)NAN;
  *slope_x = ground ? (p.b + p.d * vs) * inverse : 0;
  *slope_y = ground ? (p.c + p.d * us) * inverse : 0;
}

bool rut_height_field_at(const rutHeightField* field, double x, double y, double* z,
                         double normal[3]) {
  double slope_x, slope_y;
  sample(field, field->surface == RUT_SURFACE_TRIANGLES, x, y, z, &slope_x, &slope_y);
  if (normal) {
    double length = sqrt(1 + slope_x * slope_x + slope_y * slope_y);
    normal[0] = -slope_x / length;
    normal[1] = -slope_y / length;
    normal[2] = 1 / length;
  }
  return *z == *z;
}

RUT_CLONES static void find_field_cells(const rutHeightField* field, const double* restrict x,
                                        const double* restrict y, rutCells* restrict cells) {
  const int n = cells->n;
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

static void bilinear_at(const rutHeightField* f, const rutGroundPoints* at,
                        const rutGroundSurface* out) {
  const rutNodes nodes = {f->height, f->nx, 1 / f->spacing};
  rutCells cells;
  for (int i = 0; i < at->n; i += RUT_BILINEAR_BLOCK) {
    cells.n = at->n - i < RUT_BILINEAR_BLOCK ? at->n - i : RUT_BILINEAR_BLOCK;
    find_field_cells(f, at->x + i, at->y + i, &cells);
    rut_bilinear(&nodes, &cells, out, i);
  }
}

void rut_height_field_at_n(const rutHeightField* field, const rutGroundPoints* at,
                           const rutGroundSurface* out) {
  if (field->surface == RUT_SURFACE_BILINEAR) {
    bilinear_at(field, at, out);
    return;
  }
  for (int i = 0; i < at->n; i++) {
    sample(field, true, at->x[i], at->y[i], &out->z[i], &out->slope_x[i], &out->slope_y[i]);
  }
}
