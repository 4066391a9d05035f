// SPDX-License-Identifier: BSD-3-Clause
//
// Text from elsewhere (names in worlds and logs, names of files) on its way to a terminal, which
// control characters could steer.
#ifndef RUT_CLI_TEXT_H
#define RUT_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Bytes of the UTF-8 character at text, 0 if there is none (RFC 3629).
int cli_utf8_length(const char* text);
// True if the UTF-8 character of n bytes steers a terminal: a control character (C0, DEL, C1), or a
// mark that turns the direction of writing (Unicode Standard Annex 9).
bool cli_steers(const char* text, int n);
// Print text; what steers a terminal, and bytes that are no UTF-8, become '?'.
void cli_put_text(const char* text, FILE* out);
// The same into a buffer, cut to what fits. Returns out.
const char* cli_clean(const char* text, char* out, size_t size);

// Print text into a quoted attribute of XML.
void cli_put_attribute(const char* text, FILE* out);

// A clean copy that lives as long as the block it stands in.
enum { CLI_CLEAN_SIZE = 512 };
#define CLI_CLEAN(text) cli_clean((text), (char[CLI_CLEAN_SIZE]){0}, CLI_CLEAN_SIZE)

#endif  // RUT_CLI_TEXT_H
