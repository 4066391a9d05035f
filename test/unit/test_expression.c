// SPDX-License-Identifier: BSD-3-Clause
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/expand.h"

static double evaluate(rutScope* scope, const char* text) {
  double value = NAN;
  size_t fault;
  char message[128] = "";
  if (rut_evaluate(scope, text, &value, &fault, message) != RUT_OK) {
    fail_msg("%s: %s at %zu", text, message, fault);
  }
  return value;
}

typedef struct Case {
  const char* text;
  double value;
} Case;

static void check(const Case* cases, size_t n, double tolerance) {
  for (size_t i = 0; i < n; i++) {
    const double value = evaluate(NULL, cases[i].text);
    if (!(fabs(value - cases[i].value) <= tolerance * fabs(cases[i].value))) {
      fail_msg("%s = %.17g, not %.17g", cases[i].text, value, cases[i].value);
    }
  }
}
#define CHECK(cases, tolerance) check(cases, sizeof cases / sizeof cases[0], tolerance)

static void test_precedence(void** state) {
  (void)state;
  static const Case cases[] = {
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"24 / 4 / 2", 3},
      {"2 * 7 % 4", 2},
      {"-7 % 4", -3},
      {"2 ^ 3 ^ 2", 512},
      {"-2 ^ 2", -4},
      {"(-2) ^ 2", 4},
      {"2 ^ -1", 0.5},
      {"2 ^ -2 ^ 2", 0.0625},
      {"--3", 3},
      {"- + -3", 3},
      {"4 - -3", 7},
      {"2 * -3", -6},
      {"1 < 2 == 1", 1},
      {"1 + 1 == 2", 1},
      {"1 == 2 || 3 == 3 && 0", 0},
      {"1 || 0 && 0", 1},
      {"!0 + 1", 2},
      {"!(0 + 1)", 0},
      {"not 0", 1},
      {"1 and 0 or 1", 1},
      {"1 != 2", 1},
      {"2 >= 2", 1},
      {"2 <= 1", 0},
      {"3 > 2 > 1", 0},
      {"1 ? 2 : 3", 2},
      {"0 ? 2 : 3", 3},
      {"0 ? 1 : 0 ? 2 : 3", 3},
      {"1 ? 0 ? 4 : 5 : 6", 5},
      {"1 > 2 ? 1 : 2 + 3", 5},
      {"1e3 + .5", 1000.5},
      {" \t( ( 7 ) )\n", 7},
      {"true + false", 1},
      {"if(3 <= 3 or 0, 1, 0)", 1},
      {"if(0, 1, if(1, 2, 3)) + 1", 3},
  };
  CHECK(cases, 0);
}

// Values from tables of the functions.
static void test_functions(void** state) {
  (void)state;
  static const Case exact[] = {
      {"abs(-3)", 3},        {"sqrt(2.25)", 1.5},  {"min(3, 1, 2)", 1},
      {"max(3, 1, 2)", 3},   {"min(4)", 4},        {"floor(-1.5)", -2},
      {"ceil(-1.5)", -1},    {"ceil(1.2)", 2},     {"round(2.5)", 3},
      {"round(-2.5)", -3},   {"round(2.4)", 2},    {"round(0.49999999999999994)", 0},
      {"trunc(-2.7)", -2},   {"sign(-4)", -1},     {"sgn(0)", 0},
      {"hypot(3, 4)", 5},    {"mod(7, 3)", 1},     {"mod(-7, 3)", -1},
      {"clamp(0, 5, 2)", 2}, {"pow(2, 10)", 1024}, {"sin(0)", 0},
      {"rad2deg(pi)", 180},  {"abs ( -3 )", 3},    {"log10(1000)", 3},
  };
  CHECK(exact, 0);
  static const Case close[] = {
      {"sin(1)", 0.8414709848078965},
      {"cos(1)", 0.5403023058681398},
      {"tan(1)", 1.5574077246549023},
      {"asin(0.5)", 0.5235987755982989},
      {"acos(0.5)", 1.0471975511965979},
      {"atan(1)", 0.7853981633974483},
      {"atan2(1, -1)", 2.356194490192345},
      {"exp(1)", 2.718281828459045},
      {"log(10)", 2.302585092994046},
      {"deg2rad(45)", 0.7853981633974483},
      {"e", 2.718281828459045},
      {"pi", 3.141592653589793},
      {"M_PI", 3.141592653589793},
      {"2 ^ 0.5", 1.4142135623730951},
      {"180/5", 36},
      {"2 * sin(deg2rad(30))", 1},
  };
  CHECK(close, 4e-16);
}

static void refuse(rutScope* scope, const char* text, const char* message, size_t at) {
  double value = 42;
  size_t fault = 999;
  char said[128] = "";
  assert_int_equal(rut_evaluate(scope, text, &value, &fault, said), RUT_ERR_PARSE);
  assert_true(value == 42);
  assert_string_equal(said, message);
  assert_int_equal(fault, at);
}

