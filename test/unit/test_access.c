// SPDX-License-Identifier: BSD-3-Clause
//
// Which files a world may read, and that only regular files are.
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/input.h"
#include "rut/rut.h"
#include "scratch_files.h"

// home/own/{w.xml, map.csv, .hidden, parts/map.csv}, home/{secret.csv, own2/map.csv},
// home/worlds/deep/er/w.xml, home/{models, definitions}
static int make_files(void** state) {
  (void)state;
  make_scratch_folder(folder);
  static const char* const folders[] = {"own",    "own/parts",   "own/.git",       "own2",
                                        "worlds", "worlds/deep", "worlds/deep/er", "worlds/parts",
                                        "models", "definitions", "myworlds"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    if (mkdir(at(folders[i]), 0777) != 0) return 1;
  }
  static const char* const files[] = {
      "own/w.xml",        "own/map.csv",        "own/.hidden",  "own/parts/map.csv",
      "own/.git/map.csv", "secret.csv",         "own2/map.csv", "worlds/deep/er/w.xml",
      "worlds/map.csv",   "worlds/parts/a.xml", "models/m.obj", "definitions/d.xml",
      "myworlds/w.xml"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) write_file(files[i], "1 2; 3 4");
  return symlink("../secret.csv", at("own/link.csv")) || symlink("map.csv", at("own/inside.csv")) ||
         symlink("..", at("own/up")) || symlink(folder, at("own/whole")) ||
         mkfifo(at("own/pipe"), 0666);
}

static bool may(const rutAccess* access, const char* name) {
  return rut_access_allows(access, at(name), NULL);
}

static void a_world_has_its_folder(void** state) {
  (void)state;
  rutAccess access = {0};
  assert_int_equal(rut_access_add_world(&access, at("own/w.xml")), 0);
  assert_true(may(&access, "own/w.xml") && may(&access, "own/map.csv"));
  assert_true(may(&access, "own/parts/map.csv") && may(&access, "own/parts/../map.csv"));
  assert_true(may(&access, "own/inside.csv"));
  // a folder whose name begins alike is another
  static const char* const others[] = {"own2/map.csv", "secret.csv",        "own/../secret.csv",
                                       "own/link.csv", "own/up/secret.csv", "own/whole/secret.csv",
                                       "own/.hidden",  "own/.git/map.csv",  "models/m.obj"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (may(&access, others[i])) fail_msg("%s", others[i]);
  }
  assert_false(rut_access_allows(&access, "/etc/passwd", NULL));
  assert_false(rut_access_allows(NULL, at("own/map.csv"), NULL));
  assert_true(rut_access_allows(&rut_access_any, "/etc/passwd", NULL));
  // whether a file elsewhere is there makes no difference
  assert_true(may(&access, "own/absent.csv") && may(&access, "own/no/folder/absent.csv"));
  assert_false(may(&access, "absent.csv") || may(&access, "no/folder/absent.csv"));
  assert_false(may(&access, "own/../absent.csv") || may(&access, "own/up/absent.csv"));
  rut_access_free(&access);
}

static void worlds_share_their_folder(void** state) {
  (void)state;
  rutAccess access = {0};
  assert_int_equal(rut_access_add_world(&access, at("worlds/deep/er/w.xml")), 0);
  assert_true(may(&access, "worlds/parts/a.xml") && may(&access, "worlds/map.csv"));
  assert_false(may(&access, "secret.csv"));
  rut_access_free(&access);
  assert_int_equal(rut_access_add_world(&access, at("myworlds/w.xml")), 0);
  assert_true(may(&access, "myworlds/w.xml"));
  assert_false(may(&access, "worlds/map.csv") || may(&access, "secret.csv"));
  rut_access_free(&access);
}

static void folders_are_added(void** state) {
  (void)state;
  rutAccess above = {0}, access = {.up = &above};
  assert_int_equal(rut_access_add_world(&access, at("own/w.xml")), 0);
  assert_int_equal(rut_access_add_folder(&above, at("own2/")), 0);
  assert_true(may(&access, "own2/map.csv"));
  assert_false(may(&access, "secret.csv"));
  assert_int_not_equal(rut_access_add_folder(&above, at("absent")), 0);
  assert_int_not_equal(rut_access_add_folder(&above, at("own/map.csv")), 0);
  assert_int_equal(rut_access_add_beside(&access, at("own/w.xml"), "models"), 0);
  assert_int_equal(rut_access_add_beside(&access, at("own/w.xml"), "absent"), 0);
  assert_true(may(&access, "models/m.obj"));
  assert_false(may(&access, "definitions/d.xml"));
  // a link of that name is none of it
  assert_int_equal(rut_access_add_beside(&access, at("own/parts/w.xml"), "up"), 0);
  assert_false(may(&access, "secret.csv"));
  rutAccess copy = {.up = &above};
  assert_int_equal(rut_access_copy(&copy, &access), 0);
  rut_access_free(&access);
  assert_true(may(&copy, "models/m.obj") && may(&copy, "own/map.csv") &&
              may(&copy, "own2/map.csv"));
  assert_false(may(&copy, "secret.csv"));
  assert_int_equal(rut_access_add_folder(&copy, "/"), 0);
  assert_true(may(&copy, "secret.csv") && rut_access_allows(&copy, "/etc/passwd", NULL));
  rut_access_free(&copy);
  rut_access_free(&above);
}

