// SPDX-License-Identifier: BSD-3-Clause
//
// A beam: bounds of the origins and directions of a crowd of rays, by which the items that any of
// them may meet are listed once for all (Reshetov, Soupikov and Hurley, "Multi-level ray tracing
// algorithm", ACM Transactions on Graphics 24 (3), 2005). The directions may have either sign.
//
// A ray comes into a box, along an axis, the earlier the nearer its origin and the greater its
// direction, and leaves it the later the smaller its direction. Rounding keeps the order of
// numbers, so that a beam meets what rut_bvh_meet says of any of its rays.
#ifndef RUT_GEOM_BVH_BEAM_H
#define RUT_GEOM_BVH_BEAM_H

#include "geom/bvh_packet.h"

// Rays of a crowd in packets.
enum { RUT_BEAM_PACKETS = 8 };

// Bounds along one axis: begins max((near - begin) inverse, (other - other_begin) other_inverse),
// ends max((far - end) beyond, floor). Only rays of both signs have an `other` and a floor.
typedef struct rutBvhBeamAxis {
  int near_row, far_row;
  float begin, inverse, other_begin, other_inverse, end, beyond, floor;
} rutBvhBeamAxis;

typedef struct rutBvhBeam {
  rutBvhBeamAxis axis[3];
  float limit;
} rutBvhBeam;

typedef struct rutBvhRange {
  double low, high;
} rutBvhRange;

RUT_INLINE rutBvhRange rut_bvh_range(int n, const rutRayPacket* packet, bool directions, int axis) {
  double low[RUT_PACKET], high[RUT_PACKET];
  for (int k = 0; k < n; k++) {
    const double* x = directions ? packet[k].d[axis] : packet[k].o[axis];
    RUT_FOR_LANES(i, RUT_PACKET) {
      const double below = k > 0 ? low[i] : RUT_INFINITY, above = k > 0 ? high[i] : -RUT_INFINITY;
      low[i] = x[i] < below ? x[i] : below;
      high[i] = x[i] > above ? x[i] : above;
    }
  }
  double least = RUT_INFINITY, most = -RUT_INFINITY;
#pragma omp simd reduction(min : least) reduction(max : most)
  for (int i = 0; i < RUT_PACKET; i++) {
    least = low[i] < least ? low[i] : least;
    most = high[i] > most ? high[i] : most;
  }
  return (rutBvhRange){least, most};
}

RUT_INLINE rutBvhBeamAxis rut_bvh_beam_axis(int k, rutBvhRange o, rutBvhRange d) {
  const rutBvhAxis low = rut_bvh_axis(o.low, d.low, rut_ray_inverse(d.low));
  const rutBvhAxis high = rut_bvh_axis(o.high, d.high, rut_ray_inverse(d.high));
  const float none = -(float)RUT_INFINITY;
  if (d.low >= 0) {
    return (rutBvhBeamAxis){k, 3 + k, high.begin, high.inverse, 0, 0, low.end, low.beyond, none};
  }
  if (d.high < 0) {
    return (rutBvhBeamAxis){3 + k, k, low.begin, low.inverse, 0, 0, high.end, high.beyond, none};
  }
  return (rutBvhBeamAxis){.near_row = k,
                          .far_row = 3 + k,
                          .begin = high.begin,
                          .inverse = high.inverse,
                          .other_begin = low.begin,
                          .other_inverse = low.inverse,
                          .floor = -none};
}

// Bounds of packets of rays, which do not reach farther than their limits.
RUT_INLINE rutBvhBeam rut_bvh_beam(int n, const rutRayPacket* packet) {
  rutBvhBeam beam;
  double limit = -1;
  for (int k = 0; k < 3; k++) {
    beam.axis[k] =
        rut_bvh_beam_axis(k, rut_bvh_range(n, packet, false, k), rut_bvh_range(n, packet, true, k));
  }
  for (int k = 0; k < n; k++) {
    const double* x = packet[k].limit;
#pragma omp simd reduction(max : limit)
    for (int i = 0; i < RUT_PACKET; i++) limit = x[i] > limit ? x[i] : limit;
  }
  beam.limit = rut_bvh_limit(limit);
  return beam;
}

// Bit i is set for each child that the beam may meet; begin[i] is where.
RUT_INLINE unsigned rut_bvh_beam_meet(const rutBvhNode* node, const rutBvhBeam* beam,
                                      float begin[RUT_BVH_WIDTH]) {
  float first[RUT_BVH_WIDTH], last[RUT_BVH_WIDTH];
  for (int i = 0; i < RUT_BVH_WIDTH; i++) first[i] = 0;
  for (int i = 0; i < RUT_BVH_WIDTH; i++) last[i] = beam->limit;
  RUT_UNROLL for (int k = 0; k < 3; k++) {
    const rutBvhBeamAxis a = beam->axis[k];
    const float* near = node->bound[a.near_row];
    const float* far = node->bound[a.far_row];
#pragma omp simd simdlen(8)
    for (int i = 0; i < RUT_BVH_WIDTH; i++) {
      const float one = (near[i] - a.begin) * a.inverse;
      const float other = (far[i] - a.other_begin) * a.other_inverse;
      const float way_out = (far[i] - a.end) * a.beyond,
                  out = way_out > a.floor ? way_out : a.floor;
      const float in = one > other ? one : other;
      first[i] = in > first[i] ? in : first[i];
      last[i] = out < last[i] ? out : last[i];
    }
  }
  unsigned met = 0;
  for (int i = 0; i < RUT_BVH_WIDTH; i++) {
    begin[i] = first[i];
    met |= (unsigned)(first[i] <= last[i]) << i;
  }
  return met;
}

#endif  // RUT_GEOM_BVH_BEAM_H
