// SPDX-License-Identifier: BSD-3-Clause
//
// Force of a spring with its stops over its length: a straight line, and kinks at which its slope
// changes.
#ifndef RUT_SUSPENSION_KINKS_H
#define RUT_SUSPENSION_KINKS_H

#include <stdbool.h>

#include "math/rut_math.h"

enum { RUT_MAX_KINKS = 64 };

// Spring and stops as kinks of one force over length.
typedef struct rutKinks {
  double force_0, slope_0, at[RUT_MAX_KINKS], change[RUT_MAX_KINKS];
  int n;
} rutKinks;

RUT_INLINE bool rut_kinks_put(rutKinks* k, double at, double change) {
  if (k->n == RUT_MAX_KINKS) return false;
  k->at[k->n] = at;
  k->change[k->n++] = change;
  return true;
}

// Adds force f(x) = polyline through xy (outer pieces go on), of x = sense (length - from).
RUT_INLINE bool rut_kinks_add(rutKinks* k, const double* xy, int points, double from, double sense,
                              double factor) {
  bool fits = true;
  double last = 0;
  for (int i = 0; i + 1 < points; i++) {
    const double m = (xy[2 * i + 3] - xy[2 * i + 1]) / (xy[2 * i + 2] - xy[2 * i]);
    if (i == 0) {
      // the first piece, as a straight line through all lengths
      k->force_0 += factor * (xy[1] + m * (sense * (0 - from) - xy[0]));
      k->slope_0 += factor * m * sense;
    } else {
      // max(x - x_i, 0) of x = from - length is a straight line and a kink in the length
      const double change = factor * (m - last), at = from + sense * xy[2 * i];
      if (sense < 0) {
        k->force_0 += change * at;
        k->slope_0 -= change;
      }
      fits = fits && rut_kinks_put(k, at, change);
    }
    last = m;
  }
  return fits;
}

// Work of the force from length 0 to the length at which it vanishes, which is where the spring has
// no energy; to the free length if it never does.
RUT_INLINE double rut_kinks_work(const rutKinks* k, double free_length) {
  static const double LONGEST = 10;  // [m]
  enum { HALVINGS = 60 };
  double low = 0, high = LONGEST, work = 0;
  for (int i = 0; i < HALVINGS; i++) {
    const double x = 0.5 * (low + high);
    double force = k->force_0 + k->slope_0 * x;
    for (int h = 0; h < k->n; h++) force += k->change[h] * rut_max(x - k->at[h], 0);
    if (force > 0) {
      low = x;
    } else {
      high = x;
    }
  }
  const double end = low > 0 && high < LONGEST ? low : free_length;
  work = end * (k->force_0 + 0.5 * k->slope_0 * end);
  for (int h = 0; h < k->n; h++) {
    const double over = rut_max(end - k->at[h], 0);
    work += 0.5 * k->change[h] * over * over;
  }
  return work;
}

#endif  // RUT_SUSPENSION_KINKS_H
