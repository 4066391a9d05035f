// SPDX-License-Identifier: BSD-3-Clause
//
// Scenes of MAVS: what a file says against the world that rut makes of it, files that are not there
// or not allowed, and all of MAVS's own scenes where they are at hand.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "format/mavs_scene.h"
#include "rut/component.h"
#include "scratch_files.h"

static const double PI = 3.14159265358979323846;

// A cube of 1 m that stands on the origin, and a square of 20 m that rises by 1 m per metre along
// x.
static const char cube[] =
    "v -0.5 -0.5 0\nv 0.5 -0.5 0\nv -0.5 0.5 0\nv 0.5 0.5 0\nv -0.5 -0.5 1\nv 0.5 -0.5 1\n"
    "v -0.5 0.5 1\nv 0.5 0.5 1\nf 1 3 2\nf 2 3 4\nf 5 6 7\nf 6 8 7\nf 1 2 5\nf 2 6 5\nf 3 7 4\n"
    "f 4 7 8\nf 1 5 3\nf 3 5 7\nf 2 4 6\nf 4 8 6\n";
static const char slope[] =
    "v -10 -10 -10\nv 10 -10 10\nv -10 10 -10\nv 10 10 10\nf 1 2 3\nf 3 2 4\n";
static const char flat[] =
    "v -1000 -1000 0.3\nv 1000 -1000 0.3\nv -1000 1000 0.3\nv 1000 1000 0.3\n"
    "f 1 2 3\nf 3 2 4\n";

// Without the library that reads meshes there are none to be had.
#ifdef RUT_HAVE_ASSIMP
#define NEED_MESHES()
#else
#define NEED_MESHES() skip()
#endif

// ---- loading, with findings kept ----

enum { MAX_FINDINGS = 200 };

typedef struct Finding {
  rutLevel level;
  int line;
  char file[300], message[400];
} Finding;

typedef struct Load {
  rutContext* context;
  rutSpec* spec;
  rutStatus status;
  rutError err;
  Finding finding[MAX_FINDINGS];
  int findings, warnings;
} Load;

static void note(const rutDiagnostic* d, void* user) {
  Load* load = user;
  load->warnings += d->level == RUT_WARNING;
  if (load->findings == MAX_FINDINGS) return;
  Finding* f = &load->finding[load->findings++];
  f->level = d->level;
  f->line = d->line;
  snprintf(f->file, sizeof f->file, "%s", d->file);
  snprintf(f->message, sizeof f->message, "%s", d->message);
}

static Load* load_file(const char* path) {
  Load* load = calloc(1, sizeof *load);
  assert_non_null(load);
  rutContextDef def = rut_default_context();
  def.report = note;
  def.user = load;
  assert_int_equal(rut_context_create(&def, &load->context, &load->err), RUT_OK);
  load->status = rut_spec_load(load->context, path, &load->spec, &load->err);
  return load;
}

// A scene beside its meshes.
static Load* load_scene(const char* text) {
  write_file("scenes/s.json", text);
  return load_file(at("scenes/s.json"));
}

static Load* load_well(const char* text) {
  Load* load = load_scene(text);
  if (load->status != RUT_OK) fail_msg("%s", load->err.message);
  return load;
}

static void close_load(Load* load) {
  if (load->status == RUT_OK) rut_spec_destroy(load->spec);
  rut_context_destroy(load->context);
  free(load);
}

static int count_of(const Load* load, const char* text) {
  int n = 0;
  for (int i = 0; i < load->findings; i++) n += strstr(load->finding[i].message, text) != NULL;
  return n;
}

static rutNode node_at(const Load* load, const char* path) {
  const rutNode node = rut_spec_find(load->spec, path);
  if (rut_node_is_null(node)) fail_msg("there is no %s", path);
  return node;
}

static double number(const Load* load, const char* path, const char* field) {
  return rut_node_number(load->spec, node_at(load, path), field);
}

