// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv_column.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is left of a table.
typedef struct Reader {
  const char *at, *end;
  bool row_ended;  // by the last cell
} Reader;

// Take the next cell into out, which has room for all of the rest. Returns its length.
static size_t take_cell(Reader* r, char* out) {
  size_t n = 0;
  bool quoted = false;
  while (r->at < r->end) {
    const char c = *r->at++;
    if (c == '"' && quoted && r->at < r->end && *r->at == '"') {
      out[n++] = *r->at++;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == ',' || c == '\n')) {
      r->row_ended = c == '\n';
      break;
    } else if (quoted || c != '\r') {
      out[n++] = c;
    }
    r->row_ended = r->at == r->end;
  }
  if (r->at == r->end) r->row_ended = true;
  while (n > 0 && (out[n - 1] == ' ' || out[n - 1] == '\t')) n--;
  out[n] = '\0';
  return n;
}

static char* copy_cell(const char* cell, size_t n) {
  const size_t blanks = strspn(cell, " \t");
  char* copy = malloc(n - blanks + 1);
  if (copy) memcpy(copy, cell + blanks, n - blanks + 1);
  return copy;
}

// Place of the column in the first row, -1 if there is none. columns: how many the row has.
static int find_column(Reader* r, const char* name, char* buffer, int* columns) {
  int found = -1;
  if (r->end - r->at >= 3 && memcmp(r->at, "\xef\xbb\xbf", 3) == 0) r->at += 3;
  r->row_ended = r->at == r->end;
  *columns = 0;
  for (int i = 0; !r->row_ended; i++, (*columns)++) {
    take_cell(r, buffer);
    if (found < 0 && strcmp(buffer + strspn(buffer, " \t"), name) == 0) found = i;
  }
  return found;
}

// Take a row. cell: a copy of what it has in `column`, NULL if it ends before. Returns whether the
// line is empty: no row, whichever column is asked for.
static bool take_row(Reader* r, int column, char* buffer, char** cell) {
  int cells = 0;
  size_t bytes = 0;
  *cell = NULL;
  r->row_ended = false;
  for (; !r->row_ended; cells++) {
    const size_t n = take_cell(r, buffer);
    if (cells == column) *cell = copy_cell(buffer, n);
    bytes += n;
  }
  return cells == 1 && bytes == 0;
}

const char* rut_csv_column_read(const char* text, size_t size, const char* name, int most,
                                rutCsvColumn* out, char message[160]) {
  Reader r = {text, text + size, false};
  char* buffer = malloc(size + 1);
  *out = (rutCsvColumn){0};
  if (!buffer) return "out of memory";
  int columns;
  const int column = find_column(&r, name, buffer, &columns);
  const char* fault = NULL;
  int capacity = 0;
  if (column < 0) {
    snprintf(message, 160, "the table has no column '%.80s'", name);
    fault = message;
  }
  for (int row = 2; r.at < r.end && !fault; row++) {
    char* cell;
    const bool empty = take_row(&r, column, buffer, &cell);
    if (empty && columns > 1) {
      free(cell);
      continue;
    }
    if (out->n == capacity) {
      capacity = 2 * capacity + 64;
      char** grown = realloc(out->cell, (size_t)capacity * sizeof *grown);
      if (grown) out->cell = grown;
      if (!grown) fault = "out of memory";
    }
    if (!fault && (!cell || !cell[0])) {
      snprintf(message, 160, "row %d of the table has nothing in column '%.80s'", row, name);
      fault = message;
    } else if (!fault && out->n >= most) {
      snprintf(message, 160, "the table has more than %d rows", most);
      fault = message;
    }
    if (fault) {
      free(cell);
    } else {
      out->cell[out->n++] = cell;
    }
  }
  free(buffer);
  if (!fault && out->n == 0) fault = "the table has no rows";
  return fault;
}

void rut_csv_column_free(rutCsvColumn* column) {
  for (int i = 0; i < column->n; i++) free(column->cell[i]);
  free(column->cell);
  *column = (rutCsvColumn){0};
}
