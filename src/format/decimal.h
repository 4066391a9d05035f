// SPDX-License-Identifier: BSD-3-Clause
//
// Plain decimal numbers, read fast and exactly: what most numbers of a height map look like.
#ifndef RUT_FORMAT_DECIMAL_H
#define RUT_FORMAT_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

// Read "12", "-3.25": digits with at most one point between them. The value is the double nearest
// to the text, because digits and power of ten are exact and one division rounds once. False,
// with *at unchanged, for anything else or longer: base/units.h reads that.
static inline bool rut_read_decimal(const char** at, const char* end, double* value) {
  static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  enum { MOST_DIGITS = 15 };
  const char* p = *at;
  const bool negative = p < end && *p == '-';
  p += negative;
  int64_t digits = 0;
  int count = 0, places = 0;
  for (; p < end && *p >= '0' && *p <= '9' && count <= MOST_DIGITS; p++, count++) {
    digits = digits * 10 + (*p - '0');
  }
  if (count == 0 || count > MOST_DIGITS) return false;
  if (p < end && *p == '.') {
    for (p++; p < end && *p >= '0' && *p <= '9' && places < MOST_DIGITS; p++, places++) {
      if (count + places >= MOST_DIGITS) return false;
      digits = digits * 10 + (*p - '0');
    }
    if (places == 0) return false;
  }
  const double size = (double)digits / power[places];
  *value = negative ? -size : size;
  *at = p;
  return true;
}

#endif  // RUT_FORMAT_DECIMAL_H
