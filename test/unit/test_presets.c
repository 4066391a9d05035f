// SPDX-License-Identifier: BSD-3-Clause
//
// Presets of components: what they fill, what wins over them, what is saved, what is refused.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rut/component.h"
#include "sim/spec/nodes.h"
#include "sim/spec/values.h"

static const rutField lamp_rows[] = {
    {"power", "W", RUT_REAL, 1, 40, 0, 1000, "", 0, "power"},
    {"count", "", RUT_INTEGER, 1, 1, 0, 10, "", 0, "lamps"},
    {"shape", "", RUT_CHOICE, 1, 0, 0, 0, "bulb|tube|ring", 0, "shape"},
    {"label", "", RUT_TEXT, 1, 0, 0, 0, "none", 0, "label"},
    {"angles", "rad", RUT_VECTOR, 0, 0, -7, 7, "0", 0, "angles"},
    {"socket", "", RUT_TEXT, 1, 0, 0, 0, "", RUT_FIELD_REQUIRED, "socket"},
    {"image", "file", RUT_TEXT, 1, 0, 0, 0, "", 0, "image"},
};
static const rutPresetValue office[] = {{"power", "0.058 kW"},  {"count", "2"},
                                        {"shape", "tube"},      {"label", "T8"},
                                        {"angles", "0 90 deg"}, {"socket", "G13"}};
static const rutPresetValue kitchen[] = {{"shape", "ring"}, {"socket", "G10q"}};
static const rutPreset lamp_presets[] = {RUT_PRESET("office", "Two tubes.", office),
                                         RUT_PRESET("kitchen", "A ring.", kitchen)};
static const rutComponent lamp = {
    RUT_HEAD(rutComponent, "luminaire", "", "world", "a lamp", lamp_rows),
    RUT_PRESETS(lamp_presets)};

static rutContext* context;
static rutError err;

static int start(void** state) {
  (void)state;
  memset(&err, 0, sizeof err);
  return rut_context_create(NULL, &context, &err) || rut_register(context, &lamp, &err);
}
static int stop(void** state) {
  (void)state;
  rut_context_destroy(context);
  return 0;
}

static rutSpec* parse(const char* text) {
  rutSpec* spec = NULL;
  memset(&err, 0, sizeof err);
  rut_spec_parse(context, text, strlen(text), "w.xml", &spec, &err);
  return spec;
}

static void test_filled(void** state) {
  (void)state;
  rutSpec* spec = parse(
      "<world><luminaire name='a' power='60' preset='office'/><luminaire name='b' "
      "socket='E27'/></world>");
  assert_non_null(spec);
  const rutNode a = rut_spec_find(spec, "a"), b = rut_spec_find(spec, "b");
  // what the element gives wins, wherever it stands
  assert_true(rut_node_number(spec, a, "power") == 60);
  assert_true(rut_node_number(spec, a, "count") == 2);
  assert_string_equal(rut_node_text(spec, a, "shape"), "tube");
  assert_string_equal(rut_node_text(spec, a, "label"), "T8");
  assert_string_equal(rut_node_text(spec, a, "preset"), "office");
  int n;
  const double* angle = rut_node_numbers(spec, a, "angles", &n);
  assert_int_equal(n, 2);
  assert_true(fabs(angle[1] - 2 * atan(1)) < 1e-15);
  assert_true(rut_node_has(spec, a, "count") && rut_node_has(spec, a, "preset"));
  assert_false(rut_node_has(spec, a, "image") || rut_node_has(spec, b, "preset"));
  // parameters as compiled: scalars, index of the list, its count and numbers
  double param[10];
  assert_int_equal(rut_node_params(spec, a, 10, param), 10);
  assert_true(param[0] == 60 && param[1] == 2 && param[2] == 1 && isnan(param[3]));
  assert_true(param[(int)param[4]] == 2 && param[(int)param[4] + 2] == angle[1]);
  // a required field that the preset fills is there
  assert_int_equal(rut_spec_check(spec), RUT_OK);
  rut_spec_destroy(spec);
}

static void test_changed(void** state) {
  (void)state;
  rutSpec* spec = parse("<world><luminaire name='a' preset='office'/></world>");
  assert_non_null(spec);
  const rutNode a = rut_spec_find(spec, "a");
  assert_int_equal(rut_spec_set(spec, "a.count", "3", &err), RUT_OK);
  assert_int_equal(rut_spec_set(spec, "a.preset", "kitchen", &err), RUT_OK);
  assert_true(rut_node_number(spec, a, "count") == 3);
  assert_true(rut_node_number(spec, a, "power") == 40);
  assert_string_equal(rut_node_text(spec, a, "shape"), "ring");
  assert_int_equal(rut_spec_set(spec, "a.preset", "", &err), RUT_OK);
  assert_string_equal(rut_node_text(spec, a, "shape"), "bulb");
  rut_spec_destroy(spec);
}

