// SPDX-License-Identifier: BSD-3-Clause
//
// Joints of vehicles: which there are, and velocities against differences of positions.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "assert_near.h"
#include "rut/rut.h"

enum { MOST = 64 };

typedef struct World {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
} World;

static World load(const char* file) {
  World w;
  rutError err = {0};
  char path[512];
  const rutContextDef def = rut_default_context();
  snprintf(path, sizeof path, "%s/worlds/%s", RUT_SOURCE_DIR, file);
  assert_int_equal(rut_context_create(&def, &w.context, &err), RUT_OK);
  if (rut_spec_load(w.context, path, &w.spec, &err)) fail_msg("%s", err.message);
  if (rut_compile(w.spec, &w.model, &err)) fail_msg("%s", err.message);
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  return w;
}

static void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_spec_destroy(w->spec);
  rut_context_destroy(w->context);
}

static int count(const rutJointState* joint, int n, const char* part) {
  int found = 0;
  for (int i = 0; i < n; i++) found += strcmp(joint[i].part, part) == 0;
  return found;
}

// A HMMWV on wishbones that falls on its springs and drives off.
static void test_velocities(void** state) {
  (void)state;
  World w = load("hmmwv.xml");
  rutJointState joint[3][MOST];
  const double dt = rut_model_timestep(w.model);
  const int n = rut_vehicle_joints(w.model, NULL, 0, 0, NULL);
  assert_int_equal(n, rut_vehicle_joints(w.model, w.data, 0, MOST, joint[0]));
  assert_int_equal(count(joint[0], n, "wheel"), 4);
  assert_int_equal(count(joint[0], n, "steering"), 2);
  assert_int_equal(count(joint[0], n, "suspension"), 4);
  double fastest = 0;
  double quickest = 0;
  for (int i = 0; i < n; i++) {
    if (strcmp(joint[0][i].part, "steering") == 0) assert_near(joint[0][i].velocity, 0, 0);
  }
  for (int step = 0; step < 600; step++) {
    memmove(joint[0], joint[1], 2 * sizeof joint[0]);
    assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
    rut_vehicle_joints(w.model, w.data, 0, MOST, joint[2]);
    for (int i = 0; i < n && step > 2; i++) {
      const double rate = (joint[2][i].position - joint[0][i].position) / (2 * dt);
      const rutJointState* now = &joint[1][i];
      if (strcmp(now->part, "steering") == 0) {
        // the mean of the step
        assert_near(now->velocity, (now->position - joint[0][i].position) / dt, 1e-9);
        assert_true(isnan(now->effort));
        quickest = fmax(quickest, now->velocity);
        continue;
      }
      const bool suspension = strcmp(now->part, "suspension") == 0;
      // half a step of the acceleration, at most some g, or of the wheel's
      assert_near(now->velocity, rate, suspension ? 0.01 : 0.5);
      if (suspension) fastest = fmax(fastest, fabs(now->velocity));
    }
  }
  assert_true(fastest > 0.02 && quickest > 0.1);
  close_world(&w);
}

// The same of a car in the plane.
static void test_planar_steering(void** state) {
  (void)state;
  World w = load("slalom.xml");
  rutJointState joint[MOST], last[MOST] = {{0}};
  const double dt = rut_model_timestep(w.model);
  const int n = rut_vehicle_joints(w.model, w.data, 0, MOST, last);
  double quickest = 0;
  for (int step = 0; step < 200; step++) {
    const double speed_and_steer[2] = {2, 0.3 * sin(0.05 * step)};
    rut_command(w.model, w.data, 0, 2, speed_and_steer);
    assert_int_equal(rut_step(w.model, w.data, NULL), RUT_OK);
    rut_vehicle_joints(w.model, w.data, 0, MOST, joint);
    for (int i = 0; i < n; i++) {
      if (strcmp(joint[i].part, "steering") != 0) continue;
      assert_near(joint[i].velocity, (joint[i].position - last[i].position) / dt, 1e-9);
      quickest = fmax(quickest, fabs(joint[i].velocity));
    }
    memcpy(last, joint, sizeof last);
  }
  assert_true(quickest > 0.1);
  close_world(&w);
}

// Without a state there are names; planar robots have no suspension.
static void test_names(void** state) {
  (void)state;
  World w = load("demo.xml");
  rutJointState joint[MOST];
  const int vehicle = rut_find(w.model, RUT_VEHICLE, "car");
  const int n = rut_vehicle_joints(w.model, NULL, vehicle, MOST, joint);
  assert_int_equal(count(joint, n, "wheel"), 4);
  assert_int_equal(count(joint, n, "steering"), 2);
  assert_int_equal(count(joint, n, "suspension"), 0);
  for (int i = 0; i < n; i++) assert_true(isnan(joint[i].position) && isnan(joint[i].effort));
  assert_int_equal(rut_vehicle_joints(w.model, w.data, 99, MOST, joint), 0);
  close_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_velocities),
      cmocka_unit_test(test_planar_steering),
      cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
