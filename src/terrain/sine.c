// SPDX-License-Identifier: BSD-3-Clause
//
// Waves of one length.
#include "math/lanes.h"
#include "rut/component.h"

#define FIELDS(X)                                                              \
  X(amplitude, "m", 0.1, -1e4, 1e4, "half of the height from trough to crest") \
  X(wavelength, "m", 1, 1e-6, 1e9, "distance of the crests, along x")          \
  X(phase, "rad", 0, -1e4, 1e4, "of the wave at x = 0")

typedef struct Param {
  rutTerrainHead head;
  FIELDS(RUT_PARAM)
} Param;

static const rutField fields[] = {RUT_TERRAIN_ROWS FIELDS(RUT_ROW)};

RUT_CLONES static void sine_lanes(const Param* param, const rutGroundPoints* at,
                                  const rutGroundSurface* out) {
  const int n = at->n;
  const double* restrict x = at->x, * restrict y = at->y;
  double* restrict z = out->z, * restrict slope_x = out->slope_x, * restrict slope_y = out->slope_y;
  const double amplitude = param->amplitude, k = 2 * RUT_PI / param->wavelength;
  const double phase = param->phase;
  RUT_FOR_LANES(i, n) {
    double s, c;
    rut_sincos(k * x[i] + phase, &s, &c);
    z[i] = amplitude * s;
    slope_x[i] = amplitude * k * c;
    slope_y[i] = 0 * y[i];
  }
}

static void sine_height(const void* param, const void* plan, const rutGroundPoints* at,
                        const rutGroundSurface* out) {
  (void)plan;
  sine_lanes(param, at, out);
}

static void sine_bounds(const void* param, const void* plan, const double box[4],
                        rutTerrainBounds* out) {
  const Param* p = param;
  const double most = rut_abs(p->amplitude);
  (void)plan, (void)box;
  *out = (rutTerrainBounds){-most, most, most * 2 * RUT_PI / p->wavelength, false};
}

const rutTerrainType rut_terrain_sine = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTerrainType),
             .kind = "terrain",
             .name = "sine",
             .parents = "world",
             .doc = "Waves of one length, height = amplitude sin(2 pi x / wavelength + phase). Two "
                    "of them "
                    "with different yaw make a field of hills.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields)},
    .height = sine_height,
    .bounds = sine_bounds};
