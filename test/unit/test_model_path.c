// SPDX-License-Identifier: BSD-3-Clause
//
// Where files that a world names by a URI are found, and blocks that stand in for those that are
// not.
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
#include "base/model_path.h"
#include "rut/rut.h"
#include "scratch_files.h"

// Two folders of models, a world's own folder, and a file outside of them. Each file holds its own
// name.
static int make_files(void** state) {
  (void)state;
  make_scratch_folder(folder);
  static const char* const folders[] = {"own",
                                        "one",
                                        "one/site",
                                        "one/site/pack.zip",
                                        "one/site/pack.zip/in",
                                        "one/cache.out",
                                        "one/unpacked",
                                        "one/unpacked/in",
                                        "one/cache.out/in",
                                        "one/.hidden",
                                        "two",
                                        "two/in",
                                        "two/robot",
                                        "two/robot/meshes",
                                        "two/robot/folder.stl"};
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    if (mkdir(at(folders[i]), 0777) != 0) return 1;
  }
  static const char* const files[] = {"secret.stl",
                                      "one/site/pack.zip/in/a.stl",
                                      "one/unpacked/in/b.stl",
                                      "one/cache.out/in/c.stl",
                                      "one/flat.stl",
                                      "one/.hidden/h.stl",
                                      "two/in/a.stl",
                                      "two/flat.stl",
                                      "two/robot/meshes/wheel.stl",
                                      "two/wheel.stl"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) write_file(files[i], files[i]);
  return symlink("../secret.stl", at("one/link.stl"));
}

static void uris_are_told_from_paths(void** state) {
  (void)state;
  static const char* const uris[] = {"https://h/a", "http://h/a", "package://p/a", "model://m/a"};
  for (int i = 0; i < 4; i++) assert_true(rut_model_is_uri(uris[i]));
  static const char* const paths[] = {"a.stl",       "/a/b.stl", "../a.stl", "file:///a.stl",
                                      "a/b://c.stl", "",         "://a"};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
    if (rut_model_is_uri(paths[i])) fail_msg("%s", paths[i]);
  }
}

static void the_longest_tail_counts(void** state) {
  (void)state;
  static const struct {
    const char *name, *file;
  } cases[] = {
      {"https://host/site/pack.zip/in/a.stl", "one/site/pack.zip/in/a.stl"},
      {"https://host/x/in/a.stl", "two/in/a.stl"},
      {"https://host/x/unpacked.zip/in/b.stl", "one/unpacked/in/b.stl"},
      {"https://host/x/cache.zip/in/c.stl", "one/cache.out/in/c.stl"},
      // the same tail: the folder that was added first
      {"https://host/flat.stl", "one/flat.stl"},
      // the host is no folder
      {"https://two/flat.stl", "one/flat.stl"},
      {"package://robot/meshes/wheel.stl", "two/robot/meshes/wheel.stl"},
      {"model://other/meshes/wheel.stl", "two/wheel.stl"},
      // names of files that are not where they should be
      {"../robot/meshes/wheel.stl", "two/robot/meshes/wheel.stl"},
      {"/nowhere/wheel.stl", "two/wheel.stl"},
      // none of that name; a folder; one that is hidden; a link that leads out; a way that does
      {"https://host/site/absent.stl", NULL},
      {"package://robot/folder.stl", NULL},
      {"https://host/.hidden/h.stl", NULL},
      {"https://host/link.stl", NULL},
      {"https://host/../secret.stl", NULL},
      {"https://host/in/../../secret.stl", NULL},
      {"https://host", NULL},
      {"https://", NULL},
      {"package:///", NULL},
  };
  rutAccess above = {0}, access = {.up = &above};
  assert_null(rut_model_find(&access, "https://host/flat.stl"));
  assert_int_equal(rut_access_add_models(&above, at("one")), 0);
  assert_int_equal(rut_access_add_models(&above, at("two/")), 0);
  assert_int_not_equal(rut_access_add_models(&above, at("absent")), 0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char* found = rut_model_find(&access, cases[i].name);
    char* expected = cases[i].file ? realpath(at(cases[i].file), NULL) : NULL;
    if (!found != !expected || (found && strcmp(found, expected) != 0)) {
      fail_msg("%s: %s", cases[i].name, found ? found : "nothing");
    }
    free(found);
    free(expected);
  }
  rutAccess copy = {0};
  assert_int_equal(rut_access_copy(&copy, &above), 0);
  rut_access_free(&above);
  char* found = rut_model_find(&copy, "https://host/flat.stl");
  assert_non_null(found);
  free(found);
  rut_access_free(&copy);
}

