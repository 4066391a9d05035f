// SPDX-License-Identifier: BSD-3-Clause
//
// Rays against meshes beside Embree, where it is installed: the same hits, to the rounding of its
// floats.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "geom/triangles.h"
#include "ray_fixture.h"
#include "rays/embree.h"

enum { POINTS = 600, TRIANGLES = 2000, RAYS = 50000 };

static rutTriangleMesh make_mesh(double* point, int* triangle) {
  for (int i = 0; i < 3 * POINTS; i++) point[i] = (double)(float)between(-1, 1);
  for (int i = 0; i < 3 * TRIANGLES; i++) triangle[i] = (int)between(0, POINTS);
  // small ones among the large
  for (int i = 0; i < TRIANGLES; i += 2) {
    const int first = 6 * (i % (POINTS / 6));
    for (int c = 0; c < 3; c++) triangle[3 * i + c] = first + c;
    for (int k = 0; k < 9; k++)
      point[3 * first + k] =
          (double)(float)(point[3 * first + k % 3] + (k > 2) * between(-0.1, 0.1));
  }
  return (rutTriangleMesh){POINTS, TRIANGLES, point, triangle};
}

// Ranges differ by what floats resolve where a ray slants. A ray that passes an edge within that
// may go on to what is behind it in one and not in the other; those are few.
static void hits_are_those_of_embree(void** state) {
  (void)state;
  static double point[3 * POINTS], o[3][RAYS], d[3][RAYS], range[RAYS];
  static float other[RAYS];
  static int triangle[3 * TRIANGLES], found[RAYS], theirs[RAYS];
  static rutBox box[TRIANGLES];
  static double weight[2][RAYS];
  begin_sequence(0);
  const rutTriangleMesh mesh = make_mesh(point, triangle);
  raysEmbree* embree = rays_embree_new(&mesh);
  if (!embree) skip();
  rutTriangles set;
  rutArena measure = {0};
  rut_triangles_take(&set, TRIANGLES, &measure);
  rutArena arena = arena_new(measure.used);
  rut_triangles_take(&set, TRIANGLES, &arena);
  rut_triangles_build(&set, &mesh, box);
  for (int i = 0; i < RAYS; i++) {
    for (int k = 0; k < 3; k++) {
      o[k][i] = (double)(float)between(-3, 3);
      d[k][i] = (double)(float)(between(-1, 1) - o[k][i]);
    }
  }
  const rutRayBatch rays = {.n = RAYS,
                            .origin = {o[0], o[1], o[2]},
                            .direction = {d[0], d[1], d[2]},
                            .max_range = HUGE_VAL};
  const rutRayResult out = {.range = range, .triangle = found, .weight = {weight[0], weight[1]}};
  rut_rays_begin(&rays, &out);
  rut_triangles_cast(&set, &rays, &out);
  rays_embree_cast(embree, &rays, &(raysEmbreeHits){other, theirs});
  int hits = 0, passed = 0, others = 0;
  for (int i = 0; i < RAYS; i++) {
    const double theirs_at = (double)other[i];
    if (isinf(range[i]) && isinf(theirs_at)) continue;
    hits++;
    passed += !(fabs(range[i] - theirs_at) <= 5e-6);
    others += found[i] != theirs[i];
  }
  assert_true(hits > RAYS / 2);
  assert_true(passed < RAYS / 5000);
  // triangles that cross, or have a corner in common
  assert_true(others < RAYS / 200);
  rays_embree_free(embree);
  free(arena.base);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hits_are_those_of_embree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
