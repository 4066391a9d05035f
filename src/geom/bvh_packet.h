// SPDX-License-Identifier: BSD-3-Clause
//
// The walk of many rays at once through a hierarchy: a packet of rays that go the same way along
// every axis. A node's eight boxes are first tested against the hull of the packet, a ray of
// extremes that meets whatever one of them meets; then those that are left against the rays, in
// lanes. Where few rays are left, each goes on by itself (Benthin, Wald, Woop, Ernst and Mark,
// "Combining single and packet-ray tracing for arbitrary ray distributions on the Intel MIC
// architecture", IEEE TVCG 18 (9), 2012).
//
// Boxes only have to miss nothing, so that neither the hull nor the packet that a ray belongs to
// can change a bit of what it hits.
#ifndef RUT_GEOM_BVH_PACKET_H
#define RUT_GEOM_BVH_PACKET_H

#include <string.h>

#include "geom/bvh_walk.h"

// FEW: as many rays or less are walked one by one.
enum { RUT_PACKET = 16, RUT_PACKET_FEW = 3 };

// Rays of a packet, lane by lane. Those of lanes that are not in use have any numbers.
typedef struct rutRayPacket {
  double o[3][RUT_PACKET], d[3][RUT_PACKET], inverse[3][RUT_PACKET];
  double limit[RUT_PACKET];
  bool any;
} rutRayPacket;

// The same for boxes, see rutBvhRay. limit: -1 in lanes that do not walk.
typedef struct rutBvhLanes {
  float begin[3][RUT_PACKET], end[3][RUT_PACKET];
  float inverse[3][RUT_PACKET], beyond[3][RUT_PACKET];
  float limit[RUT_PACKET];
} rutBvhLanes;

RUT_INLINE int rut_packet_count(unsigned lanes) { return __builtin_popcount(lanes); }

RUT_INLINE rutRay rut_packet_ray(const rutRayPacket* p, int i) {
  return (rutRay){.o = {p->o[0][i], p->o[1][i], p->o[2][i]},
                  .d = {p->d[0][i], p->d[1][i], p->d[2][i]},
                  .inverse = {p->inverse[0][i], p->inverse[1][i], p->inverse[2][i]},
                  .limit = p->limit[i],
                  .any = p->any};
}

// Rays of a batch that make a packet: a row, or a square of an image. Lanes that are not in use
// repeat a ray.
typedef struct rutPacketPlace {
  int at[RUT_PACKET];  // ray of each lane, four by four next to each other where all are in use
  unsigned used;
} rutPacketPlace;

enum { RUT_PACKET_SIDE = 4 };

RUT_INLINE rutPacketPlace rut_packet_row(int first, int n) {
  rutPacketPlace place = {.used = 0};
  for (int i = 0; i < RUT_PACKET; i++) {
    const int at = first + i;
    place.used |= (unsigned)(at < n) << i;
    place.at[i] = at < n ? at : n - 1;
  }
  return place;
}

// Of an image with so many columns and rows.
RUT_INLINE rutPacketPlace rut_packet_square(int column, int row, int columns, int rows) {
  rutPacketPlace place = {.used = 0};
  for (int i = 0; i < RUT_PACKET; i++) {
    const int x = column + i % RUT_PACKET_SIDE, y = row + i / RUT_PACKET_SIDE;
    place.used |= (unsigned)(x < columns && y < rows) << i;
    place.at[i] = (y < rows ? y : rows - 1) * columns + (x < columns ? x : columns - 1);
  }
  return place;
}

RUT_INLINE void rut_packet_load(const double* from, const rutPacketPlace* place,
                                double to[RUT_PACKET]) {
  if (place->used == (1u << RUT_PACKET) - 1) {
    for (int i = 0; i < RUT_PACKET; i += RUT_PACKET_SIDE) {
      memcpy(to + i, from + place->at[i], RUT_PACKET_SIDE * sizeof *to);
    }
    return;
  }
  for (int i = 0; i < RUT_PACKET; i++) to[i] = from[place->at[i]];
}

