// SPDX-License-Identifier: BSD-3-Clause
//
// Logs that a world names: creates loggers from <log> elements.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/loggers.h"
#include "host/signals.h"
#include "host/write_file.h"
#include "math/rut_math.h"

enum { FILE_NAME_SIZE = 128 };

static const rutLogFormat* const formats[] = {
#define RUT_LOG_FORMAT(name) &rut_log_format_##name,
#include "base/log_formats.def"
#undef RUT_LOG_FORMAT
};

// A world on its way into loggers.
typedef struct Reading {
  rutLoggers* l;
  const rutSpec* spec;
  const rutModel* model;
  rutError* err;
  int capacity;
} Reading;

static rutStatus no_memory(rutError* err) {
  return rut_error_set(err, RUT_ERR_MEMORY, "no memory for logs");
}

// An error with its place in the world file.
static rutStatus wrong(const Reading* r, rutNode node, const char* field, const char* message) {
  const rutPlace place = rut_node_place_of(r->spec, node, field);
  rut_error_set(r->err, RUT_ERR_MODEL, "%s: %s", field, message);
  if (!r->err) return RUT_ERR_MODEL;
  if (place.file) snprintf(r->err->file, sizeof r->err->file, "%.250s", place.file);
  r->err->line = place.line;
  r->err->column = place.column;
  snprintf(r->err->element, sizeof r->err->element, "<log name=\"%.40s\">",
           rut_node_name(r->spec, node));
  return RUT_ERR_MODEL;
}

static char* join(const char* a, const char* between, const char* b) {
  const size_t size = strlen(a) + strlen(between) + strlen(b) + 1;
  char* text = malloc(size);
  if (text) snprintf(text, size, "%s%s%s", a, between, b);
  return text;
}

// ---- columns ----

// The words of a text, which they replace; NULL if out of memory.
static const char** split(char* text, int* n) {
  const char** word = calloc(strlen(text) / 2 + 2, sizeof *word);
  *n = 0;
  for (char* at = text; word && *at;) {
    at += strspn(at, " \t\r\n");
    if (*at) word[(*n)++] = at;
    at += strcspn(at, " \t\r\n");
    if (*at) *at++ = '\0';
  }
  return word;
}

// A set of signals, made if it is not there yet.
static rutStatus signal_set(const Reading* r, int index, rutSignals** out) {
  rutLoggers* l = r->l;
  if (index == l->sets) {
    rutSignals** grown = realloc(l->set, ((size_t)l->sets + 1) * sizeof(rutSignals*));
    if (!grown) return no_memory(r->err);
    l->set = grown;
    const rutStatus status = rut_signals_create(r->model, &l->set[l->sets], r->err);
    if (status != RUT_OK) return status;
    l->sets++;
  }
  *out = l->set[index];
  return RUT_OK;
}

static rutStatus choose_signals(const Reading* r, rutNode node, rutLogColumns* columns, int set,
                                const char* prefix) {
  int patterns = 0;
  char* text = join(rut_node_text(r->spec, node, "signals"), "", "");
  const char** pattern = text ? split(text, &patterns) : NULL;
  rutError why = {0};
  rutStatus status = signal_set(r, set, &columns->signals);
  if (status == RUT_OK) {
    const size_t all = (size_t)rut_signals_count(columns->signals);
    columns->index = malloc((all + 1) * sizeof *columns->index);
    if (!columns->index || !pattern) status = no_memory(r->err);
  }
  if (status == RUT_OK) {
    const rutSignalChoice choice = {.prefix = prefix, .patterns = patterns, .pattern = pattern};
    status = rut_signals_choose(columns->signals, &choice, &columns->n, columns->index, &why);
    if (status != RUT_OK) status = wrong(r, node, "signals", why.message);
  }
  free(pattern);
  free(text);
  return status;
}

// ---- conditions ----

