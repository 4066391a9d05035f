// SPDX-License-Identifier: BSD-3-Clause
//
// What vehicles look like: sizes against those of the real ones and of their wheels, and sensors
// see the meshes that the page gets.
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
#include "rut/appearance.h"
#include "rut/component.h"
#include "rut/sensor.h"

static const rutMaterial paint = {.colour = {0.2, 0.3, 0.1}, .roughness = 0.5, .radar = 1};

// A world as a spec, and more.
typedef struct World {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
  rutNode vehicle;  // its first
  rutError err;
} World;

static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_spec_destroy(w->spec);
  rut_context_destroy(w->context);
}

static void look(World* w, rutStatus status) {
  if (status != RUT_OK) fail_msg("%s", w->err.message);
  w->vehicle = rut_node_first(w->spec, rut_spec_root(w->spec), "vehicle");
}

static World load(const char* file) {
  char path[512];
  World w = {0};
  snprintf(path, sizeof path, "%s/worlds/%s", RUT_SOURCE_DIR, file);
  const rutContextDef def = rut_default_context();
  assert_int_equal(rut_context_create(&def, &w.context, &w.err), RUT_OK);
  look(&w, rut_spec_load(w.context, path, &w.spec, &w.err));
  return w;
}

static World parse(const char* text, const rutComponent* const* types) {
  World w = {0};
  const rutContextDef def = rut_default_context();
  assert_int_equal(rut_context_create(&def, &w.context, &w.err), RUT_OK);
  for (int i = 0; types && types[i]; i++) {
    if (rut_register(w.context, types[i], &w.err) != RUT_OK) fail_msg("%s", w.err.message);
  }
  look(&w, rut_spec_parse(w.context, text, strlen(text), "world.xml", &w.spec, &w.err));
  return w;
}

static rutMeshModel mesh_of(const World* w, int part) {
  rutMeshModel mesh;
  rutError err = {0};
  const rutStatus status = rut_vehicle_mesh(w->spec, w->vehicle, part, &paint, &mesh, &err);
  if (status) fail_msg("part %d: %s", part, err.message);
  return mesh;
}

#define VEHICLE(appearance, more)                                                    \
  "<world timestep='1 ms'><vehicle name='v'>"                                        \
  "<chassis mass='900 kg' z_min='0.35 m' z_max='1.5 m' "                             \
  "outline='-2 -0.8, 2 -0.8, 2 0.8, -2 0.8'/>" appearance                            \
  "<axle x='1.3 m' track='1.5 m' radius='0.4 m' width='0.25 m' max_steer='30 deg'/>" \
  "<axle x='0 m' track='1.5 m' radius='0.4 m' width='0.25 m'/>"                      \
  "<axle x='-1.3 m' track='1.5 m' radius='0.4 m' width='0.25 m'/>"                   \
  "<suspension type='slider' stiffness='40 kN/m'/><tyre type='linear'/>"             \
  "<drive type='direct'/><controller type='raw'/></vehicle>" more "</world>"

// Wheels of every type are as large as the wheels that roll; bodies are finite and about as large
// as the chassis.
static void check_type(const rutComponent* type) {
  char text[2000];
  snprintf(text, sizeof text, VEHICLE("<appearance type='%s'/>", ""), type->name);
  World w = parse(text, NULL);
  for (int part = -1; part < 6; part++) {
    rutMeshModel mesh = mesh_of(&w, part);
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9}, radius = 0;
    // a prism over four corners has two triangles a face
    const bool prism = part < 0 && strcmp(type->name, "prism") == 0;
    assert_true(prism ? mesh.triangles == 12 : mesh.triangles > 100);
    for (int i = 0; i < mesh.points; i++) {
      for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], mesh.point[i][k]);
        high[k] = fmax(high[k], mesh.point[i][k]);
      }
      radius = fmax(radius, hypot(mesh.point[i][0], mesh.point[i][2]));
    }
    if (part >= 0) {
      assert_near(radius, 0.4, 0.02 * 0.4);
      assert_near(high[1], 0.125, 0.15 * 0.25);
      assert_near(low[1], -0.125, 0.15 * 0.25);
    } else {
      assert_near(high[0], 2, 0.5);
      assert_near(low[0], -2, 0.5);
      assert_near(low[1], -high[1], 0.1);
      assert_true(low[2] > -0.01 && high[2] > 1 && high[2] < 3);
    }
    rut_mesh_model_free(&mesh);
  }
  double eye[3];
  if (rut_vehicle_eye(w.spec, w.vehicle, eye)) {
    assert_true(fabs(eye[0]) < 2 && fabs(eye[1]) < 0.8 && eye[2] > 0.5 && eye[2] < 2);
  }
  close_world(&w);
}