static double part(const Load* load, const char* path, const char* field, int i) {
  int n = 0;
  const double* value = rut_node_numbers(load->spec, node_at(load, path), field, &n);
  return i < n ? value[i] : NAN;
}

static const char* text_of(const Load* load, const char* path, const char* field) {
  return rut_node_text(load->spec, node_at(load, path), field);
}

static int count_nodes(const Load* load, const char* kind) {
  int n = 0;
  for (rutNode node = rut_node_first(load->spec, rut_spec_root(load->spec), kind);
       !rut_node_is_null(node); node = rut_node_next(load->spec, node, kind)) {
    n++;
  }
  return n;
}

// Heights of the compiled ground.
static void heights(Load* load, int n, const double* x, const double* y, double* z) {
  rutModel* model = NULL;
  if (rut_compile(load->spec, &model, &load->err) != RUT_OK) fail_msg("%s", load->err.message);
  rutData* data = rut_data_create(model);
  double below[16], slope_x[16], slope_y[16];
  for (int i = 0; i < n; i++) below[i] = 1e6;
  const rutGroundPoints points = {n, x, y};
  const rutGroundSurface out = {z, slope_x, slope_y};
  rut_terrain_surface(model, data, &points, below, &out);
  rut_data_destroy(data);
  rut_model_destroy(model);
}

static int make_folder(void** state) {
  (void)state;
  make_scratch_folder(folder);
  char command[300];
  snprintf(command, sizeof command, "mkdir -p '%s/scenes/meshes' '%s/waypoints'", folder, folder);
  assert_int_equal(system(command), 0);
  write_file("scenes/meshes/cube.obj", cube);
  write_file("scenes/meshes/slope.obj", slope);
  write_file("scenes/meshes/flat.obj", flat);
  write_file(
      "scenes/meshes/labels.json",
      "{\"Labels\": [[\"cube.obj\", \"obstacle\"], [\"pine_tree.obj\", \"high vegetation\"]]}");
  return 0;
}

// ---- poses ----

// Split into stretch, yaw, pitch, roll, a pose moves a point as the scene's own numbers do: axes
// exchanged, scaled, turned about x, y and z.
static void test_pose_split(void** state) {
  (void)state;
  uint64_t seed = 1;
  for (int round = 0; round < 400; round++) {
    double u[10];
    for (int i = 0; i < 10; i++) {
      seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      u[i] = (double)(seed >> 11) / (double)(UINT64_C(1) << 53);
    }
    rutMavsPose pose = {.angle = {6 * u[0] - 3, 3 * u[1] - 1.5, 6 * u[2] - 3},
                        .scale = {0.1 + u[3], 0.1 + 2 * u[4], 0.1 + 3 * u[5]},
                        .y_to_z = u[6] < 0.5,
                        .x_to_y = u[7] < 0.5,
                        .y_to_x = u[8] < 0.5};
    if (round % 10 == 0) pose.angle[1] = PI / 2;
    double p[3] = {u[9], 1 - u[0], u[1] + u[2]};
    double stretch[3], angle[3], q[3];
    rut_mavs_pose_split(&pose, stretch, angle);
    for (int i = 0; i < 3; i++) q[i] = stretch[i] * p[i];
    // mesh.cpp of MAVS
    if (pose.y_to_z) memcpy(p, (double[]){p[0], -p[2], p[1]}, sizeof p);
    if (pose.x_to_y) memcpy(p, (double[]){-p[1], p[0], p[2]}, sizeof p);
    if (pose.y_to_x) memcpy(p, (double[]){p[1], -p[0], p[2]}, sizeof p);
    for (int i = 0; i < 3; i++) p[i] *= pose.scale[i];
    for (int way = 0; way < 2; way++) {
      double* v = way ? q : p;
      const double* a = way ? angle : pose.angle;
      const double c[3] = {cos(a[0]), cos(a[1]), cos(a[2])},
                   s[3] = {sin(a[0]), sin(a[1]), sin(a[2])};
      memcpy(v, (double[]){v[0], c[2] * v[1] - s[2] * v[2], s[2] * v[1] + c[2] * v[2]}, sizeof p);
      memcpy(v, (double[]){c[1] * v[0] + s[1] * v[2], v[1], -s[1] * v[0] + c[1] * v[2]}, sizeof p);
      memcpy(v, (double[]){c[0] * v[0] - s[0] * v[1], s[0] * v[0] + c[0] * v[1], v[2]}, sizeof p);
    }
    for (int i = 0; i < 3; i++) assert_near(q[i], p[i], 1e-12);
  }
}

