// SPDX-License-Identifier: BSD-3-Clause
//
// Matrices written as text: "[1 2; 3 4]" as in MATLAB, or plain lines of numbers (text files, CSV).
#ifndef RUT_FORMAT_MATRIX_H
#define RUT_FORMAT_MATRIX_H

#include "base/report.h"

typedef struct rutMatrix {
  int rows, cols;
  double* value;  // [rows][cols], owned; free with rut_matrix_free
} rutMatrix;

enum { RUT_MATRIX_MAX_VALUES = 1 << 26 };

// Parse size bytes (no NUL needed). Numbers are separated by spaces or single commas, rows by ';'
// or line breaks; brackets around all are optional; '%' and '#' start a comment up to the line's
// end. Every row has the same length; every number is finite. Errors name row and entry. They are
// reported at `place`; if its line is 0 the text is a file and they get the line and column in it.
// Errors: PARSE, CAPACITY, MEMORY.
rutStatus rut_matrix_parse(const char* text, size_t size, rutPlace place, const char* element,
                           rutReporter* reporter, rutMatrix* out);
void rut_matrix_free(rutMatrix* matrix);
// Reverse the order of the rows.
void rut_matrix_flip(rutMatrix* matrix);
// Weighted mean of each entry's neighbourhood, for terrain smoothing: the kernel is square with an
// odd side up to 63 and a positive sum; weights outside the matrix and on NaN are left out, the
// rest is scaled to the kernel's sum. (MVSim counts the outside as height 0, which pulls borders
// down; it wants a kernel with sum 1, and so does this function, to 0.5 %.) Errors: PARSE, MEMORY.
rutStatus rut_matrix_smooth(const rutMatrix* matrix, const rutMatrix* kernel, rutPlace place,
                            const char* element, rutReporter* reporter, rutMatrix* out);

#endif  // RUT_FORMAT_MATRIX_H
