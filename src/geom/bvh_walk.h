// SPDX-License-Identifier: BSD-3-Clause
//
// The walk of a ray through a hierarchy, the nearest children first.
//
// A hit that an item's own test finds lies in the item's box to the rounding of doubles, and the
// boxes have a margin of floats. So that no such box is missed, the origin is rounded outward, to
// the side that makes the way into a box shorter and that out of it longer, and the end of a box is
// moved by the rounding of the three operations that find a beginning and of the four that find an
// end, 7 e to first order with e = 2^-24 (Ize, "Robust BVH Ray Traversal", Journal of Computer
// Graphics Techniques 2 (2), 2013).
#ifndef RUT_GEOM_BVH_WALK_H
#define RUT_GEOM_BVH_WALK_H

#include <stdbool.h>

#include "geom/bvh.h"
#include "geom/rays.h"
#include "math/lanes.h"

#define RUT_BVH_END (1 + 0x1p-21f)  // 1 + 8 e
// Largest inverse of a direction: the ray leaves its plane by less than 1e-30 of its range. The
// inverse of this is the least, and coordinates are limited too: so nothing is infinity times 0.
#define RUT_BVH_STEEPEST 1e30
// Margin of an origin, relative: above the rounding to floats.
#define RUT_BVH_ORIGIN 0x1p-22

typedef struct rutBvhRay {
  float begin[3], end[3];       // the origin for the near and for the far planes of boxes
  float inverse[3], beyond[3];  // of the direction; the same, a little longer
  int near_row[3], far_row[3];  // rows of a node's bounds
} rutBvhRay;

// The same along one axis.
typedef struct rutBvhAxis {
  float begin, end, inverse, beyond;
} rutBvhAxis;

RUT_INLINE rutBvhAxis rut_bvh_axis(double from, double d, double per) {
  const bool up = d >= 0;
  const double o = rut_clamp(from, -RUT_BVH_STEEPEST, RUT_BVH_STEEPEST);
  const double margin = (up ? RUT_BVH_ORIGIN : -RUT_BVH_ORIGIN) * rut_abs(o);
  const double inverse = d != 0 ? rut_abs(per) : RUT_BVH_STEEPEST;
  const double size = rut_clamp(inverse, 1 / RUT_BVH_STEEPEST, RUT_BVH_STEEPEST);
  const float signed_size = (float)(up ? size : -size);
  return (rutBvhAxis){(float)(o + margin), (float)(o - margin), signed_size,
                      signed_size * RUT_BVH_END};
}

RUT_INLINE rutBvhRay rut_bvh_ray(const rutRay* from) {
  rutBvhRay ray;
  for (int k = 0; k < 3; k++) {
    const bool up = from->d[k] >= 0;
    const rutBvhAxis axis = rut_bvh_axis(from->o[k], from->d[k], from->inverse[k]);
    ray.begin[k] = axis.begin;
    ray.end[k] = axis.end;
    ray.inverse[k] = axis.inverse;
    ray.beyond[k] = axis.beyond;
    ray.near_row[k] = up ? k : 3 + k;
    ray.far_row[k] = up ? 3 + k : k;
  }
  return ray;
}

// A float that is not below a limit.
RUT_INLINE float rut_bvh_limit(double limit) { return (float)limit * RUT_BVH_END; }

