// SPDX-License-Identifier: BSD-3-Clause
//
// Logs that a world names: sessions, their files, and orders.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/loggers.h"
#include "host/write_file.h"

// Files of one log in a folder, and tries to find the next one.
enum { MOST_SESSIONS = 9999 };

static const char* const order_names[RUT_LOGGER_ORDERS] = {[RUT_LOGGER_PAUSE] = "pause",
                                                           [RUT_LOGGER_RESUME] = "resume",
                                                           [RUT_LOGGER_CLEAR] = "clear",
                                                           [RUT_LOGGER_SESSION] = "session"};

static bool is_written(const rutLogger* g) { return !g->failed && (g->has_sink || g->path); }

// ---- sessions ----

// End the session that is open, if one is.
static rutStatus end_session(rutLogger* g, rutError* err) {
  if (!g->log) return RUT_OK;
  const rutStatus status = g->format->end(g->log, err);
  g->log = NULL;
  return status;
}

// Release the file of the session, which has ended.
static void leave_file(rutLogger* g) {
  if (g->held >= 0) close(g->held);
  g->held = -1;
  g->begun = false;
}

static void name_file(rutLogger* g) {
  char number[16] = "";
  if (g->session > 1) snprintf(number, sizeof number, "-%d", g->session);
  snprintf(g->path, g->path_size, "%s%s.%s", g->stem, number, g->format->name);
}

// Create the file of the next session that has none yet.
static rutStatus claim_file(rutLogger* g, rutOutput* place, rutError* err) {
  int fault = EEXIST;
  while (fault == EEXIST && g->session <= MOST_SESSIONS) {
    name_file(g);
    fault = rut_output_claim(place, g->path);
    if (fault == EEXIST) g->session++;
  }
  if (!fault) {
    g->file = place->id;
    // a format may close its descriptor
    g->held = fcntl(place->file, F_DUPFD_CLOEXEC, 0);
    if (g->held < 0) fault = errno;
    if (fault) rut_output_remove(g->path, g->file);
    if (fault) rut_output_cancel(place);
  }
  if (fault == EEXIST) {
    return rut_error_set(err, RUT_ERR_CAPACITY, "the log '%.100s' has %d files in its folder",
                         g->name, MOST_SESSIONS);
  }
  return fault ? rut_output_error(fault, g->path, err) : RUT_OK;
}

static rutStatus begin_session(rutLoggers* l, rutLogger* g, const rutModel* model, rutError* err) {
  rutOutput place = {.file = -1};
  rutStatus status = g->has_sink ? RUT_OK : claim_file(g, &place, err);
  if (status != RUT_OK) return status;
  g->begun = true;
  const rutLoggerInfo info = rut_loggers_info(l, (int)(g - l->logger));
  const rutLogSession session = {.model = model,
                                 .columns = &g->columns,
                                 .path = g->path,
                                 .place = &place,
                                 .spec = l->spec,
                                 .seed = l->seed,
                                 .command = l->command,
                                 .log = &info,
                                 .sink = &g->sink};
  status = g->format->begin(&session, &g->log, err);
  if (g->has_sink) return status;
  if (place.file >= 0) close(rut_output_release(&place));
  if (status == RUT_OK) return RUT_OK;
  rut_output_remove(g->path, g->file);
  leave_file(g);
  return status;
}

// A session without rows is the new one itself.
static rutStatus next_session(rutLogger* g, rutError* err) {
  if (!g->begun) return RUT_OK;
  const rutStatus status = end_session(g, err);
  leave_file(g);
  g->session++;
  g->rows = 0;
  return status;
}

static rutStatus clear_session(rutLogger* g, rutError* err) {
  if (!g->begun) return RUT_OK;
  g->rows = 0;
  if (g->format->clear) return g->format->clear(g->log, err);
  const rutStatus status = end_session(g, err);
  const int fault = rut_output_remove(g->path, g->file);
  leave_file(g);
  if (status != RUT_OK || !fault || fault == RUT_OUTPUT_GONE) return status;
  return rut_output_error(fault, g->path, err);
}

// ---- after each step ----

