// SPDX-License-Identifier: BSD-3-Clause
//
// JSON in memory, for programs: without line breaks and indents.
#ifndef RUT_SCENE_JSON_BYTES_H
#define RUT_SCENE_JSON_BYTES_H

#include "json.h"
#include "scene/bytes.h"

typedef struct viewJsonText {
  char* text;
  size_t size;  // after a flush of json.out
  cliJson json;
} viewJsonText;

// Begin an object, whose end is the caller's. False if out of memory.
bool view_json_begin(viewJsonText* text);
// What was written. The caller drops it. NULL if out of memory.
viewBytes* view_json_end(viewJsonText* text);

#endif  // RUT_SCENE_JSON_BYTES_H
