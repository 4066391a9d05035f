// SPDX-License-Identifier: BSD-3-Clause
#include "base/rng.h"

enum { ROUNDS = 10 };

// One round mixes the counter by two 32 x 32 -> 64 bit products; the key then advances by the
// golden ratio and sqrt(3) - 1 in 32 bits (Salmon, Moraes, Dror and Shaw, "Parallel random numbers:
// as easy as 1, 2, 3", SC11, 2011, section 3.3).
void rut_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
  uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < ROUNDS; ++round) {
    const uint64_t p0 = UINT64_C(0xD2511F53) * c0, p1 = UINT64_C(0xCD9E8D57) * c2;
    c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
    c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
    c1 = (uint32_t)p1;
    c3 = (uint32_t)p0;
    k0 += UINT32_C(0x9E3779B9);
    k1 += UINT32_C(0xBB67AE85);
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

double rut_uniform(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t index) {
  // A block holds two numbers.
  const uint32_t counter[4] = {index >> 1, stream, (uint32_t)sample, (uint32_t)(sample >> 32)};
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t out[4];
  rut_philox(counter, key, out);
  const uint32_t high = out[2 * (index & 1u)], low = out[2 * (index & 1u) + 1];
  // The middle of one of 2^52 equal cells is exact, and neither 0 nor 1.
  const uint64_t cell = ((uint64_t)high << 20) | (low >> 12);
  return ((double)cell + 0.5) * 0x1p-52;
}