// ---- ground ----

// The plane z = x, stretched to z = 3 x / 2, turned by 90 degrees to z = 3 y / 2, and moved.
static void test_surface(void** state) {
  (void)state;
  NEED_MESHES();
  Load* load = load_well(
      "{\"Surface Mesh\": [{\"Mesh\": \"slope.obj\", \"YawPitchRoll\": [1.5707963267948966, 0, "
      "0],\n"
      "\"Position\": [100, 50, 7], \"Scale\": [2, 1, 3]}]}");
  assert_int_equal(load->warnings, 0);
  const double x[4] = {100, 93, 109, 120}, y[4] = {50, 56, 33, 50};
  double z[4];
  heights(load, 4, x, y, z);
  for (int i = 0; i < 3; i++) assert_near(z[i], 7 + 1.5 * (y[i] - 50), 1e-9);
  assert_true(isnan(z[3]));
  close_load(load);
}

// A surface whose y axis is up.
static void test_surface_with_y_up(void** state) {
  (void)state;
  NEED_MESHES();
  write_file("scenes/meshes/up.obj",
             "v -10 -5 -10\nv 10 5 -10\nv -10 -5 10\nv 10 5 10\n"
             "f 1 2 3\nf 3 2 4\n");
  Load* load = load_well("{\"Surface Mesh\": [{\"Mesh\": \"up.obj\", \"Rotate Y to Z\": true}]}");
  const double x[2] = {4, -8}, y[2] = {3, 9};
  double z[2];
  heights(load, 2, x, y, z);
  assert_near(z[0], 2, 1e-9);
  assert_near(z[1], -4, 1e-9);
  close_load(load);
}

static void test_level_surfaces(void** state) {
  (void)state;
  NEED_MESHES();
  // endless, at 3 mm
  Load* load = load_well(
      "{\"Surface Mesh\": [{\"Mesh\": \"flat.obj\", \"Scale\": [2, 2, 0.01]}],\n"
      "\"Objects\": [{\"Mesh\": \"flat.obj\", \"Instances\": [{\"Position\": [0, 0, 0]}]}]}");
  assert_int_equal(count_nodes(load, "elevation_map") + count_nodes(load, "plane"), 0);
  assert_int_equal(count_nodes(load, "visual"), 0);
  assert_int_equal(load->warnings, 0);
  close_load(load);
  load = load_well(
      "{\"Surface Mesh\": [{\"Mesh\": \"flat.obj\", \"Scale\": [0.05, 0.1, 2]},\n"
      "{\"Mesh\": \"slope.obj\", \"Position\": [200, 0, 0]}]}");
  assert_int_equal(count_nodes(load, "plane"), 1);
  assert_int_equal(count_nodes(load, "elevation_map"), 1);
  assert_near(number(load, "plane", "x_max"), 50, 1e-12);
  assert_near(number(load, "plane", "y_min"), -100, 1e-12);
  assert_near(number(load, "plane", "z"), 0.6, 1e-7);
  close_load(load);
}

