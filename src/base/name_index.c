// SPDX-License-Identifier: BSD-3-Clause
#include "base/name_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

static int by_name(const void* a, const void* b) {
  const rutName *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order ? order : (x->index > y->index) - (x->index < y->index);
}

void rut_names_sort(int n, rutName* names) {
  if (n > 1) qsort(names, (size_t)n, sizeof *names, by_name);
}

int rut_names_find(int n, const rutName* sorted, const char* name) {
  int low = 0, high = n;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (strcmp(sorted[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && strcmp(sorted[low].name, name) == 0 ? sorted[low].index : -1;
}

const char* rut_names_nearest(int n, const rutName* sorted, const char* name) {
  const char** candidate = calloc((size_t)n + 1, sizeof *candidate);
  if (!candidate) return NULL;
  for (int i = 0; i < n; i++) candidate[i] = sorted[i].name;
  const char* nearest = rut_suggest(name, candidate, (size_t)n);
  free(candidate);
  if (nearest) return nearest;
  // a name without its vehicle: the first that there is
  int first = -1;
  for (int i = 0; i < n; i++) {
    if (strcmp(sorted[i].leaf, name) != 0) continue;
    if (first < 0 || sorted[i].index < sorted[first].index) first = i;
  }
  return first < 0 ? NULL : sorted[first].name;
}
