// SPDX-License-Identifier: BSD-3-Clause
//
// Plane polygons: hulls, mass properties, containment, rays, separation. A polygon is n points
// stored x0, y0, x1, y1, ... [m]; counter-clockwise order gives a positive area. No function
// allocates.
#ifndef RUT_GEOM_POLYGON_H
#define RUT_GEOM_POLYGON_H

#include <stdbool.h>

// Convex hull, counter-clockwise, without repeated or collinear points. `point` is sorted in place;
// `hull` has room for n + 1 points and does not overlap it. Returns the number of hull points: less
// than 3 if all points lie on one line.
int rut_polygon_hull(int n, double* point, double* hull);
// Drop points of a convex polygon, in place, the ones that cost the least area first, until at most
// `max` (>= 3) are left. The result lies inside the polygon given. Returns the new count.
int rut_polygon_simplify(int n, double* point, int max);

// Signed area [m^2].
double rut_polygon_area(int n, const double* point);
// Uniform plate of the given mass [kg] and outline (either order, not self-intersecting): centre of
// mass [m] and moment of inertia about it [kg m^2]. Returns the area (positive) [m^2]; for area 0
// com is the mean of the points and inertia 0.
double rut_polygon_mass(int n, const double* point, double mass, double com[2], double* inertia);
// Box x_min, y_min, x_max, y_max around n >= 1 points.
void rut_polygon_bounds(int n, const double* point, double box[4]);

// Place and direction of a polygon in the plane.
typedef struct rutPlanePose {
  double x, y;          // [m]
  double cosine, sine;  // of its yaw
} rutPlanePose;
// Turn points by the yaw of a pose and move them to its place. out may be point.
void rut_polygon_transform(int n, const double* point, rutPlanePose pose, double* out);
// True if (x, y) is inside (even-odd rule; polygons that tile a plane share no point).
bool rut_polygon_contains(int n, const double* point, double x, double y);
// Separating-axis test of two convex counter-clockwise polygons over their edge normals. Negative:
// they overlap, and -value is the least depth [m]. Positive: they are apart by at least that much
// (exactly, if a vertex faces an edge).
double rut_polygon_separation(int na, const double* a, int nb, const double* b);

#endif  // RUT_GEOM_POLYGON_H
