// SPDX-License-Identifier: BSD-3-Clause
#include "save_file.h"

#include "cli.h"
#include "report.h"
#include "rut/host.h"

int cli_save_file(const char* path, void (*put)(FILE* out, const void* what), const void* what) {
  rutOutput* output = NULL;
  rutError err = {0};
  rutStatus status = rut_output_create(path, &output, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  FILE* out = fopen(rut_output_part(output), "w");
  if (out) put(out, what);
  bool ok = out && !ferror(out);
  if (out) ok = fclose(out) == 0 && ok;
  status = rut_output_close(output, ok, &err);
  if (status != RUT_OK) return cli_tell_failure(status, &err);
  if (ok) return CLI_GO_ON;
  fprintf(stderr, "rut: error: cannot write '%.200s'\n", path);
  return CLI_IO;
}