// heightmap.cpp: height (grey - 128) Scale at (column - w/2, row - h/2) Resolution, rows from the
// top of the picture.
static void test_height_map(void** state) {
  (void)state;
  write_file("scenes/meshes/map.pgm",
             "P2\n4 3\n255\n128 130 132 134\n148 128 128 128\n0 255 128 8\n");
  Load* load = load_well(
      "{\"Layered Surface\": {\"Heightmap\": {\"Map\": \"map.pgm\",\n"
      "\"Resolution\": 10.0, \"Scale\": 0.5}}}");
  assert_int_equal(load->warnings, 0);
  const double x[5] = {-20, -10, 10, -20, -10}, y[5] = {-15, -15, -15, -5, 5};
  const double expected[5] = {0, 1, 3, 10, 63.5};
  double z[5];
  heights(load, 5, x, y, z);
  for (int i = 0; i < 5; i++) assert_near(z[i], expected[i], 1e-9);
  close_load(load);
}

static void test_soil_and_potholes(void** state) {
  (void)state;
  NEED_MESHES();
  write_file("scenes/holes.txt", "0.1 1.0 5 6\n0.2 2 -3 4\n");
  Load* load = load_well(
      "{\"Surface Mesh\": [{\"Mesh\": \"flat.obj\", \"Scale\": [2, 2, 0.01], \"Material\": "
      "\"clay\",\n"
      "\"Cone Index\": 150}], \"Layered Surface\": {\"Potholes\": \"holes.txt\"}}");
  // 1 psi is 6894.757 Pa
  assert_near(number(load, "clay", "cone_index"), 150 * 6894.757293168, 1e-3);
  const double x[3] = {5, -3, 5.6}, y[3] = {6, 4, 6};
  double z[3];
  heights(load, 3, x, y, z);
  assert_near(z[0], -0.1, 1e-12);
  assert_near(z[1], -0.2, 1e-12);
  assert_near(z[2], 0, 1e-12);
  close_load(load);
  load = load_well("{\"Surface Mesh\": [{\"Mesh\": \"flat.obj\", \"Material\": \"mud\"}]}");
  assert_int_equal(count_of(load, "not 'mud': the ground is dry and hard"), 1);
  close_load(load);
}

static void test_trail(void** state) {
  (void)state;
  write_file("waypoints/t.vprp",
             "QS VANE REPLAY FILE\nVersion: 1\n@Data\n0.01:-10 0 2:1 0 0 0\n"
             "0.02:20.0 5.0 2.0:1.0 0.0 0.0 0.0\n@END OF REPLAY FILE\n");
  Load* load = load_well(
      "{\"Layered Surface\": {\"Trail\": {\"Trail Width\": 2.5, \"Path\": [\"waypoints/t.vprp\",\n"
      "\"waypoints/no.vprp\"]}}}");
  assert_int_equal(count_nodes(load, "road"), 1);
  assert_near(number(load, "road", "width"), 2.5, 0);
  assert_near(part(load, "road", "points", 2), 20, 0);
  assert_int_equal(load->warnings, 1);
  assert_int_equal(count_of(load, "'waypoints/no.vprp' is not there: there is no trail"), 1);
  assert_int_equal(load->finding[0].line, 2);
  close_load(load);
}

// ---- objects ----

static void test_instances(void** state) {
  (void)state;
  NEED_MESHES();
  Load* load = load_well(
      "{\"Object Labels\": \"labels.json\", \"Objects\": [{\"Mesh\": \"cube.obj\", \"Instances\": "
      "[\n"
      "{\"YawPitchRoll\": [0.3, 0, 0], \"Position\": [1, 2, 3], \"Scale\": [4, 2, 5]},\n"
      "{\"YawPitchRoll\": [0, 1.5707963267948966, 0], \"Position\": [9, 0, 0], \"Scale\": [4, 2, "
      "5]}\n"
      "]}]}");
  assert_int_equal(load->warnings, 0);
  assert_int_equal(count_nodes(load, "block"), 2);
  assert_near(part(load, "block[0]", "position", 2), 3, 0);
  assert_near(number(load, "block[0]", "yaw"), 0.3, 0);
  assert_near(number(load, "block[0]", "z_max"), 5, 1e-12);
  for (int i = 0; i < 4; i++) {
    assert_near(fabs(part(load, "block[0]", "outline", 2 * i)), 2, 1e-12);
    assert_near(fabs(part(load, "block[0]", "outline", 2 * i + 1)), 1, 1e-12);
  }
  assert_near(part(load, "block[0]/visual", "stretch", 2), 5, 0);
  assert_string_equal(text_of(load, "block[0]/material", "class"), "obstacle");
  // pitched by a quarter turn its upright axis lies along x: 5 long, 4 high about the origin
  assert_near(number(load, "block[1]", "z_min"), -2, 1e-9);
  assert_near(number(load, "block[1]", "z_max"), 2, 1e-9);
  double most = 0;
  for (int i = 0; i < 4; i++) most = fmax(most, part(load, "block[1]", "outline", 2 * i));
  assert_near(most, 5, 1e-9);
  rutModel* model = NULL;
  assert_int_equal(rut_compile(load->spec, &model, &load->err), RUT_OK);
  rut_model_destroy(model);
  close_load(load);
}