// All but the inverses. Returns the lanes of rays that may hit anything; others have the limit -1.
RUT_INLINE unsigned rut_packet_of(const rutRayBatch* rays, const rutRayResult* out,
                                  const rutPacketPlace* place, rutRayPacket* restrict p) {
  const double farthest = rays->max_range * RUT_RAY_INCLUSIVE;
  const double settled = rays->any ? RUT_INFINITY : -1;  // ranges below are settled
  unsigned usable = 0;
  for (int k = 0; k < 3; k++) {
    rut_packet_load(rays->origin[k], place, p->o[k]);
    rut_packet_load(rays->direction[k], place, p->d[k]);
  }
  rut_packet_load(out->range, place, p->limit);
#pragma omp simd reduction(| : usable)
  for (int i = 0; i < RUT_PACKET; i++) {
    const double sum =
        (p->o[0][i] + p->d[0][i]) + (p->o[1][i] + p->d[1][i]) + (p->o[2][i] + p->d[2][i]);
    const double range = p->limit[i];
    const int may = (sum - sum == 0) & !(range < settled);
    p->limit[i] = may ? (range < farthest ? range : farthest) : -1;
    usable |= (unsigned)may << i;
  }
  RUT_UNROLL for (int k = 0; k < 3; k++) {
    RUT_FOR_LANES(i, RUT_PACKET) p->d[k][i] = rut_ray_motion(p->d[k][i]);
  }
  p->any = rays->any;
  return usable & place->used;
}

RUT_INLINE void rut_packet_invert(rutRayPacket* restrict p) {
  RUT_UNROLL for (int k = 0; k < 3; k++) {
    RUT_FOR_LANES(i, RUT_PACKET) p->inverse[k][i] = rut_ray_inverse(p->d[k][i]);
  }
}

// Which way the rays go: bit k is set if one goes up along axis k, higher bits are the axis along
// which it goes farthest.
RUT_INLINE void rut_packet_ways(const rutRayPacket* restrict p, int way[restrict RUT_PACKET]) {
  RUT_FOR_LANES(i, RUT_PACKET) {
    const double x = p->d[0][i], y = p->d[1][i], z = p->d[2][i];
    way[i] = (x >= 0) | (y >= 0) << 1 | (z >= 0) << 2 | rut_ray_longest(x, y, z) << 3;
  }
}

enum { RUT_WAY_SIGNS = 7, RUT_WAY_SIGNS_AND_LONGEST = 31 };

// Rays among `left` that go the way of the first of them: with the same of those bits of their ways
// that `mask` has, and no more than 30 degrees apart, since others soon part.
RUT_INLINE unsigned rut_packet_same_way(const rutRayPacket* p, const int way[RUT_PACKET],
                                        unsigned left, int mask) {
  const int first = rut_bvh_lowest(left), of_first = way[first];
  const double x = p->d[0][first], y = p->d[1][first], z = p->d[2][first];
  const double least = 0.75 * (x * x + y * y + z * z);  // of the cosine squared, times a square
  unsigned same = 0;
#pragma omp simd reduction(| : same)
  for (int i = 0; i < RUT_PACKET; i++) {
    const double dx = p->d[0][i], dy = p->d[1][i], dz = p->d[2][i];
    const double along = x * dx + y * dy + z * dz, square = dx * dx + dy * dy + dz * dz;
    const int near = (along > 0) & (along * along >= least * square);
    same |= (unsigned)((((way[i] ^ of_first) & mask) == 0) & near) << i;
  }
  return (same | 1u << first) & left;
}

RUT_INLINE void rut_bvh_lanes(const rutRayPacket* restrict p, rutBvhLanes* restrict w) {
  RUT_UNROLL for (int k = 0; k < 3; k++) {
    RUT_FOR_LANES(i, RUT_PACKET) {
      const rutBvhAxis a = rut_bvh_axis(p->o[k][i], p->d[k][i], p->inverse[k][i]);
      w->begin[k][i] = a.begin;
      w->end[k][i] = a.end;
      w->inverse[k][i] = a.inverse;
      w->beyond[k][i] = a.beyond;
    }
  }
}

// One of the rays.
RUT_INLINE rutBvhRay rut_bvh_lane(const rutBvhLanes* w, int i) {
  rutBvhRay ray;
  for (int k = 0; k < 3; k++) {
    const bool up = w->inverse[k][i] >= 0;
    ray.begin[k] = w->begin[k][i];
    ray.end[k] = w->end[k][i];
    ray.inverse[k] = w->inverse[k][i];
    ray.beyond[k] = w->beyond[k][i];
    ray.near_row[k] = up ? k : 3 + k;
    ray.far_row[k] = up ? 3 + k : k;
  }
  return ray;
}

