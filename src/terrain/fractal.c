// SPDX-License-Identifier: BSD-3-Clause
//
// Fractal roughness: fractional Brownian ground of Hurst exponent H, by spectral synthesis (Saupe,
// in Peitgen and Saupe, The Science of Fractal Images, 1988, section 2.4). Heights a distance d
// apart differ by an rms that grows as d^H; the density along a line falls as n^-(2 H + 1), that
// over the plane of wave vectors as k^-(2 H + 2).
#include "rut/component.h"

#include "math/rut_math.h"
#include "terrain/tile.h"

typedef struct Param {
  rutTerrainHead head;
  double hurst, rms, form, wavelength_min, wavelength_max, period, resolution, seed;
} Param;

static const rutField fields[] = {
    RUT_TERRAIN_ROWS{"hurst", "", RUT_REAL, 1, 0.8, 0.01, 0.99, "", 0,
                     "Hurst exponent: near 1 smooth hills, near 0 jagged"},
    {"rms", "m", RUT_REAL, 1, 0.1, 0, 1e4, "", 0, "root mean square of its height"},
    {"form", "", RUT_CHOICE, 1, 1, 0, 1, "profile|area", 0,
     "a road, the same at all y, or ground that is rough alike in all directions"},
    {"wavelength_min", "m", RUT_REAL, 1, 0.25, 1e-4, 1e6, "", 0, "shortest wave"},
    {"wavelength_max", "m", RUT_REAL, 1, 50, 1e-3, 1e6, "", 0, "longest wave"},
    {"period", "m", RUT_REAL, 1, 0, 0, 1e6, "", 0,
     "after which it repeats; 0: the longest wave of an area, twice that of a profile"},
    {"resolution", "m", RUT_REAL, 1, 0, 0, 1e5, "", 0,
     "largest distance of its nodes, bilinear between; 0: a sixth of the shortest wave of a "
     "profile, a third of an area's"},
    {"seed", "", RUT_INTEGER, 1, 1, 0, 2147483647, "", 0, "of its phases"},
};

static rutTileDef tile_of(const void* param) {
  const Param* p = param;
  const bool area = p->form != 0;
  return (rutTileDef){.area = area,
                      .shortest = p->wavelength_min,
                      .longest = p->wavelength_max,
                      .period = p->period,
                      .resolution = p->resolution,
                      .scale = p->rms > 0 ? 1 : 0,
                      .power = area ? p->hurst + 1 : p->hurst + 0.5,
                      .rms = p->rms,
                      .seed = (uint64_t)p->seed};
}

static size_t fractal_size(const void* param) {
  const rutTileDef def = tile_of(param);
  return rut_tile_size(&def);
}

static void fractal_plan(const void* param, void* plan) {
  const rutTileDef def = tile_of(param);
  rut_tile_make(&def, plan);
}

static rutStatus fractal_check(const double* param, rutError* err) {
  const rutTileDef def = tile_of(param);
  return rut_tile_check(&def, err);
}

static void fractal_height(const void* param, const void* plan, int n, const double* x,
                           const double* y, double* z, double* slope_x, double* slope_y) {
  (void)param;
  rut_tile_height(plan, n, x, y, z, slope_x, slope_y);
}

const rutTerrainType rut_terrain_fractal = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTerrainType),
             .kind = "terrain",
             .name = "fractal",
             .parents = "world",
             .doc = "Fractal ground of a Hurst exponent, by spectral synthesis (Saupe 1988): "
                    "differences of "
                    "height grow with distance to the power of that exponent.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = fractal_check},
    .plan_size = fractal_size,
    .plan = fractal_plan,
    .height = fractal_height};
