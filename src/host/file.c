// SPDX-License-Identifier: BSD-3-Clause
//
// Files that a user named.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/input.h"
#include "base/report.h"
#include "host/write_file.h"
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

rutStatus rut_output_create(const char* path, rutOutput** out, rutError* err) {
  *out = NULL;
  rutOutput* output = malloc(sizeof *output);
  if (!output) return rut_error_set(err, RUT_ERR_MEMORY, "out of memory");
  const rutStatus status = rut_output_open(NULL, path, output, err);
  if (status == RUT_OK) {
    *out = output;
  } else {
    free(output);
  }
  return status;
}

const char* rut_output_part(const rutOutput* output) { return output->part; }

rutStatus rut_output_close(rutOutput* output, bool keep, rutError* err) {
  if (!output) return RUT_OK;
  // the message needs the name, which rut_output_finish frees
  char path[RUT_OUTPUT_TEXT];
  snprintf(path, sizeof path, "%s", output->path);
  int fault = 0;
  if (keep) {
    fault = rut_output_finish(output);
  } else {
    rut_output_cancel(output);
  }
  free(output);
  return fault ? rut_output_error(fault, path, err) : RUT_OK;
}
