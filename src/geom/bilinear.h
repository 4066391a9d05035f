// SPDX-License-Identifier: BSD-3-Clause
//
// Bilinear interpolation at many points, of which the caller has found the cells.
#ifndef RUT_GEOM_BILINEAR_H
#define RUT_GEOM_BILINEAR_H

#include "rut/rut.h"

enum { RUT_BILINEAR_BLOCK = 64 };

// Heights on a grid, rows of `stride` nodes; inverse is 1 / spacing [1/m].
typedef struct rutNodes {
  const double* height;
  int stride;
  double inverse;
} rutNodes;

// n points in cells: offset of each one's low corner, place in the cell from 0 to 1, and 1 where it
// is on the grid, else 0 (the offset must be valid even so).
typedef struct rutCells {
  int n;
  int offset[RUT_BILINEAR_BLOCK];
  double u[RUT_BILINEAR_BLOCK], v[RUT_BILINEAR_BLOCK], inside[RUT_BILINEAR_BLOCK];
} rutCells;

// The surface at these points, written from out's element `first` on. Outside, and next to nodes
// that are NaN, z is NaN and the slopes 0.
void rut_bilinear(const rutNodes* nodes, const rutCells* cells, const rutGroundSurface* out,
                  int first);

#endif  // RUT_GEOM_BILINEAR_H