RUT_INLINE float rut_bvh_least(const float x[RUT_PACKET], const int in[RUT_PACKET]) {
  float least = 2 * (float)RUT_BVH_STEEPEST;
#pragma omp simd reduction(min : least)
  for (int i = 0; i < RUT_PACKET; i++) {
    const float a = in[i] ? x[i] : 2 * (float)RUT_BVH_STEEPEST;
    least = a < least ? a : least;
  }
  return least;
}

RUT_INLINE float rut_bvh_most(const float x[RUT_PACKET], const int in[RUT_PACKET]) {
  float most = -2 * (float)RUT_BVH_STEEPEST;
#pragma omp simd reduction(max : most)
  for (int i = 0; i < RUT_PACKET; i++) {
    const float a = in[i] ? x[i] : -2 * (float)RUT_BVH_STEEPEST;
    most = a > most ? a : most;
  }
  return most;
}

// Where a ray goes up, it comes into a box earlier from a greater origin and with a smaller
// inverse, and leaves it later from a smaller one and with a greater inverse. Rounding keeps the
// order of numbers.
RUT_INLINE rutBvhRay rut_bvh_hull(const rutBvhLanes* w, unsigned group) {
  rutBvhRay hull = rut_bvh_lane(w, rut_bvh_lowest(group));
  int in[RUT_PACKET];
  for (int i = 0; i < RUT_PACKET; i++) in[i] = (int)(group >> i & 1);
  for (int k = 0; k < 3; k++) {
    const bool up = hull.near_row[k] == k;
    hull.begin[k] = up ? rut_bvh_most(w->begin[k], in) : rut_bvh_least(w->begin[k], in);
    hull.end[k] = up ? rut_bvh_least(w->end[k], in) : rut_bvh_most(w->end[k], in);
    hull.inverse[k] = up ? rut_bvh_least(w->inverse[k], in) : rut_bvh_most(w->inverse[k], in);
    hull.beyond[k] = up ? rut_bvh_most(w->beyond[k], in) : rut_bvh_least(w->beyond[k], in);
  }
  return hull;
}

// As rut_bvh_meet, for one child and all rays: bit i is set if ray i meets it before its limit.
RUT_INLINE unsigned rut_bvh_lanes_meet(const rutBvhNode* node, int child, const rutBvhRay* hull,
                                       const rutBvhLanes* w) {
  const float nx = node->bound[hull->near_row[0]][child];
  const float ny = node->bound[hull->near_row[1]][child];
  const float nz = node->bound[hull->near_row[2]][child];
  const float fx = node->bound[hull->far_row[0]][child];
  const float fy = node->bound[hull->far_row[1]][child];
  const float fz = node->bound[hull->far_row[2]][child];
  unsigned met = 0;
#pragma omp simd reduction(| : met)
  for (int i = 0; i < RUT_PACKET; i++) {
    const float x0 = (nx - w->begin[0][i]) * w->inverse[0][i];
    const float y0 = (ny - w->begin[1][i]) * w->inverse[1][i];
    const float z0 = (nz - w->begin[2][i]) * w->inverse[2][i];
    const float x1 = (fx - w->end[0][i]) * w->beyond[0][i];
    const float y1 = (fy - w->end[1][i]) * w->beyond[1][i];
    const float z1 = (fz - w->end[2][i]) * w->beyond[2][i];
    const float xy0 = x0 > y0 ? x0 : y0, z00 = z0 > 0 ? z0 : 0;
    const float xy1 = x1 < y1 ? x1 : y1, z11 = z1 < w->limit[i] ? z1 : w->limit[i];
    const float begin = xy0 > z00 ? xy0 : z00, end = xy1 < z11 ? xy1 : z11;
    met |= (unsigned)(begin <= end) << i;
  }
  return met;
}

