// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against solids and many bodies: solids against what is inside of them, known places, the
// nearest of many, and bodies that move.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "base/hash.h"
#include "geom/instances.h"
#include "ray_fixture.h"

// ---------------------------------------------------------------------------------------------
// Solids

// Radius of a wheel 0.8 m high and 0.3 m wide, whose shoulders are 5 cm wide and 10 cm high.
static double wheel_radius(double z) {
  const double on_shoulder = fabs(z) - 0.1;
  return on_shoulder > 0 ? 0.4 - 2 * on_shoulder : 0.4;
}

// What is inside each kind, by how far a point lies inside (> 0) of the nearest of its surfaces.
enum { BOX, SPHERE, CAPSULE, CYLINDER, TAPERED, WHEEL, SPIKE, KINDS };
static double depth(int kind, const double p[3]) {
  const double out = hypot(p[0], p[1]), z = p[2];
  const double above = fmax(fabs(z) - 0.5, 0);
  switch (kind) {
    case BOX:
      return fmin(fmin(0.5 - fabs(p[0]), 1 - fabs(p[1])), 1.5 - fabs(z));
    case SPHERE:
      return 0.7 - hypot(out, z);
    case CAPSULE:
      return 0.3 - hypot(out, above);
    case CYLINDER:
      return fmin(0.6 - out, 0.2 - fabs(z));
    case TAPERED:
      return fmin(0.3 - 0.1 * z - out, 1 - fabs(z));
    case WHEEL:
      return fmin(wheel_radius(z) - out, 0.15 - fabs(z));
    default:
      return fmin(0.25 * (1 - z) - out, 1 - fabs(z));
  }
}

static rutSolid solid_of(int kind) {
  const double shoulder[2] = {0.05, 0.1};
  switch (kind) {
    case BOX:
      return rut_solid_box(1, 2, 3);
    case SPHERE:
      return rut_solid_sphere(0.7);
    case CAPSULE:
      return rut_solid_capsule(0.3, 1);
    case CYLINDER:
      return rut_solid_cylinder(0.6, 0.4);
    case TAPERED:
      return rut_solid_tapered(0.4, 0.2, 2);
    case WHEEL:
      return rut_solid_wheel(0.4, 0.3, shoulder);
    default:
      return rut_solid_tapered(0.5, 0, 2);
  }
}

static double depth_at(int kind, const rutRay* ray, double t) {
  double p[3];
  for (int k = 0; k < 3; k++) p[k] = ray->o[k] + t * ray->d[k];
  return depth(kind, p);
}

// The hit is on the surface, nothing is inside before it, and the normal is the way out. Returns
// whether there is one; counts those within 1e-5 m of an edge.
static bool check_solid(int kind, const rutRay* ray, double far, int* edges) {
  const rutSolid solid = solid_of(kind);
  double normal[3], deepest = -HUGE_VAL;
  const double t = rut_solid_hit(&solid, ray, normal), tolerance = 1e-13 + 1e-15 * far;
  const double end = t < far ? t : far;
  for (int i = 0; i < 400; i++) deepest = fmax(deepest, depth_at(kind, ray, end * i / 400));
  if (depth_at(kind, ray, 0) > tolerance) {
    assert_true(isinf(t));
    return false;
  }
  assert_true(deepest < tolerance);
  if (isinf(t)) return false;
  // the tip of a cone is a double root, which has half of the digits
  assert_near(depth_at(kind, ray, t), 0, kind == SPIKE ? 1e-8 : tolerance);
  double facing = 0, size = 0, in[3], out[3];
  for (int k = 0; k < 3; k++) {
    const double p = ray->o[k] + t * ray->d[k];
    facing += normal[k] * ray->d[k];
    size += normal[k] * normal[k];
    in[k] = p - 1e-5 * normal[k];
    out[k] = p + 1e-5 * normal[k];
  }
  assert_near(size, 1, 1e-14);
  assert_true(facing <= 1e-12 && depth(kind, out) < 0);
  // depths below slanting surfaces are measured along the radius: sqrt 5 times as much on a
  // shoulder
  *edges += depth(kind, in) < 0.99e-5;
  assert_true(depth(kind, in) < 2.3e-5);
  return true;
}