static void test_types(void** state) {
  (void)state;
  World w = parse(VEHICLE("", ""), NULL);
  int types = 0;
  for (int i = 0; i < rut_component_count(w.context); i++) {
    const rutComponent* c = rut_component_at(w.context, i);
    if (strcmp(c->kind, "appearance") != 0) continue;
    check_type(c);
    types++;
  }
  assert_true(types >= 5);
  close_world(&w);
}

// Length, width and height of an M998 are 180, 85 and 72 in (TM 9-2320-280-10), the length without
// what stands out to tow by. Its frame's origin is 0.496 m above the ground.
static void test_hmmwv_sizes(void** state) {
  (void)state;
  World w = load("hmmwv.xml");
  rutMeshModel mesh = mesh_of(&w, -1);
  const double inch = 0.0254, ground = -0.026289 - 0.47;
  double front = 0, rear = 0, side = 0, roof = 0;
  for (int i = 0; i < mesh.points; i++) {
    const double x = mesh.point[i][0], y = mesh.point[i][1], z = mesh.point[i][2] - ground;
    if (fabs(y) > 0.5 && z > 0.5) front = fmax(front, x);
    if (fabs(y) > 0.5 && z > 0.5) rear = fmin(rear, x);
    if (z < 1.15) side = fmax(side, fabs(y));
    if (x > -1 && x < 0.6 && fabs(y) < 0.9 && fabs(y) > 0.5) roof = fmax(roof, z);
  }
  assert_near(front - rear, 180 * inch, 0.03 * 180 * inch);
  assert_near(2 * side, 85 * inch, 0.03 * 85 * inch);
  assert_near(roof, 72 * inch, 0.03 * 72 * inch);
  rut_mesh_model_free(&mesh);
  close_world(&w);
}

// No part of the body is where a wheel turns, but for what leads to it from inside.
static void check_room(const char* file, const char* kind) {
  World w = load(file);
  rutMeshModel mesh = mesh_of(&w, -1);
  for (rutNode axle = rut_node_first(w.spec, w.vehicle, kind); !rut_node_is_null(axle);
       axle = rut_node_next(w.spec, axle, kind)) {
    const double x = rut_node_number(w.spec, axle, "x"),
                 radius = rut_node_number(w.spec, axle, "radius");
    const double given = rut_node_number(w.spec, axle, "z"), z = given == given ? given : radius;
    const double y = rut_node_number(w.spec, axle, "track") / 2;
    const double half = rut_node_number(w.spec, axle, "width") / 2;
    for (int i = 0; i < mesh.points; i++) {
      const double* p = mesh.point[i];
      const bool inside = hypot(p[0] - x, p[2] - z) < radius && fabs(fabs(p[1]) - y) < half;
      if (inside) fail_msg("%s: a corner at %g %g %g m is in a wheel", file, p[0], p[1], p[2]);
    }
  }
  rut_mesh_model_free(&mesh);
  close_world(&w);
}

static void test_wheels_have_room(void** state) {
  (void)state;
  check_room("hmmwv.xml", "axle");
}

// Vehicles of any proportions have a plain look: wheels that are large, far ahead, or deep in the
// body cost no run its start.
static void test_plain_fits_all(void** state) {
  (void)state;
  uint32_t seed = 1;
  for (int i = 0; i < 400; i++) {
    double draw[8];
    for (int k = 0; k < 8; k++) {
      seed = seed * 1664525u + 1013904223u;
      draw[k] = (seed >> 8) / 16777216.0;
    }
    const double length = 0.3 + 6 * draw[0] * draw[0], width = length * (0.2 + draw[1]);
    const double height = length * (0.05 + 0.6 * draw[2]), radius = length * (0.02 + 0.3 * draw[3]);
    const double front = length * (0.1 + 0.5 * draw[4]), rear = -length * (0.1 + 0.5 * draw[5]);
    const double track = width * (0.5 + 0.6 * draw[6]), low = radius * (0.1 + 2 * draw[7]);
    char text[900];
    snprintf(text, sizeof text,
             "<world><vehicle name='v'><chassis mass='100' outline='%g %g, %g %g, %g "
             "%g, %g %g' z_min='%g' z_max='%g'/>"
             "<wheel place='rear_left' position='%g %g' radius='%g'/>"
             "<wheel place='rear_right' position='%g %g' radius='%g'/>"
             "<wheel place='front_left' position='%g %g' radius='%g'/>"
             "<wheel place='front_right' position='%g %g' radius='%g'/>"
             "<appearance type='plain'/></vehicle></world>",
             -length / 2, -width / 2, length / 2, -width / 2, length / 2, width / 2, -length / 2,
             width / 2, low, low + height, rear, track / 2, radius, rear, -track / 2, radius, front,
             track / 2, radius, front, -track / 2, radius);
    World w = parse(text, NULL);
    rutMeshModel mesh = mesh_of(&w, -1);
    assert_true(mesh.triangles > 10);
    rut_mesh_model_free(&mesh);
    close_world(&w);
  }
}

