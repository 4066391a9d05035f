// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a table of lift-off.
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "host/write_file.h"
#include "math/liftoff_table.h"

static void put(rutBytes* out, const char* text) { rut_bytes_put(out, text, strlen(text)); }

static void put_row(rutBytes* out, const rutLiftoff* t, const rutLiftoffCell* cell) {
  char text[RUT_NUMBER_SIZE + 1];
#define X(name, member)                                 \
  text[rut_write_number(cell->member, 0, text)] = '\0'; \
  put(out, text);                                       \
  put(out, ",");
  RUT_LIFTOFF_COLUMNS(X)
#undef X
  snprintf(text, sizeof text, "%d,", cell->wheel);
  put(out, text);
  put(out, rut_liftoff_end_word(cell->end));
  put(out, ",\"");
  for (const char* c = t->vehicle; *c; c++) {
    rut_bytes_put(out, c, 1);
    if (*c == '"') rut_bytes_put(out, c, 1);
  }
  put(out, "\"\n");
}

rutStatus rut_liftoff_save(const rutLiftoff* table, const char* path, rutError* err) {
  rutBytes out = {0};
#define X(name, member) put(&out, #name ",");
  RUT_LIFTOFF_COLUMNS(X)
#undef X
  put(&out, "wheel,end,vehicle\n");
  for (int i = 0; i < table->cells; i++) put_row(&out, table, &table->cell[i]);
  const rutStatus status = rut_output_save(NULL, &out, path, err);
  rut_bytes_free(&out);
  return status;
}
