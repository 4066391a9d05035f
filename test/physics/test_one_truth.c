// SPDX-License-Identifier: BSD-3-Clause
//
// One scene, one truth, through the public interface: depths of cameras, points of lidars, the
// height of the ground and the boxes of vehicles agree, from a tilted place in the world and from a
// vehicle that drives and looks back at the ruts it makes.
#define _DEFAULT_SOURCE
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
#include "rut/rut.h"

enum { NX = 81, NY = 51, STEPS = 700, MOMENTS = 4 };
#define SPACING 0.8
#define LOW_X   (-32.0)
#define LOW_Y   (-20.0)

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
} World;

static double height_of_node(int i, int j) {
  const double x = LOW_X + i * SPACING, y = LOW_Y + j * SPACING;
  return 0.7 * sin(0.13 * x + 0.4) * cos(0.15 * y) + 0.3 * sin(0.41 * y - 0.2 * x);
}

// Level middle rows of fisheyes have one angle from pixel to pixel, as lidars have.
#define SENSORS(place)                                                                           \
  "<sensor type='camera' name='camera' period='0.7' width='240' height='180' fov='80 deg' "      \
  "render='false' max_range='60' " place                                                         \
  "/>"                                                                                           \
  "<sensor type='lidar' name='lidar' period='0.7' channels='24' columns='301' fov='70 deg' "     \
  "elevation_first='-25 deg' elevation_last='20 deg' rated_range='0' rolling='false' "           \
  "min_range='0' max_range='60' " place                                                          \
  "/>"                                                                                           \
  "<sensor type='camera' name='fisheye' period='0.7' width='141' height='3' lens='equidistant' " \
  "fov='70.5 deg' render='false' max_range='60' " place                                          \
  "/>"                                                                                           \
  "<sensor type='lidar' name='plane' period='0.7' channels='1' columns='141' fov='70 deg' "      \
  "elevation_first='0' elevation_last='0' rated_range='0' rolling='false' clockwise='false' "    \
  "min_range='0' max_range='60' " place "/>"

static void write_world(FILE* out) {
  fprintf(out,
          "<world timestep='1 ms' noise='none' soil='loam'><soil type='bekker' name='loam' "
          "preset='rubicon_sandy_loam'/><deformable cell='5 cm'/>"
          "<elevation_map resolution='%g' corner='%g %g'><value field='matrix'>[",
          SPACING, LOW_X, LOW_Y);
  for (int i = 0; i < NX; i++) {
    for (int j = 0; j < NY; j++) fprintf(out, "%.17g ", height_of_node(i, j));
    fputs(i + 1 < NX ? ";" : "]", out);
  }
  fputs(
      "</value></elevation_map>"
      "<block name='crate' position='-4 5' yaw='0.3' shape='box' size='1 2 1.6' "
      "fixed='true'/>" SENSORS("x='-18' y='-8' z='4.5' yaw='50 deg' pitch='18 deg' roll='14 deg'"),
      out);
  fputs(
      "<vehicle name='scout' class='4x4' position='-20 0' max_steer='32 deg'>"
      "<chassis mass='2090 kg' com='0.12 0 0.85 m' z_min='0.45 m' z_max='1.75 m' "
      "outline='-2.1 -0.9, 2.3 -0.9, 2.3 0.9, -2.1 0.9'/>"
      "<suspension type='slider' stiffness='80 kN/m' damping='8 kN s/m' bump_travel='0.18 m' "
      "rebound_travel='0.15 m'/>"
      "<tyre type='linear' stiffness='320 kN/m' damping='1 kN s/m' crossover='5 deg'/>"
      "<axle x='1.53 m' track='1.6 m' radius='0.47 m' width='0.3 m' section_height='0.2 m' "
      "wheel_mass='62 kg' max_steer='32 deg' brake='3.2 kN m'/>"
      "<axle x='-1.28 m' track='1.6 m' radius='0.47 m' width='0.3 m' section_height='0.2 m' "
      "wheel_mass='62 kg' brake='3.2 kN m'/>"
      "<drive type='open'/><controller type='p_gravity' speed='4' steer='9 deg' speed_gain='2' "
      "brake_force='25 kN'/>" SENSORS(
          "x='-2' z='2.2' yaw='170 deg' pitch='30 deg' roll='-8 deg'") "</vehicle></world>",
      out);
}