static void test_hash(void** state) {
  (void)state;
  World a = parse(VEHICLE("<appearance type='hmmwv'/>", ""), NULL);
  World b = parse(VEHICLE("<appearance type='hmmwv' cockpit='false'/>", ""), NULL);
  rutMaterial other = paint;
  other.colour[0] = 0.9;
  const uint64_t hash = rut_vehicle_mesh_hash(a.spec, a.vehicle, -1, &paint);
  assert_true(hash == rut_vehicle_mesh_hash(a.spec, a.vehicle, -1, &paint));
  assert_true(hash != rut_vehicle_mesh_hash(a.spec, a.vehicle, 0, &paint));
  assert_true(hash != rut_vehicle_mesh_hash(b.spec, b.vehicle, -1, &paint));
  // it has its own paint
  assert_true(hash == rut_vehicle_mesh_hash(a.spec, a.vehicle, -1, &other));
  rutMeshModel mesh;
  assert_int_equal(rut_vehicle_mesh(a.spec, a.vehicle, 6, &paint, &mesh, NULL), RUT_ERR_ARGUMENT);
  assert_int_equal(rut_vehicle_mesh(a.spec, rut_spec_root(a.spec), -1, &paint, &mesh, NULL),
                   RUT_ERR_ARGUMENT);
  assert_null(mesh.point);
  close_world(&a);
  close_world(&b);
}

// ---- sensors ----

enum { ACROSS = 60, UP = 30, RAYS = ACROSS * UP };
static double at[6][RAYS], range[RAYS];
static int instance[RAYS], material[RAYS], class_of[RAYS];
static double colour[RAYS][3];

// A sensor of the world that casts the rays above at its first sample.
static void probe_sample(const void* param, const rutSensorIn* in, double* state, void* scratch,
                         void* const* out) {
  (void)param;
  (void)state;
  (void)scratch;
  const rutRays rays = {.n = RAYS,
                        .x = at[0],
                        .y = at[1],
                        .z = at[2],
                        .dx = at[3],
                        .dy = at[4],
                        .dz = at[5],
                        .max_range = 50,
                        .bodies = true,
                        .skip_vehicle = -1};
  in->cast(in->host, &rays,
           &(rutRayHits){.range = range, .instance = instance, .material = material});
  for (int i = 0; i < RAYS; i++) {
    class_of[i] = material[i] >= 0 ? in->material[material[i]].semantic_class : -1;
    if (material[i] >= 0) memcpy(colour[i], in->material[material[i]].colour, sizeof *colour);
  }
  *(double*)out[0] = 1;
}
static const rutField probe_fields[] = {RUT_SENSOR_ROWS(RUT_ROW, RUT_CHOICE_ROW)};
static const rutVariable probe_output[] = {RUT_VARIABLE(done, "", "1 after a sample")};
static const rutSensorType probe = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "probe", "world", "Casts rays.", probe_fields)},
    .output = probe_output,
    .outputs = 1,
    .uses = RUT_USES_LOOKS,
    .sample = probe_sample,
};
// The same of a type that does not ask for looks.
static const rutSensorType outline_probe = {
    .base = {RUT_HEAD(rutSensorType, "sensor", "outline_probe", "world", "Casts rays.",
                      probe_fields)},
    .output = probe_output,
    .outputs = 1,
    .sample = probe_sample,
};
static const rutComponent* const probe_only[] = {&probe.base, &outline_probe.base, NULL};

static double dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Distance of a triangle along -y from a point (x, z at y = 20); INFINITY if the ray passes it.
static double distance_along_y(double corner[3][3], double x, double z) {
  const double ax = corner[0][0] - x, az = corner[0][2] - z, bx = corner[1][0] - x;
  const double bz = corner[1][2] - z, cx = corner[2][0] - x, cz = corner[2][2] - z;
  const double u = bx * cz - bz * cx, v = cx * az - cz * ax, w = ax * bz - az * bx;
  if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) return (double)INFINITY;
  return 20 - (u * corner[0][1] + v * corner[1][1] + w * corner[2][1]) / (u + v + w);
}

