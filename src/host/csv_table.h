// SPDX-License-Identifier: BSD-3-Clause
//
// One CSV file that grows row by row. The file is open only while a full buffer is appended, so
// that thousands of tables do not need thousands of open files.
#ifndef RUT_HOST_CSV_TABLE_H
#define RUT_HOST_CSV_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/access.h"
#include "rut/rut.h"

typedef struct rutCsvTable {
  char* path;    // owned
  rutFileId id;  // of the file that it created
  char* buffer;  // owned; rows that are not in the file yet
  size_t used, size, threshold;
  int digits;  // of numbers; 0: as many as read back to the same double
  bool row_started, out_of_memory;
} rutCsvTable;

// Begin the file, in place of an older one but never of one that the model's world was read from.
// threshold: bytes to gather before writing; digits as above. Errors: IO, MEMORY.
rutStatus rut_csv_table_open(rutCsvTable* table, const rutModel* model, const char* path,
                             size_t threshold, int digits, rutError* err);
// The same for an existing empty file. The caller keeps path and id. Errors: MEMORY.
rutStatus rut_csv_table_begin(rutCsvTable* table, const char* path, rutFileId id, size_t threshold,
                              int digits, rutError* err);
// Append a cell; text is quoted where RFC 4180 asks for it.
void rut_csv_put_text(rutCsvTable* table, const char* text);
// Append a number, with a decimal point in every locale.
void rut_csv_put_number(rutCsvTable* table, double value);
void rut_csv_put_numbers(rutCsvTable* table, int n, const double* value);
// End the row, and write the buffer when it is full enough. Errors: IO, MEMORY.
rutStatus rut_csv_end_row(rutCsvTable* table, rutError* err);
// Append everything buffered to the file. Errors: IO.
rutStatus rut_csv_table_flush(rutCsvTable* table, rutError* err);
// Flush, then free what the table owns, also when writing fails. Errors: IO.
rutStatus rut_csv_table_close(rutCsvTable* table, rutError* err);

#endif  // RUT_HOST_CSV_TABLE_H
