// SPDX-License-Identifier: BSD-3-Clause
//
// All cells of a map as files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "host/map.h"
#include "host/write_file.h"
#include "math/rut_math.h"

enum { QUANTILES = 3, OF_WAY = QUANTILES + 1 + RUT_MAP_HEADINGS, BANDS = RUT_MAP_WAYS * OF_WAY };
static const double quantile[QUANTILES] = {0.1, 0.5, 0.9};

typedef struct Bands {
  rutGeoBand band[BANDS];
  char name[BANDS][32];
  float* value;  // [band][row][col], owned
} Bands;

static void name_bands(Bands* b, size_t cells) {
  for (int i = 0; i < BANDS; i++) {
    const int k = i % OF_WAY;
    const char* way = rut_map_way_name((rutMapWay)(i / OF_WAY));
    if (k < QUANTILES) {
      snprintf(b->name[i], sizeof b->name[i], "%s_v%d", way, (int)(100 * quantile[k] + 0.5));
    } else if (k == QUANTILES) {
      snprintf(b->name[i], sizeof b->name[i], "%s_reason", way);
    } else {
      snprintf(b->name[i], sizeof b->name[i], "%s_%s", way,
               rut_map_heading_name(k - QUANTILES - 1));
    }
    b->band[i] = (rutGeoBand){b->name[i], b->value + (size_t)i * cells};
  }
}

static void fill_cell(const rutMap* map, rutMapWay way, int row, int col, size_t cells,
                      float* value) {
  for (int q = 0; q < QUANTILES; q++) {
    rutMapLimit limit[RUT_MAP_HEADINGS];
    double speed[RUT_MAP_HEADINGS];
    int slowest = 0;
    rut_map_cell(map, way, quantile[q], row, col, limit);
    for (int k = 0; k < RUT_MAP_HEADINGS; k++) {
      speed[k] = limit[k].speed;
      const bool same = speed[k] == speed[slowest];
      if (speed[k] < speed[slowest] || (same && limit[k].reason < limit[slowest].reason)) {
        slowest = k;
      }
    }
    const bool none = limit[0].reason == RUT_MAP_NO_DATA;
    const double mean = none ? RUT_NAN : rut_map_mean_speed(RUT_MAP_HEADINGS, speed);
    value[(size_t)q * cells] = (float)mean;
    if (quantile[q] != 0.5) continue;
    value[QUANTILES * cells] = none ? (float)RUT_NAN : (float)limit[slowest].reason;
    for (int k = 0; k < RUT_MAP_HEADINGS; k++) {
      value[(size_t)(QUANTILES + 1 + k) * cells] = none ? (float)RUT_NAN : (float)speed[k];
    }
  }
}

static rutStatus write_bytes(const void* bytes, size_t size, const char* path, rutError* err) {
  const rutBytes out = {.data = (unsigned char*)bytes, .used = size, .size = size};
  return rut_output_save(NULL, &out, path, err);
}

static rutStatus save_tiff(const rutMap* map, const Bands* b, const char* path, rutError* err) {
  void* bytes = NULL;
  size_t size = 0;
  rutStatus status = rut_geo_grid_geotiff(&map->dem, BANDS, b->band, &bytes, &size, err);
  if (status == RUT_OK) status = write_bytes(bytes, size, path, err);
  free(bytes);
  return status;
}

static rutStatus save_ascii(const rutMap* map, const Bands* b, const char* path, rutError* err) {
  rutStatus status = RUT_OK;
  for (int i = 0; i < BANDS && status == RUT_OK; i++) {
    char name[4096];
    void* bytes = NULL;
    size_t size = 0;
    snprintf(name, sizeof name, "%.*s.%s.asc", (int)rut_min(4000, (double)strlen(path) - 4), path,
             b->name[i]);
    status = rut_geo_grid_ascii(&map->dem, &b->band[i], &bytes, &size, err);
    if (status == RUT_OK) status = write_bytes(bytes, size, name, err);
    free(bytes);
  }
  return status;
}

rutStatus rut_map_save(const rutMap* map, const char* path, rutError* err) {
  const size_t length = strlen(path), cells = (size_t)map->dem.rows * (size_t)map->dem.cols;
  const char* end = length > 4 ? path + length - 4 : "";
  const bool tiff = strcmp(end, ".tif") == 0;
  if (!tiff && strcmp(end, ".asc") != 0) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "'%.200s' does not end in .tif or .asc", path);
  }
  Bands* b = calloc(1, sizeof *b);
  if (b) b->value = calloc(BANDS * cells, sizeof *b->value);
  rutStatus status = RUT_OK;
  if (!b || !b->value) status = rut_error_set(err, RUT_ERR_MEMORY, "no memory for a map");
  if (status == RUT_OK) {
    name_bands(b, cells);
    for (int way = 0; way < RUT_MAP_WAYS; way++) {
      for (size_t i = 0; i < cells; i++) {
        fill_cell(map, (rutMapWay)way, (int)(i / (size_t)map->dem.cols),
                  (int)(i % (size_t)map->dem.cols), cells,
                  b->value + (size_t)way * OF_WAY * cells + i);
      }
    }
    status = tiff ? save_tiff(map, b, path, err) : save_ascii(map, b, path, err);
  }
  if (b) free(b->value);
  free(b);
  return status;
}
