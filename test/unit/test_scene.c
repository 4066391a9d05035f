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
#include "sim/cast.h"
#include "sim/scene.h"
#include "sim/step_bodies.h"
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

// Compare all rays, of which a part must hit.
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

// With files of the folder of worlds.
static World open_file_world(const char* text, int workers) {
  World w = {0};
  rutError err = {0};
  rutSpec* spec = NULL;
  rutContextDef def = rut_default_context();
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

// A HMMWV on double wishbones, steered, on rough ground.
static World open_hmmwv(void) {
  return open_file_world(
      "<world timestep='1 ms'><soil type='magic_formula' name='asphalt' surface='user' d='0.8'/>"
      "<terrain type='iso8608' class='E'/>"
      "<include file='vehicles/hmmwv.xml' throttle='0.6' steering='0.6' plain='1'/>" EYE "</world>",
      1);
}

// Wheels turn, steer and travel, links move with them.
static void test_wheels_and_links_where_they_are(void** state) {
  (void)state;
  World w = open_hmmwv();
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

// ---- scans and rays ----

enum { BEAMS = 721, BLOCKS = 4 };

// Robots, one at an angle, and round blocks, fixed and movable; the polygons of their contacts are
// not what is seen.
static const char round_world[] =
    "<world timestep='0.01'>"
#define ROBOT(name, place)                                                                       \
  "<vehicle name='" name "' " place                                                              \
  "><chassis mass='10' outline='-0.1 -0.1 0.1 -0.1 0.1 0.1 -0.1 0.1' z_min='0.05' z_max='0.1'/>" \
  "<wheel name='l' position='0.1 0.4' yaw='20 deg' place='left' mass='1' radius='0.3' "          \
  "width='0.1'/>"                                                                                \
  "<wheel name='r' position='0 -0.4' place='right' mass='1' radius='0.3' width='0.2'/>"          \
  "<tyre type='coulomb'/></vehicle>"
    ROBOT("a", "position='3 0' velocity='0.5 0' yaw_rate='0.3'") ROBOT("b", "position='0 -2' yaw='50 deg'")
    "<block name='post' position='-2 1' shape='cylinder' radius='0.5' length='2' fixed='true'/>"
    "<block name='drum' position='-1 -3' yaw='1' shape='cylinder' radius='0.4' length='1' "
    "vertices='5'/>"
    "<block name='ball' position='1 2' shape='sphere' radius='0.6' fixed='true' vertices='4'/>"
    "<block name='balloon' position='-3 -1' shape='sphere' radius='0.35' vertices='3'/>" EYE
    "</world>";

// Least of the distances to all wheels, blocks and chassis.
static double to_round_world(const World* w, const double o[3], const double d[3]) {
  static const double radius[BLOCKS] = {0.5, 0.4, 0.6, 0.35}, height[BLOCKS] = {2, 1, 0, 0};
  double best = (double)INFINITY;
  Rod rod[4];
  assert_int_equal(rods_of(w, 0.1, 0, rod), 4);
  for (int i = 1; i < 4; i += 2) {
    // the right ones are twice as wide
    for (int k = 0; k < 3; k++) {
      const double half = 0.5 * (rod[i].to[k] - rod[i].from[k]);
      rod[i].to[k] += half;
      rod[i].from[k] -= half;
    }
  }
  for (int i = 0; i < 4; i++) best = fmin(best, to_rod(&rod[i], o, d));
  for (int i = 0; i < BLOCKS; i++) {
    double pose[6], velocity[3];
    rut_block_state(w->model, w->data, i, pose, velocity);
    if (height[i] > 0) {
      const Rod post = {
          {pose[0], pose[1], pose[2]}, {pose[0], pose[1], pose[2] + height[i]}, radius[i]};
      best = fmin(best, to_rod(&post, o, d));
      continue;
    }
    const double c[3] = {o[0] - pose[0], o[1] - pose[1], o[2] - pose[2] - radius[i]};
    const double b = dot(c, d), rest = b * b - dot(c, c) + radius[i] * radius[i];
    const double t = rest >= 0 ? -b - sqrt(rest) : -1;
    if (t >= 0) best = fmin(best, t);
  }
  return best;
}

// A scan in a level plane gives the ranges of rays in space, and both those of the true shapes.
static void test_scans_see_what_rays_see(void** state) {
  (void)state;
  World w = open_world_with(round_world, 1, no_types);
  double angle[BEAMS], at[6][BEAMS], range[BEAMS], space[BEAMS], normal[3][BEAMS];
  void* scratch =
      malloc(rut_scan_scratch(w.model->contact, BEAMS) + rut_cast_scratch(w.model, BEAMS));
  assert_non_null(scratch);
  uint64_t seed = 5;
  int hits = 0;
  run(&w, 40);
  for (int scan = 0; scan < 200; scan++) {
    const double z = 0.11 + 1.2 * uniform(&seed), x = 6 * uniform(&seed) - 3,
                 y = 6 * uniform(&seed) - 3;
    // few rays meet an object in one scan, many in the next
    const double step = scan % 2 ? 0.5 * 3.14159 / 180 : 0.02 * 3.14159 / 180,
                 first = 7 * uniform(&seed);
    for (int i = 0; i < BEAMS; i++) {
      angle[i] = first + i * step;
      at[0][i] = x;
      at[1][i] = y;
      at[2][i] = z;
      at[3][i] = cos(angle[i]);
      at[4][i] = sin(angle[i]);
      at[5][i] = 0;
    }
    const rutScan level = {.x = x,
                           .y = y,
                           .z = z,
                           .n = BEAMS,
                           .angle = angle,
                           .max_range = 20,
                           .bodies = true,
                           .skip_body = -1};
    rut_scan_cast(w.model->contact, w.data->contact, &w.data->bodies, &level, scratch,
                  (rutScanResult){range, NULL});
    const rutRays rays = {.n = BEAMS,
                          .x = at[0],
                          .y = at[1],
                          .z = at[2],
                          .dx = at[3],
                          .dy = at[4],
                          .dz = at[5],
                          .max_range = 20,
                          .bodies = true,
                          .skip_vehicle = -1};
    rut_cast_rays(w.model, w.data, &rays,
                  &(rutRayHits){space, {normal[0], normal[1], normal[2]}, NULL, NULL, NULL, {NULL}},
                  NULL, scratch);
    for (int i = 0; i < BEAMS; i++) {
      const double o[3] = {x, y, z}, d[3] = {at[3][i], at[4][i], 0};
      const double want = to_round_world(&w, o, d);
      // a ray that only touches may miss for the one and hit for the other
      const double graze = fabs(normal[0][i] * d[0] + normal[1][i] * d[1]);
      if (space[i] > 0 && graze < 1e-3) continue;
      if (!(want < 20) && space[i] < 0 && range[i] < 0) continue;
      assert_near(space[i], want, 1e-9);
      assert_near(range[i], want, 1e-9);
      hits++;
    }
  }
  assert_true(hits > 20000);
  free(scratch);
  close_world(&w);
}

// Rays from all sides see the true shapes too, from their outside.
static void test_rays_in_space_see_round_shapes(void** state) {
  (void)state;
  World w = open_world_with(round_world, 1, no_types);
  Rays* r = malloc(sizeof *r);
  static double normal[3][RAYS];
  void* scratch = malloc(rut_cast_scratch(w.model, RAYS));
  assert_true(r && scratch);
  run(&w, 40);
  int hits = 0;
  aim(r, (const double[3]){1, -1, 1.5}, 23);
  const rutRays rays = {.n = RAYS,
                        .x = r->at[0],
                        .y = r->at[1],
                        .z = r->at[2],
                        .dx = r->at[3],
                        .dy = r->at[4],
                        .dz = r->at[5],
                        .max_range = 20,
                        .bodies = true,
                        .skip_vehicle = -1};
  rut_bodies_gather_all(w.model, w.data);
  rut_contact_index(w.model->contact, w.data->contact, &w.data->bodies);
  rut_cast_rays(w.model, w.data, &rays,
                &(rutRayHits){.range = r->range, .normal = {normal[0], normal[1], normal[2]}}, NULL,
                scratch);
  for (int i = 0; i < RAYS; i++) {
    double o[3], d[3], n[3];
    for (int k = 0; k < 3; k++) {
      o[k] = r->at[k][i];
      d[k] = r->at[3 + k][i];
      n[k] = normal[k][i];
    }
    // the chassis of the robots are at most 0.1 m high
    if (r->range[i] > 0 && o[2] + r->range[i] * d[2] < 0.11) continue;
    const double want = to_round_world(&w, o, d);
    if (r->range[i] < 0 || fabs(dot(n, d)) < 1e-3) continue;
    assert_near(r->range[i], want, 1e-9);
    assert_true(dot(n, d) < 0);
    hits++;
  }
  assert_true(hits > RAYS / 50);
  free(scratch);
  free(r);
  close_world(&w);
}

// ---- threads, and states ----

#define LASER(name, place) \
  "<sensor type='laser' name='" name "' " place " rays='181' fov='170 deg' period='0.01'/>"

// Two vehicles that drive among lasers of which several are due in every step.
static World open_watched(int workers) {
  static const char text[] =
      "<world timestep='2 ms'><soil type='magic_formula' name='asphalt' surface='user' d='0.8'/>"
      "<include file='vehicles/hmmwv.xml' name='a' throttle='0.6' steering='0.3'/>"
      "<include file='vehicles/hmmwv.xml' name='b' x='0' y='5' throttle='0.3'/>"
      "<mechanism name='m' position='2 3 2'><body joint='hinge' axis='0 1 0' mass='1' "
      "com='0 0 -1' initial_position='1'/></mechanism>"  //
      LASER("level", "x='-4' y='2' z='0.4'") LASER("tilted", "x='-4' y='-2' z='1' pitch='9 deg'")
          LASER("third", "x='6' y='2' z='0.5' yaw='3' roll='0.1'") "</world>";
  return open_file_world(text, workers);
}

static uint64_t hash_after(World* w, int steps) {
  run(w, steps);
  return rut_state_hash(w->model, w->data);
}

// The first ray of an instant puts everything in its place, whichever thread casts it.
static void test_same_bits(void** state) {
  (void)state;
  World w = open_watched(1);
  const uint64_t half = hash_after(&w, 150);
  const size_t size = rut_state_size(w.model, w.data, RUT_STATE_ALL);
  void* saved = malloc(size);
  assert_non_null(saved);
  assert_int_equal(rut_state_get(w.model, w.data, RUT_STATE_ALL, saved, size), RUT_OK);
  const uint64_t whole = hash_after(&w, 150);
  for (int workers = 2; workers <= 4; workers++) {
    World other = open_watched(workers);
    assert_true(hash_after(&other, 150) == half);
    assert_true(hash_after(&other, 150) == whole);
    close_world(&other);
  }
  World fresh = open_watched(1);
  assert_int_equal(rut_state_set(fresh.model, fresh.data, RUT_STATE_ALL, saved, size), RUT_OK);
  assert_true(hash_after(&fresh, 150) == whole);
  close_world(&fresh);
  free(saved);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wheels_and_links_where_they_are),
      cmocka_unit_test(test_bodies_of_mechanisms),
      cmocka_unit_test(test_scans_see_what_rays_see),
      cmocka_unit_test(test_rays_in_space_see_round_shapes),
      cmocka_unit_test(test_same_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
