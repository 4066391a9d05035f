// SPDX-License-Identifier: BSD-3-Clause
//
// `color` and `colour` are one name in world files, and #rrggbb and three reflectances one value.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/rut.h"

static rutContext* context;

static rutSpec* parse(const char* text) {
  rutError err = {0};
  rutSpec* spec = NULL;
  if (rut_spec_parse(context, text, strlen(text), "w.xml", &spec, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  return spec;
}

// Codes of sRGB (IEC 61966-2-1): 0x80 is 0.2158605 of the light, 0xbc is 0.5028865.
static void test_both(void** state) {
  (void)state;
  static const char* const block[] = {"color='#80bcff'", "colour='#80bcff'",
                                      "color='0.2158605 0.5028865 1'",
                                      "colour=' 0.2158605, 0.5028865, 1 '"};
  static const char* const material[] = {"color='0.2158605 0.5028865 1'",
                                         "colour='0.2158605 0.5028865 1'", "color='#80bcff'",
                                         "colour='#80BCFF'"};
  for (int i = 0; i < 4; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "<world><light %s/><block name='b' outline='0 0 1 0 1 1' %s><material %s/></block>"
             "</world>",
             block[i], block[i], material[i]);
    rutSpec* spec = parse(text);
    const rutNode b = rut_spec_find(spec, "b");
    const rutNode light = rut_node_first(spec, rut_spec_root(spec), "light");
    assert_string_equal(rut_node_text(spec, b, "color"), "#80bcff");
    assert_string_equal(rut_node_text(spec, b, "colour"), "#80bcff");
    assert_string_equal(rut_node_text(spec, light, "color"), "#80bcff");
    static const double expected[3] = {0.2158605, 0.5028865, 1};
    int n = 0;
    const double* c = rut_node_numbers(spec, rut_node_first(spec, b, "material"), "colour", &n);
    assert_int_equal(n, 3);
    for (int k = 0; k < 3; k++) assert_near(c[k], expected[k], 1e-7);
    rut_spec_destroy(spec);
  }
}

// Words stay for pages, and what is no colour is told with the name that is in `rut doc`.
static void test_others(void** state) {
  (void)state;
  rutSpec* spec = parse("<world><block name='b' outline='0 0 1 0 1 1' colour='red'/></world>");
  assert_string_equal(rut_node_text(spec, rut_spec_find(spec, "b"), "color"), "red");
  rut_spec_destroy(spec);
  static const char* const wrong[] = {"1 0",     "1 0 2",    "#80bc",     "blue",
                                      "#80bcgg", "#80bcff8", "#80bcffg8", "#80bcff80 1"};
  for (int i = 0; i < 8; i++) {
    char text[300];
    rutError err = {0};
    snprintf(text, sizeof text,
             "<world><block name='b' outline='0 0 1 0 1 1'><material colour='%s'/></block></world>",
             wrong[i]);
    assert_int_not_equal(rut_spec_parse(context, text, strlen(text), "w.xml", &spec, &err), RUT_OK);
    if (!strstr(err.message, "'color'")) fail_msg("%s: %s", wrong[i], err.message);
  }
}

static int open_context(void** state) {
  (void)state;
  rutError err = {0};
  const rutContextDef def = rut_default_context();
  return rut_context_create(&def, &context, &err) == RUT_OK ? 0 : -1;
}

static int close_context(void** state) {
  (void)state;
  rut_context_destroy(context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_both), cmocka_unit_test(test_others)};
  return cmocka_run_group_tests(tests, open_context, close_context);
}