static void reading_looks_there(void** state) {
  (void)state;
  rutAccess access = {0};
  char *text, message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  size_t size;
  assert_int_equal(rut_access_add_world(&access, at("own/w.xml")), 0);
  const char* uri = "https://host/x.zip/in/a.stl";
  assert_int_equal(rut_input_read(&access, uri, 100, &text, &size), RUT_INPUT_REMOTE);
  rut_input_explain(RUT_INPUT_REMOTE, uri, 100, message, hint);
  assert_non_null(strstr(message, "rut fetches none"));
  assert_non_null(strstr(hint, "--models DIR names a folder that has 'in/a.stl'"));
  assert_int_equal(rut_access_add_models(&access, at("two")), 0);
  assert_int_equal(rut_input_read(&access, uri, 100, &text, &size), 0);
  assert_string_equal(text, "two/in/a.stl");
  free(text);
  // what is where it should be comes first
  write_file("own/flat.stl", "own");
  assert_int_equal(rut_input_read(&access, at("own/flat.stl"), 100, &text, &size), 0);
  assert_string_equal(text, "own");
  free(text);
  // a file outside that is there is refused, whatever the folders of models have
  assert_int_equal(rut_input_read(&access, at("one/flat.stl"), 100, &text, &size),
                   RUT_INPUT_OUTSIDE);
  // what users name is not searched for
  assert_int_equal(unlink(at("own/flat.stl")), 0);
  access.any = true;
  assert_int_not_equal(rut_input_read(&access, at("own/flat.stl"), 100, &text, &size), 0);
  rut_access_free(&access);
}

// ---- stand-ins ----

typedef struct Told {
  int errors;
  char text[4000];
} Told;

static void tell(const rutDiagnostic* finding, void* user) {
  Told* told = user;
  told->errors += finding->level == RUT_ERROR;
  snprintf(told->text + strlen(told->text), sizeof told->text - strlen(told->text), "%d: %s (%s)|",
           finding->line, finding->message, finding->hint);
}

static rutStatus compile_text(const char* text, const char* models, Told* told) {
  *told = (Told){0};
  rutContextDef def = rut_default_context();
  def.report = tell;
  def.user = told;
  rutContext* context;
  rutSpec* spec = NULL;
  rutModel* model = NULL;
  assert_int_equal(rut_context_create(&def, &context, NULL), RUT_OK);
  if (models) assert_int_equal(rut_context_add_models(context, models, NULL), RUT_OK);
  rutStatus status = rut_spec_parse(context, text, strlen(text), at("own/w.xml"), &spec, NULL);
  if (status == RUT_OK) status = rut_compile(spec, &model, NULL);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return status;
}

// A robot whose chassis reaches from x = -0.4 to 0.4 m, and a block of 1 m somewhere.
#define ROBOT(pose)                                                                            \
  "<vehicle name='r' " pose                                                                    \
  "><chassis mass='10' outline='-.4 -.3 .4 -.3 .4 .3 -.4 .3' "                                 \
  "z_min='.1' z_max='.5'/><wheel name='l' position='0 .3'/><wheel name='r' position='0 -.3'/>" \
  "</vehicle>\n"
#define BLOCK(more) "<block name='b' shape='box' stand_in_for='https://h/p.zip/in/b.stl' " more "/>"

