// SPDX-License-Identifier: BSD-3-Clause
#include "math/random.h"

#include "base/rng.h"
#include "math/rut_math.h"

double rut_normal(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t index) {
  // Numbers 2i and 2i + 1 are the two coordinates of one point of the plane, whose distribution is
  // symmetric (Box and Muller, Ann. Math. Stat. 29, 1958).
  const uint32_t first = index & ~UINT32_C(1);
  const double radius = rut_sqrt(-2.0 * rut_log(rut_uniform(seed, stream, sample, first)));
  double s, c;
  rut_sincos(2.0 * RUT_PI * rut_uniform(seed, stream, sample, first + 1), &s, &c);
  return radius * ((index & 1u) ? s : c);
}
