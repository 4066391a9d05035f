// SPDX-License-Identifier: BSD-3-Clause
//
// Rasters through GDAL. Its C interface has been the same since version 2, so the few functions are
// declared here and no header is needed to build.
//
// GDAL has more than a hundred drivers. Some of them follow names in a file to other files and to
// the network, or write. So it gets bytes in memory, never a file's name, and only a few drivers,
// of formats that consist of one file.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/gdal_library.h"
#include "format/raster.h"
#include "math/rut_math.h"

// Values of gdal.h and cpl_error.h.
enum { OPEN_RASTER = 0x02, READ = 0, FLOAT64 = 7, NO_ERROR = 0 };

enum { NAME_SIZE = 128 };

static const char* const drivers[] = {"GTiff", "SRTMHGT", "DTED",  "USGSDEM",
                                      "GSAG",  "GSBG",    "GS7BG", NULL};

typedef struct Gdal {
  const char* library;
  void* (*memory_file)(const char* name, void* bytes, uint64_t size, int take_over);
  int (*close_file)(void* file);
  int (*remove_file)(const char* name);
  void* (*open)(const char* path, unsigned flags, const char* const* drivers,
                const char* const* options, const char* const* siblings);
  void (*close)(void* set);
  int (*width)(void* set);
  int (*height)(void* set);
  int (*bands)(void* set);
  void* (*band)(void* set, int index);
  int (*transform)(void* set, double transform[6]);
  const char* (*projection)(void* set);
  double (*nodata)(void* band, int* given);
  double (*scale)(void* band, int* given);
  double (*offset)(void* band, int* given);
  int (*read)(void* band, int direction, int x, int y, int width, int height, void* data,
              int data_width, int data_height, int type, int pixel_bytes, int line_bytes);
  const char* (*message)(void);
  void (*reset)(void);
  void (*quiet)(int level, int number, const char* message);
  void (*push_handler)(void (*handler)(int level, int number, const char* message));
  void (*pop_handler)(void);
  void (*option)(const char* key, const char* value);
} Gdal;

static bool load_library(Gdal* g) {
  const rutSymbol symbols[] = {{"VSIFileFromMemBuffer", &g->memory_file},
                               {"VSIFCloseL", &g->close_file},
                               {"VSIUnlink", &g->remove_file},
                               {"GDALOpenEx", &g->open},
                               {"GDALClose", &g->close},
                               {"GDALGetRasterXSize", &g->width},
                               {"GDALGetRasterYSize", &g->height},
                               {"GDALGetRasterCount", &g->bands},
                               {"GDALGetRasterBand", &g->band},
                               {"GDALGetGeoTransform", &g->transform},
                               {"GDALGetProjectionRef", &g->projection},
                               {"GDALGetRasterNoDataValue", &g->nodata},
                               {"GDALGetRasterScale", &g->scale},
                               {"GDALGetRasterOffset", &g->offset},
                               {"GDALRasterIO", &g->read},
                               {"CPLGetLastErrorMsg", &g->message},
                               {"CPLErrorReset", &g->reset},
                               {"CPLQuietErrorHandler", &g->quiet},
                               {"CPLPushErrorHandler", &g->push_handler},
                               {"CPLPopErrorHandler", &g->pop_handler},
                               {"CPLSetThreadLocalConfigOption", &g->option}};
  g->library = rut_gdal_library(symbols, sizeof symbols / sizeof symbols[0]);
  return g->library != NULL;
}

// A driver that this GDAL was built without is no loss.
static void register_drivers(const Gdal* g) {
  for (int i = 0; drivers[i]; i++) {
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "GDALRegister_%s", drivers[i]);
    rut_gdal_enter(g->library, name);
  }
}

// No list of neighbours, no .aux.xml beside the file.
static void set_options(const Gdal* g, bool on) {
  g->option("GDAL_DISABLE_READDIR_ON_OPEN", on ? "EMPTY_DIR" : NULL);
  g->option("GDAL_PAM_ENABLED", on ? "NO" : NULL);
}

