// SPDX-License-Identifier: BSD-3-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "geom/occupancy.h"
#include "math/rut_math.h"

static uint32_t seed = 7;
static double random_unit(void) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) / 16777216.0;
}

// A grid from rows of text, the top row first: '.' free, '#' occupied, '?' unknown.
static rutOccupancy draw(const char* const* row, int ny, double resolution, double x, double y) {
  int nx = (int)strlen(row[0]);
  rutOccupancy grid;
  const double origin[2] = {x, y};
  rut_occupancy_init(&grid, nx, ny, resolution, origin, malloc(rut_occupancy_bytes(nx, ny)));
  for (int iy = 0; iy < ny; iy++) {
    for (int ix = 0; ix < nx; ix++) {
      char c = row[ny - 1 - iy][ix];
      grid.cell[iy * nx + ix] = c == '#'   ? RUT_CELL_OCCUPIED
                                : c == '?' ? RUT_CELL_UNKNOWN
                                           : RUT_CELL_FREE;
    }
  }
  rut_occupancy_build(&grid);
  return grid;
}

static rutOccupancy scatter(int nx, int ny, double density) {
  rutOccupancy grid;
  const double origin[2] = {-3.7, 11.3};
  rut_occupancy_init(&grid, nx, ny, 0.25, origin, malloc(rut_occupancy_bytes(nx, ny)));
  for (int i = 0; i < nx * ny; i++) {
    double r = random_unit();
    grid.cell[i] = r < density         ? RUT_CELL_OCCUPIED
                   : r < 1.2 * density ? RUT_CELL_UNKNOWN
                                       : RUT_CELL_FREE;
  }
  rut_occupancy_build(&grid);
  return grid;
}

// Distance to where a ray enters a square (slab method), infinite for a miss.
static double enter_square(double x, double y, double dx, double dy, const double box[4]) {
  double enter = 0, leave = (double)INFINITY;
  const double start[2] = {x, y}, rate[2] = {dx, dy};
  for (int k = 0; k < 2; k++) {
    double a = (box[k] - start[k]) / rate[k], b = (box[2 + k] - start[k]) / rate[k];
    enter = fmax(enter, fmin(a, b));
    leave = fmin(leave, fmax(a, b));
  }
  return enter < leave ? enter : (double)INFINITY;
}

// Every cell that is not free, one by one.
static double slow_cast(const rutOccupancy* g, double x, double y, double dx, double dy,
                        double max_range) {
  double best = (double)INFINITY;
  rutCell what = RUT_CELL_FREE;
  for (int i = 0; i < g->nx * g->ny; i++) {
    if (g->cell[i] == RUT_CELL_FREE) continue;
    double x0 = g->origin[0] + (i % g->nx) * g->resolution;
    double y0 = g->origin[1] + (i / g->nx) * g->resolution;
    const double box[4] = {x0, y0, x0 + g->resolution, y0 + g->resolution};
    double t = enter_square(x, y, dx, dy, box);
    if (t < best) {
      best = t;
      what = g->cell[i];
    }
  }
  return what == RUT_CELL_OCCUPIED && best <= max_range ? best : (double)INFINITY;
}

static double cast(const rutOccupancy* g, double x, double y, double dx, double dy, double limit) {
  return rut_occupancy_cast(g, &(rutGridRay){x, y, dx, dy, limit}, NULL);
}

static void rays_match_brute_force(void** state) {
  (void)state;
  const double density[] = {0.002, 0.02, 0.1, 0.4};
  int hits = 0, misses = 0;
  for (int round = 0; round < 40; round++) {
    rutOccupancy grid = scatter(20 + round, 45 - round, density[round % 4]);
    for (int i = 0; i < 2500; i++) {
      // some rays start outside
      double x = grid.origin[0] + (random_unit() * 1.4 - 0.2) * grid.nx * grid.resolution;
      double y = grid.origin[1] + (random_unit() * 1.4 - 0.2) * grid.ny * grid.resolution;
      double angle = random_unit() * 2 * RUT_PI, range = random_unit() * 12;
      double dx = cos(angle), dy = sin(angle);
      double expected = slow_cast(&grid, x, y, dx, dy, range);
      assert_near(cast(&grid, x, y, dx, dy, range), expected, 1e-9);
      isinf(expected) ? misses++ : hits++;
    }
    free(grid.cell);
  }
  // both kinds occur often, so the comparison means something
  assert_true(hits > 20000 && misses > 20000);
}

