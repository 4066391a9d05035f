// SPDX-License-Identifier: BSD-3-Clause
//
// The surface of roads: heights over the plane, by the roads' own coordinates. One block of memory
// without pointers, so that it can be moved.
//
// A cross-section at s has a point for every t, the distance to the left of the reference line
// along the surface. With the heading, then the slope atan(dz/ds), then the roll (superelevation),
// the point (0, t, h) of the turned frame is on the surface; h is the height of lanes, of the
// lateral profile and of the crossfall. A level lane, and what is beyond the lanes, is level
// across.
#ifndef RUT_GEOM_ROAD_SPAN_H
#define RUT_GEOM_ROAD_SPAN_H

#include <stdbool.h>
#include <stddef.h>

#include "geom/road_curve.h"
#include "rut/component.h"

enum {
  RUT_ROAD_MAX_SPANS = 200000,
  RUT_ROAD_MAX_STRIPS = 1 << 22,
  RUT_ROAD_MAX_PARTS = 1 << 20  // of lateral profiles
};

// A lane over one span, from its inner border to its outer one, as seen from the middle of the
// lanes. Borders are t as cubics of w. Its height rises over RUT_ROAD_KERB from that of the lane
// inside of it to its own, which is linear up to the outer border.
typedef struct rutRoadStrip {
  double inner[4], outer[4];
  double before, in, out;  // height at the outer border of the lane inside, and its own [m]
  int level;
} rutRoadStrip;
#define RUT_ROAD_KERB 0.05

// An end of a piece: the line's place and derivatives by w there, their length, the magnitudes of
// slope and roll.
typedef struct rutRoadEnd {
  double x, y, dx, dy, rate, slope, roll;
} rutRoadEnd;

// A piece of road over which everything is one polynomial of w, the distance from its start.
typedef struct rutRoadSpan {
  rutRoadArc arc;
  double s;              // of its start on its road [m]
  double z[4], roll[4];  // elevation [m], superelevation [rad]
  double fall[2][4];     // crossfall to the left and to the right, positive downwards [rad]
  double middle[4];      // t of the middle of the lanes
  int road;              // index in the file
  int joined[2];  // the road goes on before its start, behind its end: without a gap or a kink
  int strip, strips[2];  // strips: those to the left, then those to the right, from inside on;
                         // the last one of each side is what is beyond the lanes
  int profile[2];        // lateral profiles, -1: none
  double share[2];       // of the second: share[0] + share[1] w
  double box[4];         // x_min x_max y_min y_max, with the margin [m]
  double low, high, steepest;
  rutRoadEnd end[2];  // made with the plan
} rutRoadSpan;

// Height over t, from `first` on: a cubic holds from its start, t, on.
typedef struct rutRoadProfile {
  int first, n;
} rutRoadProfile;

typedef struct rutRoadPlan {
  size_t bytes;   // of all
  double margin;  // over which the surface goes over into the ground beside it [m]
  int spans, cells[2];
  double corner[2], cell;                           // of the grid of cells [m]
  double low, high, steepest;                       // of all
  size_t span, strip, profile, part, start, entry;  // offsets of the arrays
} rutRoadPlan;

static inline const rutRoadSpan* rut_road_span(const rutRoadPlan* plan, int i) {
  return (const rutRoadSpan*)(const void*)((const char*)plan + plan->span) + i;
}

#endif  // RUT_GEOM_ROAD_SPAN_H
