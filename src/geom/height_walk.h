// SPDX-License-Identifier: BSD-3-Clause
//
// A ray's walk over a height field, from cell to cell (Amanatides and Woo, Eurographics 1987) with
// a quadratic equation in each. Where the ray crosses a line of nodes depends on that line alone,
// so that a walk that begins in the middle of a ray meets the same cells at the same distances.
#ifndef RUT_GEOM_HEIGHT_WALK_H
#define RUT_GEOM_HEIGHT_WALK_H

#include "geom/height_field.h"
#include "geom/height_patch.h"
#include "geom/rays.h"
#include "math/lanes.h"

// Margin of comparisons, relative to heights, in cells of places: far above rounding, far below
// what matters on the ground.
#define RUT_WALK_MARGIN 1e-9

// Functions without branches, for one ray or in a loop over lanes.

// ---------------------------------------------------------------------------------------------
// One cell

// Ray in the cell: u = u0 + t ru, v = v0 + t rv, z = z0 + t rz.
typedef struct rutCellRay {
  double u0, v0, z0, ru, rv, rz;
} rutCellRay;

// Depth of a ray below a patch, a t^2 + b t + c.
typedef struct rutCellDepth {
  double a, b, c;
} rutCellDepth;

RUT_INLINE rutCellDepth rut_cell_depth(rutHeightPatch p, rutCellRay r) {
  return (rutCellDepth){
      .a = p.d * r.ru * r.rv,
      .b = p.b * r.ru + p.c * r.rv + p.d * (r.u0 * r.rv + r.v0 * r.ru) - r.rz,
      .c = p.a + p.b * r.u0 + p.c * r.v0 + p.d * r.u0 * r.v0 - r.z0,
  };
}

RUT_INLINE double rut_cell_depth_at(rutCellDepth g, double t) { return (g.a * t + g.b) * t + g.c; }

// First t in [t0, t1] at which the ray sinks into a patch, infinity if none. In a hole depths are
// NaN.
RUT_INLINE double rut_cell_hit(rutCellDepth g, double t0, double t1) {
  const double start = rut_cell_depth_at(g, t0), end = rut_cell_depth_at(g, t1);
  const double discriminant = g.b * g.b - 4 * g.a * g.c;
  // the root at which the depth rises, without cancellation (Press et al., Numerical Recipes, 5.6)
  const double root = rut_sqrt(discriminant < 0 ? 0 : discriminant);
  const double q = -0.5 * (g.b + (g.b < 0 ? -1 : 1) * root);
  const double t = (g.b < 0 ? q : g.c) / (g.b < 0 ? g.a : q);
  // both ends above the ground: it may be lower at both than between them
  const int dips = (g.a < 0) & !(discriminant < 0) & (t >= t0) & (t <= t1);
  const double between = dips ? t : RUT_INFINITY;
  // signs at the ends prove a crossing: rounding may have moved it just outside
  const double crossing = rut_min(rut_max(t, t0), t1);
  const double above = end < 0 ? between : crossing;
  // Below the ground where the cell begins: the edge itself is the hit, no ray leaks through. The
  // same if it is on the ground there and goes below.
  const int sunk = (start > 0) | ((start == 0) & (end > 0));
  return sunk ? t0 : start <= 0 ? above : RUT_INFINITY;
}

// ---------------------------------------------------------------------------------------------
// Walk

enum { RUT_NO_SIDE = -1, RUT_SIDE_U, RUT_SIDE_V };

// A ray in units of cells, and where on it the walk is.
typedef struct rutHeightWalk {
  double o[3], d[3], inverse[3];  // in cells along u and v, metres along z; inverse of d, or 0
  double t0, t1;                  // rest of the ray
  int cell[2], side;              // present cell, and the side through which the ray has come
} rutHeightWalk;

// Where a ray leaves row or column i along an axis. A function of i alone, so that it does not
// depend on the cells before.
RUT_INLINE double rut_line_at(rutRayAxis a, int i) {
  const double t = (i + (a.d > 0 ? 1 : 0) - a.o) * a.inverse;
  return a.d != 0 ? t : RUT_INFINITY;
}