static void variables_are_named(void** state) {
  (void)state;
  rutAccess access = {0};
  assert_true(rut_access_allows_variable(NULL, "RUT_X"));
  assert_true(rut_access_allows_variable(&access, "MVSIM_X"));
  assert_false(rut_access_allows_variable(&access, "HOME"));
  assert_int_equal(rut_access_add_variable(&access, "HOME"), 0);
  assert_true(rut_access_allows_variable(&access, "HOME"));
  assert_false(rut_access_allows_variable(&access, "HOM"));
  rut_access_free(&access);
}

static void only_regular_files_open(void** state) {
  (void)state;
  int file;
  uint64_t size;
  char *text, message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  size_t used;
  assert_int_equal(rut_input_open(&rut_access_any, at("own/map.csv"), &file, &size), 0);
  assert_int_equal(size, 8);
  close(file);
  // nobody writes into the FIFO: it would hang
  static const char* const others[] = {"own/pipe", "own", "own/up"};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(rut_input_open(&rut_access_any, at(others[i]), &file, &size),
                     RUT_INPUT_NO_FILE);
    assert_int_equal(file, -1);
  }
  assert_int_equal(rut_input_open(&rut_access_any, "/dev/zero", &file, &size), RUT_INPUT_NO_FILE);
  assert_int_equal(rut_input_open(&rut_access_any, "/dev/tty", &file, &size), RUT_INPUT_NO_FILE);
  rutAccess access = {0};
  assert_int_equal(rut_access_add_world(&access, at("own/w.xml")), 0);
  assert_int_equal(rut_input_read(&access, at("own/link.csv"), 100, &text, &used),
                   RUT_INPUT_OUTSIDE);
  assert_null(text);
  rut_input_explain(RUT_INPUT_OUTSIDE, at("own/link.csv"), 100, message, hint);
  assert_non_null(strstr(message, "own/link.csv' lies outside of the world's folder"));
  // the folder to which the link leads, not that where it stands
  char* real = realpath(folder, NULL);
  assert_non_null(strstr(hint, real));
  assert_null(strstr(hint, "own"));
  free(real);
  // a URI of this machine is its plain path, also in the hint, which --allow-dir must take
  char uri[400];
  snprintf(uri, sizeof uri, "file://%s", at("own2/map.csv"));
  assert_int_equal(rut_input_open(&access, uri, &file, &size), RUT_INPUT_OUTSIDE);
  rut_input_explain(RUT_INPUT_OUTSIDE, uri, 100, message, hint);
  assert_null(strstr(hint, "file:"));
  assert_non_null(strstr(hint, "--allow-dir '/"));
  snprintf(uri, sizeof uri, "file://%s", at("own/map.csv"));
  assert_int_equal(rut_input_open(&access, uri, &file, &size), 0);
  close(file);
  rut_access_free(&access);
}

static void what_was_read_is_known(void** state) {
  (void)state;
  rutInputList list;
  rut_input_list_init(&list);
  rutAccess above = {.inputs = &list}, access = {.up = &above, .any = true};
  for (int i = 0; i < 100; i++) {
    char name[32], *text;
    size_t size;
    snprintf(name, sizeof name, "own/n%d", i);
    write_file(name, "x");
    assert_int_equal(rut_input_read(&access, at(name), 10, &text, &size), 0);
    free(text);
  }
  assert_int_equal(list.n, 100);
  assert_true(rut_input_list_has(&list, at("own/n42")));
  assert_true(rut_input_list_has(&list, at("own/up/own/n42")));
  assert_false(rut_input_list_has(&list, at("own/map.csv")));
  assert_false(rut_input_list_has(&list, at("own/absent")));
  // another file in its place, and the file under another name, are not what was read
  assert_int_equal(rename(at("own/n42"), at("own/m42")), 0);
  write_file("own/n42", "y");
  assert_false(rut_input_list_has(&list, at("own/n42")));
  assert_false(rut_input_list_has(&list, at("own/m42")));
  rut_input_list_free(&list);
}

// ---- through the API ----

typedef struct Told {
  char text[2000];
  int quotable;
} Told;

static void tell(const rutDiagnostic* finding, void* user) {
  Told* told = user;
  snprintf(told->text + strlen(told->text), sizeof told->text - strlen(told->text), "%s|",
           finding->message);
  told->quotable += finding->quotable;
}

static rutStatus compile_world(const char* path, const char* allowed, Told* told) {
  *told = (Told){.quotable = 0};
  rutContextDef def = rut_default_context();
  def.report = tell;
  def.user = told;
  rutContext* context;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  assert_int_equal(rut_context_create(&def, &context, NULL), RUT_OK);
  if (allowed) assert_int_equal(rut_context_allow_dir(context, allowed, NULL), RUT_OK);
  rutStatus status = rut_spec_load(context, path, &spec, NULL);
  if (status == RUT_OK) status = rut_compile(spec, &model, NULL);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return status;
}

