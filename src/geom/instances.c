// SPDX-License-Identifier: BSD-3-Clause
#include "geom/instances.h"

#include "geom/bvh_beam.h"

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

// A hit while the nearest is sought.
typedef struct Hit {
  int instance;          // -1: none
  rutTriangleMark mark;  // of a mesh, with triangle -1 of a solid; its range is that of the hit
  double normal[3];      // of a solid, in its own frame
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
RUT_INLINE rutRay own_ray(const double pose[12], const double inverse[9], const rutRay* ray) {
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

// What a ray hits of an instance, by itself, before its limit.
RUT_INLINE bool hit_instance(const rutInstances* set, int i, const rutRay* ray, Hit* hit) {
  const rutInstance* instance = &set->instance[i];
  const rutRay own = own_ray(instance->pose, set->inverse + 9 * (size_t)i, ray);
  hit->instance = i;
  if (instance->mesh) return rut_triangles_find(instance->mesh, &own, &hit->mark);
  hit->mark.triangle = -1;
  hit->mark.range = rut_solid_hit(instance->solid, &own, hit->normal);
  return hit->mark.range < RUT_INFINITY;
}

// A hit at the place of the nearest so far counts if its instance comes first.
RUT_INLINE bool comes_first(int instance, const Hit* hit) { return instance < hit->instance; }
RUT_INLINE double limit_for(int instance, const Hit* hit, double limit) {
  return comes_first(instance, hit) ? limit * RUT_RAY_INCLUSIVE : limit;
}
RUT_INLINE bool is_nearer(int instance, double range, const Hit* hit, double limit) {
  return range < limit || (comes_first(instance, hit) && range == limit);
}

static bool is_skipped(const rutInstances* set, Skip skip, int i) {
  return skip.any && set->instance[i].owner == skip.owner;
}

RUT_INLINE double visit_instance(void* context, int leaf, double limit) {
  Search* s = context;
  const int i = s->set->bvh.item[leaf];
  if (is_skipped(s->set, s->skip, i)) return limit;
  rutRay ray = *s->ray;
  Hit hit;
  ray.limit = limit_for(i, &s->hit, limit);
  if (!hit_instance(s->set, i, &ray, &hit)) return limit;
  if (!is_nearer(i, hit.mark.range, &s->hit, limit)) return limit;
  s->hit = hit;
  return rut_ray_limit_after(ray.any, hit.mark.range);
}

// ---------------------------------------------------------------------------------------------
// Packets of rays

typedef struct Party {
  const rutInstances* set;
  Skip skip;
  rutRayPacket* rays;  // in the world, with the limits so far
  rutBvhLanes walk;
  Hit hit[RUT_PACKET];
} Party;

RUT_INLINE void take_hit(Party* p, int lane, const Hit* hit) {
  const double limit = rut_ray_limit_after(p->rays->any, hit->mark.range);
  p->hit[lane] = *hit;
  p->rays->limit[lane] = limit;
  p->walk.limit[lane] = rut_bvh_limit(limit);
}

RUT_INLINE void walk_lane(void* context, int lane, int child) {
  Party* p = context;
  const rutRay ray = rut_packet_ray(p->rays, lane);
  const rutBvhRay walk = rut_bvh_lane(&p->walk, lane);
  Search s = {.set = p->set, .ray = &ray, .skip = p->skip, .hit = p->hit[lane]};
  rut_bvh_walk(&p->set->bvh, child, &walk, ray.limit, visit_instance, &s);
  if (s.hit.instance >= 0) take_hit(p, lane, &s.hit);
}

// As own_ray. Limits are set by the caller.
RUT_INLINE void own_rays(const double pose[12], const double inverse[9],
                         const rutRayPacket* restrict rays, rutRayPacket* restrict own) {
  const double px = pose[3], py = pose[7], pz = pose[11];
  RUT_UNROLL for (int k = 0; k < 3; k++) {
    const double a = inverse[3 * k], b = inverse[3 * k + 1], c = inverse[3 * k + 2];
    RUT_FOR_LANES(i, RUT_PACKET) {
      const double x = rays->o[0][i] - px, y = rays->o[1][i] - py, z = rays->o[2][i] - pz;
      const double d = a * rays->d[0][i] + b * rays->d[1][i] + c * rays->d[2][i];
      own->o[k][i] = a * x + b * y + c * z;
      own->d[k][i] = rut_ray_motion(d);
      own->inverse[k][i] = rut_ray_inverse(rut_ray_motion(d));
    }
  }
}

RUT_INLINE void visit_mesh(Party* p, int i, unsigned lanes) {
  const rutTriangles* mesh = p->set->instance[i].mesh;
  rutRayPacket own;
  rutTriangleMark mark[RUT_PACKET];
  own_rays(p->set->instance[i].pose, p->set->inverse + 9 * (size_t)i, p->rays, &own);
  for (int k = 0; k < RUT_PACKET; k++) own.limit[k] = limit_for(i, &p->hit[k], p->rays->limit[k]);
  own.any = p->rays->any;
  rut_triangles_find_packet(mesh, &own, lanes, mark);
  for (; lanes; lanes &= lanes - 1) {
    const int k = rut_bvh_lowest(lanes);
    if (mark[k].triangle < 0) continue;
    if (!is_nearer(i, mark[k].range, &p->hit[k], p->rays->limit[k])) continue;
    take_hit(p, k, &(Hit){.instance = i, .mark = mark[k]});
  }
}

RUT_INLINE void visit_solid(Party* p, int i, unsigned lanes) {
  for (; lanes; lanes &= lanes - 1) {
    const int k = rut_bvh_lowest(lanes);
    rutRay ray = rut_packet_ray(p->rays, k);
    const double limit = ray.limit;
    Hit hit;
    ray.limit = limit_for(i, &p->hit[k], limit);
    if (!hit_instance(p->set, i, &ray, &hit)) continue;
    if (is_nearer(i, hit.mark.range, &p->hit[k], limit)) take_hit(p, k, &hit);
  }
}

RUT_INLINE void visit_lanes(void* context, int leaf, unsigned lanes) {
  Party* p = context;
  const int i = p->set->bvh.item[leaf];
  if (is_skipped(p->set, p->skip, i)) return;
  if (p->set->instance[i].mesh)
    visit_mesh(p, i, lanes);
  else
    visit_solid(p, i, lanes);
}

RUT_INLINE void find_group(Party* p, unsigned group) {
  for (int i = 0; i < RUT_PACKET; i++) {
    p->walk.limit[i] = (group >> i & 1) != 0 ? rut_bvh_limit(p->rays->limit[i]) : -1;
  }
  rut_bvh_walk_packet(&p->set->bvh, &p->walk, group, (rutBvhVisitor){visit_lanes, walk_lane, p});
}

// Nearest hits of a packet: rays that go the same way are walked together, the others one by one.
RUT_INLINE void find_hits(Party* p, unsigned lanes) {
  int way[RUT_PACKET];
  unsigned alone = 0;
  rut_packet_ways(p->rays, way);
  while (lanes) {
    const unsigned group = rut_packet_same_way(p->rays, way, lanes, RUT_WAY_SIGNS);
    lanes &= ~group;
    if (rut_packet_count(group) > RUT_PACKET_FEW)
      find_group(p, group);
    else
      alone |= group;
  }
  for (; alone; alone &= alone - 1) walk_lane(p, rut_bvh_lowest(alone), 0);
}

// ---------------------------------------------------------------------------------------------
// Crowds of packets

enum { CROWD = RUT_BEAM_PACKETS, MOST_NEAR = 48, WAITING = RUT_BVH_STACK };

typedef struct Crowd {
  int packets;
  rutPacketPlace place[CROWD];
  unsigned lanes[CROWD];
  rutRayPacket rays[CROWD];
} Crowd;

// Instances that a beam may meet, the nearest first.
typedef struct Near {
  int n, leaf[MOST_NEAR];
  float begin[MOST_NEAR];
} Near;

RUT_INLINE void add_near(Near* near, int leaf, float begin) {
  int at = near->n++;
  for (; at > 0 && near->begin[at - 1] > begin; at--) {
    near->leaf[at] = near->leaf[at - 1];
    near->begin[at] = near->begin[at - 1];
  }
  near->leaf[at] = leaf;
  near->begin[at] = begin;
}

// False if there are too many.
RUT_INLINE bool find_near(const rutInstances* set, Skip skip, const Crowd* crowd, Near* near) {
  const rutBvhBeam beam = rut_bvh_beam(crowd->packets, crowd->rays);
  int stack[WAITING], top = 0;
  near->n = 0;
  stack[top++] = 0;
  while (top > 0) {
    const rutBvhNode* node = &set->bvh.node[stack[--top]];
    float begin[RUT_BVH_WIDTH];
    for (unsigned met = rut_bvh_beam_meet(node, &beam, begin); met; met &= met - 1) {
      const int i = rut_bvh_lowest(met), child = node->child[i];
      if (child == RUT_BVH_NO_CHILD) continue;
      if (child >= 0) {
        stack[top++] = child;
      } else if (!is_skipped(set, skip, set->bvh.item[~child])) {
        if (near->n == MOST_NEAR) return false;
        add_near(near, ~child, begin[i]);
      }
    }
  }
  return true;
}

RUT_INLINE void try_near(Party* p, const Near* near, unsigned lanes) {
  for (int i = 0; i < near->n; i++) {
    const rutBox* box = &p->set->box[p->set->bvh.item[near->leaf[i]]];
    const unsigned met = rut_bvh_lanes_enter(box, &p->walk) & lanes;
    if (met) visit_lanes(p, near->leaf[i], met);
  }
}

// The hit of a ray, with its normal and its weights.
static void put_hit(const rutInstances* set, const rutRay* ray, const Hit* hit,
                    const rutRayResult* out, int at) {
  const rutInstance* instance = &set->instance[hit->instance];
  const double* inverse = set->inverse + 9 * (size_t)hit->instance;
  rutTriangleHit found = {.triangle = -1,
                          .normal = {hit->normal[0], hit->normal[1], hit->normal[2]}};
  double normal[3] = {0};
  if (instance->mesh && (out->normal[0] || out->weight[0])) {
    const rutRay own = own_ray(instance->pose, inverse, ray);
    rut_triangles_tell(instance->mesh, &hit->mark, &own, &found);
  }
  if (out->normal[0]) world_normal(inverse, found.normal, normal);
  rut_ray_put(out, at, hit->mark.range, normal, RUT_RAY_BODY, set->first + hit->instance);
  rut_ray_put_triangle(out, at, hit->mark.triangle, found.weight);
}

RUT_CLONES static void cast_crowd(const rutInstances* set, Skip skip, const rutRayBatch* rays,
                                  const rutRayResult* out, Crowd* crowd) {
  Near near;
  for (int i = 0; i < crowd->packets; i++) {
    crowd->lanes[i] = rut_packet_of(rays, out, &crowd->place[i], &crowd->rays[i]);
  }
  const bool listed = find_near(set, skip, crowd, &near);
  for (int i = 0; i < crowd->packets && !(listed && near.n == 0); i++) {
    Party p;
    p.set = set;
    p.skip = skip;
    p.rays = &crowd->rays[i];
    for (int k = 0; k < RUT_PACKET; k++) p.hit[k].instance = -1;
    rut_packet_invert(p.rays);
    rut_bvh_lanes(p.rays, &p.walk);
    if (listed) {
      for (int k = 0; k < RUT_PACKET; k++) p.walk.limit[k] = rut_bvh_limit(p.rays->limit[k]);
      try_near(&p, &near, crowd->lanes[i]);
    } else {
      find_hits(&p, crowd->lanes[i]);
    }
    for (int k = 0; k < RUT_PACKET; k++) {
      if (p.hit[k].instance < 0) continue;
      const rutRay ray = rut_packet_ray(p.rays, k);
      put_hit(set, &ray, &p.hit[k], out, crowd->place[i].at[k]);
    }
  }
}

// Rows of an image, a crowd being a square high and CROWD squares wide.
static void cast_image(const rutInstances* set, Skip skip, const rutRayBatch* rays,
                       const rutRayResult* out, Crowd* crowd) {
  const int columns = rays->columns, rows = rays->n / columns;
  for (int y = 0; y < rows; y += RUT_PACKET_SIDE) {
    for (int x = 0; x < columns;) {
      crowd->packets = 0;
      for (; crowd->packets < CROWD && x < columns; x += RUT_PACKET_SIDE) {
        crowd->place[crowd->packets++] = rut_packet_square(x, y, columns, rows);
      }
      cast_crowd(set, skip, rays, out, crowd);
    }
  }
}

static void cast_batch(const rutInstances* set, Skip skip, const rutRayBatch* rays,
                       const rutRayResult* out) {
  Crowd crowd;
  if (rays->columns > 0 && rays->n % rays->columns == 0) {
    cast_image(set, skip, rays, out, &crowd);
    return;
  }
  for (int first = 0; first < rays->n;) {
    crowd.packets = 0;
    for (; crowd.packets < CROWD && first < rays->n; first += RUT_PACKET) {
      crowd.place[crowd.packets++] = rut_packet_row(first, rays->n);
    }
    cast_crowd(set, skip, rays, out, &crowd);
  }
}

void rut_instances_cast(const rutInstances* set, const rutRayBatch* rays, const rutRayResult* out) {
  cast_batch(set, (Skip){false, 0}, rays, out);
}

void rut_instances_cast_past(const rutInstances* set, int owner, const rutRayBatch* rays,
                             const rutRayResult* out) {
  cast_batch(set, (Skip){true, owner}, rays, out);
}
