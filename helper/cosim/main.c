// SPDX-License-Identifier: BSD-3-Clause
//
// The helper program rut-cosim: runs an FMU that drives a vehicle, in a process of its own. librut
// starts it (src/host/fmu_driver.c) and speaks with it in frames (src/host/fmu_frame.h); people
// have no use for it.
#define _GNU_SOURCE  // prctl, dup3
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cosim/slave.h"
#include "cosim/unpack.h"
#include "host/fmu_frame.h"

typedef struct Session {
  int file;  // to the run
  Slave* slave;
  rutFmiDescription description;
  rutFrameLoad load;
  int *input, *output;  // variables
  char* frame;          // [RUT_FRAME_MOST + 1] that was read
  size_t size, taken;
  double* value;  // [outputs]
  char message[SLAVE_TEXT];
} Session;

static bool fail(Session* s, const char* what, const char* name) {
  snprintf(s->message, sizeof s->message, "%.200s '%.300s'", what, name);
  return false;
}

// ---- frames ----

static bool read_all(int file, void* bytes, size_t size) {
  for (char* to = bytes; size > 0;) {
    const ssize_t n = read(file, to, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    size -= (size_t)n;
  }
  return true;
}

static bool write_all(int file, const void* bytes, size_t size) {
  for (const char* from = bytes; size > 0;) {
    const ssize_t n = write(file, from, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    from += n;
    size -= (size_t)n;
  }
  return true;
}

static bool answer(const Session* s, uint32_t kind, const void* bytes, size_t size) {
  const rutFrameHead head = {kind, (uint32_t)size};
  return write_all(s->file, &head, sizeof head) && write_all(s->file, bytes, size);
}

// The next part of the frame; NULL if it is shorter.
static const void* take(Session* s, size_t size) {
  if (s->size - s->taken < size) return NULL;
  const void* at = s->frame + s->taken;
  s->taken += size;
  return at;
}

static const char* take_text(Session* s) {
  const char* text = s->frame + s->taken;
  const size_t n = strnlen(text, s->size - s->taken);
  return take(s, n + 1);
}

// ---- loading ----

static char* read_description(Session* s, const char* folder, size_t* size) {
  enum { MOST = 64 << 20 };
  char path[4096 + 64];
  snprintf(path, sizeof path, "%.4090s/modelDescription.xml", folder);
  FILE* in = fopen(path, "rb");
  char* text = in ? malloc(MOST + 1) : NULL;
  *size = text ? fread(text, 1, MOST + 1, in) : 0;
  if (in) fclose(in);
  if (text && *size <= MOST) return text;
  free(text);
  fail(s, "the FMU has no description, or one that is too large:", "modelDescription.xml");
  return NULL;
}

static bool describe(Session* s, const char* folder) {
  size_t size;
  rutError err = {0};
  char* text = read_description(s, folder, &size);
  if (!text) return false;
  const rutStatus status = rut_fmi_description_parse(text, size, &s->description, &err);
  free(text);
  if (status == RUT_OK) return true;
  snprintf(s->message, sizeof s->message, "modelDescription.xml:%d:%d: %.500s", err.line,
           err.column, err.message);
  return false;
}

static const rutFmiVariable* find(Session* s, const char* name, rutFmiCausality causality) {
  const int i = name ? rut_fmi_description_find(&s->description, name) : -1;
  const rutFmiVariable* v = i >= 0 ? &s->description.variable[i] : NULL;
  if (!v) {
    fail(s, "the FMU has no variable", name ? name : "");
  } else if (v->causality != causality) {
    static const char* const what[] = {"", "no parameter of the FMU is called",
                                       "no input of the FMU is called",
                                       "no output of the FMU is called", ""};
    fail(s, what[causality], name);
  } else if (v->array) {
    fail(s, "arrays are not supported:", name);
  } else {
    return v;
  }
  return NULL;
}

static int* find_all(Session* s, uint32_t n, rutFmiCausality causality) {
  int* list = calloc(n + 1, sizeof *list);
  for (uint32_t i = 0; list && i < n; i++) {
    const rutFmiVariable* v = find(s, take_text(s), causality);
    if (!v) {
      free(list);
      return NULL;
    }
    list[i] = (int)(v - s->description.variable);
  }
  if (!list) fail(s, "out of memory for", "variables");
  return list;
}

static bool set_parameters(Session* s) {
  for (uint32_t i = 0; i < s->load.parameters; i++) {
    const char *name = take_text(s), *value = take_text(s);
    const rutFmiVariable* v = find(s, name, RUT_FMI_PARAMETER);
    if (!v || !value || !slave_set_text(s->slave, v, value, s->message)) return false;
  }
  return true;
}

static bool load(Session* s) {
  const rutFrameLoad* head = take(s, sizeof *head);
  if (s->slave || !head) return fail(s, "a frame is wrong:", "load");
  memcpy(&s->load, head, sizeof s->load);
  const char *file = take_text(s), *folder = take_text(s);
  if (!file || !folder || s->load.inputs > RUT_FRAME_NAMES || s->load.outputs > RUT_FRAME_NAMES) {
    return fail(s, "a frame is wrong:", "load");
  }
  if (!unpack_fmu(file, folder, s->message, sizeof s->message) || !describe(s, folder)) {
    return false;
  }
  s->input = find_all(s, s->load.inputs, RUT_FMI_INPUT);
  s->output = s->input ? find_all(s, s->load.outputs, RUT_FMI_OUTPUT) : NULL;
  s->value = calloc(s->load.outputs + 1, sizeof *s->value);
  if (!s->output || !s->value) return false;
  s->slave = slave_open(&s->description, folder, s->message);
  return s->slave && set_parameters(s);
}

// ---- steps ----

static bool set_inputs(Session* s) {
  for (uint32_t i = 0; i < s->load.inputs; i++) {
    double value;
    const void* at = take(s, sizeof value);
    if (!at) return fail(s, "a frame is wrong:", "values");
    memcpy(&value, at, sizeof value);
    if (!slave_set(s->slave, &s->description.variable[s->input[i]], value, s->message)) {
      return false;
    }
  }
  return true;
}

static bool step(Session* s, bool begins) {
  rutFrameStep at;
  const void* head = take(s, sizeof at);
  if (!s->slave || !head) return fail(s, "a frame is wrong:", "step");
  memcpy(&at, head, sizeof at);
  if (begins && !slave_enter(s->slave, at.time, s->message)) return false;
  if (!set_inputs(s)) return false;
  const bool fine = begins ? slave_leave(s->slave, s->message)
                           : slave_step(s->slave, at.time, at.step, s->message);
  for (uint32_t i = 0; fine && i < s->load.outputs; i++) {
    const rutFmiVariable* v = &s->description.variable[s->output[i]];
    if (!slave_get(s->slave, v, &s->value[i], s->message)) return false;
  }
  return fine;
}

// One frame and its answer. False when the run has ended, or after a fault.
static bool serve(Session* s) {
  rutFrameHead head;
  if (!read_all(s->file, &head, sizeof head) || head.size > RUT_FRAME_MOST) return false;
  if (!read_all(s->file, s->frame, head.size)) return false;
  s->frame[head.size] = '\0';
  s->size = head.size;
  s->taken = 0;
  bool fine = false;
  uint32_t values = s->load.outputs;
  if (head.kind == RUT_FRAME_LOAD) {
    fine = load(s);
    values = 0;
  } else if (head.kind == RUT_FRAME_BEGIN || head.kind == RUT_FRAME_STEP) {
    fine = step(s, head.kind == RUT_FRAME_BEGIN);
  }
  if (fine) return answer(s, RUT_FRAME_VALUES, s->value, values * sizeof(double));
  s->message[RUT_FRAME_TEXT - 32] = '\0';
  answer(s, RUT_FRAME_FAULT, s->message, strlen(s->message) + 1);
  return false;
}

// ---- the process ----

// What the FMU prints goes nowhere, and does not get between frames.
static int keep_socket(void) {
  const int file = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nothing = open("/dev/null", O_RDWR);
  if (file < 0 || nothing < 0) return -1;
  if (dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0) return -1;
  close(nothing);
  return file;
}

// The process ends with the run, leaves no core, and takes no more memory than that.
static void limit(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifndef RUT_SANITIZED
  const struct rlimit memory = {(rlim_t)16 << 30, (rlim_t)16 << 30};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

int main(int argc, char** argv) {
  if (argc != 2 || strcmp(argv[1], RUT_FMU_MARK) != 0) {
    fprintf(stderr, "rut-cosim is a part of rut, which starts it to run FMUs\n");
    return 2;
  }
  limit();
  static Session session;
  session.file = keep_socket();
  session.frame = malloc(RUT_FRAME_MOST + 1);
  if (session.file < 0 || !session.frame) return 3;
  while (serve(&session)) {
  }
  slave_close(session.slave);
  rut_fmi_description_free(&session.description);
  free(session.input);
  free(session.output);
  free(session.value);
  free(session.frame);
  return 0;
}