static void vehicles_do_not_start_in_stand_ins(void** state) {
  (void)state;
  static const struct {
    const char* text;
    bool fine;
  } cases[] = {
      {"<world>" ROBOT("") BLOCK("position='.85 0'") "</world>", false},
      {"<world>" ROBOT("") BLOCK("position='.85 0' fixed='true'") "</world>", false},
      {"<world>" ROBOT("") BLOCK("position='.95 0'") "</world>", true},
      // turned by 45 degrees it reaches 0.707 m
      {"<world>" ROBOT("") BLOCK("position='1.05 0' yaw='45 deg' fixed='true'") "</world>", false},
      {"<world>" ROBOT("") BLOCK("position='1.15 0' yaw='45 deg'") "</world>", true},
      {"<world>" ROBOT("position='7 3' yaw='90 deg'") BLOCK("position='7 2.2'") "</world>", false},
      {"<world>" ROBOT("position='7 3' yaw='90 deg'") BLOCK("position='7 2.05'") "</world>", true},
      // above it, and what nothing collides with
      {"<world>" ROBOT("") BLOCK("z_min='.75' z_max='2'") "</world>", true},
      {"<world>" ROBOT("") BLOCK("intangible='true'") "</world>", true},
      // a shape that was meant
      {"<world>" ROBOT("") "<block name='b' shape='box'/></world>", true},
  };
  Told told;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const rutStatus status = compile_text(cases[i].text, NULL, &told);
    if (status != (cases[i].fine ? RUT_OK : RUT_ERR_MODEL)) {
      fail_msg("%s: %s", cases[i].text, told.text);
    }
    if (cases[i].fine) continue;
    // told once, though chassis and wheels stand in it
    if (told.errors != 1) fail_msg("%s", told.text);
    assert_non_null(strstr(told.text, "2: vehicle 'r' starts in block 'b'"));
    assert_non_null(strstr(told.text, "(--models DIR names a folder that has 'in/b.stl'"));
  }
}

static void every_vehicle_counts_but_few_are_told_of(void** state) {
  (void)state;
  Told told;
  assert_int_equal(
      compile_text(
          "<world><for var='i' from='0' to='30'><vehicle name='r${i}' position='${i} 0'>"
          "<chassis mass='10'/></vehicle>\n<block position='${i} 0' shape='box' stand_in_for='m'/>"
          "</for></world>",
          NULL, &told),
      RUT_ERR_MODEL);
  if (told.errors != 5) fail_msg("%s", told.text);
}

// What a mesh is found to be is no stand-in.
static void worlds_of_mvsim_find_their_meshes(void** state) {
  (void)state;
  static const char mesh[] =
      "v -0.1 -0.1 0\nv 0.1 -0.1 0\nv 0.1 0.1 0\nv -0.1 0.1 0\nv 0 0 1\n"
      "f 1 2 3\nf 1 3 4\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
  static const char world[] =
      "<mvsim_world><vehicle name='r'><dynamics class='differential'/><init_pose>0 0 0</init_pose>"
      "</vehicle>\n<block "
      "name='b'><shape_from_visual/>\n<visual><model_uri>https://h/p.zip/in/b.obj"
      "</model_uri></visual><init_pose>.7 0 0</init_pose></block></mvsim_world>";
  Told told;
  // the box reaches to 0.2 m, the chassis of MVSim to 0.4 m, the mesh to 0.6 m
  assert_int_equal(compile_text(world, at("two"), &told), RUT_ERR_MODEL);
  assert_non_null(strstr(told.text, "3: 'https://h/p.zip/in/b.obj' is not a local file"));
  assert_non_null(strstr(told.text, "a box of 1 m stands in its place; --models DIR"));
  assert_non_null(strstr(told.text, "3: vehicle 'r' starts in block 'b'"));
  write_file("two/in/b.obj", mesh);
  const rutStatus status = compile_text(world, at("two"), &told);
  assert_int_equal(unlink(at("two/in/b.obj")), 0);
  if (strstr(told.text, "assimp")) {
    print_message("built without assimp\n");
    skip();
  }
  if (status != RUT_OK) fail_msg("%s", told.text);
  assert_string_equal(told.text, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(uris_are_told_from_paths),
      cmocka_unit_test(the_longest_tail_counts),
      cmocka_unit_test(reading_looks_there),
      cmocka_unit_test(vehicles_do_not_start_in_stand_ins),
      cmocka_unit_test(every_vehicle_counts_but_few_are_told_of),
      cmocka_unit_test(worlds_of_mvsim_find_their_meshes),
  };
  return cmocka_run_group_tests(tests, make_files, remove_folder);
}
