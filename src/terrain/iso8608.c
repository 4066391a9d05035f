// SPDX-License-Identifier: BSD-3-Clause
//
// Road roughness after ISO 8608:2016: the one-sided spectral density of the height of class k is
//   G(n) = G(n0) (n / n0)^-2,  n0 = 0.1 1/m,  G(n0) = 16e-6 m^3 4^k, the geometric mean of the
// class (A: k = 0, ..., H: k = 7).
#include "math/rut_math.h"
#include "rut/component.h"
#include "terrain/tile.h"

typedef struct Param {
  rutTerrainHead head;
  double grade, form, wavelength_min, wavelength_max, period, resolution, seed;
} Param;

static const rutField fields[] = {
    RUT_TERRAIN_ROWS{"class", "", RUT_CHOICE, 1, 2, 0, 7, "A|B|C|D|E|F|G|H", 0,
                     "A a very good road, C average, E rough, H worst"},
    {"form", "", RUT_CHOICE, 1, 0, 0, 1, "profile|area", 0,
     "a road, the same at all y, or ground that is rough alike in all directions"},
    {"wavelength_min", "m", RUT_REAL, 1, 0.35, 1e-4, 1e6, "", 0, "shortest wave"},
    {"wavelength_max", "m", RUT_REAL, 1, 90, 1e-3, 1e6, "", 0, "longest wave"},
    {"period", "m", RUT_REAL, 1, 0, 0, 1e6, "", 0,
     "after which it repeats; 0: the longest wave of an area, twice that of a profile"},
    {"resolution", "m", RUT_REAL, 1, 0, 0, 1e5, "", 0,
     "largest distance of its nodes, bilinear between; 0: a sixth of the shortest wave of a "
     "profile, a third of an area's"},
    {"seed", "", RUT_INTEGER, 1, 1, 0, 2147483647, "", 0, "of its phases"},
};

// A profile of waves with G(n) in cells of 1/period has amplitudes sqrt(2 G(n) / period).
//
// Isotropic ground has the two-sided density S(k) over the plane of wave vectors. Along a line it
// shows G(n) / 2 = integral S(sqrt(n^2 + m^2)) dm over all m; S = G(n0) n0^2 / 4 k^-3 does that,
// since the integral of (n^2 + m^2)^(-3/2) is 2 / n^2. A wave and its opposite make one of
// amplitude 2 sqrt(S) / period.
static rutTileDef tile_of(const void* param) {
  const Param* p = param;
  const double n0 = 0.1;
  double density = 16e-6;
  for (int k = 0; k < (int)p->grade; k++) density *= 4;
  const bool area = p->form != 0;
  const double at_one = density * n0 * n0;
  return (rutTileDef){.area = area,
                      .shortest = p->wavelength_min,
                      .longest = p->wavelength_max,
                      .period = p->period,
                      .resolution = p->resolution,
                      .scale = area ? rut_sqrt(at_one) : rut_sqrt(2 * at_one),
                      .power = area ? 1.5 : 1,
                      .seed = (uint64_t)p->seed};
}

static size_t iso8608_size(const void* param) {
  const rutTileDef def = tile_of(param);
  return rut_tile_size(&def);
}

static void iso8608_plan(const void* param, void* plan) {
  const rutTileDef def = tile_of(param);
  rut_tile_make(&def, plan);
}

static rutStatus iso8608_check(const double* param, rutError* err) {
  const rutTileDef def = tile_of(param);
  return rut_tile_check(&def, err);
}

static void iso8608_height(const void* param, const void* plan, int n, const double* x,
                           const double* y, double* z, double* slope_x, double* slope_y) {
  (void)param;
  rut_tile_height(plan, n, x, y, z, slope_x, slope_y);
}

const rutTerrainType rut_terrain_iso8608 = {
    .base =
        {.abi = RUT_ABI,
         .struct_size = sizeof(rutTerrainType),
         .kind = "terrain",
         .name = "iso8608",
         .parents = "world",
         .doc = "Roughness of a class of ISO 8608:2016, geometric mean: spectral density of height "
                "16e-6 m^3 4^k at 0.1 cycles per metre (A: k = 0), falling with the square of "
                "the wave number; random phases.",
         .field = fields,
         .fields = RUT_COUNT_OF(fields),
         .check = iso8608_check},
    .plan_size = iso8608_size,
    .plan = iso8608_plan,
    .height = iso8608_height};
