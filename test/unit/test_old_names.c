// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds with the old names of fields load as with the present ones, with one note for each.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <stdio.h>
#include <string.h>

#include "rut/rut.h"

typedef struct Found {
  int notes, others;
  char message[512];
  int line;
} Found;

static void take(const rutDiagnostic* d, void* user) {
  Found* found = user;
  if (d->level != RUT_NOTE) found->others++;
  if (d->level != RUT_NOTE || !strstr(d->message, "old name")) return;
  found->notes++;
  found->line = d->line;
  snprintf(found->message, sizeof found->message, "%s", d->message);
}

static rutSpec* load(rutContext* context, const char* text) {
  rutError err = {0};
  rutSpec* spec = NULL;
  if (rut_spec_parse(context, text, strlen(text), "world.xml", &spec, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  return spec;
}

static uint64_t hash_of(const rutSpec* spec) {
  rutError err = {0};
  rutModel* model = NULL;
  if (rut_compile(spec, &model, &err) != RUT_OK) fail_msg("%s", err.message);
  const uint64_t hash = rut_model_hash(model);
  rut_model_destroy(model);
  return hash;
}

#define WORLD(bump, rebound, depth, shear)                                              \
  "<world>\n"                                                                           \
  "<soil name=\"sand\" type=\"bekker\" " shear                                          \
  "=\"3 cm\"/>\n"                                                                       \
  "<vehicle name=\"v\"><chassis mass=\"400 kg\" outline=\"-1 -1, 1 -1, 1 1, -1 1\"/>\n" \
  "<axle x=\"0.8\"><suspension type=\"slider\" " bump "=\"0.12 m\" " rebound            \
  "=\"0.11 m\"/>\n<tyre type=\"linear\" " depth                                         \
  "=\"0.1 m\"/></axle>\n"                                                               \
  "<axle x=\"-0.8\"><suspension type=\"slider\" " bump                                  \
  "=\"0.12 m\"/>\n<tyre type=\"linear\" " depth "=\"0.1 m\"/></axle>\n</vehicle></world>"

static void test_old_names_load(void** state) {
  (void)state;
  Found found = {0};
  rutContextDef def = rut_default_context();
  def.report = take;
  def.user = &found;
  rutContext* context;
  assert_int_equal(rut_context_create(&def, &context, NULL), RUT_OK);

  rutSpec* now = load(context, WORLD("bump_travel", "rebound_travel", "bottoming_deflection",
                                     "shear_deformation_modulus"));
  assert_int_equal(found.notes, 0);
  rutSpec* old = load(context, WORLD("bump", "rebound", "depth", "shear_displacement"));
  // each name once, although two axles have it
  assert_int_equal(found.notes, 4);
  assert_int_equal(found.others, 0);
  assert_string_equal(found.message, "'depth' is the old name of 'bottoming_deflection'");
  assert_int_equal(found.line, 5);
  assert_true(hash_of(old) == hash_of(now));

  // by path, and through the numbers of the API
  rutError err = {0};
  assert_int_equal(rut_spec_set(old, "v/axle[0]/suspension.bump", "0.2 m", &err), RUT_OK);
  const rutNode node = rut_spec_find(old, "v/axle[0]/suspension");
  assert_true(rut_node_number(old, node, "bump_travel") == 0.2);
  assert_true(rut_node_number(old, node, "bump") == 0.2);

  // other types have no such names
  assert_int_equal(rut_spec_set(old, "v/axle[0]/tyre.bump", "1", &err), RUT_ERR_PARSE);

  rut_spec_destroy(old);
  rut_spec_destroy(now);
  rut_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_old_names_load)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
