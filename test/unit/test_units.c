// SPDX-License-Identifier: BSD-3-Clause
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

static double number(const char* text) {
  double value = -777;
  const char* end = text;
  assert_true(rut_parse_number(text, &value, &end));
  assert_int_equal(*end, '\0');
  return value;
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

// The compiler's own conversion of the literals is the reference.
static void test_numbers(void** state) {
  (void)state;
#define SAME(literal) assert_true(same_bits(number(#literal), literal))
  SAME(0.1);
  SAME(3.6);
  SAME(1e23);
  SAME(8.41e21);
  SAME(9007199254740993.0);
  SAME(123456789012345678901234567890.0);
  SAME(1.7976931348623157e308);
  SAME(2.2250738585072011e-308);
  SAME(2.2250738585072014e-308);
  SAME(4.9406564584124654e-324);
  SAME(6.62607015e-34);
#undef SAME
  assert_true(same_bits(number("-0"), -0.0));
  assert_true(number("  .5") == 0.5 && number("5.") == 5.0 && number("+2e1") == 20.0);
  // half way between 2^53 and its neighbour: to even; the least bit more: up
  assert_true(number("9007199254740993") == 9007199254740992.0);
  assert_true(number("9007199254740993.000000000000000000000000000001") == 9007199254740994.0);
  // half of the least double, and just above
  assert_true(number("2.4703282292062327e-324") == 0.0);
  assert_true(number("2.4703282292062328e-324") == DBL_TRUE_MIN);
  assert_true(number("1e-400") == 0.0);
}

static void test_long_numbers(void** state) {
  (void)state;
  char text[3000];
  memset(text, '0', sizeof text);
  text[0] = '1';
  text[1] = '.';
  text[2998] = '1';
  text[2999] = '\0';
  assert_true(number(text) == 1.0);
  // 2^53 + 1, then two thousand zeros and a one: just above the tie
  memcpy(text, "9007199254740993.", 17);
  assert_true(number(text) == 9007199254740994.0);
}

static void test_bad_numbers(void** state) {
  (void)state;
  const char* const bad[] = {"",
                             " ",
                             ".",
                             "-",
                             "+",
                             "e5",
                             "abc",
                             "inf",
                             "nan",
                             "1e400",
                             "-1.8e308",
                             "--1",
                             "1e99999999999999999999"};
  double value = 42;
  const char* end;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    assert_false(rut_parse_number(bad[i], &value, &end));
  }
  assert_true(value == 42);
  // what cannot be an exponent is left
  assert_true(rut_parse_number("5e", &value, &end) && value == 5 && strcmp(end, "e") == 0);
  assert_true(rut_parse_number("0x10", &value, &end) && value == 0 && strcmp(end, "x10") == 0);
  assert_true(rut_parse_number("1,5", &value, &end) && value == 1 && strcmp(end, ",5") == 0);
}

static void test_format(void** state) {
  (void)state;
  char text[32];
  rut_format_number(0.1, text);
  assert_string_equal(text, "0.1");
  rut_format_number(5, text);
  assert_string_equal(text, "5");
  rut_format_number(1.0 / 3.0, text);
  assert_string_equal(text, "0.3333333333333333");
  rut_format_number(0.1 + 0.2, text);
  assert_string_equal(text, "0.30000000000000004");
  rut_format_number(-0.0, text);
  assert_string_equal(text, "-0");
  rut_format_number(DBL_MAX, text);
  assert_string_equal(text, "1.7976931348623157e+308");
  // a walk over all magnitudes comes back to the same bits
  uint64_t bits = 1;
  for (int i = 0; i < 20000; i++) {
    bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    rut_format_number(value, text);
    assert_true(same_bits(number(text), value));
  }
}

// What libc, which rounds exactly but knows no shortest decimal, says of a number's text: it reads
// back to the same bits; no decimal with a digit less does; and it is the decimal of that many
// digits that is nearest, except beside a power of two, where the nearest one may read back to the
// neighbour below.
static void check_shortest(double value) {
  char text[RUT_NUMBER_SIZE + 1], fewer[64], same[64];
  rut_format_number(value, text);
  assert_true(same_bits(strtod(text, NULL), value));
  rutDecimal decimal = rut_shortest_decimal(value);
  int digits = snprintf(fewer, sizeof fewer, "%" PRIu64, decimal.digits);
  for (; digits > 1 && decimal.digits % 10 == 0; digits--) decimal.digits /= 10;
  if (digits > 1) {
    snprintf(fewer, sizeof fewer, "%.*e", digits - 2, value);
    if (same_bits(strtod(fewer, NULL), value)) fail_msg("%s is shorter than %s", fewer, text);
  }
  snprintf(same, sizeof same, "%.*g", digits > 15 ? digits : 15, value);
  const bool subnormal = fabs(value) < DBL_MIN;
  if (same_bits(strtod(same, NULL), value) && !subnormal) assert_string_equal(text, same);
}

