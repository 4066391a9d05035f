// SPDX-License-Identifier: BSD-3-Clause
//
// Convex polyhedra of few corners, for contact in space. A polyhedron holds all of itself: it may
// be copied, and turned into other axes. No function allocates.
#ifndef RUT_GEOM_POLYHEDRON_H
#define RUT_GEOM_POLYHEDRON_H

#include <stdbool.h>

#include "math/vec.h"

enum {
  RUT_POLYHEDRON_CORNERS = 32,
  // Euler: at most 2 V - 4 faces and 3 V - 6 edges
  RUT_POLYHEDRON_FACES = 2 * RUT_POLYHEDRON_CORNERS - 4,
  RUT_POLYHEDRON_EDGES = 3 * RUT_POLYHEDRON_CORNERS - 6,
  RUT_POLYHEDRON_SIDES = 2 * RUT_POLYHEDRON_EDGES
};

// An edge runs from one corner to another, between the faces at its left and at its right as they
// are seen from outside.
typedef struct rutEdge {
  unsigned char from, to, left, right;
} rutEdge;

typedef struct rutPolyhedron {
  int corners, faces, edges;
  rutVec3 corner[RUT_POLYHEDRON_CORNERS];  // [m]
  // Of each face the outward unit normal, and its place along that from the origin [m].
  rutVec3 normal[RUT_POLYHEDRON_FACES];
  double offset[RUT_POLYHEDRON_FACES];
  rutEdge edge[RUT_POLYHEDRON_EDGES];
  rutVec3 centre;  // the mean of the corners, which is inside
  double radius;   // of the sphere around it that holds all corners [m]
  // Corners of face f, counter-clockwise from outside: side[first[f]] to side[first[f + 1]].
  unsigned char first[RUT_POLYHEDRON_FACES + 1];
  unsigned char side[RUT_POLYHEDRON_SIDES];
} rutPolyhedron;

// Upright prism over a convex outline of 3 to 16 corners, counter-clockwise, x0, y0, x1, ... [m],
// between two heights. Corners 0 to n - 1 are the lower ones, n to 2 n - 1 those above them; faces
// 0 to n - 1 the sides, that of side i from corner i to i + 1; then the lower and the upper one.
// False, and an empty polyhedron, if it has no volume.
bool rut_polyhedron_prism(int n, const double* xy, double low, double high, rutPolyhedron* out);

// Prism over a regular polygon whose corners are on a circle about the z axis, the first at an
// angle from x [rad], half of its length on each side of the origin [m].
void rut_polyhedron_cylinder(int sides, double radius, double length, double angle,
                             rutPolyhedron* out);

// Convex hull of up to RUT_POLYHEDRON_CORNERS points [n][3]. Points inside it are left out; faces
// in one plane are one. False, and an empty polyhedron, if it has no volume or too many points are
// given.
bool rut_polyhedron_hull(int n, const double* point, rutPolyhedron* out);

// The same in other axes: x -> at + turn x.
void rut_polyhedron_place(const rutPolyhedron* shape, const rutMat3* turn, rutVec3 at,
                          rutPolyhedron* out);

// Volume [m3], centre of mass, and moments of inertia about that, xx yy zz xy xz yz, of unit
// density [m5].
typedef struct rutVolume {
  double volume;
  rutVec3 com;
  double inertia[6];
} rutVolume;
rutVolume rut_polyhedron_volume(const rutPolyhedron* shape);

#endif  // RUT_GEOM_POLYHEDRON_H
