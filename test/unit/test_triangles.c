// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against meshes: a test without a tree, in the same arithmetic, gives the same bits; closed
// meshes have no leaks; trees of any boxes are sound.
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
#include "geom/triangles.h"
#include "ray_fixture.h"

typedef struct Mesh {
  rutTriangleMesh mesh;
  double* point;
  int* triangle;
  rutTriangles set;
  void* memory;
} Mesh;

static Mesh mesh_new(int points, int triangles) {
  Mesh m = {.mesh = {points, triangles, NULL, NULL}};
  m.mesh.point = m.point = calloc((size_t)points + 1, 3 * sizeof(double));
  m.mesh.triangle = m.triangle = calloc((size_t)triangles + 1, 3 * sizeof(int));
  return m;
}

static void mesh_build(Mesh* m) {
  rutArena measure = {0};
  rut_triangles_take(&m->set, m->mesh.triangles, &measure);
  rutArena arena = arena_new(measure.used);
  m->memory = arena.base;
  rut_triangles_take(&m->set, m->mesh.triangles, &arena);
  rutBox* scratch = calloc((size_t)m->mesh.triangles + 1, sizeof *scratch);
  rut_triangles_build(&m->set, &m->mesh, scratch);
  free(scratch);
}

static void mesh_free(Mesh* m) {
  free(m->point);
  free(m->triangle);
  free(m->memory);
}

// Triangles of any shape near the origin, some of which share corners, some without area.
static Mesh soup_new(int triangles, double size, double far) {
  Mesh m = mesh_new(2 * triangles, triangles);
  for (int i = 0; i < m.mesh.points; i++) {
    const double centre = far * (i / 6 % 7);
    for (int k = 0; k < 3; k++) m.point[3 * i + k] = centre + between(-1, 1) * (i % 5 ? size : 1);
  }
  for (int i = 0; i < 3 * triangles; i++) {
    const int near = 2 * (i / 3) + (int)between(0, 8);
    m.triangle[i] = near % m.mesh.points;
  }
  return m;
}

// A closed surface of `n` rings, whose radius goes up and down by a tenth.
static Mesh ball_new(int n) {
  Mesh m = mesh_new(n * (n - 1) + 2, 2 * n * (n - 1));
  for (int i = 1; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double s, c, sj, cj, w, unused;
      rut_sincos(RUT_PI * i / n, &s, &c);
      rut_sincos(2 * RUT_PI * j / n, &sj, &cj);
      rut_sincos(5.0 * i + 3.0 * j, &w, &unused);
      double* p = m.point + 3 * (size_t)((i - 1) * n + j);
      p[0] = (1 + 0.1 * w) * s * cj;
      p[1] = (1 + 0.1 * w) * s * sj;
      p[2] = (1 + 0.1 * w) * c;
    }
  }
  const int top = n * (n - 1), bottom = top + 1;
  m.point[3 * top + 2] = 1;
  m.point[3 * bottom + 2] = -1;
  int* t = m.triangle;
  for (int j = 0; j < n; j++) {
    const int k = (j + 1) % n, last = (n - 2) * n;
    const int caps[6] = {top, j, k, bottom, last + k, last + j};
    memcpy(t, caps, sizeof caps);
    t += 6;
    for (int i = 0; i < n - 2; i++) {
      const int a = i * n + j, b = i * n + k;
      const int quad[6] = {a, a + n, b, b, a + n, b + n};
      memcpy(t, quad, sizeof quad);
      t += 6;
    }
  }
  return m;
}

static const double* corner_of(const Mesh* m, int triangle, int corner) {
  return m->point + 3 * (size_t)m->triangle[3 * triangle + corner];
}

// ---------------------------------------------------------------------------------------------
// Without a tree

// The test of Woop, Benthin and Wald for one triangle, as their paper has it.
static bool meet(const Mesh* m, int triangle, const rutRay* ray, double* t, double weight[2]) {
  int z = 0;
  for (int k = 1; k < 3; k++) z = fabs(ray->d[k]) > fabs(ray->d[z]) ? k : z;
  const int axis[3] = {(z + 1) % 3, (z + 2) % 3, z};
  const double sz = 1 / ray->d[z], sx = ray->d[axis[0]] * sz, sy = ray->d[axis[1]] * sz;
  double x[3], y[3], d[3];
  for (int c = 0; c < 3; c++) {
    double p[3];
    for (int k = 0; k < 3; k++)
      p[k] = (double)(float)corner_of(m, triangle, c)[axis[k]] - ray->o[axis[k]];
    x[c] = p[0] - sx * p[2];
    y[c] = p[1] - sy * p[2];
    d[c] = p[2];
  }
  const double u = x[2] * y[1] - y[2] * x[1], v = x[0] * y[2] - y[0] * x[2];
  const double w = x[1] * y[0] - y[1] * x[0], sum = u + v + w;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return false;
  if (sum == 0) return false;
  *t = (u * d[0] + v * d[1] + w * d[2]) * sz / sum;
  weight[0] = v / sum;
  weight[1] = w / sum;
  return *t >= 0;
}

