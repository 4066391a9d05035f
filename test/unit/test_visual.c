// SPDX-License-Identifier: BSD-3-Clause
//
// Mesh files of <visual> as rays of sensors see them: against a search through the triangles of the
// file, read and placed here, and against distances by hand.
#define _DEFAULT_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/component.h"
#include "sim/cast.h"
#include "sim/scene.h"

enum { RAYS = 20000, MAX_POINTS = 200, MAX_TRIANGLES = 300 };

// ---- the mesh ----

typedef struct Triangles {
  int points, n;
  double point[MAX_POINTS][3], corner[MAX_TRIANGLES][3][3];
} Triangles;

// Reads worlds/meshes/arch.obj, which has quadrilaterals.
static void read_arch(Triangles* t) {
  FILE* file = fopen(RUT_SOURCE_DIR "/worlds/meshes/arch.obj", "r");
  char line[200];
  assert_non_null(file);
  *t = (Triangles){0};
  while (fgets(line, sizeof line, file)) {
    double p[3];
    int c[4];
    if (sscanf(line, "v %lf %lf %lf", &p[0], &p[1], &p[2]) == 3) {
      memcpy(t->point[t->points++], p, sizeof p);
    } else if (sscanf(line, "f %d %d %d %d", &c[0], &c[1], &c[2], &c[3]) == 4) {
      for (int half = 0; half < 2; half++, t->n++) {
        const int of[3] = {c[0], c[1 + half], c[2 + half]};
        for (int k = 0; k < 3; k++) memcpy(t->corner[t->n][k], t->point[of[k] - 1], sizeof p);
      }
    }
    assert_true(t->points < MAX_POINTS && t->n < MAX_TRIANGLES - 2);
  }
  fclose(file);
  assert_true(t->n > 100);
}

// Scaled, moved by an offset, then carried by a pose.
static Triangles placed(const Triangles* from, double scale, const double offset[3],
                        const double position[3], const double q[4]) {
  Triangles t = *from;
  for (int i = 0; i < t.n; i++) {
    for (int c = 0; c < 3; c++) {
      double* p = t.corner[i][c];
      double v[3], cross[3], twice[3];
      for (int k = 0; k < 3; k++) v[k] = scale * p[k] + offset[k];
      // v + 2 w (u x v) + 2 u x (u x v)
      for (int k = 0; k < 3; k++)
        cross[k] = q[1 + (k + 1) % 3] * v[(k + 2) % 3] - q[1 + (k + 2) % 3] * v[(k + 1) % 3];
      for (int k = 0; k < 3; k++)
        twice[k] =
            q[1 + (k + 1) % 3] * cross[(k + 2) % 3] - q[1 + (k + 2) % 3] * cross[(k + 1) % 3];
      for (int k = 0; k < 3; k++) p[k] = position[k] + v[k] + 2 * (q[0] * cross[k] + twice[k]);
    }
  }
  return t;
}

static void minus(const double* a, const double* b, double* out) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}
static void cross_of(const double* a, const double* b, double* out) {
  for (int k = 0; k < 3; k++)
    out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}
static double dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Distance to the triangles (Moeller and Trumbore, Journal of Graphics Tools 2 (1), 1997), and how
// near to an edge the ray passes, as a part of the triangle.
static double search(const Triangles* t, const double o[3], const double d[3], double* margin) {
  double best = (double)INFINITY;
  *margin = 1;
  for (int i = 0; i < t->n; i++) {
    double e1[3], e2[3], p[3], s[3], q[3];
    minus(t->corner[i][1], t->corner[i][0], e1);
    minus(t->corner[i][2], t->corner[i][0], e2);
    minus(o, t->corner[i][0], s);
    cross_of(d, e2, p);
    cross_of(s, e1, q);
    const double det = dot(e1, p), u = dot(s, p) / det, v = dot(d, q) / det, r = dot(e2, q) / det;
    const double inside = fmin(u, fmin(v, 1 - u - v));
    if (r > 0) *margin = fmin(*margin, fabs(inside));
    if (inside >= 0 && r >= 0) best = fmin(best, r);
  }
  return best;
}

// ---- worlds ----

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
  rutError err;
} World;

// name: of the file that the text stands for, which says where meshes are.
static World open_text(const char* text, const char* name) {
  World w = {0};
  rutSpec* spec = NULL;
  assert_int_equal(rut_context_create(NULL, &w.context, &w.err), RUT_OK);
  rutStatus status = rut_spec_parse(w.context, text, strlen(text), name, &spec, &w.err);
  if (status == RUT_OK) status = rut_compile(spec, &w.model, &w.err);
  rut_spec_destroy(spec);
  if (status == RUT_OK) w.data = rut_data_create(w.model);
  return w;
}

static World open_fine(const char* text) {
  World w = open_text(text, RUT_SOURCE_DIR "/worlds/test.xml");
  if (!w.data) fail_msg("%s", w.err.message);
  return w;
}

static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_context_destroy(w->context);
}

static void run(World* w, int steps) {
  for (int i = 0; i < steps; i++) assert_int_equal(rut_step(w->model, w->data, NULL), RUT_OK);
}

