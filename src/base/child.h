// SPDX-License-Identifier: BSD-3-Clause
//
// Helper programs: what a library that we did not write makes of a stranger's file is worked out in
// a process of its own. A crash, an endless loop or a hunger for memory then ends the helper, not
// the host (docs/adr/0018-meshes-in-a-process-of-their-own.md).
#ifndef RUT_BASE_CHILD_H
#define RUT_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>

// Path of a helper program. Looked for in the folder that the environment variable RUT_HELPERS
// names; else beside the file that holds this code, where an installation has it from there, beside
// the running program in the same way, and where it was to be installed. False if it is nowhere.
bool rut_helper_find(const char* name, char* path, size_t size);

typedef enum rutChildEnd {
  RUT_CHILD_EXITED,     // code is its exit status
  RUT_CHILD_KILLED,     // code is the signal
  RUT_CHILD_SLOW,       // it took longer than `seconds`
  RUT_CHILD_TOO_LARGE,  // it answered with more than output_limit bytes
  RUT_CHILD_NO_MEMORY,  // here, for its answer
  RUT_CHILD_NO_START    // code is the errno
} rutChildEnd;

typedef struct rutChild {
  const char* const* arguments;  // the first is the program's path; NULL ends them
  const void* input;             // its standard input, and then the end of file
  size_t input_size;
  size_t output_limit;
  double seconds;  // by the clock, from start to end
  // results; output is set in every case, to be freed with free()
  char* output;
  size_t output_size;
  int code;
} rutChild;

// Run a program until it closes its output, and end it. It inherits the environment; its messages
// to standard error are dropped. Legal and cheap in a host with threads and large memory: nothing
// is copied, no signal but SIGCHLD is raised.
rutChildEnd rut_child_run(rutChild* child);

// A program that runs along with this one, and talks over its standard input and output, which are
// one socket. Its messages to standard error are dropped.
typedef struct rutCompanion {
  int socket;  // -1: none
  int pid;     // also of its group of processes
} rutCompanion;

// Start it. Returns 0 or an errno.
int rut_companion_start(rutCompanion* companion, const char* const* arguments);
// Send or receive so many bytes until a time of rut_clock(). Returns 0, ETIMEDOUT, EPIPE (it has
// ended or closed its end, or was ended) or another errno.
int rut_companion_send(rutCompanion* companion, const void* bytes, size_t size, double until);
int rut_companion_receive(rutCompanion* companion, void* bytes, size_t size, double until);
// Wait until it has said something that can be received, or has ended; a look is taken even after
// that time. Returns as above.
int rut_companion_wait(rutCompanion* companion, double until);
// Close the socket, wait so many seconds [s] for it to end, and end it and all of its group. As a
// result of how it ended, code as in rutChild.
rutChildEnd rut_companion_end(rutCompanion* companion, double seconds, int* code);

#endif  // RUT_BASE_CHILD_H
