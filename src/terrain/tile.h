// SPDX-License-Identifier: BSD-3-Clause
//
// Random ground with a given spectrum: waves of all lengths in a band, each with a random phase,
// summed by a fast Fourier transform onto a grid that repeats, bilinear between its nodes.
#ifndef RUT_TERRAIN_TILE_H
#define RUT_TERRAIN_TILE_H

#include <stddef.h>
#include <stdint.h>

#include "rut/component.h"

// Fields and parameters that all types of random ground have, after those of their own.
#define RUT_TILE_ROWS(form, shortest, longest)                                                     \
  {"form", "", RUT_CHOICE,     1, form,                                                            \
   0,      1,  "profile|area", 0, "a road profile, constant along y, or isotropic ground"},        \
      {"wavelength_min", "m", RUT_REAL, 1, shortest, 1e-4, 1e6, "", 0, "shortest wave"},           \
      {"wavelength_max", "m", RUT_REAL, 1, longest, 1e-3, 1e6, "", 0, "longest wave"},             \
      {"period", "m",                                                                              \
       RUT_REAL, 1,                                                                                \
       0,        0,                                                                                \
       1e6,      "",                                                                               \
       0,        "period of repetition; 0: the longest wave of an area, twice that of a profile"}, \
      {"resolution",                                                                               \
       "m",                                                                                        \
       RUT_REAL,                                                                                   \
       1,                                                                                          \
       0,                                                                                          \
       0,                                                                                          \
       1e5,                                                                                        \
       "",                                                                                         \
       0,                                                                                          \
       "largest grid spacing, bilinear between nodes; 0: a sixth of the shortest wave of a "       \
       "profile, a third of that of an area"},                                                     \
      {"seed", "", RUT_INTEGER, 1, 1, 0, 2147483647, "", 0, "of its phases"},

typedef struct rutTileParam {
  double form, wavelength_min, wavelength_max, period, resolution, seed;
} rutTileParam;

typedef struct rutTileDef {
  bool area;                 // waves in all directions; else along x only
  double shortest, longest;  // wavelengths of the band [m]
  double period;             // after which it repeats [m], 0: chosen
  double resolution;         // largest distance of nodes [m], 0: chosen
  // Amplitude of the wave with wave number k [1/m], per root of the cell of wave numbers that it
  // stands for: scale k^-power, [m] and powers of m. If rms > 0 the whole is scaled to that [m].
  double scale, power, rms;
  uint64_t seed;
} rutTileDef;

// The part of a definition that these parameters give; scale, power and rms are 0.
rutTileDef rut_tile_def(const rutTileParam* param);
// What is wrong with a definition, or RUT_OK.
rutStatus rut_tile_check(const rutTileDef* def, rutError* err);
// Bytes of a tile, and its making in memory of that size, zeroed and aligned to 64 bytes.
size_t rut_tile_size(const rutTileDef* def);
void rut_tile_make(const rutTileDef* def, void* tile);
// Heights and slopes at n points: rutTerrainType.height of a type whose plan is a tile.
void rut_tile_height(const void* param, const void* tile, const rutGroundPoints* at,
                     const rutGroundSurface* out);

// Bounds over any rectangle: rutTerrainType.bounds of such a type.
void rut_tile_bounds(const void* param, const void* tile, const double box[4],
                     rutTerrainBounds* out);

#endif  // RUT_TERRAIN_TILE_H
