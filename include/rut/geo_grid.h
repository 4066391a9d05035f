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

typedef enum rutGeoSampling { RUT_GEO_NEAREST, RUT_GEO_BILINEAR } rutGeoSampling;
// Whether a place, in the grid's coordinates, is in the extent of a grid: half a spacing beyond its
// outermost values.
RUT_API bool rut_geo_grid_covers(const rutGeoGrid* grid, double x, double y);
// Value of a grid at a place: the nearest one, or bilinear between the four around it. NaN outside
// of its extent, and where the nearest value is missing; other missing ones have no share. Between
// the outermost values and the border: that of the outermost ones.
RUT_API double rut_geo_grid_at(const rutGeoGrid* grid, rutGeoSampling sampling, double x, double y);
// Whether two grids lie in the same coordinate system, however it is written, and whatever heights
// count from: GDAL tells, or without the library their texts. True if one of them has none.
RUT_API bool rut_geo_grid_same_crs(const rutGeoGrid* a, const rutGeoGrid* b);
enum { RUT_GEO_CRS_NAME = 160 };
// Name of its coordinate system, "WGS 84 / UTM zone 33N (EPSG:32633)"; "" if it has none.
RUT_API void rut_geo_grid_crs_name(const rutGeoGrid* grid, char name[RUT_GEO_CRS_NAME]);

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