static rutStatus watch(const Reading* r, rutNode node, const char* field, const char* prefix,
                       rutWatch* out) {
  const char* leaf = rut_node_text(r->spec, node, field);
  *out = (rutWatch){.at = -1, .last = RUT_NAN};
  if (!leaf[0]) return RUT_OK;
  rutLoggers* l = r->l;
  if (!l->signals) {
    const rutStatus status = rut_signals_create(r->model, &l->signals, r->err);
    if (status != RUT_OK) return status;
  }
  char* name = join(prefix, "", leaf);
  const int signal = name ? rut_signals_find(l->signals, name) : -1;
  if (name && signal < 0) {
    const char* near = rut_signals_nearest(l->signals, name);
    const bool own = near && strncmp(near, prefix, strlen(prefix)) == 0;
    char message[400];
    snprintf(message, sizeof message, "no signal is called '%.150s'%s%.150s%s", leaf,
             own ? "; did you mean '" : "", own ? near + strlen(prefix) : "", own ? "'?" : "");
    free(name);
    return wrong(r, node, field, message);
  }
  free(name);
  int* index = realloc(l->watched_index, ((size_t)l->watched + 1) * sizeof *index);
  if (index) l->watched_index = index;
  double* value = realloc(l->watched_value, ((size_t)l->watched + 1) * sizeof *value);
  if (value) l->watched_value = value;
  if (!index || !value || signal < 0) return no_memory(r->err);
  out->at = l->watched;
  l->watched_index[l->watched++] = signal;
  return RUT_OK;
}

static rutStatus watch_all(const Reading* r, rutNode node, const char* prefix, rutLogger* g) {
  static const char* const field[RUT_WATCHES] = {[RUT_WATCH_RECORD] = "record_while",
                                                 [RUT_WATCH_CLEAR] = "clear_on",
                                                 [RUT_WATCH_SESSION] = "session_on"};
  rutStatus status = RUT_OK;
  for (int i = 0; i < RUT_WATCHES && status == RUT_OK; i++) {
    status = watch(r, node, field[i], prefix, &g->watch[i]);
    const bool any = g->watch[i].at >= 0;
    g->watches = g->watches || any;
    r->l->watches_changes = r->l->watches_changes || (any && i != RUT_WATCH_RECORD);
  }
  g->holds = g->watch[RUT_WATCH_RECORD].at < 0;
  return status;
}

// ---- files ----

static bool is_taken(const rutLoggers* l, const char* stem) {
  for (int i = 0; i < l->n; i++) {
    if (l->logger[i].stem && strcmp(l->logger[i].stem, stem) == 0) return true;
  }
  return false;
}

// Where files of a log go: "folder/vehicle.log" without number and end.
static rutStatus place_files(const Reading* r, rutLogger* g, const char* folder,
                             const char* vehicle, const char* name) {
  char safe[FILE_NAME_SIZE - 16], file[FILE_NAME_SIZE];
  char* wanted = join(vehicle, vehicle[0] ? "." : "", name);
  if (!wanted) return no_memory(r->err);
  rut_output_safe_name(wanted, safe, sizeof safe);
  snprintf(file, sizeof file, "%s", safe);
  // names of vehicles may differ in what file names do not have
  r->l->renamed = r->l->renamed || strcmp(safe, wanted) != 0;
  free(wanted);
  for (int i = 2;; i++) {
    g->stem = join(folder, "/", file);
    if (!g->stem || !r->l->renamed || !is_taken(r->l, g->stem)) break;
    free(g->stem);
    snprintf(file, sizeof file, "%s_%d", safe, i);
  }
  g->path_size = g->stem ? strlen(g->stem) + 32 : 0;
  g->path = g->stem ? calloc(1, g->path_size) : NULL;
  return g->path ? RUT_OK : no_memory(r->err);
}

// ---- elements ----

// The next of the loggers, zeroed. NULL if out of memory.
static rutLogger* add(Reading* r) {
  rutLoggers* l = r->l;
  if (l->n == r->capacity) {
    r->capacity = 2 * r->capacity + 8;
    rutLogger* grown = realloc(l->logger, (size_t)r->capacity * sizeof *grown);
    if (!grown) return NULL;
    l->logger = grown;
  }
  l->logger[l->n] = (rutLogger){.session = 1, .held = -1};
  return &l->logger[l->n];
}

static int64_t steps_between(double rate, double dt) {
  const double steps = rut_floor(1 / (rate * dt) + 0.5);
  return (int64_t)rut_min(rut_max(steps, 1), 1e9);
}

