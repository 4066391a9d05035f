// SPDX-License-Identifier: BSD-3-Clause
//
// Fields of ramps as in the test methods for response robots, ASTM E2826 (continuous) and E2827
// (crossing pitch and roll ramps): one ramp after the other, up and down in turn, row beside row.
#include "base/rng.h"
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X)                                         \
  X(length, "m", 1.2, 1e-3, 1e6, "of each ramp, along x") \
  X(width, "m", 1.2, 1e-3, 1e6, "of each row, along y")   \
  X(height, "m", 0.32, -1e4, 1e4, "of each ramp; of the highest, in the random pattern")

enum { CONTINUOUS, CROSSING, RANDOM };
enum { STREAM = 0x72616d70 };  // of random numbers: "ramp"

typedef struct Param {
  rutTerrainHead head;
  FIELDS(RUT_PARAM)
  double pattern, seed;
} Param;

static const rutField fields[] = {
    RUT_TERRAIN_ROWS FIELDS(RUT_ROW){"pattern", "", RUT_CHOICE, 1, 0, 0, 2,
                                     "continuous|crossing|random", 0,
                                     "all rows alike; each offset by a ramp from the next; or "
                                     "every ramp with random height and direction"},
    {"seed", "", RUT_INTEGER, 1, 1, 0, 2147483647, "", 0, "of the random pattern"},
};

// Ramps beyond this many cells repeat the last.
static const double FARTHEST = 1e9;

RUT_INLINE double cell_of(double u) { return rut_floor(rut_clamp(u, -FARTHEST, FARTHEST)); }

RUT_CLONES static void regular_lanes(const Param* p, const rutGroundPoints* at,
                                     const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const double per_length = 1 / p->length, per_width = 1 / p->width, height = p->height;
  const double shift = p->pattern == CROSSING ? 1 : 0;
  RUT_FOR_LANES(i, n) {
    const double u = x[i] * per_length, cell = cell_of(u);
    const double turn = 0.5 * (cell + shift * cell_of(y[i] * per_width));
    const bool up = turn == rut_floor(turn);
    const double t = u - cell;
    z[i] = height * (up ? t : 1 - t);
    slope_x[i] = height * (up ? per_length : -per_length);
    slope_y[i] = 0;
  }
}

static void random_ramp(const Param* p, double x, double y, double* z, double* slope_x,
                        double* slope_y) {
  const double u = x / p->length, v = y / p->width, iu = cell_of(u), iv = cell_of(v);
  const uint32_t counter[4] = {(uint32_t)(int32_t)iu, (uint32_t)(int32_t)iv, 0, 0};
  const uint32_t key[2] = {(uint32_t)p->seed, STREAM};
  uint32_t word[4];
  rut_philox(counter, key, word);
  const double height = p->height * rut_uniform_of(word[0], word[1]);
  const bool along_x = word[2] & 1, back = word[2] & 2;
  const double t = along_x ? u - iu : v - iv, rise = back ? -height : height;
  *z = height * (back ? 1 - t : t);
  *slope_x = along_x ? rise / p->length : 0;
  *slope_y = along_x ? 0 : rise / p->width;
}

static void ramp_field_height(const void* param, const void* plan, const rutGroundPoints* at,
                              const rutGroundSurface* out) {
  const Param* p = param;
  (void)plan;
  if (p->pattern != RANDOM) {
    regular_lanes(p, at, out);
    return;
  }
  for (int i = 0; i < at->n; i++)
    random_ramp(p, at->x[i], at->y[i], &out->z[i], &out->slope_x[i], &out->slope_y[i]);
}

static bool in_one_cell(double low, double high, double side) {
  return cell_of(low / side) == cell_of(high / side);
}

// Rows that are alike join without a step.
static void ramp_field_bounds(const void* param, const void* plan, const double box[4],
                              rutTerrainBounds* out) {
  const Param* p = param;
  const double height = rut_abs(p->height);
  const bool one_row = in_one_cell(box[2], box[3], p->width);
  const bool one_ramp = one_row && in_one_cell(box[0], box[1], p->length);
  const bool smooth = p->pattern == CONTINUOUS || (p->pattern == CROSSING ? one_row : one_ramp);
  const double side = p->pattern == RANDOM ? rut_min(p->length, p->width) : p->length;
  (void)plan;
  *out = (rutTerrainBounds){rut_min(0, p->height), rut_max(0, p->height),
                            smooth ? height / side : RUT_INFINITY, false};
}

const rutTerrainType rut_terrain_ramp_field = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTerrainType),
             .kind = "terrain",
             .name = "ramp_field",
             .parents = "world",
             .doc = "Rows of ramps, up and down in turn: continuous and crossing pitch and roll "
                    "ramps as in "
                    "ASTM E2826 and E2827, or ramps of random height and direction.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .height = ramp_field_height,
    .bounds = ramp_field_bounds};