static void test_shortest(void** state) {
  (void)state;
  static const double some[] = {1e-5,    123456789012345678.0,
                                1e15,    1e16,
                                1e22,    1e23,
                                9.5e-3,  5e-324,
                                DBL_MIN, DBL_MAX,
                                0.3,     2.0 / 3.0,
                                4.35,    9007199254740993.0,
                                1 / 3e9, -1234.5};
  for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) check_shortest(some[i]);
  uint64_t bits = 1;
  for (int i = 0; i < 200000; i++) {
    bits = bits * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    // all magnitudes; numbers of a simulation; powers of two and their neighbours
    uint64_t pattern = bits;
    double value = (double)(int64_t)(bits >> 24) * 1e-7;
    if (i % 3 == 2) pattern = (bits & UINT64_C(0xfff0000000000000)) + (uint64_t)(i % 5) - 2;
    if (i % 3) memcpy(&value, &pattern, sizeof value);
    if (isfinite(value) && value != 0) check_shortest(value);
  }
}

static void test_digits(void** state) {
  (void)state;
  static const struct {
    double value;
    int digits;
    const char* text;
  } cases[] = {
      {0.1 + 0.2, 17, "0.30000000000000004"},
      {0.1 + 0.2, 16, "0.3"},
      {2.0 / 3.0, 3, "0.667"},
      {-123456.0, 3, "-123000"},
      {99.96, 3, "100"},
      {0.00012345, 2, "0.00012"},
      {1.5e-9, 7, "1.5e-09"},
      {1234567.0, 1, "1000000"},
      {2.5, 1, "2"},
      {3.5, 1, "4"},
      {0.0, 5, "0"},
      {-0.0, 5, "-0"},
      {(double)NAN, 5, "nan"},
      {-(double)INFINITY, 5, "-inf"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[RUT_NUMBER_SIZE + 1];
    text[rut_write_number(cases[i].value, cases[i].digits, text)] = '\0';
    assert_string_equal(text, cases[i].text);
  }
}

// The same in a locale that writes 0,5, where the system has one.
static void test_locale(void** state) {
  const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8"};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++) {
    found = setlocale(LC_ALL, names[i]) != NULL;
  }
  if (!found) {
    print_message("no locale with a decimal comma here\n");
    skip();
  }
  test_numbers(state);
  test_format(state);
  setlocale(LC_ALL, "C");
}

static double quantity(const char* text, const char* unit) {
  double value = -777;
  const char* end = text;
  char message[160] = "";
  if (!rut_parse_quantity(text, unit, &value, &end, message)) fail_msg("%s: %s", text, message);
  if (*end) fail_msg("%s: '%s' is left", text, end);
  return value;
}

// Factors: SI brochure, NIST SP 811.
static void test_units(void** state) {
  (void)state;
  // decimal units give the double nearest to the decimal value
  assert_true(quantity("5 ms", "s") == 0.005);
  assert_true(quantity("50 mm", "m") == 0.05);
  assert_true(quantity("3.6 km/h", "m/s") == 1.0);
  assert_true(quantity("120 N m/rad", "N m/rad") == 120.0);
  assert_true(quantity("1.1 rad", "rad") == 1.1);
  assert_true(quantity("0.3 kg", "kg") == 0.3);
  assert_true(quantity("10 Hz", "Hz") == 10.0);
  assert_true(quantity("7 kN", "N") == 7000.0);
  assert_true(quantity("12 in", "m") == 0.3048);
  assert_true(quantity("1 ft", "m") == 0.3048);
  assert_true(quantity("15 %", "") == 0.15);
  assert_true(quantity("15%", "1") == 0.15);
  assert_true(quantity("180 deg", "rad") == 3.14159265358979323846);
  assert_true(quantity("2", "kg m2") == 2.0);
  const struct {
    const char *text, *unit;
    double value;
  } cases[] = {
      {"12 deg", "rad", 0.20943951023931953},
      {"15 psi", "Pa", 103421.35939752543},
      {"37 psi", "Pa", 255106.01984722936},
      {"60 rpm", "rad/s", 6.283185307179586},
      {"1 rev", "rad", 6.283185307179586},
      {"90 deg/s", "rad/s", 1.5707963267948966},
      {"1 lb", "kg", 0.45359237},
      {"1 lbf", "N", 4.4482216152605},
      {"1 g", "m/s2", 9.80665},
      {"500 g", "kg", 0.5},
      {"1 g/cm3", "kg/m3", 1000},
      {"60 mph", "m/s", 26.8224},
      {"1 bar", "Pa", 1e5},
      {"1 kW", "W", 1000},
      {"1 hp", "W", 745.6998715822702},
      {"1 kWh", "J", 3.6e6},
      {"2 t", "kg", 2000},
      {"9.81 m/s^2", "m/s2", 9.81},
      {"9.81 m/s\xc2\xb2", "m/s2", 9.81},
      {"9.81 m s-2", "m/s2", 9.81},
      {"30\xc2\xb0", "rad", 0.5235987755982988},
      {"5 \xc2\xb5m", "m", 5e-6},
      {"3 kN*m", "N m", 3000},
      {"3 kN\xc2\xb7m", "N m", 3000},
      {"3 kNm", "N m", 3000},
      {"2 N m s/rad", "N m s/rad", 2},
      {"2 N m/deg", "N m/rad", 114.59155902616465},
      {"4 1/s", "1/s", 4},
      {"4 Hz", "1/s", 4},
      {"1 min", "s", 60},
      {"7 MPa", "N/m2", 7e6},
      {"2 kohm", "V/A", 2000},
      {"1 ft lbf", "N m", 1.3558179483314004},
      {"5 mg", "m/s2", 0.04903325},
      {"0.15 deg/sqrt(h)", "rad/s/sqrt(Hz)", 4.363323129985824e-5},
      {"60 ug/sqrt(Hz)", "m/s2/sqrt(Hz)", 5.88399e-4},
      {"3 deg/h/sqrt(h)", "rad/s/sqrt(s)", 2.4240684055476799e-7},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const double value = quantity(cases[i].text, cases[i].unit);
    if (fabs(value - cases[i].value) > 4e-16 * fabs(cases[i].value)) {
      fail_msg("%s: %.17g, not %.17g", cases[i].text, value, cases[i].value);
    }
  }
}

