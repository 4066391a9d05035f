// SPDX-License-Identifier: BSD-3-Clause
//
// Counter-based random numbers (Philox4x32-10, Salmon et al., SC11, 2011): number i of a stream is
// a pure function of (seed, stream, i), so results do not depend on the order of evaluation.
#ifndef RUT_BASE_RNG_H
#define RUT_BASE_RNG_H

#include <stdint.h>

// Block of four 32-bit numbers for a 128-bit counter and a 64-bit key.
void rut_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
// Uniform in (0, 1): number `index` of sample `sample` of a stream. Never exactly 0 or 1.
double rut_uniform(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t index);

#endif  // RUT_BASE_RNG_H
