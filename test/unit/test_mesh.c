// SPDX-License-Identifier: BSD-3-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "format/mesh.h"
#include "geom/polygon.h"
#include "is_convex.h"
#include "math/rut_math.h"

static rutReporter reporter;

static rutStatus decode(const void* bytes, size_t size, const char* name, rutMesh* mesh) {
  memset(&reporter, 0, sizeof reporter);
  rutMeshTime time = {RUT_MESH_SECONDS};
  return rut_mesh_decode(bytes, size, name, &time, &reporter, mesh);
}

// A square pyramid: base 2 x 2 at z = 0, tip at (0, 0, 2).
static double pyramid_point[] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, 0, 2};
static int pyramid_triangle[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};

static rutMesh pyramid(double* point) {
  memcpy(point, pyramid_point, sizeof pyramid_point);
  return (rutMesh){.points = 5, .triangles = 4, .point = point, .triangle = pyramid_triangle};
}

static void outline_of_a_whole_mesh(void** state) {
  (void)state;
  double point[15];
  rutMesh mesh = pyramid(point);
  rutMeshOutline o;
  const double inf = (double)INFINITY;
  assert_int_equal(rut_mesh_outline(&mesh, -inf, inf, "m", &reporter, &o), RUT_OK);
  assert_int_equal(o.n, 4);
  assert_near(rut_polygon_area(o.n, o.point), 4, 1e-15);
  assert_near(o.z_min, 0, 0);
  assert_near(o.z_max, 2, 0);
}

// At height z the pyramid is a square of side 2 - z.
static void outline_of_a_slice(void** state) {
  (void)state;
  double point[15];
  rutMesh mesh = pyramid(point);
  rutMeshOutline o;
  assert_int_equal(rut_mesh_outline(&mesh, 0.5, 1, "m", &reporter, &o), RUT_OK);
  assert_int_equal(o.n, 4);
  assert_near(rut_polygon_area(o.n, o.point), 1.5 * 1.5, 1e-15);
  assert_near(o.z_min, 0.5, 0);
  assert_near(o.z_max, 1, 0);
  assert_int_equal(rut_mesh_outline(&mesh, 3, 4, "m", &reporter, &o), RUT_OK);
  assert_int_equal(o.n, 0);
}

static void outline_of_many_points(void** state) {
  (void)state;
  // a circle of radius 3 in 20000 points: at most 16 corners, on the circle
  enum { N = 20000 };
  double* point = malloc(3 * N * sizeof *point);
  for (int i = 0; i < N; i++) {
    point[3 * i] = 3 * rut_cos(2 * RUT_PI * i / N);
    point[3 * i + 1] = 3 * rut_sin(2 * RUT_PI * i / N);
    point[3 * i + 2] = i % 2;
  }
  rutMesh mesh = {.points = N, .point = point};
  rutMeshOutline o;
  assert_int_equal(rut_mesh_outline(&mesh, -1, 2, "m", &reporter, &o), RUT_OK);
  assert_int_equal(o.n, RUT_OUTLINE_MAX);
  assert_true(is_convex(o.n, o.point));
  // a regular 16-gon has 97.4 % of the circle
  assert_true(rut_polygon_area(o.n, o.point) > 0.95 * 9 * RUT_PI);
  free(point);
}

static void bad_points_are_left_out(void** state) {
  (void)state;
  double point[15];
  rutMesh mesh = pyramid(point);
  point[14] = (double)NAN;
  rutMeshOutline o;
  assert_int_equal(rut_mesh_outline(&mesh, -1, 9, "m", &reporter, &o), RUT_OK);
  assert_int_equal(o.n, 4);
  assert_near(o.z_max, 0, 0);
}

// R = Rz(yaw) Ry(pitch) Rx(roll), applied after the scale.
static void poses(void** state) {
  (void)state;
  double point[3] = {1, 2, 3};
  rutMesh mesh = {.points = 1, .point = point};
  rut_mesh_transform(&mesh, (rutMeshPose){.scale = 2, .offset = {10, 20, 30}, .roll = RUT_PI / 2});
  assert_near(point[0], 12, 1e-14);
  assert_near(point[1], 20 - 6, 1e-14);
  assert_near(point[2], 30 + 4, 1e-14);
  double again[3] = {1, 2, 3};
  mesh.point = again;
  rutMeshPose pose = {.scale = 1, .yaw = RUT_PI / 2, .pitch = RUT_PI / 2};
  rut_mesh_transform(&mesh, pose);
  // pitch: (z, y, -x), then yaw: (-y, z, -x)
  assert_near(again[0], -2, 1e-14);
  assert_near(again[1], 3, 1e-14);
  assert_near(again[2], -1, 1e-14);
}

