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

RUT_CLONES static void plane_lanes(const Param* param, const rutGroundPoints* at,
                                   const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const double a = param->slope_x, b = param->slope_y;
  RUT_FOR_LANES(i, n) {
    z[i] = a * x[i] + b * y[i];
    slope_x[i] = a;
    slope_y[i] = b;
  }
}

static void plane_height(const void* param, const void* plan, const rutGroundPoints* at,
                         const rutGroundSurface* out) {
  (void)plan;
  plane_lanes(param, at, out);
}

// Range of slope * u over [low, high], added to the bounds.
static void add_range(double slope, double low, double high, rutTerrainBounds* out) {
  if (slope == 0) return;
  out->low += slope > 0 ? slope * low : slope * high;
  out->high += slope > 0 ? slope * high : slope * low;
}

static void plane_bounds(const void* param, const void* plan, const double box[4],
                         rutTerrainBounds* out) {
  const Param* p = param;
  (void)plan;
  *out = (rutTerrainBounds){0, 0, rut_hypot(p->slope_x, p->slope_y), true};
  add_range(p->slope_x, box[0], box[1], out);
  add_range(p->slope_y, box[2], box[3], out);
}

const rutTerrainType rut_terrain_plane = {.base = {.abi = RUT_ABI,
                                                   .struct_size = sizeof(rutTerrainType),
                                                   .kind = "terrain",
                                                   .name = "plane",
                                                   .parents = "world",
                                                   .doc = "An inclined plane through its origin.",
                                                   .field = fields,
                                                   .fields = RUT_COUNT_OF(fields)},
                                          .height = plane_height,
                                          .bounds = plane_bounds};
