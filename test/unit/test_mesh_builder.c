// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes made by rule: volumes against closed forms, surfaces without gaps, limits and errors.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "assert_near.h"
#include "geom/mesh_builder.h"

#define PI 3.14159265358979323846

static rutMeshBuilder* builder_new(void) {
  rutMeshBuilder* builder = rut_mesh_builder_new();
  assert_non_null(builder);
  return builder;
}

static rutMeshModel finish(rutMeshBuilder* builder) {
  rutMeshModel model;
  rutError err = {0};
  const rutStatus status = rut_mesh_builder_finish(builder, &model, &err);
  if (status) fail_msg("%s", err.message);
  return model;
}

// By the theorem of Gauss: the sum of the tetrahedra between the triangles and the origin.
static double volume(const rutMeshModel* model) {
  double sum = 0;
  for (int i = 0; i < model->triangles; i++) {
    const double *a = model->point[model->triangle[i][0]], *b = model->point[model->triangle[i][1]],
                 *c = model->point[model->triangle[i][2]];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

static int compare_edges(const void* a, const void* b) { return memcmp(a, b, 2 * sizeof(int)); }

// Edges that no other triangle has in the opposite direction, or that two have in the same.
static int open_edges(const rutMeshModel* model) {
  const size_t n = 3 * (size_t)model->triangles;
  int(*edge)[2] = malloc(n * sizeof *edge);
  for (int i = 0; i < model->triangles; i++) {
    for (int k = 0; k < 3; k++) {
      edge[3 * i + k][0] = model->triangle[i][k];
      edge[3 * i + k][1] = model->triangle[i][(k + 1) % 3];
    }
  }
  qsort(edge, n, sizeof *edge, compare_edges);
  int open = 0;
  for (size_t i = 0; i < n; i++) {
    const int back[2] = {edge[i][1], edge[i][0]};
    open += i > 0 && compare_edges(edge[i], edge[i - 1]) == 0;
    open += bsearch(back, edge, n, sizeof *edge, compare_edges) == NULL;
  }
  free(edge);
  return open;
}

// Closed, of this volume, and of this Euler characteristic: 2 for a ball, 0 for a ring.
static void check_solid(rutMeshBuilder* builder, double expected, double tolerance, int euler) {
  rutMeshModel model = finish(builder);
  assert_int_equal(open_edges(&model), 0);
  assert_near(volume(&model), expected, tolerance);
  // a closed surface of triangles has 3/2 edges per triangle
  assert_int_equal(model.points - model.triangles / 2, euler);
  rut_mesh_model_free(&model);
}

static void test_boxes(void** state) {
  (void)state;
  rutMeshBuilder* builder = builder_new();
  const double low[3] = {-1, 2, 0.5}, high[3] = {2, 4, 1.5};
  rut_mesh_box(builder, low, high);
  check_solid(builder, 6, 1e-12, 2);

  // prisms along the twelve edges, and of each corner cube all but a tetrahedron, are cut off
  const double cut = 0.1, lengths = (3 - 0.2) + (2 - 0.2) + (1 - 0.2);
  rut_mesh_bevelled_box(builder, low, high, cut);
  check_solid(builder, 6 - 4 * lengths * cut * cut / 2 - 8 * 5.0 / 6 * cut * cut * cut, 1e-12, 2);

  rut_mesh_bevelled_box(builder, low, high, 0);
  check_solid(builder, 6, 1e-12, 2);
  rut_mesh_bevelled_box(builder, low, high, 5);  // as much as there is room for
  rutMeshModel model = finish(builder);
  assert_int_equal(open_edges(&model), 0);
  rut_mesh_model_free(&model);
  rut_mesh_builder_free(builder);
}

static void test_prisms(void** state) {
  (void)state;
  rutMeshBuilder* builder = builder_new();
  // an L of area 3, in both orders
  const double l[12] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2};
  double reversed[12];
  for (int i = 0; i < 6; i++) memcpy(reversed + 2 * i, l + 2 * (5 - i), 2 * sizeof(double));
  rut_mesh_prism(builder, 6, l, -1, 0.5);
  check_solid(builder, 4.5, 1e-12, 2);
  rut_mesh_prism(builder, 6, reversed, -1, 0.5);
  check_solid(builder, 4.5, 1e-12, 2);

  // a star of 100 points with radii 1 and 0.2: 100 triangles of area sin(pi/100) 0.2
  double star[400];
  for (int i = 0; i < 200; i++) {
    star[2 * i] = (i % 2 ? 0.2 : 1) * cos(PI * i / 100);
    star[2 * i + 1] = (i % 2 ? 0.2 : 1) * sin(PI * i / 100);
  }
  rut_mesh_prism(builder, 200, star, 0, 1);
  check_solid(builder, 100 * 0.2 * sin(PI / 100), 1e-12, 2);
  // a square: two frustums, h / 3 (A + B + sqrt(A B)), and a block between
  const double square[8] = {0, 0, 2, 0, 2, 2, 0, 2}, height[2] = {-1, 2};
  rut_mesh_bevelled_prism(builder, 4, square, height, 0.2);
  check_solid(builder, 4 * 2.6 + 2 * 0.2 / 3 * (4 + 1.6 * 1.6 + 2 * 1.6), 1e-12, 2);
  // concave: its end is the L with every edge moved inwards
  rut_mesh_bevelled_prism(builder, 6, l, (const double[]){0, 1}, 0.1);
  const double step = 0.1, end = 3 - 8 * step + 4 * step * step;
  // area 3 - 8 s + 4 s^2 at depth s: by Simpson's rule, which is exact for it
  const double mid = 3 - 8 * 0.05 + 4 * 0.05 * 0.05;
  check_solid(builder, 3 * 0.8 + 2 * 0.1 / 6 * (3 + 4 * mid + end), 1e-12, 2);
  // corners along a straight line
  const double straight[12] = {0, 0, 1, 0, 2, 0, 2, 1, 1, 1, 0, 1};
  rut_mesh_prism(builder, 6, straight, 0, 1);
  check_solid(builder, 2, 1e-12, 2);
  rut_mesh_builder_free(builder);
}

static void test_turned(void** state) {
  (void)state;
  rutMeshBuilder* builder = builder_new();
  // prism over a regular polygon
  rut_mesh_cylinder(builder, 0.5, 2, 24);
  check_solid(builder, 0.5 * 24 * 0.25 * sin(2 * PI / 24) * 2, 1e-12, 2);
  // cone: a third
  rut_mesh_turned(builder, 3, (const double[]){0, 0, 1, 0, 0, 3}, 7);
  check_solid(builder, 0.5 * 7 * sin(2 * PI / 7), 1e-12, 2);
  // a square ring: difference of two prisms
  rut_mesh_turned(builder, 5, (const double[]){1, 0, 2, 0, 2, 1, 1, 1, 1, 0}, 12);
  check_solid(builder, 0.5 * 12 * sin(2 * PI / 12) * (4 - 1), 1e-12, 0);
  rut_mesh_builder_free(builder);
}

static void test_spheres(void** state) {
  (void)state;
  rutMeshBuilder* builder = builder_new();
  // the icosahedron in a sphere of radius R has edges of R / sin(2 pi / 5)
  const double edge = 2 / sin(2 * PI / 5);
  rut_mesh_sphere(builder, 2, 0);
  check_solid(builder, 5.0 / 12 * (3 + sqrt(5)) * edge * edge * edge, 1e-12, 2);
  const double ball = 4.0 / 3 * PI * 8;
  rut_mesh_sphere(builder, 2, 3);
  check_solid(builder, ball, 0.02 * ball, 2);
  // the difference falls with the square of the edge
  rut_mesh_sphere(builder, 2, 5);
  rutMeshModel model = finish(builder);
  assert_int_equal(model.points, 10 * 4 * 4 * 4 * 4 * 4 + 2);
  assert_int_equal(model.triangles, 20 * 4 * 4 * 4 * 4 * 4);
  assert_int_equal(open_edges(&model), 0);
  assert_near(volume(&model), ball, 0.0013 * ball);
  for (int i = 0; i < model.points; i++) {
    const double* p = model.point[i];
    assert_near(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), 2, 1e-14);
  }
  rut_mesh_model_free(&model);
  rut_mesh_builder_free(builder);
}

