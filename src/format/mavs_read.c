// SPDX-License-Identifier: BSD-3-Clause
//
// JSON to the numbers of a MAVS vehicle. Every key of a file is in a table here; what is not gets a
// warning.
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "format/mavs.h"
#include "format/reader.h"

typedef enum Use {
  NUMBER,    // required, or a warning if it is not there
  OPTIONAL,  // a number whose absence is nothing to talk about
  ELSEWHERE,
  UNUSED
} Use;

typedef struct Row {
  const char* key;
  Use use;
  bool required;
  double otherwise, least, greatest;
  size_t at;        // of the rutMavsNumber
  const char* why;  // it is not used
} Row;

#define REQUIRED      NUMBER, true, 0
#define SILENT(value) OPTIONAL, false, value
// Of "1.5", NUMBER, false, 1.5; of the two above, what they are.
#define PICK(a, b, c, d, ...)  d
#define DEFAULTED(value)       NUMBER, false, value
#define AS_IS(use, need, value) use, need, value
#define ROW_OF(type, member, key, least, greatest, ...) \
  {key, __VA_ARGS__, least, greatest, offsetof(type, member), ""},
#define READ_ELSEWHERE(key) {key, ELSEWHERE, false, 0, 0, 0, 0, ""}
#define NOT_USED(key, why)  {key, UNUSED, false, 0, 0, 0, 0, why}
