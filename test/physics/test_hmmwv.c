// SPDX-License-Identifier: BSD-3-Clause
//
// A whole vehicle on double wishbones through the public interface: how it stands, against Project
// Chrono's converged run; its balance of energy; mirror and frame.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rut/rut.h"

// |a - b| <= tolerance, in double precision.
#define assert_near(a, b, tolerance) near_at(a, b, tolerance, __LINE__)
static void near_at(double a, double b, double tolerance, int line) {
  if (!(fabs(a - b) <= tolerance))
    fail_msg("line %d: %.17g is not %.17g +- %g", line, a, b, tolerance);
}

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
} World;

// A world with the project's HMMWV; attributes of the world, of the vehicle's file, and a change of
// a field (Nullable).
static World build(const char* world, const char* vehicle, const char* path, const char* value) {
  World w = {0};
  rutError err = {0};
  rutSpec* spec = NULL;
  char text[2000];
  snprintf(text, sizeof text,
           "<world %s><soil type='magic_formula' name='road' surface='user' d='0.8'/>"
           "<include file='vehicles/hmmwv.xml' %s/></world>",
           world, vehicle);
  assert_int_equal(rut_context_create(NULL, &w.context, &err), RUT_OK);
  if (rut_spec_parse(w.context, text, strlen(text), RUT_SOURCE_DIR "/worlds/test.xml", &spec,
                     &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  if (path && rut_spec_set(spec, path, value, &err) != RUT_OK) fail_msg("%s", err.message);
  if (rut_compile(spec, &w.model, &err) != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  return w;
}

static void destroy(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_context_destroy(w->context);
}

static void run(World* w, double seconds) {
  rutError err = {0};
  while (rut_time(w->data) < seconds - 1e-9) {
    if (rut_step(w->model, w->data, &err) != RUT_OK) fail_msg("%s", err.message);
  }
}

// ---- at rest ----

// Loads, height, pitch and the toe of the front wheels, which hang 0.11 m below their design
// position; Chrono's Fiala tyre has 580 kN/m.
static void test_rest_against_chrono(void** state) {
  static const double load[4] = {6495.7, 6494.1, 6127.6, 6125.2};
  (void)state;
  World w = build("timestep='1 ms'", "tyre='fiala' brake='1'", NULL, NULL);
  run(&w, 3);
  for (int i = 0; i < 4; i++) {
    assert_near(rut_wheel_state(w.model, w.data, i).load, load[i], 1e-3 * load[i]);
  }
  const rutVehicleState s = rut_vehicle_state(w.model, w.data, 0);
  assert_near(s.position[2], 0.59083, 0.002);
  assert_near(s.pitch * 57.29578, 0.167, 0.02);
  assert_near(s.velocity[0], 0, 1e-6);
  for (int i = 0; i < 2; i++) {
    const double toe = rut_wheel_state(w.model, w.data, i).steer * 57.29578;
    assert_near(toe, i ? 1.1 : -1.1, 0.05);
    // how far the tyres' scrub lets it down, its brakes locked, is not unique
    assert_near(rut_wheel_state(w.model, w.data, i).travel, -0.106, 0.005);
  }
  destroy(&w);
}

// It starts as it stands: nothing moves but what the small angles of the start leave.
static void test_starts_settled(void** state) {
  (void)state;
  World w = build("timestep='1 ms'", "tyre='linear' brake='1'", NULL, NULL);
  const double before = rut_vehicle_state(w.model, w.data, 0).position[2];
  run(&w, 2);
  assert_near(rut_vehicle_state(w.model, w.data, 0).position[2], before, 2e-4);
  destroy(&w);
}

// ---- energy ----

static double residual(const char* world, const char* vehicle) {
  World w = build(world, vehicle, NULL, NULL);
  run(&w, 4);
  rutEnergy e;
  assert_true(rut_vehicle_energy(w.model, w.data, 0, &e));
  assert_true(e.throughput > 2e3);
  const double part = e.residual / e.throughput;
  destroy(&w);
  return fabs(part);
}

// Driving with a steered linkage and springs with kinks: what goes in is what is stored and lost.
// With Runge-Kutta steps to their order, with the default steps to first order. A shift of gears,
// which lets shafts slip, keeps the balance too.
static void test_energy(void** state) {
  static const char* const coast = "tyre='linear' drive='direct' steering='0.2' speed='5'";
  static const char* const shift = "tyre='fiala' throttle='0.5' steering='0.2' speed='8'";
  (void)state;
  assert_true(residual("timestep='0.25 ms' integrator='rk4'", coast) < 1e-8);
  const double whole = residual("timestep='1 ms'", coast);
  const double half = residual("timestep='0.5 ms'", coast);
  assert_near(whole, 0, 3e-5);
  assert_true(half < 0.7 * whole);
  assert_true(residual("timestep='0.5 ms' integrator='rk4'", shift) < 1e-7);
}

// ---- symmetry ----

static const char* const middle[2] = {"hmmwv/chassis.com", "0.059266 0 0.212631"};

static void test_mirror(void** state) {
  (void)state;
  World left =
      build("timestep='1 ms'", "throttle='0.4' steering='0.3' speed='6'", middle[0], middle[1]);
  World right =
      build("timestep='1 ms'", "throttle='0.4' steering='-0.3' speed='6'", middle[0], middle[1]);
  run(&left, 3);
  run(&right, 3);
  const rutVehicleState a = rut_vehicle_state(left.model, left.data, 0);
  const rutVehicleState b = rut_vehicle_state(right.model, right.data, 0);
  assert_true(a.position[1] > 1);
  assert_near(a.position[0], b.position[0], 1e-9);
  assert_near(a.position[1], -b.position[1], 1e-9);
  assert_near(a.position[2], b.position[2], 1e-10);
  assert_near(a.roll, -b.roll, 1e-10);
  assert_near(a.yaw, -b.yaw, 1e-10);
  for (int i = 0; i < 4; i++) {
    const double load = rut_wheel_state(left.model, left.data, i).load;
    assert_near(load, rut_wheel_state(right.model, right.data, i ^ 1).load, 1e-5);
  }
  destroy(&left);
  destroy(&right);
}

static void test_frame(void** state) {
  (void)state;
  World a = build("timestep='1 ms'", "throttle='0.4' steering='0.3' speed='6'", NULL, NULL);
  World b =
      build("timestep='1 ms'", "throttle='0.4' steering='0.3' speed='6' yaw='73'", NULL, NULL);
  run(&a, 3);
  run(&b, 3);
  const rutVehicleState s = rut_vehicle_state(a.model, a.data, 0);
  const rutVehicleState t = rut_vehicle_state(b.model, b.data, 0);
  const double yaw = 73 / 57.295779513082323, c = cos(yaw), d = sin(yaw);
  assert_near(c * s.position[0] - d * s.position[1], t.position[0], 1e-9);
  assert_near(d * s.position[0] + c * s.position[1], t.position[1], 1e-9);
  assert_near(s.yaw + yaw, t.yaw, 1e-10);
  destroy(&a);
  destroy(&b);
}

// One vehicle among nine has the bits that it has alone.
static void test_lanes(void** state) {
  char text[4000] = "<world timestep='1 ms'>";
  rutError err = {0};
  rutSpec* spec = NULL;
  World many = {0};
  (void)state;
  for (int i = 0; i < 9; i++) {
    char one[200];
    snprintf(one, sizeof one,
             "<include file='vehicles/hmmwv.xml' name='v%d' y='%d' throttle='0.4' steering='0.2'/>",
             i, 10 * i);
    strcat(text, one);
  }
  strcat(text, "</world>");
  assert_int_equal(rut_context_create(NULL, &many.context, &err), RUT_OK);
  if (rut_spec_parse(many.context, text, strlen(text), RUT_SOURCE_DIR "/worlds/test.xml", &spec,
                     &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  if (rut_compile(spec, &many.model, &err) != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  many.data = rut_data_create(many.model);
  snprintf(text, sizeof text,
           "<world timestep='1 ms'><include file='vehicles/hmmwv.xml' name='v3' y='30' "
           "throttle='0.4' steering='0.2'/></world>");
  World one = {0};
  assert_int_equal(rut_context_create(NULL, &one.context, &err), RUT_OK);
  assert_int_equal(rut_spec_parse(one.context, text, strlen(text),
                                  RUT_SOURCE_DIR "/worlds/test.xml", &spec, &err),
                   RUT_OK);
  assert_int_equal(rut_compile(spec, &one.model, &err), RUT_OK);
  rut_spec_destroy(spec);
  one.data = rut_data_create(one.model);
  run(&many, 2);
  run(&one, 2);
  const rutVehicleState a = rut_vehicle_state(one.model, one.data, 0);
  const rutVehicleState b = rut_vehicle_state(many.model, many.data, 3);
  assert_memory_equal(a.position, b.position, sizeof a.position);
  assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
  assert_memory_equal(a.rate, b.rate, sizeof a.rate);
  destroy(&many);
  destroy(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rest_against_chrono),
      cmocka_unit_test(test_starts_settled),
      cmocka_unit_test(test_energy),
      cmocka_unit_test(test_mirror),
      cmocka_unit_test(test_frame),
      cmocka_unit_test(test_lanes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
