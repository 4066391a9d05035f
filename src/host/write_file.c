// SPDX-License-Identifier: BSD-3-Clause
#include "host/write_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "rut/host.h"

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

rutStatus rut_output_save(const rutModel* model, const rutBytes* bytes, const char* path,
                          rutError* err) {
  rutOutput output;
  if (bytes->failed) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for '%s'", path);
  const rutStatus status = rut_output_open(model, path, &output, err);
  if (status != RUT_OK) return status;
  int fault = rut_output_write(&output, bytes->data, bytes->used);
  if (fault) {
    rut_output_cancel(&output);
  } else {
    fault = rut_output_finish(&output);
  }
  return fault ? rut_output_error(fault, path, err) : RUT_OK;
}

rutStatus rut_folder_create(const char* path, rutError* err) {
  const int fault = rut_output_make_folder(path);
  return fault ? rut_output_error(fault, path, err) : RUT_OK;
}

int rut_output_make_folder(const char* path) {
  const size_t length = strlen(path);
  char* partial = malloc(length + 1);
  if (!partial) return ENOMEM;
  int code = 0;
  for (size_t i = 1; i <= length && !code; i++) {
    if (path[i] != '/' && path[i] != '\0') continue;
    memcpy(partial, path, i);
    partial[i] = '\0';
    if (mkdir(partial, 0777) != 0 && errno != EEXIST) code = errno;
  }
  free(partial);
  return code;
}

rutStatus rut_output_make_temporary(size_t size, char* path, rutError* err) {
  const char* place = getenv("TMPDIR");
  if (!place || place[0] != '/') place = "/tmp";
  const int n = snprintf(path, size, "%s/rut-fmu-XXXXXX", place);
  if (n > 0 && (size_t)n < size && mkdtemp(path)) return RUT_OK;
  path[0] = '\0';
  return rut_error_set(err, RUT_ERR_IO, "no folder can be made in '%.300s': set TMPDIR", place);
}

void rut_output_remove_folder(const char* path) {
  DIR* all = opendir(path);
  for (struct dirent* entry; all && (entry = readdir(all));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    const size_t size = strlen(path) + strlen(entry->d_name) + 2;
    char* name = malloc(size);
    if (!name) break;
    snprintf(name, size, "%s/%s", path, entry->d_name);
    struct stat info;
    if (lstat(name, &info) == 0 && S_ISDIR(info.st_mode)) {
      rut_output_remove_folder(name);
    } else {
      unlink(name);
    }
    free(name);
  }
  if (all) closedir(all);
  rmdir(path);
}

void rut_output_safe_name(const char* name, char* safe, size_t size) {
  size_t n = 0;
  for (const char* c = name; *c && n + 1 < size; c++) {
    unsigned char byte = (unsigned char)*c;
    bool plain = byte < 128 && (isalnum(byte) || strchr("._-+", byte));
    // a leading dot would hide the file or name a folder, a leading dash looks like an option
    if (n == 0 && (byte == '.' || byte == '-')) plain = false;
    safe[n++] = plain ? *c : '_';
  }
  if (n == 0) safe[n++] = '_';
  safe[n] = '\0';
}
