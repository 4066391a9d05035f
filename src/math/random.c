// SPDX-License-Identifier: BSD-3-Clause
#include "math/random.h"

#include <string.h>

#include "base/rng.h"
#include "math/lanes.h"

// CHUNK: pairs that one pass makes. FEW: as many numbers or less are made one by one.
enum { CHUNK = 32, FEW = 4 };

// What numbers are drawn for.
typedef struct Draw {
  uint64_t seed;
  uint32_t stream;
  uint64_t sample;
} Draw;

// Blocks of counters in a row, word by word. They are uniform numbers of the same bits as those of
// rut_philox: one loop over lanes for each round, which compilers turn into vector code.
typedef struct Words {
  uint32_t c[4][CHUNK];
} Words;

RUT_INLINE void philox_lanes(Draw draw, uint32_t first, Words* restrict w) {
  uint32_t k0 = (uint32_t)draw.seed, k1 = (uint32_t)(draw.seed >> 32);
  for (int i = 0; i < CHUNK; i++) {
    w->c[0][i] = first + (uint32_t)i;
    w->c[1][i] = draw.stream;
    w->c[2][i] = (uint32_t)draw.sample;
    w->c[3][i] = (uint32_t)(draw.sample >> 32);
  }
  for (int round = 0; round < RUT_PHILOX_ROUNDS; round++) {
    RUT_FOR_LANES(i, CHUNK) {
      const uint32_t c0 = w->c[0][i], c1 = w->c[1][i], c2 = w->c[2][i], c3 = w->c[3][i];
      const uint64_t p0 = (uint64_t)RUT_PHILOX_0 * c0, p1 = (uint64_t)RUT_PHILOX_1 * c2;
      w->c[0][i] = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
      w->c[1][i] = RUT_PHILOX_1 * c2;
      w->c[2][i] = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
      w->c[3][i] = RUT_PHILOX_0 * c0;
    }
    k0 += RUT_PHILOX_KEY_0;
    k1 += RUT_PHILOX_KEY_1;
  }
}

// Numbers 2i and 2i + 1 are the two coordinates of one point of the plane, whose distribution is
// symmetric (Box and Muller, Ann. Math. Stat. 29, 1958).
RUT_INLINE void normal_pair(double u, double v, double* even, double* odd) {
  double s, c;
  const double radius = rut_sqrt(-2.0 * rut_log(u));
  rut_sincos(2.0 * RUT_PI * v, &s, &c);
  *even = radius * c;
  *odd = radius * s;
}

RUT_INLINE void normal_pairs(Draw draw, uint32_t first, double* restrict pair) {
  Words w;
  philox_lanes(draw, first, &w);
  RUT_FOR_LANES(i, CHUNK) {
    const double u = rut_uniform_of(w.c[0][i], w.c[1][i]);
    const double v = rut_uniform_of(w.c[2][i], w.c[3][i]);
    double even, odd;
    normal_pair(u, v, &even, &odd);
    pair[2 * i] = even;
    pair[2 * i + 1] = odd;
  }
}

double rut_normal(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t index) {
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  const uint32_t counter[4] = {index >> 1, stream, (uint32_t)sample, (uint32_t)(sample >> 32)};
  uint32_t out[4];
  double even, odd;
  rut_philox(counter, key, out);
  normal_pair(rut_uniform_of(out[0], out[1]), rut_uniform_of(out[2], out[3]), &even, &odd);
  return (index & 1u) ? odd : even;
}

// The clones stay in this file: clang does not export the name of a cloned function.
RUT_CLONES static void normals(Draw draw, uint32_t first, int n, double* out) {
  double pair[2 * CHUNK];
  int done = 0;
  // an odd start takes the second half of its pair
  if (n > 0 && (first & 1u)) out[done++] = rut_normal(draw.seed, draw.stream, draw.sample, first);
  for (; n - done >= 2 * CHUNK; done += 2 * CHUNK) {
    normal_pairs(draw, (first + (uint32_t)done) >> 1, out + done);
  }
  if (n - done > FEW) {
    normal_pairs(draw, (first + (uint32_t)done) >> 1, pair);
    memcpy(out + done, pair, (size_t)(n - done) * sizeof *out);
    return;
  }
  for (; done < n; done++) {
    out[done] = rut_normal(draw.seed, draw.stream, draw.sample, first + (uint32_t)done);
  }
}

void rut_normals(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t first, int n,
                 double* out) {
  normals((Draw){seed, stream, sample}, first, n, out);
}
