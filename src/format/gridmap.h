// SPDX-License-Identifier: BSD-3-Clause
//
// Occupancy grids from files, and the reader of MRPT's .gridmap files, plain or gzip-compressed.
#ifndef RUT_FORMAT_GRIDMAP_H
#define RUT_FORMAT_GRIDMAP_H

#include "base/report.h"

typedef struct rutGridMap {
  int nx, ny;         // cells along x and y
  double resolution;  // [m]
  double origin[2];   // lower left corner in the world [m]
  uint8_t* cell;      // rutCell of geom/occupancy.h, [ny][nx], bottom row first; free with
                      // rut_gridmap_free
} rutGridMap;

enum { RUT_GRIDMAP_MAX_CELLS = 64 << 20 };

// True if the bytes may be a .gridmap: gzip data, or an MRPT object.
bool rut_is_gridmap(const void* bytes, size_t size);
// Decode a serialized mrpt::maps::COccupancyGridMap2D (versions 0 to 6, cells of 8 or 16 bits).
// Cells are log-odds of being free: above 0 free, 0 and -1 unknown, below occupied. Nothing after
// the cells is read. name stands for the file in messages. Errors: PARSE, VERSION, CAPACITY,
// MEMORY.
rutStatus rut_gridmap_decode(const void* bytes, size_t size, const char* name,
                             rutReporter* reporter, rutGridMap* out);
void rut_gridmap_free(rutGridMap* map);

// How an image becomes a map; ignored for maps that say it themselves.
typedef struct rutGridOptions {
  double resolution;  // side of a pixel [m]
  // Pixel that becomes the world's (0, 0), counted from the left and from the bottom edge. (-1,
  // -1), MVSim's default, is no special value: it puts the lower left corner at (+1, +1) pixels, as
  // MVSim does.
  double center_x, center_y;
} rutGridOptions;

// Load an occupancy grid from an image, a ROS map (its image is found beside the YAML file) or a
// .gridmap, by content. place is what named the file. Errors: those of the readers, IO, MODEL
// (resolution is not positive).
rutStatus rut_grid_load(const char* path, rutGridOptions options, rutPlace place,
                        rutReporter* reporter, rutGridMap* out);

#endif  // RUT_FORMAT_GRIDMAP_H
