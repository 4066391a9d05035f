// SPDX-License-Identifier: BSD-3-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/name_index.h"

static void test_names(void** state) {
  (void)state;
  rutName names[] = {{"r1/speed", "speed", 0},    {"r1/l/load", "load", 1}, {"box/x", "x", 2},
                     {"another/load", "load", 3}, {"box/x", "x", 4},        {"", "", 5}};
  enum { N = sizeof names / sizeof names[0] };
  rut_names_sort(N, names);
  assert_int_equal(rut_names_find(N, names, "r1/speed"), 0);
  assert_int_equal(rut_names_find(N, names, "r1/l/load"), 1);
  assert_int_equal(rut_names_find(N, names, "another/load"), 3);
  assert_int_equal(rut_names_find(N, names, ""), 5);
  // the lower of two
  assert_int_equal(rut_names_find(N, names, "box/x"), 2);
  assert_int_equal(rut_names_find(N, names, "r1/spee"), -1);
  assert_int_equal(rut_names_find(N, names, "zzz"), -1);
  assert_string_equal(rut_names_nearest(N, names, "r1/spede"), "r1/speed");
  // a leaf alone is that of the lowest index
  assert_string_equal(rut_names_nearest(N, names, "load"), "r1/l/load");
  assert_null(rut_names_nearest(N, names, "no such thing"));
}

static void test_no_names(void** state) {
  (void)state;
  rut_names_sort(0, NULL);
  assert_int_equal(rut_names_find(0, NULL, "a"), -1);
  assert_null(rut_names_nearest(0, NULL, "a"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_no_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
