// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against a mesh of triangles. The test is watertight: a ray through an edge or a corner that
// triangles share hits at least one of them (Woop, Benthin and Wald, "Watertight Ray/Triangle
// Intersection", Journal of Computer Graphics Techniques 2 (1), 2013). Both sides of a triangle are
// hit.
#ifndef RUT_GEOM_TRIANGLES_H
#define RUT_GEOM_TRIANGLES_H

#include "geom/bvh.h"
#include "geom/rays.h"

enum { RUT_TRIANGLES_MOST = RUT_BVH_ITEMS };

// Triangles of one leaf. Coordinates are floats, as in most mesh files; the arithmetic is in
// double.
typedef struct rutTriangleBlock {
  float corner[3][3][RUT_BVH_LEAF_MOST];  // [corner][x, y, z][triangle] [m]
  int triangle[RUT_BVH_LEAF_MOST];        // index in the mesh, -1: none
} rutTriangleBlock;

typedef struct rutTriangles {
  rutBvh bvh;
  rutTriangleBlock* block;  // [leaves]
} rutTriangles;

typedef struct rutTriangleMesh {
  int points, triangles;
  const double* point;  // [points][3] [m]
  const int* triangle;  // [triangles][3] indices of points
} rutTriangleMesh;

// Take memory for a mesh from an arena. `triangles` is at most RUT_TRIANGLES_MOST.
void rut_triangles_take(rutTriangles* set, int triangles, rutArena* arena);
// Build from a mesh, which is not needed afterwards; box is scratch memory [triangles]. Triangles
// with indices out of range or coordinates beyond 1e15 are left out.
void rut_triangles_build(rutTriangles* set, const rutTriangleMesh* mesh, rutBox* box);

// Copy a set that is built, with the memory that it needs.
void rut_triangles_copy(rutTriangles* to, const rutTriangles* from, rutArena* arena);

typedef struct rutTriangleHit {
  double range;      // in lengths of the direction
  int triangle;      // -1: none
  double weight[2];  // of the triangle's second and third corner
  double normal[3];  // unit normal of the triangle, on the side that the ray comes from
} rutTriangleHit;

// A hit while the nearest is sought: where its triangle is stored, and its edge functions.
typedef struct rutTriangleMark {
  double range;
  int triangle;  // -1: none
  int block, lane;
  double v, w, area;
} rutTriangleMark;

// As rut_triangles_hit, in two steps: what is hit, and then what the hit is like. The second needs
// the ray's direction only.
bool rut_triangles_find(const rutTriangles* set, const rutRay* ray, rutTriangleMark* mark);
void rut_triangles_tell(const rutTriangles* set, const rutTriangleMark* mark, const rutRay* ray,
                        rutTriangleHit* hit);
// The first step for those rays of a packet whose bits are set in `lanes`: the same bits as one by
// one.
struct rutRayPacket;
void rut_triangles_find_packet(const rutTriangles* set, const struct rutRayPacket* rays,
                               unsigned lanes, rutTriangleMark* mark);

// Nearest hit between 0 and ray->limit, where that itself does not count; of equally near ones that
// of the triangle with the smaller index. The direction need not be a unit vector.
bool rut_triangles_hit(const rutTriangles* set, const rutRay* ray, rutTriangleHit* hit);

// Shorten rays, in the frame of the mesh, to the triangles that they hit.
void rut_triangles_cast(const rutTriangles* set, const rutRayBatch* rays, const rutRayResult* out);

#endif  // RUT_GEOM_TRIANGLES_H
