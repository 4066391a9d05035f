// SPDX-License-Identifier: BSD-3-Clause
//
// Worlds from texts, with components of a test's own. Included after cmocka.h.
#ifndef RUT_TEST_UNIT_WORLD_FIXTURE_H
#define RUT_TEST_UNIT_WORLD_FIXTURE_H

#include <string.h>

#include "rut/component.h"

typedef struct World {
  rutContext* context;
  rutModel* model;
  rutData* data;
  char message[512];  // of the error
} World;

// Load a world. types: components to register, up to NULL. workers: 0 for the default. False, with
// a message, if the world is refused; close_world is due either way.
static inline bool load_world(World* w, const char* text, int workers,
                              const rutComponent* const* types) {
  rutError err = {0};
  rutSpec* spec = NULL;
  rutContextDef def = rut_default_context();
  if (workers > 0) def.workers = workers;
  *w = (World){0};
  assert_int_equal(rut_context_create(&def, &w->context, &err), RUT_OK);
  for (int i = 0; types[i]; i++) {
    if (rut_register(w->context, types[i], &err) != RUT_OK) fail_msg("%s", err.message);
  }
  rutStatus status = rut_spec_parse(w->context, text, strlen(text), "world.xml", &spec, &err);
  if (status == RUT_OK) status = rut_compile(spec, &w->model, &err);
  rut_spec_destroy(spec);
  memcpy(w->message, err.message, sizeof w->message);
  if (status != RUT_OK) return false;
  w->data = rut_data_create(w->model);
  assert_non_null(w->data);
  return true;
}

// Load a world that must be fine.
static inline World open_world_with(const char* text, int workers,
                                    const rutComponent* const* types) {
  World w;
  if (!load_world(&w, text, workers, types)) fail_msg("%s", w.message);
  return w;
}

static inline void close_world(World* w) {
  rut_data_destroy(w->data);
  rut_model_destroy(w->model);
  rut_context_destroy(w->context);
}

static inline void run(World* w, int steps) {
  for (int i = 0; i < steps; i++) assert_int_equal(rut_step(w->model, w->data, NULL), RUT_OK);
}

#endif  // RUT_TEST_UNIT_WORLD_FIXTURE_H
