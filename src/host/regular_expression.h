// SPDX-License-Identifier: BSD-3-Clause
//
// Extended regular expressions of strangers, in bounded time and memory: those of libc take
// exponentially much of both for some.
#ifndef RUT_HOST_REGULAR_EXPRESSION_H
#define RUT_HOST_REGULAR_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

// Characters of an expression, at most, and of its nodes, of which each makes two at most.
enum { RUT_REGULAR_MOST = 127, RUT_REGULAR_NODES = 2 * RUT_REGULAR_MOST + 1 };

typedef enum rutRegularKind {
  RUT_REGULAR_BYTE,   // one of a set
  RUT_REGULAR_BEGIN,  // of the text
  RUT_REGULAR_END,
  RUT_REGULAR_SPLIT,  // goes on at the next node and at another one
  RUT_REGULAR_JUMP,
  RUT_REGULAR_FOUND
} rutRegularKind;

typedef struct rutRegularNode {
  rutRegularKind kind;
  int to;           // of a split or jump, from this node
  uint32_t set[8];  // a bit for each byte
} rutRegularNode;

typedef struct rutRegularExpression {
  int nodes;
  rutRegularNode node[RUT_REGULAR_NODES];
} rutRegularExpression;

// Take an expression apart: alternatives, groups, + * and ?, ^ and $, the dot, and brackets with
// ranges and classes, as POSIX has them; no {n} and no backslash. Text is bytes. False if it is
// none or longer than RUT_REGULAR_MOST.
bool rut_regular_compile(const char* text, rutRegularExpression* out);
// Does a part of the text match? Takes time of its length times that of the expression.
bool rut_regular_matches(const rutRegularExpression* expression, const char* text);

#endif  // RUT_HOST_REGULAR_EXPRESSION_H
