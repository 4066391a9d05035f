// SPDX-License-Identifier: BSD-3-Clause
//
// The walk of a ray through a hierarchy, the nearest children first.
//
// A hit that an item's own test finds lies in the item's box to the rounding of doubles, and the
// boxes have a margin of floats. So that no such box is missed, the origin is rounded outward, to
// the side that makes the way into a box shorter and that out of it longer, and the end of a box is
// moved by twice the rounding of the three operations that find it, gamma_3 = 3 e / (1 - 3 e), e =
// 2^-24 (Ize, "Robust BVH Ray Traversal", Journal of Computer Graphics Techniques 2 (2), 2013).
#ifndef RUT_GEOM_BVH_WALK_H
#define RUT_GEOM_BVH_WALK_H

#include "geom/bvh.h"
#include "math/lanes.h"

#define RUT_BVH_END (1 + 0x1p-21f)  // 1 + 2 gamma_3, rounded up
// Largest inverse of a direction: the ray leaves its plane by less than 1e-30 of its range.
#define RUT_BVH_STEEPEST 1e30
// Margin of an origin, relative: above the rounding to floats.
#define RUT_BVH_ORIGIN 0x1p-22

typedef struct rutBvhRay {
  float begin[3], end[3];       // the origin for the near and for the far planes of boxes
  float inverse[3];             // of the direction
  int near_row[3], far_row[3];  // rows of a node's bounds
} rutBvhRay;

RUT_INLINE rutBvhRay rut_bvh_ray(const double o[3], const double d[3]) {
  rutBvhRay ray;
  for (int k = 0; k < 3; k++) {
    const bool up = d[k] >= 0;
    const double margin = RUT_BVH_ORIGIN * rut_abs(o[k]), sense = up ? 1 : -1;
    ray.begin[k] = (float)(o[k] + sense * margin);
    ray.end[k] = (float)(o[k] - sense * margin);
    const double inverse = d[k] != 0 ? 1 / d[k] : RUT_BVH_STEEPEST;
    ray.inverse[k] = (float)rut_clamp(inverse, -RUT_BVH_STEEPEST, RUT_BVH_STEEPEST);
    ray.near_row[k] = up ? k : 3 + k;
    ray.far_row[k] = up ? 3 + k : k;
  }
  return ray;
}

// A float that is not below a limit.
RUT_INLINE float rut_bvh_limit(double limit) { return (float)limit * RUT_BVH_END; }

// Bit i is set for each child that the ray meets before `limit`; begin[i] is where.
RUT_INLINE int rut_bvh_meet(const rutBvhNode* node, const rutBvhRay* ray, float limit,
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
  int met = 0;
#pragma omp simd reduction(| : met)
  for (int i = 0; i < RUT_BVH_WIDTH; i++) {
    const float x0 = (nx[i] - bx) * ix, y0 = (ny[i] - by) * iy, z0 = (nz[i] - bz) * iz;
    const float x1 = (fx[i] - ex) * ix, y1 = (fy[i] - ey) * iy, z1 = (fz[i] - ez) * iz;
    const float xy0 = x0 > y0 ? x0 : y0, z00 = z0 > 0 ? z0 : 0;
    const float t0 = xy0 > z00 ? xy0 : z00;
    const float xy1 = x1 < y1 ? x1 : y1, z11 = z1 < limit ? z1 : limit;
    const float t1 = (xy1 < z11 ? xy1 : z11) * RUT_BVH_END;
    begin[i] = t0;
    met |= t0 <= t1 ? 1 << i : 0;
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

// Put the children that a ray meets on the stack, the nearest on top. Returns the new top.
RUT_INLINE int rut_bvh_push(const rutBvhNode* node, int met, const float* begin, rutBvhWait* stack,
                            int top) {
  const int bottom = top;
  for (int i = 0; i < RUT_BVH_WIDTH; i++) {
    if (!(met >> i & 1)) continue;
    int at = top++;
    for (; at > bottom && stack[at - 1].begin < begin[i]; at--) stack[at] = stack[at - 1];
    stack[at] = (rutBvhWait){node->child[i], begin[i]};
  }
  return top;
}

RUT_INLINE void rut_bvh_walk(const rutBvh* bvh, const rutBvhRay* ray, double limit,
                             rutBvhVisit visit, void* context) {
  rutBvhWait stack[RUT_BVH_STACK];
  int top = 1;
  float end = rut_bvh_limit(limit);
  stack[0] = (rutBvhWait){0, 0};
  while (top > 0) {
    const rutBvhWait next = stack[--top];
    if (!(next.begin <= end)) continue;
    if (next.child < 0) {
      limit = visit(context, ~next.child, limit);
      end = rut_bvh_limit(limit);
    } else {
      const rutBvhNode* node = &bvh->node[next.child];
      float begin[RUT_BVH_WIDTH];
      const int met = rut_bvh_meet(node, ray, end, begin);
      top = rut_bvh_push(node, met, begin, stack, top);
    }
  }
}

#endif  // RUT_GEOM_BVH_WALK_H
