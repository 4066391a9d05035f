// SPDX-License-Identifier: BSD-3-Clause
//
// From the lists of a road network to the surface of its roads.
#ifndef RUT_FORMAT_XODR_SURFACE_H
#define RUT_FORMAT_XODR_SURFACE_H

#include "format/xodr.h"
#include "geom/road_span.h"

typedef struct rutXodrSurface {
  const char* roads;  // ids, separated by blanks; "": all
  double margin;      // [m]
  rutPlace place;     // of the element that asks, for findings
} rutXodrSurface;

// Make the plan of a surface on the heap, freed with free(). Reports what is wrong, and where roads
// lie above each other. Errors: MODEL, CAPACITY, MEMORY.
rutStatus rut_xodr_surface(const rutXodr* file, const rutXodrSurface* def, rutReporter* reporter,
                           rutRoadPlan** out);

#endif  // RUT_FORMAT_XODR_SURFACE_H