// Bit i is set for each child that the ray meets before `limit`; begin[i] is where.
RUT_INLINE unsigned rut_bvh_meet(const rutBvhNode* node, const rutBvhRay* ray, float limit,
                                 float begin[RUT_BVH_WIDTH]) {
  const float* nx = node->bound[ray->near_row[0]];
  const float* ny = node->bound[ray->near_row[1]];
  const float* nz = node->bound[ray->near_row[2]];
  const float* fx = node->bound[ray->far_row[0]];
  const float* fy = node->bound[ray->far_row[1]];
  const float* fz = node->bound[ray->far_row[2]];
  const float bx = ray->begin[0], by = ray->begin[1], bz = ray->begin[2];
  const float ex = ray->end[0], ey = ray->end[1], ez = ray->end[2];
  const float ix = ray->inverse[0], iy = ray->inverse[1], iz = ray->inverse[2];
  const float jx = ray->beyond[0], jy = ray->beyond[1], jz = ray->beyond[2];
  unsigned met = 0;
#pragma omp simd simdlen(8) reduction(| : met)
  for (int i = 0; i < RUT_BVH_WIDTH; i++) {
    const float x0 = (nx[i] - bx) * ix, y0 = (ny[i] - by) * iy, z0 = (nz[i] - bz) * iz;
    const float x1 = (fx[i] - ex) * jx, y1 = (fy[i] - ey) * jy, z1 = (fz[i] - ez) * jz;
    const float xy0 = x0 > y0 ? x0 : y0, z00 = z0 > 0 ? z0 : 0;
    const float first = xy0 > z00 ? xy0 : z00;
    const float xy1 = x1 < y1 ? x1 : y1, z11 = z1 < limit ? z1 : limit;
    begin[i] = first;
    met |= (unsigned)(first <= (xy1 < z11 ? xy1 : z11)) << i;
  }
  return met;
}

// A child that waits.
typedef struct rutBvhWait {
  int child;
  float begin;
} rutBvhWait;

// Test the items of a leaf against the ray of the context. Returns the new limit: the nearest hit.
typedef double (*rutBvhVisit)(void* context, int leaf, double limit);

// Index of the lowest bit.
RUT_INLINE int rut_bvh_lowest(unsigned bits) { return __builtin_ctz(bits); }

// Ask for the nodes that a ray meets while they are sorted: most of the time of a large tree is
// waits for memory.
RUT_INLINE void rut_bvh_fetch(const rutBvh* bvh, const rutBvhNode* node, unsigned met) {
  for (; met; met &= met - 1) {
    const int child = node->child[rut_bvh_lowest(met)];
    const char* line = (const char*)&bvh->node[child >= 0 ? child : 0];
    for (size_t i = 0; i < 3; i++) __builtin_prefetch(line + 64 * i);
  }
}

// Put a child on the stack, below those that are nearer. Returns the new top.
RUT_INLINE int rut_bvh_push(rutBvhWait* stack, int bottom, int top, rutBvhWait wait) {
  int at = top;
  for (; at > bottom && stack[at - 1].begin < wait.begin; at--) stack[at] = stack[at - 1];
  stack[at] = wait;
  return top + 1;
}

// From a child on, which may be a leaf; the root is node 0.
RUT_INLINE void rut_bvh_walk(const rutBvh* bvh, int child, const rutBvhRay* ray, double limit,
                             rutBvhVisit visit, void* context) {
  rutBvhWait stack[RUT_BVH_STACK];
  int top = 0;
  float end = rut_bvh_limit(limit);
  for (;;) {
    unsigned met = 0;
    const rutBvhNode* node = &bvh->node[child];
    float begin[RUT_BVH_WIDTH];
    if (child >= 0) {
      met = rut_bvh_meet(node, ray, end, begin);
    } else {
      limit = visit(context, ~child, limit);
      end = rut_bvh_limit(limit);
    }
    if (met) {
      rut_bvh_fetch(bvh, node, met);
      const int bottom = top;
      int near = rut_bvh_lowest(met);
      for (met &= met - 1; met; met &= met - 1) {
        const int i = rut_bvh_lowest(met);
        const bool swap = begin[i] < begin[near];
        const int far = swap ? near : i;
        near = swap ? i : near;
        top = rut_bvh_push(stack, bottom, top, (rutBvhWait){node->child[far], begin[far]});
      }
      child = node->child[near];
      continue;
    }
    do {
      if (top == 0) return;
      top--;
    } while (!(stack[top].begin <= end));
    child = stack[top].child;
  }
}

#endif  // RUT_GEOM_BVH_WALK_H