static double found[RAYS];

// Nearest hits of all rays with a mesh in a place: rotation and position.
static void search(const rutMeshModel* mesh, double rotation[3][3], const double position[3]) {
  for (int i = 0; i < mesh->triangles; i++) {
    if (mesh->transmission[mesh->material[i]] > 0.5) continue;
    double corner[3][3];
    for (int k = 0; k < 3; k++) {
      for (int j = 0; j < 3; j++) {
        corner[k][j] = position[j] + dot(rotation[j], mesh->point[mesh->triangle[i][k]]);
      }
    }
    for (int r = 0; r < RAYS; r++) {
      found[r] = fmin(found[r], distance_along_y(corner, at[0][r], at[2][r]));
    }
  }
}

static void rotation_of(const double q[4], double out[3][3]) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(out, m, sizeof m);
}

// Rays from the left of the first vehicle, across it.
static void aim(const World* w) {
  const rutVehicleState s = rut_vehicle_state(w->model, w->data, 0);
  for (int i = 0; i < RAYS; i++) {
    at[0][i] = s.position[0] - 2.9 + 5.8 * (i % ACROSS + 0.37) / ACROSS;
    at[1][i] = 20;
    at[2][i] = s.position[2] - 0.6 + 2.4 * (i / ACROSS + 0.41) / UP;
    at[3][i] = at[5][i] = 0;
    at[4][i] = -1;
    found[i] = (double)INFINITY;
  }
}

// Rays of sensors against the meshes that the page gets, in the places that the page gets.
static void check_seen(const char* text, int least) {
  World w = parse(text, probe_only);
  if (rut_compile(w.spec, &w.model, &w.err) != RUT_OK) fail_msg("%s", w.err.message);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  aim(&w);
  for (int i = 0; i < 2; i++) assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  const rutVehicleInfo info = rut_vehicle_info(w.model, 0);
  const double half[3] = {s.roll / 2, s.pitch / 2, s.yaw / 2};
  const double q[4] = {
      cos(half[0]) * cos(half[1]) * cos(half[2]) + sin(half[0]) * sin(half[1]) * sin(half[2]),
      sin(half[0]) * cos(half[1]) * cos(half[2]) - cos(half[0]) * sin(half[1]) * sin(half[2]),
      cos(half[0]) * sin(half[1]) * cos(half[2]) + sin(half[0]) * cos(half[1]) * sin(half[2]),
      cos(half[0]) * cos(half[1]) * sin(half[2]) - sin(half[0]) * sin(half[1]) * cos(half[2])};
  for (int part = -1; part < info.wheels; part++) {
    double rotation[3][3];
    rutMeshModel mesh = mesh_of(&w, part);
    if (part < 0) {
      rotation_of(q, rotation);
      search(&mesh, rotation, s.position);
    } else {
      const rutWheelPose pose = rut_wheel_pose(w.model, w.data, info.first_wheel + part);
      rotation_of(pose.quaternion, rotation);
      search(&mesh, rotation, pose.position);
    }
    rut_mesh_model_free(&mesh);
  }
  int hits = 0, others = 0;
  for (int i = 0; i < RAYS; i++) {
    const bool hit = found[i] < 100;
    hits += hit;
    // a link of a suspension may stand before it; at edges rounding decides
    others += hit != (range[i] >= 0) || (hit && fabs(range[i] - found[i]) > 1e-3);
    if (!hit || range[i] < 0) continue;
    rutInstanceInfo seen;
    assert_true(rut_instance_info(w.model, instance[i], &seen));
    assert_string_equal(seen.name, info.name);
    assert_string_equal(rut_class_name(w.model, class_of[i]), "vehicle");
  }
  assert_true(hits >= least);
  if (others > hits / 100) fail_msg("%d of %d rays see something else", others, hits);
  close_world(&w);
}

#define EYE "<sensor type='probe' period='1 ms'/>"

static void test_sensors_see_it(void** state) {
  (void)state;
  check_seen(VEHICLE("<appearance type='hmmwv'/>", EYE), 300);
  check_seen(VEHICLE("<appearance type='rover'/>", EYE), 250);
  check_seen(VEHICLE("<appearance type='plain'/>", EYE), 300);
  // a planar vehicle, turned
  check_seen(
      "<world timestep='1 ms'><vehicle name='v' yaw='30 deg'>"
      "<chassis z_min='0.2' z_max='1' outline='-1 -0.5, 1 -0.5, 1 0.5, -1 0.5'/>"
      "<appearance type='robot'/>"
      "<wheel place='left' position='0 0.6' radius='0.4'/>"
      "<wheel place='right' position='0 -0.6' radius='0.4'/>"
      "<tyre type='coulomb'/><drive type='direct'/><controller type='raw'/></vehicle>" EYE
      "</world>",
      150);
}

