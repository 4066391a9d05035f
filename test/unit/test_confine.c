// SPDX-License-Identifier: BSD-3-Clause
//
// What a helper program may still do once it is confined. Each case is a process of its own.
#define _GNU_SOURCE  // MAP_ANONYMOUS
#include <fcntl.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "confine.h"

enum { MEBIBYTE = 1 << 20, ROOM = 64 * MEBIBYTE };

static int link_end;  // a pipe that the process has open

// Run a case in a confined process; its wait status.
static int status_of(int (*run)(void)) {
  const pid_t pid = fork();
  if (pid == 0) {
    confine_files();
    _exit(confine(ROOM, 1) ? run() : 99);
  }
  int status = 0;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return status;
}

static void expect_code(int (*run)(void), int code) {
  const int status = status_of(run);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), code);
}

static int opens(void) { return open("/dev/null", O_RDONLY) >= 0; }
static int opens_to_write(void) { return open("stays_away", O_WRONLY | O_CREAT, 0600) >= 0; }
static int connects(void) { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }
static int removes(void) { return unlink("victim") == 0; }
static int signals_others(void) { return kill(getppid(), 0) == 0; }

static int starts_a_process(void) {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  return pid > 0;
}

static int runs_a_program(void) {
  char* const arguments[] = {"true", NULL};
  execv("/bin/true", arguments);  // would end with 0
  return 1;
}

static int uses_what_was_open(void) { return write(link_end, "x", 1) == 1; }

static bool has_room(size_t size) {
  return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}
static int takes_what_it_has(void) { return has_room(ROOM / 2); }
static int takes_more(void) { return has_room(2 * (size_t)ROOM); }

static int never_ends(void) {
  static volatile int forever = 1;
  while (forever) {
  }
  return 0;
}

static void no_files_and_no_network(void** state) {
  (void)state;
  close(open("victim", O_WRONLY | O_CREAT, 0600));
  expect_code(opens, 0);
  expect_code(opens_to_write, 0);
  expect_code(connects, 0);
  expect_code(removes, 0);
  assert_int_equal(access("victim", F_OK), 0);
}

static void no_other_process(void** state) {
  (void)state;
  expect_code(starts_a_process, 0);
  expect_code(runs_a_program, 1);
  expect_code(signals_others, 0);
}

static void files_of_the_host_are_closed(void** state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  link_end = ends[1];
  expect_code(uses_what_was_open, 0);
  close(ends[0]);
  close(ends[1]);
}

static void bounded_memory(void** state) {
  (void)state;
  expect_code(takes_what_it_has, 1);
  expect_code(takes_more, 0);
}

static void bounded_time(void** state) {
  (void)state;
  const int status = status_of(never_ends);
  assert_true(WIFSIGNALED(status));
  // a busy machine comes to the limit by the clock first
  const int signal = WTERMSIG(status);
  assert_true(signal == SIGXCPU || signal == SIGKILL || signal == SIGALRM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_files_and_no_network),
      cmocka_unit_test(no_other_process),
      cmocka_unit_test(files_of_the_host_are_closed),
      cmocka_unit_test(bounded_memory),
      cmocka_unit_test(bounded_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
