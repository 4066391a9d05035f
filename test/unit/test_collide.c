// SPDX-License-Identifier: BSD-3-Clause
//
// Polyhedra and their contact against sampled directions, closed forms, and libccd where it was
// found.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#ifdef RUT_HAVE_LIBCCD
#include <ccd/ccd.h>
#endif

#include "assert_near.h"
#include "geom/collide.h"
#include "math/quat.h"

// ---- random bodies ----

static uint64_t random_state = 88172645463325252u;

static double uniform(double low, double high) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return low + (high - low) * ((double)(random_state >> 11) * 0x1p-53);
}

static rutVec3 random_unit(void) {
  const double z = uniform(-1, 1), angle = uniform(0, 2 * RUT_PI), r = sqrt(1 - z * z);
  return rut_vec3(r * cos(angle), r * sin(angle), z);
}

static rutMat3 random_turn(void) {
  return rut_quat_matrix(rut_quat_exp(rut_vec3_scale(random_unit(), uniform(0, RUT_PI))));
}

static void make_box(double x, double y, double z, rutPolyhedron* out) {
  const double xy[8] = {-x, -y, x, -y, x, y, -x, y};
  assert_true(rut_polyhedron_prism(4, xy, -z, z, out));
}

// A box, a cylinder or the hull of points on a ball.
static void random_shape(rutPolyhedron* out) {
  const double kind = uniform(0, 3);
  if (kind < 1) {
    make_box(uniform(0.2, 1), uniform(0.2, 1), uniform(0.2, 1), out);
  } else if (kind < 2) {
    rut_polyhedron_cylinder((int)uniform(3, 17), uniform(0.2, 1), uniform(0.3, 2), 0.3, out);
  } else {
    double point[3 * RUT_POLYHEDRON_CORNERS];
    const int n = (int)uniform(4, 33);
    for (int i = 0; i < n; i++) rut_vec3_put(random_unit(), point + (size_t)(3 * i));
    assert_true(rut_polyhedron_hull(n, point, out));
  }
}

static void random_pair(double apart, rutPolyhedron* a, rutPolyhedron* b) {
  rutPolyhedron shape;
  const rutMat3 turn[2] = {random_turn(), random_turn()};
  random_shape(&shape);
  rut_polyhedron_place(&shape, &turn[0], rut_vec3(0, 0, 0), a);
  random_shape(&shape);
  rut_polyhedron_place(&shape, &turn[1], rut_vec3_scale(random_unit(), uniform(0.1, apart)), b);
}

// Gap along a direction, by the definition.
static double gap_along(const rutPolyhedron* a, const rutPolyhedron* b, rutVec3 n) {
  double far = -INFINITY, near = INFINITY;
  for (int i = 0; i < a->corners; i++) far = fmax(far, rut_vec3_dot(n, a->corner[i]));
  for (int i = 0; i < b->corners; i++) near = fmin(near, rut_vec3_dot(n, b->corner[i]));
  return near - far;
}

// Largest gap over directions: many at random, then smaller and smaller changes of the best.
static double sampled_gap(const rutPolyhedron* a, const rutPolyhedron* b) {
  enum { DIRECTIONS = 2000, CHANGES = 1500 };
  rutVec3 best = random_unit();
  double most = gap_along(a, b, best);
  for (int i = 0; i < DIRECTIONS + CHANGES; i++) {
    const double size = i < DIRECTIONS ? 0 : exp(-0.01 * (i - DIRECTIONS));
    const rutVec3 n = i < DIRECTIONS
                          ? random_unit()
                          : rut_vec3_unit(rut_vec3_add_scaled(best, size, random_unit()));
    const double gap = gap_along(a, b, n);
    if (gap > most) best = n;
    most = fmax(most, gap);
  }
  return most;
}

// ---- polyhedra ----

static void assert_closed(const rutPolyhedron* p) {
  assert_int_equal(p->corners - p->edges + p->faces, 2);
  for (int f = 0; f < p->faces; f++) {
    for (int i = 0; i < p->corners; i++) {
      assert_true(rut_vec3_dot(p->normal[f], p->corner[i]) - p->offset[f] < 1e-9);
    }
    for (int i = p->first[f]; i < p->first[f + 1]; i++) {
      assert_near(rut_vec3_dot(p->normal[f], p->corner[p->side[i]]), p->offset[f], 1e-9);
    }
  }
  for (int e = 0; e < p->edges; e++) {
    // seen from outside with the edge going up, the left face looks to the left
    const rutEdge* k = &p->edge[e];
    const rutVec3 along = rut_vec3_sub(p->corner[k->to], p->corner[k->from]);
    const rutVec3 turn = rut_vec3_cross(p->normal[k->right], p->normal[k->left]);
    assert_true(rut_vec3_dot(turn, along) < 0);
  }
}

