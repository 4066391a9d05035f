// SPDX-License-Identifier: BSD-3-Clause
//
// An inclined plane.
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X)                                                              \
  X(slope_x, "", 0, -1e3, 1e3, "rise per length along x: 0.2 is a 20 % grade") \
  X(slope_y, "", 0, -1e3, 1e3, "rise per length along y")

typedef struct Param {
  rutTerrainHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_TERRAIN_ROWS FIELDS(RUT_ROW)};

RUT_CLONES static void plane_lanes(const Param* param, int n, const double* restrict x,
                                   const double* restrict y, double* restrict z,
                                   double* restrict slope_x, double* restrict slope_y) {
  const double a = param->slope_x, b = param->slope_y;
  RUT_FOR_LANES(i, n) {
    z[i] = a * x[i] + b * y[i];
    slope_x[i] = a;
    slope_y[i] = b;
  }
}

static void plane_height(const void* param, const void* plan, int n, const double* x,
                         const double* y, double* z, double* slope_x, double* slope_y) {
  (void)plan;
  plane_lanes(param, n, x, y, z, slope_x, slope_y);
}

const rutTerrainType rut_terrain_plane = {.base = {.abi = RUT_ABI,
                                                   .struct_size = sizeof(rutTerrainType),
                                                   .kind = "terrain",
                                                   .name = "plane",
                                                   .parents = "world",
                                                   .doc = "An inclined plane through its origin.",
                                                   .field = fields,
                                                   .fields = RUT_COUNT_OF(fields)},
                                          .height = plane_height};
