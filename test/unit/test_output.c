// SPDX-License-Identifier: BSD-3-Clause
//
// Files that are written: what they may replace, and that nobody sees half of them.
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/output.h"
#include "rut/host.h"
#include "scratch_files.h"

static int make_folder(void** state) {
  (void)state;
  make_scratch_folder(folder);
  return 0;
}

static void assert_content(const char* name, const char* text) {
  char content[100] = "";
  FILE* file = fopen(at(name), "rb");
  assert_non_null(file);
  content[fread(content, 1, sizeof content - 1, file)] = '\0';
  fclose(file);
  assert_string_equal(content, text);
}

static bool exists(const char* name) {
  struct stat info;
  return lstat(at(name), &info) == 0;
}

// Write a whole file. Returns the fault.
static int save(const char* name, const char* text) {
  rutOutput output;
  int fault = rut_output_begin(&output, at(name));
  if (fault) return fault;
  assert_int_equal(rut_output_write(&output, text, strlen(text)), 0);
  return rut_output_finish(&output);
}

static void takes_its_place_at_the_end(void** state) {
  (void)state;
  rutOutput output;
  write_file("a", "old");
  assert_int_equal(chmod(at("a"), 0640), 0);
  assert_int_equal(rut_output_begin(&output, at("a")), 0);
  assert_int_equal(rut_output_write(&output, "new", 3), 0);
  assert_content("a", "old");
  assert_content("a.part0", "new");
  assert_int_equal(rut_output_finish(&output), 0);
  assert_content("a", "new");
  assert_false(exists("a.part0"));
  struct stat info;
  assert_int_equal(stat(at("a"), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640);
  assert_int_equal(info.st_nlink, 1);
  assert_int_equal(save("b", "first"), 0);
  assert_content("b", "first");
  // what is given up leaves no trace
  assert_int_equal(rut_output_begin(&output, at("a")), 0);
  rut_output_cancel(&output);
  rut_output_cancel(&output);
  assert_content("a", "new");
  assert_false(exists("a.part0"));
}

static void only_regular_files_are_replaced(void** state) {
  (void)state;
  write_file("target", "kept");
  assert_int_equal(symlink("target", at("link")), 0);
  assert_int_equal(symlink("absent", at("broken")), 0);
  assert_int_equal(mkfifo(at("pipe"), 0666), 0);
  assert_int_equal(mkdir(at("dir"), 0777), 0);
  assert_int_equal(save("link", "x"), RUT_OUTPUT_LINK);
  assert_int_equal(save("broken", "x"), RUT_OUTPUT_LINK);
  assert_int_equal(save("pipe", "x"), RUT_OUTPUT_NO_FILE);
  assert_int_equal(save("dir", "x"), EISDIR);
  assert_int_equal(save("no/folder", "x"), ENOENT);
  assert_content("target", "kept");
  assert_false(exists("absent"));
  assert_false(exists("link.part0") || exists("pipe.part0") || exists("dir.part0"));
  rutOutput output;
  assert_int_equal(rut_output_begin(&output, "/dev/full"), RUT_OUTPUT_NO_FILE);
  assert_int_equal(rut_output_begin(&output, "/dev/null"), RUT_OUTPUT_NO_FILE);
  struct stat info;
  assert_true(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
  // root may write to files that are protected
  assert_int_equal(chmod(at("target"), 0444), 0);
  if (geteuid() != 0) assert_int_equal(save("target", "x"), EACCES);
}

// A link or a device that turns up meanwhile is left alone as well.
static void the_place_is_looked_at_again(void** state) {
  (void)state;
  rutOutput output;
  write_file("victim", "kept");
  assert_int_equal(rut_output_begin(&output, at("late")), 0);
  assert_int_equal(symlink("victim", at("late")), 0);
  assert_int_equal(rut_output_finish(&output), RUT_OUTPUT_LINK);
  assert_content("victim", "kept");
  assert_false(exists("late.part0"));
  assert_int_equal(rut_output_begin(&output, at("late2")), 0);
  assert_int_equal(mkfifo(at("late2"), 0666), 0);
  assert_int_equal(rut_output_finish(&output), RUT_OUTPUT_NO_FILE);
  // a file is replaced
  assert_int_equal(rut_output_begin(&output, at("late3")), 0);
  write_file("late3", "theirs");
  assert_int_equal(rut_output_write(&output, "ours", 4), 0);
  assert_int_equal(rut_output_finish(&output), 0);
  assert_content("late3", "ours");
}

static void one_writes_at_a_time(void** state) {
  (void)state;
  rutOutput first, second;
  assert_int_equal(rut_output_begin(&first, at("log")), 0);
  assert_int_equal(rut_output_begin(&second, at("log")), 0);
  // both found nothing there
  assert_int_equal(rut_output_place(&first), 0);
  assert_int_equal(rut_output_place(&second), RUT_OUTPUT_BUSY);
  rut_output_cancel(&second);
  assert_int_equal(rut_output_write(&first, "first", 5), 0);
  assert_int_equal(save("log", "x"), RUT_OUTPUT_BUSY);
  assert_content("log", "first");
  const rutFileId id = first.id;
  const int file = rut_output_release(&first);
  assert_int_equal(save("log", "x"), RUT_OUTPUT_BUSY);
  close(file);
  int again;
  assert_int_equal(rut_output_reopen(at("log"), id, &again), 0);
  assert_int_equal(write(again, "!", 1), 1);
  close(again);
  assert_content("log", "first!");
  assert_int_equal(save("log", "second"), 0);
  assert_int_equal(rut_output_reopen(at("log"), id, &again), RUT_OUTPUT_GONE);
  assert_int_equal(again, -1);
  assert_int_equal(unlink(at("log")), 0);
  assert_int_equal(rut_output_reopen(at("log"), id, &again), RUT_OUTPUT_GONE);
  assert_false(exists("log.part0") || exists("log.part1"));
}

static void inputs_are_no_outputs(void** state) {
  (void)state;
  write_file("w.xml", "<world><include file='part.xml'/></world>");
  write_file("part.xml", "<block name='b' shape='box' size='1 1 1' position='9 9'/>");
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutLog* log = NULL;
  rutCsvLog* csv = NULL;
  rutError err = {0};
  assert_int_equal(rut_context_create(NULL, &context, &err), RUT_OK);
  assert_int_equal(rut_spec_load(context, at("w.xml"), &spec, &err), RUT_OK);
  assert_int_equal(rut_compile(spec, &model, &err), RUT_OK);
  rutData* data = rut_data_create(model);
  assert_true(rut_context_has_read(context, at("w.xml")));
  assert_true(rut_context_has_read(context, at("part.xml")));
  assert_int_equal(rut_log_create(model, at("w.xml"), NULL, &log, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "it was read as an input"));
  assert_int_equal(rut_log_create(model, at("part.xml"), NULL, &log, &err), RUT_ERR_IO);
  write_file("events.csv", "t,vehicle\n");
  assert_false(rut_context_has_read(context, at("events.csv")));
  rut_context_note_input(context, at("events.csv"));
  const rutCsvLogDef def = {.folder = folder, .every = 1};
  assert_int_equal(rut_csv_log_create(model, data, &def, &csv, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "events.csv' cannot be written: it was read"));
  assert_content("events.csv", "t,vehicle\n");
  assert_content("part.xml", "<block name='b' shape='box' size='1 1 1' position='9 9'/>");
  assert_int_equal(rut_log_create(model, at("run.mcap"), NULL, &log, &err), RUT_OK);
  rutLog* second = NULL;
  assert_int_equal(rut_log_create(model, at("run.mcap"), NULL, &second, &err), RUT_ERR_IO);
  assert_non_null(strstr(err.message, "another run is writing there"));
  assert_null(second);
  assert_int_equal(rut_log_step(log, model, data, &err), RUT_OK);
  assert_int_equal(rut_log_close(log, &err), RUT_OK);
  rutLogFile* file;
  assert_int_equal(rut_log_open(at("run.mcap"), &file, &err), RUT_OK);
  assert_true(rut_log_info(file).whole);
  rut_log_file_close(file);
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
}

static void files_of_the_caller(void** state) {
  (void)state;
  rutOutput* output;
  rutError err = {0};
  assert_int_equal(rut_output_create(at("page.md"), &output, &err), RUT_OK);
  FILE* file = fopen(rut_output_part(output), "w");
  assert_non_null(file);
  fputs("text", file);
  fclose(file);
  assert_false(exists("page.md"));
  assert_int_equal(rut_output_close(output, true, &err), RUT_OK);
  assert_content("page.md", "text");
  assert_int_equal(rut_output_create(at("page.md"), &output, &err), RUT_OK);
  assert_int_equal(rut_output_close(output, false, &err), RUT_OK);
  assert_content("page.md", "text");
  assert_int_equal(rut_output_create(at("no/page.md"), &output, &err), RUT_ERR_IO);
  assert_null(output);
  assert_non_null(strstr(err.message, "no/page.md' cannot be written: No such file"));
}

// What stands there stays where the new file does not fit.
static void a_limit_on_size_is_an_error(void** state) {
  (void)state;
  struct rlimit before;
  static char text[5000];
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  write_file("small", "old");
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit limit = {1000, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  rutOutput output;
  assert_int_equal(rut_output_begin(&output, at("small")), 0);
  assert_int_equal(rut_output_write(&output, text, sizeof text), EFBIG);
  rut_output_cancel(&output);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_DFL);
  assert_content("small", "old");
  assert_false(exists("small.part0"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_its_place_at_the_end),
      cmocka_unit_test(only_regular_files_are_replaced),
      cmocka_unit_test(the_place_is_looked_at_again),
      cmocka_unit_test(one_writes_at_a_time),
      cmocka_unit_test(inputs_are_no_outputs),
      cmocka_unit_test(files_of_the_caller),
      cmocka_unit_test(a_limit_on_size_is_an_error),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
