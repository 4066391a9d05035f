// SPDX-License-Identifier: BSD-3-Clause
#define _XOPEN_SOURCE 700  // for realpath
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/model_path.h"

// Open a regular file. Even to open a device can do something, so it is looked at first, and again
// once it is open.
static int open_regular(const char* path, int* file, struct stat* info) {
  if (stat(path, info) != 0) return errno;
  if (!S_ISREG(info->st_mode)) return RUT_INPUT_NO_FILE;
  const int opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (opened < 0) return errno;
  const int fault = fstat(opened, info) != 0 ? errno : 0;
  if (fault || !S_ISREG(info->st_mode)) {
    close(opened);
    return fault ? fault : RUT_INPUT_NO_FILE;
  }
  *file = opened;
  return 0;
}

// The plain path of a file on this machine that has a URI.
static const char* without_scheme(const char* name) {
  static const char scheme[] = "file://";
  const size_t length = sizeof scheme - 1;
  return strncmp(name, scheme, length) == 0 && name[length] == '/' ? name + length : name;
}

int rut_input_open(const rutAccess* access, const char* name, int* file, uint64_t* size) {
  const char* path = without_scheme(name);
  char* real = NULL;
  struct stat info;
  *file = -1;
  *size = 0;
  errno = 0;
  bool allowed = rut_access_allows(access, path, &real);
  // what a user or a program named stands where they say
  const bool search = !real && (rut_model_is_uri(path) || (access && !access->any));
  char* model = search ? rut_model_find(access, path) : NULL;
  if (model) allowed = rut_access_allows(access, model, &real);
  free(model);
  if (!real && rut_model_is_uri(path)) return RUT_INPUT_REMOTE;
  if (!allowed) {
    free(real);
    return RUT_INPUT_OUTSIDE;
  }
  // by its name without links, which cannot lead elsewhere
  const int fault = open_regular(real ? real : path, file, &info);
  if (!fault) *size = (uint64_t)info.st_size;
  rutInputList* inputs = rut_access_inputs(access);
  if (!fault && real && inputs) {
    rut_input_list_add(inputs, real, (rutFileId){(uint64_t)info.st_dev, (uint64_t)info.st_ino});
  }
  free(real);
  return fault;
}

// Read the rest of a file, which may grow meanwhile.
static int read_all(int file, size_t expected, size_t limit, char** text, size_t* size) {
  size_t capacity = expected + 1, used = 0;
  char* data = malloc(capacity + 1);
  while (data) {
    const ssize_t n = read(file, data + used, capacity - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || used + (size_t)n > limit) {
      const int fault = n < 0 ? errno : EFBIG;
      free(data);
      return fault;
    }
    if (n == 0) break;
    used += (size_t)n;
    if (used < capacity) continue;
    capacity *= 2;
    char* grown = realloc(data, capacity + 1);
    if (!grown) free(data);
    data = grown;
  }
  if (!data) return ENOMEM;
  data[used] = '\0';
  *text = data;
  *size = used;
  return 0;
}

int rut_input_read(const rutAccess* access, const char* path, size_t limit, char** text,
                   size_t* size) {
  int file;
  uint64_t expected;
  *text = NULL;
  *size = 0;
  int fault = rut_input_open(access, path, &file, &expected);
  if (fault) return fault;
  fault = expected > limit ? EFBIG : read_all(file, (size_t)expected, limit, text, size);
  close(file);
  return fault;
}

size_t rut_input_head(const rutAccess* access, const char* path, char* bytes, size_t capacity) {
  int file;
  uint64_t size;
  size_t used = 0;
  if (rut_input_open(access, path, &file, &size)) return 0;
  for (ssize_t n = 1; n != 0 && used < capacity;) {
    n = read(file, bytes + used, capacity - used);
    if (n < 0 && errno != EINTR) break;
    if (n > 0) used += (size_t)n;
  }
  close(file);
  return used;
}

// Says which folder would have to be named: links may lead to another than the name tells.
static void explain_outside(const char* named, char message[RUT_INPUT_TEXT],
                            char hint[RUT_INPUT_TEXT]) {
  const char* path = without_scheme(named);
  char* real = realpath(path, NULL);
  const char* name = real ? real : path;
  const char* slash = strrchr(name, '/');
  snprintf(message, RUT_INPUT_TEXT, "'%.300s' lies outside of the world's folder", path);
  if (slash && slash[1] == '.' && slash[2] && !strchr("./", slash[2])) {
    snprintf(message, RUT_INPUT_TEXT, "'%.300s' is hidden: worlds read no such files", path);
  } else if (!slash || slash == name || slash - name > 100) {
    snprintf(hint, RUT_INPUT_TEXT, "--allow-dir DIR lets worlds read in a folder");
  } else {
    snprintf(hint, RUT_INPUT_TEXT, "--allow-dir '%.*s' lets worlds read there", (int)(slash - name),
             name);
  }
  free(real);
}

void rut_input_explain(int fault, const char* path, size_t limit, char message[RUT_INPUT_TEXT],
                       char hint[RUT_INPUT_TEXT]) {
  hint[0] = '\0';
  if (fault == RUT_INPUT_OUTSIDE) {
    explain_outside(path, message, hint);
  } else if (fault == RUT_INPUT_REMOTE) {
    snprintf(message, RUT_INPUT_TEXT, "'%.300s' is not a local file, and rut fetches none", path);
    rut_model_hint(path, hint);
  } else if (fault == RUT_INPUT_NO_FILE) {
    snprintf(message, RUT_INPUT_TEXT, "'%.300s' is not a file", path);
  } else if (fault == EFBIG) {
    snprintf(message, RUT_INPUT_TEXT, "'%.300s' is larger than %zu bytes", path, limit);
  } else {
    char reason[128] = "unknown reason";
    if (strerror_r(fault, reason, sizeof reason) != 0) reason[0] = '\0';
    snprintf(message, RUT_INPUT_TEXT, "'%.300s' cannot be read: %s", path, reason);
  }
}
