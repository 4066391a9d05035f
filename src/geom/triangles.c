// SPDX-License-Identifier: BSD-3-Clause
#include "geom/triangles.h"

#include <string.h>

#include "geom/bvh_packet.h"
#include "math/vec.h"

enum { LEAF = RUT_BVH_LEAF_MOST };

// Margin of a triangle's box, relative to the coordinates: far above the rounding of the test.
#define MARGIN 0x1p-22

// ---------------------------------------------------------------------------------------------
// Build

void rut_triangles_take(rutTriangles* set, int triangles, rutArena* arena) {
  rut_bvh_take(&set->bvh, triangles, LEAF, arena);
  set->block = RUT_TAKE(arena, rutTriangleBlock, triangles);
}

static bool is_valid(const rutTriangleMesh* mesh, int triangle) {
  bool valid = true;
  for (int c = 0; c < 3; c++) {
    const int i = mesh->triangle[3 * (size_t)triangle + c];
    valid = valid && i >= 0 && i < mesh->points;
  }
  return valid;
}

static double coordinate(const rutTriangleMesh* mesh, int triangle, int corner, int axis) {
  const int point = mesh->triangle[3 * (size_t)triangle + corner];
  return (double)(float)mesh->point[3 * (size_t)point + axis];
}

static rutBox box_of(const rutTriangleMesh* mesh, int triangle) {
  double low[3], high[3], largest = 0;
  for (int k = 0; k < 3; k++) {
    low[k] = high[k] = coordinate(mesh, triangle, 0, k);
    for (int c = 1; c < 3; c++) {
      const double x = coordinate(mesh, triangle, c, k);
      low[k] = rut_min(x, low[k]);
      high[k] = rut_max(x, high[k]);
    }
    // a number that is not finite makes a box that is left out
    for (int c = 0; c < 3; c++) largest += rut_abs(coordinate(mesh, triangle, c, k));
  }
  return rut_box_around(low, high, MARGIN * largest);
}

static void fill_block(const rutTriangleMesh* mesh, const int* item, rutTriangleBlock* block) {
  for (int i = 0; i < LEAF; i++) {
    // lanes without a triangle have one without area, which is not hit
    const int triangle = item[i] >= 0 ? item[i] : item[0];
    block->triangle[i] = item[i];
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++)
        block->corner[c][k][i] = (float)coordinate(mesh, triangle, item[i] < 0 ? 0 : c, k);
  }
}

void rut_triangles_build(rutTriangles* set, const rutTriangleMesh* mesh, rutBox* box) {
  for (int i = 0; i < mesh->triangles; i++) {
    rut_box_begin(&box[i]);
    if (is_valid(mesh, i)) box[i] = box_of(mesh, i);
  }
  rut_bvh_build(&set->bvh, mesh->triangles, box);
  for (int i = 0; i < set->bvh.leaves; i++)
    fill_block(mesh, set->bvh.item + (size_t)i * LEAF, &set->block[i]);
}

void rut_triangles_copy(rutTriangles* to, const rutTriangles* from, rutArena* arena) {
  rut_bvh_copy(&to->bvh, &from->bvh, arena);
  const size_t leaves = (size_t)from->bvh.leaves;
  to->block = RUT_TAKE(arena, rutTriangleBlock, leaves);
  if (to->block) memcpy(to->block, from->block, leaves * sizeof *to->block);
}

// ---------------------------------------------------------------------------------------------
// Rays

// A ray in the frame of the test: its longest component along z, sheared so that it is z itself.
typedef struct Shear {
  int x, y, z;  // axes
  double o[3];  // origin along them
  double sx, sy, sz;
} Shear;

// A ray on its way through the tree, and the nearest hit.
typedef struct Search {
  const rutTriangles* set;
  Shear shear;
  bool any;
  rutTriangleMark hit;
} Search;