static void solids_are_hit_from_outside(void** state) {
  (void)state;
  for (int kind = 0; kind < KINDS; kind++) {
    int hits = 0, edges = 0;
    begin_sequence(kind);
    for (int i = 0; i < 4000; i++) {
      double o[3], d[3];
      const double away = i % 10 ? 3 : 300;
      for (int k = 0; k < 3; k++) o[k] = between(-away, away);
      for (int k = 0; k < 3; k++) d[k] = between(-0.6, 0.6) - (i % 3 ? o[k] : 0);
      // along axes, through the axis, and level with edges
      if (i % 7 == 0) d[0] = d[1] = 0;
      if (i % 7 == 1) d[2] = 0;
      if (i % 7 == 2) o[0] = o[1] = 0;
      if (i % 7 == 0) o[0] = i % 2 ? 0 : between(-0.5, 0.5);
      if (i % 7 == 0) o[1] = 0;
      if (i % 7 == 3) o[2] = i % 2 ? 0.1 : -0.5;
      const rutRay ray = ray_from(o, d, HUGE_VAL);
      hits += check_solid(kind, &ray, away > 3 ? 2 : 12, &edges);
    }
    // many rays along the axis end at the tip of a cone
    assert_true(hits > 500 && edges < hits / (kind == SPIKE ? 4 : 50));
  }
}

// Distances that follow from Pythagoras.
static void known_places_of_solids(void** state) {
  (void)state;
  double n[3];
  const double level[3] = {1, 0, 0}, down[3] = {0, 0, -2}, slant[3] = {0.6, 0, -0.8};
  const rutSolid ball = rut_solid_sphere(5), drum = rut_solid_cylinder(5, 2);
  const rutSolid trunk = rut_solid_tapered(3, 1, 4), pill = rut_solid_capsule(1, 4);
  const double shoulder[2] = {0.5, 1};
  const rutSolid wheel = rut_solid_wheel(5, 2, shoulder);
  rutRay ray = ray_from((double[]){-10, 3, 0}, level, HUGE_VAL);
  assert_near(rut_solid_hit(&ball, &ray, n), 6, 1e-14);
  assert_near(n[0], -0.8, 1e-15);
  assert_near(n[1], 0.6, 1e-15);
  assert_near(rut_solid_hit(&drum, &ray, n), 6, 1e-14);
  assert_near(rut_solid_hit(&wheel, &ray, n), 6, 1e-14);
  ray = ray_from((double[]){1, 2, 9}, down, HUGE_VAL);
  assert_near(rut_solid_hit(&drum, &ray, n), 4, 1e-15);  // in lengths of the direction
  assert_near(n[2], 1, 1e-15);
  // a cone of slope 1 in 2, at mid height, where its radius is 2
  ray = ray_from((double[]){-10, 0, 0}, level, HUGE_VAL);
  assert_near(rut_solid_hit(&trunk, &ray, n), 8, 1e-14);
  assert_near(n[0], -2 / sqrt(5), 1e-15);
  assert_near(n[2], 1 / sqrt(5), 1e-15);
  // the shoulder, half way between side and tread, where the radius is 4.5
  ray = ray_from((double[]){-10, 0, 0.75}, level, HUGE_VAL);
  assert_near(rut_solid_hit(&wheel, &ray, n), 5.5, 1e-14);
  assert_near(n[2], 2 / sqrt(5), 1e-14);
  // cap and flank of a capsule
  ray = ray_from((double[]){0.6, 0, 9}, down, HUGE_VAL);
  assert_near(rut_solid_hit(&pill, &ray, n), 3.1, 1e-14);
  assert_near(n[0], 0.6, 1e-15);
  ray = ray_from((double[]){-4, 0, 4}, slant, HUGE_VAL);
  assert_near(rut_solid_hit(&pill, &ray, n), 5, 1e-14);
  assert_near(n[0], -1, 1e-15);
  // from 1000 km
  ray = ray_from((double[]){-1e6, 3, 0}, level, HUGE_VAL);
  assert_near(rut_solid_hit(&ball, &ray, n), 1e6 - 4, 2e-10);
  // the limit itself does not count
  ray = ray_from((double[]){-10, 0, 0}, level, 5);
  assert_true(isinf(rut_solid_hit(&ball, &ray, n)));
}

// ---------------------------------------------------------------------------------------------
// Instances

enum { INSTANCES = 300, MESHES = 3, RAYS = 3000 };