static void test_random_places(void** state) {
  (void)state;
  Load* load = load_well(
      "{\"Objects\": [{\"Mesh\": \"misc/cylinder.obj\", \"Random\": {\"Offset\": [1, 2, -0.2],\n"
      "\"Number\": 70, \"Polygon\": [[-35, -50], [-35, 50], [35, 50], [35, -50]],\n"
      "\"Minimum Spacing\": 5.0, \"Scale\": [1.5, 2.5]}}]}");
  assert_int_equal(load->warnings, 1);
  assert_int_equal(count_of(load, "'misc/cylinder.obj' is not there: a cylinder stands in"), 1);
  assert_near(number(load, "scenery", "number"), 70, 0);
  assert_near(number(load, "scenery", "spacing"), 5, 0);
  assert_near(part(load, "scenery", "size", 1), 2.5, 0);
  assert_near(part(load, "scenery", "area", 0), -34, 0);
  assert_near(part(load, "scenery", "area", 3), 52, 0);
  assert_near(number(load, "scenery", "length"), 1, 0);
  // at the middle size the underside is at the offset
  assert_near(number(load, "scenery", "bottom") * 2, -0.2, 1e-12);
  rutModel* model = NULL;
  assert_int_equal(rut_compile(load->spec, &model, &load->err), RUT_OK);
  rutSceneryInfo info;
  int n = 0;
  while (rut_scenery_info(model, n, &info)) n++;
  assert_int_equal(n, 70);
  rut_model_destroy(model);
  close_load(load);
}

static void test_plants(void** state) {
  (void)state;
  write_file("scenes/plants.json",
             "{\"veg_models\": [{\"mesh\": \"pine_tree.obj\", \"height\": 12,\n"
             "\"diameter\": 0.5}]}");
  Load* load = load_well(
      "{\"Object Labels\": \"labels.json\", \"VegOverrideFile\": \"plants.json\", \"Objects\": [\n"
      "{\"Mesh\": \"pine_tree.obj\", \"Instances\": [{\"Position\": [5, 6, 0], \"Scale\": [1, 1, "
      "0.8]}]},\n"
      "{\"Mesh\": \"x/who_knows.obj\", \"Instances\": [{\"Position\": [9, 9, 1], \"Scale\": [2, 3, "
      "4]}]}]}");
  assert_string_equal(text_of(load, "scenery", "kind"), "conifer");
  assert_near(number(load, "scenery", "height"), 12, 0);
  assert_near(number(load, "scenery", "trunk"), 0.5, 0);
  assert_near(number(load, "scenery/place", "size"), 0.8, 0);
  assert_string_equal(text_of(load, "scenery/material", "class"), "high vegetation");
  // a box of 1 m by the scale
  assert_near(number(load, "block", "z_max"), 4, 0);
  assert_near(fabs(part(load, "block", "outline", 0)), 1, 0);
  close_load(load);
}