// True if a watched value has changed since the last call.
static bool has_changed(rutWatch* w, double value) {
  const bool same = value == w->last || (value != value && w->last != w->last);
  w->last = value;
  return !same;
}

// Apply the conditions of a log to this state. A change at the beginning of a run, or where
// time has jumped, finds a session without rows.
static rutStatus heed_conditions(rutLogger* g, const double* value, rutError* err) {
  const rutWatch* record = &g->watch[RUT_WATCH_RECORD];
  g->holds = record->at < 0 || value[record->at] > 0;
  rutStatus status = RUT_OK;
  for (rutWatchKind kind = RUT_WATCH_CLEAR; kind <= RUT_WATCH_SESSION; kind++) {
    rutWatch* w = &g->watch[kind];
    if (w->at < 0 || !has_changed(w, value[w->at]) || status != RUT_OK) continue;
    status = kind == RUT_WATCH_CLEAR ? clear_session(g, err) : next_session(g, err);
  }
  return status;
}

static bool is_due(const rutLogger* g, const rutData* data) {
  return rut_steps(data) % g->columns.every == 0;
}

// Read what logs wait for. Changes are looked for in every step, whether to record where a row is
// due. False if nothing was read.
static bool read_watched(rutLoggers* l, const rutModel* model, const rutData* data) {
  bool needed = l->watches_changes;
  for (int i = 0; i < l->n && l->watched > 0 && !needed; i++) {
    needed = l->logger[i].watches && is_due(&l->logger[i], data);
  }
  if (needed) {
    rut_signals_read(l->signals, model, data, l->watched, l->watched_index, l->watched_value);
  }
  return needed;
}

static rutStatus step_logger(rutLoggers* l, rutLogger* g, const rutModel* model,
                             const rutData* data, bool jump, rutError* err) {
  rutStatus status = jump ? next_session(g, err) : RUT_OK;
  if (status == RUT_OK && g->watches && l->watched_now) {
    status = heed_conditions(g, l->watched_value, err);
  }
  if (status != RUT_OK || g->paused || !g->holds || !is_due(g, data)) return status;
  if (!g->log) status = begin_session(l, g, model, err);
  if (status == RUT_OK) status = g->format->row(g->log, model, data, err);
  g->rows += status == RUT_OK;
  return status;
}

// End a log that has failed, for a known reason.
static void give_up(rutLogger* g) {
  end_session(g, NULL);
  leave_file(g);
  g->failed = true;
}

rutStatus rut_loggers_step(rutLoggers* l, const rutModel* model, const rutData* data,
                           rutError* err) {
  if (l->n == 0) return RUT_OK;
  const double time = rut_time(data);
  const bool jump = l->begun && (l->jumped || time < l->time);
  if (l->begun && !jump && time == l->time) return RUT_OK;
  l->watched_now = read_watched(l, model, data);
  rutStatus first = RUT_OK;
  for (int i = 0; i < l->n; i++) {
    rutLogger* g = &l->logger[i];
    if (!is_written(g)) continue;
    const rutStatus status = step_logger(l, g, model, data, jump, first == RUT_OK ? err : NULL);
    if (status != RUT_OK) give_up(g);
    if (first == RUT_OK) first = status;
  }
  l->begun = true;
  l->jumped = false;
  l->time = time;
  return first;
}

void rut_loggers_jump(rutLoggers* l) { l->jumped = true; }

// ---- orders ----

const char* rut_logger_order_name(rutLoggerOrder order) {
  return (int)order >= 0 && order < RUT_LOGGER_ORDERS ? order_names[order] : NULL;
}

rutStatus rut_loggers_order(rutLoggers* l, int logger, rutLoggerOrder order, rutError* err) {
  if (logger < 0 || logger >= l->n || !rut_logger_order_name(order)) {
    return rut_error_set(err, RUT_ERR_ARGUMENT, "no such log or order");
  }
  rutLogger* g = &l->logger[logger];
  if (order == RUT_LOGGER_PAUSE || order == RUT_LOGGER_RESUME) {
    g->paused = order == RUT_LOGGER_PAUSE;
    return RUT_OK;
  }
  if (!is_written(g)) return RUT_OK;
  const rutStatus status = order == RUT_LOGGER_CLEAR ? clear_session(g, err) : next_session(g, err);
  if (status != RUT_OK) give_up(g);
  return status;
}

