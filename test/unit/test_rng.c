// SPDX-License-Identifier: BSD-3-Clause
//
// Philox4x32-10 against the known answers published with Random123 (Salmon et al., SC11, 2011).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"

static void test_known_answers(void** state) {
  (void)state;
  static const uint32_t cases[3][10] = {
      {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
      {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
       0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
      {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
       0x94fdcceb, 0x5001e420, 0x24126ea1}};
  for (int i = 0; i < 3; ++i) {
    uint32_t out[4];
    rut_philox(cases[i], cases[i] + 4, out);
    for (int k = 0; k < 4; ++k) assert_int_equal(out[k], cases[i][6 + k]);
  }
}

// Counter and key as documented: the first block of seed 0, stream 0, sample 0 is the first known
// answer, cut to the 52 leading bits of each pair of words and centred in its cell.
static void test_uniform_of_known_block(void** state) {
  (void)state;
  const double first = ((double)UINT64_C(0x6627e8d5e169c) + 0.5) * 0x1p-52;
  const double second = ((double)UINT64_C(0xbc57ac4c9b00d) + 0.5) * 0x1p-52;
  assert_true(rut_uniform(0, 0, 0, 0) == first);
  assert_true(rut_uniform(0, 0, 0, 1) == second);
}

static void test_arguments_are_independent(void** state) {
  (void)state;
  const double base = rut_uniform(1, 2, 3, 4);
  assert_true(base == rut_uniform(1, 2, 3, 4));
  assert_true(base != rut_uniform(2, 2, 3, 4) && base != rut_uniform(1, 3, 3, 4));
  assert_true(base != rut_uniform(1, 2, 4, 4) && base != rut_uniform(1, 2, 3, 5));
  assert_true(base != rut_uniform(1, 2, 3 + (UINT64_C(1) << 32), 4));
  assert_true(base != rut_uniform(1 + (UINT64_C(1) << 32), 2, 3, 4));
}

// Mean 1/2 and variance 1/12 within 5 standard errors; never 0 or 1; chi-squared over 64 cells
// within 5 standard deviations of its mean 63.
static void test_uniform_distribution(void** state) {
  (void)state;
  const int n = 200000;
  double mean = 0.0, square = 0.0, chi = 0.0;
  int cell[64] = {0};
  for (int i = 0; i < n; ++i) {
    const double x = rut_uniform(99, 1, (uint64_t)i, 0);
    assert_true(x > 0.0 && x < 1.0);
    mean += x / n;
    square += (x - 0.5) * (x - 0.5) / n;
    ++cell[(int)(64.0 * x)];
  }
  for (int i = 0; i < 64; ++i) chi += (cell[i] - n / 64.0) * (cell[i] - n / 64.0) / (n / 64.0);
  assert_true(fabs(mean - 0.5) < 5.0 * sqrt(1.0 / 12.0 / n));
  assert_true(fabs(square - 1.0 / 12.0) < 5.0 * sqrt(1.0 / 180.0 / n));
  assert_true(fabs(chi - 63.0) < 5.0 * sqrt(126.0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_answers),
      cmocka_unit_test(test_uniform_of_known_block),
      cmocka_unit_test(test_arguments_are_independent),
      cmocka_unit_test(test_uniform_distribution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
