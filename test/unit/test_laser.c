// SPDX-License-Identifier: BSD-3-Clause
//
// The laser through its component interface, in a square room whose ranges have a closed form.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_near.h"
#include "contact_fixture.h"
#include "rut/component.h"

static const double pi = 3.14159265358979323846;

extern const rutSensorType rut_sensor_laser;

enum { PARAMS = 19, MOST_RAYS = 4000 };

// ---------------------------------------------------------------------------------------------
// A host: casts in a world, counts what it is asked for, and makes normal numbers of its own

typedef struct host {
  world* w;
  uint64_t sample;
  rutRayFan last;
  bool ascending;
} host;

static void host_cast_fan(const void* user, const rutRayFan* fan, double* range,
                          unsigned char* grid) {
  host* h = (host*)(uintptr_t)user;
  h->last = *fan;
  h->ascending = true;
  double angle[MOST_RAYS];
  for (int i = 0; i < fan->n; i++) {
    angle[i] = fan->pose[5] + fan->angle[i];
    if (i && angle[i] < angle[i - 1]) h->ascending = false;
  }
  rutScan s = {.x = fan->pose[0],
               .y = fan->pose[1],
               .z = fan->pose[2],
               .n = fan->n,
               .angle = angle,
               .max_range = fan->max_range,
               .bodies = fan->bodies,
               .skip_body = fan->skip_vehicle};
  void* scratch = malloc(rut_scan_scratch(h->w->model, fan->n));
  rut_scan_cast(h->w->model, h->w->state, &h->w->at, &s, scratch, (rutScanResult){range, grid});
  free(scratch);
}

// Finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): neighbouring counters give
// unrelated numbers, which a plain congruential step does not.
static double mixed_unit(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return (double)((x ^ x >> 31) >> 11) * 0x1p-53 + 0x1p-54;
}

// Box and Muller from a hashed counter.
static double host_normal(const void* user, uint32_t index) {
  const host* h = user;
  uint64_t counter = (h->sample << 33 | (uint64_t)index << 1) + 1;
  double u = mixed_unit(counter * UINT64_C(0x9e3779b97f4a7c15));
  double v = mixed_unit((counter + 1) * UINT64_C(0x9e3779b97f4a7c15));
  return sqrt(-2 * log(u)) * cos(2 * pi * v);
}

static void host_normals(const void* user, uint32_t first, int n, double* out) {
  for (int i = 0; i < n; i++) out[i] = host_normal(user, first + (uint32_t)i);
}

// Room with inner walls at +-3 m in x and +-2 m in y, and a box of 1 m, body 0, about (1, 0).
static world room(void) {
  world w = world_new(1, 5);
  w.body[0] = (rutBodyDef){1, 1, 0, 0};
  world_box(&w, 0, 0, 0, 1, 1);
  world_box(&w, -1, 3.5, 0, 1, 6);
  world_box(&w, -1, -3.5, 0, 1, 6);
  world_box(&w, -1, 0, 2.5, 8, 1);
  world_box(&w, -1, 0, -2.5, 8, 1);
  world_build(&w);
  w.at.x[0] = 1;
  rut_contact_index(w.model, w.state, &w.at);
  return w;
}

// Distance to the walls from (x, y) in a direction.
static double room_range(double x, double y, double angle) {
  double c = cos(angle), s = sin(angle);
  double tx = c > 0 ? (3 - x) / c : c < 0 ? (-3 - x) / c : HUGE_VAL;
  double ty = s > 0 ? (2 - y) / s : s < 0 ? (-2 - y) / s : HUGE_VAL;
  return fmin(tx, ty);
}

static int row(const char* name) {
  const rutComponent* base = &rut_sensor_laser.base;
  for (int i = 0; i < base->fields; i++) {
    if (strcmp(base->field[i].name, name) == 0) return i;
  }
  fail_msg("no field %s", name);
  return 0;
}

static void defaults(double* param) {
  assert_int_equal(rut_sensor_laser.base.fields, PARAMS);
  for (int i = 0; i < PARAMS; i++) param[i] = rut_sensor_laser.base.field[i].def;
}

static void take(const double* param, host* h, const double pose[6], int vehicle, double* out) {
  rutSensorIn in = {
      .vehicle = vehicle, .cast_fan = host_cast_fan, .normals = host_normals, .host = h};
  memcpy(in.pose, pose, sizeof in.pose);
  void* scratch = malloc(rut_sensor_laser.scratch(param));
  rut_sensor_laser.sample(param, &in, NULL, scratch, (void*[]){out});
  free(scratch);
}

