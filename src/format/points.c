// SPDX-License-Identifier: BSD-3-Clause
#include "format/points.h"

#include <stdlib.h>
#include <string.h>

#include "math/rut_math.h"

rutStatus rut_points_parse(const char* text, size_t size, const char* name, int columns,
                           rutReporter* reporter, rutPoints* out) {
  *out = (rutPoints){0};
  rutPlace place = {name, 0, 0};
  rutMatrix matrix;
  rutStatus status = rut_matrix_parse(text, size, place, "", reporter, &matrix);
  if (status != RUT_OK) return status;
  double* xyz = NULL;
  if (matrix.cols < columns) {
    status = rut_report_error(reporter, RUT_ERR_PARSE, place, "", "",
                              "points need %d numbers in each line, the file has %d", columns,
                              matrix.cols);
  } else if (!(xyz = malloc(3 * sizeof *xyz * (size_t)matrix.rows))) {
    status = rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "no memory for %d points",
                              matrix.rows);
  } else {
    for (size_t i = 0; i < (size_t)matrix.rows; i++) {
      for (size_t k = 0; k < 3; k++) {
        xyz[3 * i + k] = (int)k < columns ? matrix.value[i * (size_t)matrix.cols + k] : 0;
      }
    }
    if (matrix.cols > columns) {
      rut_report_warning(reporter, place, "", "columns after the first %d are not used", columns);
    }
    *out = (rutPoints){matrix.rows, xyz};
  }
  rut_matrix_free(&matrix);
  return status;
}

void rut_points_free(rutPoints* points) {
  free(points->xyz);
  *points = (rutPoints){0};
}

// ---------------------------------------------------------------------------------------------
// Resampling

// The best point known so far for each node.
typedef struct Sampler {
  const double* xyz;
  double corner[2], resolution;
  int rows, cols;
  int32_t* nearest;  // [rows][cols], -1: none yet
} Sampler;

static double distance2(const Sampler* s, int row, int col, int32_t point) {
  double dx = s->xyz[3 * (size_t)point] - (s->corner[0] + row * s->resolution);
  double dy = s->xyz[3 * (size_t)point + 1] - (s->corner[1] + col * s->resolution);
  return dx * dx + dy * dy;
}

static void offer(Sampler* s, int row, int col, int32_t point) {
  if (row < 0 || col < 0 || row >= s->rows || col >= s->cols || point < 0) return;
  int32_t* best = &s->nearest[(size_t)row * (size_t)s->cols + (size_t)col];
  if (*best < 0 || distance2(s, row, col, point) < distance2(s, row, col, *best)) *best = point;
}

static int nearest_index(double value, double corner, double resolution, int n) {
  double i = rut_floor((value - corner) / resolution + 0.5);
  return i > 0 ? i < n - 1 ? (int)i : n - 1 : 0;
}

// Hand each node's point to the neighbours on one side of it.
static void spread(Sampler* s, int row, int col, int step) {
  int32_t point = s->nearest[(size_t)row * (size_t)s->cols + (size_t)col];
  offer(s, row, col + step, point);
  for (int k = -1; k <= 1; k++) offer(s, row + step, col + k, point);
}

// Every point is offered to the nodes around it, then two sweeps each way carry points across gaps
// (Danielsson, "Euclidean distance mapping", 1980): linear time whatever the points are.
static void find_nearest(Sampler* s, int n) {
  for (int32_t i = 0; i < n; i++) {
    int row = nearest_index(s->xyz[3 * (size_t)i], s->corner[0], s->resolution, s->rows);
    int col = nearest_index(s->xyz[3 * (size_t)i + 1], s->corner[1], s->resolution, s->cols);
    for (int r = -1; r <= 1; r++) {
      for (int c = -1; c <= 1; c++) offer(s, row + r, col + c, i);
    }
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int row = 0; row < s->rows; row++) {
      for (int col = 0; col < s->cols; col++) spread(s, row, col, 1);
      for (int col = s->cols - 1; col >= 0; col--) spread(s, row, col, 1);
      for (int col = s->cols - 1; col >= 0; col--) {
        offer(s, row, col - 1, s->nearest[(size_t)row * (size_t)s->cols + (size_t)col]);
      }
    }
    for (int row = s->rows - 1; row >= 0; row--) {
      for (int col = s->cols - 1; col >= 0; col--) spread(s, row, col, -1);
      for (int col = 0; col < s->cols; col++) {
        offer(s, row, col + 1, s->nearest[(size_t)row * (size_t)s->cols + (size_t)col]);
        spread(s, row, col, -1);
      }
    }
  }
}

static void bounds(const rutPoints* points, double low[2], double high[2]) {
  for (int k = 0; k < 2; k++) {
    low[k] = HUGE_VAL;
    high[k] = -HUGE_VAL;
    for (size_t i = 0; i < (size_t)points->n; i++) {
      double value = points->xyz[3 * i + (size_t)k];
      if (value < low[k]) low[k] = value;
      if (value > high[k]) high[k] = value;
    }
  }
}

rutStatus rut_points_resample(const rutPoints* points, double resolution, rutPlace place,
                              rutReporter* reporter, rutMatrix* out, double corner[2]) {
  *out = (rutMatrix){0};
  double low[2], high[2];
  bounds(points, low, high);
  double rows = -rut_floor(-(high[0] - low[0]) / resolution);
  double cols = -rut_floor(-(high[1] - low[1]) / resolution);
  if (!(resolution > 0 && rows >= 2 && cols >= 2)) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "", "use a finer resolution",
                            "the points must cover at least two cells along x and along y");
  }
  if (rows * cols > RUT_MATRIX_MAX_VALUES) {
    return rut_report_error(reporter, RUT_ERR_PARSE, place, "", "use a coarser resolution",
                            "the points would give %.0f x %.0f nodes, more than %d", rows, cols,
                            RUT_MATRIX_MAX_VALUES);
  }
  size_t count = (size_t)rows * (size_t)cols;
  Sampler s = {.xyz = points->xyz, .resolution = resolution, .rows = (int)rows, .cols = (int)cols};
  for (int k = 0; k < 2; k++) s.corner[k] = corner[k] = low[k] + 0.5 * resolution;
  s.nearest = malloc(count * sizeof *s.nearest);
  double* value = malloc(count * sizeof *value);
  if (!s.nearest || !value) {
    free(s.nearest);
    free(value);
    return rut_report_error(reporter, RUT_ERR_MEMORY, place, "", "", "no memory for %zu nodes",
                            count);
  }
  memset(s.nearest, 0xff, count * sizeof *s.nearest);
  find_nearest(&s, points->n);
  for (size_t i = 0; i < count; i++) {
    value[i] = points->xyz[3 * (size_t)(s.nearest[i] < 0 ? 0 : s.nearest[i]) + 2];
  }
  free(s.nearest);
  *out = (rutMatrix){s.rows, s.cols, value};
  return RUT_OK;
}