// A saved world, and a copy, name the preset and have only what was given besides.
static void test_saved(void** state) {
  (void)state;
  static const char expected[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<world>\n"
      "  <luminaire name=\"a\" preset=\"office\" power=\"60 W\"/>\n"
      "</world>\n";
  rutSpec *spec = parse("<world><luminaire name='a' preset='office' power='60'/></world>"),
          *copy = NULL;
  assert_non_null(spec);
  assert_int_equal(rut_spec_copy(spec, &copy, &err), RUT_OK);
  for (int i = 0; i < 2; i++) {
    char* text = NULL;
    size_t size;
    assert_int_equal(rut_spec_write(i ? copy : spec, "w.xml", &text, &size, &err), RUT_OK);
    assert_string_equal(text, expected);
    free(text);
  }
  assert_true(rut_node_number(copy, rut_spec_find(copy, "a"), "count") == 2);
  rut_spec_destroy(copy);
  rut_spec_destroy(spec);
}

static void refuse(const char* text, int column, const char* message) {
  rutSpec* spec = parse(text);
  assert_null(spec);
  assert_string_equal(err.message, message);
  assert_int_equal(err.column, column);
}

static void test_unknown(void** state) {
  (void)state;
  refuse("<world><luminaire socket='a' preset='ofice'/></world>", 30,
         "'preset' must be one of office, kitchen, not 'ofice'; did you mean 'office'?");
  refuse("<world><luminaire socket='a' preset='zzz'/></world>", 30,
         "'preset' must be one of office, kitchen, not 'zzz'");
  refuse("<world preset='a'/>", 8, "<world> has no presets");
  // the place of a rule that a preset breaks is the preset
  rutSpec* spec = parse("<world>\n<luminaire preset='kitchen'/></world>");
  assert_non_null(spec);
  const rutNode node = rut_node_first(spec, rut_spec_root(spec), "luminaire");
  assert_int_equal(rut_node_place_of(spec, node, "shape").line, 2);
  assert_int_equal(rut_node_place_of(spec, node, "shape").column, 12);
  assert_int_equal(rut_node_place_of(spec, node, "count").line, 0);
  rut_spec_destroy(spec);
}

static void test_refused_types(void** state) {
  (void)state;
  const struct {
    rutPreset preset;
    const char* message;
  } bad[] = {
      {{"Big", "", office, 1}, "has no proper name of its own"},
      {{"office", "", office, 1}, "has no proper name of its own"},
      {{"big", NULL, office, 1}, "incomplete"},
      {{"big", "", office, 0}, "incomplete"},
      {{"big", "", (const rutPresetValue[]){{"size", "1"}}, 1}, "'size' is no field"},
      {{"big", "", (const rutPresetValue[]){{"count", "1"}, {"count", "2"}}, 2}, "stands twice"},
      {{"big", "", (const rutPresetValue[]){{"image", "a.png"}}, 1}, "names a file"},
      {{"big", "", (const rutPresetValue[]){{"count", "11"}}, 1}, "must be at most 10, not 11"},
      {{"big", "", (const rutPresetValue[]){{"power", "1 m"}}, 1}, "must be a number in W"},
      {{"big", "", (const rutPresetValue[]){{"shape", "cube"}}, 1}, "must be one of"}};
  for (int i = 0; i < RUT_COUNT_OF(bad); i++) {
    const rutPreset two[] = {lamp_presets[0], bad[i].preset};
    rutComponent type = lamp;
    type.kind = "lantern";
    type.preset = two;
    type.presets = 2;
    assert_int_equal(rut_register(context, &type, &err), RUT_ERR_ARGUMENT);
    if (!strstr(err.message, bad[i].message)) fail_msg("%d: %s", i, err.message);
  }
  // a field of this name of its own
  const rutField row = {"preset", "", RUT_TEXT, 1, 0, 0, 0, "", 0, "own"};
  rutComponent type = lamp;
  type.kind = "lantern";
  type.field = &row;
  type.fields = 1;
  assert_int_equal(rut_register(context, &type, &err), RUT_ERR_ARGUMENT);
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, start, stop)
  const struct CMUnitTest tests[] = {T(test_filled), T(test_changed), T(test_saved),
                                     T(test_unknown), T(test_refused_types)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
