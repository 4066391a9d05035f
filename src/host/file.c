// SPDX-License-Identifier: BSD-3-Clause
//
// Files that a user named.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/report.h"
#include "rut/host.h"

FILE* rut_file_open(const char* path, rutError* err) {
  int descriptor;
  uint64_t size;
  int fault = rut_input_open(&rut_access_any, path, &descriptor, &size);
  FILE* file = fault ? NULL : fdopen(descriptor, "rb");
  if (file) return file;
  if (!fault) {
    fault = errno;
    close(descriptor);
  }
  char message[RUT_INPUT_TEXT], hint[RUT_INPUT_TEXT];
  rut_input_explain(fault, path, 0, message, hint);
  rut_error_set(err, fault == ENOMEM ? RUT_ERR_MEMORY : RUT_ERR_IO, "%s", message);
  return NULL;
}