typedef struct World {
  rutTriangles mesh[MESHES];
  rutSolid solid[KINDS];
  rutInstances set;
  void *memory[MESHES], *set_memory;
} World;

// A tetrahedron and some ribbons.
static void make_mesh(World* w, int i) {
  enum { POINTS = 40 };
  double point[3 * POINTS];
  int triangle[3 * POINTS];
  for (int k = 0; k < 3 * POINTS; k++) point[k] = between(-1, 1);
  for (int k = 0; k < 3 * POINTS; k++) triangle[k] = (k / 3 + k % 3) % POINTS;
  const int triangles = i == 0 ? 4 : POINTS;
  const int faces[12] = {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3};
  if (i == 0) memcpy(triangle, faces, sizeof faces);
  rutArena measure = {0};
  rutBox box[POINTS];
  rut_triangles_take(&w->mesh[i], triangles, &measure);
  rutArena arena = arena_new(measure.used);
  w->memory[i] = arena.base;
  rut_triangles_take(&w->mesh[i], triangles, &arena);
  rut_triangles_build(&w->mesh[i], &(rutTriangleMesh){POINTS, triangles, point, triangle}, box);
}

static void put_pose(double pose[12], double size) {
  double angle[3], s[3], c[3];
  for (int k = 0; k < 3; k++) angle[k] = between(-3, 3);
  for (int k = 0; k < 3; k++) rut_sincos(angle[k], &s[k], &c[k]);
  const double rotation[9] = {c[0] * c[1],
                              c[0] * s[1] * s[2] - s[0] * c[2],
                              c[0] * s[1] * c[2] + s[0] * s[2],
                              s[0] * c[1],
                              s[0] * s[1] * s[2] + c[0] * c[2],
                              s[0] * s[1] * c[2] - c[0] * s[2],
                              -s[1],
                              c[1] * s[2],
                              c[1] * c[2]};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) pose[4 * i + j] = rotation[3 * i + j];
    pose[4 * i + 3] = between(-size, size);
  }
}

static void world_make(World* w, int n, double size) {
  rutArena measure = {0};
  for (int i = 0; i < MESHES; i++) make_mesh(w, i);
  for (int i = 0; i < KINDS; i++) w->solid[i] = solid_of(i);
  rut_instances_take(&w->set, n, &measure);
  rutArena arena = arena_new(measure.used);
  w->set_memory = arena.base;
  rut_instances_take(&w->set, n, &arena);
  for (int i = 0; i < n; i++) {
    rutInstance* instance = &w->set.instance[i];
    const int kind = i % (MESHES + KINDS);
    if (kind < MESHES) instance->mesh = &w->mesh[kind];
    if (kind >= MESHES) instance->solid = &w->solid[kind - MESHES];
    put_pose(instance->pose, size);
  }
  rut_instances_build(&w->set);
}

static void world_free(World* w) {
  for (int i = 0; i < MESHES; i++) free(w->memory[i]);
  free(w->set_memory);
}

typedef struct Hits {
  double range[RAYS], normal[3][RAYS], weight[2][RAYS];
  unsigned char target[RAYS];
  int index[RAYS], triangle[RAYS];
} Hits;

typedef struct Rays {
  double o[3][RAYS], d[3][RAYS];
} Rays;

static void make_rays(Rays* rays, double size) {
  for (int i = 0; i < RAYS; i++) {
    double way[3], square = 0;
    for (int k = 0; k < 3; k++) {
      rays->o[k][i] = between(-size, size);
      way[k] = between(-1, 1);
      if (i % 5 == k) way[k] = 0;
      square += way[k] * way[k];
    }
    for (int k = 0; k < 3; k++) rays->d[k][i] = way[k] / rut_sqrt(square);
  }
}

static rutRayResult result_of(Hits* h) {
  return (rutRayResult){.range = h->range,
                        .normal = {h->normal[0], h->normal[1], h->normal[2]},
                        .target = h->target,
                        .index = h->index,
                        .triangle = h->triangle,
                        .weight = {h->weight[0], h->weight[1]}};
}