static void check_brute(const Mesh* m, const double o[3], const double d[3], double limit,
                        int* hits) {
  const rutRay ray = ray_from(o, d, limit);
  double best = limit, found[2] = {0}, weight[2], t;
  int triangle = -1;
  for (int i = 0; i < m->mesh.triangles; i++) {
    if (!meet(m, i, &ray, &t, weight) || !(t < best)) continue;
    best = t;
    triangle = i;
    memcpy(found, weight, sizeof found);
  }
  rutTriangleHit hit;
  assert_int_equal(rut_triangles_hit(&m->set, &ray, &hit), triangle >= 0);
  assert_int_equal(hit.triangle, triangle);
  if (triangle < 0) return;
  (*hits)++;
  assert_memory_equal(&hit.range, &best, sizeof best);
  assert_memory_equal(hit.weight, found, sizeof found);
  double size = 0, facing = 0;
  for (int k = 0; k < 3; k++) size += hit.normal[k] * hit.normal[k];
  for (int k = 0; k < 3; k++) facing += hit.normal[k] * d[k];
  assert_near(size, 1, 1e-12);
  assert_true(facing <= 1e-12);
}

// A ray to a corner, to a place of an edge, to a face, anywhere, or along an axis or in a plane.
static void aim(const Mesh* m, int kind, const double o[3], double d[3]) {
  const int i = (int)between(0, m->mesh.triangles);
  const double a = kind == 0 ? 1 : between(0, 1), b = kind < 2 ? 1 - a : between(0, 1 - a);
  for (int k = 0; k < 3; k++) {
    const double p = a * (double)(float)corner_of(m, i, 0)[k] +
                     b * (double)(float)corner_of(m, i, 1)[k] +
                     (1 - a - b) * (double)(float)corner_of(m, i, 2)[k];
    d[k] = kind < 3 ? p - o[k] : between(-1, 1);
  }
  for (int k = 0; k < 3; k++)
    if (kind == 4 || (kind == 5 && k == i % 3)) d[k] = kind == 4 && k == i % 3 ? 1 : 0;
}

static void same_bits_as_without_a_tree(void** state) {
  (void)state;
  int hits = 0, rays = 0;
  for (int round = 0; round < 24; round++) {
    begin_sequence(round);
    const double size = round % 3 ? 0.2 : 1, far = round % 4 ? 2 : 500;
    Mesh m = round % 6 == 5 ? ball_new(18) : soup_new(1 + round * round, size, far);
    mesh_build(&m);
    for (int i = 0; i < 600; i++) {
      const double away = i % 7 == 0 ? 3e4 : i % 7 < 4 ? 3 : 1;
      double o[3], d[3];
      for (int k = 0; k < 3; k++) o[k] = between(-away, away);
      // from a corner, or level with one
      const double* corner = corner_of(&m, i % m.mesh.triangles, i % 3);
      for (int k = 0; k < 3; k++)
        if (i % 11 == 0 || (i % 11 < 4 && k == i % 3)) o[k] = (double)(float)corner[k];
      aim(&m, i % 6, o, d);
      if (d[0] == 0 && d[1] == 0 && d[2] == 0) continue;
      check_brute(&m, o, d, i % 5 ? HUGE_VAL : between(0, 3), &hits);
      rays++;
    }
    mesh_free(&m);
  }
  assert_true(hits > rays / 3 && rays > 14000);
}

// ---------------------------------------------------------------------------------------------
// Leaks

