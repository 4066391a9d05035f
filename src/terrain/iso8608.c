// SPDX-License-Identifier: BSD-3-Clause
//
// Road roughness after ISO 8608:2016: the one-sided spectral density of the height of class k is
//   G(n) = G(n0) (n / n0)^-2,  n0 = 0.1 1/m,  G(n0) = 16e-6 m^3 4^k, the geometric mean of the
// class (A: k = 0, ..., H: k = 7).
#include "math/rut_math.h"
#include "terrain/tile.h"

typedef struct Param {
  rutTerrainHead head;
  double grade;
  rutTileParam tile;
} Param;

static const rutField fields[] = {
    RUT_TERRAIN_ROWS{"class", "", RUT_CHOICE, 1, 2, 0, 7, "A|B|C|D|E|F|G|H", 0,
                     "A a very good road, C average, E rough, H worst"},
    RUT_TILE_ROWS(0, 0.35, 90)};

#define REFERENCE   0.1    // spatial frequency n0 of the classes [1/m]
#define CLASS_A     16e-6  // geometric mean of G(n0) in class A [m3]; each class has 4 times as much
#define CLASS_RATIO 4

// A profile of waves with G(n) in cells of 1/period has amplitudes sqrt(2 G(n) / period).
//
// Isotropic ground has the two-sided density S(k) over the plane of wave vectors. Along a line it
// shows G(n) / 2 = integral S(sqrt(n^2 + m^2)) dm over all m; S = G(n0) n0^2 / 4 k^-3 does that,
// since the integral of (n^2 + m^2)^(-3/2) is 2 / n^2. A wave and its opposite make one of
// amplitude 2 sqrt(S) / period.
static rutTileDef tile_of(const void* param) {
  const Param* p = param;
  double density = CLASS_A;
  for (int k = 0; k < (int)p->grade; k++) density *= CLASS_RATIO;
  const double at_one = density * REFERENCE * REFERENCE;
  rutTileDef def = rut_tile_def(&p->tile);
  def.scale = def.area ? rut_sqrt(at_one) : rut_sqrt(2 * at_one);
  def.power = def.area ? 1.5 : 1;
  return def;
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

const rutTerrainType rut_terrain_iso8608 = {
    .base =
        {.abi = RUT_ABI,
         .struct_size = sizeof(rutTerrainType),
         .kind = "terrain",
         .name = "iso8608",
         .parents = "world",
         .doc = "Roughness of a class of ISO 8608:2016, geometric mean: spectral density of height "
                "16e-6 m^3 4^k at 0.1 cycles per metre (A: k = 0), proportional to the wave number "
                "to the power of -2; random phases.",
         .field = fields,
         .fields = RUT_COUNT_OF(fields),
         .check = iso8608_check},
    .plan_size = iso8608_size,
    .plan = iso8608_plan,
    .height = rut_tile_height,
    .bounds = rut_tile_bounds};
