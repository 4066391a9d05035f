// SPDX-License-Identifier: BSD-3-Clause
//
// A world's log whose rows go to the program itself.
#include <stdlib.h>

#include "base/report.h"
#include "host/log_format.h"

typedef struct SinkLog {
  rutLogSink sink;
  const rutLogColumns* columns;
  double* value;
} SinkLog;

static rutStatus tell_begin(const SinkLog* log, const rutLoggerInfo* info, rutError* err) {
  const rutLogColumns* columns = log->columns;
  if (!log->sink.begin) return RUT_OK;
  rutSignal* column = malloc(((size_t)columns->n + 1) * sizeof *column);
  if (!column) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  for (int i = 0; i < columns->n; i++) {
    column[i] = rut_signals_at(columns->signals, columns->index[i]);
  }
  const rutStatus status = log->sink.begin(log->sink.user, info, columns->n, column, err);
  free(column);
  return status;
}

static rutStatus sink_begin(const rutLogSession* session, void** out, rutError* err) {
  SinkLog* log = calloc(1, sizeof *log);
  double* value = malloc(((size_t)session->columns->n + 1) * sizeof *value);
  rutStatus status =
      log && value ? RUT_OK : rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  if (status == RUT_OK) {
    *log = (SinkLog){*session->sink, session->columns, value};
    status = tell_begin(log, session->log, err);
  }
  if (status == RUT_OK) {
    *out = log;
    return RUT_OK;
  }
  free(value);
  free(log);
  return status;
}

static rutStatus sink_row(void* user, const rutModel* model, const rutData* data, rutError* err) {
  SinkLog* log = user;
  const rutLogColumns* columns = log->columns;
  rut_signals_read(columns->signals, model, data, columns->n, columns->index, log->value);
  return log->sink.row(log->sink.user, rut_time(data), columns->n, log->value, err);
}

static rutStatus sink_clear(void* user, rutError* err) {
  const SinkLog* log = user;
  return log->sink.clear ? log->sink.clear(log->sink.user, err) : RUT_OK;
}

static rutStatus sink_end(void* user, rutError* err) {
  SinkLog* log = user;
  const rutStatus status = log->sink.end ? log->sink.end(log->sink.user, err) : RUT_OK;
  free(log->value);
  free(log);
  return status;
}

const rutLogFormat rut_log_format_sink = {
    .name = "sink", .begin = sink_begin, .row = sink_row, .clear = sink_clear, .end = sink_end};
