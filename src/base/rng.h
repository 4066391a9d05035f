// SPDX-License-Identifier: BSD-3-Clause
//
// Counter-based random numbers (Philox4x32-10, Salmon et al., SC11, 2011): number i of a stream is
// a pure function of (seed, stream, i), so results do not depend on the order of evaluation.
#ifndef RUT_BASE_RNG_H
#define RUT_BASE_RNG_H

#include <stdint.h>

enum { RUT_PHILOX_ROUNDS = 10 };
// Factors of a round, and steps of the key: the golden ratio and sqrt(3) - 1 in 32 bits.
#define RUT_PHILOX_0     UINT32_C(0xD2511F53)
#define RUT_PHILOX_1     UINT32_C(0xCD9E8D57)
#define RUT_PHILOX_KEY_0 UINT32_C(0x9E3779B9)
#define RUT_PHILOX_KEY_1 UINT32_C(0xBB67AE85)

// Block of four 32-bit numbers for a 128-bit counter and a 64-bit key. Inline, so that loops over
// counters become vector code.
// One round mixes the counter by two 32 x 32 -> 64 bit products; then the key advances (Salmon,
// Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, 2011, section 3.3).
static inline void rut_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < RUT_PHILOX_ROUNDS; ++round) {
    const uint64_t p0 = (uint64_t)RUT_PHILOX_0 * c0, p1 = (uint64_t)RUT_PHILOX_1 * c2;
    c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
    c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
    c1 = (uint32_t)p1;
    c3 = (uint32_t)p0;
    k0 += RUT_PHILOX_KEY_0;
    k1 += RUT_PHILOX_KEY_1;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

// Two words of a block as a number in (0, 1): the middle of one of 2^52 equal cells is exact, and
// neither 0 nor 1.
static inline double rut_uniform_of(uint32_t high, uint32_t low) {
  // 52 bits behind the leading one of 2^52 add their number to it
  const union {
    uint64_t bits;
    double number;
  } shifted = {UINT64_C(0x4330000000000000) | (uint64_t)high << 20 | low >> 12};
  return ((shifted.number - 0x1p52) + 0.5) * 0x1p-52;
}

// Finalizer of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
// 2014): a bijection that scatters neighbouring numbers.
static inline uint64_t rut_mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

// Uniform in (0, 1): number `index` of sample `sample` of a stream. Never exactly 0 or 1.
double rut_uniform(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t index);

#endif  // RUT_BASE_RNG_H