static void cast_all(const World* w, const Rays* r, Hits* hits) {
  memset(hits, 0, sizeof *hits);
  const rutRayBatch rays = {.n = RAYS,
                            .origin = {r->o[0], r->o[1], r->o[2]},
                            .direction = {r->d[0], r->d[1], r->d[2]},
                            .max_range = 100};
  const rutRayResult out = result_of(hits);
  rut_rays_begin(&rays, &out);
  rut_instances_cast(&w->set, &rays, &out);
}

// One instance after the other shortens the rays. Ties go to the first, as no later one is nearer.
static void cast_each(const World* w, const Rays* r, Hits* hits) {
  memset(hits, 0, sizeof *hits);
  const rutRayBatch rays = {.n = RAYS,
                            .origin = {r->o[0], r->o[1], r->o[2]},
                            .direction = {r->d[0], r->d[1], r->d[2]},
                            .max_range = 100};
  const rutRayResult out = result_of(hits);
  rut_rays_begin(&rays, &out);
  for (int i = 0; i < w->set.n; i++) {
    rutInstances one;
    rutArena measure = {0};
    rut_instances_take(&one, 1, &measure);
    rutArena arena = arena_new(measure.used);
    rut_instances_take(&one, 1, &arena);
    one.instance[0] = w->set.instance[i];
    rut_instances_build(&one);
    double before[RAYS];
    memcpy(before, hits->range, sizeof before);
    rut_instances_cast(&one, &rays, &out);
    for (int k = 0; k < RAYS; k++)
      if (hits->range[k] != before[k]) hits->index[k] = i;
    free(arena.base);
  }
}

static void the_nearest_of_many(void** state) {
  (void)state;
  Rays* rays = malloc(sizeof *rays);
  Hits *all = malloc(sizeof *all), *each = malloc(sizeof *each);
  for (int round = 0; round < 6; round++) {
    begin_sequence(round);
    World w = {0};
    world_make(&w, INSTANCES, 12);
    // some in the same place
    for (int i = 0; i < INSTANCES && round % 2; i += 20) {
      w.set.instance[i] = w.set.instance[i + 7];
      w.set.instance[i + 3] = w.set.instance[i + 7];
    }
    rut_instances_build(&w.set);
    make_rays(rays, 15);
    cast_all(&w, rays, all);
    cast_each(&w, rays, each);
    assert_memory_equal(all, each, sizeof *all);
    int hits = 0, meshes = 0;
    for (int i = 0; i < RAYS; i++) hits += all->range[i] < 100;
    for (int i = 0; i < RAYS; i++) meshes += all->triangle[i] >= 0;
    assert_true(hits > RAYS / 6 && meshes > RAYS / 20);
    world_free(&w);
  }
  free(rays);
  free(all);
  free(each);
}

// After many small moves, and after one across the world, results are those of a new build.
static void bodies_may_move(void** state) {
  (void)state;
  begin_sequence(1);
  Rays* rays = malloc(sizeof *rays);
  Hits *moved = malloc(sizeof *moved), *built = malloc(sizeof *built);
  World w = {0};
  world_make(&w, INSTANCES, 12);
  for (int round = 0; round < 12; round++) {
    for (int i = 0; i < INSTANCES; i++) {
      double* pose = w.set.instance[i].pose;
      for (int k = 0; k < 3 && round < 9; k++) pose[4 * k + 3] += between(-0.2, 0.2);
      if (round >= 9) put_pose(pose, 12);
      // one that is nowhere for a while
      if (i == 17) pose[3] = round == 4 || round == 10 ? RUT_NAN : 1;
    }
    rut_instances_move(&w.set);
    make_rays(rays, 15);
    cast_all(&w, rays, moved);
    rut_instances_build(&w.set);
    cast_all(&w, rays, built);
    assert_memory_equal(moved, built, sizeof *moved);
    // a move from a tree that has been refitted before
    if (round % 3) continue;
    put_pose(w.set.instance[3].pose, 12);
    rut_instances_move(&w.set);
  }
  world_free(&w);
  free(rays);
  free(moved);
  free(built);
}

