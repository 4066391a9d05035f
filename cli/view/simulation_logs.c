// SPDX-License-Identifier: BSD-3-Clause
//
// Logs that the world names, in the viewer.
#include <stdio.h>
#include <stdlib.h>

#include "view/simulation_parts.h"
#include "world.h"

bool view_logs_begin(viewSimulation* s) {
  if (!s->loggers) return true;
  const int n = rut_loggers_count(s->loggers);
  viewStatus* status = &s->hub->status;
  status->log = calloc((size_t)n + 1, sizeof *status->log);
  if (!status->log) return false;
  status->logs = n < VIEW_LOGS ? n : VIEW_LOGS;
  view_logs_tell(s);
  return true;
}

static const char* state_of(const rutLoggerInfo* info) {
  if (!info->written) return "failed";
  if (info->paused) return "paused";
  return info->recording ? "recording" : "waiting";
}

void view_logs_tell(viewSimulation* s) {
  if (!s->loggers) return;
  view_hub_lock(s->hub);
  for (int i = 0; i < s->hub->status.logs; i++) {
    const rutLoggerInfo info = rut_loggers_info(s->loggers, i);
    viewLogStatus* log = &s->hub->status.log[i];
    log->name = info.name;
    log->state = state_of(&info);
    log->session = info.session;
    log->rows = info.rows;
    snprintf(log->file, sizeof log->file, "%s", cli_base_name(info.file));
  }
  view_hub_unlock(s->hub);
}

// A log has failed: pages are told, and whoever ends the run.
static void fail(viewSimulation* s, int client, rutStatus status, const rutError* err) {
  view_hub_error(s->hub, client, "a log was given up: %.300s", err->message);
  if (s->failure.status != RUT_OK) return;
  s->failure = *err;
  s->failure.status = status;
}

void view_logs_step(viewSimulation* s) {
  rutError err = {0};
  const rutStatus status =
      rut_loggers_step(s->loggers, view_simulation_model(s), s->now.data, &err);
  if (status != RUT_OK) fail(s, -1, status, &err);
}

void view_logs_obey(viewSimulation* s, const viewOrder* order) {
  const int n = s->loggers ? rut_loggers_count(s->loggers) : 0;
  if (order->log >= n) {
    view_hub_error(s->hub, order->client, "there is no log %d", order->log);
    return;
  }
  rutError err = {0};
  const rutStatus status = rut_loggers_order(s->loggers, order->log, order->request, &err);
  if (status != RUT_OK) fail(s, -1, status, &err);
  view_logs_tell(s);
}

rutStatus view_logs_end(viewSimulation* s, rutError* err) {
  // names go with the loggers
  view_hub_lock(s->hub);
  s->hub->status.logs = 0;
  view_hub_unlock(s->hub);
  const rutStatus status = rut_loggers_close(s->loggers, err);
  s->loggers = NULL;
  return status;
}
