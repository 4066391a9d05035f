// SPDX-License-Identifier: BSD-3-Clause
#include "worlds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

const char* const test_worlds[TEST_WORLDS] = {"brake_test",
                                              "corridor",
                                              "delayed_steering",
                                              "demo",
                                              "depot",
                                              "endurance",
                                              "figure_of_eight",
                                              "hills",
                                              "hmmwv",
                                              "laser_failures",
                                              "lidar",
                                              "logged",
                                              "mechanisms",
                                              "mixed_ground",
                                              "obstacles",
                                              "ramp",
                                              "ropes",
                                              "rover_jump",
                                              "rover_ramp",
                                              "rover_sine",
                                              "sensors",
                                              "skid_steer",
                                              "slalom",
                                              "soils",
                                              "split_friction",
                                              "survey",
                                              "swarm",
                                              "trailer",
                                              "trajectory",
                                              "warehouse"};

TestWorld test_world_open(const char* name, int workers) {
  TestWorld w = {0};
  char path[512];
  snprintf(path, sizeof path, "%s/worlds/%s.xml", RUT_SOURCE_DIR, name);
  rutContextDef def = rut_default_context();
  def.workers = workers;
  rutError err = {0};
  rutStatus status = rut_context_create(&def, &w.context, &err);
  if (status == RUT_OK) status = rut_spec_load(w.context, path, &w.spec, &err);
  if (status == RUT_OK) status = rut_compile(w.spec, &w.model, &err);
  if (status != RUT_OK) {
    fail_msg("%s:%d:%d: %s", err.file, err.line, err.column, err.message);
  }
  w.data = rut_data_create(w.model);
  assert_non_null(w.data);
  return w;
}

void test_world_close(TestWorld* world) {
  rut_data_destroy(world->data);
  rut_model_destroy(world->model);
  rut_spec_destroy(world->spec);
  rut_context_destroy(world->context);
}

void test_world_run(TestWorld* world, int steps) {
  for (int i = 0; i < steps; i++) {
    rutError err = {0};
    if (rut_step(world->model, world->data, &err) != RUT_OK)
      fail_msg("step %d: %s", i, err.message);
  }
}

uint64_t test_world_hash(const char* name, int workers, int steps) {
  TestWorld w = test_world_open(name, workers);
  test_world_run(&w, steps);
  uint64_t hash = rut_state_hash(w.model, w.data);
  test_world_close(&w);
  return hash;
}