// A mesh that is turned, moved and stretched: its triangle's corners in the world give the same.
static void poses_are_applied(void** state) {
  (void)state;
  begin_sequence(3);
  const double point[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const int triangle[3] = {0, 1, 2};
  rutArena measure = {0};
  rutTriangles mesh;
  rutInstances set;
  rutBox box;
  rut_triangles_take(&mesh, 1, &measure);
  rut_instances_take(&set, 1, &measure);
  rutArena arena = arena_new(measure.used);
  rut_triangles_take(&mesh, 1, &arena);
  rut_instances_take(&set, 1, &arena);
  rut_triangles_build(&mesh, &(rutTriangleMesh){3, 1, point, triangle}, &box);
  set.instance[0].mesh = &mesh;
  for (int i = 0; i < 500; i++) {
    double* pose = set.instance[0].pose;
    put_pose(pose, i % 2 ? 5 : 1e5);
    for (int k = 0; k < 12; k++) pose[k] *= k % 4 == 1 && i % 3 == 0 ? 1.5 : 1;
    rut_instances_build(&set);
    const double u = between(0, 0.5), v = between(0, 0.5);
    double p[3], o[3], d[3], far = 0, across[3], normal[3];
    for (int k = 0; k < 3; k++) {
      p[k] = pose[4 * k + 3] + u * pose[4 * k] + v * pose[4 * k + 1];
      o[k] = p[k] + between(-3, 3);
      d[k] = p[k] - o[k];
      far += d[k] * d[k];
    }
    for (int k = 0; k < 3; k++) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      across[k] = pose[4 * a] * pose[4 * b + 1] - pose[4 * b] * pose[4 * a + 1];
    }
    for (int k = 0; k < 3; k++) d[k] /= sqrt(far);
    const double length =
        sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    const double along = across[0] * d[0] + across[1] * d[1] + across[2] * d[2];
    const double sign = along > 0 ? -1 : 1, tolerance = (i % 2 ? 1e-13 : 1e-9) * length;
    if (fabs(along) < 0.02 * length) continue;
    double range, weight[2];
    int index;
    unsigned char target;
    int hit;
    const rutRayBatch rays = {.n = 1,
                              .origin = {&o[0], &o[1], &o[2]},
                              .direction = {&d[0], &d[1], &d[2]},
                              .max_range = HUGE_VAL};
    const rutRayResult out = {.range = &range,
                              .normal = {&normal[0], &normal[1], &normal[2]},
                              .target = &target,
                              .index = &index,
                              .triangle = &hit,
                              .weight = {&weight[0], &weight[1]}};
    rut_rays_begin(&rays, &out);
    rut_instances_cast(&set, &rays, &out);
    assert_int_equal(hit, 0);
    assert_near(range, sqrt(far), 100 * tolerance);
    assert_near(weight[0], u, 100 * tolerance);
    assert_near(weight[1], v, 100 * tolerance);
    for (int k = 0; k < 3; k++) assert_near(normal[k], sign * across[k] / length, 1e-13);
  }
  free(arena.base);
}

// Of bodies in one place the first counts, whatever the shape of the tree.
static void ties_go_to_the_first(void** state) {
  (void)state;
  World w = {0};
  world_make(&w, 64, 3);
  for (int i = 0; i < 64; i++) {
    w.set.instance[i] = w.set.instance[0];
    w.set.instance[i].mesh = NULL;
    w.set.instance[i].solid = &w.solid[SPHERE];
  }
  rut_instances_build(&w.set);
  Rays* rays = malloc(sizeof *rays);
  Hits* hits = malloc(sizeof *hits);
  make_rays(rays, 4);
  cast_all(&w, rays, hits);
  for (int i = 0; i < RAYS; i++) assert_int_equal(hits->index[i], hits->range[i] < 100 ? 0 : -1);
  free(rays);
  free(hits);
  world_free(&w);
}

