// SPDX-License-Identifier: BSD-3-Clause
#include "plan/grid.h"

#include <stdlib.h>

#include "base/report.h"
#include "math/rut_math.h"

static void difference(const rutPlanGrid* grid, int a, int b, int64_t d[2]) {
  d[0] = llabs((int64_t)(b % grid->width) - a % grid->width);
  d[1] = llabs((int64_t)(b / grid->width) - a / grid->width);
}

int64_t rut_grid_octile(const rutPlanGrid* grid, int a, int b) {
  int64_t d[2];
  difference(grid, a, b, d);
  const int64_t most = d[0] > d[1] ? d[0] : d[1], least = d[0] + d[1] - most;
  return 2 * (RUT_GRID_STRAIGHT * (most - least) + RUT_GRID_DIAGONAL * least);
}

double rut_grid_euclid(const rutPlanGrid* grid, int a, int b) {
  int64_t d[2];
  difference(grid, a, b, d);
  return rut_sqrt((double)(d[0] * d[0] + d[1] * d[1]));
}

double rut_grid_line_cost(const rutPlanGrid* grid, int a, int b) {
  int64_t d[2];
  difference(grid, a, b, d);
  const int along_x = b % grid->width > a % grid->width ? 1 : -1;
  const int along_y = b / grid->width > a / grid->width ? grid->width : -grid->width;
  // borders of cells are crossed at odd multiples of 1/(2 d), which whole numbers compare exactly
  int64_t i = 0, j = 0;
  double at = 0, dearer = 0;
  int cell = a;
  while (i < d[0] || j < d[1]) {
    const int64_t x = (2 * i + 1) * d[1], y = (2 * j + 1) * d[0];
    const bool corner = x == y, step_x = x <= y, step_y = x >= y;
    const double next = step_x ? (double)(2 * i + 1) / (double)(2 * d[0])
                               : (double)(2 * j + 1) / (double)(2 * d[1]);
    dearer += (next - at) * (grid->cost[cell] - 1);
    at = next;
    if (corner && !grid->cut_corners &&
        (grid->cost[cell + along_x] == 0 || grid->cost[cell + along_y] == 0)) {
      return RUT_INFINITY;
    }
    if (step_x) cell += along_x;
    if (step_y) cell += along_y;
    i += step_x;
    j += step_y;
    if (grid->cost[cell] == 0) return RUT_INFINITY;
  }
  dearer += (1 - at) * (grid->cost[cell] - 1);
  return rut_grid_euclid(grid, a, b) * (1 + dearer);
}

void rut_grid_flood(const rutPlanGrid* grid, int to, int64_t* cost, rutHeap* heap) {
  const int cells = rut_grid_cells(grid);
  for (int i = 0; i < cells; i++) cost[i] = RUT_GRID_FAR;
  if (grid->cost[to] == 0) return;
  cost[to] = 0;
  rut_heap_put(heap, to, (rutHeapKey){0, 0});
  while (heap->count > 0) {
    const int cell = rut_heap_take(heap).item;
    for (int k = 0; k < RUT_GRID_NEIGHBOURS; k++) {
      const int next = rut_grid_next(grid, cell, k);
      if (next < 0) continue;
      const int64_t sum = cost[cell] + rut_grid_step_cost(grid, cell, next, k);
      if (sum >= cost[next]) continue;
      cost[next] = sum;
      rut_heap_put(heap, next, (rutHeapKey){sum, 0});
    }
  }
}

rutStatus rut_grid_check(const rutPlanGrid* grid, int most, const int from_to[2], rutError* err) {
  const int width = grid->width, height = grid->height;
  if (width < 1 || height < 1 || width > RUT_PLAN_MOST_SIDE || height > RUT_PLAN_MOST_SIDE ||
      (int64_t)width * height > most) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a grid of %d x %d cells: sides are 1 to %d, and this search has room for "
                         "%d cells",
                         width, height, RUT_PLAN_MOST_SIDE, most);
  }
  for (int i = 0; i < 2; i++) {
    if (from_to[i] >= 0 && from_to[i] < width * height) continue;
    return rut_error_set(err, RUT_ERR_ARGUMENT, "cell %d is outside of the grid of %d x %d cells",
                         from_to[i], width, height);
  }
  return RUT_OK;
}