#ifdef RUT_HAVE_ASSIMP

static void reads_obj(void** state) {
  (void)state;
  const char* text =
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 2\n"
      "f 1 2 3 4\nl 1 5\n";
  rutMesh mesh;
  assert_int_equal(decode(text, strlen(text), "a.OBJ", &mesh), RUT_OK);
  assert_int_equal(mesh.triangles, 2);
  assert_int_equal(mesh.lines, 1);
  rutMeshOutline o;
  assert_int_equal(rut_mesh_outline(&mesh, -1, 3, "a.OBJ", &reporter, &o), RUT_OK);
  assert_near(rut_polygon_area(o.n, o.point), 1, 1e-7);
  assert_near(o.z_max, 2, 1e-7);
  rut_mesh_free(&mesh);
}

// A triangle of a Collada file with this up_axis; its corner with x = 1 m goes to point.
static void read_corner(const char* up_axis, double point[3]) {
  char text[2000];
  snprintf(text, sizeof text,
           "<?xml version='1.0'?>"
           "<COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' version='1.4.1'><asset>"
           "<unit name='centimeter' meter='0.01'/><up_axis>%s</up_axis></asset>"
           "<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' "
           "count='9'>0 0 0 100 200 300 0 100 0</float_array><technique_common><accessor "
           "source='#a' count='3' stride='3'><param name='X' type='float'/><param name='Y' "
           "type='float'/><param name='Z' type='float'/></accessor></technique_common></source>"
           "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles "
           "count='1'><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles>"
           "</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id='s'>"
           "<node id='n'><instance_geometry url='#g'/></node></visual_scene>"
           "</library_visual_scenes><scene><instance_visual_scene url='#s'/></scene></COLLADA>",
           up_axis);
  rutMesh mesh;
  assert_int_equal(decode(text, strlen(text), "a.dae", &mesh), RUT_OK);
  int found = 0;
  for (int i = 0; i < mesh.points; i++) {
    if (rut_abs(mesh.point[3 * i] - 1) > 1e-6) continue;
    memcpy(point, mesh.point + 3 * i, 3 * sizeof *point);
    found++;
  }
  assert_int_equal(found, 1);
  rut_mesh_free(&mesh);
}

// Collada files are turned until y is up, as assimp documents and MVSim's worlds expect: one with
// z up stands again after roll = 90 deg.
static void up_axis_of_collada(void** state) {
  (void)state;
  double point[3];
  read_corner("Y_UP", point);
  for (int k = 0; k < 3; k++) assert_near(point[k], k + 1, 1e-6);
  read_corner("Z_UP", point);
  assert_near(point[1], 3, 1e-6);
  assert_near(point[2], -2, 1e-6);
  rutMesh mesh = {.points = 1, .point = point};
  rut_mesh_transform(&mesh, (rutMeshPose){.scale = 1, .roll = RUT_PI / 2});
  for (int k = 0; k < 3; k++) assert_near(point[k], k + 1, 1e-6);
}

static void expect_error(const char* bytes, const char* name, rutStatus status) {
  rutMesh mesh;
  assert_int_equal(decode(bytes, strlen(bytes), name, &mesh), status);
  assert_null(mesh.point);
  assert_string_equal(reporter.first.file, name);
}

static void bad_meshes_are_errors(void** state) {
  (void)state;
  expect_error("hello", "a.txt", RUT_ERR_PARSE);
  expect_error("hello", "mesh", RUT_ERR_PARSE);
  expect_error("", "a.obj", RUT_ERR_CAPACITY);
  expect_error("<COLLADA>", "a.dae", RUT_ERR_PARSE);
  expect_error("ply\nelement vertex 4000000000\n", "a.ply", RUT_ERR_PARSE);
  expect_error("solid a\nfacet", "a.stl", RUT_ERR_PARSE);
}

