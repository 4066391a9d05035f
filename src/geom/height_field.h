// SPDX-License-Identifier: BSD-3-Clause
//
// Ground as heights on a regular grid of nodes. Node (ix, iy) stands at origin + spacing * (ix,
// iy). Between nodes the surface is either bilinear or two planes per cell; wheels and rays see the
// same one. There is no ground outside the outermost nodes, nor in cells with a corner that is NaN.
#ifndef RUT_GEOM_HEIGHT_FIELD_H
#define RUT_GEOM_HEIGHT_FIELD_H

#include <stdbool.h>

typedef enum rutHeightSurface {
  RUT_SURFACE_BILINEAR,  // z = a + b u + c v + d u v in each cell
  // two triangles per cell, split from its low corner (0, 0) to its high corner (1, 1), as in MVSim
  RUT_SURFACE_TRIANGLES,
} rutHeightSurface;

typedef struct rutHeightField {
  int nx, ny;           // number of nodes along x and y, each at least 2, below 2^31 in all
  double spacing;       // between nodes [m]
  double origin[2];     // of node (0, 0) [m]
  double z_min, z_max;  // range of all heights [m]; z_min > z_max if all are NaN
  rutHeightSurface surface;
  const double* height;  // [ny][nx] [m], borrowed
} rutHeightField;

// Set up a field over heights [ny][nx] that the caller keeps; finds z_min and z_max.
void rut_height_field_init(rutHeightField* field, int nx, int ny, double spacing,
                           const double origin[2], rutHeightSurface surface, const double* height);
// Reorder a matrix as MVSim's elevation maps have it (row r goes to x = r * spacing, column c to
// y = c * spacing; for an image, row 0 is its top) into heights [ny][nx] with nx = rows, ny = cols:
// height[c * rows + r] = offset + scale * value[r * cols + c].
void rut_height_field_from_rows(int rows, int cols, const double* value, double scale,
                                double offset, double* height);

// Height z [m] and upward unit normal at a point. False, z NaN and normal (0, 0, 1) outside.
// Nullable: normal.
bool rut_height_field_at(const rutHeightField* field, double x, double y, double* z,
                         double normal[3]);
// Heights z[i] at n points, NaN outside, and the slopes dz/dx, dz/dy (0 outside). Nullable: slope_x
// and slope_y together.
void rut_height_field_at_n(const rutHeightField* field, int n, const double* x, const double* y,
                           double* z, double* slope_x, double* slope_y);
// Distance [m] along a ray (unit direction) to the ground, which is solid below the surface: 0 if
// the ray starts below it, INFINITY if it meets none within max_range. Exact for the surface's
// kind.
double rut_height_field_cast(const rutHeightField* field, const double origin[3],
                             const double direction[3], double max_range);

#endif  // RUT_GEOM_HEIGHT_FIELD_H