static void test_tubes(void** state) {
  (void)state;
  rutMeshBuilder* builder = builder_new();
  const double straight[6] = {1, 2, 3, 1, 5, 3}, even[2] = {0.1, 0.1}, pointed[2] = {0.3, 0};
  rut_mesh_tube(builder, 2, straight, even, 8);
  check_solid(builder, 0.5 * 8 * 0.01 * sin(PI / 4) * 3, 1e-12, 2);
  rut_mesh_tube(builder, 2, straight, pointed, 8);
  check_solid(builder, 0.5 * 8 * 0.09 * sin(PI / 4) * 3 / 3, 1e-12, 2);
  // a quarter of a torus, by Pappus; along all axes, so that the frame is carried along
  double path[3 * 65], radius[65];
  for (int i = 0; i <= 64; i++) {
    path[3 * i] = 2 * sin(PI / 128 * i);
    path[3 * i + 1] = 0;
    path[3 * i + 2] = 2 * cos(PI / 128 * i);
    radius[i] = 0.2;
  }
  rut_mesh_tube(builder, 65, path, radius, 16);
  const double torus = 0.5 * 16 * 0.04 * sin(PI / 8) * PI;
  check_solid(builder, torus, 1e-3 * torus, 2);
  // back on itself
  const double back[9] = {0, 0, 0, 1, 0, 0, 0, 0, 0}, three[3] = {0.1, 0.1, 0.1};
  rut_mesh_tube(builder, 3, back, three, 6);
  rutMeshModel model = finish(builder);
  assert_int_equal(open_edges(&model), 0);
  rut_mesh_model_free(&model);
  rut_mesh_builder_free(builder);
}

