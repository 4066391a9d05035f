// SPDX-License-Identifier: BSD-3-Clause
//
// Springs and stops that suspensions share.
#ifndef RUT_SUSPENSION_SPRING_H
#define RUT_SUSPENSION_SPRING_H

#include "math/rut_math.h"
#include "rut/component.h"

// Value, slope and integral (from the first point's abscissa) of a polyline through points x y in
// order of x; beyond its ends the outer pieces go on.
RUT_INLINE void rut_table_at(const double* xy, int points, double x, double* value, double* slope,
                             double* integral) {
  double sum = 0, at = xy[1], rate = 0;
  for (int k = 0; k + 1 < points; k++) {
    const double x0 = xy[2 * k], y0 = xy[2 * k + 1];
    const double width = xy[2 * k + 2] - x0, m = (xy[2 * k + 3] - y0) / width;
    const int here = x >= x0 || k == 0;
    const int last = k + 2 == points;
    const double d = here ? (x < x0 + width || last ? x - x0 : width) : 0;
    sum += here ? d * (y0 + 0.5 * m * d) : 0;
    at = here ? y0 + m * d : at;
    rate = here ? m : rate;
  }
  *value = at;
  *slope = rate;
  *integral = sum;
}

// 0 if a list of x y pairs is empty or has at least two points with x growing, else the first point
// that is at fault, counted from 1.
static inline int rut_table_fault(const double* xy, int numbers) {
  if (numbers == 0) return 0;
  if (numbers < 4 || numbers % 2) return 1;
  for (int i = 2; i < numbers; i += 2) {
    if (!(xy[i] > xy[i - 2])) return i / 2 + 1;
  }
  return 0;
}

#endif  // RUT_SUSPENSION_SPRING_H
