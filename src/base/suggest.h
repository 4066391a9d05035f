// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_BASE_SUGGEST_H
#define RUT_BASE_SUGGEST_H

#include <stddef.h>

// Nearest of the candidates to a misspelt word by edit distance (case-blind), NULL if none is near
// enough to be what was meant.
const char* rut_suggest(const char* word, const char* const* candidate, size_t n);

#endif  // RUT_BASE_SUGGEST_H
