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

// A ray in the plane of the grid. Distances along it are in units of its direction's length.
typedef struct rutGridRay {
  double x, y;    // origin, world axes [m]
  double dx, dy;  // direction
  double limit;   // hits beyond it do not count
} rutGridRay;
// Distance along a ray to the boundary at which it enters the first cell that is not free: exact,
// as by a walk from cell to cell. 0 if the ray starts in an occupied cell. INFINITY if that cell is
// unknown, beyond the limit, or there is none. normal gets the outward normal of the side of the
// cell that is hit: one of (1, 0), (-1, 0), (0, 1), (0, -1), or (0, 0) if the ray starts in it.
// Nullable: normal.
double rut_occupancy_cast(const rutOccupancy* grid, const rutGridRay* ray, int normal[2]);

#endif  // RUT_GEOM_OCCUPANCY_H
