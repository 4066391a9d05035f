// SPDX-License-Identifier: BSD-3-Clause
#ifndef IS_CONVEX_H
#define IS_CONVEX_H

#include <stdbool.h>

// True if n points x0, y0, x1, y1, ... are a convex polygon in counter-clockwise order, no three of
// them collinear.
static inline bool is_convex(int n, const double* point) {
  // left turns everywhere, and one turn in all: x changes its direction exactly twice
  int changes = 0;
  for (int i = 0; i < n; i++) {
    const double *a = point + 2 * i, *b = point + 2 * ((i + 1) % n), *c = point + 2 * ((i + 2) % n);
    const double turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (!(turn > 0)) return false;
    const bool right_ab = a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
    const bool right_bc = b[0] != c[0] ? b[0] < c[0] : b[1] < c[1];
    if (right_ab != right_bc) changes++;
  }
  return n >= 3 && changes == 2;
}

#endif  // IS_CONVEX_H
