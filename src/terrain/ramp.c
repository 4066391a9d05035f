// SPDX-License-Identifier: BSD-3-Clause
//
// A ramp: up, level, down.
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X)                                          \
  X(length, "m", 5, 0, 1e6, "of the rise, along x from 0") \
  X(height, "m", 1, -1e4, 1e4, "at the top")               \
  X(top, "m", 0, 0, 1e12, "length of the level top")       \
  X(down, "m", 0, 0, 1e6, "length of the way down behind it; 0: it ends in a drop")

typedef struct Param {
  rutTerrainHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_TERRAIN_ROWS FIELDS(RUT_ROW)};

RUT_CLONES static void ramp_lanes(const Param* param, const rutGroundPoints* at,
                                  const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const double height = param->height, length = param->length, down = param->down;
  const double end = length + param->top;
  const double per_rise = length > 0 ? 1 / length : 0, per_fall = down > 0 ? 1 / down : 0;
  RUT_FOR_LANES(i, n) {
    const double u = x[i], over = u - end;
    const double rise = length > 0 ? rut_clamp(u * per_rise, 0, 1) : (u >= 0 ? 1 : 0);
    const double fall = down > 0 ? rut_clamp(over * per_fall, 0, 1) : (over > 0 ? 1 : 0);
    const double rises = ((u >= 0) & (u < length)) ? per_rise : 0;
    const double falls = ((over >= 0) & (over < down)) ? per_fall : 0;
    z[i] = height * (rise - fall);
    slope_x[i] = height * (rises - falls);
    slope_y[i] = 0 * y[i];
  }
}

static void ramp_height(const void* param, const void* plan, const rutGroundPoints* at,
                        const rutGroundSurface* out) {
  (void)plan;
  ramp_lanes(param, at, out);
}

// Slope of a face, upright if it has no length; 0 if it is away from [low, high].
static double face(double rise, double from, double length, double low, double high) {
  if (low > from + length || high < from) return 0;
  return length > 0 ? rut_abs(rise) / length : RUT_INFINITY;
}

static void ramp_bounds(const void* param, const void* plan, const double box[4],
                        rutTerrainBounds* out) {
  const Param* p = param;
  const double end = p->length + p->top;
  (void)plan;
  *out = (rutTerrainBounds){0, 0, 0, false};
  if (box[1] < 0 || box[0] > end + p->down) return;
  out->low = rut_min(0, p->height);
  out->high = rut_max(0, p->height);
  out->steepest = rut_max(face(p->height, 0, p->length, box[0], box[1]),
                          face(p->height, end, p->down, box[0], box[1]));
}

static int ramp_edges(const void* param, double x[RUT_TERRAIN_EDGES]) {
  const Param* p = param;
  int n = 0;
  x[n++] = 0;
  if (p->length > 0) x[n++] = p->length;
  if (p->top > 0) x[n++] = p->length + p->top;
  if (p->down > 0) x[n++] = p->length + p->top + p->down;
  return n;
}

const rutTerrainType rut_terrain_ramp = {
    .base =
        {.abi = RUT_ABI,
         .struct_size = sizeof(rutTerrainType),
         .kind = "terrain",
         .name = "ramp",
         .parents = "world",
         .doc =
             "A ramp that rises along x, with a level top and a way down or a drop at its end. Its "
             "width is the extent in y.",
         .field = fields,
         .fields = RUT_COUNT_OF(fields)},
    .height = ramp_height,
    .bounds = ramp_bounds,
    .edges = ramp_edges};
