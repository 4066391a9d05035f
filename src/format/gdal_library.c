// SPDX-License-Identifier: BSD-3-Clause
#include "format/gdal_library.h"

#include <stddef.h>

const char* rut_gdal_library(const rutSymbol* symbol, size_t symbols) {
  // Debian 12, other releases, and what a development package leaves
  static const char* const names[] = {"libgdal.so.32", "libgdal.so.36", "libgdal.so.34",
                                      "libgdal.so.33", "libgdal.so.30", "libgdal.so"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (rut_dynamic_load(names[i], symbol, symbols)) return names[i];
  }
  return NULL;
}

void rut_gdal_enter(const char* library, const char* function) {
  char reason[128];
  void (*enter)(void) = NULL;
  if (rut_dynamic_function(library, function, &enter, reason, sizeof reason) && enter) enter();
}
