// SPDX-License-Identifier: BSD-3-Clause
//
// Files of text that a command writes: whole, or not at all.
#ifndef RUT_CLI_SAVE_FILE_H
#define RUT_CLI_SAVE_FILE_H

#include <stdio.h>

// Write a file with what put prints of `what`. Returns CLI_GO_ON, or an exit code after an error
// was told.
int cli_save_file(const char* path, void (*put)(FILE* out, const void* what), const void* what);

#endif  // RUT_CLI_SAVE_FILE_H
