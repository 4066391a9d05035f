// SPDX-License-Identifier: BSD-3-Clause
#include "format/gridmap.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "geom/occupancy.h"
#include "math/rut_math.h"

// Bytes of the object, from memory or from a gzip stream.
typedef struct Source {
  z_stream stream;
  bool packed;
  const char* name;
  rutReporter* reporter;
} Source;

static rutStatus fail(const Source* s, rutStatus status, const char* what, const char* hint) {
  return rut_report_error(s->reporter, status, (rutPlace){s->name, 0, 0}, "", hint, "grid map: %s",
                          what);
}

static rutStatus take(Source* s, void* out, size_t n) {
  if (!s->packed) {
    if (n > s->stream.avail_in) return fail(s, RUT_ERR_PARSE, "the file ends too early", "");
    memcpy(out, s->stream.next_in, n);
    s->stream.next_in += n;
    s->stream.avail_in -= (uInt)n;
    return RUT_OK;
  }
  s->stream.next_out = out;
  s->stream.avail_out = (uInt)n;
  while (s->stream.avail_out > 0) {
    int code = inflate(&s->stream, Z_NO_FLUSH);
    if (s->stream.avail_out == 0) break;
    if (code == Z_STREAM_END || code == Z_BUF_ERROR) {
      return fail(s, RUT_ERR_PARSE, "the compressed file ends too early", "");
    }
    if (code != Z_OK) return fail(s, RUT_ERR_PARSE, "the compressed data is damaged", "");
  }
  return RUT_OK;
}

