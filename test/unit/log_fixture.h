// SPDX-License-Identifier: BSD-3-Clause
//
// A world, a folder of its own, and a log in it. Included after cmocka.h.
#ifndef RUT_TEST_UNIT_LOG_FIXTURE_H
#define RUT_TEST_UNIT_LOG_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rut/host.h"
#include "scratch_folder.h"

typedef struct Fixture {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutData* data;
  char folder[SCRATCH_FOLDER_SIZE], path[96];
} Fixture;

// A robot that drives a circle as told: 2 m/s at 0.5 rad/s.
static const char* const circle =
    "<world timestep='0.01'><vehicle name='r1'><chassis mass='10' "
    "outline='-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3'/>"
    "<wheel name='l' position='0 0.25' place='left' mass='1' radius='0.1'/>"
    "<wheel name='r' position='0 -0.25' place='right' mass='1' radius='0.1'/>"
    "<tyre type='coulomb'/><drive type='direct'/>"
    "<controller type='twist_ideal' speed='2' yaw_rate='0.5'/>"
    "<sensor type='laser' name='scan' rays='5' range_noise='0' angle_noise='0' period='0.1'/>"
    "</vehicle>"
    "<block name='box' shape='box' size='1 1 1' position='5 -3' mass='5' velocity='1 0'/>"
    "<mechanism name='arm'><body joint='hinge' axis='0 1 0' com='0 0 -1' "
    "initial_position='0.3'/></mechanism></world>";

static inline void build(Fixture* f, rutStatus status, const rutError* err) {
  rutError second = {0};
  if (status != RUT_OK || rut_compile(f->spec, &f->model, &second) != RUT_OK) {
    fail_msg("%s:%d: %s%s", err->file, err->line, err->message, second.message);
  }
  f->data = rut_data_create(f->model);
  assert_non_null(f->data);
}

static inline int set_up(void** state) {
  Fixture* f = calloc(1, sizeof *f);
  assert_non_null(f);
  assert_int_equal(rut_context_create(NULL, &f->context, NULL), RUT_OK);
  make_scratch_folder(f->folder);
  snprintf(f->path, sizeof f->path, "%s/run.mcap", f->folder);
  *state = f;
  return 0;
}

static inline int tear_down(void** state) {
  Fixture* f = *state;
  rut_data_destroy(f->data);
  rut_model_destroy(f->model);
  rut_spec_destroy(f->spec);
  rut_context_destroy(f->context);
  remove_scratch_folder(f->folder);
  free(f);
  return 0;
}

static inline void parse(Fixture* f, const char* text) {
  rutError err = {0};
  const rutStatus status =
      rut_spec_parse(f->context, text, strlen(text), "test.xml", &f->spec, &err);
  build(f, status, &err);
}

static inline void load(Fixture* f, const char* world) {
  rutError err = {0};
  char path[512];
  snprintf(path, sizeof path, "%s/worlds/%s", RUT_SOURCE_DIR, world);
  const rutStatus status = rut_spec_load(f->context, path, &f->spec, &err);
  build(f, status, &err);
}

static inline void run(Fixture* f, int steps) {
  for (int i = 0; i < steps; i++) assert_int_equal(rut_step(f->model, f->data, NULL), RUT_OK);
}

static inline double value(Fixture* f, rutSignals* signals, const char* name) {
  const int index = rut_signals_find(signals, name);
  if (index < 0) fail_msg("no signal %s", name);
  double out;
  rut_signals_read(signals, f->model, f->data, 1, &index, &out);
  return out;
}

static inline rutLog* begin_log(Fixture* f, rutLogDef* def) {
  rutLog* log = NULL;
  rutError err = {0};
  if (rut_log_create(f->model, f->path, def, &log, &err) != RUT_OK) fail_msg("%s", err.message);
  assert_int_equal(rut_log_step(log, f->model, f->data, NULL), RUT_OK);
  return log;
}

static inline void run_log(Fixture* f, rutLog* log, int steps) {
  for (int i = 0; i < steps; i++) {
    run(f, 1);
    assert_int_equal(rut_log_step(log, f->model, f->data, NULL), RUT_OK);
  }
}

static inline rutLogFile* open_log(const char* path) {
  rutLogFile* file = NULL;
  rutError err = {0};
  if (rut_log_open(path, &file, &err) != RUT_OK) fail_msg("%s", err.message);
  return file;
}

#endif  // RUT_TEST_UNIT_LOG_FIXTURE_H
