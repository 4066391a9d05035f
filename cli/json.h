// SPDX-License-Identifier: BSD-3-Clause
//
// Writes JSON (RFC 8259). Numbers that JSON does not know (NaN, infinities) become null.
#ifndef RUT_CLI_JSON_H
#define RUT_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CLI_JSON_DEPTH = 16 };

typedef struct cliJson {
  FILE* out;
  int depth;
  bool filled[CLI_JSON_DEPTH];  // something stands in this array or object already
  bool array[CLI_JSON_DEPTH];
} cliJson;

void cli_json_init(cliJson* json, FILE* out);
// Members of objects have a key, items of arrays and the outermost value none (NULL).
void cli_json_object(cliJson* json, const char* key);
void cli_json_array(cliJson* json, const char* key);
// End the innermost object or array; the outermost one also ends the line.
void cli_json_end(cliJson* json);
// Text must be UTF-8; bytes that are not are replaced, and what could steer a terminal is escaped.
void cli_json_text(cliJson* json, const char* key, const char* value);
void cli_json_number(cliJson* json, const char* key, double value);
void cli_json_integer(cliJson* json, const char* key, int64_t value);
void cli_json_bool(cliJson* json, const char* key, bool value);

#endif  // RUT_CLI_JSON_H
