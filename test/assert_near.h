// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers that are equal within a tolerance, in double precision (cmocka's own are in single).
// Included after cmocka.h.
#ifndef RUT_TEST_ASSERT_NEAR_H
#define RUT_TEST_ASSERT_NEAR_H

#include <math.h>

// |a - b| <= tolerance, or both the same infinity; false for NaN.
#define assert_near(a, b, tolerance) assert_near_at((double)(a), (double)(b), tolerance, __LINE__)
// Within a part of b, or of `least` where that is larger.
#define assert_close(a, b, part, least) \
  assert_near(a, b, (part)*fmax(fabs((double)(b)), fabs((double)(least))))

static inline void assert_near_at(double a, double b, double tolerance, int line) {
  if (!(a == b || fabs(a - b) <= tolerance))
    fail_msg("line %d: %.17g is not %.17g +- %g", line, a, b, tolerance);
}

#endif  // RUT_TEST_ASSERT_NEAR_H
