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
// each vehicle, always in their order. The sums of the first tile begin with -0: -0 + x is x.
RUT_INLINE void add_up(Counts c, int first, int rows, const double* restrict row,
                       double* restrict sum) {
  const int n = c.n, lanes = c.lanes;
  const int rest = c.wheels * lanes - first, count = rest < n ? rest : n;
  if (lanes == n) {
    // a tile is one carrier of each vehicle
    if (count < n) return;
    if (first == 0) {
      for (int i = 0; i < rows * lanes; i++) sum[i] = -0.0;
    }
#pragma omp simd
    for (int i = 0; i < rows * lanes; i++) sum[i] += row[i];
    return;
  }
  for (int r = 0; r < rows; r++) {
    double total = first > 0 ? sum[r] : -0.0;
    for (int i = 0; i < count; i++) total += row[r * n + i];
    sum[r] = total;
  }
}

// The six equations in (acceleration, alpha) as L D L^T: the factors below the diagonal, and 1/D,
// each a row of lanes.
typedef struct Factors {
  double l[6 * 6 * BATCH_LANES], inverse[6 * BATCH_LANES];
} Factors;
#define FACTOR(f, r, c) (f)->l[(6 * (r) + (c)) * lanes + lane]

// Sums and the chassis's own part: the matrix, its lower half.
RUT_INLINE void fill_matrix(const rutSliders* k, int lanes, const double* restrict sum,
                            Factors* restrict f) {
  const double* restrict mass = k->mass, * restrict inertia = k->inertia;
#define S(i) sum[(i)*lanes + lane]
#define J(i) inertia[(i)*lanes + lane]
  RUT_FOR_LANES(lane, lanes) {
    const double m = mass[lane];
    FACTOR(f, 0, 0) = S(0) + m;
    FACTOR(f, 1, 0) = S(3);
    FACTOR(f, 1, 1) = S(1) + m;
    FACTOR(f, 2, 0) = S(4);
    FACTOR(f, 2, 1) = S(5);
    FACTOR(f, 2, 2) = S(2) + m;
    FACTOR(f, 3, 0) = S(CROSS + 0);
    FACTOR(f, 3, 1) = S(CROSS + 1);
    FACTOR(f, 3, 2) = S(CROSS + 2);
    FACTOR(f, 3, 3) = S(ANGULAR + 0) + J(0);
    FACTOR(f, 4, 0) = S(CROSS + 3);
    FACTOR(f, 4, 1) = S(CROSS + 4);
    FACTOR(f, 4, 2) = S(CROSS + 5);
    FACTOR(f, 4, 3) = S(ANGULAR + 3) + J(3);
    FACTOR(f, 4, 4) = S(ANGULAR + 1) + J(1);
    FACTOR(f, 5, 0) = S(CROSS + 6);
    FACTOR(f, 5, 1) = S(CROSS + 7);
    FACTOR(f, 5, 2) = S(CROSS + 8);
    FACTOR(f, 5, 3) = S(ANGULAR + 4) + J(4);
    FACTOR(f, 5, 4) = S(ANGULAR + 5) + J(5);
    FACTOR(f, 5, 5) = S(ANGULAR + 2) + J(2);
  }
#undef J
#undef S
}

RUT_INLINE void factor(int lanes, Factors* restrict f) {
  double part[BATCH_LANES];
  RUT_UNROLL
  for (int c = 0; c < 6; c++) {
    RUT_FOR_LANES(lane, lanes) { f->inverse[c * lanes + lane] = 1 / FACTOR(f, c, c); }
    RUT_UNROLL
    for (int r = c + 1; r < 6; r++) {
      RUT_FOR_LANES(lane, lanes) { part[lane] = FACTOR(f, r, c) * f->inverse[c * lanes + lane]; }
      RUT_UNROLL
      for (int p = c + 1; p <= r; p++) {
        RUT_FOR_LANES(lane, lanes) { FACTOR(f, r, p) -= part[lane] * FACTOR(f, p, c); }
      }
    }
  }
}

// Solve with the right-hand sides b, rows of lanes, in place.
RUT_INLINE void substitute(const Factors* restrict f, int lanes, double* restrict b) {
  double part[BATCH_LANES];
  RUT_UNROLL
  for (int c = 0; c < 6; c++) {
    RUT_FOR_LANES(lane, lanes) { part[lane] = b[c * lanes + lane] * f->inverse[c * lanes + lane]; }
    RUT_UNROLL
    for (int r = c + 1; r < 6; r++) {
      RUT_FOR_LANES(lane, lanes) { b[r * lanes + lane] -= FACTOR(f, r, c) * part[lane]; }
    }
  }
  RUT_UNROLL
  for (int r = 5; r >= 0; r--) {
    RUT_UNROLL
    for (int p = r + 1; p < 6; p++) {
      RUT_FOR_LANES(lane, lanes) { b[r * lanes + lane] -= FACTOR(f, p, r) * b[p * lanes + lane]; }
    }
    RUT_FOR_LANES(lane, lanes) { b[r * lanes + lane] *= f->inverse[r * lanes + lane]; }
  }
}

// Right-hand sides with the chassis's own forces.
RUT_INLINE void right_sides(const rutSliders* k, int lanes, const rutChassisIn* in,
                            const double* restrict sum, double* restrict b) {
  const double* restrict masses = k->mass, * restrict inertia = k->inertia;
#define J(i) inertia[(i)*lanes + l]
  RUT_FOR_LANES(l, lanes) {
    const double mass = masses[l];
    const rutSym3 own = {J(0), J(1), J(2), J(3), J(4), J(5)};
    const rutVec3 w = rut_load_vec3(in->omega, lanes, l), g = rut_load_vec3(in->gravity, lanes, l);
    const rutVec3 f = rut_load_vec3(in->force, lanes, l), m = rut_load_vec3(in->moment, lanes, l);
    const rutVec3 gyro = rut_vec3_cross(w, rut_sym3_apply(own, w));
    b[l] = sum[FORCE * lanes + l] + f.x + mass * g.x;
    b[lanes + l] = sum[(FORCE + 1) * lanes + l] + f.y + mass * g.y;
    b[2 * lanes + l] = sum[(FORCE + 2) * lanes + l] + f.z + mass * g.z;
    b[3 * lanes + l] = sum[MOMENT * lanes + l] + m.x - gyro.x;
    b[4 * lanes + l] = sum[(MOMENT + 1) * lanes + l] + m.y - gyro.y;
    b[5 * lanes + l] = sum[(MOMENT + 2) * lanes + l] + m.z - gyro.z;
  }
#undef J
}

// The solution, row by row, to the accelerations.
RUT_INLINE void put_accelerations(int lanes, const double* restrict b,
                                  double* restrict acceleration, double* restrict alpha) {
#pragma omp simd
  for (int i = 0; i < 3 * lanes; i++) {
    acceleration[i] = b[i];
    alpha[i] = b[3 * lanes + i];
  }
}

#endif  // RUT_MBD_CHASSIS_LANES_H