RUT_INLINE Shear shear_of(const rutRay* ray) {
  const int axis = rut_ray_longest(ray->d[0], ray->d[1], ray->d[2]);
  Shear s = {.x = (axis + 1) % 3, .y = (axis + 2) % 3, .z = axis};
  s.o[0] = ray->o[s.x];
  s.o[1] = ray->o[s.y];
  s.o[2] = ray->o[s.z];
  s.sz = ray->inverse[s.z];
  s.sx = ray->d[s.x] * s.sz;
  s.sy = ray->d[s.y] * s.sz;
  return s;
}

// Edge functions of the triangles of a block, opposite their first, second and third corner, and
// the corners' distances along the longest component.
typedef struct Edges {
  double u[LEAF], v[LEAF], w[LEAF], az[LEAF], bz[LEAF], cz[LEAF];
} Edges;

// Bit i is set if the ray goes through triangle i: then its edge functions have one sign. Two
// triangles with a common edge get values for it that differ in sign only, because products commute
// and the difference of two rounded products never has the wrong sign.
RUT_INLINE unsigned cross_block(const rutTriangleBlock* block, const Shear* s, Edges* e) {
  double corner[9][LEAF];
  const float* from = &block->corner[0][0][0];
  double* to = &corner[0][0];
  RUT_FOR_LANES(i, 9 * LEAF) to[i] = (double)from[i];
  const double *ax = corner[s->x], *ay = corner[s->y], *az = corner[s->z];
  const double *bx = corner[3 + s->x], *by = corner[3 + s->y], *bz = corner[3 + s->z];
  const double *cx = corner[6 + s->x], *cy = corner[6 + s->y], *cz = corner[6 + s->z];
  const double ox = s->o[0], oy = s->o[1], oz = s->o[2], sx = s->sx, sy = s->sy;
  unsigned through = 0;
#pragma omp simd simdlen(4) reduction(| : through)
  for (int i = 0; i < LEAF; i++) {
    const double za = az[i] - oz, zb = bz[i] - oz, zc = cz[i] - oz;
    const double xa = ax[i] - ox - sx * za, ya = ay[i] - oy - sy * za;
    const double xb = bx[i] - ox - sx * zb, yb = by[i] - oy - sy * zb;
    const double xc = cx[i] - ox - sx * zc, yc = cy[i] - oy - sy * zc;
    const double u = xc * yb - yc * xb, v = xa * yc - ya * xc, w = xb * ya - yb * xa;
    const double uv0 = u < v ? u : v, uv1 = u > v ? u : v;
    const double low = uv0 < w ? uv0 : w, high = uv1 > w ? uv1 : w;
    e->u[i] = u;
    e->v[i] = v;
    e->w[i] = w;
    e->az[i] = za;
    e->bz[i] = zb;
    e->cz[i] = zc;
    // one sign, and not all 0
    through |= (unsigned)((low >= 0) != (high <= 0)) << i;
  }
  return through;
}

// What the ray goes through becomes its hit if that is nearer than the limit. Returns the new one.
RUT_INLINE double take(const rutTriangleMark* at, double limit, bool any, rutTriangleMark* hit) {
  const double t = at->range;
  const bool nearer = t < limit || (t == limit && at->triangle < hit->triangle);
  if (!(t >= 0) || !nearer) return limit;
  *hit = *at;
  return rut_ray_limit_after(any, t);
}

RUT_INLINE double visit_block(void* context, int leaf, double limit) {
  Search* s = context;
  const rutTriangleBlock* block = &s->set->block[leaf];
  Edges e;
  unsigned through = cross_block(block, &s->shear, &e);
  for (; through; through &= through - 1) {
    const int i = rut_bvh_lowest(through);
    const double area = e.u[i] + e.v[i] + e.w[i];
    const double t = (e.u[i] * e.az[i] + e.v[i] * e.bz[i] + e.w[i] * e.cz[i]) * s->shear.sz / area;
    const rutTriangleMark at = {t, block->triangle[i], leaf, i, e.v[i], e.w[i], area};
    limit = take(&at, limit, s->any, &s->hit);
  }
  return limit;
}

