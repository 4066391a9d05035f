// SPDX-License-Identifier: BSD-3-Clause
//
// Fractal roughness: fractional Brownian ground of Hurst exponent H, by spectral synthesis (Saupe,
// in Peitgen and Saupe, The Science of Fractal Images, 1988, section 2.4). Heights a distance d
// apart differ by an rms that grows as d^H; the density along a line falls as n^-(2 H + 1), that
// over the plane of wave vectors as k^-(2 H + 2).
#include "terrain/tile.h"

typedef struct Param {
  rutTerrainHead head;
  double hurst, rms;
  rutTileParam tile;
} Param;

static const rutField fields[] = {
    RUT_TERRAIN_ROWS{"hurst", "", RUT_REAL, 1, 0.8, 0.01, 0.99, "", 0,
                     "Hurst exponent: near 1 smooth hills, near 0 jagged"},
    {"rms", "m", RUT_REAL, 1, 0.1, 0, 1e4, "", 0, "root mean square of its height"},
    RUT_TILE_ROWS(1, 0.25, 50)};

static rutTileDef tile_of(const void* param) {
  const Param* p = param;
  rutTileDef def = rut_tile_def(&p->tile);
  def.scale = p->rms > 0 ? 1 : 0;
  def.power = def.area ? p->hurst + 1 : p->hurst + 0.5;
  def.rms = p->rms;
  return def;
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

const rutTerrainType rut_terrain_fractal = {
    .base = {.abi = RUT_ABI,
             .struct_size = sizeof(rutTerrainType),
             .kind = "terrain",
             .name = "fractal",
             .parents = "world",
             .doc = "Fractal ground of a Hurst exponent, by spectral synthesis (Saupe 1988): "
                    "height differences grow with distance to the power of that exponent.",
             .field = fields,
             .fields = RUT_COUNT_OF(fields),
             .check = fractal_check},
    .plan_size = fractal_size,
    .plan = fractal_plan,
    .height = rut_tile_height,
    .bounds = rut_tile_bounds};
