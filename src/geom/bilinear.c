// SPDX-License-Identifier: BSD-3-Clause
#include "geom/bilinear.h"

#include "math/lanes.h"

enum { BLOCK = RUT_BILINEAR_BLOCK };

RUT_CLONES static void interpolate_cells(double inverse, int n, const rutCells* restrict cells,
                                         const double* restrict z00, const double* restrict z10,
                                         const double* restrict z01, const double* restrict z11,
                                         double* restrict z, double* restrict slope_x,
                                         double* restrict slope_y) {
  RUT_FOR_LANES(i, n) {
    const double u = cells->u[i], v = cells->v[i];
    const double a = z00[i], b = z10[i] - a, c = z01[i] - a, d = z11[i] - z10[i] - z01[i] + a;
    const double height = a + b * u + (c + d * u) * v;
    const int inside = cells->inside[i] > 0, ground = inside & (height == height);
    z[i] = inside ? height : RUT_NAN;
    slope_x[i] = ground ? (b + d * v) * inverse : 0;
    slope_y[i] = ground ? (c + d * u) * inverse : 0;
  }
}

// The corners are fetched one by one between two vector loops, which is faster than gather
// instructions.
void rut_bilinear(const double* node, int stride, double inverse, int n, const rutCells* cells,
                  double* z, double* slope_x, double* slope_y) {
  double z00[BLOCK], z10[BLOCK], z01[BLOCK], z11[BLOCK];
  for (int i = 0; i < n; i++) {
    const double* corner = node + cells->offset[i];
    z00[i] = corner[0];
    z10[i] = corner[1];
    z01[i] = corner[stride];
    z11[i] = corner[stride + 1];
  }
  interpolate_cells(inverse, n, cells, z00, z10, z01, z11, z, slope_x, slope_y);
}