// Two zones on 40 x 20 m share it along the line between them.
static void test_zones(void** state) {
  (void)state;
  NEED_MESHES();
  write_file("scenes/meshes/small.obj",
             "v -20 -10 1\nv 20 -10 1\nv -20 10 1\nv 20 10 1\nf 1 2 3\nf 3 2 4\n");
  Load* load = load_well(
      "{\"Surface Mesh\": [{\"Mesh\": \"small.obj\"}], \"Vegetation Distribution\": {\"Species\": "
      "[\n"
      "{\"Name\": \"pine\", \"Mesh\": \"pine_tree.obj\", \"Mesh Height\": 10}], \"Zones\": [\n"
      "{\"Coordinates\": [-10, 0], \"Species\": [{\"Density\": 0.1, \"MinDiam\": 20, \"MaxDiam\": "
      "40}]},\n"
      "{\"Coordinates\": [14, 0], \"Species\": [{\"Density\": 0.2, \"MinDiam\": 10, \"MaxDiam\": "
      "10}]}]}}");
  assert_int_equal(count_nodes(load, "scenery"), 2);
  double high = -1e9, low = 1e9;
  for (int i = 0; i < 4; i++) {
    high = fmax(high, part(load, "scenery[0]", "area", 2 * i));
    low = fmin(low, part(load, "scenery[1]", "area", 2 * i));
  }
  assert_near(high, 2, 1e-9);
  assert_near(low, 2, 1e-9);
  assert_near(number(load, "scenery[1]", "density"), 0.2, 0);
  // MAVS's height of a trunk of 20 cm: (1.3 + 0.6208 20 - 0.00308 400) / 2 = 6.242 m
  assert_near(part(load, "scenery[0]", "size", 0), 0.6242, 1e-9);
  close_load(load);
}

static void test_animations(void** state) {
  (void)state;
  write_file("waypoints/p.json", "{\"Waypoints\": [[0, 0], [3, 4], [3, 9]]}");
  Load* load = load_well(
      "{\"Surface Mesh\": [], \"Animations\": [{\"Path\": \"waypoints/p.json\", \"Speed\": 2},\n"
      "{\"Behavior\": \"straight\", \"Initial Position\": [1, 2, 0], \"Initial Heading\": "
      "1.5707963267948966},\n"
      "{\"Behavior\": \"wander\", \"Initial Position\": [5, 6, 0]},\n"
      "{\"Behavior\": \"crowd\", \"Number\": 9, \"Bounding Box\": [[0, 0], [20, 30]]}]}");
  assert_int_equal(count_nodes(load, "actor"), 2);
  assert_near(number(load, "actor[0]", "speed"), 2, 0);
  assert_near(part(load, "actor[0]", "path", 5), 9, 0);
  assert_near(part(load, "actor[1]", "path", 2), 1, 1e-9);
  assert_near(part(load, "actor[1]", "path", 3), 1002, 1e-9);
  assert_near(part(load, "scenery[0]/place", "position", 1), 6, 0);
  assert_near(number(load, "scenery[1]", "number"), 9, 0);
  assert_int_equal(load->warnings, 2);
  close_load(load);
}

// ---- in a world of rut ----

static void test_include(void** state) {
  (void)state;
  NEED_MESHES();
  write_file("scenes/s.json", "{\"Surface Mesh\": [{\"Mesh\": \"slope.obj\"}]}");
  write_file("waypoints/way.vprp",
             "QS VANE REPLAY FILE\n@Data\n0:0 0 0:1 0 0 0\n1:50 7 0:1 0 0 0\n");
  write_file("w.xml",
             "<world><include file=\"scenes/s.json\"/><actor name=\"a\">\n"
             "<value field=\"path\" file=\"waypoints/way.vprp\"/><scenery type=\"person\"/>"
             "</actor></world>");
  Load* load = load_file(at("w.xml"));
  if (load->status != RUT_OK) fail_msg("%s", load->err.message);
  assert_near(part(load, "a", "path", 2), 50, 0);
  const double x = 3, y = 1;
  double z;
  heights(load, 1, &x, &y, &z);
  assert_near(z, 3, 1e-9);
  close_load(load);
  write_file("w.xml",
             "<world><actor name=\"a\" path=\"0 0, 1 1\"><include "
             "file=\"scenes/s.json\"/></actor></world>");
  load = load_file(at("w.xml"));
  assert_int_not_equal(load->status, RUT_OK);
  assert_int_equal(count_of(load, "a scene is a part of the world"), 1);
  close_load(load);
}