static void worlds_are_refused_what_is_outside(void** state) {
  (void)state;
  Told told;
  static const char* const worlds[] = {
      "<world><elevation_map file='../secret.csv'/></world>",
      "<world><elevation_map file='link.csv'/></world>",
      "<world><elevation_map points='up/secret.csv'/></world>",
      "<world><occupancy_grid file='../secret.csv'/></world>",
      "<world><soil type='clay' name='s'/><soil_map file='../secret.csv' soils='s'/></world>",
      "<world><include file='../secret.csv'/></world>",
      "<world><vehicle file='../secret.csv' name='v'/></world>",
      "<mvsim_world version='1.0'><include file='../secret.csv'/></mvsim_world>",
  };
  for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
    write_file("own/a.xml", worlds[i]);
    if (compile_world(at("own/a.xml"), NULL, &told) != RUT_ERR_IO) fail_msg("%s", worlds[i]);
    if (!strstr(told.text, "lies outside")) fail_msg("%s: %s", worlds[i], told.text);
    // told once
    assert_ptr_equal(strchr(told.text, '|'), told.text + strlen(told.text) - 1);
    compile_world(at("own/a.xml"), folder, &told);
    assert_null(strstr(told.text, "lies outside"));
  }
}

static void pictures_are_only_left_out(void** state) {
  (void)state;
  Told told;
  write_file("own/a.xml",
             "<world><visual model='../secret.csv'/><point_cloud file='link.csv'/>"
             "<visual model='../absent.obj'/></world>");
  assert_int_equal(compile_world(at("own/a.xml"), NULL, &told), RUT_OK);
  assert_non_null(strstr(told.text, "secret.csv' lies outside"));
  assert_non_null(strstr(told.text, "link.csv' lies outside"));
  assert_null(strstr(told.text, "absent"));
}

static void programs_name_what_they_like(void** state) {
  (void)state;
  rutContext* context;
  rutSpec *spec, *copy;
  rutError err = {0};
  void* bytes;
  size_t size;
  assert_int_equal(rut_context_create(NULL, &context, &err), RUT_OK);
  assert_int_equal(rut_spec_create(context, &spec, &err), RUT_OK);
  assert_int_equal(rut_spec_read_file(spec, at("secret.csv"), 100, &bytes, &size, &err), RUT_OK);
  assert_string_equal(bytes, "1 2; 3 4");
  free(bytes);
  rut_spec_destroy(spec);
  // but not once the world came from a file, nor a copy of it
  write_file("own/a.xml", "<world/>");
  assert_int_equal(rut_spec_load(context, at("own/a.xml"), &spec, &err), RUT_OK);
  assert_int_equal(rut_spec_copy(spec, &copy, &err), RUT_OK);
  assert_int_equal(rut_spec_read_file(spec, at("secret.csv"), 9, &bytes, &size, &err), RUT_ERR_IO);
  assert_int_equal(rut_spec_read_file(copy, at("secret.csv"), 9, &bytes, &size, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "lies outside"));
  assert_null(bytes);
  assert_int_equal(rut_spec_read_file(copy, at("own/map.csv"), 9, &bytes, &size, &err), RUT_OK);
  free(bytes);
  rut_spec_destroy(copy);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
}

static void only_worlds_are_quoted(void** state) {
  (void)state;
  Told told;
  write_file("own/a.xml", "<world>\n<nothing/></world>");
  compile_world(at("own/a.xml"), NULL, &told);
  assert_int_equal(told.quotable, 1);
  write_file("own/a.xml", "root:x:0:0\n");
  compile_world(at("own/a.xml"), NULL, &told);
  assert_int_equal(told.quotable, 0);
  write_file("own/a.xml", "<world><include file='b.xml'/></world>");
  write_file("own/b.xml", "root:x:0:0\n");
  compile_world(at("own/a.xml"), NULL, &told);
  assert_non_null(strstr(told.text, "does not begin with"));
  assert_int_equal(told.quotable, 0);
  // a link with a world's name
  write_file("secret.csv", "<secret>\n");
  compile_world(at("own/link.csv"), NULL, &told);
  assert_true(told.text[0] && told.quotable == 0);
  write_file("secret.csv", "1 2; 3 4");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_world_has_its_folder),
      cmocka_unit_test(worlds_share_their_folder),
      cmocka_unit_test(folders_are_added),
      cmocka_unit_test(variables_are_named),
      cmocka_unit_test(only_regular_files_open),
      cmocka_unit_test(what_was_read_is_known),
      cmocka_unit_test(worlds_are_refused_what_is_outside),
      cmocka_unit_test(pictures_are_only_left_out),
      cmocka_unit_test(programs_name_what_they_like),
      cmocka_unit_test(only_worlds_are_quoted),
  };
  return cmocka_run_group_tests(tests, make_files, remove_folder);
}
