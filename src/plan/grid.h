// SPDX-License-Identifier: BSD-3-Clause
//
// What searches over a grid of costs share: neighbours, costs of steps, distances.
#ifndef RUT_PLAN_GRID_H
#define RUT_PLAN_GRID_H

#include "base/heap.h"
#include "rut/plan.h"

enum { RUT_GRID_NEIGHBOURS = 8 };
// Halves of what a step costs for each 1 of the cost of a cell: it lies in two cells.
enum { RUT_GRID_STRAIGHT = 500, RUT_GRID_DIAGONAL = 707 };

// Cells along x and y to neighbour k, counter-clockwise from east.
static inline void rut_grid_neighbour(int k, int step[2]) {
  static const int table[RUT_GRID_NEIGHBOURS][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                                    {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  step[0] = table[k][0];
  step[1] = table[k][1];
}

static inline int rut_grid_cells(const rutPlanGrid* grid) { return grid->width * grid->height; }

static inline bool rut_grid_has(const rutPlanGrid* grid, int x, int y) {
  return x >= 0 && x < grid->width && y >= 0 && y < grid->height;
}

// Neighbour k of a cell if a step leads there, or -1: it is outside, one of them is blocked, or the
// step cuts a corner.
static inline int rut_grid_next(const rutPlanGrid* grid, int cell, int k) {
  const int x = cell % grid->width, y = cell / grid->width;
  int step[2];
  rut_grid_neighbour(k, step);
  if (!rut_grid_has(grid, x + step[0], y + step[1])) return -1;
  const int beside = cell + step[0], above = cell + step[1] * grid->width;
  const int to = beside + step[1] * grid->width;
  if (grid->cost[cell] == 0 || grid->cost[to] == 0) return -1;
  const bool cuts = k % 2 != 0 && (grid->cost[beside] == 0 || grid->cost[above] == 0);
  return cuts && !grid->cut_corners ? -1 : to;
}

// Cost of a step to neighbour k [1/1000].
static inline int64_t rut_grid_step_cost(const rutPlanGrid* grid, int cell, int to, int k) {
  const int64_t half = k % 2 != 0 ? RUT_GRID_DIAGONAL : RUT_GRID_STRAIGHT;
  return half * (grid->cost[cell] + grid->cost[to]);
}

// Least cost of a way between two cells over eight neighbours where every cell costs 1 [1/1000].
int64_t rut_grid_octile(const rutPlanGrid* grid, int a, int b);
// Straight distance [cells].
double rut_grid_euclid(const rutPlanGrid* grid, int a, int b);
// Cost of the straight line between the middles of two cells, its length in each cell times the
// cost there [cells]; infinite where one is blocked or, without cut_corners, touched at its corner.
double rut_grid_line_cost(const rutPlanGrid* grid, int a, int b);
// Costs of ways from all cells to one [1/1000], [cells]; RUT_GRID_FAR where there is none. heap: of
// as many items, empty.
#define RUT_GRID_FAR INT64_MAX
void rut_grid_flood(const rutPlanGrid* grid, int to, int64_t* cost, rutHeap* heap);
// Whether a grid is one, of at most so many cells, and the cells lie in it. Errors: ARGUMENT.
// Nullable: err.
rutStatus rut_grid_check(const rutPlanGrid* grid, int most, const int from_to[2], rutError* err);

#endif  // RUT_PLAN_GRID_H