// Rays as sensors cast them: of a camera, and of a lidar, from one place; to the sun, side by side;
// along axes and with numbers that are no numbers among them; at random.
enum { CAMERA, LIDAR, SUN, MIXED, PATTERNS };
static void make_pattern(Rays* rays, int pattern, double size) {
  double at[3], look[3], sun[3];
  for (int k = 0; k < 3; k++) at[k] = between(-size, size);
  for (int k = 0; k < 3; k++) look[k] = -at[k] + between(-3, 3);
  for (int k = 0; k < 3; k++) sun[k] = between(-1, 1);
  if (pattern == MIXED) make_rays(rays, size);
  for (int i = 0; i < RAYS; i++) {
    const double across = i % 60 / 60.0 - 0.5, up = i / 60 / 50.0 - 0.5;
    double way[3] = {sun[0], sun[1], sun[2]}, s, c, square = 0;
    rut_sincos(across * 2 * RUT_PI, &s, &c);
    const double beam[3] = {c, s, up};
    const double pixel[3] = {look[0] + 20 * across, look[1] - 15 * across, look[2] + 20 * up};
    if (pattern == CAMERA) memcpy(way, pixel, sizeof way);
    if (pattern == LIDAR) memcpy(way, beam, sizeof way);
    for (int k = 0; k < 3; k++) square += way[k] * way[k];
    for (int k = 0; k < 3 && (pattern != MIXED || i % 48 < 20); k++) {
      rays->o[k][i] = pattern == SUN ? pixel[k] : at[k];
      rays->d[k][i] = way[k] / rut_sqrt(square);
    }
    if (pattern == MIXED && i % 16 == 5) rays->d[i % 3][i] = i % 7 ? 0 : RUT_NAN;
    if (pattern == MIXED && i % 31 == 5) rays->o[i % 3][i] = RUT_INFINITY;
  }
}

// Rays one by one, each in a batch of its own, from the ranges that `hits` has.
static void cast_alone(const World* w, const rutTriangles* mesh, const Rays* r, Hits* hits) {
  const rutRayResult all = result_of(hits);
  for (int i = 0; i < RAYS; i++) {
    const rutRayBatch ray = {.n = 1,
                             .origin = {r->o[0] + i, r->o[1] + i, r->o[2] + i},
                             .direction = {r->d[0] + i, r->d[1] + i, r->d[2] + i},
                             .max_range = 100};
    const rutRayResult out = {.range = all.range + i,
                              .normal = {all.normal[0] + i, all.normal[1] + i, all.normal[2] + i},
                              .target = all.target + i,
                              .index = all.index + i,
                              .triangle = all.triangle + i,
                              .weight = {all.weight[0] + i, all.weight[1] + i}};
    if (mesh) {
      rut_triangles_cast(mesh, &ray, &out);
    } else {
      rut_instances_cast_past(&w->set, 1, &ray, &out);
    }
  }
}

// A packet of rays gives each of them what it has alone, bit by bit, whichever rays are beside it:
// in scenes of many bodies, and against a mesh alone. Some are short before they are cast.
static void packets_are_single_rays(void** state) {
  (void)state;
  Rays* rays = malloc(sizeof *rays);
  Hits *together = malloc(sizeof *together), *alone = malloc(sizeof *alone);
  for (int round = 0; round < 6 * PATTERNS; round++) {
    begin_sequence(100 + round);
    World w = {0};
    world_make(&w, INSTANCES, 12);
    for (int i = 0; i < INSTANCES; i++) w.set.instance[i].owner = i % 17;
    for (int i = 0; i < INSTANCES && round % 2; i += 20) {
      w.set.instance[i] = w.set.instance[i + 7];
    }
    rut_instances_build(&w.set);
    const rutTriangles* mesh = round % 6 == 5 ? &w.mesh[1] : NULL;
    make_pattern(rays, round % PATTERNS, mesh ? 2 : 15);
    memset(together, 0, sizeof *together);
    // not a multiple of the lanes
    const rutRayBatch batch = {.n = RAYS - round % 16,
                               .origin = {rays->o[0], rays->o[1], rays->o[2]},
                               .direction = {rays->d[0], rays->d[1], rays->d[2]},
                               .max_range = 100};
    const rutRayBatch every = {
        .n = RAYS, .origin = {rays->o[0]}, .direction = {rays->d[0]}, .max_range = 100};
    const rutRayResult out = result_of(together);
    rut_rays_begin(&every, &out);
    for (int i = 0; i < RAYS; i += 9) together->range[i] = between(0, 20);
    memcpy(alone, together, sizeof *alone);
    if (mesh) {
      rut_triangles_cast(mesh, &batch, &out);
    } else {
      rut_instances_cast_past(&w.set, 1, &batch, &out);
    }
    cast_alone(&w, mesh, rays, alone);
    int hits = 0;
    for (int i = 0; i < batch.n; i++) {
      hits += together->target[i] == RUT_RAY_BODY;
      const bool same = memcmp(&together->range[i], &alone->range[i], sizeof(double)) == 0 &&
                        together->target[i] == alone->target[i] &&
                        together->index[i] == alone->index[i] &&
                        together->triangle[i] == alone->triangle[i];
      if (!same)
        fail_msg("round %d, ray %d: %g, %g", round, i, together->range[i], alone->range[i]);
      for (int k = 0; k < 3; k++) {
        assert_memory_equal(&together->normal[k][i], &alone->normal[k][i], sizeof(double));
      }
      for (int k = 0; k < 2; k++) {
        assert_memory_equal(&together->weight[k][i], &alone->weight[k][i], sizeof(double));
      }
    }
    assert_true(hits > RAYS / 50);
    world_free(&w);
  }
  free(rays);
  free(together);
  free(alone);
}