// Every ray from inside a closed mesh hits it. Two thirds are aimed at corners and edges.
static void closed_meshes_have_no_leaks(void** state) {
  (void)state;
  enum { BATCH = 4000, BATCHES = 250 };
  static double o[3][BATCH], d[3][BATCH], range[BATCH];
  Mesh m = ball_new(100);
  mesh_build(&m);
  const rutRayBatch rays = {.n = BATCH,
                            .origin = {o[0], o[1], o[2]},
                            .direction = {d[0], d[1], d[2]},
                            .max_range = HUGE_VAL};
  const rutRayResult out = {.range = range};
  for (int batch = 0; batch < BATCHES; batch++) {
    begin_sequence(batch);
    for (int i = 0; i < BATCH; i++) {
      double from[3], way[3];
      for (int k = 0; k < 3; k++) from[k] = batch % 2 ? between(-0.4, 0.4) : 0;
      aim(&m, i % 3, from, way);
      const double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
      for (int k = 0; k < 3; k++) o[k][i] = from[k];
      for (int k = 0; k < 3; k++) d[k][i] = i % 2 ? way[k] / length : way[k];
    }
    rut_rays_begin(&rays, &out);
    rut_triangles_cast(&m.set, &rays, &out);
    for (int i = 0; i < BATCH; i++)
      if (!(range[i] > 0 && range[i] < 10)) fail_msg("ray %d of batch %d leaks", i, batch);
  }
  mesh_free(&m);
}

// ---------------------------------------------------------------------------------------------
// Known places

static Mesh one_triangle(double size) {
  Mesh m = mesh_new(3, 1);
  const double point[9] = {0, 0, 2, size, 0, 2, 0, size, 2};
  memcpy(m.point, point, sizeof point);
  memcpy(m.triangle, (int[]){0, 1, 2}, 3 * sizeof(int));
  mesh_build(&m);
  return m;
}

// A triangle in the plane z = 2, from both sides: place, weights, and the nearer side's normal.
static void known_places(void** state) {
  (void)state;
  Mesh m = one_triangle(4);
  const double up[3] = {0, 0, 1}, down[3] = {0, 0, -2}, slant[3] = {0.6, 0, 0.8};
  rutTriangleHit hit;
  rutRay ray = ray_from((double[]){1, 2, 0}, up, HUGE_VAL);
  assert_true(rut_triangles_hit(&m.set, &ray, &hit));
  assert_near(hit.range, 2, 1e-15);
  assert_near(hit.weight[0], 0.25, 1e-15);
  assert_near(hit.weight[1], 0.5, 1e-15);
  assert_near(hit.normal[2], -1, 1e-15);
  ray = ray_from((double[]){1, 2, 5}, down, HUGE_VAL);
  assert_true(rut_triangles_hit(&m.set, &ray, &hit));
  assert_near(hit.range, 1.5, 1e-15);  // in lengths of the direction
  assert_near(hit.normal[2], 1, 1e-15);
  ray = ray_from((double[]){-0.5, 1, 0}, slant, HUGE_VAL);
  assert_true(rut_triangles_hit(&m.set, &ray, &hit));
  assert_near(hit.range, 2.5, 1e-15);
  assert_near(hit.weight[0], 0.25, 1e-15);
  // the limit does not count, 0 does; what is behind does not
  ray = ray_from((double[]){1, 1, 0}, up, 2);
  assert_false(rut_triangles_hit(&m.set, &ray, &hit));
  ray = ray_from((double[]){1, 1, 2}, up, 1);
  assert_true(rut_triangles_hit(&m.set, &ray, &hit) && hit.range == 0);
  ray = ray_from((double[]){1, 1, 3}, up, 1);
  assert_false(rut_triangles_hit(&m.set, &ray, &hit));
  // beside it, and in its plane
  ray = ray_from((double[]){2.1, 2, 0}, up, HUGE_VAL);
  assert_false(rut_triangles_hit(&m.set, &ray, &hit));
  ray = ray_from((double[]){-1, 1, 2}, (double[]){1, 0, 0}, HUGE_VAL);
  assert_false(rut_triangles_hit(&m.set, &ray, &hit));
  mesh_free(&m);
}

static void batches_have_all_results(void** state) {
  (void)state;
  Mesh m = one_triangle(4);
  const double o[3][3] = {{1, 1, 1}, {1, 1, 1}, {0, 5, NAN}}, d[3][3] = {{0}, {0}, {1, 1, 1}};
  double range[3], normal[3][3], weight[2][3];
  unsigned char target[3];
  int index[3], triangle[3];
  const rutRayBatch rays = {
      .n = 3, .origin = {o[0], o[1], o[2]}, .direction = {d[0], d[1], d[2]}, .max_range = 2};
  const rutRayResult out = {.range = range,
                            .normal = {normal[0], normal[1], normal[2]},
                            .target = target,
                            .index = index,
                            .triangle = triangle,
                            .weight = {weight[0], weight[1]}};
  rut_rays_begin(&rays, &out);
  rut_triangles_cast(&m.set, &rays, &out);
  // a hit at max_range counts
  assert_near(range[0], 2, 1e-15);
  assert_int_equal(target[0], RUT_RAY_BODY);
  assert_int_equal(index[0], 0);
  assert_int_equal(triangle[0], 0);
  assert_near(weight[0][0], 0.25, 1e-15);
  assert_near(weight[1][0], 0.25, 1e-15);
  for (int i = 1; i < 3; i++) assert_true(isinf(range[i]) && triangle[i] == -1);
  // what is nearer stays
  range[0] = 1.5;
  triangle[0] = 7;
  rut_triangles_cast(&m.set, &rays, &out);
  assert_true(range[0] == 1.5 && triangle[0] == 7);
  mesh_free(&m);
}

