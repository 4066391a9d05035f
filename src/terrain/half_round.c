// SPDX-License-Identifier: BSD-3-Clause
//
// A bump whose section is half a circle.
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X) X(radius, "m", 0.1, 1e-6, 1e4, "of the half circle, which is also its height")

typedef struct Param {
  rutTerrainHead head;
  FIELDS(RUT_PARAM)
} Param;

// The flank is upright where it meets the ground: the slope is limited to that at this height, in
// radii.
#define LEAST_HEIGHT 1e-3

static const rutField fields[] = {RUT_TERRAIN_ROWS FIELDS(RUT_ROW)};

RUT_CLONES static void half_round_lanes(const Param* param, const rutGroundPoints* at,
                                        const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const double radius = param->radius, least = LEAST_HEIGHT * radius;
  RUT_FOR_LANES(i, n) {
    const double square = radius * radius - x[i] * x[i];
    const double height = rut_sqrt(rut_max(square, 0));
    z[i] = height;
    slope_x[i] = square > 0 ? -x[i] / rut_max(height, least) : 0;
    slope_y[i] = 0 * y[i];
  }
}

static void half_round_height(const void* param, const void* plan, const rutGroundPoints* at,
                              const rutGroundSurface* out) {
  (void)plan;
  half_round_lanes(param, at, out);
}

static void half_round_bounds(const void* param, const void* plan, const double box[4],
                              rutTerrainBounds* out) {
  const Param* p = param;
  const double far = rut_max(rut_abs(box[0]), rut_abs(box[1])), square = p->radius * p->radius;
  const double side = far < p->radius ? rut_sqrt(square - far * far) : 0;
  (void)plan;
  *out = (rutTerrainBounds){0, 0, 0, false};
  if (box[0] > p->radius || box[1] < -p->radius) return;
  *out = (rutTerrainBounds){side, p->radius, side > 0 ? far / side : RUT_INFINITY, false};
}

static int half_round_edges(const void* param, double x[RUT_TERRAIN_EDGES]) {
  const Param* p = param;
  x[0] = -p->radius;
  x[1] = p->radius;
  return 2;
}

const rutTerrainType rut_terrain_half_round = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTerrainType),
             .kind = "terrain",
             .name = "half_round",
             .parents = "world",
             .doc = "Half a cylinder with its axis along y, such as a log or a test obstacle.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .height = half_round_height,
    .bounds = half_round_bounds,
    .edges = half_round_edges};
