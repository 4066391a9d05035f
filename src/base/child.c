// SPDX-License-Identifier: BSD-3-Clause
#define _GNU_SOURCE  // dladdr
#include "base/child.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"

// ---------------------------------------------------------------------------------------------
// Where helpers are

enum { MAX_PATH = 4096 };

static bool runnable(const char* folder, int length, const char* below, const char* name,
                     char* path, size_t size) {
  const int n = snprintf(path, size, "%.*s/%s%s%s", length, folder, below, *below ? "/" : "", name);
  return n > 0 && (size_t)n < size && access(path, X_OK) == 0;
}

// Beside a file, or where an installation has helpers from its folder.
static bool near_file(const char* file, const char* name, char* path, size_t size) {
  static const char* const below[] = {"", RUT_HELPERS_FROM_BIN, RUT_HELPERS_FROM_LIB};
  // a relative path is worth nothing once the host has changed its folder
  if (file[0] != '/') return false;
  const int folder = (int)(strrchr(file, '/') - file);
  for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
    if (runnable(file, folder, below[i], name, path, size)) return true;
  }
  return false;
}

bool rut_helper_find(const char* name, char* path, size_t size) {
  const char* folder = getenv("RUT_HELPERS");
  if (folder && *folder) return runnable(folder, (int)strlen(folder), "", name, path, size);
  // any address of this library tells which file it was loaded from
  static const char here = 0;
  Dl_info info;
  if (dladdr(&here, &info) && info.dli_fname && near_file(info.dli_fname, name, path, size)) {
    return true;
  }
  char program[MAX_PATH];
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  if (n > 0) {
    program[n] = '\0';
    if (near_file(program, name, path, size)) return true;
  }
  return runnable(RUT_HELPERS_FOLDER, (int)strlen(RUT_HELPERS_FOLDER), "", name, path, size);
}

// ---------------------------------------------------------------------------------------------
// Running one

// Start the program with one end of a socket as its standard input and output, in a group of
// processes of its own if `apart`. Returns the errno.
static int start(const char* const* arguments, int socket, bool apart, pid_t* pid) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  int fault = posix_spawn_file_actions_init(&files);
  if (fault) return fault;
  fault = posix_spawnattr_init(&attributes);
  if (fault) {
    posix_spawn_file_actions_destroy(&files);
    return fault;
  }
  if (!fault) fault = posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
  if (!fault) fault = posix_spawn_file_actions_adddup2(&files, socket, STDOUT_FILENO);
  if (!fault) {
    fault = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  // handlers and masks are the host's own
  if (!fault) fault = posix_spawnattr_setsigdefault(&attributes, &all);
  if (!fault) fault = posix_spawnattr_setsigmask(&attributes, &none);
  if (!fault) {
    const int group = apart ? POSIX_SPAWN_SETPGROUP : 0;
    fault = posix_spawnattr_setflags(
        &attributes, (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | group));
  }
  // execve changes none of the strings, but its type is from before const
  if (!fault) {
    fault = posix_spawn(pid, arguments[0], &files, &attributes, (char* const*)arguments, environ);
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return fault;
}

typedef struct Talk {
  int socket;
  const char* input;
  size_t left;      // of the input
  size_t capacity;  // of the child's output
} Talk;

static void send_some(Talk* talk) {
  const ssize_t n = send(talk->socket, talk->input, talk->left, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n > 0) {
    talk->input += n;
    talk->left -= (size_t)n;
  } else if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
    talk->left = 0;  // it does not want the rest; its answer says why
  }
  if (talk->left == 0) shutdown(talk->socket, SHUT_WR);
}

// False at the end of its answer; *end then says what was wrong with it, if anything was.
static bool receive_some(Talk* talk, rutChild* child, rutChildEnd* end) {
  if (child->output_size == talk->capacity) {
    const size_t most = child->output_limit + 1;
    const size_t wanted = talk->capacity < most / 2 ? 2 * talk->capacity : most;
    char* grown = realloc(child->output, wanted);
    if (!grown) {
      *end = RUT_CHILD_NO_MEMORY;
      return false;
    }
    child->output = grown;
    talk->capacity = wanted;
  }
  const ssize_t n = recv(talk->socket, child->output + child->output_size,
                         talk->capacity - child->output_size, MSG_DONTWAIT);
  if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  child->output_size += (size_t)n;
  if (child->output_size <= child->output_limit) return n > 0;
  *end = RUT_CHILD_TOO_LARGE;
  return false;
}

static rutChildEnd talk_to(rutChild* child, int socket) {
  enum { FIRST_CAPACITY = 1 << 16 };
  Talk talk = {socket, child->input, child->input_size, FIRST_CAPACITY};
  if (talk.capacity > child->output_limit) talk.capacity = child->output_limit + 1;
  child->output = malloc(talk.capacity);
  if (!child->output) return RUT_CHILD_NO_MEMORY;
  rutChildEnd end = RUT_CHILD_EXITED;
  const double until = rut_clock() + child->seconds;
  if (talk.left == 0) shutdown(socket, SHUT_WR);
  for (bool more = true; more;) {
    const double left = until - rut_clock();
    if (left <= 0) return RUT_CHILD_SLOW;
    struct pollfd wait = {socket, (short)(talk.left ? POLLIN | POLLOUT : POLLIN), 0};
    const int milliseconds = left < 1000 ? (int)(1000 * left) + 1 : 1000000;
    if (poll(&wait, 1, milliseconds) <= 0) continue;
    if (talk.left && (wait.revents & (POLLOUT | POLLERR | POLLHUP))) send_some(&talk);
    if (wait.revents & (POLLIN | POLLERR | POLLHUP)) more = receive_some(&talk, child, &end);
  }
  return end;
}