static World open_world(void) {
  World w = {0};
  rutError err = {0};
  rutSpec* spec = NULL;
  char* text = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  assert_non_null(out);
  write_world(out);
  fclose(out);
  assert_int_equal(rut_context_create(NULL, &w.context, &err), RUT_OK);
  rutStatus status = rut_spec_parse(w.context, text, size, "truth.xml", &spec, &err);
  if (status == RUT_OK) status = rut_compile(spec, &w.model, &err);
  if (status != RUT_OK) fail_msg("%s: %s", err.element, err.message);
  w.data = rut_data_create(w.model);
  rut_spec_destroy(spec);
  free(text);
  return w;
}

// ---- one sensor ----

typedef struct Sensor {
  const World* world;
  int index;
  double at[3], axes[9];  // columns: ahead, left, up
} Sensor;

// Sensor of a name, on a vehicle (0) or in the world (-1), now that it has just taken a sample.
static Sensor find_sensor(const World* w, const char* name, int vehicle) {
  Sensor s = {.world = w, .index = -1};
  for (int i = 0; i < rut_count(w->model, RUT_SENSOR); i++) {
    const rutSensorInfo info = rut_sensor_info(w->model, i);
    const char* slash = strchr(info.name, '/');
    const char* own = slash ? slash + 1 : info.name;
    if (info.vehicle == vehicle && strcmp(own, name) == 0) s.index = i;
  }
  assert_true(s.index >= 0);
  double pose[6], stamp;
  rut_sensor_pose(w->model, w->data, s.index, pose);
  assert_non_null(rut_sensor_output(w->model, w->data, s.index, 0, &stamp));
  assert_near(stamp, rut_time(w->data), 1e-9);
  const double cr = cos(pose[3]), sr = sin(pose[3]), cp = cos(pose[4]), sp = sin(pose[4]),
               cy = cos(pose[5]), sy = sin(pose[5]);
  const double axes[9] = {cy * cp,
                          cy * sp * sr - sy * cr,
                          cy * sp * cr + sy * sr,
                          sy * cp,
                          sy * sp * sr + cy * cr,
                          sy * sp * cr - cy * sr,
                          -sp,
                          cp * sr,
                          cp * cr};
  memcpy(s.at, pose, sizeof s.at);
  memcpy(s.axes, axes, sizeof axes);
  return s;
}

static void to_world(const Sensor* s, const double p[3], double out[3]) {
  for (int i = 0; i < 3; i++) {
    const double* r = s->axes + 3 * i;
    out[i] = s->at[i] + r[0] * p[0] + r[1] * p[1] + r[2] * p[2];
  }
}

// An output of its sample; the caller frees it.
static double* read_output(const Sensor* s, const char* name, int* count) {
  const rutModel* model = s->world->model;
  const int outputs = rut_variables(model, RUT_SENSOR, s->index, RUT_OUTPUT);
  int i = 0;
  while (i < outputs &&
         strcmp(rut_variable(model, RUT_SENSOR, s->index, RUT_OUTPUT, i).name, name) != 0) {
    i++;
  }
  assert_true(i < outputs);
  *count = rut_variable(model, RUT_SENSOR, s->index, RUT_OUTPUT, i).count;
  double* value = malloc((size_t)*count * sizeof *value);
  assert_non_null(value);
  const rutVariableRange range = {RUT_SENSOR, s->index, RUT_OUTPUT, i, 1};
  assert_int_equal(rut_variables_read(model, s->world->data, &range, *count, value), RUT_OK);
  return value;
}

typedef struct Image {
  Sensor camera;
  rutCameraGeometry g;
  int pixels;
  double *depth, *instance;
} Image;

static Image read_image(const World* w, const char* name, int vehicle) {
  Image image = {.camera = find_sensor(w, name, vehicle)};
  assert_true(rut_camera_geometry(w->model, image.camera.index, &image.g));
  image.depth = read_output(&image.camera, "depth", &image.pixels);
  image.instance = read_output(&image.camera, "instance", &image.pixels);
  return image;
}

