// SPDX-License-Identifier: BSD-3-Clause
#include "table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

void cli_table_init(cliTable* table, int columns) {
  memset(table, 0, sizeof *table);
  table->columns = columns;
  table->filled = columns;
}

// "-0.000" becomes "0.000".
static void drop_sign_of_zero(char* cell) {
  if (cell[0] != '-') return;
  const size_t mantissa = strspn(cell + 1, "0.");
  const char* rest = cell + 1 + mantissa;
  if (mantissa > 0 && (*rest == '\0' || *rest == 'e')) memmove(cell, cell + 1, strlen(cell));
}

void cli_table_add(cliTable* table, const char* format, ...) {
  if (table->filled == table->columns) {
    if (table->rows == table->capacity) {
      int capacity = table->capacity ? 2 * table->capacity : 16;
      size_t size = (size_t)capacity * (size_t)table->columns * sizeof table->cell[0];
      void* grown = realloc(table->cell, size);
      if (!grown) return;  // a table that does not fit into memory ends early
      table->cell = grown;
      table->capacity = capacity;
    }
    memset(table->cell[table->rows * table->columns], 0,
           (size_t)table->columns * sizeof table->cell[0]);
    table->rows++;
    table->filled = 0;
  }
  char* cell = table->cell[(table->rows - 1) * table->columns + table->filled];
  va_list args;
  va_start(args, format);
  char text[2 * CLI_TABLE_CELL];  // so that no character is cut in two
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  cli_clean(text, cell, CLI_TABLE_CELL);
  drop_sign_of_zero(cell);
  table->filled++;
}

// Characters of UTF-8 text, each taken as one column wide.
static int width_of(const char* text) {
  int n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

void cli_table_print(const cliTable* table, const char* align, FILE* out) {
  int width[CLI_TABLE_COLUMNS] = {0};
  for (int i = 0; i < table->rows * table->columns; i++) {
    int w = width_of(table->cell[i]);
    if (w > width[i % table->columns]) width[i % table->columns] = w;
  }
  for (int row = 0; row < table->rows; row++) {
    for (int k = 0; k < table->columns; k++) {
      const char* text = table->cell[row * table->columns + k];
      int pad = width[k] - width_of(text);
      bool last = k == table->columns - 1;
      if (k) fputs("  ", out);
      if (align[k] == 'r') {
        fprintf(out, "%*s%s", pad, "", text);
      } else {
        fprintf(out, "%s%*s", text, last ? 0 : pad, "");
      }
    }
    putc('\n', out);
  }
}

void cli_table_free(cliTable* table) {
  free(table->cell);
  memset(table, 0, sizeof *table);
}
