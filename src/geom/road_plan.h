// SPDX-License-Identifier: BSD-3-Clause
//
// Making of the plan of a surface of roads.
#ifndef RUT_GEOM_ROAD_PLAN_H
#define RUT_GEOM_ROAD_PLAN_H

#include "geom/road_span.h"

// What a plan is made of: lists that the caller keeps. Boxes and bounds of spans are not needed.
typedef struct rutRoadParts {
  int spans, strips, profiles, parts;
  const rutRoadSpan* span;
  const rutRoadStrip* strip;
  const rutRoadProfile* profile;
  const rutRoadCubic* part;  // of profiles; their start is t
  double margin;
} rutRoadParts;

// Make a plan on the heap, freed with free(). Errors: MEMORY, CAPACITY (too many crossings of spans
// and cells); err Nullable.
rutStatus rut_road_plan_make(const rutRoadParts* parts, rutRoadPlan** out, rutError* err);

#endif  // RUT_GEOM_ROAD_PLAN_H
