// SPDX-License-Identifier: BSD-3-Clause
//
// Rasters of numbers with a place on Earth: read from what files name, and made as files.
#ifndef RUT_GEO_GRID_H
#define RUT_GEO_GRID_H

#include "rut/rut.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rutGeoGrid {
  int rows, cols;
  double* value;     // [rows][cols] from north to south, NaN where there is no data; owned
  bool placed;       // the file says where it lies; else corner is 0 0 and spacing 0
  bool metric;       // and does so in metres
  double spacing;    // of neighbouring values, in the file's unit
  double corner[2];  // place of the south-western value, in the file's coordinates
  char* crs;         // coordinate system as WKT, "" if the file has none; owned
} rutGeoGrid;

// Read the raster that a field of a spec names, within the limits of rut_context_allow_dir: ESRI
// ASCII grids, rows of numbers, images (as numbers), and GeoTIFF and others through the GDAL
// library. The caller owns *out and frees it with rut_geo_grid_free. Errors: IO, PARSE, CAPACITY,
// MEMORY, MISSING (GDAL is needed and not installed); they go to the context's report. Nullable:
// err.
RUT_API rutStatus rut_geo_grid_read(const rutSpec* spec, rutNode node, const char* field,
                                    rutGeoGrid* out, rutError* err);
RUT_API void rut_geo_grid_free(rutGeoGrid* grid);

// A file of several values at each place of a grid, whose own values are not written.
typedef struct rutGeoBand {
  const char* name;
  const float* value;  // [rows][cols] from north to south, NaN for no data
} rutGeoBand;
// As GeoTIFF, with the grid's place and coordinate system. The caller frees *bytes with free().
// Errors: MISSING (the GDAL library), IO (what GDAL says), MEMORY. Nullable: err.
RUT_API rutStatus rut_geo_grid_geotiff(const rutGeoGrid* grid, int bands, const rutGeoBand* band,
                                       void** bytes, size_t* size, rutError* err);
// One band as ESRI ASCII grid. Errors: MEMORY. Nullable: err.
RUT_API rutStatus rut_geo_grid_ascii(const rutGeoGrid* grid, const rutGeoBand* band, void** bytes,
                                     size_t* size, rutError* err);

#ifdef __cplusplus
}
#endif

#endif  // RUT_GEO_GRID_H