static void rays_along_the_axes(void** state) {
  (void)state;
  const char* const picture[] = {
      "......#",
      ".......",
      "..#....",
      "?......",
  };
  rutOccupancy g = draw(picture, 4, 0.5, 10, -2);
  const double inf = (double)INFINITY;
  // cell (2, 1) is the square 11 to 11.5, -1.5 to -1
  assert_near(cast(&g, 10.25, -1.25, 1, 0, 5), 0.75, 0);
  assert_near(cast(&g, 12.75, -1.25, -1, 0, 5), 1.25, 0);
  assert_near(cast(&g, 11.25, -0.25, 0, -1, 5), 0.75, 0);
  assert_near(cast(&g, 11.25, -1.75, 0, 1, 5), 0.25, 0);
  assert_near(cast(&g, 11.25, -1.75, 0, 1, 0.25), 0.25, 0);
  assert_near(cast(&g, 11.25, -1.75, 0, 1, 0.2499), inf, 0);
  assert_near(cast(&g, 11.2, -1.2, 0, 1, 5), 0, 0);
  // leaves the grid, comes in from outside, passes by
  assert_near(cast(&g, 10.25, -0.75, 1, 0, 50), inf, 0);
  assert_near(cast(&g, 5, -1.25, 1, 0, 50), 6, 0);
  assert_near(cast(&g, 5, -5, 1, 0, 50), inf, 0);
  // an unknown cell ends a ray without a range, also where an obstacle stands behind it
  assert_near(cast(&g, 12, -1.75, -1, 0, 50), inf, 0);
  assert_near(cast(&g, 9, -1.75, 1, 0, 50), inf, 0);
  free(g.cell);
}

// Cells are half-open: a start on a line belongs to the cell above or right of it.
static void rays_on_cell_boundaries(void** state) {
  (void)state;
  const char* const picture[] = {
      "....",
      "..#.",
      "....",
      "....",
  };
  rutOccupancy g = draw(picture, 4, 1, 0, 0);
  const double inf = (double)INFINITY;
  assert_near(cast(&g, 0.5, 2, 1, 0, 9), 1.5, 0);
  assert_near(cast(&g, 0.5, 3, 1, 0, 9), inf, 0);
  assert_near(cast(&g, 2, 0.5, 0, 1, 9), 1.5, 0);
  assert_near(cast(&g, 3, 0.5, 0, 1, 9), inf, 0);
  assert_near(cast(&g, 3, 2.5, -1, 0, 9), 0, 0);
  assert_near(cast(&g, 2, 2.5, 1, 0, 9), 0, 0);
  assert_near(cast(&g, 2.5, 2, 0, 1, 9), 0, 0);
  assert_near(cast(&g, 2, 2.5, -1, 0, 9), 0, 0);
  // through a corner of the grid
  double d = sqrt(0.5);
  assert_near(cast(&g, 0, 0, d, d, 9), 2 * sqrt(2.0), 1e-15);
  assert_near(cast(&g, -1, -1, d, d, 9), 3 * sqrt(2.0), 1e-15);
  free(g.cell);
}

static void hopeless_rays_return_nothing(void** state) {
  (void)state;
  const char* const picture[] = {"..#"};
  rutOccupancy g = draw(picture, 1, 1, 0, 0);
  const double inf = (double)INFINITY, nan = (double)NAN;
  assert_near(cast(&g, nan, 0.5, 1, 0, 9), inf, 0);
  assert_near(cast(&g, 0.5, 0.5, nan, 0, 9), inf, 0);
  assert_near(cast(&g, 0.5, 0.5, 0, 0, 9), inf, 0);
  assert_near(cast(&g, 0.5, 0.5, 1, 0, nan), inf, 0);
  assert_near(cast(&g, 1e300, 0.5, 1, 0, inf), inf, 0);
  assert_near(cast(&g, 0.5, 0.5, 1, -1e-300, inf), 1.5, 0);
  assert_near(cast(&g, 0.5, 0.5, 1, -0.0, inf), 1.5, 0);
  free(g.cell);
}

static void open_squares_are_the_largest(void** state) {
  (void)state;
  const char* const picture[] = {
      ".....",
      "...#.",
      ".....",
      ".....",
  };
  rutOccupancy g = draw(picture, 4, 1, 0, 0);
  assert_int_equal(g.open[0], 3 - 0);               // from (0, 0) up right: 3 x 3 free
  assert_int_equal(g.open[1], 2);                   // from (1, 0): (3, 2) stops it
  assert_int_equal(g.open[2 * 5 + 3], 0);           // the obstacle
  assert_int_equal(g.open[3 * 20 + 3 * 5 + 2], 3);  // from (2, 3) down left
  assert_int_equal(g.open[20 + 4], 2);              // from (4, 0) up left
  free(g.cell);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rays_match_brute_force),
      cmocka_unit_test(rays_along_the_axes),
      cmocka_unit_test(rays_on_cell_boundaries),
      cmocka_unit_test(hopeless_rays_return_nothing),
      cmocka_unit_test(open_squares_are_the_largest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
