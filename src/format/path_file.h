// SPDX-License-Identifier: BSD-3-Clause
//
// Paths over the ground from files of other programs: replays of ANVEL and MAVS (.vprp, text), and
// MAVS's waypoints (JSON).
#ifndef RUT_FORMAT_PATH_FILE_H
#define RUT_FORMAT_PATH_FILE_H

#include "base/report.h"

enum { RUT_PATH_MAX_POINTS = 1000000, RUT_PATH_MAX_FILE = 64 << 20 };

typedef struct rutPathPoints {
  int n;
  double* xy;  // [n][2] [m], free with rut_path_points_free
} rutPathPoints;

// Parse a file; name stands for it in messages. Points that repeat the one before (within 1 mm) are
// left out: a replay has one for each instant. Errors, reported with their line: PARSE (not such a
// file, a number that is none, no points), CAPACITY, MEMORY, MISSING (no jansson).
rutStatus rut_path_parse(const char* text, size_t size, const char* name, rutReporter* reporter,
                         rutPathPoints* out);
void rut_path_points_free(rutPathPoints* points);

#endif  // RUT_FORMAT_PATH_FILE_H
