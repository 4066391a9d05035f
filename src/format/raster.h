// SPDX-License-Identifier: BSD-3-Clause
//
// Rasters of numbers from whatever kind of file holds them: elevation models, maps of soil. Images
// (PNG and the others of format/image.h), ESRI ASCII grids, text matrices and CSV, and GeoTIFF and
// a few more through the GDAL library, which is loaded when such a file is read.
#ifndef RUT_FORMAT_RASTER_H
#define RUT_FORMAT_RASTER_H

#include "format/matrix.h"

enum { RUT_RASTER_PROJECTION = 256 };

typedef struct rutRaster {
  rutMatrix values;  // rows as they stand in the file; NaN where there is no data
  double white;      // of an image, the value of white; 0 for numbers
  bool placed;       // the file says where it lies; its rows then run from north to south
  bool metric;       // and does so in metres
  double spacing;    // of neighbouring values, in the file's unit
  double corner[2];  // place of the south-western value, in the file's coordinates
  char projection[RUT_RASTER_PROJECTION];  // beginning of its description, "" if there is none
  char* crs;                               // all of this description, NULL if there is none; owned
} rutRaster;

// Read a file; its kind follows from its content. Errors in text have line and column; those about
// the file itself are reported at `place`. Errors: IO, PARSE, CAPACITY, MEMORY, MISSING (needs a
// library; the hint names the package).
rutStatus rut_raster_load(const char* path, rutPlace place, rutReporter* reporter, rutRaster* out);
void rut_raster_free(rutRaster* raster);

// ---- parts of the reader ----

// ESRI ASCII grid: a head of "ncols 4", ..., then rows from north to south.
bool rut_is_ascii_grid(const char* text, size_t size);
rutStatus rut_ascii_grid_parse(const char* text, size_t size, const char* name,
                               rutReporter* reporter, rutRaster* out);
// A file that GDAL reads: GeoTIFF, SRTM (.hgt), DTED, USGS DEM, Golden Surfer. Band 1, without
// rotation, with square pixels. No other file is opened. path stands for it in messages; its name
// tells some formats. bytes are not changed.
rutStatus rut_gdal_parse(char* bytes, size_t size, const char* path, rutReporter* reporter,
                         rutRaster* out);

#endif  // RUT_FORMAT_RASTER_H