// End the program and take its status. One that has closed its output is ending by itself, and a
// signal does not change how it ends; one that has not is stopped.
static rutChildEnd finish(pid_t pid, rutChild* child) {
  int status = 0;
  pid_t got = waitpid(pid, &status, WNOHANG);
  if (got == 0) {
    kill(pid, SIGKILL);
    do {
      got = waitpid(pid, &status, 0);
    } while (got < 0 && errno == EINTR);
  }
  // a host that takes every child's status leaves none for us; then the answer alone tells
  child->code = got != pid ? 0 : WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return got == pid && WIFSIGNALED(status) ? RUT_CHILD_KILLED : RUT_CHILD_EXITED;
}

rutChildEnd rut_child_run(rutChild* child) {
  child->output = NULL;
  child->output_size = 0;
  child->code = 0;
  int socket[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socket)) {
    child->code = errno;
    return RUT_CHILD_NO_START;
  }
  pid_t pid = 0;
  child->code = start(child->arguments, socket[1], false, &pid);
  close(socket[1]);
  if (child->code) {
    close(socket[0]);
    return RUT_CHILD_NO_START;
  }
  const rutChildEnd talked = talk_to(child, socket[0]);
  const rutChildEnd ended = finish(pid, child);
  close(socket[0]);
  return talked == RUT_CHILD_EXITED ? ended : talked;
}

// ---------------------------------------------------------------------------------------------
// One that runs along

int rut_companion_start(rutCompanion* companion, const char* const* arguments) {
  int socket[2];
  *companion = (rutCompanion){.socket = -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, socket)) return errno;
  pid_t pid = 0;
  const int fault = start(arguments, socket[1], true, &pid);
  close(socket[1]);
  if (fault) {
    close(socket[0]);
    return fault;
  }
  *companion = (rutCompanion){socket[0], (int)pid};
  return 0;
}

// Wait until the socket can be read or written. Returns 0 or an errno.
static int await(int socket, short events, double until) {
  // poll passes over what is no socket
  if (socket < 0) return EPIPE;
  for (;;) {
    const double left = until - rut_clock();
    if (left <= 0) return ETIMEDOUT;
    struct pollfd wait = {socket, events, 0};
    const int n = poll(&wait, 1, left < 1000 ? (int)(1000 * left) + 1 : 1000000);
    if (n > 0) return 0;
    if (n < 0 && errno != EINTR) return errno;
  }
}

int rut_companion_send(rutCompanion* companion, const void* bytes, size_t size, double until) {
  const char* from = bytes;
  while (size > 0) {
    const int fault = await(companion->socket, POLLOUT, until);
    if (fault) return fault;
    const ssize_t n = send(companion->socket, from, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
      return errno == ECONNRESET ? EPIPE : errno;
    }
    from += n > 0 ? n : 0;
    size -= n > 0 ? (size_t)n : 0;
  }
  return 0;
}

int rut_companion_receive(rutCompanion* companion, void* bytes, size_t size, double until) {
  char* to = bytes;
  while (size > 0) {
    const int fault = await(companion->socket, POLLIN, until);
    if (fault) return fault;
    const ssize_t n = recv(companion->socket, to, size, MSG_DONTWAIT);
    if (n == 0) return EPIPE;
    if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
      return errno == ECONNRESET ? EPIPE : errno;
    }
    to += n > 0 ? n : 0;
    size -= n > 0 ? (size_t)n : 0;
  }
  return 0;
}

int rut_companion_wait(rutCompanion* companion, double until) {
  static const double LOOK = 1e-3;  // [s]
  const double look = rut_clock() + LOOK;
  return await(companion->socket, POLLIN, until > look ? until : look);
}

rutChildEnd rut_companion_end(rutCompanion* companion, double seconds, int* code) {
  static const struct timespec SHORT = {0, 2000000};  // 2 ms
  *code = 0;
  if (companion->socket < 0) return RUT_CHILD_EXITED;
  close(companion->socket);
  const pid_t pid = (pid_t)companion->pid;
  *companion = (rutCompanion){.socket = -1};
  int status = 0;
  const double until = rut_clock() + seconds;
  pid_t got = waitpid(pid, &status, WNOHANG);
  while (got == 0 && rut_clock() < until) {
    nanosleep(&SHORT, NULL);
    got = waitpid(pid, &status, WNOHANG);
  }
  const bool slow = got == 0;
  // what it has started ends as well
  kill(-pid, SIGKILL);
  while (got == 0 || (got < 0 && errno == EINTR)) got = waitpid(pid, &status, 0);
  if (got == pid) *code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  if (slow) return RUT_CHILD_SLOW;
  return got == pid && WIFSIGNALED(status) ? RUT_CHILD_KILLED : RUT_CHILD_EXITED;
}
