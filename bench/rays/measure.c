// SPDX-License-Identifier: BSD-3-Clause
#include "measure.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "embree.h"
#include "geom/instances.h"

enum { RAYS = 1 << 16, ROWS = 256, COLUMNS = RAYS / ROWS };
enum { RINGS = 224, BOXES = 2000, BOX_POINTS = 8, BOX_TRIANGLES = 12 };

// What is cast against, and the same as one mesh for Embree.
typedef struct Scene {
  const char* name;
  rutTriangles mesh;
  rutSolid solid;
  rutInstances set;  // n == 0: the mesh alone
  rutTriangleMesh triangles;
  double* point;
  int* triangle;
  rutBox* box;
  void* memory;
  raysEmbree* embree;
} Scene;

typedef struct Rays {
  double o[3][RAYS], d[3][RAYS];
  double range[RAYS], normal[3][RAYS], weight[2][RAYS];
  unsigned char target[RAYS];
  int index[RAYS], triangle[RAYS];
  float embree_range[RAYS];
  int embree_triangle[RAYS];
} Rays;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static uint32_t seed;
static double between(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * ((seed >> 8) + 0.5) / 16777216.0;
}

// ---------------------------------------------------------------------------------------------
// Scenes

static bool take_triangles(Scene* s, int points, int triangles) {
  s->triangles = (rutTriangleMesh){points, triangles, NULL, NULL};
  s->triangles.point = s->point = malloc(3 * sizeof(double) * (size_t)points);
  s->triangles.triangle = s->triangle = malloc(3 * sizeof(int) * (size_t)triangles);
  s->box = malloc(sizeof(rutBox) * (size_t)triangles);
  return s->point && s->triangle && s->box;
}

static void put_quad(int** at, int a, int b, int c, int d) {
  const int corner[6] = {a, b, c, c, b, d};
  for (int i = 0; i < 6; i++) *(*at)++ = corner[i];
}

// A ball whose surface is wavy.
static bool make_ball(Scene* s) {
  const int across = RINGS + 1;
  s->name = "mesh of 100k triangles";
  if (!take_triangles(s, across * across, 2 * RINGS * RINGS)) return false;
  for (int i = 0; i < across * across; i++) {
    double sine[4], cosine[4];
    const double a = RUT_PI * (i / across) / RINGS, b = 2 * RUT_PI * (i % across) / RINGS;
    rut_sincos(a, &sine[0], &cosine[0]);
    rut_sincos(b, &sine[1], &cosine[1]);
    rut_sincos(7 * a, &sine[2], &cosine[2]);
    rut_sincos(9 * b, &sine[3], &cosine[3]);
    const double r = 1 + 0.1 * sine[2] * cosine[3];
    s->point[3 * i] = r * sine[0] * cosine[1];
    s->point[3 * i + 1] = r * sine[0] * sine[1];
    s->point[3 * i + 2] = r * cosine[0];
  }
  int* at = s->triangle;
  for (int i = 0; i < RINGS * RINGS; i++) {
    const int a = i / RINGS * across + i % RINGS;
    put_quad(&at, a, a + across, a + 1, a + across + 1);
  }
  rutArena measure = {0};
  rut_triangles_take(&s->mesh, s->triangles.triangles, &measure);
  rutArena arena = {.base = s->memory = calloc(1, measure.used), .size = measure.used};
  if (!s->memory) return false;
  rut_triangles_take(&s->mesh, s->triangles.triangles, &arena);
  return true;
}

// Corners and sides of a box in its place.
static void add_box(Scene* s, int i) {
  const double* pose = s->set.instance[i].pose;
  double* point = s->point + 3 * BOX_POINTS * (size_t)i;
  int* at = s->triangle + 3 * BOX_TRIANGLES * (size_t)i;
  for (int c = 0; c < BOX_POINTS; c++) {
    const double own[3] = {c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1};
    for (int k = 0; k < 3; k++) {
      const double* row = pose + 4 * k;
      point[3 * c + k] = row[0] * own[0] + row[1] * own[1] + row[2] * own[2] + row[3];
    }
  }
  const int side[6][4] = {{0, 2, 1, 3}, {4, 5, 6, 7}, {0, 1, 4, 5},
                          {2, 6, 3, 7}, {0, 4, 2, 6}, {1, 3, 5, 7}};
  for (int k = 0; k < 6; k++) {
    const int first = BOX_POINTS * i, *q = side[k];
    put_quad(&at, first + q[0], first + q[1], first + q[2], first + q[3]);
  }
}

// Boxes of 2 m in a field, as instances of one solid.
static bool make_boxes(Scene* s) {
  s->name = "2000 boxes";
  if (!take_triangles(s, BOX_POINTS * BOXES, BOX_TRIANGLES * BOXES)) return false;
  s->solid = rut_solid_box(2, 2, 2);
  rutArena measure = {0};
  rut_instances_take(&s->set, BOXES, &measure);
  rutArena arena = {.base = s->memory = calloc(1, measure.used), .size = measure.used};
  if (!s->memory) return false;
  rut_instances_take(&s->set, BOXES, &arena);
  for (int i = 0; i < BOXES; i++) {
    double sine, cosine;
    rut_sincos(between(-3, 3), &sine, &cosine);
    const double pose[12] = {cosine, -sine,  0, between(-200, 200),
                             sine,   cosine, 0, between(-200, 200),
                             0,      0,      1, between(0, 2)};
    s->set.instance[i].solid = &s->solid;
    for (int k = 0; k < 12; k++) s->set.instance[i].pose[k] = pose[k];
    add_box(s, i);
  }
  return true;
}

