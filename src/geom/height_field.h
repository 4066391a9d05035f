// SPDX-License-Identifier: BSD-3-Clause
//
// Ground as heights on a regular grid of nodes. Node (ix, iy) stands at origin + spacing * (ix,
// iy). Between nodes the surface is bilinear; wheels and rays see the same one. There is no ground
// outside the outermost nodes, nor in cells with a corner that is NaN.
#ifndef RUT_GEOM_HEIGHT_FIELD_H
#define RUT_GEOM_HEIGHT_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "rut/rut.h"

// Highest nodes of square blocks of cells, 8 along a side, 16, ...: rays skip what they fly over.
enum { RUT_PYRAMID_SHIFT = 3, RUT_PYRAMID_LEVELS = 28 };
typedef struct rutHeightPyramid {
  int levels;
  double steepest;  // slope between any two points, infinite if there are holes
  struct {
    int nx, ny;         // number of blocks
    const double* top;  // [ny][nx] just above the highest node [m], borrowed
  } level[RUT_PYRAMID_LEVELS];
} rutHeightPyramid;

// Highest nodes of single cells and of square blocks of 2, 4 ... 64 cells along a side, for rays in
// lanes. Around the field there is a frame of one cell, equal to the cell beside it.
enum { RUT_MAXIMA_LEVELS = 7 };
typedef struct rutHeightMaxima {
  int width, rows;   // cells with frame and padding, multiples of 64
  double base;       // height that counts as 0 [m]
  double slope;      // steepest of all edges of cells that have no hole in it [1]
  const float* top;  // level after level, each [rows >> level][width >> level] [m], borrowed;
                     // -INFINITY where there is no node
} rutHeightMaxima;

typedef struct rutHeightField {
  int nx, ny;            // number of nodes along x and y, each at least 2, below 2^31 in all
  double spacing;        // between nodes [m]
  double origin[2];      // of node (0, 0) [m]
  double z_min, z_max;   // range of all heights [m]; z_min > z_max if all are NaN
  const double* height;  // [ny][nx] [m], borrowed
  const rutHeightPyramid* pyramid;  // borrowed. Nullable
  const rutHeightMaxima* maxima;    // borrowed. Nullable
} rutHeightField;

// Set up a field over heights [ny][nx] that the caller keeps; finds z_min and z_max. It has no
// pyramid.
void rut_height_field_init(rutHeightField* field, int nx, int ny, double spacing,
                           const double origin[2], const double* height);
// Reorder a matrix as MVSim's elevation maps have it (row r goes to x = r * spacing, column c to
// y = c * spacing; for an image, row 0 is its top) into heights [ny][nx] with nx = rows, ny = cols:
// height[c * rows + r] = value[r * cols + c].
void rut_height_field_from_rows(int rows, int cols, const double* value, double* height);

// Height z [m] and upward unit normal at a point. False, z NaN and normal (0, 0, 1) outside.
// Nullable: normal.
bool rut_height_field_at(const rutHeightField* field, double x, double y, double* z,
                         double normal[3]);
// The surface at many points; outside, z is NaN and the slopes 0.
void rut_height_field_at_n(const rutHeightField* field, const rutGroundPoints* at,
                           const rutGroundSurface* out);

// Numbers in the pyramid of a field, and its making in memory for them, which the caller keeps with
// the pyramid. With it a cast is faster and gives the same bits.
size_t rut_height_pyramid_size(int nx, int ny);
void rut_height_pyramid_build(rutHeightField* field, double* top, rutHeightPyramid* pyramid);

// The same of the maxima, with which batches of rays are faster and get the same bits. Size 0: the
// field is too large for them.
size_t rut_height_maxima_size(int nx, int ny);
void rut_height_maxima_build(rutHeightField* field, float* top, rutHeightMaxima* maxima);

// Bound of the heights over the rectangle x_min, x_max, y_min, y_max [m], -INFINITY off the field.
double rut_height_field_top(const rutHeightField* field, const double box[4]);

// Distance [m] along a ray (unit direction) to the ground, which is solid below the surface: t_min
// if the ray is below it there, INFINITY if it meets none before t_max. Exact for the
// surface. normal gets the outward unit normal: that of the surface, or of the upright wall at a
// border or hole. Nullable: normal.
double rut_height_field_cast(const rutHeightField* field, const double origin[3],
                             const double direction[3], double t_min, double t_max,
                             double normal[3]);

// Rays against a height field.
typedef struct rutHeightRays {
  int n;
  const double *origin[3], *direction[3];  // [n] each
  const double *t_min, *t_max;             // [n] [m]
  double* range;                           // [n] [m]
  double* normal[3];                       // [n] each, where the ray hits. Nullable: [0]
} rutHeightRays;

// Each of the rays as by rut_height_field_cast, with the same bits.
void rut_height_field_cast_n(const rutHeightField* field, const rutHeightRays* rays);

#endif  // RUT_GEOM_HEIGHT_FIELD_H
