// SPDX-License-Identifier: BSD-3-Clause
//
// Completion of the command in shells, made from the options of its verbs.
#ifndef RUT_CLI_COMPLETION_H
#define RUT_CLI_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

// Write the script for a shell: bash, zsh or fish. False if it is another.
bool cli_completion(const char* shell, FILE* out);

#endif  // RUT_CLI_COMPLETION_H
