// SPDX-License-Identifier: BSD-3-Clause
//
// Paths along lanes of a road network.
#ifndef RUT_FORMAT_XODR_PATH_H
#define RUT_FORMAT_XODR_PATH_H

#include "format/path_file.h"
#include "format/xodr.h"

// Make a path of a route. Ids of roads follow each other as they are driven; lanes go on by the
// links of the file. A finding says how far the points are from the lane. Errors: MODEL, MEMORY.
rutStatus rut_xodr_path(const rutXodr* file, const rutPathRoute* route, rutPathPoints* out,
                        rutReporter* reporter);
// A point of a road's surface without heights of lanes: x y z in the world.
void rut_xodr_point(const rutXodr* file, const rutXodrRoad* road, double s, double t,
                    double point[3]);

#endif  // RUT_FORMAT_XODR_PATH_H
