// SPDX-License-Identifier: BSD-3-Clause
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/expand.h"

static rutScope* scope;
static rutReporter reporter;
static char hint[128];

static void keep_hint(const rutDiagnostic* finding, void* user) {
  (void)user;
  snprintf(hint, sizeof hint, "%s", finding->hint);
}

static int start(void** state) {
  (void)state;
  scope = rut_scope_create(NULL, 1);
  return scope ? 0 : 1;
}

static int stop(void** state) {
  (void)state;
  rut_scope_destroy(scope);
  return 0;
}

static char* expand(const char* text) {
  memset(&reporter, 0, sizeof reporter);
  reporter.report = keep_hint;
  const rutPlace place = {"a.xml", 3, 7};
  char* out = NULL;
  const rutStatus status = rut_expand(scope, text, &reporter, place, "<a>", &out);
  assert_true((status == RUT_OK) == (out != NULL));
  assert_int_equal(reporter.errors, status != RUT_OK);
  return out;
}

static void expect(const char* text, const char* expanded) {
  char* out = expand(text);
  if (!out) fail_msg("%s: %s", text, reporter.first.message);
  assert_string_equal(out, expanded);
  free(out);
}

static void refuse(const char* text, const char* message) {
  char* out = expand(text);
  if (out) fail_msg("%s gave %s", text, out);
  if (!strstr(reporter.first.message, message)) fail_msg("%s", reporter.first.message);
  assert_string_equal(reporter.first.file, "a.xml");
  assert_int_equal(reporter.first.line, 3);
  assert_int_equal(reporter.first.column, 7);
  assert_string_equal(reporter.first.element, "<a>");
}

static void set(const char* name, const char* value) {
  assert_int_equal(rut_scope_set(scope, name, value), RUT_OK);
}

static void test_variables(void** state) {
  (void)state;
  set("A", "1");
  set("B", "${A}2");
  set("name", "A");
  set("empty", "");
  expect("", "");
  expect("plain $ text $5 $x {}", "plain $ text $5 $x {}");
  expect("${A}", "1");
  expect("x${A}y${A}z", "x1y1z");
  expect("${B}", "12");
  expect("${ A }", "1");
  expect("${${name}}", "1");
  expect("${empty}", "");
  expect("${A|7}", "1");
  expect("${nope|7}", "7");
  expect("${nope|}", "");
  expect("${nope|${A} ${B}}", "1 12");
  expect("${nope|${neither|a|b}}", "a|b");
  expect("${A|${unknown}}", "1");
  set("A", "3");
  expect("${B}", "32");
}

static void test_scopes(void** state) {
  (void)state;
  set("A", "1");
  rutScope* outer = scope;
  scope = rut_scope_create(outer, 0);
  expect("${A}", "1");
  set("A", "2");
  expect("${A}", "2");
  assert_string_equal(rut_scope_get(outer, "A"), "1");
  assert_null(rut_scope_get(scope, "Z"));
  rut_scope_destroy(scope);
  scope = outer;
  expect("${A}", "1");
}

static void test_many_variables(void** state) {
  (void)state;
  char name[16], text[16];
  for (int i = 0; i < 10000; i++) {
    snprintf(name, sizeof name, "v%d", (i * 7919) % 10000);
    set(name, name + 1);
  }
  for (int i = 0; i < 10000; i += 97) {
    snprintf(name, sizeof name, "v%d", i);
    snprintf(text, sizeof text, "%d", i);
    assert_string_equal(rut_scope_get(scope, name), text);
  }
  assert_int_equal(rut_scope_set(scope, "one more", ""), RUT_ERR_CAPACITY);
}

static void test_formulas(void** state) {
  (void)state;
  set("n", "4");
  set("half", "$f{n / 2}");
  expect("$f{180/5}", "36");
  expect("$f{ ${n} * 2 }", "8");
  expect("$f{n * 2}", "8");
  expect("$f{${half} + 1}", "3");
  expect("wheel$f{n-1} deg", "wheel3 deg");
  expect("$f{1/3}", "0.3333333333333333");
  expect("$f{${nope|3} * 2}", "6");
  refuse("$f{1 +}", "a number is missing at the end, at character 4 of $f{1 +}");
  refuse("$f{}", "a number is missing");
  refuse("$f{n * m}", "unknown variable 'm'");
}

