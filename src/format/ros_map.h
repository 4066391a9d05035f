// SPDX-License-Identifier: BSD-3-Clause
//
// ROS map files (map_server): a YAML file that names an image and says how to read it. The subset
// of YAML is what map savers write: "key: value" lines, [flow, lists], lists of "- item" lines,
// quotes and comments.
#ifndef RUT_FORMAT_ROS_MAP_H
#define RUT_FORMAT_ROS_MAP_H

#include "base/report.h"
#include "format/image.h"

typedef struct rutRosMap {
  char image[512];    // file name, relative to the YAML file's folder
  double resolution;  // [m]
  double origin[3];   // x, y of the lower left corner [m], yaw [rad] (not used: maps stay aligned)
  bool negate;        // light is occupied
  bool scale;         // mode "scale"; false: "trinary"
  double occupied_thresh, free_thresh;
} rutRosMap;

// True if the text has a line that starts with "image:".
bool rut_is_ros_map(const char* text, size_t size);
// Parse size bytes (no NUL needed). image, resolution and origin are required; the others default
// to negate 0, occupied_thresh 0.65, free_thresh 0.196, mode trinary. Unknown keys give a warning,
// and so does a yaw other than 0. Errors: PARSE with line and column.
rutStatus rut_ros_map_parse(const char* text, size_t size, const char* name, rutReporter* reporter,
                            rutRosMap* out);
// Cells (rutCell, [height][width], bottom row first) of the map's image: trinary by the thresholds
// on p = 1 - grey (p = grey if negated), scale as rut_image_cells.
void rut_ros_map_cells(const rutRosMap* map, const rutImage* image, uint8_t* cell);

#endif  // RUT_FORMAT_ROS_MAP_H
