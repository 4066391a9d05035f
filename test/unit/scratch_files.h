// SPDX-License-Identifier: BSD-3-Clause
//
// Files in a scratch folder that all tests of a program share. Included after cmocka.h.
#ifndef RUT_TEST_UNIT_SCRATCH_FILES_H
#define RUT_TEST_UNIT_SCRATCH_FILES_H

#include "scratch_folder.h"

static char folder[SCRATCH_FOLDER_SIZE];

static inline int remove_folder(void** state) {
  (void)state;
  remove_scratch_folder(folder);
  return 0;
}

// Path of a name in the folder, valid until the fourth call after this one.
static inline const char* at(const char* name) {
  static char path[4][256];
  static int next;
  next = (next + 1) % 4;
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

static inline void write_file(const char* name, const char* text) {
  FILE* file = fopen(at(name), "wb");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

#endif  // RUT_TEST_UNIT_SCRATCH_FILES_H
