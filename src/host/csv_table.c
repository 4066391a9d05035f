// SPDX-License-Identifier: BSD-3-Clause
#include "host/csv_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "base/units.h"

static rutStatus io_error(rutError* err, const char* verb, const char* path, int code) {
  char reason[128];
  if (strerror_r(code, reason, sizeof reason) != 0) snprintf(reason, sizeof reason, "%d", code);
  rut_error_set(err, RUT_ERR_IO, "cannot %s '%.250s': %s", verb, path, reason);
  if (err) snprintf(err->file, sizeof err->file, "%.250s", path);
  return RUT_ERR_IO;
}

rutStatus rut_csv_table_open(rutCsvTable* table, const char* path, size_t threshold, int digits,
                             rutError* err) {
  memset(table, 0, sizeof *table);
  size_t length = strlen(path) + 1;
  table->path = malloc(length);
  if (!table->path) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  memcpy(table->path, path, length);
  table->threshold = threshold;
  table->digits = digits;

  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) return io_error(err, "create", path, errno);
  if (close(file) != 0) return io_error(err, "create", path, errno);
  return RUT_OK;
}

// Make room for `more` bytes. After a failure the table ignores what is put into it, and the end of
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
  int file = open(table->path, O_WRONLY | O_APPEND);
  if (file < 0) return io_error(err, "open", table->path, errno);
  size_t done = 0;
  int code = 0;
  while (done < table->used && !code) {
    ssize_t n = write(file, table->buffer + done, table->used - done);
    if (n >= 0) {
      done += (size_t)n;
    } else if (errno != EINTR) {
      code = errno;
    }
  }
  if (close(file) != 0 && !code) code = errno;
  // keep what did not get out, so that a later flush can try again without a gap
  memmove(table->buffer, table->buffer + done, table->used - done);
  table->used -= done;
  return code ? io_error(err, "write", table->path, code) : RUT_OK;
}

rutStatus rut_csv_table_close(rutCsvTable* table, rutError* err) {
  rutStatus status = table->path ? rut_csv_table_flush(table, err) : RUT_OK;
  free(table->path);
  free(table->buffer);
  memset(table, 0, sizeof *table);
  return status;
}