static void free_image(Image* image) {
  free(image->depth);
  free(image->instance);
}

// ---- what they see ----

enum { GROUND, SCOUT, OTHER };
static int kind_of(const World* w, int instance) {
  rutInstanceInfo info;
  assert_true(rut_instance_info(w->model, instance, &info));
  if (strcmp(info.kind, "elevation_map") == 0) return GROUND;
  return strcmp(info.kind, "vehicle") == 0 ? SCOUT : OTHER;
}

// Height of the map as it was, by hand.
static double height_before(double x, double y) {
  const double u = (x - LOW_X) / SPACING, v = (y - LOW_Y) / SPACING;
  const int i = (int)u, j = (int)v;
  const double s = u - i, t = v - j;
  return (1 - s) * (1 - t) * height_of_node(i, j) + s * (1 - t) * height_of_node(i + 1, j) +
         (1 - s) * t * height_of_node(i, j + 1) + s * t * height_of_node(i + 1, j + 1);
}

typedef struct Count {
  int ground, ruts, scout, other, points, compared, edges;
} Count;

// Depths and ranges are floats, the hit of a rut is found within 1e-9 m.
#define ROUNDING 4e-6
// Depth at which a rut shows [m].
#define RUT 0.01

static void check_ground(const World* w, const double p[3], Count* count) {
  const double height = rut_terrain_height(w->model, w->data, p[0], p[1], p[2] + 1);
  assert_near(p[2], height, ROUNDING);
  count->ground++;
  count->ruts += height < height_before(p[0], p[1]) - RUT;
}

// In the vehicle's box in space.
static void check_scout(const World* w, int instance, const double p[3], Count* count) {
  rutInstanceBox box;
  assert_true(rut_instance_box(w->model, w->data, instance, &box));
  const double* q = box.quaternion;
  const double axes[9] = {1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                          2 * (q[1] * q[3] + q[0] * q[2]),     2 * (q[1] * q[2] + q[0] * q[3]),
                          1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1]),
                          2 * (q[1] * q[3] - q[0] * q[2]),     2 * (q[2] * q[3] + q[0] * q[1]),
                          1 - 2 * (q[1] * q[1] + q[2] * q[2])};
  for (int k = 0; k < 3; k++) {
    double along = 0;
    for (int i = 0; i < 3; i++) along += axes[3 * i + k] * (p[i] - box.centre[i]);
    assert_true(fabs(along) < 0.5 * box.size[k] + ROUNDING);
  }
  count->scout++;
}

// Every pixel lies on what it says that it sees.
static void check_camera(const Image* image, Count* count) {
  const rutCameraGeometry* g = &image->g;
  const World* w = image->camera.world;
  for (int at = 0; at < image->pixels; at++) {
    const double pixel[2] = {at % g->width + 0.5, at / g->width + 0.5};
    const int instance = (int)image->instance[at];
    double d[3], p[3];
    if (instance < 0) continue;
    assert_true(rut_camera_ray(g, pixel, d));
    const double range = image->depth[at] / d[2];
    to_world(&image->camera, (const double[3]){range * d[2], -range * d[0], -range * d[1]}, p);
    const int kind = kind_of(w, instance);
    if (kind == GROUND) check_ground(w, p, count);
    if (kind == SCOUT) check_scout(w, instance, p, count);
    count->other += kind == OTHER;
  }
}

