// SPDX-License-Identifier: BSD-3-Clause
#include "host/write_file.h"

#include <errno.h>
#include <stdio.h>

#include "base/report.h"

rutStatus rut_output_error(int fault, const char* path, rutError* err) {
  char message[RUT_OUTPUT_TEXT];
  const rutStatus status = fault == ENOMEM ? RUT_ERR_MEMORY : RUT_ERR_IO;
  rut_output_explain(fault, path, message);
  rut_error_set(err, status, "%s", message);
  if (err) snprintf(err->file, sizeof err->file, "%.250s", path);
  return status;
}

rutStatus rut_output_open(const rutModel* model, const char* path, rutOutput* output,
                          rutError* err) {
  *output = (rutOutput){.file = -1};
  const bool is_input = model && rut_context_has_read(rut_model_context(model), path);
  const int fault = is_input ? RUT_OUTPUT_INPUT : rut_output_begin(output, path);
  return fault ? rut_output_error(fault, path, err) : RUT_OK;
}
