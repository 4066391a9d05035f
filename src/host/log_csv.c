// SPDX-License-Identifier: BSD-3-Clause
//
// A world's log as one CSV table: the time, then a column for each signal.
#include <stdio.h>
#include <stdlib.h>

#include "base/report.h"
#include "host/csv_table.h"
#include "host/log_format.h"

enum { BUFFER = 64 * 1024, TITLE_SIZE = 512 };

typedef struct CsvLog {
  rutCsvTable table;
  const rutLogColumns* columns;
  double* value;
} CsvLog;

static rutStatus header(CsvLog* log, rutError* err) {
  const rutLogColumns* columns = log->columns;
  rut_csv_put_text(&log->table, "t [s]");
  for (int i = 0; i < columns->n; i++) {
    const rutSignal s = rut_signals_at(columns->signals, columns->index[i]);
    char text[TITLE_SIZE];
    snprintf(text, sizeof text, s.unit[0] ? "%.400s [%.60s]" : "%.400s", s.name + columns->prefix,
             s.unit);
    rut_csv_put_text(&log->table, text);
  }
  return rut_csv_end_row(&log->table, err);
}

static rutStatus csv_end(void* user, rutError* err) {
  CsvLog* log = user;
  const rutStatus status = rut_csv_table_close(&log->table, err);
  free(log->value);
  free(log);
  return status;
}

static rutStatus csv_begin(const rutLogSession* session, void** out, rutError* err) {
  CsvLog* log = calloc(1, sizeof *log);
  if (!log) return rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  log->columns = session->columns;
  log->value = malloc(((size_t)log->columns->n + 1) * sizeof *log->value);
  rutStatus status = log->value ? rut_csv_table_begin(&log->table, session->path,
                                                      session->place->id, BUFFER, 0, err)
                                : rut_error_set(err, RUT_ERR_MEMORY, "no memory for a log");
  if (status == RUT_OK) status = header(log, err);
  // from now on the file can be read, even without rows
  if (status == RUT_OK) status = rut_csv_table_flush(&log->table, err);
  if (status == RUT_OK) {
    *out = log;
  } else {
    csv_end(log, NULL);
  }
  return status;
}

static rutStatus csv_row(void* user, const rutModel* model, const rutData* data, rutError* err) {
  CsvLog* log = user;
  const rutLogColumns* columns = log->columns;
  rut_signals_read(columns->signals, model, data, columns->n, columns->index, log->value);
  rut_csv_put_number(&log->table, rut_time(data));
  rut_csv_put_numbers(&log->table, columns->n, log->value);
  return rut_csv_end_row(&log->table, err);
}

const rutLogFormat rut_log_format_csv = {
    .name = "csv", .begin = csv_begin, .row = csv_row, .end = csv_end};