static void test_lofts(void** state) {
  (void)state;
  rutMeshBuilder* builder = builder_new();
  // frustum of a pyramid: h / 3 (A + B + sqrt(A B)) with sides 2 and 1
  const double frustum[24] = {-1,   -1,   0, 1,   -1,   0, 1,   1,   0, -1,   1,   0,
                              -0.5, -0.5, 3, 0.5, -0.5, 3, 0.5, 0.5, 3, -0.5, 0.5, 3};
  rut_mesh_loft(builder, 2, 4, frustum, RUT_LOFT_RING | RUT_LOFT_CAPS);
  check_solid(builder, 3.0 / 3 * (4 + 1 + 2), 1e-12, 2);
  // a torus of 32 x 16 points, by Pappus
  double torus[32 * 16 * 3];
  for (int i = 0; i < 32 * 16; i++) {
    const double u = 2 * PI * (i / 16) / 32, v = 2 * PI * (i % 16) / 16;
    torus[3 * i] = (3 + cos(v)) * cos(u);
    torus[3 * i + 1] = (3 + cos(v)) * sin(u);
    torus[3 * i + 2] = sin(v);
  }
  rut_mesh_loft(builder, 32, 16, torus, RUT_LOFT_RING | RUT_LOFT_LOOP);
  rutMeshModel model = finish(builder);
  assert_int_equal(open_edges(&model), 0);
  assert_int_equal(model.points - model.triangles / 2, 0);
  // rows go round the axis, columns up the outside: a row upwards is to the left, so this is inside
  // out
  assert_near(volume(&model), -2 * PI * PI * 3, 0.05 * 2 * PI * PI * 3);
  rut_mesh_model_free(&model);

  // open: a square, whose edges are its border
  const double square[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  rut_mesh_loft(builder, 2, 2, square, 0);
  model = finish(builder);
  assert_int_equal(model.triangles, 2);
  assert_int_equal(open_edges(&model), 4);
  rut_mesh_model_free(&model);
  rut_mesh_builder_free(builder);
}

static void test_frames(void** state) {
  (void)state;
  rutMeshBuilder* builder = builder_new();
  const double low[3] = {0, 1, 0}, high[3] = {1, 2, 3};
  // turned by 90 deg about z, x becomes y
  const double pose[6] = {10, 0, 0, 0, 0, PI / 2};
  rut_mesh_frame(builder, pose, 2);
  const rutMeshMark mark = rut_mesh_mark(builder);
  const int at = rut_mesh_vertex(builder, 1, 0, 0.5);
  assert_int_equal(at, 0);
  rut_mesh_box(builder, low, high);
  rut_mesh_mirror(builder, mark);
  rut_mesh_frame(builder, NULL, 1);
  rut_mesh_repeat(builder, mark, (const double[]){0, 0, 7, 0, 0, 0}, 0.5);
  rutMeshModel model = finish(builder);
  const double placed[3] = {10, 2, 1};
  for (int k = 0; k < 3; k++) assert_near(model.point[0][k], placed[k], 1e-12);
  // two boxes of 3 x 8 m3, and two half as long
  assert_int_equal(open_edges(&model), 0);
  assert_near(volume(&model), 2 * 24 + 2 * 3, 1e-9);
  // the mirror image of the first corner (0, 1, 0) of the box is (0, -1, 0)
  assert_near(model.point[1][0], 10 - 2, 1e-12);
  assert_near(model.point[9 + 1][0], 10 + 2, 1e-12);
  assert_near(model.point[18 + 1][0], 0.5 * (10 - 2), 1e-12);
  assert_near(model.point[18 + 1][2], 7, 1e-12);
  rut_mesh_model_free(&model);

  rut_mesh_vertex(builder, 1, 2, 3);
  const rutMeshMark second = rut_mesh_mark(builder);
  rut_mesh_vertex(builder, 1, 2, 3);
  rut_mesh_move(builder, second, pose, 2);
  model = finish(builder);
  const double moved[2][3] = {{1, 2, 3}, {10 - 4, 2, 6}};
  for (int k = 0; k < 6; k++) assert_near(model.point[k / 3][k % 3], moved[k / 3][k % 3], 1e-12);
  rut_mesh_model_free(&model);
  rut_mesh_builder_free(builder);
}

static void test_materials(void** state) {
  (void)state;
  rutMeshBuilder* builder = builder_new();
  const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, red[3] = {0.6, 0.3, 0};
  rut_mesh_box(builder, low, high);
  rut_mesh_colour(builder, red, 0.5, 0.1);
  rut_mesh_box(builder, low, high);
  rut_mesh_transmission(builder, 0.75);
  rut_mesh_box(builder, low, high);
  rut_mesh_preset(builder, "concrete");  // that of the first again
  rut_mesh_box(builder, low, high);
  rutMeshModel model = finish(builder);
  assert_int_equal(model.materials, 3);
  const int expected[4] = {0, 1, 2, 0};
  for (int i = 0; i < 48; i++) assert_int_equal(model.material[i], expected[i / 12]);
  assert_near(model.surface[0].colour[0], 0.30, 0);
  assert_near(model.surface[0].reflectance_1550, 0.38, 0);
  assert_near(model.surface[1].reflectance_905, 0.3, 1e-15);
  assert_near(model.transmission[1], 0, 0);
  assert_near(model.transmission[2], 0.75, 0);
  rut_mesh_model_free(&model);
  rut_mesh_builder_free(builder);
}

// Factors on the colour of sand, 0.45 0.38 0.28, and no more than all light.
static void test_tint(void** state) {
  (void)state;
  rutMeshBuilder* builder = builder_new();
  const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
  rut_mesh_preset(builder, "dry_sand");
  rut_mesh_tint(builder, (const double[]){0.5, 1, 9});
  rut_mesh_box(builder, low, high);
  rut_mesh_preset(builder, "dry_sand");
  rut_mesh_box(builder, low, high);
  rutMeshModel model = finish(builder);
  static const double expected[2][3] = {{0.225, 0.38, 1}, {0.45, 0.38, 0.28}};
  assert_int_equal(model.materials, 2);
  for (int i = 0; i < 6; i++) {
    assert_near(model.surface[i / 3].colour[i % 3], expected[i / 3][i % 3], 1e-15);
  }
  assert_near(model.surface[0].reflectance_905, 0.45, 0);
  assert_near(model.surface[0].reflectance_1550, 0.55, 0);
  rut_mesh_model_free(&model);
  rut_mesh_tint(builder, (const double[]){1, -0.1, 1});
  rutError err = {0};
  assert_int_equal(rut_mesh_builder_finish(builder, &model, &err), RUT_ERR_ARGUMENT);
  assert_non_null(strstr(err.message, "a tint is 0 or more"));
  rut_mesh_builder_free(builder);
}

// The builder is refused, with these words, and can be used again afterwards.
static void check_refused(rutMeshBuilder* builder, rutStatus status, const char* words) {
  rutMeshModel model;
  rutError err = {0};
  rut_mesh_box(builder, (const double[]){0, 0, 0}, (const double[]){1, 1, 1});
  assert_int_equal(rut_mesh_builder_finish(builder, &model, &err), status);
  if (!strstr(err.message, words)) fail_msg("'%s' does not say '%s'", err.message, words);
  assert_null(model.point);
  assert_int_equal(model.triangles, 0);
  rut_mesh_box(builder, (const double[]){0, 0, 0}, (const double[]){1, 1, 1});
  check_solid(builder, 1, 1e-15, 2);
}

static void test_refusals(void** state) {
  (void)state;
  rutMeshBuilder* b = builder_new();
  const rutStatus argument = RUT_ERR_ARGUMENT;
  rut_mesh_vertex(b, NAN, 0, 0);
  check_refused(b, argument, "not finite");
  rut_mesh_frame(b, (const double[]){0, 0, 0, 0, INFINITY, 0}, 1);
  check_refused(b, argument, "not finite");
  rut_mesh_frame(b, (const double[]){0, 0, 0, 0, 0, 0}, 0);
  check_refused(b, argument, "scale");
  rut_mesh_triangle(b, 0, 1, 2);
  check_refused(b, argument, "no such point");
  rut_mesh_preset(b, "asfalt");
  check_refused(b, argument, "asfalt");
  rut_mesh_colour(b, (const double[]){0, 0, 2}, 0.5, 0.04);
  check_refused(b, argument, "range");
  rut_mesh_transmission(b, -0.1);
  check_refused(b, argument, "between 0 and 1");
  rut_mesh_box(b, (const double[]){0, 0, 0}, (const double[]){1, 0, 1});
  check_refused(b, argument, "volume");
  rut_mesh_bevelled_box(b, (const double[]){0, 0, 0}, (const double[]){1, 1, 1}, NAN);
  check_refused(b, argument, "bevel");
  rut_mesh_prism(b, 4, (const double[]){0, 0, 1, 1, 1, 0, 0, 1}, 0, 1);  // a bow tie
  check_refused(b, argument, "crosses itself");
  rut_mesh_prism(b, 3, (const double[]){0, 0, 1, 1, 2, 2}, 0, 1);
  check_refused(b, argument, "no area");
  rut_mesh_prism(b, 1001, (const double[]){0}, 0, 1);
  check_refused(b, argument, "1000 corners");
  rut_mesh_turned(b, 2, (const double[]){-1, 0, 1, 1}, 8);
  check_refused(b, argument, "profile");
  rut_mesh_cylinder(b, 1, 1, 2);
  check_refused(b, argument, "sides");
  rut_mesh_tube(b, 2, (const double[]){0, 0, 0, 0, 0, 0}, (const double[]){1, 1}, 8);
  check_refused(b, argument, "apart");
  rut_mesh_loft(b, 2, 2, (const double[12]){0}, RUT_LOFT_CAPS);
  check_refused(b, argument, "loft");
  rut_mesh_sphere(b, 1, 8);
  check_refused(b, argument, "level");
  rut_mesh_mirror(b, (rutMeshMark){1, 0});
  check_refused(b, argument, "mark");
  // the first error is told
  rut_mesh_sphere(b, 1, 8);
  rut_mesh_preset(b, "asfalt");
  check_refused(b, argument, "level");
  rut_mesh_builder_free(b);
}

static void test_limits(void** state) {
  (void)state;
  rutMeshBuilder* builder = builder_new();
  for (int i = 0; i < 25; i++) rut_mesh_sphere(builder, 1, 7);
  check_refused(builder, RUT_ERR_CAPACITY, "at most 4000000 triangles");
  for (int i = 0; i <= 4000000; i++) rut_mesh_vertex(builder, i, 0, 0);
  check_refused(builder, RUT_ERR_CAPACITY, "at most 4000000 points");
  for (int i = 0; i <= 1000; i++) {
    rut_mesh_colour(builder, (const double[]){i / 1000.0, 0, 0}, 0.5, 0.04);
    rut_mesh_box(builder, (const double[]){0, 0, 0}, (const double[]){1, 1, 1});
  }
  check_refused(builder, RUT_ERR_CAPACITY, "at most 1000 materials");
  rut_mesh_builder_free(builder);
}

static void test_out_of_memory(void** state) {
  (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  skip();
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  skip();
#endif
#endif
  const pid_t child = fork();
  if (child == 0) {
    const struct rlimit limit = {48u << 20, 48u << 20};
    setrlimit(RLIMIT_AS, &limit);
    rutMeshBuilder* builder = rut_mesh_builder_new();
    for (int i = 0; i < 20; i++) rut_mesh_sphere(builder, 1, 7);
    rutMeshModel model;
    rutError err = {0};
    const rutStatus status = rut_mesh_builder_finish(builder, &model, &err);
    rut_mesh_builder_free(builder);
    _exit(status == RUT_ERR_MEMORY && model.point == NULL ? 0 : 1 + (int)status);
  }
  int result = -1;
  assert_int_equal(waitpid(child, &result, 0), child);
  assert_true(WIFEXITED(result));
  assert_int_equal(WEXITSTATUS(result), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_boxes),  cmocka_unit_test(test_prisms),
      cmocka_unit_test(test_turned), cmocka_unit_test(test_spheres),
      cmocka_unit_test(test_tubes),  cmocka_unit_test(test_lofts),
      cmocka_unit_test(test_frames), cmocka_unit_test(test_materials),
      cmocka_unit_test(test_tint),   cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_limits), cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
