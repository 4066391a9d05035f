// SPDX-License-Identifier: BSD-3-Clause
//
// Loads an occupancy grid from a file of any known kind.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/gridmap.h"
#include "format/image.h"
#include "format/ros_map.h"
#include "format/xml.h"
#include "math/rut_math.h"

enum { MAX_FILE = 256 << 20, MAX_PATH = 4096 };

static rutStatus allocate_cells(const rutImage* image, const char* name, rutReporter* reporter,
                                rutGridMap* out) {
  out->nx = image->width;
  out->ny = image->height;
  out->cell = malloc((size_t)out->nx * (size_t)out->ny);
  if (out->cell) return RUT_OK;
  return rut_report_error(reporter, RUT_ERR_MEMORY, (rutPlace){name, 0, 0}, "", "",
                          "no memory for the cells of the map");
}

static rutStatus check_options(rutGridOptions options, rutPlace place, rutReporter* reporter) {
  if (options.resolution > 0 && options.resolution < 1e6 && fabs(options.center_x) < 1e9 &&
      fabs(options.center_y) < 1e9) {
    return RUT_OK;
  }
  return rut_report_error(reporter, RUT_ERR_MODEL, place, "", "such as 0.1",
                          "resolution of an occupancy grid must be positive");
}

// MRPT's rule: world = (pixel - centre) * resolution, pixels counted from the lower left corner.
static rutStatus load_image(const char* bytes, size_t size, const char* path,
                            rutGridOptions options, rutReporter* reporter, rutGridMap* out) {
  rutImage image;
  rutStatus status = rut_image_decode(bytes, size, path, reporter, &image);
  if (status != RUT_OK) return status;
  status = allocate_cells(&image, path, reporter, out);
  if (status == RUT_OK) rut_image_cells(&image, out->cell);
  out->resolution = options.resolution;
  out->origin[0] = -options.center_x * options.resolution;
  out->origin[1] = -options.center_y * options.resolution;
  rut_image_free(&image);
  return status;
}

// Path of a file named in another file: beside it unless absolute. False if it is too long.
static bool path_beside(const char* path, const char* name, char* out, size_t room) {
  const char* slash = strrchr(path, '/');
  int folder = slash && name[0] != '/' ? (int)(slash - path) + 1 : 0;
  int n = snprintf(out, room, "%.*s%s", folder, path, name);
  return n > 0 && (size_t)n < room;
}

// Number of the line that begins with a word, 0 if there is none.
static int line_of(const char* text, size_t size, const char* word) {
  const size_t n = strlen(word);
  int line = 1;
  for (size_t i = 0; i + n <= size; i++) {
    const bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && memcmp(text + i, word, n) == 0) return line;
    line += text[i] == '\n';
  }
  return 0;
}

static rutStatus load_ros_map(const char* text, size_t size, const char* path,
                              rutReporter* reporter, rutGridMap* out) {
  rutRosMap map;
  rutStatus status = rut_ros_map_parse(text, size, path, reporter, &map);
  if (status != RUT_OK) return status;
  rutPlace place = {path, line_of(text, size, "image:"), 1};
  char image_path[MAX_PATH];
  if (!path_beside(path, map.image, image_path, sizeof image_path)) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "image", "", "file name is too long");
  }
  char* bytes;
  size_t image_size;
  status = rut_read_file(image_path, MAX_FILE, reporter, place, &bytes, &image_size);
  if (status != RUT_OK) return status;
  rutImage image;
  status = rut_image_decode(bytes, image_size, image_path, reporter, &image);
  free(bytes);
  if (status != RUT_OK) return status;
  status = allocate_cells(&image, path, reporter, out);
  if (status == RUT_OK) rut_ros_map_cells(&map, &image, out->cell);
  out->resolution = map.resolution;
  out->origin[0] = map.origin[0];
  out->origin[1] = map.origin[1];
  rut_image_free(&image);
  return status;
}

rutStatus rut_grid_load(const char* path, rutGridOptions options, rutPlace place,
                        rutReporter* reporter, rutGridMap* out) {
  *out = (rutGridMap){0};
  char* bytes;
  size_t size;
  rutStatus status = rut_read_file(path, MAX_FILE, reporter, place, &bytes, &size);
  if (status != RUT_OK) return status;
  if (rut_is_gridmap(bytes, size)) {
    status = rut_gridmap_decode(bytes, size, path, reporter, out);
  } else if (rut_is_ros_map(bytes, size)) {
    status = load_ros_map(bytes, size, path, reporter, out);
  } else {
    status = check_options(options, place, reporter);
    if (status == RUT_OK) status = load_image(bytes, size, path, options, reporter, out);
  }
  free(bytes);
  if (status != RUT_OK) rut_gridmap_free(out);
  return status;
}
