// SPDX-License-Identifier: BSD-3-Clause
//
// Bilinear interpolation at many points: who knows the grid finds the cells, this does the rest.
#ifndef RUT_GEOM_BILINEAR_H
#define RUT_GEOM_BILINEAR_H

enum { RUT_BILINEAR_BLOCK = 64 };

// Points in cells: offset of each one's low corner, place in the cell from 0 to 1, and 1 where it
// is on the grid, else 0 (the offset must be valid even so).
typedef struct rutCells {
  int offset[RUT_BILINEAR_BLOCK];
  double u[RUT_BILINEAR_BLOCK], v[RUT_BILINEAR_BLOCK], inside[RUT_BILINEAR_BLOCK];
} rutCells;

// Heights and slopes at n <= RUT_BILINEAR_BLOCK points on rows of `stride` nodes, inverse = 1 /
// spacing [1/m]. Outside, and next to nodes that are NaN, z is NaN and the slopes 0.
void rut_bilinear(const double* node, int stride, double inverse, int n, const rutCells* cells,
                  double* z, double* slope_x, double* slope_y);

#endif  // RUT_GEOM_BILINEAR_H