static uint32_t little32(const uint8_t* b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double little_float(const uint8_t* b) {
  uint32_t bits = little32(b);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

// Object header. Now: one byte 0x80 + length of the class name, the name, one byte version. Files
// of MRPT before 0.5.5: length and version are 32-bit numbers.
static rutStatus read_header(Source* s, int* version) {
  uint8_t length[4], number[4];
  char class_name[128];
  rutStatus status = take(s, length, 1);
  if (status != RUT_OK) return status;
  bool old = !(length[0] & 0x80);
  if (old && (status = take(s, length + 1, 3)) != RUT_OK) return status;
  size_t n = old ? little32(length) : length[0] & 0x7fu;
  if (n == 0 || n >= sizeof class_name) {
    return fail(s, RUT_ERR_PARSE, "this is not an MRPT object", "");
  }
  if ((status = take(s, class_name, n)) != RUT_OK) return status;
  class_name[n] = '\0';
  if (strcmp(class_name, "COccupancyGridMap2D") &&
      strcmp(class_name, "mrpt::maps::COccupancyGridMap2D") &&
      strcmp(class_name, "mrpt::slam::COccupancyGridMap2D")) {
    return fail(s, RUT_ERR_PARSE, "the file holds no mrpt::maps::COccupancyGridMap2D", "");
  }
  if ((status = take(s, number, old ? 4 : 1)) != RUT_OK) return status;
  *version = old && (number[1] || number[2] || number[3]) ? 256 : number[0];
  return RUT_OK;
}

// Sizes as unsigned 32-bit numbers, then x_min, x_max, y_min, y_max and resolution as floats.
static rutStatus read_geometry(Source* s, rutGridMap* map) {
  uint8_t raw[28];
  rutStatus status = take(s, raw, sizeof raw);
  if (status != RUT_OK) return status;
  uint32_t nx = little32(raw), ny = little32(raw + 4);
  double x_min = little_float(raw + 8), x_max = little_float(raw + 12);
  double y_min = little_float(raw + 16), y_max = little_float(raw + 20);
  double resolution = little_float(raw + 24);
  if (nx == 0 || ny == 0) return fail(s, RUT_ERR_PARSE, "the map has no cells", "");
  if (nx > RUT_GRIDMAP_MAX_CELLS || ny > RUT_GRIDMAP_MAX_CELLS ||
      (uint64_t)nx * ny > RUT_GRIDMAP_MAX_CELLS) {
    return fail(s, RUT_ERR_CAPACITY, "the map claims too many cells", "the limit is 67108864");
  }
  bool fits = resolution > 0 && fabs((x_max - x_min) / resolution - nx) < 1.5 &&
              fabs((y_max - y_min) / resolution - ny) < 1.5;
  if (!fits) {
    return fail(s, RUT_ERR_PARSE, "its limits, resolution and number of cells do not agree", "");
  }
  map->nx = (int)nx;
  map->ny = (int)ny;
  map->resolution = resolution;
  map->origin[0] = x_min;
  map->origin[1] = y_min;
  return RUT_OK;
}

// Log-odds of a cell of 8 bits, in steps of 1/16, to what a laser makes of it. MRPT's rays stop at
// 0 or below; from -1 on down it is an obstacle only if below -1.
static uint8_t cell_of(int log_odds) {
  if (log_odds > 0) return RUT_CELL_FREE;
  return log_odds < -1 ? RUT_CELL_OCCUPIED : RUT_CELL_UNKNOWN;
}

// Before version 3 the cells were probabilities in steps of 1/255.
static uint8_t cell_of_probability(int value) {
  int level = value * 127 / 255;
  return level < 61 ? RUT_CELL_OCCUPIED : level < 65 ? RUT_CELL_UNKNOWN : RUT_CELL_FREE;
}

static rutStatus read_cells(Source* s, int version, int bytes, rutGridMap* map) {
  size_t nx = (size_t)map->nx;
  uint8_t* raw = malloc(bytes * nx);
  if (!raw) return fail(s, RUT_ERR_MEMORY, "no memory for a row", "");
  rutStatus status = RUT_OK;
  for (int iy = 0; iy < map->ny && status == RUT_OK; iy++) {
    status = take(s, raw, bytes * nx);
    uint8_t* cell = map->cell + (size_t)iy * nx;
    for (size_t ix = 0; ix < nx && status == RUT_OK; ix++) {
      // of 16 bits the upper 8 count, as when MRPT built for 8 bits reads them
      int value = raw[bytes * ix + (size_t)bytes - 1];
      cell[ix] = version < 3 ? cell_of_probability(value) : cell_of((int8_t)value);
    }
  }
  free(raw);
  return status;
}

static rutStatus read_map(Source* s, size_t size, rutGridMap* map) {
  int version = 0;
  rutStatus status = read_header(s, &version);
  if (status != RUT_OK) return status;
  if (version > 6) {
    return fail(s, RUT_ERR_VERSION, "its version is newer than 6", "save it with an older MRPT");
  }
  uint8_t bits = 8;
  if (version >= 2 && (status = take(s, &bits, 1)) != RUT_OK) return status;
  if (bits != 8 && bits != 16) return fail(s, RUT_ERR_PARSE, "cells must have 8 or 16 bits", "");
  status = read_geometry(s, map);
  if (status != RUT_OK) return status;
  // deflate packs at best 1032 to 1: a map that claims more than its bytes can hold is not
  // allocated
  double need = (double)map->nx * map->ny * (bits / 8);
  if (need > (double)size * (s->packed ? 1032 : 1)) {
    return fail(s, RUT_ERR_PARSE, "the file is too short for the cells it claims", "");
  }
  map->cell = malloc((size_t)map->nx * (size_t)map->ny);
  if (!map->cell) return fail(s, RUT_ERR_MEMORY, "no memory for the cells", "");
  return read_cells(s, version, bits / 8, map);
}

static bool is_gzip(const uint8_t* bytes, size_t size) {
  return size > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

bool rut_is_gridmap(const void* data, size_t size) {
  const uint8_t* bytes = data;
  if (is_gzip(bytes, size)) return true;
  size_t start = size > 0 && bytes[0] & 0x80 ? 1 : 4;
  static const char* const names[] = {"COccupancyGridMap2D", "mrpt::"};
  for (int i = 0; i < 2; i++) {
    size_t n = strlen(names[i]);
    if (size >= start + n && !memcmp(bytes + start, names[i], n)) return true;
  }
  return false;
}

rutStatus rut_gridmap_decode(const void* bytes, size_t size, const char* name,
                             rutReporter* reporter, rutGridMap* out) {
  *out = (rutGridMap){0};
  Source s = {.name = name, .reporter = reporter, .packed = is_gzip(bytes, size)};
  if (size > UINT32_MAX / 2) return fail(&s, RUT_ERR_CAPACITY, "the file is too large", "");
  // zlib's input pointer is not const, but inflate only reads
  s.stream.next_in = (Bytef*)(uintptr_t)bytes;
  s.stream.avail_in = (uInt)size;
  // 16: expect a gzip header
  if (s.packed && inflateInit2(&s.stream, 15 + 16) != Z_OK) {
    return fail(&s, RUT_ERR_MEMORY, "no memory to decompress", "");
  }
  rutStatus status = read_map(&s, size, out);
  if (s.packed) inflateEnd(&s.stream);
  if (status != RUT_OK) rut_gridmap_free(out);
  return status;
}

void rut_gridmap_free(rutGridMap* map) {
  free(map->cell);
  *map = (rutGridMap){0};
}
