// SPDX-License-Identifier: BSD-3-Clause
//
// ESRI ASCII grids, and height fields over them, holes included.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/raster.h"
#include "geom/height_field.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { QUERIES = 16 };

static void look_at(const rutRaster* raster) {
  const rutMatrix* m = &raster->values;
  const size_t bytes = (size_t)m->rows * (size_t)m->cols * sizeof(double);
  double* height = malloc(bytes);
  if (!height) return;
  memcpy(height, m->value, bytes);
  rutHeightField field;
  rut_height_field_init(&field, m->cols, m->rows, raster->spacing, raster->corner, height);
  double x[QUERIES], y[QUERIES], z[QUERIES], slope_x[QUERIES], slope_y[QUERIES];
  for (int i = 0; i < QUERIES; i++) {
    x[i] = raster->corner[0] + raster->spacing * (m->cols * (i / 12.0) - 1);
    y[i] = raster->corner[1] + raster->spacing * (m->rows * (i % 5 / 4.0) - 0.5);
  }
  rut_height_field_at_n(&field, &(rutGroundPoints){QUERIES, x, y},
                        &(rutGroundSurface){z, slope_x, slope_y});
  free(height);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rutReporter reporter = {0};
  rutRaster raster;
  (void)rut_is_ascii_grid((const char*)data, size);
  if (rut_ascii_grid_parse((const char*)data, size, "fuzz", &reporter, &raster) != RUT_OK) {
    if (reporter.errors == 0 || raster.values.value) abort();
    return 0;
  }
  // what the readers promise
  if (!(raster.spacing > 0 && isfinite(raster.corner[0]) && isfinite(raster.corner[1]))) abort();
  const size_t count = (size_t)raster.values.rows * (size_t)raster.values.cols;
  for (size_t i = 0; i < count; i++) {
    if (isinf(raster.values.value[i])) abort();
  }
  if (raster.values.rows >= 2 && raster.values.cols >= 2) look_at(&raster);
  rut_raster_free(&raster);
  return 0;
}
