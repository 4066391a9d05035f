// SPDX-License-Identifier: BSD-3-Clause
#include "host/csv_table.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "base/units.h"
#include "host/write_file.h"

rutStatus rut_csv_table_begin(rutCsvTable* table, const char* path, rutFileId id, size_t threshold,
                              int digits, rutError* err) {
  const size_t length = strlen(path) + 1;
  *table = (rutCsvTable){.id = id, .threshold = threshold, .digits = digits};
  table->path = malloc(length);
  if (!table->path) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  memcpy(table->path, path, length);
  return RUT_OK;
}

rutStatus rut_csv_table_open(rutCsvTable* table, const rutModel* model, const char* path,
                             size_t threshold, int digits, rutError* err) {
  rutStatus status = rut_csv_table_begin(table, path, (rutFileId){0}, threshold, digits, err);
  rutOutput output;
  if (status == RUT_OK) status = rut_output_open(model, path, &output, err);
  if (status != RUT_OK) return status;
  const int fault = rut_output_place(&output);
  table->id = output.id;
  if (fault) {
    rut_output_cancel(&output);
  } else {
    close(rut_output_release(&output));
  }
  return fault ? rut_output_error(fault, path, err) : RUT_OK;
}

// Make room for `more` bytes. After a failure the table ignores further cells, and the end of
// the row reports it.
static bool reserve(rutCsvTable* table, size_t more) {
  if (table->size - table->used >= more) return true;
  size_t size = table->size ? table->size : 4096;
  while (size - table->used < more && size < SIZE_MAX / 4) size *= 2;
  char* grown = realloc(table->buffer, size);
  if (!grown) {
    table->out_of_memory = true;
    return false;
  }
  table->buffer = grown;
  table->size = size;
  return size - table->used >= more;
}

static void put_separator(rutCsvTable* table) {
  if (table->row_started) table->buffer[table->used++] = ',';
  table->row_started = true;
}

void rut_csv_put_text(rutCsvTable* table, const char* text) {
  size_t length = strlen(text);
  // separator, two quotes, and at worst every character is a quote to be doubled
  if (length > SIZE_MAX / 4 || !reserve(table, 2 * length + 3)) return;
  put_separator(table);
  if (!strpbrk(text, ",\"\r\n")) {
    memcpy(table->buffer + table->used, text, length);
    table->used += length;
    return;
  }
  table->buffer[table->used++] = '"';
  for (const char* c = text; *c; c++) {
    if (*c == '"') table->buffer[table->used++] = '"';
    table->buffer[table->used++] = *c;
  }
  table->buffer[table->used++] = '"';
}

// True for whole numbers that a 64-bit integer holds with room to spare.
static bool is_whole(double value) {
  return value > -1e15 && value < 1e15 && value == (double)(int64_t)value;
}

// Write such a number: logs are full of zeros.
static size_t format_whole(double value, char* text) {
  char digits[20];
  size_t n = 0, length = 0;
  bool negative = value < 0 || (value == 0 && 1 / value < 0);
  uint64_t rest = (uint64_t)(negative ? -value : value);
  do {
    digits[n++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (negative) text[length++] = '-';
  while (n) text[length++] = digits[--n];
  return length;
}

void rut_csv_put_number(rutCsvTable* table, double value) {
  if (!reserve(table, RUT_NUMBER_SIZE + 1)) return;
  put_separator(table);
  char* text = table->buffer + table->used;
  const bool whole = table->digits == 0 && is_whole(value);
  table->used += whole ? format_whole(value, text) : rut_write_number(value, table->digits, text);
}

void rut_csv_put_numbers(rutCsvTable* table, int n, const double* value) {
  for (int i = 0; i < n; i++) rut_csv_put_number(table, value[i]);
}

rutStatus rut_csv_end_row(rutCsvTable* table, rutError* err) {
  if (reserve(table, 1)) table->buffer[table->used++] = '\n';
  table->row_started = false;
  if (table->out_of_memory) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  return table->used >= table->threshold ? rut_csv_table_flush(table, err) : RUT_OK;
}

rutStatus rut_csv_table_flush(rutCsvTable* table, rutError* err) {
  if (!table->used) return RUT_OK;
  int file;
  int code = rut_output_reopen(table->path, table->id, &file);
  if (code) return rut_output_error(code, table->path, err);
  size_t done = 0;
  while (done < table->used && !code) {
    ssize_t n = write(file, table->buffer + done, table->used - done);
    if (n >= 0) {
      done += (size_t)n;
    } else if (errno != EINTR) {
      code = errno;
    }
  }
  if (close(file) != 0 && !code) code = errno;
  // keep what was not written, so that a later flush can retry without a gap
  memmove(table->buffer, table->buffer + done, table->used - done);
  table->used -= done;
  return code ? rut_output_error(code, table->path, err) : RUT_OK;
}

rutStatus rut_csv_table_close(rutCsvTable* table, rutError* err) {
  rutStatus status = table->path ? rut_csv_table_flush(table, err) : RUT_OK;
  free(table->path);
  free(table->buffer);
  memset(table, 0, sizeof *table);
  return status;
}
