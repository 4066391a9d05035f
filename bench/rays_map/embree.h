// SPDX-License-Identifier: BSD-3-Clause
//
// Embree 3 over the same map: two triangles per cell.
#ifndef MAP_EMBREE_H
#define MAP_EMBREE_H

#include <stdbool.h>
#include <stddef.h>

#include "geom/height_field.h"
#include "geom/rays.h"

typedef struct mapEmbree mapEmbree;

// Build a scene on one thread. NULL if the library is missing or cannot. *bytes: memory that it has
// taken.
mapEmbree* map_embree_new(const rutHeightField* field, double* bytes);
void map_embree_free(mapEmbree* embree);
// Cast rays in packets of 16 or one by one; range[n] is infinite where none hits.
void map_embree_packets(const mapEmbree* embree, bool coherent, const rutRayBatch* rays,
                        double* range);
void map_embree_single(const mapEmbree* embree, const rutRayBatch* rays, double* range);

#endif  // MAP_EMBREE_H