// ---------------------------------------------------------------------------------------------
// Trees

// Returns the number of items below a node, whose boxes are inside those of the tree.
static int check_node(const rutBvh* bvh, const rutBox* box, int at, int level,
                      unsigned char* seen) {
  const rutBvhNode* node = &bvh->node[at];
  int count = 0;
  assert_true(level < RUT_BVH_LEVELS);
  for (int lane = 0; lane < RUT_BVH_WIDTH; lane++) {
    if (node->bound[0][lane] > node->bound[3][lane]) continue;
    const int child = node->child[lane];
    if (child >= 0) {
      assert_true(child > at && child < bvh->nodes);
      const rutBvhNode* below = &bvh->node[child];
      for (int i = 0; i < RUT_BVH_WIDTH; i++) {
        if (below->bound[0][i] > below->bound[3][i]) continue;
        for (int k = 0; k < 3; k++) assert_true(below->bound[k][i] >= node->bound[k][lane]);
        for (int k = 3; k < 6; k++) assert_true(below->bound[k][i] <= node->bound[k][lane]);
      }
      count += check_node(bvh, box, child, level + 1, seen);
      continue;
    }
    for (int i = 0; i < bvh->leaf_size; i++) {
      const int item = bvh->item[~child * bvh->leaf_size + i];
      if (item < 0) continue;
      assert_false(seen[item]);
      seen[item] = 1;
      count++;
      for (int k = 0; k < 3; k++) assert_true(box[item].low[k] >= node->bound[k][lane]);
      for (int k = 0; k < 3; k++) assert_true(box[item].high[k] <= node->bound[3 + k][lane]);
    }
  }
  return count;
}

static void check_tree(const rutBvh* bvh, const rutBox* box, int items, int usable) {
  unsigned char* seen = calloc((size_t)items + 1, 1);
  assert_int_equal(check_node(bvh, box, 0, 1, seen), usable);
  free(seen);
}

enum { BOXES = 3000 };

// Boxes at random, all in one place, in a row whose distances double, and some that are unusable.
static int fill_boxes(int kind, rutBox* box) {
  int usable = 0;
  float at = 1e-9f;
  for (int i = 0; i < BOXES; i++) {
    for (int k = 0; k < 3; k++) {
      const float x = kind == 1 ? 3 : kind == 2 ? at : (float)between(-50, 50);
      box[i].low[k] = x;
      box[i].high[k] = x + (kind == 1 ? 1 : kind == 2 ? 0 : (float)between(0, 3));
    }
    at = at < 1e14f ? at * 1.5f : 1e-9f;
    if (kind == 3 && i % 3 == 0) box[i].high[i % 2] = i % 9 ? NAN : -1e9f;
    if (kind == 3 && i % 3 == 1) box[i].high[i % 2] = i % 2 ? (float)INFINITY : 1e30f;
    usable += kind != 3 || i % 3 == 2;
  }
  return usable;
}

static void trees_are_sound(void** state) {
  (void)state;
  rutBox* box = calloc(BOXES, sizeof *box);
  for (int kind = 0; kind < 8; kind++) {
    rutBvh bvh;
    rutArena measure = {0};
    const int leaf = kind % 2 ? 1 : 4;
    rut_bvh_take(&bvh, BOXES, leaf, &measure);
    rutArena arena = arena_new(measure.used);
    rut_bvh_take(&bvh, BOXES, leaf, &arena);
    begin_sequence(kind);
    const int usable = fill_boxes(kind / 2, box);
    rut_bvh_build(&bvh, BOXES, box);
    check_tree(&bvh, box, BOXES, usable);
    // boxes that have moved
    const double before = rut_bvh_surface(&bvh);
    for (int i = 0; i < BOXES; i++) {
      const float by = (float)between(-5, 5);
      for (int k = 0; k < 3 && kind < 6; k++) {
        box[i].low[k] += by;
        box[i].high[k] += by;
      }
    }
    rut_bvh_refit(&bvh, box);
    check_tree(&bvh, box, BOXES, usable);
    if (kind < 2) assert_true(rut_bvh_surface(&bvh) > 1.2 * before);
    // none
    rut_bvh_build(&bvh, 0, box);
    assert_int_equal(bvh.leaves, 0);
    free(arena.base);
  }
  free(box);
}

