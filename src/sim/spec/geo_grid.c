// SPDX-License-Identifier: BSD-3-Clause
#include "rut/geo_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "format/gdal_write.h"
#include "format/raster.h"
#include "math/rut_math.h"
#include "sim/spec/context.h"
#include "sim/spec/nodes.h"

void rut_geo_grid_free(rutGeoGrid* grid) {
  free(grid->value);
  free(grid->crs);
  *grid = (rutGeoGrid){0};
}

rutStatus rut_geo_grid_read(const rutSpec* spec, rutNode node, const char* field, rutGeoGrid* out,
                            rutError* err) {
  *out = (rutGeoGrid){0};
  rutReporter* reporter = &rut_spec_context(spec)->reporter;
  rutRaster r = {0};
  rut_reporter_reset(reporter);
  reporter->access = rut_spec_access(spec);
  const rutStatus status = rut_raster_load(rut_node_text(spec, node, field),
                                           rut_node_place_of(spec, node, field), reporter, &r);
  reporter->access = NULL;
  if (status != RUT_OK) {
    if (err) *err = reporter->first;
    return status;
  }
  char* crs = r.crs ? r.crs : calloc(1, 1);
  *out = (rutGeoGrid){.rows = r.values.rows,
                      .cols = r.values.cols,
                      .value = r.values.value,
                      .placed = r.placed,
                      .metric = r.metric,
                      .spacing = r.spacing,
                      .corner = {r.corner[0], r.corner[1]},
                      .crs = crs};
  if (crs) return RUT_OK;
  rut_geo_grid_free(out);
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a raster");
}

rutStatus rut_geo_grid_geotiff(const rutGeoGrid* grid, int bands, const rutGeoBand* band,
                               void** bytes, size_t* size, rutError* err) {
  return rut_gdal_write(grid, bands, band, bytes, size, err);
}

rutStatus rut_geo_grid_ascii(const rutGeoGrid* grid, const rutGeoBand* band, void** bytes,
                             size_t* size, rutError* err) {
  enum { HEAD = 256, NUMBER = 16 };
  const size_t count = (size_t)grid->rows * (size_t)grid->cols;
  const size_t room = HEAD + NUMBER * count;
  char* text = malloc(room);
  *bytes = text;
  *size = 0;
  if (!text) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a grid");
  size_t n = (size_t)snprintf(
      text, room,
      "ncols %d\nnrows %d\nxllcorner %.10g\nyllcorner %.10g\ncellsize %.10g\nNODATA_value -9999\n",
      grid->cols, grid->rows, grid->corner[0] - 0.5 * grid->spacing,
      grid->corner[1] - 0.5 * grid->spacing, grid->spacing);
  for (size_t i = 0; i < count; i++) {
    const double value = (double)band->value[i];
    const char end = (i + 1) % (size_t)grid->cols == 0 ? '\n' : ' ';
    n += (size_t)snprintf(text + n, room - n, "%.6g%c", isfinite(value) ? value : -9999.0, end);
  }
  *size = n;
  return RUT_OK;
}
