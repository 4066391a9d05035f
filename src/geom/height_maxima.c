// SPDX-License-Identifier: BSD-3-Clause
#include "geom/height_field.h"
#include "math/lanes.h"
#include "math/rut_math.h"

enum { TILE = 1 << (RUT_MAXIMA_LEVELS - 1), FRAME = 1 };
// Numbers that an index of 32 bits and the error of a float leave room for.
#define MOST_NUMBERS 0x1p30
#define MOST_CELLS   (1 << 18)

static int padded(int nodes) { return (nodes - 1 + 2 * FRAME + TILE - 1) / TILE * TILE; }

size_t rut_height_maxima_size(int nx, int ny) {
  if (nx > MOST_CELLS || ny > MOST_CELLS) return 0;
  const size_t cells = (size_t)padded(nx) * (size_t)padded(ny);
  if ((double)cells > MOST_NUMBERS) return 0;
  size_t size = 0;
  for (int level = 0; level < RUT_MAXIMA_LEVELS; level++) size += cells >> 2 * level;
  return size;
}

// Larger of two numbers, b if a is NaN.
RUT_INLINE double larger(double a, double b) { return a > b ? a : b; }
RUT_INLINE float larger_f(float a, float b) { return a > b ? a : b; }

// Highest corners of a row of cells, and the steepest edges along the row and across it.
RUT_CLONES static void fill_cells(const double* restrict low, const double* restrict high, int n,
                                  double base, float* restrict top, double steps[2]) {
  double along = steps[0], across = steps[1];
  _Pragma("omp simd reduction(max : along, across)") for (int i = 0; i < n; i++) {
    const double a = low[i], b = low[i + 1], c = high[i], d = high[i + 1];
    double most = a > -RUT_INFINITY ? a : -RUT_INFINITY;
    most = larger(b, most);
    most = larger(c, most);
    most = larger(d, most);
    top[i] = (float)(most - base);
    const double ab = rut_abs(b - a), cd = rut_abs(d - c), ac = rut_abs(c - a), bd = rut_abs(d - b);
    along = ab > along ? ab : along;
    along = cd > along ? cd : along;
    across = ac > across ? ac : across;
    across = bd > across ? bd : across;
  }
  steps[0] = along;
  steps[1] = across;
}

RUT_CLONES static void fill_blocks(const float* restrict low, const float* restrict high, int n,
                                   float* restrict top) {
  RUT_FOR_LANES(i, n) {
    top[i] = larger_f(larger_f(low[2 * i], low[2 * i + 1]), larger_f(high[2 * i], high[2 * i + 1]));
  }
}

static void copy_row(const float* from, int n, float* to) {
  for (int i = 0; i < n; i++) to[i] = from[i];
}

static void empty(int n, float* to) {
  for (int i = 0; i < n; i++) to[i] = -INFINITY;
}

void rut_height_maxima_build(rutHeightField* field, float* top, rutHeightMaxima* maxima) {
  const int cells = field->nx - 1, lines = field->ny - 1;
  const int width = padded(field->nx), rows = padded(field->ny);
  const double range = field->z_max - field->z_min;
  double steps[2] = {0, 0};
  for (int iy = 0; iy < lines; iy++) {
    const double* low = field->height + (ptrdiff_t)iy * field->nx;
    float* row = top + (ptrdiff_t)(iy + FRAME) * width;
    fill_cells(low, low + field->nx, cells, field->z_min, row + FRAME, steps);
    row[0] = row[1];
    row[cells + 1] = row[cells];
    empty(width - cells - 2, row + cells + 2);
  }
  copy_row(top + width, width, top);
  copy_row(top + (ptrdiff_t)lines * width, width, top + (ptrdiff_t)(lines + 1) * width);
  empty((rows - lines - 2) * width, top + (ptrdiff_t)(lines + 2) * width);
  *maxima = (rutHeightMaxima){.width = width,
                              .rows = rows,
                              .base = field->z_min,
                              .slope = rut_hypot(steps[0], steps[1]) / field->spacing,
                              .top = top};
  for (int level = 1; level < RUT_MAXIMA_LEVELS; level++) {
    const int below = width >> (level - 1), n = width >> level;
    float* next = top + (ptrdiff_t)below * (rows >> (level - 1));
    for (int iy = 0; iy < rows >> level; iy++) {
      const float* pair = top + (ptrdiff_t)2 * iy * below;
      fill_blocks(pair, pair + below, n, next + (ptrdiff_t)iy * n);
    }
    top = next;
  }
  // a field of holes, or of heights that are beyond numbers
  if (rut_is_finite(range) && range >= 0 && rut_is_finite(maxima->slope)) field->maxima = maxima;
}
