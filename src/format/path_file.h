// SPDX-License-Identifier: BSD-3-Clause
//
// Paths over the ground from files of other programs: replays of ANVEL and MAVS (.vprp, text),
// MAVS's waypoints (JSON), and lanes of road networks (OpenDRIVE).
#ifndef RUT_FORMAT_PATH_FILE_H
#define RUT_FORMAT_PATH_FILE_H

#include "base/report.h"
#include "format/xml.h"

enum { RUT_PATH_MAX_POINTS = 1000000, RUT_PATH_MAX_FILE = 64 << 20 };

typedef struct rutPathPoints {
  int n;
  double* xy;  // [n][2] [m], free with rut_path_points_free
} rutPathPoints;

// A way over a road network: the middle of a lane.
typedef struct rutPathRoute {
  const char* roads;  // ids in the order in which they are driven, separated by blanks; "": the
                      // first road
  int lane;           // of the first road; 0: the reference line
  double offset;      // to the left of the lane's middle, as one drives [m]
  int most;           // points, at least 2
  bool closed;        // the last point is not the first one again
  rutPlace place;     // of the element that asks, for findings
} rutPathRoute;

// Parse a file; name stands for it in messages. Points that repeat the one before (within 1 mm) are
// left out: a replay has one for each instant. Errors, reported with their line: PARSE (not such a
// file, a number that is none, no points), CAPACITY, MEMORY, MISSING (no jansson).
rutStatus rut_path_parse(const char* text, size_t size, const char* name, rutReporter* reporter,
                         rutPathPoints* out);
// The same of a road network (.xodr), or of such a file, which has no route.
rutStatus rut_path_read(const char* text, size_t size, const char* name, const rutPathRoute* route,
                        rutReporter* reporter, rutPathPoints* out);
// The route that attributes of an element ask for: road, lane, offset, most. False, with an error,
// if one is wrong.
bool rut_path_route(const rutXmlElement* element, rutPlace place, rutReporter* reporter,
                    rutPathRoute* out);
void rut_path_points_free(rutPathPoints* points);

#endif  // RUT_FORMAT_PATH_FILE_H
