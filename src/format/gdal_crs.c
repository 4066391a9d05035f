// SPDX-License-Identifier: BSD-3-Clause
//
// Coordinate systems through GDAL, whose few functions are declared here as in gdal.c.
#include "format/gdal_crs.h"

#include "format/gdal_library.h"

bool rut_gdal_same_crs(const char* a, const char* b, bool* same) {
  void* (*make)(const char* text) = NULL;
  void (*destroy)(void* system) = NULL;
  int (*is_same)(void* a, void* b) = NULL;
  void (*quiet)(int level, int number, const char* message) = NULL;
  void (*push_handler)(void (*handler)(int level, int number, const char* message)) = NULL;
  void (*pop_handler)(void) = NULL;
  const rutSymbol symbols[] = {{"OSRNewSpatialReference", &make},
                               {"OSRDestroySpatialReference", &destroy},
                               {"OSRIsSame", &is_same},
                               {"CPLQuietErrorHandler", &quiet},
                               {"CPLPushErrorHandler", &push_handler},
                               {"CPLPopErrorHandler", &pop_handler}};
  int (*strip)(void* system) = NULL;
  char reason[128];
  *same = false;
  const char* library = rut_gdal_library(symbols, sizeof symbols / sizeof symbols[0]);
  if (!library) return false;
  // GDAL has it from 3.1 on
  rut_dynamic_function(library, "OSRStripVertical", &strip, reason, sizeof reason);
  push_handler(quiet);
  void *of_a = make(a), *of_b = make(b);
  const bool understood = of_a && of_b;
  if (understood && strip) {
    strip(of_a);
    strip(of_b);
  }
  if (understood) *same = is_same(of_a, of_b) != 0;
  if (of_a) destroy(of_a);
  if (of_b) destroy(of_b);
  pop_handler();
  return understood;
}
