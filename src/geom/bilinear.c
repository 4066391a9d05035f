// SPDX-License-Identifier: BSD-3-Clause
#include "geom/bilinear.h"

#include "math/lanes.h"

enum { BLOCK = RUT_BILINEAR_BLOCK };

// Heights of the four corners of each point's cell.
typedef struct Corners {
  double z00[BLOCK], z10[BLOCK], z01[BLOCK], z11[BLOCK];
} Corners;

RUT_INLINE void interpolate(double inverse, int n, const rutCells* restrict cells,
                            const Corners* restrict at, const rutGroundSurface* out) {
  double *z = out->z, *slope_x = out->slope_x, *slope_y = out->slope_y;
  RUT_FOR_LANES(i, n) {
    const double u = cells->u[i], v = cells->v[i];
    const double a = at->z00[i], z10 = at->z10[i], z01 = at->z01[i];
    const double b = z10 - a, c = z01 - a, d = at->z11[i] - z10 - z01 + a;
    const double height = a + b * u + (c + d * u) * v;
    const int inside = cells->inside[i] > 0, ground = inside & (height == height);
    z[i] = inside ? height : RUT_NAN;
    slope_x[i] = ground ? (b + d * v) * inverse : 0;
    slope_y[i] = ground ? (c + d * u) * inverse : 0;
  }
}

// The compiler knows the counts of wheels of one vehicle and of a tile.
RUT_CLONES static void interpolate_cells(double inverse, const rutCells* restrict cells,
                                         const Corners* restrict at, const rutGroundSurface* out) {
  if (cells->n == 4) {
    interpolate(inverse, 4, cells, at, out);
  } else if (cells->n == 8) {
    interpolate(inverse, 8, cells, at, out);
  } else {
    interpolate(inverse, cells->n, cells, at, out);
  }
}

// The corners are fetched one by one between two vector loops, which is faster than gather
// instructions.
void rut_bilinear(const rutNodes* nodes, const rutCells* cells, const rutGroundSurface* out,
                  int first) {
  const int stride = nodes->stride;
  Corners at;
  for (int i = 0; i < cells->n; i++) {
    const double* corner = nodes->height + cells->offset[i];
    at.z00[i] = corner[0];
    at.z10[i] = corner[1];
    at.z01[i] = corner[stride];
    at.z11[i] = corner[stride + 1];
  }
  interpolate_cells(
      nodes->inverse, cells, &at,
      &(rutGroundSurface){out->z + first, out->slope_x + first, out->slope_y + first});
}
