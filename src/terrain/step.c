// SPDX-License-Identifier: BSD-3-Clause
//
// A step, such as a curb.
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X)                                                                      \
  X(height, "m", 0.15, -1e4, 1e4, "of the ground behind it over the ground before it") \
  X(run, "m", 0, 0, 1e6, "length over which it rises; 0: upright")

typedef struct Param {
  rutTerrainHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_TERRAIN_ROWS FIELDS(RUT_ROW)};

RUT_CLONES static void step_lanes(const Param* param, const rutGroundPoints* at,
                                  const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const double height = param->height, run = param->run, per_run = run > 0 ? 1 / run : 0;
  RUT_FOR_LANES(i, n) {
    const double t = run > 0 ? rut_clamp(x[i] * per_run, 0, 1) : (x[i] >= 0 ? 1 : 0);
    z[i] = height * t;
    slope_x[i] = ((x[i] >= 0) & (x[i] < run)) ? height * per_run : 0;
    slope_y[i] = 0 * y[i];
  }
}

static void step_height(const void* param, const void* plan, const rutGroundPoints* at,
                        const rutGroundSurface* out) {
  (void)plan;
  step_lanes(param, at, out);
}

static void step_bounds(const void* param, const void* plan, const double box[4],
                        rutTerrainBounds* out) {
  const Param* p = param;
  (void)plan;
  *out = (rutTerrainBounds){0, 0, 0, false};
  if (box[1] < 0) return;
  if (box[0] > p->run) {
    out->low = out->high = p->height;
    return;
  }
  out->low = rut_min(0, p->height);
  out->high = rut_max(0, p->height);
  out->steepest = p->run > 0 ? rut_abs(p->height) / p->run : RUT_INFINITY;
}

static int step_edges(const void* param, double x[RUT_TERRAIN_EDGES]) {
  const Param* p = param;
  x[0] = 0;
  x[1] = p->run;
  return p->run > 0 ? 2 : 1;
}

const rutTerrainType rut_terrain_step = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTerrainType),
             .kind = "terrain",
             .name = "step",
             .parents = "world",
             .doc = "A step at x = 0, up along x: a curb, or with an extent in x a block.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .height = step_height,
    .bounds = step_bounds,
    .edges = step_edges};