static int find_order(const char* word) {
  int found = 0;
  while (found < RUT_LOGGER_ORDERS && strcmp(order_names[found], word) != 0) found++;
  return found;
}

static rutStatus no_such_log(const rutLoggers* l, const char* pattern, rutError* err) {
  char all[256] = "";
  size_t used = 0;
  for (int i = 0; i < l->n && used < sizeof all; i++) {
    used +=
        (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", l->logger[i].name);
  }
  return rut_error_set(err, RUT_ERR_ARGUMENT, "no log is called '%.100s'; there %s%s", pattern,
                       l->n > 0 ? "are: " : "is none", all);
}

rutStatus rut_loggers_check_order(const rutLoggers* l, const char* word, const char* pattern,
                                  rutError* err) {
  if (find_order(word) == RUT_LOGGER_ORDERS) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "no order is called '%.60s'; there are pause, resume, clear and session",
                         word);
  }
  for (int i = 0; i < l->n; i++) {
    if (rut_glob(pattern, l->logger[i].name)) return RUT_OK;
  }
  return no_such_log(l, pattern, err);
}

rutStatus rut_loggers_order_named(rutLoggers* l, const char* word, const char* pattern,
                                  rutError* err) {
  rutStatus first = rut_loggers_check_order(l, word, pattern, err);
  if (first != RUT_OK) return first;
  const rutLoggerOrder order = (rutLoggerOrder)find_order(word);
  for (int i = 0; i < l->n; i++) {
    if (!rut_glob(pattern, l->logger[i].name)) continue;
    const rutStatus status = rut_loggers_order(l, i, order, first == RUT_OK ? err : NULL);
    if (first == RUT_OK) first = status;
  }
  return first;
}

// ---- what there is ----

int rut_loggers_count(const rutLoggers* l) { return l->n; }

int rut_loggers_find(const rutLoggers* l, const char* name) {
  int i = 0;
  while (i < l->n && strcmp(l->logger[i].name, name) != 0) i++;
  return i < l->n ? i : -1;
}

rutLoggerInfo rut_loggers_info(const rutLoggers* l, int logger) {
  const rutLogger* g = &l->logger[logger];
  const bool written = is_written(g);
  return (rutLoggerInfo){.name = g->name,
                         .format = g->format->name,
                         .vehicle = g->vehicle,
                         .columns = g->columns.n,
                         .rate = 1 / ((double)g->columns.every * l->dt),
                         .written = written,
                         .paused = g->paused,
                         .recording = written && !g->paused && g->holds,
                         .session = g->session,
                         .rows = g->rows,
                         .file = g->begun && !g->has_sink ? g->path : ""};
}

rutSignal rut_loggers_column(const rutLoggers* l, int logger, int column) {
  const rutLogColumns* columns = &l->logger[logger].columns;
  const bool there = column >= 0 && column < columns->n;
  return rut_signals_at(columns->signals, there ? columns->index[column] : -1);
}

rutStatus rut_loggers_set_sink(rutLoggers* l, int logger, const rutLogSink* sink, rutError* err) {
  if (logger < 0 || logger >= l->n || !sink->row || l->begun) {
    return rut_error_set(err, RUT_ERR_ARGUMENT,
                         "a sink needs a log, a function 'row', and comes before the first step");
  }
  rutLogger* g = &l->logger[logger];
  g->sink = *sink;
  g->has_sink = true;
  g->format = &rut_log_format_sink;
  return RUT_OK;
}

// ---- end ----

rutStatus rut_loggers_close(rutLoggers* l, rutError* err) {
  if (!l) return RUT_OK;
  rutStatus first = RUT_OK;
  for (int i = 0; i < l->n; i++) {
    const rutStatus status = end_session(&l->logger[i], first == RUT_OK ? err : NULL);
    leave_file(&l->logger[i]);
    if (first == RUT_OK) first = status;
  }
  rut_loggers_free(l);
  return first;
}
