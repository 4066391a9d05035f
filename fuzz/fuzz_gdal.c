// SPDX-License-Identifier: BSD-3-Clause
//
// Rasters that GDAL reads, from memory, with the drivers that rut lets it use.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/raster.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  char* bytes = malloc(size + 1);
  if (!bytes) return 0;
  if (size) memcpy(bytes, data, size);
  bytes[size] = '\0';
  rutReporter reporter = {0};
  rutRaster raster;
  const rutStatus status = rut_gdal_parse(bytes, size, "N46E007.hgt", &reporter, &raster);
  if ((status == RUT_OK) != (raster.values.value != NULL)) abort();
  if ((status == RUT_OK) == (reporter.errors > 0)) abort();
  if (status == RUT_OK && raster.placed && !(raster.spacing > 0)) abort();
  rut_raster_free(&raster);
  free(bytes);
  return 0;
}
