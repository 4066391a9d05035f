// SPDX-License-Identifier: BSD-3-Clause
//
// The GDAL library, which is loaded when it is needed.
#ifndef RUT_FORMAT_GDAL_LIBRARY_H
#define RUT_FORMAT_GDAL_LIBRARY_H

#include "base/dynamic.h"

// Load it and find symbols. Returns the name under which it was found, NULL if it is not installed.
const char* rut_gdal_library(const rutSymbol* symbol, size_t symbols);
// Call its function of this name without arguments, if it has one.
void rut_gdal_enter(const char* library, const char* function);

#endif  // RUT_FORMAT_GDAL_LIBRARY_H
