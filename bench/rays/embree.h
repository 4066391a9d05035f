// SPDX-License-Identifier: BSD-3-Clause
//
// A mesh in Embree 3, where it is installed: what rut's own rays are compared with.
#ifndef RAYS_EMBREE_H
#define RAYS_EMBREE_H

#include "geom/triangles.h"

typedef struct raysEmbree raysEmbree;

// Build a scene on one thread, in Embree's robust mode. NULL if Embree or memory is missing, which
// is not an error. Free it with rays_embree_free.
raysEmbree* rays_embree_new(const rutTriangleMesh* mesh);
// The same in its faster mode, in which rays may slip through edges.
raysEmbree* rays_embree_new_fast(const rutTriangleMesh* mesh);
void rays_embree_free(raysEmbree* embree);
// Memory that it has taken, vertices included.
double rays_embree_bytes(const raysEmbree* embree);

// Nearest hits: ranges [n] in lengths of the direction, INFINITY where there is none, and triangles
// [n], -1 there. Nullable.
typedef struct raysEmbreeHits {
  float* range;
  int* triangle;
} raysEmbreeHits;
// Cast rays one by one, or in packets of 16, told whether they are coherent.
void rays_embree_cast(const raysEmbree* embree, const rutRayBatch* rays, const raysEmbreeHits* out);
void rays_embree_packets(const raysEmbree* embree, bool coherent, const rutRayBatch* rays,
                         const raysEmbreeHits* out);

#endif  // RAYS_EMBREE_H
