// SPDX-License-Identifier: BSD-3-Clause
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <string.h>

#include "base/hash.h"
#include "base/suggest.h"

static const char* const words[] = {"mass", "radius", "width",           "friction", "damping",
                                    "x",    "yaw",    "ground_friction", ""};
enum { WORDS = sizeof words / sizeof words[0] };

static void test_near(void** state) {
  (void)state;
  assert_string_equal(rut_suggest("masss", words, WORDS), "mass");
  assert_string_equal(rut_suggest("Mass", words, WORDS), "mass");
  assert_string_equal(rut_suggest("raduis", words, WORDS), "radius");  // two letters swapped
  assert_string_equal(rut_suggest("frction", words, WORDS), "friction");
  assert_string_equal(rut_suggest("wdth", words, WORDS), "width");
  assert_string_equal(rut_suggest("yaww", words, WORDS), "yaw");
  assert_string_equal(rut_suggest("ground_fricton", words, WORDS), "ground_friction");
}

static void test_far(void** state) {
  (void)state;
  assert_null(rut_suggest("elephant", words, WORDS));
  assert_null(rut_suggest("", words, WORDS));
  assert_null(rut_suggest("q", words, WORDS));
  assert_null(rut_suggest("zz", words, WORDS));
  assert_null(rut_suggest("mass", words, 0));
  char longest[5000];
  memset(longest, 'm', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  assert_null(rut_suggest(longest, words, WORDS));
}

// Test vectors of FNV-1a, 64 bits (Noll; RFC 9923, appendix).
static void test_hash(void** state) {
  (void)state;
  assert_true(rut_hash(RUT_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
  assert_true(rut_hash(RUT_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
  assert_true(rut_hash(RUT_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
  const uint64_t half = rut_hash(RUT_HASH_START, "foo", 3);
  assert_true(rut_hash(half, "bar", 3) == UINT64_C(0x85944171f73967e8));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_near),
      cmocka_unit_test(test_far),
      cmocka_unit_test(test_hash),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
