// SPDX-License-Identifier: BSD-3-Clause
//
// What the expression evaluator takes from a scope.
#ifndef RUT_FORMAT_EXPRESSION_H
#define RUT_FORMAT_EXPRESSION_H

#include <stdint.h>

#include "format/expand.h"

// Random stream of a load: number `drawn` of the stream of `seed` comes next.
struct rutExpressionRandom {
  uint64_t seed, drawn;
};

// Stream that the scope shares with all scopes of its load. Borrowed.
struct rutExpressionRandom* rut_scope_random(rutScope* scope);

#endif  // RUT_FORMAT_EXPRESSION_H