static void find_normal(const rutTriangleBlock* block, int i, const rutRay* ray, double normal[3]) {
  double a[3], b[3], size = 0, along = 0;
  for (int k = 0; k < 3; k++) {
    a[k] = (double)block->corner[1][k][i] - (double)block->corner[0][k][i];
    b[k] = (double)block->corner[2][k][i] - (double)block->corner[0][k][i];
  }
  for (int k = 0; k < 3; k++) {
    const int x = (k + 1) % 3, y = (k + 2) % 3;
    normal[k] = a[x] * b[y] - a[y] * b[x];
    size += normal[k] * normal[k];
    along += normal[k] * ray->d[k];
  }
  // corners on a line: against the ray
  const bool flat = !(size > 0);
  for (int k = 0; flat && k < 3; k++) {
    normal[k] = -ray->d[k];
    size += normal[k] * normal[k];
  }
  const double scale = (along > 0 ? -1 : 1) / rut_sqrt(size);
  for (int k = 0; k < 3; k++) normal[k] *= scale;
}

void rut_triangles_tell(const rutTriangles* set, const rutTriangleMark* mark, const rutRay* ray,
                        rutTriangleHit* hit) {
  hit->range = mark->range;
  hit->triangle = mark->triangle;
  hit->weight[0] = mark->v / mark->area;
  hit->weight[1] = mark->w / mark->area;
  find_normal(&set->block[mark->block], mark->lane, ray, hit->normal);
}

RUT_INLINE bool find_mark(const rutTriangles* set, const rutRay* ray, rutTriangleMark* mark) {
  const double *o = ray->o, *d = ray->d;
  mark->triangle = -1;
  if (!rut_is_finite(o[0] + o[1] + o[2] + d[0] + d[1] + d[2])) return false;
  Search s = {.set = set, .shear = shear_of(ray), .any = ray->any, .hit = {.triangle = -1}};
  const rutBvhRay walk = rut_bvh_ray(ray);
  rut_bvh_walk(&set->bvh, 0, &walk, ray->limit, visit_block, &s);
  *mark = s.hit;
  return mark->triangle >= 0;
}

RUT_CLONES static bool find_mark_lanes(const rutTriangles* set, const rutRay* ray,
                                       rutTriangleMark* mark) {
  return find_mark(set, ray, mark);
}

bool rut_triangles_find(const rutTriangles* set, const rutRay* ray, rutTriangleMark* mark) {
  return find_mark_lanes(set, ray, mark);
}

bool rut_triangles_hit(const rutTriangles* set, const rutRay* ray, rutTriangleHit* hit) {
  rutTriangleMark mark;
  hit->triangle = -1;
  if (!rut_triangles_find(set, ray, &mark)) return false;
  rut_triangles_tell(set, &mark, ray, hit);
  return true;
}

// ---------------------------------------------------------------------------------------------
// Packets of rays

// Rays on their way through the tree, with the same longest axis.
typedef struct Party {
  const rutTriangles* set;
  rutBvhLanes walk;
  int axis[3];  // as of a shear
  double o[3][RUT_PACKET], sx[RUT_PACKET], sy[RUT_PACKET], sz[RUT_PACKET];
  double limit[RUT_PACKET];
  bool any;
  rutTriangleMark* hit;  // of each lane
} Party;

RUT_INLINE void set_limit(Party* p, int lane, double limit) {
  p->limit[lane] = limit;
  p->walk.limit[lane] = rut_bvh_limit(limit);
}

// As cross_block, for one triangle and all rays.
typedef struct LaneEdges {
  double u[RUT_PACKET], v[RUT_PACKET], w[RUT_PACKET];
  double az[RUT_PACKET], bz[RUT_PACKET], cz[RUT_PACKET];
} LaneEdges;

RUT_INLINE unsigned cross_triangle(const rutTriangleBlock* block, int triangle,
                                   const Party* restrict p, LaneEdges* restrict e) {
  double corner[3][3];
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++) corner[c][k] = (double)block->corner[c][p->axis[k]][triangle];
  const double ax = corner[0][0], ay = corner[0][1], az = corner[0][2];
  const double bx = corner[1][0], by = corner[1][1], bz = corner[1][2];
  const double cx = corner[2][0], cy = corner[2][1], cz = corner[2][2];
  unsigned through = 0;
