// SPDX-License-Identifier: BSD-3-Clause
//
// Occupancy grid: cells that are free, occupied or unknown, with the tables that let a ray cross
// free space in a few jumps. Rows are stored bottom-up: cell (ix, iy) covers the half-open square
// origin + resolution * [ix, ix + 1) x [iy, iy + 1).
#ifndef RUT_GEOM_OCCUPANCY_H
#define RUT_GEOM_OCCUPANCY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A ray stops at the first cell that is not free. It returns a range from an occupied cell, and
// nothing from an unknown one. Only occupied cells collide. Outside the grid all is free.
typedef enum rutCell { RUT_CELL_FREE = 0, RUT_CELL_OCCUPIED = 1, RUT_CELL_UNKNOWN = 2 } rutCell;

typedef struct rutOccupancy {
  int nx, ny;         // number of cells along x and y
  double resolution;  // side of a cell [m]
  double origin[2];   // world position of the lower left corner of cell (0, 0) [m]
  uint8_t* cell;      // rutCell, [ny][nx], borrowed
  uint8_t* open;      // [4][ny][nx], borrowed; see rut_occupancy_build
} rutOccupancy;

// Bytes for the arrays `cell` and `open`, in this order in one block. nx, ny > 0, product < 2^31.
size_t rut_occupancy_bytes(int nx, int ny);
// Point the grid at a block of rut_occupancy_bytes (the caller owns it) and set its geometry. The
// contents stay as they are: fill `cell`, then call rut_occupancy_build.
void rut_occupancy_init(rutOccupancy* grid, int nx, int ny, double resolution,
                        const double origin[2], void* block);
// Fill `open` from `cell`. For the quadrant q = (dx < 0) + 2 (dy < 0) of a ray's direction,
// open[q][iy][ix] is the side, at most 255, of the largest square of free cells that has (ix, iy)
// at its near corner and reaches forward in both axes; 0 if the cell is not free.
void rut_occupancy_build(rutOccupancy* grid);

// Cell at a world point; RUT_CELL_FREE outside.
rutCell rut_occupancy_at(const rutOccupancy* grid, double x, double y);
// Distance [m] from (x, y) along the unit vector (dx, dy) to the boundary at which the ray enters
// the first cell that is not free: exact, as by a walk from cell to cell. 0 if the ray starts in an
// occupied cell. INFINITY if that cell is unknown, farther than max_range [m], or there is none.
double rut_occupancy_cast(const rutOccupancy* grid, double x, double y, double dx, double dy,
                          double max_range);
// The same along (dx, dy) of any length, in units of it, with the outward normal of the side of the
// cell that is hit: one of (1, 0), (-1, 0), (0, 1), (0, -1), or (0, 0) if the ray starts in it.
double rut_occupancy_hit(const rutOccupancy* grid, double x, double y, double dx, double dy,
                         double max_range, int normal[2]);
// As rut_occupancy_cast for n rays from one point; range[i] belongs to (dx[i], dy[i]).
void rut_occupancy_cast_fan(const rutOccupancy* grid, double x, double y, int n, const double* dx,
                            const double* dy, double max_range, double* range);
// Indices iy * nx + ix of the occupied cells that touch or overlap the box [m], in rising order, at
// most `capacity` of them. Returns how many there are, which may exceed capacity.
int rut_occupancy_cells_in_box(const rutOccupancy* grid, double x_min, double y_min, double x_max,
                               double y_max, int capacity, int* cells);
// Square x_min, y_min, x_max, y_max of a cell in the world [m].
void rut_occupancy_cell_box(const rutOccupancy* grid, int cell, double box[4]);

#endif  // RUT_GEOM_OCCUPANCY_H