// The root of the surface area heuristic: two groups of boxes far apart are not in one part.
static void far_groups_are_apart(void** state) {
  (void)state;
  rutBox box[64];
  for (int i = 0; i < 64; i++) {
    for (int k = 0; k < 3; k++) {
      box[i].low[k] = (float)between(0, 1) + (k == 0 && i % 16 == 0 ? 1000 : 0);
      box[i].high[k] = box[i].low[k] + 0.1f;
    }
  }
  rutBvh bvh;
  rutArena measure = {0};
  rut_bvh_take(&bvh, 64, 4, &measure);
  rutArena arena = arena_new(measure.used);
  rut_bvh_take(&bvh, 64, 4, &arena);
  rut_bvh_build(&bvh, 64, box);
  for (int i = 0; i < RUT_BVH_WIDTH; i++)
    assert_true(bvh.node[0].bound[3][i] - bvh.node[0].bound[0][i] < 2);
  free(arena.base);
}

// Faults in a mesh, and rays that are none.
static void strange_input_does_no_harm(void** state) {
  (void)state;
  Mesh m = soup_new(50, 1, 0);
  m.point[6] = NAN;
  m.point[30] = HUGE_VAL;
  m.point[60] = 1e300;
  m.triangle[9] = -1;
  m.triangle[20] = m.mesh.points;
  mesh_build(&m);
  const double values[] = {0, 1, -1, 1e-300, 1e300, -1e40, HUGE_VAL, NAN};
  rutTriangleHit hit;
  for (int i = 0; i < 8 * 8 * 8; i++) {
    const double d[3] = {values[i % 8], values[i / 8 % 8], values[i / 64]};
    const double o[3] = {values[i / 64], 0, values[i % 8]};
    double range;
    const rutRayBatch rays = {.n = 1,
                              .origin = {&o[0], &o[1], &o[2]},
                              .direction = {&d[0], &d[1], &d[2]},
                              .max_range = HUGE_VAL};
    const rutRayResult out = {.range = &range};
    rut_rays_begin(&rays, &out);
    rut_triangles_cast(&m.set, &rays, &out);
    assert_true(range >= 0);
  }
  mesh_free(&m);
  m = mesh_new(0, 0);
  mesh_build(&m);
  const rutRay ray = ray_from((double[]){0, 0, 0}, (double[]){0, 0, 1}, HUGE_VAL);
  assert_false(rut_triangles_hit(&m.set, &ray, &hit));
  mesh_free(&m);
}

// Nothing here comes from libm, so that every compiler and processor must give this hash.
static void bits_are_the_same_everywhere(void** state) {
  (void)state;
  begin_sequence(5);
  Mesh m = soup_new(2000, 0.1, 0);
  mesh_build(&m);
  uint64_t hash = RUT_HASH_START;
  for (int i = 0; i < 4000; i++) {
    double o[3], d[3];
    for (int k = 0; k < 3; k++) o[k] = between(-2, 2);
    for (int k = 0; k < 3; k++) d[k] = between(-1, 1) - o[k];
    const rutRay ray = ray_from(o, d, HUGE_VAL);
    rutTriangleHit hit;
    if (!rut_triangles_hit(&m.set, &ray, &hit)) continue;
    hash = rut_hash(hash, &hit.range, sizeof hit.range);
    hash = rut_hash(hash, hit.normal, sizeof hit.normal);
    hash = rut_hash(hash, hit.weight, sizeof hit.weight);
    hash = rut_hash(hash, &hit.triangle, sizeof hit.triangle);
  }
  if (hash != UINT64_C(0x2c060d7b36c694c8)) fail_msg("%016llx", (unsigned long long)hash);
  mesh_free(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_bits_as_without_a_tree),
      cmocka_unit_test(closed_meshes_have_no_leaks),
      cmocka_unit_test(known_places),
      cmocka_unit_test(batches_have_all_results),
      cmocka_unit_test(trees_are_sound),
      cmocka_unit_test(far_groups_are_apart),
      cmocka_unit_test(strange_input_does_no_harm),
      cmocka_unit_test(bits_are_the_same_everywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
