// SPDX-License-Identifier: BSD-3-Clause
//
// Random ground with a given spectrum: waves of all lengths in a band, each with a random phase,
// summed by a fast Fourier transform onto a grid that repeats, bilinear between its nodes.
#ifndef RUT_TERRAIN_TILE_H
#define RUT_TERRAIN_TILE_H

#include <stddef.h>
#include <stdint.h>

#include "rut/rut.h"

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

// What is wrong with a definition, or RUT_OK.
rutStatus rut_tile_check(const rutTileDef* def, rutError* err);
// Bytes of a tile, and its making in memory of that size, zeroed and aligned to 64 bytes.
size_t rut_tile_size(const rutTileDef* def);
void rut_tile_make(const rutTileDef* def, void* tile);
// Heights and slopes at n points.
void rut_tile_height(const void* tile, int n, const double* x, const double* y, double* z,
                     double* slope_x, double* slope_y);

#endif  // RUT_TERRAIN_TILE_H
