// SPDX-License-Identifier: BSD-3-Clause
//
// What carriers add to the six equations of their chassis, and the solution of these.
#ifndef RUT_MBD_CHASSIS_LANES_H
#define RUT_MBD_CHASSIS_LANES_H

#include "math/lanes.h"
#include "math/sym3.h"
#include "mbd/sliders.h"

// Rows that every carrier adds to its chassis: the part of the force that goes with its
// acceleration (xx yy zz xy xz yz), that of the moment with the same (row-major), that of the
// moment with the angular acceleration (xx yy zz xy xz yz), then the right-hand sides.
enum { LINEAR = 0, CROSS = 6, ANGULAR = 15, FORCE = 21, MOMENT = 24, SUMS = 27 };

// Vector of the vehicle that carries entry i of a tile.
RUT_INLINE rutVec3 shared(const double* from, int lanes, int i) {
  return rut_load_vec3(from, lanes, lanes > 1 ? i : 0);
}

// Entries of the tile of a lone vehicle with few carriers, and lanes of a batch.
enum { SMALL_TILE = 4, BATCH_LANES = 8 };

// Counts that are constants of the inlined calls.
typedef struct Counts {
  int n;       // entries of a tile
  int lanes;   // 1 or 8
  int wheels;  // carriers of one vehicle
  int shafts;  // that couple its wheels
} Counts;

typedef struct Tile {
  int first;      // its first carrier
  size_t offset;  // where its input rows begin
  double* kept;   // rows that the second pass reads again, each n wide
  double* row;    // rows that its carriers add to their vehicles, each n wide
} Tile;

// Add rows of the carriers of a tile, its first being entry `first`, to the sums [rows][lane] of
// each vehicle, always in their order.
RUT_INLINE void add_up(Counts c, int first, int rows, const double* restrict row,
                       double* restrict sum) {
  const int n = c.n, lanes = c.lanes;
  const int rest = c.wheels * lanes - first, count = rest < n ? rest : n;
  for (int r = 0; r < rows; r++) {
#pragma omp simd
    for (int l = 0; l < lanes; l++) {
      // -0 + x is x for every x
      double total = first > 0 ? sum[r * lanes + l] : -0.0;
      for (int from = 0; from < count; from += lanes) total += row[r * n + from + l];
      sum[r * lanes + l] = total;
    }
  }
}

// The six equations in (acceleration, alpha) as L D L^T: the factors below the diagonal, and 1/D.
typedef struct Factors {
  double l[6][6], inverse[6];
} Factors;

// Sums and the chassis's own part.
RUT_INLINE Factors factor(const rutSliders* k, int lanes, int lane, const double* restrict sum) {
#define S(i) sum[(i)*lanes + lane]
  const double* j = k->inertia;
  const double m = k->mass;
  Factors f = {
      {{S(0) + m},
       {S(3), S(1) + m},
       {S(4), S(5), S(2) + m},
       {S(CROSS + 0), S(CROSS + 1), S(CROSS + 2), S(ANGULAR + 0) + j[0]},
       {S(CROSS + 3), S(CROSS + 4), S(CROSS + 5), S(ANGULAR + 3) + j[3], S(ANGULAR + 1) + j[1]},
       {S(CROSS + 6), S(CROSS + 7), S(CROSS + 8), S(ANGULAR + 4) + j[4], S(ANGULAR + 5) + j[5],
        S(ANGULAR + 2) + j[2]}},
      {0}};
#undef S
  RUT_UNROLL
  for (int c = 0; c < 6; c++) {
    f.inverse[c] = 1 / f.l[c][c];
    RUT_UNROLL
    for (int r = c + 1; r < 6; r++) {
      const double part = f.l[r][c] * f.inverse[c];
      RUT_UNROLL
      for (int p = c + 1; p <= r; p++) f.l[r][p] -= part * f.l[p][c];
    }
  }
  return f;
}

RUT_INLINE void substitute(const Factors* f, double b[6]) {
  RUT_UNROLL
  for (int c = 0; c < 6; c++) {
    const double part = b[c] * f->inverse[c];
    RUT_UNROLL
    for (int r = c + 1; r < 6; r++) b[r] -= f->l[r][c] * part;
  }
  RUT_UNROLL
  for (int r = 5; r >= 0; r--) {
    RUT_UNROLL
    for (int p = r + 1; p < 6; p++) b[r] -= f->l[p][r] * b[p];
    b[r] *= f->inverse[r];
  }
}

// Right-hand sides with the chassis's own forces.
RUT_INLINE void right_sides(const rutSliders* k, int lanes, int l, const rutChassisIn* in,
                            const double* restrict sum, double b[6]) {
  const double* j = k->inertia;
  const rutSym3 own = {j[0], j[1], j[2], j[3], j[4], j[5]};
  const rutVec3 w = rut_load_vec3(in->omega, lanes, l), g = rut_load_vec3(in->gravity, lanes, l);
  const rutVec3 f = rut_load_vec3(in->force, lanes, l), m = rut_load_vec3(in->moment, lanes, l);
  const rutVec3 gyro = rut_vec3_cross(w, rut_sym3_apply(own, w));
  b[0] = sum[FORCE * lanes + l] + f.x + k->mass * g.x;
  b[1] = sum[(FORCE + 1) * lanes + l] + f.y + k->mass * g.y;
  b[2] = sum[(FORCE + 2) * lanes + l] + f.z + k->mass * g.z;
  b[3] = sum[MOMENT * lanes + l] + m.x - gyro.x;
  b[4] = sum[(MOMENT + 1) * lanes + l] + m.y - gyro.y;
  b[5] = sum[(MOMENT + 2) * lanes + l] + m.z - gyro.z;
}

#endif  // RUT_MBD_CHASSIS_LANES_H
