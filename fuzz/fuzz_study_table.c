// SPDX-License-Identifier: BSD-3-Clause
//
// Any bytes as a database of results: all of it is read, and its statistics are made.
#define _XOPEN_SOURCE 700  // for mkstemp
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rut/study.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { MOST_ROWS = 1000 };

static void use(const rutStudyTable* table) {
  const rutStudyTableInfo info = rut_study_table_info(table);
  size_t length = strlen(info.name) + strlen(info.text);
  for (int64_t i = 0; i < info.rows; i++) {
    const rutStudyRow row = rut_study_table_row(table, i);
    length += strlen(row.reason) + strlen(row.command) + strlen(rut_study_end_name(row.end));
    for (int k = 0; k < info.inputs; k++) {
      if (rut_study_table_input(table, k).number == (row.input[k].text != NULL)) abort();
    }
  }
  rutSensitivity* s = calloc((size_t)info.inputs + 1, sizeof *s);
  for (int i = 0; s && i < info.measures && info.rows < MOST_ROWS; i++) {
    rut_study_sensitivity(table, i, s, NULL);
  }
  free(s);
  if (length == (size_t)-1) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  char path[] = "/tmp/rut_fuzz_table_XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return 0;
  const bool written = write(file, data, size) == (ssize_t)size;
  close(file);
  rutStudyTable* table = NULL;
  rutError err;
  memset(&err, 0, sizeof err);
  const rutStatus status = written ? rut_study_table_open(path, &table, &err) : RUT_OK;
  if (written && ((status == RUT_OK) != (table != NULL) || status != err.status)) abort();
  if (table) use(table);
  rut_study_table_close(table);
  static const char* const beside[] = {"", "-journal", "-wal", "-shm"};
  for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", path, beside[i]);
    unlink(name);
  }
  return 0;
}
