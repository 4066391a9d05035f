// SPDX-License-Identifier: BSD-3-Clause
#include "map_made_up.h"

#include <math.h>
#include <stdlib.h>

enum { GRADES = 15, SIDES = 8 };
static const double STEEPEST = 0.7;

void map_made_up_axis(rutMapAxis* axis, int n, double from, double to) {
  free(axis->value);
  axis->n = n;
  axis->value = calloc((size_t)n, sizeof *axis->value);
  for (int i = 0; i < n; i++) axis->value[i] = n > 1 ? from + (to - from) * i / (n - 1) : from;
}

rutMap* map_made_up(int rows, int cols, double spacing, double (*height)(double x, double y)) {
  rutMap* m = calloc(1, sizeof *m);
  m->dem = (rutGeoGrid){.rows = rows,
                        .cols = cols,
                        .value = calloc((size_t)rows * (size_t)cols, sizeof(double)),
                        .placed = true,
                        .metric = true,
                        .spacing = spacing,
                        .corner = {-spacing * (cols / 2), -spacing * (rows / 2)}};
  for (int r = 0; r < rows; r++) {
    for (int c = 0; c < cols; c++) {
      m->dem.value[r * cols + c] = height(spacing * (c - cols / 2), spacing * (rows / 2 - r));
    }
  }
  m->spacing = spacing;
  map_made_up_axis(&m->grades, GRADES, -STEEPEST, STEEPEST);
  map_made_up_axis(&m->sides, SIDES, 0, STEEPEST);
  map_made_up_axis(&m->strengths, 1, NAN, NAN);
  m->planes = m->points = GRADES * SIDES;
  m->point = calloc(GRADES * SIDES, sizeof *m->point);
  for (int i = 0; i < m->points; i++) {
    const rutMapTask t = rut_map_task(m, i);
    m->point[i] = (rutMapPoint){.speed = 10 - 10 * t.grade,
                                .deceleration = 5 + 9.81 * t.grade,
                                .margin = 0.5 - t.grade - 0.02,
                                .offset = 0.5 + t.side - 0.4};
  }
  m->strength.value = m->roughness.value = m->obstacle.value = m->sight.value = NAN;
  m->driver = (rutMapDriver){4, 1, 0.5};
  m->vehicle.gravity = 9.81;
  m->vehicle.top_speed = 20;
  m->vehicle.shape = (rutMapShape){3, 0.5, 0.5, 0.4};
  return m;
}

void map_made_up_free(rutMap* m) {
  free(m->dem.value);
  free(m->roughness.grid.value);
  free(m->grades.value);
  free(m->sides.value);
  free(m->strengths.value);
  free(m->rides.value);
  free(m->rounds.value);
  free(m->point);
  free(m);
}

// Trials find 20 m/s on no roughness, and 0 on 1 m.
void map_made_up_speeds(rutMap* m, double (*most)(int row, int col)) {
  const int rows = m->dem.rows, cols = m->dem.cols;
  m->roughness.scale = 1;
  m->roughness.grid = (rutGeoGrid){.rows = rows, .cols = cols};
  m->roughness.grid.value = calloc((size_t)rows * (size_t)cols, sizeof(double));
  for (int i = 0; i < rows * cols; i++) {
    m->roughness.grid.value[i] = 1 - most(i / cols, i % cols) / m->vehicle.top_speed;
  }
  map_made_up_axis(&m->rides, 2, 1, 2);
  m->points += 2;
  m->point = realloc(m->point, (size_t)m->points * sizeof *m->point);
  m->point[m->planes] = m->point[m->planes + 1] = (rutMapPoint){.speed = 0};
}
