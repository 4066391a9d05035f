// SPDX-License-Identifier: BSD-3-Clause
#include "format/raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/image.h"
#include "format/xml.h"

enum { MAX_IMAGE = 256 << 20, MAX_FILE = 1 << 30, HEAD = 512 };

void rut_raster_free(rutRaster* raster) {
  rut_matrix_free(&raster->values);
  free(raster->crs);
  *raster = (rutRaster){0};
}

static rutStatus load_image(const char* bytes, size_t size, const char* path, rutReporter* reporter,
                            rutRaster* out) {
  rutImage image = {0};
  rutStatus status = rut_image_decode(bytes, size, path, reporter, &image);
  if (status != RUT_OK) return status;
  const size_t count = (size_t)image.width * (size_t)image.height;
  double* value = malloc(count * sizeof *value);
  if (value) {
    for (size_t i = 0; i < count; i++) value[i] = image.grey[i];
    out->values = (rutMatrix){image.height, image.width, value};
    out->white = image.max;
  } else {
    status = rut_report_error(reporter, RUT_ERR_MEMORY, (rutPlace){path, 0, 0}, "", "",
                              "no memory for %zu values", count);
  }
  rut_image_free(&image);
  return status;
}

typedef enum Kind { KIND_IMAGE, KIND_GRID, KIND_MATRIX, KIND_OTHER } Kind;

static bool is_image(const uint8_t* head, size_t size) {
  static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  if (size >= sizeof png && memcmp(head, png, sizeof png) == 0) return true;
  if (rut_is_pnm(head, size)) return true;
  rutImageClaim claim;
  // TIFF files of heights are GeoTIFF, whose values gd would cut to eight bits
  return rut_image_claim(head, size, &claim) && strcmp(claim.format, "TIFF") != 0;
}

// Text that begins like a matrix: a number, a bracket, or a comment.
static bool is_matrix(const char* head, size_t size) {
  size_t i = 0;
  for (size_t k = 0; k < size; k++) {
    const unsigned char c = (unsigned char)head[k];
    if (c < 32 && c != '\n' && c != '\r' && c != '\t') return false;
  }
  while (i < size && (head[i] == ' ' || head[i] == '\n' || head[i] == '\r' || head[i] == '\t')) i++;
  return i < size && strchr("0123456789+-.[#%", head[i]) != NULL;
}

static Kind kind_of(const char* head, size_t size) {
  if (is_image((const uint8_t*)head, size)) return KIND_IMAGE;
  if (rut_is_ascii_grid(head, size)) return KIND_GRID;
  return is_matrix(head, size) ? KIND_MATRIX : KIND_OTHER;
}

rutStatus rut_raster_load(const char* path, rutPlace place, rutReporter* reporter, rutRaster* out) {
  *out = (rutRaster){0};
  char* bytes = NULL;
  size_t size = 0;
  rutStatus status = rut_read_file(path, MAX_FILE, reporter, place, &bytes, &size);
  if (status != RUT_OK) return status;
  switch (size > 0 ? kind_of(bytes, size < HEAD ? size : HEAD) : KIND_MATRIX) {
    case KIND_IMAGE:
      status = size <= MAX_IMAGE
                   ? load_image(bytes, size, path, reporter, out)
                   : rut_report_error(reporter, RUT_ERR_CAPACITY, place, "", "",
                                      "'%s' is larger than %d bytes", path, MAX_IMAGE);
      break;
    case KIND_GRID:
      status = rut_ascii_grid_parse(bytes, size, path, reporter, out);
      break;
    case KIND_MATRIX:
      status = rut_matrix_parse(bytes, size, (rutPlace){path, 0, 0}, "", reporter, &out->values);
      break;
    case KIND_OTHER:
      status = rut_gdal_parse(bytes, size, path, reporter, out);
      break;
  }
  free(bytes);
  if (status != RUT_OK) rut_raster_free(out);
  return status;
}