// ---- faults ----

static void test_faults(void** state) {
  (void)state;
  static const struct {
    const char *body, *message;
    int line;
  } bad[] = {
      {"\"Surface Mesh\": 3", "'Surface Mesh' must be", 2},
      {"\"Surface Mesh\": [\n3]", "must be an object, not a number", 3},
      {"\"Surface Mesh\": [{\"Mesh\":\n5}]", "'Mesh' must be", 2},
      {"\"Object Labels\": \"labels.json\",\n\"Objects\": [{\"Mesh\": "
       "\"cube.obj\",\n\"Instances\": "
       "[{\"Scale\": [1, 0, 1]}]}]",
       "leaves nothing", 4},
      {"\"Surface Mesh\": [], \"Objects\": [{\"Mesh\": \"cube.obj\", \"Instances\": "
       "[{\"Position\": "
       "[1, 2]}]}]",
       "a list of 3 numbers", 2},
      {"\"Surface Mesh\": [], \"Objects\": [{\"Mesh\": \"cube.obj\", \"Instances\": "
       "[{\"Position\": "
       "[1e300, 2, 3]}]}]",
       "at most 1e7", 2},
      {"\"Surface Mesh\": [], \"Objects\": [{\"Mesh\": \"cube.obj\", \"Random\": {\"Number\": "
       "-4}}]",
       "'Number' is -4", 2},
      {"\"Surface Mesh\": [], \"Objects\": [{\"Mesh\": \"cube.obj\", \"Random\": {\"Number\": 4, "
       "\"Polygon\": [[0, 0]]}}]",
       "'Polygon' has 1 points", 2},
      {"\"Layered Surface\": {\"Heightmap\": {\"Map\": \"m.bmp\", \"Resolution\": 0}}",
       "'Resolution' is 0", 2},
      {"\"Vegetation Distribution\": {\"Species\": [{}], \"Zones\": [{\"Coordinates\": [0, 0],\n"
       "\"Species\": []}]}",
       "one entry for each of the 1 species", 2},
      {"\"Surface Mesh\": [], \"Animations\": 4", "must be a list", 2},
  };
  for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++) {
    char text[500];
    snprintf(text, sizeof text, "{\n%s}", bad[i].body);
    Load* load = load_scene(text);
    assert_int_not_equal(load->status, RUT_OK);
    const Finding* f = NULL;
    for (int k = load->findings - 1; k >= 0; k--) {
      if (load->finding[k].level == RUT_ERROR) f = &load->finding[k];
    }
    assert_non_null(f);
    if (!strstr(f->message, bad[i].message)) fail_msg("%s: %s", bad[i].body, f->message);
    if (f->line != bad[i].line) fail_msg("%s: line %d", bad[i].body, f->line);
    close_load(load);
  }
}

static void test_unknown_keys(void** state) {
  (void)state;
  NEED_MESHES();
  Load* load = load_well(
      "{\"Surface Mesh\": [],\n\"Object\": [], \"_Notes\": 3,\n\"Objects\": [{\"Mesh\": "
      "\"cube.obj\",\n"
      "\"Colour\": 1, \"Instances\": [{\"YawPitchRoll\": [15.3, 0, 0]}]}, {\"Mesh\": "
      "\"cube.obj\"}]}");
  assert_int_equal(load->warnings, 4);
  assert_int_equal(count_of(load, "'Object' is not used by rut (did you mean 'Objects'?)"), 1);
  assert_int_equal(count_of(load, "'Colour' is not used by rut"), 1);
  assert_int_equal(count_of(load, "the angle 15.3 is taken as radians"), 1);
  assert_int_equal(count_of(load, "no 'Instances' and no 'Random'"), 1);
  assert_int_equal(load->finding[0].line, 2);
  close_load(load);
}

