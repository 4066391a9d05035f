// SPDX-License-Identifier: BSD-3-Clause
//
// Where two convex bodies in space touch, or are about to: polyhedra and spheres. No function
// allocates.
#ifndef RUT_GEOM_COLLIDE_H
#define RUT_GEOM_COLLIDE_H

#include <stdint.h>

#include "geom/polyhedron.h"

enum { RUT_PATCH_POINTS = 4 };

// Points of contact of two bodies. Gaps are along the normal, negative where the bodies overlap.
typedef struct rutPatch {
  int n;                            // of points
  rutVec3 normal;                   // unit, from a to b
  rutVec3 point[RUT_PATCH_POINTS];  // half way between the two surfaces
  double gap[RUT_PATCH_POINTS];     // [m]
  uint32_t id[RUT_PATCH_POINTS];  // features that made it; equal ids mean the same point as before
} rutPatch;

// Contact of two polyhedra that are nearer than reach [m]; returns the number of points, 0 if there
// is none. The normal is the axis along which they overlap least, or are farthest apart: normals of
// faces and products of edges are tried (separating axes; Gregorius, "The separating axis test
// between convex polyhedra", GDC 2013). On a face the other body's opposite face is cut by its
// sides, and of the points those four are kept that are deepest and span the largest area.
int rut_collide_polyhedra(const rutPolyhedron* a, const rutPolyhedron* b, double reach,
                          rutPatch* out);
// Contact of a sphere with a polyhedron, from the sphere (a) to that (b); and of two spheres.
int rut_collide_sphere(rutVec3 centre, double radius, const rutPolyhedron* b, double reach,
                       rutPatch* out);
int rut_collide_spheres(rutVec3 a, double radius_a, rutVec3 b, double radius_b, double reach,
                        rutPatch* out);

// Points that may become contacts, n of each array. Of more than `most` those are marked in `kept`
// that are deepest and span the largest area across the normal. Returns their number.
enum { RUT_CANDIDATES = 320 };
typedef struct rutCandidates {
  int n;
  rutVec3 point[RUT_CANDIDATES];
  double gap[RUT_CANDIDATES];
  uint32_t id[RUT_CANDIDATES];
} rutCandidates;
int rut_reduce_patch(const rutCandidates* from, rutVec3 normal, int kept[RUT_PATCH_POINTS]);

#endif  // RUT_GEOM_COLLIDE_H
