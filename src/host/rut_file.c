// SPDX-License-Identifier: BSD-3-Clause
//
// Ruts as a file: a table of cells, or a raster.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "host/csv_table.h"
#include "host/write_file.h"
#include "rut/host.h"

enum {
  AT_ONCE = 256,         // cells
  MOST_CELLS = 1 << 28,  // of a raster
  BUFFER = 256 * 1024,   // bytes gathered before a write
  MICRO = 1000000
};

// ---- table ----

static rutStatus save_table(const rutModel* model, const rutData* data, const char* path,
                            rutError* err) {
  static const char* const columns[] = {"x [m]", "y [m]", "height [m]", "pressed [m]"};
  rutCsvTable table;
  rutRutCell cell[AT_ONCE];
  size_t cursor = 0;
  rutStatus status = rut_csv_table_open(&table, model, path, BUFFER, 0, err);
  for (int i = 0; i < 4; i++) rut_csv_put_text(&table, columns[i]);
  if (status == RUT_OK) status = rut_csv_end_row(&table, err);
  for (int n = 1; status == RUT_OK && n > 0;) {
    n = rut_ruts_next(model, data, &cursor, AT_ONCE, cell);
    for (int i = 0; i < n && status == RUT_OK; i++) {
      const double row[] = {cell[i].x, cell[i].y, cell[i].height, cell[i].pressed};
      rut_csv_put_numbers(&table, 4, row);
      status = rut_csv_end_row(&table, err);
    }
  }
  const rutStatus closed = rut_csv_table_close(&table, status == RUT_OK ? err : NULL);
  return status == RUT_OK ? closed : status;
}

// ---- raster ----

// Cells by number: cell k has its middle at (k + 1/2) sides.
typedef struct Box {
  double side;
  int64_t low_x, high_x, low_y, high_y;
} Box;

// rounds the middle of a cell, of either sign, down to its number
static int64_t number_of(double middle, double side) {
  const double at = middle / side - 0.5, rounded = at + (at < 0 ? -0.25 : 0.25);
  return (int64_t)rounded;
}

// False if there are no ruts.
static bool find_box(const rutModel* model, const rutData* data, double side, Box* box) {
  rutRutCell cell[AT_ONCE];
  size_t cursor = 0;
  *box = (Box){side, INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN};
  for (int n = 1; n > 0;) {
    n = rut_ruts_next(model, data, &cursor, AT_ONCE, cell);
    for (int i = 0; i < n; i++) {
      const int64_t x = number_of(cell[i].x, side), y = number_of(cell[i].y, side);
      box->low_x = x < box->low_x ? x : box->low_x;
      box->high_x = x > box->high_x ? x : box->high_x;
      box->low_y = y < box->low_y ? y : box->low_y;
      box->high_y = y > box->high_y ? y : box->high_y;
    }
  }
  return box->low_x <= box->high_x;
}

static void fill_raster(const rutModel* model, const rutData* data, const Box* box, float* height) {
  rutRutCell cell[AT_ONCE];
  const int64_t nx = box->high_x - box->low_x + 1;
  size_t cursor = 0;
  for (int n = 1; n > 0;) {
    n = rut_ruts_next(model, data, &cursor, AT_ONCE, cell);
    for (int i = 0; i < n; i++) {
      const int64_t x = number_of(cell[i].x, box->side) - box->low_x;
      const int64_t y = number_of(cell[i].y, box->side) - box->low_y;
      height[y * nx + x] = (float)cell[i].height;
    }
  }
}

// With six decimals, and a point in every locale.
static void put_number(FILE* file, double value) {
  const double micro = value * MICRO + (value < 0 ? -0.5 : 0.5);
  const long long whole = (long long)micro, size = whole < 0 ? -whole : whole;
  fprintf(file, "%s%lld.%06lld", whole < 0 ? "-" : "", size / MICRO, size % MICRO);
}

static void put_raster(FILE* file, const Box* box, const float* height) {
  const int64_t nx = box->high_x - box->low_x + 1, ny = box->high_y - box->low_y + 1;
  fprintf(file, "ncols %lld\nnrows %lld\nxllcorner ", (long long)nx, (long long)ny);
  put_number(file, (double)box->low_x * box->side);
  fputs("\nyllcorner ", file);
  put_number(file, (double)box->low_y * box->side);
  fputs("\ncellsize ", file);
  put_number(file, box->side);
  fputs("\nNODATA_value -9999\n", file);
  for (int64_t y = ny - 1; y >= 0; y--) {
    for (int64_t x = 0; x < nx; x++) {
      if (x > 0) putc(' ', file);
      put_number(file, (double)height[y * nx + x]);
    }
    putc('\n', file);
  }
}

// Returns 0 or an errno.
static int write_raster(const rutOutput* output, const Box* box, const float* height) {
  const int copy = dup(output->file);
  FILE* file = copy >= 0 ? fdopen(copy, "w") : NULL;
  if (!file) {
    const int fault = errno;
    if (copy >= 0) close(copy);
    return fault;
  }
  put_raster(file, box, height);
  int fault = fflush(file) != 0 ? errno : ferror(file) ? EIO : 0;
  if (fclose(file) != 0 && !fault) fault = errno;
  return fault;
}

static rutStatus save_raster(const rutModel* model, const rutData* data, double side,
                             const char* path, rutError* err) {
  Box box;
  if (!find_box(model, data, side, &box)) box = (Box){side, 0, 0, 0, 0};
  const double cells = (double)(box.high_x - box.low_x + 1) * (double)(box.high_y - box.low_y + 1);
  if (cells > MOST_CELLS) {
    return rut_error_set(err, RUT_ERR_CAPACITY,
                         "a raster of the ruts would have %.3g cells: save them as .csv", cells);
  }
  float* height = calloc((size_t)cells, sizeof *height);
  if (!height) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a raster of the ruts");
  fill_raster(model, data, &box, height);
  rutOutput output;
  const rutStatus status = rut_output_open(model, path, &output, err);
  int fault = status == RUT_OK ? write_raster(&output, &box, height) : 0;
  free(height);
  if (status != RUT_OK) return status;
  if (fault) {
    rut_output_cancel(&output);
  } else {
    fault = rut_output_finish(&output);
  }
  return fault ? rut_output_error(fault, path, err) : RUT_OK;
}

rutStatus rut_ruts_save(const rutModel* model, const rutData* data, const char* path,
                        rutError* err) {
  rutRuts ruts;
  if (!rut_ruts(model, data, &ruts)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "this world keeps no ruts: it has no <deformable>");
  }
  const char* dot = strrchr(path, '.');
  if (dot && strcmp(dot, ".asc") == 0) return save_raster(model, data, ruts.cell, path, err);
  return save_table(model, data, path, err);
}
