// SPDX-License-Identifier: BSD-3-Clause
//
// The surface of a road as a curved regular grid (ASAM OpenCRG 1.2): heights over u, the distance
// along a reference line, and v to its left. One block of memory without pointers.
//
// The line is straight between its vertices. A point (u, v) of a vertex lies on the bisector of the
// segments that meet there, so far out that lines of one v are parallel to the segments; between
// vertices it is linear. Height = grid(u, v), bilinear, + height of the line + banking v.
#ifndef RUT_GEOM_CRG_PLAN_H
#define RUT_GEOM_CRG_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "rut/component.h"

// How the grid goes on beyond its border.
typedef enum rutCrgBorder {
  RUT_CRG_REFUSE,  // it does not
  RUT_CRG_ZERO,
  RUT_CRG_KEEP,
  RUT_CRG_REPEAT,
  RUT_CRG_REFLECT
} rutCrgBorder;

typedef struct rutCrgVertex {
  double x, y, z, bank;  // of the reference line [m], [1]
  double side[2];        // in the plane per v
} rutCrgVertex;

typedef struct rutCrgPlan {
  size_t bytes;
  int nu, nv;
  rutCrgBorder border[2];  // along u, v
  double offset[2];        // height that is added beyond the border along u, v [m]
  double beyond, margin;   // how far the border's mode holds, then goes over into the ground [m]
  double corner[2], cell;  // of the grid of cells [m]
  int cells[2];
  double low, high, steepest;
  size_t vertex, v, z, start, run;  // offsets of the arrays
} rutCrgPlan;

// What a plan is made of: arrays that the caller keeps.
typedef struct rutCrgParts {
  int nu, nv;
  const rutCrgVertex* vertex;  // [nu], without `side`
  const double* v;             // [nv] ascending [m]
  const double* z;             // [nu][nv] [m], NaN: a hole
  rutCrgBorder border[2];
  double offset[2], beyond, margin;
} rutCrgParts;

// Make a plan on the heap, freed with free(). Errors: MEMORY, CAPACITY, MODEL (segments of no
// length). Nullable: err.
rutStatus rut_crg_plan_make(const rutCrgParts* parts, rutCrgPlan** out, rutError* err);

typedef struct rutCrgFound {
  double u, v;  // u in segments from the start, v [m]
  double z, gradient[2], share, share_gradient[2];
} rutCrgFound;

// The surface at x, y; false where there is none.
bool rut_crg_at(const rutCrgPlan* plan, double x, double y, rutCrgFound* out);
// Place in the plane of u (in segments) and v.
void rut_crg_point(const rutCrgPlan* plan, double u, double v, double xy[2]);

// rutTerrainType.covering, bounds and share_slope of a plan, which may be NULL.
void rut_crg_surface(const rutCrgPlan* plan, const rutGroundPoints* at, const rutGroundSurface* out,
                     const rutGroundSurface* share);
double rut_crg_bounds(const rutCrgPlan* plan, const double box[4], rutTerrainBounds* out);

static inline const rutCrgVertex* rut_crg_vertices(const rutCrgPlan* plan) {
  return (const rutCrgVertex*)(const void*)((const char*)plan + plan->vertex);
}
static inline const double* rut_crg_v(const rutCrgPlan* plan) {
  return (const double*)(const void*)((const char*)plan + plan->v);
}
static inline const double* rut_crg_z(const rutCrgPlan* plan) {
  return (const double*)(const void*)((const char*)plan + plan->z);
}

// Segments first .. last of a cell of the grid.
typedef struct rutCrgRun {
  int first, last;
} rutCrgRun;

#endif  // RUT_GEOM_CRG_PLAN_H