// Coordinates relative to the cell, so that a far origin costs no digits.
RUT_INLINE rutCellRay rut_cell_ray(const rutHeightWalk* w, int ix, int iy) {
  return (rutCellRay){w->o[0] - ix, w->o[1] - iy, w->o[2], w->d[0], w->d[1], w->d[2]};
}

RUT_INLINE rutRayAxis rut_walk_axis(const rutHeightWalk* w, int axis) {
  return (rutRayAxis){w->o[axis], w->d[axis], w->inverse[axis]};
}

// Begin where the ray comes below the highest node over the field. False if it never does.
RUT_INLINE int rut_walk_begin(rutHeightWalk* w, const rutHeightField* field, rutVec3 origin,
                              rutVec3 direction, double t_min, double t_max) {
  const double scale = 1 / field->spacing;
  const double high_x = field->nx - 1, high_y = field->ny - 1;
  const double way[3] = {direction.x * scale, direction.y * scale, direction.z};
  const double sum =
      0.0 + (origin.x + direction.x) + (origin.y + direction.y) + (origin.z + direction.z);
  w->o[0] = (origin.x - field->origin[0]) * scale;
  w->o[1] = (origin.y - field->origin[1]) * scale;
  w->o[2] = origin.z;
  RUT_UNROLL for (int k = 0; k < 3; k++) {
    w->d[k] = rut_ray_motion(way[k]);
    w->inverse[k] = rut_ray_inverse(w->d[k]);
  }
  double t0 = t_min, t1 = t_max;
  rut_ray_cut(rut_walk_axis(w, 0), 0, high_x, &t0, &t1);
  int side = t0 > t_min ? RUT_SIDE_U : RUT_NO_SIDE;
  const double from_x = t0;
  rut_ray_cut(rut_walk_axis(w, 1), 0, high_y, &t0, &t1);
  side = t0 > from_x ? RUT_SIDE_V : side;
  const double from_y = t0;
  // an upright ray that comes below all nodes has hit before: it has an end
  const double bottom = rut_min(origin.z, field->z_min) - 1 - RUT_WALK_MARGIN * rut_abs(origin.z);
  const double low = t1 < RUT_INFINITY ? -RUT_INFINITY : bottom;
  rut_ray_cut(rut_walk_axis(w, 2), low, field->z_max, &t0, &t1);
  side = t0 > from_y ? RUT_NO_SIDE : side;
  const int begins = (sum - sum == 0) & (t0 <= t1) & (t1 < RUT_INFINITY);
  const double x = rut_clamp(begins ? w->o[0] + t0 * w->d[0] : 0, 0, high_x - 1);
  const double y = rut_clamp(begins ? w->o[1] + t0 * w->d[1] : 0, 0, high_y - 1);
  w->cell[0] = (int)x;
  w->cell[1] = (int)y;
  w->side = side;
  w->t0 = t0;
  w->t1 = t1;
  return begins;
}

// Upward unit normal of a patch at u, v.
RUT_INLINE rutVec3 rut_patch_normal(rutHeightPatch p, double u, double v, double spacing) {
  const double inverse = 1 / spacing;
  const double slope_x = (p.b + p.d * v) * inverse, slope_y = (p.c + p.d * u) * inverse;
  const double length = rut_sqrt(1 + slope_x * slope_x + slope_y * slope_y);
  return rut_vec3(-slope_x / length, -slope_y / length, 1 / length);
}

// ---------------------------------------------------------------------------------------------
// For one ray

// Go to the end of a square of cells, from low to high, around the present one. Lines along v are
// crossed before those along u where both are met at once. False if the ray ends before.
bool rut_walk_leave_square(rutHeightWalk* w, const int low[2], const int high[2]);
// Walk on to the first hit: its distance, infinity if there is none. t_min is where the ray began.
// Nullable: normal.
double rut_walk_cast(rutHeightWalk* w, const rutHeightField* field, double t_min, double normal[3]);

#endif  // RUT_GEOM_HEIGHT_WALK_H
