// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against solids in closed form: boxes, spheres, and what is turned about an axis. All are
// convex and have their centre at the origin; axes are along z.
#ifndef RUT_GEOM_SOLID_H
#define RUT_GEOM_SOLID_H

#include <stdbool.h>

#include "geom/bvh.h"
#include "geom/rays.h"

typedef enum rutSolidKind {
  RUT_SOLID_BOX,
  RUT_SOLID_SPHERE,
  RUT_SOLID_CAPSULE,
  RUT_SOLID_TURNED  // straight lines between rings, flat ends
} rutSolidKind;

enum { RUT_SOLID_RINGS = 4 };

typedef struct rutSolid {
  rutSolidKind kind;
  double half[3];  // of a box [m]
  double radius;   // of a sphere or capsule [m]
  double length;   // of a capsule without its caps [m]
  int rings;       // of a turned solid, 2 to RUT_SOLID_RINGS
  double z[RUT_SOLID_RINGS],
      ring[RUT_SOLID_RINGS];  // places, ascending, and radii of its rings [m]
} rutSolid;

// Sizes in m; length and width are along z, radius_low is at -length / 2.
rutSolid rut_solid_box(double x, double y, double z);
rutSolid rut_solid_sphere(double radius);
// length: between the centres of the caps.
rutSolid rut_solid_capsule(double radius, double length);
rutSolid rut_solid_cylinder(double radius, double length);
rutSolid rut_solid_tapered(double radius_low, double radius_high, double length);
// A wheel: a tread, and shoulders that lead from it to the sides. shoulder[0] is their width along
// the axle, shoulder[1] how much smaller than the radius the sides are.
rutSolid rut_solid_wheel(double radius, double width, const double shoulder[2]);

// The box around a solid.
rutBox rut_solid_box_of(const rutSolid* solid);

// Distance to a solid in lengths of the ray's direction, INFINITY if there is no hit between 0 and
// ray->limit, where that itself does not count. A ray that starts inside does not hit. normal gets
// the outward unit normal.
double rut_solid_hit(const rutSolid* solid, const rutRay* ray, double normal[3]);

#endif  // RUT_GEOM_SOLID_H
