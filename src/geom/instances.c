// SPDX-License-Identifier: BSD-3-Clause
#include "geom/instances.h"

#include "geom/bvh_walk.h"

// A hierarchy whose boxes have grown by this factor is built anew.
#define REBUILD_GROWTH 1.5
// Margin of an instance's box, relative to its coordinates: far above rounding.
#define MARGIN 0x1p-22

void rut_instances_take(rutInstances* set, int n, rutArena* arena) {
  set->n = n;
  set->first = 0;
  set->instance = RUT_TAKE(arena, rutInstance, n);
  rut_bvh_take(&set->bvh, n, 1, arena);
  set->box = RUT_TAKE(arena, rutBox, n);
  set->inverse = RUT_TAKE(arena, double, 9 * (size_t)n);
}

// ---------------------------------------------------------------------------------------------
// Places

// Inverse by cofactors. Not finite if there is none.
static void invert(const double m[12], double inverse[9]) {
  double cofactor[3][3], determinant = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      cofactor[i][j] = m[4 * i1 + j1] * m[4 * i2 + j2] - m[4 * i1 + j2] * m[4 * i2 + j1];
    }
  }
  for (int j = 0; j < 3; j++) determinant += m[j] * cofactor[0][j];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) inverse[3 * i + j] = cofactor[j][i] / determinant;
  }
}

static rutBox own_box(const rutInstance* instance) {
  return instance->mesh ? rut_bvh_box(&instance->mesh->bvh) : rut_solid_box_of(instance->solid);
}

static rutBox box_in_world(const rutInstance* instance) {
  const rutBox own = own_box(instance);
  double low[3], high[3], margin = 0;
  for (int i = 0; i < 3; i++) {
    const double* row = instance->pose + 4 * i;
    double centre = row[3], half = 0, size = rut_abs(row[3]);
    for (int j = 0; j < 3; j++) {
      const double a = (double)own.low[j], b = (double)own.high[j];
      centre += row[j] * 0.5 * (a + b);
      half += rut_abs(row[j]) * 0.5 * (b - a);
      size += rut_abs(row[j]) * (rut_abs(a) + rut_abs(b));
    }
    low[i] = centre - half;
    high[i] = centre + half;
    margin = rut_max(MARGIN * size, margin);
  }
  return rut_box_around(low, high, margin);
}

static void place(rutInstances* set) {
  for (int i = 0; i < set->n; i++) {
    double* inverse = set->inverse + 9 * (size_t)i;
    const double* pose = set->instance[i].pose;
    double sum = pose[3] + pose[7] + pose[11];
    invert(pose, inverse);
    for (int k = 0; k < 9; k++) sum += inverse[k];
    rut_box_begin(&set->box[i]);
    if (rut_is_finite(sum)) set->box[i] = box_in_world(&set->instance[i]);
  }
}

static void build(rutInstances* set) {
  rut_bvh_build(&set->bvh, set->n, set->box);
  set->surface = rut_bvh_surface(&set->bvh);
}

void rut_instances_build(rutInstances* set) {
  place(set);
  build(set);
}

void rut_instances_move(rutInstances* set) {
  place(set);
  rut_bvh_refit(&set->bvh, set->box);
  // what was left out of the tree may have come back
  if (set->bvh.leaves < set->n || !(rut_bvh_surface(&set->bvh) <= REBUILD_GROWTH * set->surface))
    build(set);
}

// ---------------------------------------------------------------------------------------------
// Rays

typedef struct Hit {
  double range, normal[3];
  int instance;  // -1: none
  int triangle;  // -1: of a solid
  double weight[2];
} Hit;

// Whom rays do not hit.
typedef struct Skip {
  bool any;
  int owner;
} Skip;

typedef struct Search {
  const rutInstances* set;
  const rutRay* ray;
  Skip skip;
  Hit hit;
} Search;

