// SPDX-License-Identifier: BSD-3-Clause
//
// Coordinate systems through GDAL.
#ifndef RUT_FORMAT_GDAL_CRS_H
#define RUT_FORMAT_GDAL_CRS_H

#include <stdbool.h>

// Whether two systems, as WKT, are the same in the plane: what their heights count from, if they
// tell, is left out. False, with *same false, if the library is not
// installed, or does not understand one of them.
bool rut_gdal_same_crs(const char* a, const char* b, bool* same);

#endif  // RUT_FORMAT_GDAL_CRS_H