typedef struct Hits {
  double range[RAYS];
  int instance[RAYS], material[RAYS];
} Hits;

static void cast(const World* w, int n, double at[6][RAYS], int skip, Hits* hits) {
  void* scratch = malloc(rut_cast_scratch(w->model, n));
  assert_non_null(scratch);
  const rutRays rays = {.n = n,
                        .x = at[0],
                        .y = at[1],
                        .z = at[2],
                        .dx = at[3],
                        .dy = at[4],
                        .dz = at[5],
                        .max_range = 100,
                        .bodies = true,
                        .ground = true,
                        .skip_vehicle = skip};
  const rutRayHits out = {hits->range, {NULL}, hits->instance, hits->material, NULL, {NULL}};
  rut_scene_forget(w->data);
  rut_cast_rays(w->model, w->data, &rays, &out, NULL, scratch);
  free(scratch);
}

// Along x from a point; range, name of the instance and red of what is hit.
static double look_along_x(const World* w, double x, double y, double z, rutInstanceInfo* info,
                           double* red) {
  static double at[6][RAYS];
  static Hits hits;
  at[0][0] = x;
  at[1][0] = y;
  at[2][0] = z;
  at[3][0] = 1;
  at[4][0] = at[5][0] = 0;
  cast(w, 1, at, -1, &hits);
  rut_instance_info(w->model, hits.instance[0], info);
  *red = hits.material[0] >= 0 ? w->model->seen.material[hits.material[0]].colour[0] : -1;
  return hits.range[0];
}

#define EYE "<sensor type='laser' name='eye' x='-30' z='50' rays='2' period='0.01'/>"

// A block with the mesh is seen as the mesh, through whose opening the wall behind is seen. Colours
// are those of arch.mtl: ((0.66 + 0.055) / 1.055)^2.4 = 0.3932, and 0.6 gives 0.3185.
static void test_gate(void** state) {
  (void)state;
  World w = open_fine(
      "<world timestep='0.01'>"
      "<block name='gate' position='0 0' fixed='true' shape='box' size='0.6 4.2 4.1'>"
      "<visual model='meshes/arch.obj'/></block>"
      "<wall name='wall' from='18 -8' to='18 8' height='5' thickness='0.3'/>" EYE "</world>");
  rutInstanceInfo info;
  double red;
  assert_near(look_along_x(&w, -5, 0, 1, &info, &red), 22.85, 1e-9);
  assert_string_equal(info.name, "wall");
  assert_near(look_along_x(&w, -5, 1.8, 1, &info, &red), 4.7, 1e-6);
  assert_string_equal(info.name, "gate");
  assert_near(red, 0.3932, 1e-4);
  assert_near(look_along_x(&w, -5, 0, 3.4, &info, &red), 22.85, 1e-9);
  assert_near(look_along_x(&w, -5, 0, 3.8, &info, &red), 4.7, 1e-6);
  assert_near(red, 0.3185, 1e-4);
  close_world(&w);
}

// What carries the mesh in the world of the next test, and where.
static void find_carrier(const World* w, int which, double position[3], double q[4]) {
  if (which == 0) {
    double pose[6], velocity[3];
    rut_block_state(w->model, w->data, 0, pose, velocity);
    memcpy(position, pose, 3 * sizeof *pose);
    q[0] = cos(0.5 * pose[5]);
    q[1] = q[2] = 0;
    q[3] = sin(0.5 * pose[5]);
  } else {
    const rutWheelPose wheel = rut_wheel_pose(w->model, w->data, which - 1);
    memcpy(position, wheel.position, sizeof wheel.position);
    memcpy(q, wheel.quaternion, sizeof wheel.quaternion);
  }
}

