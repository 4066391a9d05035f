// SPDX-License-Identifier: BSD-3-Clause
//
// Matrices and points written as text.
#include "format/matrix.h"
#include "format/points.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const char* text = (const char*)data;
  rutReporter reporter = {0};
  rutPlace place = {"fuzz", 0, 0};
  rutMatrix m, out;
  if (rut_matrix_parse(text, size, place, "", &reporter, &m) == RUT_OK) {
    // the matrix as its own kernel: mostly refused
    if (rut_matrix_smooth(&m, &m, place, "", &reporter, &out) == RUT_OK) rut_matrix_free(&out);
    rut_matrix_free(&m);
  }
  rutPoints points;
  if (rut_points_parse(text, size, "fuzz", 3, &reporter, &points) == RUT_OK) {
    // about 20 nodes along the longer side
    double corner[2], box[4];
    for (int k = 0; k < 2; k++) {
      box[k] = box[2 + k] = points.xyz[k];
      for (int i = 0; i < points.n; i++) {
        double value = points.xyz[3 * i + k];
        box[k] = value < box[k] ? value : box[k];
        box[2 + k] = value > box[2 + k] ? value : box[2 + k];
      }
    }
    double x = box[2] - box[0], y = box[3] - box[1], side = x > y ? x : y;
    if (rut_points_resample(&points, side / 20, place, &reporter, &out, corner) == RUT_OK) {
      rut_matrix_free(&out);
    }
    rut_points_free(&points);
  }
  return 0;
}
