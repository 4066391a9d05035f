// SPDX-License-Identifier: BSD-3-Clause
//
// Receives the rows of all logs that a world names, instead of files, and prints for each session
// the number of rows and the range of each column.
//   cc main.c $(pkg-config --cflags --libs rut) -o log_sink && ./log_sink worlds/logged.xml
#include <rut/host.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_COLUMNS = 64 };

// A session up to now.
typedef struct Session {
  const char* log;
  int number, columns, rows;
  rutSignal column[MOST_COLUMNS];
  double first, last;  // times [s]
  double least[MOST_COLUMNS], most[MOST_COLUMNS];
} Session;

static rutStatus begin(void* user, const rutLoggerInfo* log, int n, const rutSignal* column,
                       rutError* error) {
  Session* s = user;
  if (n > MOST_COLUMNS) {
    snprintf(error->message, sizeof error->message, "%s has too many columns", log->name);
    return RUT_ERR_CAPACITY;
  }
  *s = (Session){.log = log->name, .number = log->session, .columns = n};
  for (int i = 0; i < n; i++) s->column[i] = column[i];
  return RUT_OK;
}

static rutStatus row(void* user, double time, int n, const double* value, rutError* error) {
  Session* s = user;
  (void)error;
  if (s->rows++ == 0) s->first = time;
  s->last = time;
  for (int i = 0; i < n; i++) {
    if (s->rows == 1 || value[i] < s->least[i]) s->least[i] = value[i];
    if (s->rows == 1 || value[i] > s->most[i]) s->most[i] = value[i];
  }
  return RUT_OK;
}

static rutStatus clear(void* user, rutError* error) {
  (void)error;
  ((Session*)user)->rows = 0;
  return RUT_OK;
}

static rutStatus end(void* user, rutError* error) {
  const Session* s = user;
  (void)error;
  printf("%s, session %d: %d rows of %d columns, from %g s to %g s\n", s->log, s->number, s->rows,
         s->columns, s->first, s->last);
  for (int i = 0; i < s->columns && s->rows > 0; i++) {
    printf("  %s: %g to %g %s\n", s->column[i].name, s->least[i], s->most[i], s->column[i].unit);
  }
  return RUT_OK;
}

// Runs a world for its duration, with a sink for each of its logs.
static rutStatus run(const rutSpec* spec, const rutModel* model, rutData* data, rutLoggers* loggers,
                     rutError* error) {
  const double duration = rut_node_number(spec, rut_spec_root(spec), "duration");
  const int n = rut_loggers_count(loggers);
  Session* session = calloc((size_t)n + 1, sizeof *session);
  rutStatus status = session ? RUT_OK : RUT_ERR_MEMORY;
  for (int i = 0; i < n && status == RUT_OK; i++) {
    const rutLogSink sink = {&session[i], begin, row, clear, end};
    status = rut_loggers_set_sink(loggers, i, &sink, error);
  }
  if (status == RUT_OK) status = rut_loggers_step(loggers, model, data, error);
  while (status == RUT_OK && rut_time(data) < duration - 1e-9) {
    status = rut_step(model, data, error);
    if (status == RUT_OK) status = rut_loggers_step(loggers, model, data, error);
  }
  // ends the open sessions, which print their summary
  const rutStatus closed = rut_loggers_close(loggers, status == RUT_OK ? error : NULL);
  free(session);
  return status == RUT_OK ? closed : status;
}

int main(int argc, char** argv) {
  rutContext* context;
  rutSpec* spec;
  rutModel* model;
  rutLoggers* loggers;
  rutError error = {.message = "usage: log_sink WORLD"};
  if (argc != 2 || rut_context_create(NULL, &context, &error) ||
      rut_spec_load(context, argv[1], &spec, &error) || rut_compile(spec, &model, &error) ||
      rut_loggers_create(spec, model, NULL, &loggers, &error)) {
    return fprintf(stderr, "%s\n", error.message), 1;
  }
  rutData* data = rut_data_create(model);
  const rutStatus status = data ? run(spec, model, data, loggers, &error) : RUT_ERR_MEMORY;
  if (status != RUT_OK) fprintf(stderr, "%s\n", error.message);
  rut_data_destroy(data);
  rut_model_destroy(model);
  rut_spec_destroy(spec);
  rut_context_destroy(context);
  return status != RUT_OK;
}