// ---------------------------------------------------------------------------------------------

// MVSim's defaults, and the order of rows that all sensors share.
static void test_fields(void** state) {
  (void)state;
  double param[PARAMS];
  defaults(param);
  assert_int_equal(row("period"), 0);
  assert_int_equal(row("yaw"), 8);
  assert_near(param[row("fov")], pi, 1e-15);
  assert_near(param[row("rays")], 181, 0);
  assert_near(param[row("max_range")], 80, 0);
  assert_near(param[row("range_noise")], 0.01, 0);
  assert_near(param[row("angle_noise")], 0.01 * pi / 180, 1e-15);
  rutScanGeometry geometry;
  rut_sensor_laser.scan(param, &geometry);
  assert_int_equal(geometry.rays, 181);
  assert_near(geometry.angle_min, -pi / 2, 1e-15);
  assert_near(geometry.angle_increment, pi / 180, 1e-15);
  assert_string_equal(rut_sensor_laser.base.kind, "sensor");
}

static void test_square_room(void** state) {
  (void)state;
  world w = room();
  host h = {.w = &w, .sample = 1};
  double param[PARAMS], out[MOST_RAYS], pose[6] = {-1.2, 0.4, 0.5, 0, 0, 0.7};
  defaults(param);
  param[row("range_noise")] = param[row("angle_noise")] = 0;
  param[row("bodies_visible")] = 0;
  const double fovs[] = {pi, 2 * pi, 1.5};
  const int rays[] = {181, 720, 2};
  for (int k = 0; k < 3; k++) {
    param[row("fov")] = fovs[k];
    param[row("rays")] = rays[k];
    take(param, &h, pose, -1, out);
    for (int i = 0; i < rays[k]; i++) {
      double angle = 0.7 - fovs[k] / 2 + i * fovs[k] / (rays[k] - 1);
      assert_near(out[i], room_range(-1.2, 0.4, angle), 1e-9);
    }
  }
  param[row("rays")] = 1;
  take(param, &h, pose, -1, out);
  assert_near(out[0], room_range(-1.2, 0.4, 0.7), 1e-9);
  // beyond the range nothing is seen
  param[row("rays")] = 181;
  param[row("fov")] = pi;
  param[row("max_range")] = 2;
  take(param, &h, pose, -1, out);
  for (int i = 0; i < 181; i++) {
    double expect = room_range(-1.2, 0.4, 0.7 - pi / 2 + i * pi / 180);
    assert_near(out[i], expect <= 2 ? expect : -1, 1e-9);
  }
  world_free(&w);
}

// Bodies and the carrier are seen or not as the flags say.
static void test_visibility(void** state) {
  (void)state;
  world w = room();
  host h = {.w = &w, .sample = 1};
  double param[PARAMS], out[MOST_RAYS], pose[6] = {-1, 0, 0.5, 0, 0, 0};
  defaults(param);
  param[row("range_noise")] = param[row("angle_noise")] = 0;
  take(param, &h, pose, -1, out);
  assert_near(out[90], 1.5, 1e-12);
  param[row("bodies_visible")] = 0;
  take(param, &h, pose, -1, out);
  assert_near(out[90], 4, 1e-12);
  param[row("bodies_visible")] = 1;
  take(param, &h, pose, 0, out);
  assert_near(out[90], 4, 1e-12);
  assert_int_equal(h.last.skip_vehicle, 0);
  param[row("ignore_parent")] = 0;
  take(param, &h, pose, 0, out);
  assert_near(out[90], 1.5, 1e-12);
  world_free(&w);
}

