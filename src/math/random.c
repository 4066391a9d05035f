// SPDX-License-Identifier: BSD-3-Clause
#include "math/random.h"

#include "base/rng.h"
#include "math/lanes.h"

enum { CHUNK = 32 };  // pairs that one pass makes

// What numbers are drawn for.
typedef struct Draw {
  uint64_t seed;
  uint32_t stream;
  uint64_t sample;
} Draw;

// Numbers 2i and 2i + 1 are the two coordinates of one point of the plane, whose distribution is
// symmetric (Box and Muller, Ann. Math. Stat. 29, 1958).
RUT_INLINE void normal_pairs(Draw draw, uint32_t first, int n, double* restrict even,
                             double* restrict odd) {
  const uint32_t key[2] = {(uint32_t)draw.seed, (uint32_t)(draw.seed >> 32)};
  const uint32_t low = (uint32_t)draw.sample, high = (uint32_t)(draw.sample >> 32);
  const uint32_t stream = draw.stream;
  double u[CHUNK], v[CHUNK];
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const uint32_t counter[4] = {first + (uint32_t)i, stream, low, high};
    uint32_t out[4];
    rut_philox(counter, key, out);
    u[i] = rut_uniform_of(out[0], out[1]);
    v[i] = rut_uniform_of(out[2], out[3]);
  }
#pragma omp simd
  for (int i = 0; i < n; i++) {
    double s, c;
    const double radius = rut_sqrt(-2.0 * rut_log(u[i]));
    rut_sincos(2.0 * RUT_PI * v[i], &s, &c);
    even[i] = radius * c;
    odd[i] = radius * s;
  }
}

double rut_normal(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t index) {
  double even, odd;
  normal_pairs((Draw){seed, stream, sample}, index >> 1, 1, &even, &odd);
  return (index & 1u) ? odd : even;
}

// The clones stay in this file: clang does not export the name of a cloned function.
RUT_CLONES static void normals(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t first,
                               int n, double* out) {
  double even[CHUNK], odd[CHUNK];
  int done = 0;
  // an odd start takes the second half of its pair
  if (n > 0 && (first & 1u)) out[done++] = rut_normal(seed, stream, sample, first);
  while (done < n) {
    int pairs = (n - done + 1) / 2;
    if (pairs > CHUNK) pairs = CHUNK;
    normal_pairs((Draw){seed, stream, sample}, (first + (uint32_t)done) >> 1, pairs, even, odd);
    for (int i = 0; i < pairs; i++) {
      out[done++] = even[i];
      if (done < n) out[done++] = odd[i];
    }
  }
}

void rut_normals(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t first, int n,
                 double* out) {
  normals(seed, stream, sample, first, n, out);
}