#define PLANAR                                                                \
  "<world timestep='1 ms'><vehicle name='v' yaw='30 deg'>"                    \
  "<chassis z_min='0.2' z_max='1' outline='-1 -0.5, 1 -0.5, 1 0.5, -1 0.5'/>" \
  "<wheel place='left' position='0 0.6' radius='0.4'/>"                       \
  "<wheel place='right' position='0 -0.6' radius='0.4'/>"                     \
  "<tyre type='coulomb'/><drive type='direct'/><controller type='raw'/></vehicle>" EYE "</world>"

// Vehicles of which a world does not say what they look like are seen as the page draws them, in
// the same paint.
static void test_sensors_see_plain(void** state) {
  (void)state;
  check_seen(PLANAR, 150);
  check_seen(VEHICLE("", EYE), 300);
  double paint_of_first[3];
  int painted = 0;
  rut_vehicle_colour(0, paint_of_first);
  for (int i = 0; i < RAYS; i++) {
    double other = 0;
    for (int k = 0; k < 3; k++) other = fmax(other, fabs(colour[i][k] - paint_of_first[k]));
    painted += range[i] >= 0 && other == 0;
  }
  assert_true(painted > 100);
}

// Without a sensor that asks for it they are their outlines: the side of this one is at y = 0.8.
static void test_outline_without_looks(void** state) {
  (void)state;
  World w = parse(VEHICLE("", "<sensor type='outline_probe' period='1 ms'/>"), probe_only);
  if (rut_compile(w.spec, &w.model, &w.err) != RUT_OK) fail_msg("%s", w.err.message);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  aim(&w);
  for (int i = 0; i < 2; i++) assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  int sides = 0;
  for (int i = 0; i < RAYS; i++) {
    const double x = at[0][i] - s.position[0], z = at[2][i] - s.position[2];
    if (fabs(x) > 1.99 || z < 0.85 || z > 1.49) continue;
    assert_near(range[i], 19.2, 1e-3);
    sides++;
  }
  assert_true(sides > 200);
  close_world(&w);
}

// ---- added types, errors ----

static const rutField none[] = {{"side", "m", RUT_REAL, 1, 1, 0, 10, "", 0, "of the cube"}};
static void cube_body(const void* param, const rutAppearanceIn* in, rutMeshBuilder* builder) {
  const double half = *(const double*)param / 2;
  (void)in;
  rut_mesh_box(builder, (const double[]){-half, -half, 0}, (const double[]){half, half, 2 * half});
}
static const rutAppearanceType cube = {
    .base = {RUT_HEAD(rutAppearanceType, "appearance", "cube", "vehicle", "A cube.", none)},
    .paint = {{0.5, 0.5, 0.5}, 0.5, 0.5, 0.5, 0.04, 1, 0, 0},
    .body = cube_body,
};
static const rutComponent* const cube_and_probe[] = {&cube.base, &probe.base, NULL};

static void check_refused(const char* text, const char* words) {
  World w = parse(text, cube_and_probe);
  assert_int_not_equal(rut_compile(w.spec, &w.model, &w.err), RUT_OK);
  if (!strstr(w.err.message, words)) fail_msg("'%s' does not say '%s'", w.err.message, words);
  close_world(&w);
}

static void test_added_type(void** state) {
  (void)state;
  World w = parse(VEHICLE("<appearance type='cube' side='0.8 m'/>", ""), cube_and_probe);
  rutMeshModel mesh = mesh_of(&w, -1);
  assert_int_equal(mesh.triangles, 12);
  assert_near(mesh.point[7][2], 0.8, 1e-15);
  rut_mesh_model_free(&mesh);
  close_world(&w);
  check_refused(VEHICLE("<appearance type='cube' side='0 m'/>", EYE), "volume");
  check_refused(VEHICLE("<appearance type='cube'/><appearance type='cube'/>", ""), "only one");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_hmmwv_sizes),
      cmocka_unit_test(test_wheels_have_room),
      cmocka_unit_test(test_plain_fits_all),
      cmocka_unit_test(test_hash),
      cmocka_unit_test(test_sensors_see_it),
      cmocka_unit_test(test_sensors_see_plain),
      cmocka_unit_test(test_outline_without_looks),
      cmocka_unit_test(test_added_type),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
