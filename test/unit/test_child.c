// SPDX-License-Identifier: BSD-3-Clause
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/child.h"
#include "base/thread.h"

enum { LIMIT = 1 << 20, LARGE = 5000000 };

static rutChildEnd run_with(const char* script, const void* input, size_t size, size_t limit,
                            double seconds, rutChild* child) {
  const char* const arguments[] = {"/bin/sh", "-c", script, NULL};
  *child = (rutChild){.arguments = arguments,
                      .input = input,
                      .input_size = size,
                      .output_limit = limit,
                      .seconds = seconds};
  return rut_child_run(child);
}

static rutChildEnd run(const char* script, rutChild* child) {
  return run_with(script, "", 0, LIMIT, 60, child);
}

static int open_files(void) {
  DIR* folder = opendir("/proc/self/fd");
  int n = 0;
  while (readdir(folder)) n++;
  closedir(folder);
  return n;
}

static void exit_status_and_signal(void** state) {
  (void)state;
  rutChild child;
  assert_int_equal(run("echo so; exit 7", &child), RUT_CHILD_EXITED);
  assert_int_equal(child.code, 7);
  assert_int_equal(child.output_size, 3);
  assert_memory_equal(child.output, "so\n", 3);
  free(child.output);
  assert_int_equal(run("echo so; kill -SEGV $$", &child), RUT_CHILD_KILLED);
  assert_int_equal(child.code, SIGSEGV);
  free(child.output);
}

// More than a socket holds, both ways.
static void input_comes_back(void** state) {
  (void)state;
  char* bytes = malloc(LARGE);
  for (size_t i = 0; i < LARGE; i++) bytes[i] = (char)(i * 2654435761U >> 24);
  rutChild child;
  run_with("exec cat", bytes, LARGE, LARGE, 60, &child);
  assert_int_equal(child.output_size, LARGE);
  assert_memory_equal(child.output, bytes, LARGE);
  free(child.output);
  free(bytes);
}

// A write to it fails then, and must not end the host by SIGPIPE.
static void it_need_not_read_its_input(void** state) {
  (void)state;
  char* bytes = calloc(1, LARGE);
  rutChild child;
  assert_int_equal(run_with("echo enough", bytes, LARGE, LIMIT, 60, &child), RUT_CHILD_EXITED);
  assert_int_equal(child.output_size, 7);
  free(child.output);
  free(bytes);
}

static void endless_ones_are_ended(void** state) {
  (void)state;
  rutChild child;
  assert_int_equal(run_with("echo $$; exec sleep 1000", "", 0, LIMIT, 0.5, &child), RUT_CHILD_SLOW);
  const pid_t pid = (pid_t)strtol(child.output, NULL, 10);
  assert_true(pid > 1);
  assert_int_equal(kill(pid, 0), -1);
  assert_int_equal(errno, ESRCH);
  free(child.output);
  // silent, with its output closed
  assert_int_not_equal(run("exec >&- <&-; exec sleep 1000", &child), RUT_CHILD_SLOW);
  free(child.output);
  assert_int_equal(run("exec yes", &child), RUT_CHILD_TOO_LARGE);
  assert_int_equal(child.output_size, LIMIT + 1);
  free(child.output);
}

static void no_such_program(void** state) {
  (void)state;
  const char* const arguments[] = {"/nowhere/rut-import", NULL};
  rutChild child = {.arguments = arguments, .output_limit = LIMIT, .seconds = 60};
  assert_int_equal(rut_child_run(&child), RUT_CHILD_NO_START);
  assert_int_equal(child.code, ENOENT);
  assert_null(child.output);
}

static void nothing_is_left_open(void** state) {
  (void)state;
  const int before = open_files();
  for (int i = 0; i < 20; i++) {
    rutChild child;
    run(i % 2 ? "echo a" : "kill -ABRT $$", &child);
    free(child.output);
  }
  assert_int_equal(open_files(), before);
}

