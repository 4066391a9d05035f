// SPDX-License-Identifier: BSD-3-Clause
//
// Three linear equations.
#ifndef RUT_MATH_SOLVE3_H
#define RUT_MATH_SOLVE3_H

#include <stdbool.h>

#include "math/rut_math.h"

// Solve a x = b by elimination without exchange of rows, for matrices that are positive definite,
// or nearly so. Unknowns that the equations leave open (a pivot below 1e-9 of the first one) stay
// 0: no stiffness, no motion. Overwrites a and b.
RUT_INLINE void rut_solve3(double a[3][3], double b[3], double x[3]) {
  const double least = 1e-9 * rut_abs(a[0][0]);
  bool used[3] = {false};
  for (int c = 0; c < 3; c++) {
    used[c] = rut_abs(a[c][c]) > least;
    for (int r = c + 1; r < 3 && used[c]; r++) {
      const double f = a[r][c] / a[c][c];
      for (int k = c; k < 3; k++) a[r][k] -= f * a[c][k];
      b[r] -= f * b[c];
    }
  }
  for (int c = 2; c >= 0; c--) {
    double v = b[c];
    for (int k = c + 1; k < 3; k++) v -= a[c][k] * x[k];
    x[c] = used[c] ? v / a[c][c] : 0;
  }
}

#endif  // RUT_MATH_SOLVE3_H