// What the helper would need a second for is stopped, and the time of a world is used up.
static void time_is_bounded(void** state) {
  (void)state;
  enum { FACES = 200000, LINE = 8 };
  static const char corners[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const size_t head = sizeof corners - 1, size = head + (size_t)FACES * LINE;
  char* text = malloc(size + 1);
  memcpy(text, corners, head);
  for (size_t i = 0; i < FACES; i++) memcpy(text + head + LINE * i, "f 1 2 3\n", LINE);
  memset(&reporter, 0, sizeof reporter);
  rutMeshTime time = {0.02};
  rutMesh mesh;
  assert_int_equal(rut_mesh_decode(text, size, "a.obj", &time, &reporter, &mesh), RUT_ERR_CAPACITY);
  assert_non_null(strstr(reporter.first.message, "takes too long"));
  assert_true(time.left <= 0);
  memset(&reporter, 0, sizeof reporter);
  assert_int_equal(rut_mesh_decode(text, size, "b.obj", &time, &reporter, &mesh), RUT_ERR_CAPACITY);
  assert_non_null(strstr(reporter.first.message, "meshes of this world take too long"));
  assert_int_equal(decode(text, size, "a.obj", &mesh), RUT_OK);
  assert_int_equal(mesh.triangles, FACES);
  rut_mesh_free(&mesh);
  free(text);
}

static bool load(const char* path, rutMesh* mesh) {
  FILE* file = fopen(path, "rb");
  if (!file) return false;
  char* bytes = malloc(1 << 20);
  size_t size = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  assert_int_equal(decode(bytes, size, path, mesh), RUT_OK);
  free(bytes);
  return true;
}

// Clearpath's data sheet: the Jackal's body is 508 mm long and 430 mm wide over its wheels.
static void the_jackal(void** state) {
  (void)state;
  rutMesh mesh;
  if (!load(RUT_SHARED_DIR "/data/mvsim/worlds/models/jackal_description/jackal.dae", &mesh)) {
    print_message("no shared data, skipped\n");
    skip();
  }
  rut_mesh_transform(&mesh, (rutMeshPose){.scale = 1, .roll = RUT_PI / 2});
  rutMeshOutline o;
  assert_int_equal(rut_mesh_outline(&mesh, 0.05, 1, "jackal.dae", &reporter, &o), RUT_OK);
  double box[4];
  rut_polygon_bounds(o.n, o.point, box);
  assert_near(box[2] - box[0], 0.5, 0.05);
  assert_near(box[3] - box[1], 0.43, 0.05);
  assert_near(box[0] + box[2], 0, 0.05);
  assert_near(box[1] + box[3], 0, 0.02);
  rut_mesh_free(&mesh);
}

// The file lists seven lines between (-4, 0) and (16, 4).
static void walls_are_lines(void** state) {
  (void)state;
  rutMesh mesh;
  if (!load(RUT_SHARED_DIR "/data/mvsim/worlds/mvsim_tutorial/testWalls.dae", &mesh)) skip();
  assert_int_equal(mesh.lines, 7);
  assert_int_equal(mesh.triangles, 0);
  double length = 0;
  for (int i = 0; i < 7; i++) {
    const double* a = mesh.point + 3 * mesh.line[2 * i];
    const double* b = mesh.point + 3 * mesh.line[2 * i + 1];
    length += rut_hypot(b[0] - a[0], b[1] - a[1]);
  }
  // (-4,0)-(16,0), (-4,4)-(-1.4,4), and five of 4 m from (x, 0) to (x, 4)
  assert_near(length, 20 + 2.6 + 5 * 4, 1e-5);
  rut_mesh_free(&mesh);
}

#else

static void needs_assimp(void** state) {
  (void)state;
  rutMesh mesh;
  assert_int_equal(decode("v", 1, "a.obj", &mesh), RUT_ERR_MISSING);
  assert_non_null(strstr(reporter.first.message, "libassimp-dev"));
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(outline_of_a_whole_mesh),
      cmocka_unit_test(outline_of_a_slice),
      cmocka_unit_test(outline_of_many_points),
      cmocka_unit_test(bad_points_are_left_out),
      cmocka_unit_test(poses),
#ifdef RUT_HAVE_ASSIMP
      cmocka_unit_test(reads_obj),
      cmocka_unit_test(up_axis_of_collada),
      cmocka_unit_test(bad_meshes_are_errors),
      cmocka_unit_test(time_is_bounded),
      cmocka_unit_test(the_jackal),
      cmocka_unit_test(walls_are_lines),
#else
      cmocka_unit_test(needs_assimp),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