static void test_environment(void** state) {
  (void)state;
  setenv("RUT_TEST_VALUE", "42", 1);
  unsetenv("RUT_TEST_NOTHING");
  set("n", "VALUE");
  expect("$env{RUT_TEST_VALUE}", "42");
  expect("$env{RUT_TEST_${n}}", "42");
  expect("${RUT_TEST_VALUE|7}", "42");
  expect("$env{RUT_TEST_NOTHING|7}", "7");
  expect("$env{RUT_TEST_NOTHING|}", "");
  expect("$env{RUT_TEST_NOTHING|$f{7+1}${n}}", "8VALUE");
  expect("$env{RUT_TEST_VALUE|7}", "42");
  refuse("$env{RUT_TEST_NOTHING}", "environment variable 'RUT_TEST_NOTHING' is not set");
  // a variable goes first
  set("RUT_TEST_VALUE", "1");
  expect("${RUT_TEST_VALUE}", "1");
  expect("$env{RUT_TEST_VALUE}", "42");
  // what the environment gives is expanded, too
  setenv("RUT_TEST_VALUE", "${n}", 1);
  expect("$env{RUT_TEST_VALUE}", "VALUE");
}

static void test_errors(void** state) {
  (void)state;
  set("MAX_SPEED", "3");
  refuse("${MAX_SPED}", "unknown variable ${MAX_SPED}");
  assert_string_equal(hint, "did you mean ${MAX_SPEED}?");
  refuse("${elephant}", "unknown variable ${elephant}");
  assert_string_equal(hint, "");
  refuse("${MAX_SPEED", "'}' is missing after '${MAX_SPEED'");
  refuse("a ${b${c}", "'}' is missing after '${b${c}'");
  refuse("${}", "unknown variable ${}");
  refuse("$(rm -rf /)", "rut runs no programs");
  // nor if a command is put together from parts
  set("d", "$");
  refuse("${d}(ls)", "rut runs no programs");
}

static void test_endless(void** state) {
  (void)state;
  set("a", "${b}");
  set("b", "x${a}");
  refuse("${a}", "refers to itself");
  // grows twofold at each of many levels
  char name[16], value[64];
  for (int i = 0; i < 30; i++) {
    snprintf(name, sizeof name, "v%d", i);
    snprintf(value, sizeof value, "${v%d}${v%d}", i + 1, i + 1);
    set(name, value);
  }
  set("v30", "0123456789");
  refuse("${v0}", "longer than");
  // the same, but of nothing: no length gives it away
  set("v30", "");
  refuse("${v0}", "too much text");

  enum { DEEP = 100000 };
  char* text = malloc(2 * DEEP + 1);
  assert_non_null(text);
  for (int i = 0; i < DEEP; i++) memcpy(text + 2 * i, "${", 2);
  text[2 * DEEP] = '\0';
  assert_null(expand(text));
  free(text);
}

// A text that makes itself anew each round: "$" and "{" from variables.
static void test_rounds(void** state) {
  (void)state;
  set("d", "$");
  set("again", "${d}{again}");
  refuse("${again}", "does not settle");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_variables, start, stop),
      cmocka_unit_test_setup_teardown(test_scopes, start, stop),
      cmocka_unit_test_setup_teardown(test_many_variables, start, stop),
      cmocka_unit_test_setup_teardown(test_formulas, start, stop),
      cmocka_unit_test_setup_teardown(test_environment, start, stop),
      cmocka_unit_test_setup_teardown(test_errors, start, stop),
      cmocka_unit_test_setup_teardown(test_endless, start, stop),
      cmocka_unit_test_setup_teardown(test_rounds, start, stop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