static void test_hulls_are_closed(void** state) {
  (void)state;
  double cube[27 * 3];
  for (int i = 0; i < 27; i++) {
    const double at[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
    memcpy(cube + (size_t)(3 * i), at, sizeof at);
  }
  rutPolyhedron p;
  assert_true(rut_polyhedron_hull(27, cube, &p));
  assert_int_equal(p.corners, 8);
  assert_int_equal(p.faces, 6);
  assert_int_equal(p.edges, 12);
  assert_closed(&p);
  for (int i = 0; i < 200; i++) {
    random_shape(&p);
    assert_closed(&p);
  }
  const double flat[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0.5, 0};
  assert_false(rut_polyhedron_hull(5, flat, &p));
  assert_false(rut_polyhedron_hull(33, cube, &p));
}

static void test_volume_and_inertia(void** state) {
  (void)state;
  rutPolyhedron box, placed;
  make_box(0.5, 1, 1.5, &box);
  const rutMat3 turn = rut_mat3_identity();
  rut_polyhedron_place(&box, &turn, rut_vec3(3, -2, 7), &placed);
  const rutVolume v = rut_polyhedron_volume(&placed);
  assert_near(v.volume, 6, 1e-12);
  assert_near(v.com.x, 3, 1e-12);
  assert_near(v.com.z, 7, 1e-12);
  // m (b^2 + c^2)/12
  assert_near(v.inertia[0], 6 * (4 + 9) / 12.0, 1e-12);
  assert_near(v.inertia[1], 6 * (1 + 9) / 12.0, 1e-12);
  assert_near(v.inertia[2], 6 * (1 + 4) / 12.0, 1e-12);
  for (int i = 3; i < 6; i++) assert_near(v.inertia[i], 0, 1e-12);
  // a corner of a cube: V = 1/6, com 1/4, products of inertia -(int xy) + V/16 = -1/120 + 1/96
  const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  rutPolyhedron tetrahedron;
  assert_true(rut_polyhedron_hull(4, corner, &tetrahedron));
  const rutVolume t = rut_polyhedron_volume(&tetrahedron);
  assert_near(t.volume, 1.0 / 6, 1e-15);
  assert_near(t.com.y, 0.25, 1e-15);
  assert_near(t.inertia[3], 1.0 / 96 - 1.0 / 120, 1e-15);
  assert_near(t.inertia[0], 2 * (1.0 / 60 - 1.0 / 96), 1e-15);
}

// ---- pairs ----

static void test_depth_is_the_least(void** state) {
  (void)state;
  int touching = 0, apart = 0;
  for (int i = 0; i < 1500; i++) {
    rutPolyhedron a, b;
    random_pair(2.5, &a, &b);
    const double sampled = sampled_gap(&a, &b);
    rutPatch patch;
    const int n = rut_collide_polyhedra(&a, &b, 0, &patch);
    if (sampled > 0) {  // a plane divides them
      apart++;
      assert_int_equal(n, 0);
      continue;
    }
    touching++;
    assert_true(n >= 1);
    double deepest = 0;
    for (int k = 0; k < n; k++) deepest = fmin(deepest, patch.gap[k]);
    // a face is preferred unless an edge is better by 0.1 mm
    const double gap = gap_along(&a, &b, patch.normal);
    assert_true(gap > sampled - 2e-4);
    // where they overlap little the points show it all
    assert_true(deepest >= gap - 1e-9);
    if (gap > -0.05) assert_near(deepest, gap, 1e-9);
  }
  assert_true(touching > 300 && apart > 300);
}

// From a to b the same as from b to a, with the opposite normal.
static void test_order_does_not_matter(void** state) {
  (void)state;
  for (int i = 0; i < 500; i++) {
    rutPolyhedron a, b;
    rutPatch one, two;
    random_pair(2, &a, &b);
    const int n = rut_collide_polyhedra(&a, &b, 0.05, &one);
    assert_int_equal(rut_collide_polyhedra(&b, &a, 0.05, &two) > 0, n > 0);
    if (n == 0) continue;
    assert_near(gap_along(&a, &b, one.normal), gap_along(&b, &a, two.normal), 1e-3);
  }
}

static void test_a_box_on_a_box_has_four_points(void** state) {
  (void)state;
  rutPolyhedron low, small, high;
  make_box(2, 2, 0.5, &low);
  make_box(0.5, 0.25, 0.25, &small);
  const rutMat3 turn = rut_mat3_about(rut_vec3(0, 0, 1), sin(0.4), cos(0.4));
  rut_polyhedron_place(&small, &turn, rut_vec3(0.1, 0.2, 0.74), &high);
  rutPatch patch;
  assert_int_equal(rut_collide_polyhedra(&low, &high, 0.02, &patch), 4);
  assert_near(patch.normal.z, 1, 1e-15);
  rutVec3 middle = rut_vec3(0, 0, 0);
  for (int i = 0; i < 4; i++) {
    assert_near(patch.gap[i], -0.01, 1e-12);
    assert_near(patch.point[i].z, 0.495, 1e-12);
    middle = rut_vec3_add_scaled(middle, 0.25, patch.point[i]);
    for (int k = 0; k < i; k++) assert_true(patch.id[i] != patch.id[k]);
  }
  assert_near(middle.x, 0.1, 1e-12);
  assert_near(middle.y, 0.2, 1e-12);
  // the same points after a small move
  rutPatch after;
  rut_polyhedron_place(&small, &turn, rut_vec3(0.103, 0.199, 0.7405), &high);
  assert_int_equal(rut_collide_polyhedra(&low, &high, 0.02, &after), 4);
  for (int i = 0; i < 4; i++) assert_int_equal(after.id[i], patch.id[i]);
}

static void test_crossed_edges_have_one_point(void** state) {
  (void)state;
  rutPolyhedron box, low, high;
  make_box(1, 0.2, 0.2, &box);
  const double k = sqrt(0.5);
  const rutMat3 roll = rut_mat3_about(rut_vec3(1, 0, 0), k, k);
  const rutMat3 yaw = rut_mat3_mul(rut_mat3_about(rut_vec3(0, 0, 1), 1, 0), roll);
  rut_polyhedron_place(&box, &roll, rut_vec3(0, 0, 0), &low);
  rut_polyhedron_place(&box, &yaw, rut_vec3(0.3, -0.1, 0.4 * sqrt(2) - 0.03), &high);
  rutPatch patch;
  assert_int_equal(rut_collide_polyhedra(&low, &high, 0.01, &patch), 1);
  assert_near(patch.normal.z, 1, 1e-12);
  assert_near(patch.gap[0], -0.03, 1e-12);
  assert_near(patch.point[0].x, 0.3, 1e-12);
  assert_near(patch.point[0].y, 0, 1e-12);
}

static void test_spheres(void** state) {
  (void)state;
  rutPolyhedron box;
  rutPatch patch;
  make_box(1, 1, 1, &box);
  // over a face, beside an edge, off a corner, inside
  assert_int_equal(rut_collide_sphere(rut_vec3(0.3, 0.2, 1.4), 0.5, &box, 0, &patch), 1);
  assert_near(patch.gap[0], -0.1, 1e-12);
  assert_near(patch.normal.z, -1, 1e-12);
  assert_near(patch.point[0].z, 0.95, 1e-12);
  assert_int_equal(rut_collide_sphere(rut_vec3(1.3, 0.2, 1.4), 0.6, &box, 0, &patch), 1);
  assert_near(patch.gap[0], -0.1, 1e-12);
  assert_near(patch.normal.x, -0.6, 1e-12);
  assert_int_equal(rut_collide_sphere(rut_vec3(1.2, 1.2, 1.1), 0.4, &box, 0, &patch), 1);
  assert_near(patch.gap[0], -0.1, 1e-12);
  assert_int_equal(rut_collide_sphere(rut_vec3(1.2, 1.2, 1.1), 0.29, &box, 0, &patch), 0);
  assert_int_equal(rut_collide_sphere(rut_vec3(0.2, 0.9, 0), 0.5, &box, 0, &patch), 1);
  assert_near(patch.gap[0], -0.6, 1e-12);
  assert_near(patch.normal.y, -1, 1e-12);
  assert_int_equal(rut_collide_spheres(rut_vec3(0, 0, 0), 1, rut_vec3(0, 2.1, 0), 1, 0.2, &patch),
                   1);
  assert_near(patch.gap[0], 0.1, 1e-12);
  assert_near(patch.point[0].y, 1.05, 1e-12);
}

// ---- libccd ----

#ifdef RUT_HAVE_LIBCCD
static void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
  const rutPolyhedron* p = object;
  const rutVec3 d = rut_vec3(direction->v[0], direction->v[1], direction->v[2]);
  int best = 0;
  double most = -INFINITY;
  for (int i = 0; i < p->corners; i++) {
    const double along = rut_vec3_dot(d, p->corner[i]);
    if (along > most) best = i;
    most = fmax(most, along);
  }
  ccdVec3Set(out, p->corner[best].x, p->corner[best].y, p->corner[best].z);
}

