// SPDX-License-Identifier: BSD-3-Clause
//
// Codes of colours.
#ifndef RUT_MATH_COLOUR_H
#define RUT_MATH_COLOUR_H

#include "math/rut_math.h"

// Linear value of one coded as in sRGB (IEC 61966-2-1), both 0 to 1. NaN stays.
RUT_INLINE double rut_linear_of_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : rut_pow((value + 0.055) / 1.055, 2.4);
}
// The other way round.
RUT_INLINE double rut_srgb_of_linear(double value) {
  return value <= 0.0031308 ? 12.92 * value : 1.055 * rut_pow(value, 1 / 2.4) - 0.055;
}

#endif  // RUT_MATH_COLOUR_H