// Neither the host's handlers nor its mask are the child's.
static void signals_are_as_in_a_new_process(void** state) {
  (void)state;
  sigset_t term, old;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  sigprocmask(SIG_BLOCK, &term, &old);
  signal(SIGTERM, SIG_IGN);
  rutChild child;
  const rutChildEnd end = run("kill -TERM $$; echo alive", &child);
  signal(SIGTERM, SIG_DFL);
  sigprocmask(SIG_SETMASK, &old, NULL);
  assert_int_equal(end, RUT_CHILD_KILLED);
  assert_int_equal(child.code, SIGTERM);
  free(child.output);
}

static void host_that_takes_every_status(void** state) {
  (void)state;
  signal(SIGCHLD, SIG_IGN);
  rutChild child;
  const rutChildEnd end = run("echo so", &child);
  signal(SIGCHLD, SIG_DFL);
  assert_int_equal(end, RUT_CHILD_EXITED);
  assert_int_equal(child.output_size, 3);
  free(child.output);
}

static void* many_runs(void* word) {
  intptr_t wrong = 0;
  for (int i = 0; i < 10; i++) {
    rutChild child;
    run_with("exec cat", word, strlen(word), LIMIT, 60, &child);
    wrong += child.output_size != strlen(word) || memcmp(child.output, word, child.output_size);
    free(child.output);
  }
  return (void*)wrong;
}

static void from_many_threads(void** state) {
  (void)state;
  char* const word[] = {"one", "second", "number three", "4"};
  pthread_t thread[4];
  for (int i = 0; i < 4; i++) {
    assert_int_equal(pthread_create(&thread[i], NULL, many_runs, word[i]), 0);
  }
  for (int i = 0; i < 4; i++) {
    void* wrong;
    pthread_join(thread[i], &wrong);
    assert_null(wrong);
  }
}

// Nobody answers any more, and nobody is waited for.
static void ended_companions_are_gone(void** state) {
  (void)state;
  const char* const arguments[] = {"/bin/cat", NULL};
  rutCompanion cat;
  char byte = 'a';
  int code;
  assert_int_equal(rut_companion_start(&cat, arguments), 0);
  const double until = rut_clock() + 60;
  assert_int_equal(rut_companion_send(&cat, &byte, 1, until), 0);
  assert_int_equal(rut_companion_receive(&cat, &byte, 1, until), 0);
  assert_int_equal(rut_companion_end(&cat, 60, &code), RUT_CHILD_EXITED);
  assert_int_equal(rut_companion_send(&cat, &byte, 1, rut_clock() + 0.2), EPIPE);
  assert_int_equal(rut_companion_receive(&cat, &byte, 1, rut_clock() + 0.2), EPIPE);
}

static void helpers_are_found(void** state) {
  (void)state;
  char path[4096], *before = getenv("RUT_HELPERS");
  char* kept = before ? strdup(before) : NULL;
  setenv("RUT_HELPERS", "/bin", 1);
  assert_true(rut_helper_find("sh", path, sizeof path));
  assert_string_equal(path, "/bin/sh");
  assert_false(rut_helper_find("no-such-helper", path, sizeof path));
  assert_false(rut_helper_find("sh", path, 7));  // no room for the last byte
  // beside this program
  unsetenv("RUT_HELPERS");
  char program[4096] = "";
  assert_true(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
  assert_true(rut_helper_find(strrchr(program, '/') + 1, path, sizeof path));
  assert_string_equal(path, program);
  if (kept) setenv("RUT_HELPERS", kept, 1);
  free(kept);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exit_status_and_signal),
      cmocka_unit_test(input_comes_back),
      cmocka_unit_test(it_need_not_read_its_input),
      cmocka_unit_test(endless_ones_are_ended),
      cmocka_unit_test(no_such_program),
      cmocka_unit_test(nothing_is_left_open),
      cmocka_unit_test(signals_are_as_in_a_new_process),
      cmocka_unit_test(host_that_takes_every_status),
      cmocka_unit_test(from_many_threads),
      cmocka_unit_test(ended_companions_are_gone),
      cmocka_unit_test(helpers_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
