// SPDX-License-Identifier: BSD-3-Clause
//
// A world saved as native XML and read again is the same tree, bit for bit, and compiles to a model
// of the same hash.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rut/component.h"

#define SAVED "rut_test_roundtrip.xml"

static rutContext* context;
static rutError err;

static int start(void** state) {
  (void)state;
  if (rut_context_create(NULL, &context, &err) != RUT_OK) return 1;
  // what is saved here names files there
  if (rut_context_allow_dir(context, RUT_SOURCE_DIR "/worlds", &err) != RUT_OK) return 1;
  rut_context_allow_dir(context, RUT_SHARED_DIR "/data", &err);
  return 0;
}

static int stop(void** state) {
  (void)state;
  rut_context_destroy(context);
  return 0;
}

static void expect_same_field(const rutSpec* a, rutNode x, const rutSpec* b, rutNode y,
                              const rutField* row) {
  int n, m;
  if (rut_node_has(a, x, row->name) != rut_node_has(b, y, row->name)) fail_msg("%s", row->name);
  const double* p = rut_node_numbers(a, x, row->name, &n);
  const double* q = rut_node_numbers(b, y, row->name, &m);
  if (n != m || (n && memcmp(p, q, (size_t)n * sizeof(double)) != 0)) fail_msg("%s", row->name);
  // file names are seen from another folder
  if (strcmp(row->unit, "file") == 0) return;
  assert_string_equal(rut_node_text(a, x, row->name), rut_node_text(b, y, row->name));
}

static void expect_same_tree(const rutSpec* a, rutNode x, const rutSpec* b, rutNode y) {
  const rutComponent* type = rut_node_component(a, x);
  assert_ptr_equal(type, rut_node_component(b, y));
  assert_string_equal(rut_node_name(a, x), rut_node_name(b, y));
  for (int i = 0; i < type->fields; i++) expect_same_field(a, x, b, y, &type->field[i]);
  x = rut_node_first(a, x, NULL);
  y = rut_node_first(b, y, NULL);
  for (; !rut_node_is_null(x) && !rut_node_is_null(y);
       x = rut_node_next(a, x, NULL), y = rut_node_next(b, y, NULL)) {
    expect_same_tree(a, x, b, y);
  }
  assert_true(rut_node_is_null(x) && rut_node_is_null(y));
}

// Hash of the compiled model, 0 if the spec does not compile.
static uint64_t model_hash(const rutSpec* spec) {
  rutModel* model;
  if (rut_compile(spec, &model, &err) != RUT_OK) return 0;
  const uint64_t hash = rut_model_hash(model);
  rut_model_destroy(model);
  return hash;
}

static void expect_round_trip(const rutSpec* spec) {
  rutSpec* again;
  if (rut_spec_save(spec, SAVED, &err) != RUT_OK) fail_msg("%s", err.message);
  if (rut_spec_load(context, SAVED, &again, &err) != RUT_OK) {
    fail_msg("%s:%d:%d: %s", err.file, err.line, err.column, err.message);
  }
  expect_same_tree(spec, rut_spec_root(spec), again, rut_spec_root(again));
  const uint64_t before = model_hash(spec), after = model_hash(again);
  if (before == 0) print_message("does not compile: %s\n", err.message);
  assert_true(before == after);
  rut_spec_destroy(again);
  remove(SAVED);
}

// Round trip of every world in a folder. Returns how many there were; *loaded gets how many of them
// could be read.
static int try_folder(const char* folder, int* loaded) {
  *loaded = 0;
  DIR* dir = opendir(folder);
  if (!dir) return 0;
  int worlds = 0;
  for (struct dirent* entry; (entry = readdir(dir));) {
    const size_t n = strlen(entry->d_name);
    if (n < 5 || strcmp(entry->d_name + n - 4, ".xml") != 0) continue;
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    worlds++;
    rutSpec* spec;
    if (rut_spec_load(context, path, &spec, &err) != RUT_OK) {
      print_message("%s: %s:%d: %s\n", entry->d_name, err.file, err.line, err.message);
      continue;
    }
    (*loaded)++;
    expect_round_trip(spec);
    rut_spec_destroy(spec);
  }
  closedir(dir);
  return worlds;
}

static void test_text(void** state) {
  (void)state;
  const char text[] =
      "<world name='t' timestep='5 ms'>\n"
      "<for var='i' from='0' to='3'>\n"
      "<vehicle name='r${i}' position='$f{i / 3} 1 ft' yaw='$f{37 * i} deg' max_steer='30 deg'>\n"
      "  <chassis mass='33.3 lb' outline='-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2 m'/>\n"
      "  <tyre type='coulomb' friction='70 %'/>\n"
      "  <wheel name='l' place='left' position='0 0.7 ft' radius='4 in'/>\n"
      "  <wheel name='r' place='right' position='0 -0.7 ft' radius='4 in'/>\n"
      "</vehicle></for>\n"
      "<block name='b' shape='box' size='1 2 3 ft' position='10 0.1' mass='1 t'/>\n"
      "</world>\n";
  rutSpec* spec;
  if (rut_spec_parse(context, text, strlen(text), "t.xml", &spec, &err) != RUT_OK) {
    fail_msg("%d:%d: %s", err.line, err.column, err.message);
  }
  assert_int_not_equal(model_hash(spec), 0);
  expect_round_trip(spec);
  rut_spec_destroy(spec);
}

static void test_worlds(void** state) {
  (void)state;
  int loaded;
  const int worlds = try_folder(RUT_SOURCE_DIR "/worlds", &loaded);
  assert_int_equal(loaded, worlds);
}

// The peer's worlds need files that are not all here.
static void test_imported_worlds(void** state) {
  (void)state;
  const char* const folders[] = {"/data/mvsim/worlds/mvsim_tutorial", "/data/mvsim/worlds/tests",
                                 "/data/mvsim/conformance"};
  int all = 0, read = 0;
  for (int i = 0; i < 3; i++) {
    char folder[1024];
    int loaded;
    snprintf(folder, sizeof folder, "%s%s", RUT_SHARED_DIR, folders[i]);
    all += try_folder(folder, &loaded);
    read += loaded;
  }
  assert_true(2 * read >= all);
  if (all == 0) {
    print_message("no imported worlds here\n");
    skip();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_worlds),
      cmocka_unit_test(test_imported_worlds),
  };
  return cmocka_run_group_tests(tests, start, stop);
}
