// SPDX-License-Identifier: BSD-3-Clause
//
// Grid over the moving bodies by their centres of mass, rebuilt for every step with a counting
// sort: linear in the number of bodies, and the same order for the same poses.
#include <string.h>

#include "contact/contact_data.h"
#include "math/lanes.h"
#include "math/rut_math.h"

enum { CELLS_PER_BODY = 2, FREE_CELLS = 16, SUMS = 8 };

#define DEVIATIONS    4      // standard deviations from the mean beyond which bodies are outliers
#define FARTHEST      1e300  // extent that is still divided into cells [m]
#define SMALLEST_CELL 1e-3   // [m]
#define CELL_GROWTH   1.25

int rut_body_cells(int bodies) { return CELLS_PER_BODY * bodies + FREE_CELLS; }

// Sums and extremes of numbers, in a fixed number of lanes: the same bits for vectors of any width.
typedef struct Range {
  double sum[SUMS], least[SUMS], most[SUMS];
} Range;

static inline void take(Range* r, int l, double x) {
  r->sum[l] += x;
  r->least[l] = x < r->least[l] ? x : r->least[l];
  r->most[l] = x > r->most[l] ? x : r->most[l];
}

static void join_range(Range* r) {
  for (int l = 1; l < SUMS; l++) {
    r->sum[0] += r->sum[l];
    r->least[0] = r->least[l] < r->least[0] ? r->least[l] : r->least[0];
    r->most[0] = r->most[l] > r->most[0] ? r->most[l] : r->most[0];
  }
}

// Range of one coordinate without far outliers: they would make the cells of all others too large.
// Bodies outside are sorted into the outermost cells.
RUT_CLONES static void spread(int n, const double* x, double* low, double* high) {
  Range r;
  double square[SUMS] = {0};
  for (int l = 0; l < SUMS; l++) {
    r.sum[l] = 0;
    r.least[l] = HUGE_VAL;
    r.most[l] = -HUGE_VAL;
  }
  const int whole = n - n % SUMS;
  for (int i = 0; i < whole; i += SUMS) {
#pragma omp simd
    for (int l = 0; l < SUMS; l++) take(&r, l, x[i + l]);
  }
  for (int i = whole; i < n; i++) take(&r, i - whole, x[i]);
  join_range(&r);
  const double mean = r.sum[0] / n;
  for (int i = 0; i < whole; i += SUMS) {
#pragma omp simd
    for (int l = 0; l < SUMS; l++) square[l] += (x[i + l] - mean) * (x[i + l] - mean);
  }
  for (int i = whole; i < n; i++) square[i - whole] += (x[i] - mean) * (x[i] - mean);
  for (int l = 1; l < SUMS; l++) square[0] += square[l];
  const double deviation = rut_sqrt(square[0] / n);
  *low = rut_max(r.least[0], mean - DEVIATIONS * deviation);
  *high = rut_min(r.most[0], mean + DEVIATIONS * deviation);
}

static void choose_cells(const rutContactModel* model, const rutBodies* bodies, rutCellGrid* grid) {
  int n = model->bodies, limit = rut_body_cells(n);
  // no cells smaller than what bodies reach
  const double least = rut_max(2 * model->typical_radius + model->margin, SMALLEST_CELL);
  double x_max, y_max;
  if (n == 1 && rut_is_finite(bodies->x[0]) && rut_is_finite(bodies->y[0])) {
    *grid = (rutCellGrid){1, 1, bodies->x[0], bodies->y[0], least, 1 / least};
    return;
  }
  spread(n, bodies->x, &grid->x, &x_max);
  spread(n, bodies->y, &grid->y, &y_max);
  double width = x_max - grid->x, height = y_max - grid->y;
  if (!(width >= 0 && width < FARTHEST && height >= 0 && height < FARTHEST)) {
    *grid = (rutCellGrid){1, 1, 0, 0, 1, 0};
    return;
  }
  // one body per cell on average
  double size = rut_max(rut_sqrt(width) * rut_sqrt(height) / rut_sqrt(n), least);
  size = rut_max(size, rut_max(width, height) / limit);
  while ((width / size + 1) * (height / size + 1) > limit) size *= CELL_GROWTH;
  grid->size = size;
  grid->inverse = 1 / size;
  grid->nx = (int)(width * grid->inverse) + 1;
  grid->ny = (int)(height * grid->inverse) + 1;
  if (grid->nx * grid->ny > limit) grid->nx = grid->ny = 1;
}

RUT_CLONES static void find_axes(int n, const double* yaw, double* sine, double* cosine) {
#pragma omp simd
  for (int i = 0; i < n; i++) rut_sincos(yaw[i], &sine[i], &cosine[i]);
}

void rut_contact_index(const rutContactModel* model, rutContactState* state,
                       const rutBodies* bodies) {
  int n = model->bodies;
  if (n == 0) return;
  rutCellGrid* grid = &state->cells;
  choose_cells(model, bodies, grid);
  int cells = grid->nx * grid->ny;
  int* start = state->cell_start;
  memset(start, 0, (size_t)(cells + 1) * sizeof *start);
  for (int i = 0; i < n; i++) {
    int ix = rut_cell_index(bodies->x[i], grid->x, grid->inverse, grid->nx);
    int iy = rut_cell_index(bodies->y[i], grid->y, grid->inverse, grid->ny);
    state->cell_of[i] = iy * grid->nx + ix;
    start[state->cell_of[i]]++;
  }
  for (int c = 1; c <= cells; c++) start[c] += start[c - 1];
  for (int i = n - 1; i >= 0; i--) {
    int k = --start[state->cell_of[i]];
    state->entry[k] = i;
    state->entry_x[k] = bodies->x[i];
    state->entry_y[k] = bodies->y[i];
  }
  find_axes(n, bodies->yaw, state->sine, state->cosine);
}