// Files outside of the scene's folder are there, and refused.
static void test_refused(void** state) {
  (void)state;
  write_file("outside.obj", cube);
  write_file("outside.vprp", "QS VANE REPLAY FILE\n@Data\n0:0 0 0:1 0 0 0\n");
  static const char* const body[] = {
      "\"Surface Mesh\": [{\"Mesh\": \"../../outside.obj\"}]",
      "\"Surface Mesh\": [{\"Mesh\": \"..\\\\..\\\\outside.obj\"}]",
      ("\"Surface Mesh\": [], \"PathToMeshes\": \"..\", \"Objects\": [{\"Mesh\": \"outside.obj\", "
       "\"Instances\": [{}]}]"),
      "\"Layered Surface\": {\"Heightmap\": {\"Map\": \"/etc/passwd\"}}",
      "\"Layered Surface\": {\"Trail\": {\"Path\": \"outside.vprp\"}}",
      "\"Layered Surface\": {\"Potholes\": \"../../../../../../../../etc/passwd\"}",
      "\"Object Labels\": \"/etc/passwd\"",
      "\"Surface Mesh\": [], \"Animations\": \"/etc/passwd\""};
  for (int i = 0; i < (int)(sizeof body / sizeof body[0]); i++) {
    char text[300];
    snprintf(text, sizeof text, "{%s}", body[i]);
    Load* load = load_scene(text);
    assert_int_not_equal(load->status, RUT_OK);
    assert_int_equal(count_of(load, "root:"), 0);
    close_load(load);
  }
}

// ---- MAVS's own scenes ----

static void test_own_scenes(void** state) {
  (void)state;
  static const struct {
    const char* name;
    int scenery, blocks;
  } scene[] = {{"brick_scene", 0, 1},    {"cube_scene", 1, 0},   {"empty_field", 0, 0},
               {"obstacle_field", 1, 0}, {"surface_only", 0, 0}, {"heightmap_example_scene", 0, 0}};
  for (int i = 0; i < (int)(sizeof scene / sizeof scene[0]); i++) {
    char path[600];
    snprintf(path, sizeof path, "%s/data/mavs/scenes/%s.json", RUT_SHARED_DIR, scene[i].name);
    FILE* file = fopen(path, "r");
    if (!file) {
      print_message("MAVS's scenes are not at hand\n");
      skip();
    }
    fclose(file);
    Load* load = load_file(path);
    if (load->status != RUT_OK) fail_msg("%s: %s", path, load->err.message);
    // its meshes are not there: warnings with their places, and nothing else
    assert_int_equal(count_of(load, "is not there"), load->findings);
    for (int k = 0; k < load->findings; k++) assert_true(load->finding[k].line > 0);
    assert_int_equal(count_nodes(load, "scenery"), scene[i].scenery);
    assert_int_equal(count_nodes(load, "block"), scene[i].blocks);
    rutModel* model = NULL;
    if (rut_compile(load->spec, &model, &load->err) != RUT_OK) fail_msg("%s", load->err.message);
    rut_model_destroy(model);
    close_load(load);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pose_split),
      cmocka_unit_test(test_surface),
      cmocka_unit_test(test_surface_with_y_up),
      cmocka_unit_test(test_level_surfaces),
      cmocka_unit_test(test_height_map),
      cmocka_unit_test(test_soil_and_potholes),
      cmocka_unit_test(test_trail),
      cmocka_unit_test(test_instances),
      cmocka_unit_test(test_random_places),
      cmocka_unit_test(test_plants),
      cmocka_unit_test(test_zones),
      cmocka_unit_test(test_animations),
      cmocka_unit_test(test_include),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_unknown_keys),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_own_scenes),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
