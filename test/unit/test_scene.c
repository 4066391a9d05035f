// SPDX-License-Identifier: BSD-3-Clause
//
// Meshes and solids that rays of sensors hit: against a search through all of them that shares
// no code with it, from the poses that the public queries tell.
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
#include "sim/scene.h"
#include "world_fixture.h"

enum { RAYS = 20000, MAX_RODS = 400 };

#define EYE "<sensor type='laser' name='eye' x='-30' z='50' rays='2' period='0.01'/>"

static const rutComponent* const no_types[] = {NULL};

// ---- rays of a scene ----

typedef struct Rays {
  double at[6][RAYS], range[RAYS];
  unsigned char target[RAYS];
  int index[RAYS];
} Rays;

static double uniform(uint64_t* seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

// From points within 6 m of a middle towards others within 2 m of it.
static void aim(Rays* r, const double middle[3], uint64_t seed) {
  for (int i = 0; i < RAYS; i++) {
    double to[3], length = 0;
    for (int k = 0; k < 3; k++) r->at[k][i] = middle[k] + 12 * uniform(&seed) - 6;
    for (int k = 0; k < 3; k++) to[k] = middle[k] + 4 * uniform(&seed) - 2 - r->at[k][i];
    for (int k = 0; k < 3; k++) length += to[k] * to[k];
    for (int k = 0; k < 3; k++) r->at[3 + k][i] = to[k] / sqrt(length);
  }
}

static void cast(const World* w, Rays* r, int skip) {
  const rutRayBatch batch = {.n = RAYS,
                             .origin = {r->at[0], r->at[1], r->at[2]},
                             .direction = {r->at[3], r->at[4], r->at[5]},
                             .max_range = 100};
  const rutRayResult out = {.range = r->range, .target = r->target, .index = r->index};
  rut_rays_begin(&batch, &out);
  rut_scene_forget(w->data);
  rut_scene_cast(w->model, w->data, true, skip, &batch, &out);
}

// ---- a search of our own ----

// A cylinder from one point to another.
typedef struct Rod {
  double from[3], to[3], radius;
} Rod;

static double dot(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Distance to a rod, by the definition: least t at which the ray is within the radius of the axis
// and between the ends. INFINITY for rays that begin inside.
static double to_rod(const Rod* rod, const double o[3], const double d[3]) {
  double axis[3], w[3], length = 0, best = (double)INFINITY;
  for (int k = 0; k < 3; k++) axis[k] = rod->to[k] - rod->from[k];
  length = sqrt(dot(axis, axis));
  for (int k = 0; k < 3; k++) axis[k] /= length;
  for (int k = 0; k < 3; k++) w[k] = o[k] - rod->from[k];
  const double da = dot(d, axis), wa = dot(w, axis), r2 = rod->radius * rod->radius;
  const double a = dot(d, d) - da * da, b = dot(w, d) - wa * da, c = dot(w, w) - wa * wa - r2;
  if (c <= 0 && wa >= 0 && wa <= length) return best;
  const double root = b * b - a * c;
  if (a > 0 && root >= 0) {
    const double t = (-b - sqrt(root)) / a, s = wa + t * da;
    if (t >= 0 && s >= 0 && s <= length) best = t;
  }
  for (int end = 0; end < 2; end++) {
    const double t = (end * length - wa) / da, off2 = c + r2 + 2 * b * t + a * t * t;
    if (t >= 0 && off2 <= r2 && t < best) best = t;
  }
  return best;
}

// Wheels and links of a vehicle, from the public queries.
static int rods_of(const World* w, double width, double thickness, Rod* rod) {
  int n = 0;
  for (int i = 0; i < rut_count(w->model, RUT_WHEEL); i++) {
    const rutWheelPose pose = rut_wheel_pose(w->model, w->data, i);
    const double* q = pose.quaternion;
    // second column of the rotation matrix
    const double y[3] = {2 * (q[1] * q[2] - q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                         2 * (q[2] * q[3] + q[0] * q[1])};
    rutLink link[16];
    const int links = rut_suspension_links(w->model, w->data, i, 16, link);
    double radius2 = 0;
    for (int k = 0; k < 3; k++) {
      rod[n].from[k] = pose.position[k] - 0.5 * width * y[k];
      rod[n].to[k] = pose.position[k] + 0.5 * width * y[k];
      radius2 += (pose.contact[k] - pose.position[k]) * (pose.contact[k] - pose.position[k]);
    }
    const double radius = sqrt(radius2);
    rod[n++].radius = radius;
    for (int k = 0; k < links; k++, n++) {
      memcpy(rod[n].from, link[k].from, sizeof rod[n].from);
      memcpy(rod[n].to, link[k].to, sizeof rod[n].to);
      rod[n].radius = thickness * radius;
    }
    assert_true(n < MAX_RODS - 16);
  }
  return n;
}

// Compare all rays; at least `most_missed` of a thousand hit.
static void compare(const Rays* r, int rods, const Rod* rod) {
  int hits = 0;
  for (int i = 0; i < RAYS; i++) {
    double o[3], d[3], best = (double)INFINITY;
    for (int k = 0; k < 3; k++) o[k] = r->at[k][i];
    for (int k = 0; k < 3; k++) d[k] = r->at[3 + k][i];
    for (int k = 0; k < rods; k++) best = fmin(best, to_rod(&rod[k], o, d));
    hits += best < 100;
    if (best < 100) assert_near(r->range[i], best, 1e-9);
    if (!(best < 100)) assert_true(r->range[i] > 100);
  }
  assert_true(hits > RAYS / 20);
}

// ---- worlds ----

// A HMMWV on double wishbones, steered, on rough ground, after so many steps.
static World open_hmmwv(int workers) {
  World w = {0};
  rutError err = {0};
  rutSpec* spec = NULL;
  rutContextDef def = rut_default_context();
  static const char text[] =
      "<world timestep='1 ms'><soil type='magic_formula' name='asphalt' surface='user' d='0.8'/>"
      "<terrain type='iso8608' class='E'/>"
      "<include file='vehicles/hmmwv.xml' throttle='0.6' steering='0.6'/>" EYE "</world>";
  def.workers = workers;
  assert_int_equal(rut_context_create(&def, &w.context, &err), RUT_OK);
  rutStatus status = rut_spec_parse(w.context, text, strlen(text),
                                    RUT_SOURCE_DIR "/worlds/scene.xml", &spec, &err);
  if (status == RUT_OK) status = rut_compile(spec, &w.model, &err);
  if (status != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  return w;
}

// Wheels turn, steer and travel, links move with them.
static void test_wheels_and_links_where_they_are(void** state) {
  (void)state;
  World w = open_hmmwv(1);
  Rays* r = malloc(sizeof *r);
  Rod* rod = malloc(MAX_RODS * sizeof *rod);
  assert_true(r && rod);
  for (int moment = 0; moment < 4; moment++) {
    run(&w, 700);
    const int n = rods_of(&w, 0.318, 0.055, rod);
    assert_int_equal(n, 4 * 10);
    aim(r, rut_wheel_pose(w.model, w.data, moment).position, 17 + (uint64_t)moment);
    cast(&w, r, -1);
    compare(r, n, rod);
  }
  // all of it belongs to the vehicle
  cast(&w, r, 0);
  for (int i = 0; i < RAYS; i++) assert_int_equal(r->target[i], RUT_RAY_NOTHING);
  free(rod);
  free(r);
  close_world(&w);
}

// A pendulum of 1 m, its rod drawn as thick as 6 % of its reach: the box's near face is 3 cm
// before the plane in which it swings.
static void test_bodies_of_mechanisms(void** state) {
  (void)state;
  World w = open_world_with(
      "<world timestep='1 ms'>"
      "<mechanism name='pendulum' position='0 0 2'>"
      "<body joint='hinge' axis='0 1 0' mass='1' com='0 0 -1' initial_position='1.5707963'/>"
      "</mechanism>" EYE "</world>",
      1, no_types);
  Rays* r = malloc(sizeof *r);
  assert_non_null(r);
  run(&w, 400);
  rutBodyPose body;
  assert_int_equal(rut_mechanism_bodies(w.model, w.data, 0, 1, &body), 1);
  // half way along the rod, 3 m to the side: it hangs along -z of the body
  const double* q = body.quaternion;
  const double down[3] = {-2 * (q[1] * q[3] + q[0] * q[2]), -2 * (q[2] * q[3] - q[0] * q[1]),
                          -1 + 2 * (q[1] * q[1] + q[2] * q[2])};
  for (int i = 0; i < RAYS; i++) {
    const double along = 1.2 * i / RAYS - 0.1;
    for (int k = 0; k < 3; k++) r->at[k][i] = body.position[k] + along * down[k];
    r->at[1][i] = -3;
    r->at[3][i] = r->at[5][i] = 0;
    r->at[4][i] = 1;
  }
  cast(&w, r, -1);
  for (int i = 0; i < RAYS; i++) {
    const double along = 1.2 * i / RAYS - 0.1;
    const bool on = along > -0.25 * 0.06 + 1e-6 && along < 1.03 - 1e-6;
    const bool off = along < -0.25 * 0.06 - 1e-6 || along > 1.03 + 1e-6;
    if (on) assert_near(r->range[i], 3 - 0.03, 1e-9);
    if (off) assert_int_equal(r->target[i], RUT_RAY_NOTHING);
  }
  free(r);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wheels_and_links_where_they_are),
      cmocka_unit_test(test_bodies_of_mechanisms),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