// The same for a box alone, and rays of any signs.
RUT_INLINE unsigned rut_bvh_lanes_enter(const rutBox* box, const rutBvhLanes* w) {
  float first[RUT_PACKET], last[RUT_PACKET];
  for (int i = 0; i < RUT_PACKET; i++) first[i] = 0;
  for (int i = 0; i < RUT_PACKET; i++) last[i] = w->limit[i];
  RUT_UNROLL for (int k = 0; k < 3; k++) {
    const float low = box->low[k], high = box->high[k];
    RUT_FOR_LANES(i, RUT_PACKET) {
      const float inverse = w->inverse[k][i];
      const float near = inverse >= 0 ? low : high, far = inverse >= 0 ? high : low;
      const float in = (near - w->begin[k][i]) * inverse;
      const float out = (far - w->end[k][i]) * w->beyond[k][i];
      first[i] = in > first[i] ? in : first[i];
      last[i] = out < last[i] ? out : last[i];
    }
  }
  unsigned met = 0;
#pragma omp simd reduction(| : met)
  for (int i = 0; i < RUT_PACKET; i++) met |= (unsigned)(first[i] <= last[i]) << i;
  return met;
}

// Rays whose nearest hit so far is not nearer than a distance.
RUT_INLINE unsigned rut_bvh_still(const rutBvhLanes* w, float begin) {
  unsigned still = 0;
#pragma omp simd reduction(| : still)
  for (int i = 0; i < RUT_PACKET; i++) still |= (unsigned)(begin <= w->limit[i]) << i;
  return still;
}

RUT_INLINE float rut_bvh_farthest(const rutBvhLanes* w) {
  float most = -1;
#pragma omp simd reduction(max : most)
  for (int i = 0; i < RUT_PACKET; i++) most = w->limit[i] > most ? w->limit[i] : most;
  return most;
}

// A child that waits for some rays.
typedef struct rutBvhParty {
  int child;
  unsigned lanes;
  float begin;
} rutBvhParty;

// Test the items of a leaf against rays of the context, or walk one of its rays from a child on.
// Both put new limits into the lanes that were given to the walk.
typedef struct rutBvhVisitor {
  void (*visit)(void* context, int leaf, unsigned lanes);
  void (*walk)(void* context, int lane, int child);
  void* context;
} rutBvhVisitor;

RUT_INLINE int rut_bvh_push_party(rutBvhParty* stack, int bottom, int top, rutBvhParty party) {
  int at = top;
  for (; at > bottom && stack[at - 1].begin < party.begin; at--) stack[at] = stack[at - 1];
  stack[at] = party;
  return top + 1;
}

// A group on its way, and what waits.
typedef struct rutBvhGroup {
  const rutBvh* bvh;
  const rutBvhLanes* lanes;
  rutBvhRay hull;
  rutBvhParty stack[RUT_BVH_STACK];
  int top;
} rutBvhGroup;

// Put the children of a node that rays meet on the stack, the nearest on top.
RUT_INLINE void rut_bvh_descend(rutBvhGroup* g, const rutBvhNode* node, unsigned lanes) {
  float begin[RUT_BVH_WIDTH];
  const int bottom = g->top;
  unsigned met = rut_bvh_meet(node, &g->hull, rut_bvh_farthest(g->lanes), begin);
  rut_bvh_fetch(g->bvh, node, met);
  for (; met; met &= met - 1) {
    const int i = rut_bvh_lowest(met);
    const unsigned some = rut_bvh_lanes_meet(node, i, &g->hull, g->lanes) & lanes;
    if (!some) continue;
    const rutBvhParty party = {node->child[i], some, begin[i]};
    g->top = rut_bvh_push_party(g->stack, bottom, g->top, party);
  }
}

// Walk a group of rays with the same signs, whose limits are set; others have -1.
RUT_INLINE void rut_bvh_walk_packet(const rutBvh* bvh, const rutBvhLanes* w, unsigned group,
                                    rutBvhVisitor visitor) {
  rutBvhGroup g;
  g.bvh = bvh;
  g.lanes = w;
  g.hull = rut_bvh_hull(w, group);
  g.stack[0] = (rutBvhParty){0, group, 0};
  g.top = 1;
  while (g.top > 0) {
    const rutBvhParty party = g.stack[--g.top];
    unsigned lanes = party.lanes & rut_bvh_still(w, party.begin);
    if (rut_packet_count(lanes) <= RUT_PACKET_FEW) {
      for (; lanes; lanes &= lanes - 1)
        visitor.walk(visitor.context, rut_bvh_lowest(lanes), party.child);
    } else if (party.child < 0) {
      visitor.visit(visitor.context, ~party.child, lanes);
    } else {
      rut_bvh_descend(&g, &bvh->node[party.child], lanes);
    }
  }
}

#endif  // RUT_GEOM_BVH_PACKET_H