#pragma omp simd reduction(| : through)
  for (int i = 0; i < RUT_PACKET; i++) {
    const double ox = p->o[0][i], oy = p->o[1][i], oz = p->o[2][i], sx = p->sx[i], sy = p->sy[i];
    const double za = az - oz, zb = bz - oz, zc = cz - oz;
    const double xa = ax - ox - sx * za, ya = ay - oy - sy * za;
    const double xb = bx - ox - sx * zb, yb = by - oy - sy * zb;
    const double xc = cx - ox - sx * zc, yc = cy - oy - sy * zc;
    const double u = xc * yb - yc * xb, v = xa * yc - ya * xc, w = xb * ya - yb * xa;
    const double uv0 = u < v ? u : v, uv1 = u > v ? u : v;
    const double low = uv0 < w ? uv0 : w, high = uv1 > w ? uv1 : w;
    e->u[i] = u;
    e->v[i] = v;
    e->w[i] = w;
    e->az[i] = za;
    e->bz[i] = zb;
    e->cz[i] = zc;
    through |= (unsigned)((low >= 0) != (high <= 0)) << i;
  }
  return through;
}

RUT_INLINE void visit_block_lanes(void* context, int leaf, unsigned lanes) {
  Party* p = context;
  const rutTriangleBlock* block = &p->set->block[leaf];
  for (int k = 0; k < LEAF && block->triangle[k] >= 0; k++) {
    LaneEdges e;
    unsigned through = cross_triangle(block, k, p, &e) & lanes;
    for (; through; through &= through - 1) {
      const int i = rut_bvh_lowest(through);
      const double area = e.u[i] + e.v[i] + e.w[i];
      const double t = (e.u[i] * e.az[i] + e.v[i] * e.bz[i] + e.w[i] * e.cz[i]) * p->sz[i] / area;
      const rutTriangleMark at = {t, block->triangle[k], leaf, k, e.v[i], e.w[i], area};
      set_limit(p, i, take(&at, p->limit[i], p->any, &p->hit[i]));
    }
  }
}

RUT_INLINE void walk_lane(void* context, int lane, int child) {
  Party* p = context;
  Search s = {.set = p->set,
              .shear = {.x = p->axis[0],
                        .y = p->axis[1],
                        .z = p->axis[2],
                        .o = {p->o[0][lane], p->o[1][lane], p->o[2][lane]},
                        .sx = p->sx[lane],
                        .sy = p->sy[lane],
                        .sz = p->sz[lane]},
              .any = p->any,
              .hit = p->hit[lane]};
  const rutBvhRay ray = rut_bvh_lane(&p->walk, lane);
  rut_bvh_walk(&p->set->bvh, child, &ray, p->limit[lane], visit_block, &s);
  if (s.hit.triangle < 0) return;
  p->hit[lane] = s.hit;
  set_limit(p, lane, rut_ray_limit_after(p->any, s.hit.range));
}

RUT_INLINE void shear_lanes(const rutRayPacket* restrict rays, int axis, Party* restrict p) {
  p->axis[0] = (axis + 1) % 3;
  p->axis[1] = (axis + 2) % 3;
  p->axis[2] = axis;
  const double* restrict dx = rays->d[p->axis[0]];
  const double* restrict dy = rays->d[p->axis[1]];
  const double* restrict per_z = rays->inverse[axis];
  for (int k = 0; k < 3; k++) memcpy(p->o[k], rays->o[p->axis[k]], sizeof p->o[k]);
  RUT_FOR_LANES(i, RUT_PACKET) {
    p->sz[i] = per_z[i];
    p->sx[i] = dx[i] * per_z[i];
    p->sy[i] = dy[i] * per_z[i];
  }
}

RUT_INLINE unsigned finite_lanes(const rutRayPacket* p) {
  unsigned finite = 0;
  for (int i = 0; i < RUT_PACKET; i++) {
    const double sum = p->o[0][i] + p->o[1][i] + p->o[2][i] + p->d[0][i] + p->d[1][i] + p->d[2][i];
    finite |= (unsigned)rut_is_finite(sum) << i;
  }
  return finite;
}

