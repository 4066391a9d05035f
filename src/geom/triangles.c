// SPDX-License-Identifier: BSD-3-Clause
#include "geom/triangles.h"

#include <string.h>

#include "geom/bvh_walk.h"
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
  rutTriangleHit hit;
  double area;      // sum of the hit's edge functions
  int block, lane;  // where its triangle is
} Search;

RUT_INLINE Shear shear_of(const rutRay* ray) {
  const double x = rut_abs(ray->d[0]), y = rut_abs(ray->d[1]), z = rut_abs(ray->d[2]);
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
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
  double low[LEAF], high[LEAF];
#pragma omp simd simdlen(4)
  for (int i = 0; i < LEAF; i++) {
    const double za = az[i] - oz, zb = bz[i] - oz, zc = cz[i] - oz;
    const double xa = ax[i] - ox - sx * za, ya = ay[i] - oy - sy * za;
    const double xb = bx[i] - ox - sx * zb, yb = by[i] - oy - sy * zb;
    const double xc = cx[i] - ox - sx * zc, yc = cy[i] - oy - sy * zc;
    const double u = xc * yb - yc * xb, v = xa * yc - ya * xc, w = xb * ya - yb * xa;
    const double uv0 = u < v ? u : v, uv1 = u > v ? u : v;
    low[i] = uv0 < w ? uv0 : w;
    high[i] = uv1 > w ? uv1 : w;
    e->u[i] = u;
    e->v[i] = v;
    e->w[i] = w;
    e->az[i] = za;
    e->bz[i] = zb;
    e->cz[i] = zc;
  }
  // one sign, and not all 0
  unsigned through = 0;
  for (int i = 0; i < LEAF; i++) through |= (unsigned)((low[i] >= 0) != (high[i] <= 0)) << i;
  return through;
}

RUT_INLINE double visit_block(void* context, int leaf, double limit) {
  Search* s = context;
  const rutTriangleBlock* block = &s->set->block[leaf];
  Edges e;
  const unsigned through = cross_block(block, &s->shear, &e);
  if (!through) return limit;
  for (int i = 0; i < LEAF; i++) {
    if (!(through >> i & 1)) continue;
    const double area = e.u[i] + e.v[i] + e.w[i];
    const double t = (e.u[i] * e.az[i] + e.v[i] * e.bz[i] + e.w[i] * e.cz[i]) * s->shear.sz / area;
    const int triangle = block->triangle[i];
    const bool nearer = t < limit || (t == limit && triangle < s->hit.triangle);
    if (!(t >= 0) || !nearer) continue;
    limit = t;
    s->hit.range = t;
    s->hit.triangle = triangle;
    s->hit.weight[0] = e.v[i];
    s->hit.weight[1] = e.w[i];
    s->area = area;
    s->block = leaf;
    s->lane = i;
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

RUT_INLINE bool find_hit(const rutTriangles* set, const rutRay* ray, rutTriangleHit* hit) {
  const double *o = ray->o, *d = ray->d;
  if (!rut_is_finite(o[0] + o[1] + o[2] + d[0] + d[1] + d[2])) return false;
  Search s = {.set = set, .shear = shear_of(ray), .hit = {.triangle = -1}};
  const rutBvhRay walk = rut_bvh_ray(ray);
  rut_bvh_walk(&set->bvh, &walk, ray->limit, visit_block, &s);
  *hit = s.hit;
  if (hit->triangle < 0) return false;
  for (int k = 0; k < 2; k++) hit->weight[k] /= s.area;
  find_normal(&set->block[s.block], s.lane, ray, hit->normal);
  return true;
}

RUT_CLONES static bool triangles_hit_lanes(const rutTriangles* set, const rutRay* ray,
                                           rutTriangleHit* hit) {
  return find_hit(set, ray, hit);
}

bool rut_triangles_hit(const rutTriangles* set, const rutRay* ray, rutTriangleHit* hit) {
  return triangles_hit_lanes(set, ray, hit);
}

RUT_CLONES static void triangles_cast_lanes(const rutTriangles* set, const rutRayBatch* rays,
                                            const rutRayResult* out) {
  for (int i = 0; i < rays->n; i++) {
    rutRay ray;
    rutTriangleHit hit;
    if (!rut_ray_of(rays, out, i, &ray) || !find_hit(set, &ray, &hit)) continue;
    rut_ray_put(out, i, hit.range, hit.normal, RUT_RAY_BODY, 0);
    rut_ray_put_triangle(out, i, hit.triangle, hit.weight);
  }
}

void rut_triangles_cast(const rutTriangles* set, const rutRayBatch* rays, const rutRayResult* out) {
  triangles_cast_lanes(set, rays, out);
}
