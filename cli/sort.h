// SPDX-License-Identifier: BSD-3-Clause
#ifndef RUT_CLI_SORT_H
#define RUT_CLI_SORT_H

#include <stddef.h>

// For qsort: numbers, or what begins with one, in ascending order.
int cli_ascending(const void* a, const void* b);
// n numbers in ascending order.
void cli_sort(size_t n, double* number);

#endif  // RUT_CLI_SORT_H
