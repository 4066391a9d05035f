// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds of vehicles through the public interface: build one from text, run it, take it down. What
// goes wrong fails the test. Included after cmocka.h.
#ifndef RUT_TEST_PHYSICS_VEHICLE_WORLD_H
#define RUT_TEST_PHYSICS_VEHICLE_WORLD_H

#include <stdio.h>
#include <string.h>

#include "rut/rut.h"

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
} World;

// Fill in the model and data of a world whose context there is, from a text that stands in a file
// of this name; a field of it (Nullable) is changed.
static inline void load_world(World* w, const char* text, const char* name, const char* field,
                              const char* value) {
  rutError err = {0};
  rutSpec* spec = NULL;
  if (rut_spec_parse(w->context, text, strlen(text), name, &spec, &err) != RUT_OK) {
    fail_msg("%s", err.message);
  }
  if (field && rut_spec_set(spec, field, value, &err) != RUT_OK) fail_msg("%s", err.message);
  if (rut_compile(spec, &w->model, &err) != RUT_OK) fail_msg("%s", err.message);
  rut_spec_destroy(spec);
  w->data = rut_data_create(w->model);
  assert_non_null(w->data);
}
static inline World open_context(void) {
  World w = {0};
  assert_int_equal(rut_context_create(NULL, &w.context, NULL), RUT_OK);
  // where tests lay maps of their own
  assert_int_equal(rut_context_allow_dir(w.context, "/tmp", NULL), RUT_OK);
  return w;
}

// Files that it names are in the folder of the test.
static inline World open_world(const char* text) {
  World w = open_context();
  load_world(&w, text, "test.xml", NULL, NULL);
  return w;
}
// Files that it names are among the project's worlds.
static inline World open_project_world(const char* text) {
  World w = open_context();
  load_world(&w, text, RUT_SOURCE_DIR "/worlds/test.xml", NULL, NULL);
  return w;
}

// The project's HMMWV on a road, with attributes of the world and of the vehicle's file.
static inline void load_hmmwv(World* w, const char* world, const char* vehicle, const char* field,
                              const char* value) {
  char text[2000];
  snprintf(text, sizeof text,
           "<world %s><soil type='magic_formula' name='road' surface='user' d='0.8'/>"
           "<include file='vehicles/hmmwv.xml' %s/></world>",
           world, vehicle);
  load_world(w, text, RUT_SOURCE_DIR "/worlds/test.xml", field, value);
}
static inline World open_hmmwv_with(const char* world, const char* vehicle, const char* field,
                                    const char* value) {
  World w = open_context();
  load_hmmwv(&w, world, vehicle, field, value);
  return w;
}
static inline World open_hmmwv(const char* world, const char* vehicle) {
  return open_hmmwv_with(world, vehicle, NULL, NULL);
}

static inline void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_context_destroy(w->context);
}

static inline void step_world(World* w) {
  rutError err = {0};
  if (rut_step(w->model, w->data, &err) != RUT_OK) fail_msg("%s", err.message);
}
static inline void run_until(World* w, double time) {
  while (rut_time(w->data) < time - 1e-9) step_world(w);
}

#endif  // RUT_TEST_PHYSICS_VEHICLE_WORLD_H