static void centre(const void* object, ccd_vec3_t* out) {
  const rutPolyhedron* p = object;
  ccdVec3Set(out, p->centre.x, p->centre.y, p->centre.z);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void test_libccd_finds_the_same(void** state) {
  (void)state;
  enum { PAIRS = 1000 };
  static rutPolyhedron a[PAIRS], b[PAIRS];
  double depth[PAIRS], own[PAIRS], time[3], claimed = 0;
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = support;
  ccd.center1 = ccd.center2 = centre;
  ccd.max_iterations = 200;
  ccd.epa_tolerance = 1e-6;
  for (int i = 0; i < PAIRS; i++) random_pair(2, &a[i], &b[i]);
  time[0] = seconds();
  for (int i = 0; i < PAIRS; i++) {
    ccd_real_t d;
    ccd_vec3_t direction, position;
    const bool meet = ccdGJKPenetration(&a[i], &b[i], &ccd, &d, &direction, &position) == 0;
    const rutVec3 n = rut_vec3(direction.v[0], direction.v[1], direction.v[2]);
    depth[i] = meet ? -gap_along(&a[i], &b[i], n) : -1;
    if (meet) claimed = fmax(claimed, depth[i] - d);
  }
  time[1] = seconds();
  for (int i = 0; i < PAIRS; i++) {
    rutPatch patch;
    own[i] = rut_collide_polyhedra(&a[i], &b[i], 0, &patch) ? 0 : -1;
    for (int k = 0; k < patch.n; k++) own[i] = fmax(own[i], -patch.gap[k]);
  }
  time[2] = seconds();
  int same = 0, worse = 0, shallow = 0, touching = 0;
  double largest = 0;
  for (int i = 0; i < PAIRS; i++) {
    touching += own[i] >= 0;
    if ((own[i] >= 0) != (depth[i] >= 0)) {
      // they just touch
      assert_true(fmax(own[i], depth[i]) < 1e-6);
      continue;
    }
    if (own[i] < 0) continue;
    // the overlap along libccd's direction divides them, so that the least is never more
    assert_true(own[i] < depth[i] + 2e-4);
    same += fabs(own[i] - depth[i]) < 2e-4;
    worse += depth[i] > own[i] + 2e-4;
    shallow += own[i] < 1e-3;
    largest = fmax(largest, depth[i] - own[i]);
  }
  print_message(
      "%d of %d pairs touch: the same depth %d, libccd deeper %d (by up to %.3g m; "
      "its directions are deeper than it says by up to %.3g m); %.2f us a pair, libccd "
      "%.2f us (one point each)\n",
      touching, (int)PAIRS, same, worse, largest, claimed, 1e6 * (time[2] - time[1]) / PAIRS,
      1e6 * (time[1] - time[0]) / PAIRS);
  assert_true(same > 9 * (touching - shallow) / 10);
}
#else
static void test_libccd_finds_the_same(void** state) {
  (void)state;
  print_message("libccd was not found\n");
  skip();
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hulls_are_closed),
      cmocka_unit_test(test_volume_and_inertia),
      cmocka_unit_test(test_depth_is_the_least),
      cmocka_unit_test(test_order_does_not_matter),
      cmocka_unit_test(test_a_box_on_a_box_has_four_points),
      cmocka_unit_test(test_crossed_edges_have_one_point),
      cmocka_unit_test(test_spheres),
      cmocka_unit_test(test_libccd_finds_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
