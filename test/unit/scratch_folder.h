// SPDX-License-Identifier: BSD-3-Clause
//
// A folder of a test's own. Included after cmocka.h.
#ifndef RUT_TEST_UNIT_SCRATCH_FOLDER_H
#define RUT_TEST_UNIT_SCRATCH_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRATCH_FOLDER_SIZE = 64 };

static inline void make_scratch_folder(char folder[SCRATCH_FOLDER_SIZE]) {
  strcpy(folder, "/tmp/rut_test_XXXXXX");
  assert_non_null(mkdtemp(folder));
}

static inline void remove_scratch_folder(const char* folder) {
  char command[SCRATCH_FOLDER_SIZE + 16];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  assert_int_equal(system(command), 0);
}

#endif  // RUT_TEST_UNIT_SCRATCH_FOLDER_H
