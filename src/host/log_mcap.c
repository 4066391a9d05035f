// SPDX-License-Identifier: BSD-3-Clause
//
// A world's log as MCAP: a topic for each element, as `rut run --log` has them, and the world.
#include "host/log_format.h"
#include "host/log_parts.h"

static rutStatus mcap_begin(const rutLogSession* session, void** out, rutError* err) {
  const rutLogColumns* columns = session->columns;
  rutLogDef def = rut_default_log();
  def.rate = 1 / ((double)columns->every * rut_model_timestep(session->model));
  def.transforms = def.odometry = def.samples = def.joints = def.navigation = false;
  def.spec = session->spec;
  def.seed = session->seed;
  def.command = session->command;
  const rutLogOpening opening = {.path = session->path,
                                 .def = &def,
                                 .place = session->place,
                                 .signals = columns->signals,
                                 .n = columns->n,
                                 .index = columns->index};
  rutLog* log;
  const rutStatus status = rut_log_open_with(session->model, &opening, &log, err);
  *out = log;
  return status;
}

static rutStatus mcap_row(void* log, const rutModel* model, const rutData* data, rutError* err) {
  return rut_log_step(log, model, data, err);
}

static rutStatus mcap_end(void* log, rutError* err) { return rut_log_close(log, err); }

const rutLogFormat rut_log_format_mcap = {
    .name = "mcap", .begin = mcap_begin, .row = mcap_row, .end = mcap_end};