static void test_bad_units(void** state) {
  (void)state;
  const struct {
    const char *text, *unit, *message;
  } cases[] = {
      {"5 kg", "m", "unit 'kg' does not fit; this is in m"},
      {"5 deg", "", "unit 'deg' does not fit; this is a pure number"},
      {"5 deg", "m", "unit 'deg' does not fit; this is in m"},
      {"5 N/deg", "N", "unit 'N/deg' does not fit; this is in N"},
      {"5 rpm", "Hz", "unit 'rpm' does not fit; this is in Hz"},
      {"5 Hz", "rad/s", "unit 'Hz' does not fit; this is in rad/s"},
      {"5 %", "rad", "unit '%' does not fit; this is in rad"},
      {"5 metre", "m", "unknown unit 'metre'"},
      {"5 pis", "Pa", "unknown unit 'pis'; did you mean 'psi'?"},
      {"5 m/", "m", "a unit is missing at ''"},
      {"5 m^", "m", "exponent of unit 'm' must be a whole number from 1 to 9"},
      {"5 m22", "m", "exponent of unit 'm' must be a whole number from 1 to 9"},
      {"5 m0", "m", "exponent of unit 'm' must be a whole number from 1 to 9"},
      {"", "m", "a number is missing"},
      {"abc", "m", "'abc' is not a number"},
      {"1e999", "m", "'1e999' is too large"},
      {"1e307 Gm", "m", "'1e307 Gm' is too large"},
      {"5 mmmmmmmmmmmmmmmmmmmm", "m", "unknown unit 'mmmmmmmmmmmm...'"},
      {"1 deg/sqrt(h)", "rad/s", "unit 'deg/sqrt(h)' does not fit; this is in rad/s"},
      {"1 sqrt(m s)", "m",
       "sqrt() of a unit must contain one unit, such as sqrt(Hz), not 'sqrt(m s)'"},
      {"1 sqrt(", "m", "sqrt() of a unit must contain one unit, such as sqrt(Hz), not 'sqrt('"},
      {"1 m m m m m m m m m m m m m", "m", "a unit has more than 12 factors"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double value = 1;
    const char* end;
    char message[160] = "";
    assert_false(rut_parse_quantity(cases[i].text, cases[i].unit, &value, &end, message));
    assert_string_equal(message, cases[i].message);
  }
}

// A list is read number by number: a unit stops where the next number begins.
static void test_end(void** state) {
  (void)state;
  double value;
  const char* end;
  char message[160];
  assert_true(rut_parse_quantity("1 m 2 m", "m", &value, &end, message));
  assert_string_equal(end, " 2 m");
  assert_true(rut_parse_quantity("1, 2", "m", &value, &end, message));
  assert_string_equal(end, ", 2");
  assert_true(rut_parse_quantity("1 m2, 3", "m2", &value, &end, message));
  assert_string_equal(end, ", 3");
  assert_true(rut_parse_quantity("1 2", "1/s", &value, &end, message));
  assert_string_equal(end, " 2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers),     cmocka_unit_test(test_long_numbers),
      cmocka_unit_test(test_bad_numbers), cmocka_unit_test(test_format),
      cmocka_unit_test(test_shortest),    cmocka_unit_test(test_digits),
      cmocka_unit_test(test_locale),      cmocka_unit_test(test_units),
      cmocka_unit_test(test_bad_units),   cmocka_unit_test(test_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
