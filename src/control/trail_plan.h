// SPDX-License-Identifier: BSD-3-Clause
//
// The cheapest way ahead over a local map, without a goal: from a pose to any place a horizon away
// on an arc of directions ahead. For trails, which are cheaper than the ground beside them.
//
// The cost of a place is 1 + weight * sum of (x/limit)^2 over slope, step, roughness and height
// above the plane of rut_local_map_terrain, smoothed by normalised convolution (Knutsson and
// Westin, CVPR 1993) with a triangle of half-width `reach` along x and along y: cells of which
// nothing is known take part in no mean. Of a ribbon cheaper than its surroundings the middle is
// the cheapest place then. A way costs the integral of that along it, by the trapezoidal rule over
// arcs; arcs are searched in order of cost (hybrid A*, Dolgov, Thrun, Montemerlo and Diebel,
// International Journal of Robotics Research 29(5), 2010), as in trees of arcs for trails and roads
// (von Hundelshausen, Himmelsbach, Hecker, Mueller and Wuensche, "Driving with tentacles", Journal
// of Field Robotics 25(9), 2008). All memory is the caller's, for one call only.
#ifndef RUT_CONTROL_TRAIL_PLAN_H
#define RUT_CONTROL_TRAIL_PLAN_H

#include <stddef.h>

#include "base/heap.h"
#include "control/goal_path.h"
#include "rut/local_map.h"

typedef struct rutTrailCar {
  rutPlanFootprint footprint;  // about the point that follows paths
  double margin;               // around it [m]
  double radius;               // smallest turning radius [m]
  double weight;               // of the measures of the ground
  double reach;                // half-width of the mean of costs [m]
  double horizon;              // how far away the way ends [m]
  double ahead;  // largest angle between the heading and the direction to its end [rad]
  int nodes;     // poses that are looked at, at most
} rutTrailCar;

// A pose of the search.
typedef struct rutTrailNode {
  rutPlanPose pose;
  double cost;
  int32_t parent;
  int32_t curvature;  // of the arc that leads to it
} rutTrailNode;

enum { RUT_TRAIL_PLACES = 128, RUT_TRAIL_HEADINGS = 48 };  // cells of the search, along each side

typedef struct rutTrailWork {
  uint16_t* cost;        // [side^2] of the map: 0 where it is blocked; the caller fills it in
  double *raw, *known;   // [side^2] costs, and 1 where they are known
  double *sum, *weight;  // [side^2] along rows
  double* smooth;        // [side^2] what a place costs
  rutTrailNode* node;    // [nodes]
  uint8_t* closed;       // [RUT_TRAIL_PLACES^2 * RUT_TRAIL_HEADINGS]
  rutHeap heap;
  int nodes, side;
} rutTrailWork;
// Bytes of it. memory: of so many bytes, aligned to 64; NULL: only their number.
size_t rut_trail_work(int side, int nodes, void* memory, rutTrailWork* out);

// What places cost, from the terrain of the map and limits of which weight and free_part are not
// used; blocked cells cost as much as what reaches three limits. Fills in work->smooth; returns the
// mean cost of what is known, 1 if nothing is.
double rut_trail_costs(const rutLocalMap* map, const rutLocalLimits* limits, const rutTrailCar* car,
                       rutTrailWork* work);
// The same of given costs. raw and known of work are filled in.
double rut_trail_smooth(double resolution, double reach, rutTrailWork* work);

// The cheapest way from a pose over ground whose grid is work->cost; false if there is none. *mean
// gets its cost per metre.
bool rut_trail_plan(const rutPlanGround* ground, const rutTrailCar* car, const rutPlanPose* from,
                    rutTrailWork* work, rutGoalPath* out, double* mean);
// Cost per metre of a place; 1 outside.
double rut_trail_cost_at(const rutPlanGround* ground, const rutTrailWork* work, double x, double y);

#endif  // RUT_CONTROL_TRAIL_PLAN_H