// Mean and deviation of the range error within three standard errors of those asked for.
static void test_range_noise_statistics(void** state) {
  (void)state;
  world w = room();
  host h = {.w = &w, .sample = 0};
  enum { SAMPLES = 200, RAYS = 181 };
  double param[PARAMS], out[MOST_RAYS], pose[6] = {0.2, 0.3, 0.5, 0, 0, 0};
  defaults(param);
  param[row("angle_noise")] = 0;
  param[row("bodies_visible")] = 0;
  const double sigma = param[row("range_noise")] = 0.05, n = SAMPLES * RAYS;
  double sum = 0, square = 0, first = 0, last = 0;
  for (int k = 0; k < SAMPLES; k++) {
    h.sample = (uint64_t)k;
    take(param, &h, pose, -1, out);
    for (int i = 0; i < RAYS; i++) {
      double e = out[i] - room_range(0.2, 0.3, -pi / 2 + i * pi / (RAYS - 1));
      sum += e;
      square += e * e;
      if (i > 0) first += e * last;
      last = e;
    }
  }
  assert_near(sum / n, 0, 3 * sigma / sqrt(n));
  assert_near(sqrt(square / n), sigma, 3 * sigma / sqrt(2 * n));
  // neighbouring rays are independent
  assert_near(first / n, 0, 3 * sigma * sigma / sqrt(n));
  world_free(&w);
}

// Facing a wall at distance d under the angle a, a small direction error t changes the range by
// d tan(a) / cos(a) t.
static void test_angle_noise_statistics(void** state) {
  (void)state;
  world w = room();
  host h = {.w = &w, .sample = 0};
  enum { SAMPLES = 400, RAYS = 41 };
  double param[PARAMS], out[MOST_RAYS], pose[6] = {1, 0, 0.5, 0, 0, 0.4};
  defaults(param);
  param[row("range_noise")] = 0;
  param[row("bodies_visible")] = 0;
  param[row("rays")] = RAYS;
  param[row("fov")] = 0.2;
  const double sigma = param[row("angle_noise")] = 1e-3, n = SAMPLES * RAYS;
  double sum = 0, square = 0;
  for (int k = 0; k < SAMPLES; k++) {
    h.sample = (uint64_t)k;
    take(param, &h, pose, -1, out);
    for (int i = 0; i < RAYS; i++) {
      double a = 0.4 - 0.1 + i * 0.2 / (RAYS - 1);
      double turned = acos(2 / out[i]) - a;
      sum += turned;
      square += turned * turned;
    }
  }
  assert_near(sum / n, 0, 3 * sigma / sqrt(n));
  assert_near(sqrt(square / n), sigma, 3 * sigma / sqrt(2 * n) + 1e-9);
  world_free(&w);
}

// Noise larger than the step between rays mixes their order; each reading must still be that of
// its own ray. The host gets ascending angles whatever happens.
static void test_mixed_rays_keep_their_places(void** state) {
  (void)state;
  world w = room();
  host h = {.w = &w, .sample = 5};
  double param[PARAMS], out[MOST_RAYS], pose[6] = {0, 0, 0.5, 0, 0, 0};
  defaults(param);
  param[row("range_noise")] = 0;
  param[row("bodies_visible")] = 0;
  param[row("rays")] = 1000;
  param[row("angle_noise")] = 0.3;
  take(param, &h, pose, -1, out);
  assert_true(h.ascending);
  for (int i = 0; i < 1000; i++) {
    double angle = -pi / 2 + i * pi / 999 + 0.3 * host_normal(&h, (uint32_t)(1000 + i));
    assert_near(out[i], room_range(0, 0, angle), 1e-9);
  }
  world_free(&w);
}

// The same sample has the same noise, the next one another.
static void test_noise_is_repeatable(void** state) {
  (void)state;
  world w = room();
  host h = {.w = &w, .sample = 3};
  double param[PARAMS], a[181], b[181], c[181], pose[6] = {0, 0, 0.5, 0, 0, 0};
  defaults(param);
  take(param, &h, pose, -1, a);
  take(param, &h, pose, -1, b);
  h.sample = 4;
  take(param, &h, pose, -1, c);
  assert_memory_equal(a, b, sizeof a);
  assert_true(memcmp(a, c, sizeof a) != 0);
  // noise never turns a hit into a miss
  param[row("range_noise")] = 100;
  take(param, &h, pose, -1, a);
  for (int i = 0; i < 181; i++) assert_true(a[i] >= 0);
  // nor a miss into a hit
  param[row("max_range")] = 0.1;
  take(param, &h, pose, -1, a);
  for (int i = 0; i < 181; i++) assert_true(a[i] == -1);
  world_free(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fields),
      cmocka_unit_test(test_square_room),
      cmocka_unit_test(test_visibility),
      cmocka_unit_test(test_range_noise_statistics),
      cmocka_unit_test(test_angle_noise_statistics),
      cmocka_unit_test(test_mixed_rays_keep_their_places),
      cmocka_unit_test(test_noise_is_repeatable),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
