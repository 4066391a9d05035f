// SPDX-License-Identifier: BSD-3-Clause
//
// Columns of small CSV tables.
#ifndef RUT_BASE_CSV_COLUMN_H
#define RUT_BASE_CSV_COLUMN_H

#include <stddef.h>

typedef struct rutCsvColumn {
  char** cell;  // [n], owned
  int n;
} rutCsvColumn;

// Cells of the column that the first row of a table names (RFC 4180); `most` of them at most.
// Returns NULL, or what is wrong; message holds it where it is made.
const char* rut_csv_column_read(const char* text, size_t size, const char* name, int most,
                                rutCsvColumn* out, char message[160]);
void rut_csv_column_free(rutCsvColumn* column);

#endif  // RUT_BASE_CSV_COLUMN_H
