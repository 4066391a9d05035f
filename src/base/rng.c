// SPDX-License-Identifier: BSD-3-Clause
#include "base/rng.h"

double rut_uniform(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t index) {
  // a block holds two numbers
  const uint32_t counter[4] = {index >> 1, stream, (uint32_t)sample, (uint32_t)(sample >> 32)};
  const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint32_t out[4];
  rut_philox(counter, key, out);
  return rut_uniform_of(out[2 * (index & 1u)], out[2 * (index & 1u) + 1]);
}
