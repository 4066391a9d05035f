// SPDX-License-Identifier: BSD-3-Clause
//
// Contact with the occupied cells of a grid. Cells next to each other are joined into rectangles,
// and sides that lie against other occupied cells make no contact, so that a body slides along a
// wall of cells as along a smooth one.
#include "contact/contact_data.h"
#include "math/rut_math.h"

#define ALL_SIDES 15u         // a bit per side, as rut_convex_collide takes them
#define CELL_ID   (1u << 31)  // marks ids of points that are cells

// Rectangles that are followed from row to row at a time; what exceeds them is not joined.
enum { OPEN_RUNS = 32 };

typedef struct Run {
  int x0, x1, y0;  // columns, both inclusive, and first row
} Run;

typedef struct CellSearch {
  const rutOccupancy* grid;
  const rutConvex* convex;
  int span[4];  // first and last column and row that the convex itself overlaps: x0, y0, x1, y1
  double reach;
  rutTouchOffer* offer;
  void* user;
} CellSearch;

static bool occupied(const rutOccupancy* grid, int ix, int iy) {
  if (ix < 0 || iy < 0 || ix >= grid->nx || iy >= grid->ny) return false;
  return grid->cell[(size_t)iy * (size_t)grid->nx + (size_t)ix] == RUT_CELL_OCCUPIED;
}

static bool row_is_full(const rutOccupancy* grid, int x0, int x1, int iy) {
  for (int ix = x0; ix <= x1; ix++) {
    if (!occupied(grid, ix, iy)) return false;
  }
  return true;
}

static bool column_is_full(const rutOccupancy* grid, int ix, int y0, int y1) {
  for (int iy = y0; iy <= y1; iy++) {
    if (!occupied(grid, ix, iy)) return false;
  }
  return true;
}

static int limit(int i, int low, int high) { return i < low ? low : i > high ? high : i; }

// Sides of a rectangle (of `box`, in its order) that lie against occupied cells where the body is.
static unsigned blocked_sides(const CellSearch* s, Run r, int y1) {
  const rutOccupancy* g = s->grid;
  int left = limit(s->span[0], r.x0, r.x1), right = limit(s->span[2], r.x0, r.x1);
  int low = limit(s->span[1], r.y0, y1), high = limit(s->span[3], r.y0, y1);
  return (row_is_full(g, left, right, r.y0 - 1) ? 1u : 0) |
         (column_is_full(g, r.x1 + 1, low, high) ? 2u : 0) |
         (row_is_full(g, left, right, y1 + 1) ? 4u : 0) |
         (column_is_full(g, r.x0 - 1, low, high) ? 8u : 0);
}

static void touch_rectangle(const CellSearch* s, Run r, int y1) {
  static const double normal[8] = {0, -1, 1, 0, 0, 1, -1, 0};
  const rutOccupancy* g = s->grid;
  unsigned blocked = blocked_sides(s, r, y1);
  if (blocked == ALL_SIDES) return;
  double left = g->origin[0] + r.x0 * g->resolution;
  double right = g->origin[0] + (r.x1 + 1) * g->resolution;
  double low = g->origin[1] + r.y0 * g->resolution;
  double high = g->origin[1] + (y1 + 1) * g->resolution;
  double xy[8] = {left, low, right, low, right, high, left, high};
  rutConvex box = {4, xy, normal};
  rutManifold m;
  if (!rut_convex_collide(s->convex, &box, s->reach, blocked, 0.5 * g->resolution, &m)) return;
  // cut corners move with the body: name points by the place where they are instead
  for (int k = 0; k < m.n; k++) {
    int ix = rut_cell_index(m.point[k][0], g->origin[0], 1 / g->resolution, g->nx);
    int iy = rut_cell_index(m.point[k][1], g->origin[1], 1 / g->resolution, g->ny);
    m.id[k] = CELL_ID | ((uint32_t)iy * (uint32_t)g->nx + (uint32_t)ix);
  }
  s->offer(s->user, &m);
}

// Columns and rows that touch the box, cut to the grid. False if it is clear of all of them.
static bool cells_of_box(const rutOccupancy* g, const double box[4], int range[4]) {
  double scale = 1 / g->resolution;
  if (!(box[2] >= g->origin[0] && box[3] >= g->origin[1] &&
        box[0] <= g->origin[0] + g->nx * g->resolution &&
        box[1] <= g->origin[1] + g->ny * g->resolution)) {
    return false;
  }
  range[0] = rut_cell_index(box[0], g->origin[0], scale, g->nx);
  range[1] = rut_cell_index(box[1], g->origin[1], scale, g->ny);
  range[2] = rut_cell_index(box[2], g->origin[0], scale, g->nx);
  range[3] = rut_cell_index(box[3], g->origin[1], scale, g->ny);
  int width = range[2] - range[0], height = range[3] - range[1];
  // most boxes are clear: the largest free square from their low corner covers them
  return g->open[(size_t)range[1] * (size_t)g->nx + (size_t)range[0]] <=
         (width > height ? width : height);
}

// Take the run out of `open` that a run of the next row continues. Returns its first row, or -1.
static int continue_run(Run* open, int* count, int x0, int x1) {
  for (int i = 0; i < *count; i++) {
    if (open[i].x0 != x0 || open[i].x1 != x1) continue;
    int y0 = open[i].y0;
    for (int k = i + 1; k < *count; k++) open[k - 1] = open[k];
    (*count)--;
    return y0;
  }
  return -1;
}

void rut_touch_cells(const rutOccupancy* grid, const rutConvex* convex, const double box[4],
                     double reach, rutTouchOffer* offer, void* user) {
  CellSearch s = {.grid = grid, .convex = convex, .reach = reach, .offer = offer, .user = user};
  int range[4];
  if (!cells_of_box(grid, box, range)) return;
  for (int k = 0; k < 4; k++) {
    double tight = k < 2 ? box[k] + reach : box[k] - reach;
    s.span[k] = rut_cell_index(tight, grid->origin[k % 2], 1 / grid->resolution,
                               k % 2 ? grid->ny : grid->nx);
  }
  Run open[OPEN_RUNS], next[OPEN_RUNS];
  int count = 0;
  for (int iy = range[1]; iy <= range[3] + 1; iy++) {
    int found = 0;
    for (int ix = range[0]; iy <= range[3] && ix <= range[2]; ix++) {
      size_t cell = (size_t)iy * (size_t)grid->nx + (size_t)ix;
      if (grid->open[cell] > 0) {
        // so many cells to the right of this one are free as well
        ix += grid->open[cell] - 1;
        continue;
      }
      if (grid->cell[cell] != RUT_CELL_OCCUPIED) continue;
      int x0 = ix;
      while (ix < range[2] && occupied(grid, ix + 1, iy)) ix++;
      int y0 = continue_run(open, &count, x0, ix);
      Run r = {x0, ix, y0 < 0 ? iy : y0};
      if (found < OPEN_RUNS) {
        next[found++] = r;
      } else {
        touch_rectangle(&s, r, iy);
      }
    }
    for (int i = 0; i < count; i++) touch_rectangle(&s, open[i], iy - 1);
    for (int i = 0; i < found; i++) open[i] = next[i];
    count = found;
  }
}