// On a block that slides and turns, and on wheels of a car that spin and steer.
static void test_carried(void** state) {
  (void)state;
  static const char text[] =
      "<world timestep='5 ms'>"
      "<block name='sled' position='6 4' velocity='-3 1' yaw_rate='2' shape='box' size='0.4 0.4 1' "
      "ground_friction='0.1'>"
      "<visual model='meshes/arch.obj' scale='0.5' offset='0.1 0.2 0.3'/></block>"
#define WHEEL(name, place, at, steered)                    \
  "<wheel name='" name "' place='" place "' position='" at \
  "' mass='6' radius='0.3' width='0.2' steered='" steered  \
  "'><visual model='meshes/arch.obj' scale='0.1' offset='0.02 0 -0.1'/></wheel>"
      "<vehicle name='car' position='0 0'><chassis mass='800' z_min='0.2' z_max='1'/>"  //
      WHEEL("rl", "rear_left", "0 0.7", "false") WHEEL("rr", "rear_right", "0 -0.7", "false")
          WHEEL("fl", "front_left", "2.2 0.7", "true") WHEEL("fr", "front_right", "2.2 -0.7", "true")
      "<tyre type='ward_iagnemma'/><drive type='torque_biasing' driven='rear'/>"
      "<controller type='front_steer_pid' proportional_gain='500' integral_gain='80' "
      "max_torque='600' speed='3' steer='20 deg'/></vehicle>" EYE "</world>";
  static double at[6][RAYS];
  static Hits hits;
  Triangles arch;
  read_arch(&arch);
  World w = open_fine(text);
  uint64_t seed = 3;
  run(&w, 150);
  for (int which = 0; which < 5; which++) {
    const double scale = which ? 0.1 : 0.5;
    const double offset[3] = {which ? 0.02 : 0.1, which ? 0 : 0.2, which ? -0.1 : 0.3};
    double position[3], q[4];
    find_carrier(&w, which, position, q);
    const Triangles here = placed(&arch, scale, offset, position, q);
    // from outside towards it; what else is in the way counts against a ray
    for (int i = 0; i < RAYS; i++) {
      double to[3], length = 0;
      for (int k = 0; k < 6; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double u = 2 * (double)(seed >> 11) * 0x1p-53 - 1;
        if (k < 3) to[k] = u * 4 * scale;
        if (k >= 3) at[k - 3][i] = position[k - 3] + u * 8 * scale;
      }
      for (int k = 0; k < 3; k++) to[k] += position[k] - at[k][i];
      for (int k = 0; k < 3; k++) length += to[k] * to[k];
      for (int k = 0; k < 3; k++) at[3 + k][i] = to[k] / sqrt(length);
    }
    cast(&w, RAYS, at, -1, &hits);
    int seen = 0;
    for (int i = 0; i < RAYS; i++) {
      double o[3], d[3], margin;
      for (int k = 0; k < 3; k++) o[k] = at[k][i];
      for (int k = 0; k < 3; k++) d[k] = at[3 + k][i];
      const double want = search(&here, o, d, &margin);
      // points are stored as floats: edges are within 1e-7 of where they are here
      if (margin < 1e-4 || !(want < 50)) continue;
      assert_true(hits.range[i] >= 0 && hits.range[i] < want + 1e-5);
      seen += fabs(hits.range[i] - want) < 1e-5;
    }
    // the ground and neighbours hide some
    assert_true(seen > RAYS / 50);
  }
  close_world(&w);
}

// A file that is broken is refused at its place; one that is not there leaves the prism.
static void test_files_that_are_not_fine(void** state) {
  (void)state;
  char folder[] = "/tmp/rut_visual_XXXXXX", path[64], name[64];
  static const char text[] =
      "<world timestep='0.01'>\n"
      "<block name='b' position='5 0' fixed='true' shape='box' size='1 1 1'>\n"
      "<visual model='%s'/></block>" EYE "</world>";
  char world[sizeof text + 40];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/broken.obj", folder);
  snprintf(name, sizeof name, "%s/world.xml", folder);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs("v 0 0 zero\nf 1 2 900\n", file);
  fclose(file);

  snprintf(world, sizeof world, text, "broken.obj");
  World w = open_text(world, name);
  assert_null(w.data);
  assert_int_equal(w.err.line, 3);
  assert_non_null(strstr(w.err.message, "broken.obj"));
  close_world(&w);

  snprintf(world, sizeof world, text, "missing.obj");
  w = open_text(world, name);
  assert_non_null(w.data);
  rutInstanceInfo info;
  double red;
  run(&w, 1);
  assert_near(look_along_x(&w, 0, 0, 0.5, &info, &red), 4.5, 1e-9);
  assert_string_equal(info.name, "b");
  close_world(&w);
  unlink(path);
  rmdir(folder);
}

// Triangles with corners that are no numbers are not seen; where a file has no others, the prism
// is.
static void test_corners_that_are_no_numbers(void** state) {
  (void)state;
  static const struct {
    const char* file;
    double range;
  } row[] = {{"v nan 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n", 4.5},
             {"v 0 -9 -9\nv 0 9 -9\nv 0 0 9\nv nan 0 0\nf 1 2 3\nf 1 2 4\n", 5}};
  char folder[] = "/tmp/rut_visual_XXXXXX", path[64], name[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/odd.obj", folder);
  snprintf(name, sizeof name, "%s/world.xml", folder);
  for (int i = 0; i < 2; i++) {
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(row[i].file, file);
    fclose(file);
    World w = open_text(
        "<world timestep='0.01'><block name='b' position='5 0' fixed='true' "
        "shape='box' size='1 1 1'><visual model='odd.obj'/></block>" EYE "</world>",
        name);
    assert_non_null(w.data);
    rutInstanceInfo info;
    double red;
    run(&w, 1);
    assert_near(look_along_x(&w, 0, 0, 0.5, &info, &red), row[i].range, 1e-6);
    assert_string_equal(info.name, "b");
    close_world(&w);
  }
  unlink(path);
  rmdir(folder);
}

// Without sensors nobody looks: the file is not even read.
static void test_worlds_without_sensors(void** state) {
  (void)state;
  World w = open_fine("<world timestep='0.01'><visual model='meshes/arch.obj'/></world>");
  assert_int_equal(w.model->scene.visuals, 0);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gate),
      cmocka_unit_test(test_carried),
      cmocka_unit_test(test_files_that_are_not_fine),
      cmocka_unit_test(test_corners_that_are_no_numbers),
      cmocka_unit_test(test_worlds_without_sensors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