// Name of the bytes for GDAL: some drivers recognise their files by name, as N46E007.hgt. The
// address keeps files apart that are read at the same time.
static void name_bytes(const char* path, const char* bytes, char name[NAME_SIZE]) {
  const char* slash = strrchr(path, '/');
  const char* base = slash ? slash + 1 : path;
  const char* dot = strrchr(base, '.');
  const size_t plain = strspn(base,
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789._-");
  const bool packed = dot && (strcmp(dot, ".zip") == 0 || strcmp(dot, ".gz") == 0);
  const bool fine = base[plain] == '\0' && plain < 64 && !packed;
  snprintf(name, NAME_SIZE, "/vsimem/rut-%p/%s", (const void*)bytes, fine ? base : "raster");
}

static rutStatus gdal_fault(const Gdal* g, const char* path, rutReporter* reporter,
                            const char* hint, const char* what) {
  const char* detail = g->message();
  // behind the name that the bytes have in memory
  const char* memory = detail ? strstr(detail, "/vsimem/") : NULL;
  const char* behind = memory ? strstr(memory, ": ") : NULL;
  if (behind) detail = behind + 2;
  return rut_report_error(reporter, RUT_ERR_PARSE, (rutPlace){path, 0, 0}, "", hint, "%s%s%.200s",
                          what, detail && detail[0] ? ": GDAL says: " : "", detail ? detail : "");
}

static rutStatus check_size(int width, int height, const char* path, rutReporter* reporter) {
  if (width >= 1 && height >= 1 && (double)width * height <= RUT_MATRIX_MAX_VALUES) return RUT_OK;
  return rut_report_error(
      reporter, RUT_ERR_CAPACITY, (rutPlace){path, 0, 0}, "", "use a coarser or smaller raster",
      "raster has %d x %d values, more than %d in all", width, height, RUT_MATRIX_MAX_VALUES);
}

// A float's nodata may have been written as text: values that agree to its digits are equal. What
// is infinite, such as a quotient by zero, is no number either.
static bool is_missing(double value, int has_missing, double missing) {
  return !rut_is_finite(value) ||
         (has_missing && rut_abs(value - missing) <= 1e-7 * rut_abs(missing));
}

static rutStatus read_band(const Gdal* g, void* set, const char* path, rutReporter* reporter,
                           rutMatrix* out) {
  const int width = g->width(set), height = g->height(set);
  if (g->bands(set) < 1) return gdal_fault(g, path, reporter, "", "the file has no raster");
  rutStatus status = check_size(width, height, path, reporter);
  if (status != RUT_OK) return status;
  const size_t count = (size_t)width * (size_t)height;
  double* value = malloc(count * sizeof *value);
  if (!value) {
    return rut_report_error(reporter, RUT_ERR_MEMORY, (rutPlace){path, 0, 0}, "", "",
                            "no memory for %zu values", count);
  }
  *out = (rutMatrix){height, width, value};
  void* band = g->band(set, 1);
  if (!band ||
      g->read(band, READ, 0, 0, width, height, value, width, height, FLOAT64, 0, 0) != NO_ERROR) {
    return gdal_fault(g, path, reporter, "", "the raster cannot be read");
  }
  int has_missing = 0, has_scale = 0, has_offset = 0;
  const double missing = g->nodata(band, &has_missing);
  const double given_scale = g->scale(band, &has_scale);
  const double given_offset = g->offset(band, &has_offset);
  const double scale = has_scale ? given_scale : 1, offset = has_offset ? given_offset : 0;
  for (size_t i = 0; i < count; i++) {
    const bool none = is_missing(value[i], has_missing, missing);
    value[i] = none ? RUT_NAN : offset + scale * value[i];
  }
  return RUT_OK;
}

static void flip_rows(rutMatrix* m) {
  const size_t cols = (size_t)m->cols;
  for (int top = 0, bottom = m->rows - 1; top < bottom; top++, bottom--) {
    double *a = m->value + (size_t)top * cols, *b = m->value + (size_t)bottom * cols;
    for (size_t c = 0; c < cols; c++) {
      const double kept = a[c];
      a[c] = b[c];
      b[c] = kept;
    }
  }
}

// Where the raster lies: x = t0 + t1 column, y = t3 + t5 row, of the pixels' outer corners.
static rutStatus place_raster(const Gdal* g, void* set, const char* path, rutReporter* reporter,
                              rutRaster* out) {
  double t[6];
  if (g->transform(set, t) != NO_ERROR) return RUT_OK;
  const double dx = t[1], dy = rut_abs(t[5]);
  if (t[2] != 0 || t[4] != 0 || !(dx > 0 && dy > 0 && rut_abs(dx - dy) <= 1e-3 * dx)) {
    return rut_report_error(reporter, RUT_ERR_PARSE, (rutPlace){path, 0, 0}, "",
                            "gdalwarp makes such a raster",
                            "the raster must be north up with square pixels, its pixels are %g x "
                            "%g with a rotation of %g, %g",
                            dx, dy, t[2], t[4]);
  }
  if (!rut_is_finite(t[0] + t[3] + dx)) {
    return rut_report_error(reporter, RUT_ERR_PARSE, (rutPlace){path, 0, 0}, "",
                            "gdal_edit.py -a_ullr tells a raster where it lies",
                            "the raster's corner and pixels must be finite, not at %g, %g of %g",
                            t[0], t[3], dx);
  }
  if (t[5] > 0) flip_rows(&out->values);
  const double south = t[5] > 0 ? t[3] : t[3] - dy * out->values.rows;
  out->placed = true;
  out->spacing = dx;
  out->corner[0] = t[0] + 0.5 * dx;
  out->corner[1] = south + 0.5 * dy;
  const char* text = g->projection(set);
  snprintf(out->projection, sizeof out->projection, "%s", text ? text : "");
  const size_t length = text ? strlen(text) + 1 : 0;
  out->crs = length > 1 ? malloc(length) : NULL;
  if (out->crs) memcpy(out->crs, text, length);
  const bool degrees = text && strncmp(text, "GEOG", 4) == 0;
  const bool feet = text && (strstr(text, "foot") || strstr(text, "Foot"));
  out->metric = !degrees && !feet;
  return RUT_OK;
}

static rutStatus read_set(const Gdal* g, const char* name, const char* path, rutReporter* reporter,
                          rutRaster* out) {
  static const char* const no_siblings[] = {NULL};
  void* set = g->open(name, OPEN_RASTER, drivers, NULL, no_siblings);
  if (!set) {
    return gdal_fault(g, path, reporter,
                      "take a GeoTIFF, an ESRI ASCII grid, rows of numbers or an image",
                      "this is not a raster that rut can read, not even with GDAL");
  }
  rutStatus status = read_band(g, set, path, reporter, &out->values);
  if (status == RUT_OK) status = place_raster(g, set, path, reporter, out);
  g->close(set);
  return status;
}

rutStatus rut_gdal_parse(char* bytes, size_t size, const char* path, rutReporter* reporter,
                         rutRaster* out) {
  *out = (rutRaster){0};
  Gdal g;
  if (!load_library(&g)) {
    return rut_report_error(reporter, RUT_ERR_MISSING, (rutPlace){path, 0, 0}, "",
                            "apt-get install libgdal32; or convert the file to an ESRI ASCII grid",
                            "this file needs the GDAL library, which is not installed");
  }
  char name[NAME_SIZE];
  name_bytes(path, bytes, name);
  g.push_handler(g.quiet);
  set_options(&g, true);
  register_drivers(&g);
  g.reset();
  void* file = g.memory_file(name, bytes, size, 0);
  rutStatus status = RUT_ERR_MEMORY;
  if (file) {
    status = read_set(&g, name, path, reporter, out);
    g.close_file(file);
    g.remove_file(name);
  } else {
    rut_report_error(reporter, status, (rutPlace){path, 0, 0}, "", "", "no memory for the raster");
  }
  set_options(&g, false);
  g.pop_handler();
  if (status != RUT_OK) rut_raster_free(out);
  return status;
}
