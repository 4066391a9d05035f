// SPDX-License-Identifier: BSD-3-Clause
//
// A bounding volume hierarchy: a tree of boxes around items, by which a ray meets few of them.
// Nodes have eight children, whose boxes are tested together. It is built by the surface area
// heuristic over bins of centres (Wald, "On fast construction of SAH-based bounding volume
// hierarchies", IEEE Symposium on Interactive Ray Tracing, 2007), and refitted where boxes move.
//
// Boxes are floats with a margin, so that walks find every item that a ray meets, and a few more;
// results are those of the items' own tests, in double.
#ifndef RUT_GEOM_BVH_H
#define RUT_GEOM_BVH_H

#include <limits.h>

#include "base/arena.h"

enum {
  RUT_BVH_WIDTH = 8,                                         // children of a node
  RUT_BVH_LEAF_MOST = 4,                                     // items of a leaf
  RUT_BVH_LEVELS = 56,                                       // no way to a leaf has more nodes
  RUT_BVH_STACK = RUT_BVH_LEVELS * (RUT_BVH_WIDTH - 1) + 1,  // nodes that wait in a walk
  RUT_BVH_ITEMS = 1 << 28
};

#define RUT_BVH_NO_CHILD INT_MIN

typedef struct rutBox {
  float low[3], high[3];  // low > high: empty
} rutBox;

// A child is a node if it is not negative, else the leaf ~child or RUT_BVH_NO_CHILD, whose box is
// empty.
typedef struct rutBvhNode {
  float bound[6][RUT_BVH_WIDTH];  // low x, y, z, high x, y, z of the children
  int child[RUT_BVH_WIDTH];
} rutBvhNode;

typedef struct rutBvh {
  int leaf_size;  // most items of a leaf
  int nodes, leaves;
  rutBvhNode* node;  // children after their parents; node 0 is the root
  int* item;         // [leaves][leaf_size], -1: none
  int* order;        // [items] for building
} rutBvh;

// An empty box, and the box around a box and another.
void rut_box_begin(rutBox* box);
void rut_box_add(rutBox* box, const rutBox* other);
// The smallest box of floats around low and high, widened by `margin` [m].
rutBox rut_box_around(const double low[3], const double high[3], double margin);

// Take memory for a hierarchy of up to `items` (at most RUT_BVH_ITEMS) with leaves of up to
// leaf_size (at most RUT_BVH_LEAF_MOST) from an arena; the memory that a build does not need is not
// touched.
void rut_bvh_take(rutBvh* bvh, int items, int leaf_size, rutArena* arena);
// Build over boxes [items]; those that are empty or not finite are left out. No allocation.
void rut_bvh_build(rutBvh* bvh, int items, const rutBox* box);
// Copy a hierarchy that is not built again: only what the build needed. NULL pointers while
// measuring, as with rut_bvh_take.
void rut_bvh_copy(rutBvh* to, const rutBvh* from, rutArena* arena);
// The same tree around boxes that have moved.
void rut_bvh_refit(rutBvh* bvh, const rutBox* box);
// The box around all items.
rutBox rut_bvh_box(const rutBvh* bvh);
// Surface of all boxes in the tree [m2]: what a walk costs. When it has grown much by refits, a new
// build pays.
double rut_bvh_surface(const rutBvh* bvh);

#endif  // RUT_GEOM_BVH_H
