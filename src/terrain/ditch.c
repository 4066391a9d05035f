// SPDX-License-Identifier: BSD-3-Clause
//
// A ditch across the way.
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X)                                                    \
  X(depth, "m", 0.5, -1e4, 1e4, "of its floor; negative for a bank") \
  X(width, "m", 1, 0, 1e6, "of its floor, along x, around x = 0")    \
  X(bank, "m", 0.5, 0, 1e6, "horizontal length of each of its walls; 0: upright")

typedef struct Param {
  rutTerrainHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_TERRAIN_ROWS FIELDS(RUT_ROW)};

RUT_CLONES static void ditch_lanes(const Param* param, const rutGroundPoints* at,
                                   const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const double depth = param->depth, half = 0.5 * param->width, bank = param->bank;
  const double per_bank = bank > 0 ? 1 / bank : 0;
  RUT_FOR_LANES(i, n) {
    const double beyond = rut_abs(x[i]) - half;
    const double t = bank > 0 ? rut_clamp(beyond * per_bank, 0, 1) : (beyond > 0 ? 1 : 0);
    const double steep = ((beyond > 0) & (beyond < bank)) ? depth * per_bank : 0;
    z[i] = -depth * (1 - t);
    slope_x[i] = rut_copysign(steep, depth * x[i]);
    slope_y[i] = 0 * y[i];
  }
}

static void ditch_height(const void* param, const void* plan, const rutGroundPoints* at,
                         const rutGroundSurface* out) {
  (void)plan;
  ditch_lanes(param, at, out);
}

static void ditch_bounds(const void* param, const void* plan, const double box[4],
                         rutTerrainBounds* out) {
  const Param* p = param;
  const double half = 0.5 * p->width;
  const double left = rut_abs(box[0]), right = rut_abs(box[1]);
  const double near = box[0] <= 0 && box[1] >= 0 ? 0 : rut_min(left, right);
  (void)plan;
  *out = (rutTerrainBounds){0, 0, 0, false};
  if (near > half + p->bank) return;
  out->low = rut_min(0, -p->depth);
  out->high = rut_max(0, -p->depth);
  if (rut_max(left, right) < half) return;
  out->steepest = p->bank > 0 ? rut_abs(p->depth) / p->bank : RUT_INFINITY;
}

static int ditch_edges(const void* param, double x[RUT_TERRAIN_EDGES]) {
  const Param* p = param;
  const double half = 0.5 * p->width, end = half + p->bank;
  int n = 0;
  x[n++] = half;
  if (half > 0) x[n++] = -half;
  if (p->bank > 0) x[n++] = end;
  if (p->bank > 0) x[n++] = -end;
  return n;
}

const rutTerrainType rut_terrain_ditch = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTerrainType),
             .kind = "terrain",
             .name = "ditch",
             .parents = "world",
             .doc = "A ditch with a level floor and sloping walls, along y.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .height = ditch_height,
    .bounds = ditch_bounds,
    .edges = ditch_edges};
