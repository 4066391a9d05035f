// SPDX-License-Identifier: BSD-3-Clause
//
// Text expansion in world files: variables with defaults, environment, maths. Used by the MVSim
// reader and by the native reader alike.
#ifndef RUT_FORMAT_EXPAND_H
#define RUT_FORMAT_EXPAND_H

#include "base/report.h"

// Variables of one file, chained to those of the file that includes it.
typedef struct rutScope rutScope;
struct rutExpressionRandom;  // counter-based generator shared by all scopes of a load

rutScope* rut_scope_create(rutScope* parent, uint64_t seed);  // seed counts for a root scope only
void rut_scope_destroy(rutScope* scope);
// Define or replace a variable in this scope. Errors: MEMORY.
rutStatus rut_scope_set(rutScope* scope, const char* name, const char* value);
// Value in this scope or the nearest enclosing one, NULL if undefined.
const char* rut_scope_get(const rutScope* scope, const char* name);

// Expand ${NAME}, ${NAME|default}, $env{NAME}, $f{expression} in text until nothing changes, at
// most 10 times and at most 1 MiB long. Of the environment there is what the reporter's access
// allows. $(command) is an error that says that rut runs no programs.
// Unknown names are errors with the nearest known one as hint. *out is NUL-terminated, the caller
// frees it with free().
rutStatus rut_expand(rutScope* scope, const char* text, rutReporter* reporter, rutPlace place,
                     const char* element, char** out);

// Evaluate an expression: numbers, variables of the scope that are numbers, + - * / % ^,
// comparisons, && || !, ?:, parentheses, pi, e, and the functions of docs/manual. rand(), randn(),
// unifrnd(a,b) draw from the scope's seeded stream; randomize(seed) restarts it. scope is Nullable.
// Errors: PARSE with a message and the offset of the fault.
rutStatus rut_evaluate(rutScope* scope, const char* expression, double* value, size_t* fault,
                       char message[128]);

// Numbers that an expression may name, besides the variables of a scope.
typedef struct rutNumbers {
  int n;
  const char* const* name;  // [n]
  const double* value;      // [n]
} rutNumbers;
// The same of an expression in such numbers, without a scope. Errors: PARSE, as above, also where
// the result is not finite.
rutStatus rut_evaluate_of(const rutNumbers* numbers, const char* expression, double* value,
                          size_t* fault, char message[128]);

#endif  // RUT_FORMAT_EXPAND_H