static void test_errors(void** state) {
  (void)state;
  refuse(NULL, "", "a number is missing at the end", 0);
  refuse(NULL, "1 +", "a number is missing at the end", 3);
  refuse(NULL, "1 + * 2", "unexpected '* 2'", 4);
  refuse(NULL, "(1", "')' is missing", 2);
  refuse(NULL, "1)", "unexpected ')'", 1);
  refuse(NULL, "1 2", "unexpected '2'", 2);
  refuse(NULL, "sin 1", "unknown variable 'sin'", 0);
  refuse(NULL, "sinn(1)", "unknown function 'sinn'; did you mean 'sin'?", 0);
  refuse(NULL, "elephant(1)", "unknown function 'elephant'", 0);
  refuse(NULL, "1 + sin()", "sin() takes 1 argument, not 0", 4);
  refuse(NULL, "atan2(1)", "atan2() takes 2 arguments, not 1", 0);
  refuse(NULL, "sin(1", "')' is missing", 5);
  refuse(NULL, "sin(1,)", "unexpected ')'", 6);
  refuse(NULL, "x", "unknown variable 'x'", 0);
  refuse(NULL, "1 ? 2", "':' is missing", 5);
  refuse(NULL, "if(1, 2)", "',' is missing", 7);
  refuse(NULL, "if(1, 2, 3", "')' is missing", 10);
  refuse(NULL, "1/0", "the result is not a finite number", 0);
  refuse(NULL, "sqrt(-1)", "the result is not a finite number", 0);
  refuse(NULL, "10 ^ 400", "the result is not a finite number", 0);
  refuse(NULL, "5 % 0", "the result is not a finite number", 0);
  refuse(NULL, "1e999", "not a number", 0);
  refuse(NULL, ".", "not a number", 0);
  refuse(NULL, "rand()", "rand() needs the random stream of a world file", 0);
  refuse(NULL, "min(1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17)", "more than 16 arguments", 43);
}

static void test_depth(void** state) {
  (void)state;
  enum { DEEP = 1000000 };
  char* text = malloc(DEEP + 2);
  assert_non_null(text);
  const char* const openings = "(-!";
  for (const char* c = openings; *c; c++) {
    memset(text, *c, DEEP);
    strcpy(text + DEEP, "1");
    double value;
    size_t fault;
    char message[128];
    assert_int_equal(rut_evaluate(NULL, text, &value, &fault, message), RUT_ERR_PARSE);
    assert_string_equal(message, "nested too deep");
  }
  for (int i = 0; i < DEEP; i += 2) memcpy(text + i, i % 4 ? "1?" : "2^", 2);
  text[DEEP] = '\0';
  double value;
  size_t fault;
  char message[128];
  assert_int_equal(rut_evaluate(NULL, text, &value, &fault, message), RUT_ERR_PARSE);
  free(text);
  assert_true(evaluate(NULL, "((((((((((((((((((((((((((((((7))))))))))))))))))))))))))))))") == 7);
}

static void test_variables(void** state) {
  (void)state;
  rutScope* outer = rut_scope_create(NULL, 0);
  rutScope* scope = rut_scope_create(outer, 0);
  assert_int_equal(rut_scope_set(outer, "a", "3"), RUT_OK);
  assert_int_equal(rut_scope_set(outer, "b", "1"), RUT_OK);
  assert_int_equal(rut_scope_set(scope, "b", " 2.5 "), RUT_OK);
  assert_int_equal(rut_scope_set(scope, "word", "abc"), RUT_OK);
  assert_int_equal(rut_scope_set(scope, "e", "7"), RUT_OK);
  assert_true(evaluate(scope, "a * b") == 7.5);
  assert_true(evaluate(scope, "e") == 7);
  refuse(scope, "1 + word", "variable 'word' is not a number: 'abc'", 4);
  rut_scope_destroy(scope);
  rut_scope_destroy(outer);
}

static void test_random(void** state) {
  (void)state;
  rutScope* a = rut_scope_create(NULL, 5);
  rutScope* inner = rut_scope_create(a, 0);
  rutScope* b = rut_scope_create(NULL, 5);
  rutScope* c = rut_scope_create(NULL, 6);
  // one stream for all scopes of a load; the same seed gives the same numbers
  const double first = evaluate(a, "rand()"), second = evaluate(inner, "rand()");
  assert_true(first > 0 && first < 1 && first != second);
  assert_true(evaluate(b, "rand()") == first && evaluate(b, "rand()") == second);
  assert_true(evaluate(c, "rand()") != first);
  // a branch that is not taken draws nothing
  assert_true(evaluate(a, "randomize(3)") == 0);
  const double third = evaluate(a, "rand()");
  evaluate(a, "randomize(3)");
  assert_true(evaluate(a, "(0 ? rand() : if(1, 1, rand())) * (1 || rand()) * (0 && rand() || 1)") ==
              1);
  assert_true(evaluate(a, "rand()") == third);
  // moments of 4000 numbers: means within 5 standard errors
  double sum = 0, square = 0, uniform = 0;
  enum { N = 4000 };
  for (int i = 0; i < N; i++) {
    const double x = evaluate(a, "randn()"), u = evaluate(a, "unifrnd(2, 4)");
    assert_true(u > 2 && u < 4);
    sum += x;
    square += x * x;
    uniform += u;
  }
  assert_true(fabs(sum / N) < 5 / sqrt(N));
  assert_true(fabs(square / N - 1) < 5 * sqrt(2.0 / N));
  assert_true(fabs(uniform / N - 3) < 5 * sqrt(4.0 / 12 / N));
  rut_scope_destroy(inner);
  rut_scope_destroy(a);
  rut_scope_destroy(b);
  rut_scope_destroy(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_precedence), cmocka_unit_test(test_functions),
      cmocka_unit_test(test_errors),     cmocka_unit_test(test_depth),
      cmocka_unit_test(test_variables),  cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