RUT_INLINE void find_group(const rutRayPacket* rays, unsigned group, int axis, Party* p) {
  shear_lanes(rays, axis, p);
  for (int i = 0; i < RUT_PACKET; i++) {
    p->walk.limit[i] = -1;
    if (group >> i & 1) set_limit(p, i, rays->limit[i]);
  }
  rut_bvh_walk_packet(&p->set->bvh, &p->walk, group,
                      (rutBvhVisitor){visit_block_lanes, walk_lane, p});
}

RUT_INLINE void find_alone(const rutTriangles* set, const rutRayPacket* rays, unsigned lanes,
                           rutTriangleMark* mark) {
  for (; lanes; lanes &= lanes - 1) {
    const int i = rut_bvh_lowest(lanes);
    const rutRay ray = rut_packet_ray(rays, i);
    find_mark_lanes(set, &ray, &mark[i]);
  }
}

// Rays that go the same way are walked together, the others one by one.
RUT_INLINE void find_marks(const rutTriangles* set, const rutRayPacket* rays, unsigned lanes,
                           rutTriangleMark* mark) {
  Party p;
  int way[RUT_PACKET];
  unsigned alone = 0;
  p.set = NULL;
  p.any = rays->any;
  p.hit = mark;
  rut_packet_ways(rays, way);
  for (int i = 0; i < RUT_PACKET; i++) mark[i].triangle = -1;
  for (lanes &= finite_lanes(rays); lanes;) {
    const int first = rut_bvh_lowest(lanes);
    const unsigned group = rut_packet_same_way(rays, way, lanes, RUT_WAY_SIGNS_AND_LONGEST);
    lanes &= ~group;
    if (rut_packet_count(group) <= RUT_PACKET_FEW) {
      alone |= group;
      continue;
    }
    if (!p.set) rut_bvh_lanes(rays, &p.walk);
    p.set = set;
    find_group(rays, group, way[first] >> 3, &p);
  }
  find_alone(set, rays, alone, mark);
}

RUT_CLONES static void find_marks_lanes(const rutTriangles* set, const rutRayPacket* rays,
                                        unsigned lanes, rutTriangleMark* mark) {
  find_marks(set, rays, lanes, mark);
}

void rut_triangles_find_packet(const rutTriangles* set, const rutRayPacket* rays, unsigned lanes,
                               rutTriangleMark* mark) {
  find_marks_lanes(set, rays, lanes, mark);
}

// ---------------------------------------------------------------------------------------------
// Batches

static void put_hit(const rutTriangles* set, const rutRayBatch* rays, const rutTriangleMark* mark,
                    const rutRayResult* out, int i) {
  rutRay ray;
  rutTriangleHit hit;
  rut_ray_of(rays, out, i, &ray);
  rut_triangles_tell(set, mark, &ray, &hit);
  rut_ray_put(out, i, hit.range, hit.normal, RUT_RAY_BODY, 0);
  rut_ray_put_triangle(out, i, hit.triangle, hit.weight);
}

RUT_CLONES static void triangles_cast_lanes(const rutTriangles* set, const rutRayBatch* rays,
                                            const rutRayResult* out) {
  for (int first = 0; first < rays->n; first += RUT_PACKET) {
    rutRayPacket packet;
    rutTriangleMark mark[RUT_PACKET];
    const rutPacketPlace place = rut_packet_row(first, rays->n);
    const unsigned lanes = rut_packet_of(rays, out, &place, &packet);
    rut_packet_invert(&packet);
    find_marks(set, &packet, lanes, mark);
    for (int i = 0; i < RUT_PACKET; i++)
      if (mark[i].triangle >= 0) put_hit(set, rays, &mark[i], out, first + i);
  }
}

void rut_triangles_cast(const rutTriangles* set, const rutRayBatch* rays, const rutRayResult* out) {
  triangles_cast_lanes(set, rays, out);
}
