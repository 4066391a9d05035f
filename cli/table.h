// SPDX-License-Identifier: BSD-3-Clause
//
// Tables of text with aligned columns.
#ifndef RUT_CLI_TABLE_H
#define RUT_CLI_TABLE_H

#include <stdio.h>

enum { CLI_TABLE_COLUMNS = 12, CLI_TABLE_CELL = 64 };

typedef struct cliTable {
  int columns, rows, capacity, filled;  // filled: cells of the last row
  char (*cell)[CLI_TABLE_CELL];         // owned, [row][column]
} cliTable;

// Begin a table; free it with cli_table_free.
void cli_table_init(cliTable* table, int columns);
// Append one cell (cut to 63 bytes); rows fill from left to right. A number that rounds to zero has
// no sign; what could steer a terminal becomes '?'.
void cli_table_add(cliTable* table, const char* format, ...) __attribute__((format(printf, 2, 3)));
// Print all rows; the first is the header. Column k is aligned as align[k] says: 'l' or 'r'.
void cli_table_print(const cliTable* table, const char* align, FILE* out);
void cli_table_free(cliTable* table);

#endif  // RUT_CLI_TABLE_H