static void free_scene(Scene* s) {
  rays_embree_free(s->embree);
  free(s->point);
  free(s->triangle);
  free(s->box);
  free(s->memory);
}

static void build(Scene* s) {
  if (s->set.n)
    rut_instances_build(&s->set);
  else
    rut_triangles_build(&s->mesh, &s->triangles, s->box);
}

// ---------------------------------------------------------------------------------------------
// Rays

static void put_ray(Rays* r, int i, const double o[3], const double way[3]) {
  const double size = rut_sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  for (int k = 0; k < 3; k++) {
    r->o[k][i] = o[k];
    r->d[k][i] = way[k] / size;
  }
}

// From anywhere in and around the scene to anywhere in it.
static void random_rays(Rays* r, bool field) {
  for (int i = 0; i < RAYS; i++) {
    double o[3], way[3];
    for (int k = 0; k < 3; k++) {
      const double size = !field ? 1.5 : k < 2 ? 200 : 3;
      o[k] = between(-size, size);
      way[k] = between(-size, size) - o[k];
    }
    put_ray(r, i, o, way);
  }
}

// Rows of a camera that looks at the mesh, or of a lidar in the midst of the field.
static void rays_in_order(Rays* r, bool field) {
  for (int i = 0; i < RAYS; i++) {
    const double across = (i % COLUMNS + 0.5) / COLUMNS - 0.5,
                 up = (i / COLUMNS + 0.5) / ROWS - 0.5;
    double s, c;
    rut_sincos(2 * RUT_PI * across, &s, &c);
    const double eye[3] = {-3, 0.01, 0.02}, look[3] = {3, 2.4 * across, 2.4 * up};
    const double lidar[3] = {0.5, 0.5, 2}, beam[3] = {c, s, 0.3 * up};
    put_ray(r, i, field ? lidar : eye, field ? beam : look);
  }
}

static double time_rut(const Scene* s, const rutRayBatch* rays, const rutRayResult* out) {
  rut_rays_begin(rays, out);
  const double start = now_ms();
  if (s->set.n)
    rut_instances_cast(&s->set, rays, out);
  else
    rut_triangles_cast(&s->mesh, rays, out);
  return now_ms() - start;
}

static void measure_rays(const Scene* s, Rays* r, int runs, raysFigures* out) {
  const rutRayBatch rays = {.n = RAYS,
                            .origin = {r->o[0], r->o[1], r->o[2]},
                            .direction = {r->d[0], r->d[1], r->d[2]},
                            .max_range = RUT_INFINITY};
  const rutRayResult result = {.range = r->range,
                               .normal = {r->normal[0], r->normal[1], r->normal[2]},
                               .target = r->target,
                               .index = r->index,
                               .triangle = r->triangle,
                               .weight = {r->weight[0], r->weight[1]}};
  const raysEmbreeHits hits = {r->embree_range, r->embree_triangle};
  double own = RUT_INFINITY, other = RUT_INFINITY;
  int count = 0;
  for (int run = 0; run < runs; run++) {
    own = rut_min(time_rut(s, &rays, &result), own);
    if (!s->embree) continue;
    const double start = now_ms();
    rays_embree_cast(s->embree, &rays, &hits);
    other = rut_min(now_ms() - start, other);
  }
  for (int i = 0; i < RAYS; i++) count += r->range[i] < RUT_INFINITY;
  out->hits = (double)count / RAYS;
  out->speed = 1e-3 * RAYS / own;
  out->embree = s->embree ? 1e-3 * RAYS / other : RUT_NAN;
}

// ---------------------------------------------------------------------------------------------

static void measure_scene(Scene* s, Rays* rays, int runs, raysFigures out[2]) {
  const bool field = s->set.n > 0;
  double built = RUT_INFINITY, moved = field ? RUT_INFINITY : RUT_NAN;
  for (int run = 0; run < runs; run++) {
    double start = now_ms();
    build(s);
    built = rut_min(now_ms() - start, built);
    start = now_ms();
    if (field) rut_instances_move(&s->set);
    if (field) moved = rut_min(now_ms() - start, moved);
  }
  s->embree = rays_embree_new(&s->triangles);
  for (int i = 0; i < 2; i++) {
    const char* in_order = field ? "of a lidar" : "of a camera";
    out[i] = (raysFigures){.scene = s->name, .rays = i ? "at random" : in_order};
    out[i].build = built;
    out[i].move = moved;
    if (i == 0) rays_in_order(rays, field);
    if (i == 1) random_rays(rays, field);
    measure_rays(s, rays, runs, &out[i]);
  }
}

bool rays_measure(int runs, raysFigures out[RAYS_CASES]) {
  Rays* rays = malloc(sizeof *rays);
  bool good = rays != NULL;
  seed = 1;
  for (int i = 0; i < 2 && good; i++) {
    Scene scene = {0};
    good = i == 0 ? make_ball(&scene) : make_boxes(&scene);
    if (good) measure_scene(&scene, rays, runs, out + 2 * i);
    free_scene(&scene);
  }
  free(rays);
  return good;
}
