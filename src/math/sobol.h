// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_MATH_SOBOL_H
#define RUT_MATH_SOBOL_H

#include <stdint.h>

enum { RUT_SOBOL_DIMENSIONS = 128 };

// Coordinate of point `index` of the Sobol sequence in a dimension from 0, times 2^32. The points
// come in natural order, not in that of the Gray code: of 2^k points in a row, from a multiple of
// 2^k on, both have the same set.
uint32_t rut_sobol(uint32_t index, int dimension);

#endif  // RUT_MATH_SOBOL_H
