// SPDX-License-Identifier: BSD-3-Clause
//
// Point clouds and elevation samples from text files: one point per line, numbers separated by
// blanks or commas.
#ifndef RUT_FORMAT_POINTS_H
#define RUT_FORMAT_POINTS_H

#include "format/matrix.h"

typedef struct rutPoints {
  int n;
  double* xyz;  // [n][3] [m], z = 0 for plane points; free with rut_points_free
} rutPoints;

// Parse a file of points with `columns` (2 or 3) coordinates per line; further columns are ignored
// with a warning. Errors: those of rut_matrix_parse, reported with line and column of the file.
rutStatus rut_points_parse(const char* text, size_t size, const char* name, int columns,
                           rutReporter* reporter, rutPoints* out);
void rut_points_free(rutPoints* points);

// Height field from scattered points (a dem_xyzrgb_file): every node takes the height of the point
// nearest to it in the plane. Row r, column c of the matrix is the node at
//   corner + resolution * (r, c),  corner = least x and y + resolution / 2,
// as many nodes as MVSim has. (MVSim samples at these places but draws them half a cell lower.)
// Errors: PARSE (no area, or too many nodes for RUT_MATRIX_MAX_VALUES), MEMORY.
rutStatus rut_points_resample(const rutPoints* points, double resolution, rutPlace place,
                              rutReporter* reporter, rutMatrix* out, double corner[2]);

#endif  // RUT_FORMAT_POINTS_H