static rutStatus read_log(Reading* r, rutNode node, int vehicle, int set, const char* folder) {
  const rutSpec* spec = r->spec;
  rutLogger* g = add(r);
  if (!g) return no_memory(r->err);
  const char* of = vehicle < 0 ? "" : rut_name(r->model, RUT_VEHICLE, vehicle);
  const char* name = rut_node_name(spec, node);
  char* prefix = join(of, vehicle < 0 ? "" : "/", "");
  g->vehicle = vehicle;
  g->name = prefix ? join(prefix, "", name) : NULL;
  g->format = formats[(int)rut_node_number(spec, node, "format")];
  g->paused = rut_node_number(spec, node, "paused") != 0;
  g->columns.prefix = prefix ? strlen(prefix) : 0;
  g->columns.every = steps_between(rut_node_number(spec, node, "rate"), r->l->dt);
  rutStatus status = g->name ? RUT_OK : no_memory(r->err);
  if (status == RUT_OK && folder) status = place_files(r, g, folder, of, name);
  r->l->n++;
  if (status == RUT_OK) status = choose_signals(r, node, &g->columns, set, prefix);
  if (status == RUT_OK) status = watch_all(r, node, prefix, g);
  free(prefix);
  return status;
}

// Logs of an element, with sets of signals from `set` on.
static rutStatus read_logs(Reading* r, rutNode parent, int vehicle, int set, const char* folder) {
  rutStatus status = RUT_OK;
  for (rutNode node = rut_node_first(r->spec, parent, "log");
       !rut_node_is_null(node) && status == RUT_OK; node = rut_node_next(r->spec, node, "log")) {
    status = read_log(r, node, vehicle, set++, folder);
  }
  return status;
}

// Logs of the world, then of its vehicles, which are in the model in the order of the spec.
static rutStatus read_world(Reading* r, const char* folder) {
  const rutNode root = rut_spec_root(r->spec);
  rutStatus status = read_logs(r, root, -1, 0, folder);
  const int of_world = r->l->n;
  int vehicle = 0;
  for (rutNode node = rut_node_first(r->spec, root, "vehicle");
       !rut_node_is_null(node) && status == RUT_OK;
       node = rut_node_next(r->spec, node, "vehicle")) {
    status = read_logs(r, node, vehicle++, of_world, folder);
  }
  return status;
}

// ---- the folder ----

static rutStatus prepare_folder(const char* folder, rutError* err) {
  int handle = -1, code = rut_output_make_folder(folder);
  // runs may share it, since none replaces what another wrote
  if (!code) code = rut_output_lock_folder(folder, &handle);
  if (handle >= 0) close(handle);
  if (code == RUT_OUTPUT_BUSY) code = 0;
  if (!code && access(folder, W_OK | X_OK) != 0) code = errno;
  if (!code) return RUT_OK;
  char message[RUT_OUTPUT_TEXT];
  rut_output_explain(code, folder, message);
  return rut_error_set(err, RUT_ERR_IO, "folder %.400s", message);
}

// ---- making and freeing ----

rutLoggersDef rut_default_loggers(void) {
  return (rutLoggersDef){.struct_size = sizeof(rutLoggersDef)};
}

rutStatus rut_loggers_create(const rutSpec* spec, const rutModel* model, const rutLoggersDef* def,
                             rutLoggers** out, rutError* err) {
  *out = NULL;
  const rutLoggersDef standard = rut_default_loggers();
  if (!def) def = &standard;
  if (def->struct_size != sizeof *def || (def->folder && !def->folder[0])) {
    return rut_error_set(
        err, RUT_ERR_ARGUMENT,
        "the definition of loggers must come from rut_default_loggers and name a folder");
  }
  rutLoggers* l = calloc(1, sizeof *l);
  if (!l) return no_memory(err);
  l->dt = rut_model_timestep(model);
  l->seed = def->seed;
  Reading reading = {.l = l, .spec = spec, .model = model, .err = err};
  rutStatus status = read_world(&reading, def->folder);
  if (status == RUT_OK && l->n > 0) {
    l->command = join(def->command ? def->command : "", "", "");
    if (!l->command) status = no_memory(err);
    if (status == RUT_OK) status = rut_spec_copy(spec, &l->spec, err);
    if (status == RUT_OK && def->folder) status = prepare_folder(def->folder, err);
  }
  if (status == RUT_OK) {
    *out = l;
  } else {
    rut_loggers_free(l);
  }
  return status;
}

void rut_loggers_free(rutLoggers* l) {
  for (int i = 0; i < l->n; i++) {
    rutLogger* g = &l->logger[i];
    free(g->columns.index);
    free(g->name);
    free(g->stem);
    free(g->path);
  }
  for (int i = 0; i < l->sets; i++) rut_signals_destroy(l->set[i]);
  free(l->set);
  free(l->logger);
  rut_spec_destroy(l->spec);
  free(l->command);
  rut_signals_destroy(l->signals);
  free(l->watched_index);
  free(l->watched_value);
  free(l);
}
