// SPDX-License-Identifier: BSD-3-Clause
//
// The surface over one cell of a height field, which wheels and rays share.
#ifndef RUT_GEOM_HEIGHT_PATCH_H
#define RUT_GEOM_HEIGHT_PATCH_H

#include "math/rut_math.h"

// One cell: heights of its corners as z = a + b u + c v + d u v, u and v in [0, 1].
typedef struct rutHeightPatch {
  double a, b, c, d;
} rutHeightPatch;

RUT_INLINE rutHeightPatch rut_height_patch(const double* corner, int nx) {
  double z00 = corner[0], z10 = corner[1], z01 = corner[nx], z11 = corner[nx + 1];
  return (rutHeightPatch){z00, z10 - z00, z01 - z00, z11 - z10 - z01 + z00};
}

#endif  // RUT_GEOM_HEIGHT_PATCH_H
