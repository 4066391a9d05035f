// SPDX-License-Identifier: BSD-3-Clause
//
// The exact Euclidean distance transform in whole numbers and linear time (Meijster, Roerdink,
// Hesselink, "A general algorithm for computing distance transforms in linear time", 2000):
// distances within columns first, then in each row the lower envelope of parabolas.
#include "plan/grid.h"

// Distances to the nearest blocked cell of the same column; `most` where there is none.
static void columns(const rutPlanGrid* grid, int32_t most, int32_t* out) {
  const int width = grid->width, height = grid->height;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      const int at = y * width + x;
      const int32_t above = y > 0 ? out[at - width] : most;
      out[at] = grid->cost[at] == 0 ? 0 : above < most ? above + 1 : most;
    }
  }
  for (int y = height - 2; y >= 0; y--) {
    for (int x = 0; x < width; x++) {
      const int at = y * width + x;
      if (out[at + width] + 1 < out[at]) out[at] = out[at + width] + 1;
    }
  }
}

typedef struct Row {
  int width;
  int32_t *column, *site, *begin;  // [width] distances; parabolas of the envelope, and from where
} Row;

static int64_t parabola(const Row* r, int64_t x, int64_t site) {
  const int64_t g = r->column[site];
  return (x - site) * (x - site) + g * g;
}

// Last place where the parabola of site a is not above that of b, which is to its right.
static int64_t crossing(const Row* r, int64_t a, int64_t b) {
  const int64_t ga = r->column[a], gb = r->column[b];
  return (b * b - a * a + gb * gb - ga * ga) / (2 * (b - a));
}

static void envelope(const Row* r, int32_t* out) {
  int q = 0;
  r->site[0] = r->begin[0] = 0;
  for (int32_t u = 1; u < r->width; u++) {
    while (q >= 0 && parabola(r, r->begin[q], r->site[q]) > parabola(r, r->begin[q], u)) {
      q--;
    }
    const int64_t from = q < 0 ? 0 : 1 + crossing(r, r->site[q], u);
    if (from >= r->width) continue;
    q++;
    r->site[q] = u;
    r->begin[q] = (int32_t)from;
  }
  for (int u = r->width - 1; u >= 0; u--) {
    const int64_t squared = parabola(r, u, r->site[q]);
    out[u] = squared < INT32_MAX ? (int32_t)squared : INT32_MAX;
    if (u == r->begin[q]) q--;
  }
}

void rut_plan_distances(const rutPlanGrid* grid, int32_t* squared, int32_t* work) {
  const int width = grid->width, height = grid->height;
  // further than any cell is from another, and its square from any square of a distance
  const int32_t most = width + height;
  columns(grid, most, squared);
  const Row row = {width, work, work + width, work + 2 * (ptrdiff_t)width};
  for (int y = 0; y < height; y++) {
    int32_t* out = squared + (ptrdiff_t)y * width;
    for (int x = 0; x < width; x++) row.column[x] = out[x];
    envelope(&row, out);
    for (int x = 0; x < width; x++) {
      if (out[x] >= (int64_t)most * most) out[x] = INT32_MAX;
    }
  }
}
