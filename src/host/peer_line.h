// SPDX-License-Identifier: BSD-3-Clause
//
// One line of a peer's dialogue: a flat JSON object (RFC 8259), whose values are numbers, strings
// and flags.
#ifndef RUT_HOST_PEER_LINE_H
#define RUT_HOST_PEER_LINE_H

#include <stddef.h>

#include "rut/rut.h"

enum { RUT_PEER_MEMBERS = 64, RUT_PEER_TEXT = 128 };

typedef enum rutPeerKind {
  RUT_PEER_NUMBER,
  RUT_PEER_STRING,
  RUT_PEER_FLAG,  // number is 0 or 1
  RUT_PEER_NULL
} rutPeerKind;

typedef struct rutPeerMember {
  char key[RUT_PEER_TEXT];
  rutPeerKind kind;
  double number;             // finite
  char text[RUT_PEER_TEXT];  // of a string
  int column;                // of the key, from 1
} rutPeerMember;

typedef struct rutPeerLine {
  int members;
  rutPeerMember member[RUT_PEER_MEMBERS];
} rutPeerLine;

// Parse a line of `size` bytes without its line feed. Errors: PARSE with the column in err->column:
// not a flat object, a key that stands twice, texts that are too long, bytes that are no UTF-8.
// Nullable: err.
rutStatus rut_peer_parse(const char* text, size_t size, rutPeerLine* out, rutError* err);
// Member by its key, NULL if there is none.
const rutPeerMember* rut_peer_find(const rutPeerLine* line, const char* key);

#endif  // RUT_HOST_PEER_LINE_H
