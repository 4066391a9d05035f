// SPDX-License-Identifier: BSD-3-Clause
//
// Contact geometry of convex polygons: closest points, and the points at which two of them touch or
// are about to. Corners are counter-clockwise, stored x0, y0, x1, y1, ... [m]. No function
// allocates.
#ifndef RUT_GEOM_CONVEX_H
#define RUT_GEOM_CONVEX_H

#include <stdbool.h>
#include <stdint.h>

enum { RUT_CONVEX_MAX = 16 };

// A polygon of 1 to RUT_CONVEX_MAX corners. Edge i runs from corner i to corner i + 1; its outward
// unit normal is normal[2 i], normal[2 i + 1]. Two corners are a plate without thickness. Borrowed.
typedef struct rutConvex {
  int n;
  const double* xy;
  const double* normal;
} rutConvex;

// Copy n corners into xy (room for 2 n), without those that repeat the one before, in
// counter-clockwise order, and compute the normals. Returns the corners kept: 0 if n is not
// positive or a number is not finite.
int rut_convex_prepare(int n, const double* corner, double* xy, double* normal);

// Closest points of two polygons that do not overlap.
typedef struct rutClosest {
  double distance;           // [m]
  double a[2], b[2];         // the points
  int feature_a, feature_b;  // corner, or edge where edge_a, edge_b says so (never both)
  bool edge_a, edge_b;
} rutClosest;
// By trial of all corners against all edges. For polygons that overlap the result has no meaning.
rutClosest rut_convex_closest(const rutConvex* a, const rutConvex* b);

// Points of contact. `gap` is negative where the polygons overlap.
typedef struct rutManifold {
  int n;               // 1 or 2
  bool flip;           // the reference face belongs to b
  double normal[2];    // unit, from a to b
  double plane[2];     // a point of the reference face
  double point[2][2];  // half way between the two surfaces
  double gap[2];       // along the normal [m]
  uint32_t id[2];      // features that made the point; equal ids mean the same point as before
} rutManifold;
// Contact of two polygons that are nearer than reach [m]; returns the number of points, 0 if none.
// Bit i of `blocked` says that edge i of b is inside a larger body: it makes no contact, and if the
// polygons overlap more than `slack` deeper through all other edges, they have no contact at all.
int rut_convex_collide(const rutConvex* a, const rutConvex* b, double reach, unsigned blocked,
                       double slack, rutManifold* manifold);

#endif  // RUT_GEOM_CONVEX_H
