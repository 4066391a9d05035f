// SPDX-License-Identifier: BSD-3-Clause
//
// Heights of roads at places of the plane.
#ifndef RUT_GEOM_ROAD_SURFACE_H
#define RUT_GEOM_ROAD_SURFACE_H

#include "geom/road_span.h"

// A place on a road's surface, found from above.
typedef struct rutRoadFound {
  int span;      // -1: none
  bool overlap;  // just beyond an end at which another piece goes on
  double w, t;   // [m]
  double z;      // [m]
  double gradient[2], share, share_gradient[2];
} rutRoadFound;

// The surface at x, y: of what covers the place wholly the highest, else a mean of all that are
// near, weighted by how near. Returns the share that is covered, 0 to 1.
double rut_road_plan_at(const rutRoadPlan* plan, double x, double y, rutRoadFound* out);
// The same of one span alone; false if the place is beyond its margin.
bool rut_road_span_at(const rutRoadPlan* plan, const rutRoadSpan* span, double x, double y,
                      rutRoadFound* out);
// Fill both ends and the middle of a span's line from its functions.
void rut_road_span_ends(rutRoadSpan* span);
// A point of the surface by its road coordinates; ends and borders are not minded.
void rut_road_point(const rutRoadPlan* plan, const rutRoadSpan* span, double w, double t,
                    double point[3]);
// Whether spans of two roads cover a place with heights that differ by more than `step`.
bool rut_road_plan_crosses(const rutRoadPlan* plan, double x, double y, double step, int road[2]);

// rutTerrainType.covering and bounds of a plan, which may be NULL: no roads. Returns share_slope.
void rut_road_plan_surface(const rutRoadPlan* plan, const rutGroundPoints* at,
                           const rutGroundSurface* out, const rutGroundSurface* share);
double rut_road_plan_bounds(const rutRoadPlan* plan, const double box[4], rutTerrainBounds* out);

#endif  // RUT_GEOM_ROAD_SURFACE_H