// In the image, the inverse of the depth of a plane is linear: that of a point lies between those
// of the four pixels around it, where these see one thing without an edge in it.
static void check_point(const Image* image, const double own[3], Count* count) {
  const int width = image->g.width;
  const double optical[3] = {-own[1], -own[2], own[0]};
  double pixel[2], p[3], low = 1e9, high = -1e9;
  if (!rut_camera_project(&image->g, optical, pixel)) return;
  const int i = (int)floor(pixel[0] - 0.5), j = (int)floor(pixel[1] - 0.5);
  if (i < 0 || j < 0 || i + 1 >= width || j + 1 >= image->g.height) return;
  const int instance = (int)image->instance[j * width + i];
  for (int k = 0; k < 4; k++) {
    const int at = (j + k / 2) * width + i + k % 2;
    if (instance < 0 || (int)image->instance[at] != instance) return;
    low = fmin(low, 1 / image->depth[at]);
    high = fmax(high, 1 / image->depth[at]);
  }
  // the ground and its ruts curve, and hide parts of themselves; the corner of a vehicle may stand
  // between four pixels that all see the ground
  const double inverse = 1 / optical[2], margin = 0.25 * (high - low) + 1e-6;
  const bool edge = !(inverse > low - margin && inverse < high + margin);
  count->compared++;
  count->edges += edge;
  to_world(&image->camera, own, p);
  const World* w = image->camera.world;
  if (!edge && kind_of(w, instance) == GROUND) check_ground(w, p, count);
}

static void check_lidar(const Sensor* lidar, const Image* image, Count* count) {
  static const char* const axis[3] = {"x", "y", "z"};
  double* at[3];
  int n;
  for (int k = 0; k < 3; k++) at[k] = read_output(lidar, axis[k], &n);
  double* range = read_output(lidar, "range", &n);
  for (int i = 0; i < n; i++) {
    if (!(range[i] > 0)) continue;
    const double own[3] = {at[0][i], at[1][i], at[2][i]};
    assert_near(sqrt(own[0] * own[0] + own[1] * own[1] + own[2] * own[2]), range[i], 1e-9);
    check_point(image, own, count);
    count->points++;
  }
  for (int k = 0; k < 3; k++) free(at[k]);
  free(range);
}

// The middle row of an equidistant fisheye and the only channel of a lidar are the same rays: the
// pixels are half a degree apart from the left, the lidar's columns from the right; both measure
// distances along rays.
static int check_same_rays(const Image* fisheye, const Sensor* plane) {
  int n, same = 0;
  double* range = read_output(plane, "range", &n);
  assert_int_equal(n, 141);
  for (int i = 0; i < n; i++) {
    const double depth = fisheye->depth[141 + i];
    assert_true((depth > 0) == (range[140 - i] > 0));
    if (!(depth > 0)) continue;
    assert_near(depth, range[140 - i], ROUNDING);
    same++;
  }
  free(range);
  return same;
}

static void check_place(const World* w, int vehicle, Count* count) {
  Image image = read_image(w, "camera", vehicle), fisheye = read_image(w, "fisheye", vehicle);
  const Sensor lidar = find_sensor(w, "lidar", vehicle), plane = find_sensor(w, "plane", vehicle);
  check_camera(&image, count);
  check_lidar(&lidar, &image, count);
  assert_true(check_same_rays(&fisheye, &plane) > 20);
  free_image(&image);
  free_image(&fisheye);
}

static void one_truth(void** state) {
  (void)state;
  World w = open_world();
  Count fixed = {0}, carried = {0};
  for (int moment = 0; moment < MOMENTS; moment++) {
    for (int i = 0; i < STEPS; i++) assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
    check_place(&w, -1, &fixed);
    check_place(&w, 0, &carried);
  }
  print_message(
      "world: %d ground, %d ruts, %d vehicle, %d block, %d points, %d compared, %d edges\n"
      "vehicle: %d ground, %d ruts, %d block, %d points, %d compared, %d edges\n",
      fixed.ground, fixed.ruts, fixed.scout, fixed.other, fixed.points, fixed.compared, fixed.edges,
      carried.ground, carried.ruts, carried.other, carried.points, carried.compared, carried.edges);
  assert_true(fixed.ground > 50000 && fixed.scout > 300 && fixed.other > 300);
  assert_true(carried.ground > 50000 && carried.ruts > 3000);
  assert_true(fixed.compared > 5000 && fixed.edges < fixed.compared / 50);
  assert_true(carried.compared > 5000 && carried.edges < carried.compared / 50);
  rut_data_destroy(w.data);
  rut_model_destroy(w.model);
  rut_context_destroy(w.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_truth)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
