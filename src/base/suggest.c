// SPDX-License-Identifier: BSD-3-Clause
#include "base/suggest.h"

#include <string.h>

enum { MAX_WORD = 48 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int least(int a, int b) { return a < b ? a : b; }

// Optimal string alignment distance: insert, delete, replace, or swap neighbours, one each. Three
// rows of the usual table suffice. Both words must be shorter than MAX_WORD.
static int distance(const char* a, size_t n, const char* b, size_t m) {
  int rows[3][MAX_WORD + 1];
  for (size_t j = 0; j <= m; ++j) rows[0][j] = (int)j;
  for (size_t i = 1; i <= n; ++i) {
    int* row = rows[i % 3];
    const int* above = rows[(i + 2) % 3];
    const int* above2 = rows[(i + 1) % 3];
    row[0] = (int)i;
    for (size_t j = 1; j <= m; ++j) {
      const char x = lower(a[i - 1]), y = lower(b[j - 1]);
      row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + (x != y));
      if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y) {
        row[j] = least(row[j], above2[j - 2] + 1);
      }
    }
  }
  return rows[n % 3][m];
}

const char* rut_suggest(const char* word, const char* const* candidate, size_t n) {
  const size_t length = strlen(word);
  if (length == 0 || length >= MAX_WORD) return NULL;
  const char* best = NULL;
  // one slip in a short word, two in a common one, one in three letters of a long one
  int best_distance = 1 + (length < 4 ? 1 : length < 9 ? 2 : (int)(length / 3));
  for (size_t i = 0; i < n; ++i) {
    const size_t other = strlen(candidate[i]);
    if (other == 0 || other >= MAX_WORD) continue;
    const int d = distance(word, length, candidate[i], other);
    // a word that shares no more than half its letters is not what was meant
    if (d < best_distance && 2 * d < (int)(length > other ? length : other)) {
      best_distance = d;
      best = candidate[i];
    }
  }
  return best;
}