// Nothing here comes from libm, so that every compiler and processor must give this hash.
static void bits_are_the_same_everywhere(void** state) {
  (void)state;
  begin_sequence(8);
  Rays* rays = malloc(sizeof *rays);
  Hits* hits = malloc(sizeof *hits);
  World w = {0};
  world_make(&w, INSTANCES, 12);
  make_rays(rays, 15);
  cast_all(&w, rays, hits);
  const uint64_t hash = rut_hash(RUT_HASH_START, hits, sizeof *hits);
  if (hash != UINT64_C(0x5e5ef50e1f0b65d9)) fail_msg("%016llx", (unsigned long long)hash);
  world_free(&w);
  free(rays);
  free(hits);
}

// Rows of an image give each ray what it has in any other order; rays of which only that is asked
// hit something where others do.
static void images_and_shadows_are_rays(void** state) {
  (void)state;
  static const int columns[] = {60, 7, 3, 1, RAYS};
  Rays* rays = malloc(sizeof *rays);
  Hits *plain = malloc(sizeof *plain), *other = malloc(sizeof *other);
  for (int round = 0; round < 3 * PATTERNS; round++) {
    begin_sequence(200 + round);
    World w = {0};
    world_make(&w, INSTANCES, 12);
    make_pattern(rays, round % PATTERNS, 15);
    cast_all(&w, rays, plain);
    for (int c = 0; c < 5; c++) {
      const rutRayBatch image = {.n = RAYS / columns[c] * columns[c],
                                 .origin = {rays->o[0], rays->o[1], rays->o[2]},
                                 .direction = {rays->d[0], rays->d[1], rays->d[2]},
                                 .max_range = 100,
                                 .columns = columns[c]};
      const rutRayResult out = result_of(other);
      memset(other, 0, sizeof *other);
      rut_rays_begin(&image, &out);
      rut_instances_cast(&w.set, &image, &out);
      for (int i = 0; i < image.n; i++) {
        assert_memory_equal(&other->range[i], &plain->range[i], sizeof(double));
        assert_int_equal(other->index[i], plain->index[i]);
        assert_int_equal(other->triangle[i], plain->triangle[i]);
        assert_memory_equal(&other->normal[2][i], &plain->normal[2][i], sizeof(double));
      }
    }
    const rutRayBatch shadows = {.n = RAYS,
                                 .origin = {rays->o[0], rays->o[1], rays->o[2]},
                                 .direction = {rays->d[0], rays->d[1], rays->d[2]},
                                 .max_range = 100,
                                 .any = true};
    const rutRayResult only = {.range = other->range};
    int hits = 0;
    rut_rays_begin(&shadows, &only);
    for (int i = 0; i < RAYS; i += 9) other->range[i] = -7;
    rut_instances_cast(&w.set, &shadows, &only);
    for (int i = 0; i < RAYS; i++) {
      // what has hit something before is left as it is
      const bool settled = i % 9 == 0, hit = plain->range[i] < RUT_INFINITY;
      assert_true(settled ? other->range[i] == -7 : (other->range[i] < RUT_INFINITY) == hit);
      hits += hit;
    }
    assert_true(hits > RAYS / 20);
    world_free(&w);
  }
  free(rays);
  free(plain);
  free(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solids_are_hit_from_outside),
      cmocka_unit_test(known_places_of_solids),
      cmocka_unit_test(the_nearest_of_many),
      cmocka_unit_test(bodies_may_move),
      cmocka_unit_test(poses_are_applied),
      cmocka_unit_test(ties_go_to_the_first),
      cmocka_unit_test(packets_are_single_rays),
      cmocka_unit_test(images_and_shadows_are_rays),
      cmocka_unit_test(bits_are_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
