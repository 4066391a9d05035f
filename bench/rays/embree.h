// SPDX-License-Identifier: BSD-3-Clause
//
// A mesh in Embree, where it is installed: what rut's own rays against triangles are compared with.
#ifndef RAYS_EMBREE_H
#define RAYS_EMBREE_H

#include "geom/triangles.h"

typedef struct raysEmbree raysEmbree;

// Single rays, robust, one thread. NULL if Embree or memory is missing, which is not an error. Free
// it with rays_embree_free.
raysEmbree* rays_embree_new(const rutTriangleMesh* mesh);
void rays_embree_free(raysEmbree* embree);
// Nearest hits: ranges [n] in lengths of the direction, INFINITY where there is none, and triangles
// [n], -1 there.
typedef struct raysEmbreeHits {
  float* range;
  int* triangle;
} raysEmbreeHits;
void rays_embree_cast(const raysEmbree* embree, const rutRayBatch* rays, const raysEmbreeHits* out);

#endif  // RAYS_EMBREE_H
