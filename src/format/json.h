// SPDX-License-Identifier: BSD-3-Clause
//
// JSON (RFC 8259) as a tree that knows where everything stands. The text is read by the library
// jansson, loaded when the first JSON file is read; it refuses what is not JSON, and keys that
// stand twice in one object.
#ifndef RUT_FORMAT_JSON_H
#define RUT_FORMAT_JSON_H

#include "base/report.h"

typedef enum rutJsonKind {
  RUT_JSON_NULL,
  RUT_JSON_BOOLEAN,
  RUT_JSON_NUMBER,
  RUT_JSON_STRING,
  RUT_JSON_ARRAY,
  RUT_JSON_OBJECT
} rutJsonKind;

// A value. Strings live as long as the document.
typedef struct rutJsonValue {
  rutJsonKind kind;
  const char* key;   // in an object, else ""
  const char* text;  // of a string, else ""
  double number;     // of a number; 1 or 0 of a boolean
  int line, column;  // of the key, or of the value where there is none; from 1
  int children;
  const struct rutJsonValue *first, *next;  // child and sibling, in the order of the file
} rutJsonValue;

typedef struct rutJson rutJson;

// Parse a text. Errors, reported with their place: PARSE, MEMORY, MISSING (no jansson). *out is
// NULL after an error, else the caller's.
rutStatus rut_json_parse(const char* text, size_t size, const char* name, rutReporter* reporter,
                         rutJson** out);
const rutJsonValue* rut_json_root(const rutJson* json);
// Nullable: json.
void rut_json_destroy(rutJson* json);

// Child of an object by its key, NULL if there is none.
const rutJsonValue* rut_json_find(const rutJsonValue* object, const char* key);
// What people call a kind: "a number".
const char* rut_json_kind_text(rutJsonKind kind);

#endif  // RUT_FORMAT_JSON_H
