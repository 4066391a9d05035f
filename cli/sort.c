// SPDX-License-Identifier: BSD-3-Clause
#include "sort.h"

#include <stdlib.h>

int cli_ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

void cli_sort(size_t n, double* number) { qsort(number, n, sizeof *number, cli_ascending); }