// The ray in an instance's own frame, with the same distances: its direction is not a unit vector.
static rutRay own_ray(const double pose[12], const double inverse[9], const rutRay* ray) {
  rutRay own = {.limit = ray->limit};
  const double* d = ray->d;
  const double x = ray->o[0] - pose[3], y = ray->o[1] - pose[7], z = ray->o[2] - pose[11];
  for (int i = 0; i < 3; i++) {
    const double* row = inverse + 3 * i;
    own.o[i] = row[0] * x + row[1] * y + row[2] * z;
    rut_ray_aim(&own, i, row[0] * d[0] + row[1] * d[1] + row[2] * d[2]);
  }
  return own;
}

// Normals go by the transposed inverse.
static void world_normal(const double inverse[9], const double own[3], double normal[3]) {
  double size = 0;
  for (int i = 0; i < 3; i++) {
    normal[i] = inverse[i] * own[0] + inverse[3 + i] * own[1] + inverse[6 + i] * own[2];
    size += normal[i] * normal[i];
  }
  const double scale = 1 / rut_sqrt(size);
  for (int i = 0; i < 3; i++) normal[i] *= scale;
}

static bool hit_instance(const rutInstances* set, int i, const rutRay* ray, Hit* hit) {
  const rutInstance* instance = &set->instance[i];
  const double* inverse = set->inverse + 9 * (size_t)i;
  const rutRay own = own_ray(instance->pose, inverse, ray);
  double normal[3];
  *hit = (Hit){.instance = i, .triangle = -1};
  if (instance->mesh) {
    rutTriangleHit found;
    if (!rut_triangles_hit(instance->mesh, &own, &found)) return false;
    hit->range = found.range;
    hit->triangle = found.triangle;
    for (int k = 0; k < 2; k++) hit->weight[k] = found.weight[k];
    for (int k = 0; k < 3; k++) normal[k] = found.normal[k];
  } else {
    hit->range = rut_solid_hit(instance->solid, &own, normal);
    if (!(hit->range < RUT_INFINITY)) return false;
  }
  world_normal(inverse, normal, hit->normal);
  return true;
}

RUT_INLINE double visit_instance(void* context, int leaf, double limit) {
  Search* s = context;
  const int i = s->set->bvh.item[leaf];
  if (s->skip.any && s->set->instance[i].owner == s->skip.owner) return limit;
  rutRay ray = *s->ray;
  Hit hit;
  // a hit at the place of the nearest so far counts if its instance comes first
  const bool first = i < s->hit.instance;
  ray.limit = first ? limit * RUT_RAY_INCLUSIVE : limit;
  if (!hit_instance(s->set, i, &ray, &hit)) return limit;
  if (!(hit.range < limit) && !(first && hit.range == limit)) return limit;
  s->hit = hit;
  return hit.range;
}

RUT_CLONES static void instances_cast_lanes(const rutInstances* set, Skip skip,
                                            const rutRayBatch* rays, const rutRayResult* out) {
  for (int i = 0; i < rays->n; i++) {
    rutRay ray;
    if (!rut_ray_of(rays, out, i, &ray)) continue;
    Search s = {.set = set, .ray = &ray, .skip = skip, .hit = {.instance = -1}};
    const rutBvhRay walk = rut_bvh_ray(&ray);
    rut_bvh_walk(&set->bvh, &walk, ray.limit, visit_instance, &s);
    if (s.hit.instance < 0) continue;
    rut_ray_put(out, i, s.hit.range, s.hit.normal, RUT_RAY_BODY, set->first + s.hit.instance);
    rut_ray_put_triangle(out, i, s.hit.triangle, s.hit.weight);
  }
}

void rut_instances_cast(const rutInstances* set, const rutRayBatch* rays, const rutRayResult* out) {
  instances_cast_lanes(set, (Skip){false, 0}, rays, out);
}

void rut_instances_cast_past(const rutInstances* set, int owner, const rutRayBatch* rays,
                             const rutRayResult* out) {
  instances_cast_lanes(set, (Skip){true, owner}, rays, out);
}
