// SPDX-License-Identifier: BSD-3-Clause
//
// GeoTIFF through GDAL, in memory.
#ifndef RUT_FORMAT_GDAL_WRITE_H
#define RUT_FORMAT_GDAL_WRITE_H

#include "rut/geo_grid.h"

// As rut_geo_grid_geotiff.
rutStatus rut_gdal_write(const rutGeoGrid* grid, int bands, const rutGeoBand* band, void** bytes,
                         size_t* size, rutError* err);

#endif  // RUT_FORMAT_GDAL_WRITE_H
