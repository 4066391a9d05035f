// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_MATH_RANDOM_H
#define RUT_MATH_RANDOM_H

#include <stdint.h>

// Standard normal number `index` of sample `sample` of a stream (Box-Muller over base/rng.h). It is
// made from the uniform numbers of the same stream and sample, so take only one kind from a stream.
double rut_normal(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t index);
// Numbers first .. first + n - 1 of a sample: the same values, many at a time.
void rut_normals(uint64_t seed, uint32_t stream, uint64_t sample, uint32_t first, int n,
                 double* out);

#endif  // RUT_MATH_RANDOM_H
