// SPDX-License-Identifier: BSD-3-Clause
//
// GeoTIFF through GDAL, whose few functions are declared here as in gdal.c. It writes to memory and
// sees no file's name.
#include "format/gdal_write.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "format/gdal_library.h"
#include "math/rut_math.h"

// Values of gdal.h and cpl_error.h.
enum { WRITE = 1, FLOAT32 = 6, NO_ERROR = 0 };

typedef struct Gdal {
  void* (*driver)(const char* name);
  void* (*create)(void* driver, const char* path, int width, int height, int bands, int type,
                  const char* const* options);
  void (*close)(void* set);
  int (*transform)(void* set, double* transform);
  int (*projection)(void* set, const char* text);
  void* (*band)(void* set, int index);
  int (*nodata)(void* band, double value);
  void (*name)(void* band, const char* text);
  int (*write)(void* band, int direction, int x, int y, int width, int height, void* data,
               int data_width, int data_height, int type, int pixel_bytes, int line_bytes);
  unsigned char* (*take)(const char* path, uint64_t* size, int take_over);
  int (*remove)(const char* path);
  const char* (*message)(void);
  void (*reset)(void);
  void (*quiet)(int level, int number, const char* message);
  void (*push_handler)(void (*handler)(int level, int number, const char* message));
  void (*pop_handler)(void);
  void (*option)(const char* key, const char* value);
} Gdal;

static const char* load_library(Gdal* g) {
  const rutSymbol symbols[] = {{"GDALGetDriverByName", &g->driver},
                               {"GDALCreate", &g->create},
                               {"GDALClose", &g->close},
                               {"GDALSetGeoTransform", &g->transform},
                               {"GDALSetProjection", &g->projection},
                               {"GDALGetRasterBand", &g->band},
                               {"GDALSetRasterNoDataValue", &g->nodata},
                               {"GDALSetDescription", &g->name},
                               {"GDALRasterIO", &g->write},
                               {"VSIGetMemFileBuffer", &g->take},
                               {"VSIUnlink", &g->remove},
                               {"CPLGetLastErrorMsg", &g->message},
                               {"CPLErrorReset", &g->reset},
                               {"CPLQuietErrorHandler", &g->quiet},
                               {"CPLPushErrorHandler", &g->push_handler},
                               {"CPLPopErrorHandler", &g->pop_handler},
                               {"CPLSetThreadLocalConfigOption", &g->option}};
  return rut_gdal_library(symbols, sizeof symbols / sizeof symbols[0]);
}

// What is written.
typedef struct Content {
  const rutGeoGrid* grid;
  int bands;
  const rutGeoBand* band;
} Content;

static bool fill(const Gdal* g, void* set, const Content* c) {
  const rutGeoGrid* grid = c->grid;
  const double d = grid->spacing;
  double transform[6] = {
      grid->corner[0] - 0.5 * d, d, 0, grid->corner[1] + (grid->rows - 0.5) * d, 0, -d};
  bool ok = g->transform(set, transform) == NO_ERROR;
  if (grid->crs && grid->crs[0]) ok = g->projection(set, grid->crs) == NO_ERROR && ok;
  for (int i = 0; i < c->bands && ok; i++) {
    void* to = g->band(set, i + 1);
    if (!to) return false;
    g->name(to, c->band[i].name);
    ok = g->nodata(to, RUT_NAN) == NO_ERROR &&
         g->write(to, WRITE, 0, 0, grid->cols, grid->rows, (void*)(uintptr_t)c->band[i].value,
                  grid->cols, grid->rows, FLOAT32, 0, 0) == NO_ERROR;
  }
  return ok;
}

static rutStatus write_file(const Gdal* g, const char* path, const Content* c, void** bytes,
                            size_t* size, rutError* err) {
  static const char* const options[] = {"COMPRESS=DEFLATE", "INTERLEAVE=BAND", NULL};
  void* driver = g->driver("GTiff");
  void* set =
      driver ? g->create(driver, path, c->grid->cols, c->grid->rows, c->bands, FLOAT32, options)
             : NULL;
  const bool ok = set && fill(g, set, c);
  if (set) g->close(set);
  uint64_t n = 0;
  const unsigned char* made = ok ? g->take(path, &n, 0) : NULL;
  if (!made || n == 0) {
    return rut_error_set(err, RUT_ERR_IO, "no GeoTIFF: GDAL says: %.200s", g->message());
  }
  *bytes = malloc((size_t)n);
  if (!*bytes) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a GeoTIFF");
  memcpy(*bytes, made, (size_t)n);
  *size = (size_t)n;
  return RUT_OK;
}

rutStatus rut_gdal_write(const rutGeoGrid* grid, int bands, const rutGeoBand* band, void** bytes,
                         size_t* size, rutError* err) {
  Gdal g;
  *bytes = NULL;
  *size = 0;
  const char* library = load_library(&g);
  if (!library) {
    return rut_error_set(
        err, RUT_ERR_MISSING,
        "GeoTIFF needs the GDAL library: apt-get install libgdal32; or write .asc");
  }
  char path[64];
  snprintf(path, sizeof path, "/vsimem/rut-%p.tif", (const void*)grid);
  g.push_handler(g.quiet);
  g.option("GDAL_PAM_ENABLED", "NO");
  rut_gdal_enter(library, "GDALRegister_GTiff");
  g.reset();
  const rutStatus status = write_file(&g, path, &(Content){grid, bands, band}, bytes, size, err);
  g.remove(path);
  g.option("GDAL_PAM_ENABLED", NULL);
  g.pop_handler();
  return status;
}
