// SPDX-License-Identifier: BSD-3-Clause
#include "view/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/json_bytes.h"

// Rows that a page is given at most.
enum { MOST_ROWS = 100000, PATH = 4096, MOST_CONTEXTS = 1000 };
static const double DEGREES = 57.29577951308232;

// Of a random world: its seed makes it what it is.
typedef struct OwnContext {
  uint64_t seed;
  rutContext* context;
} OwnContext;

struct viewStudy {
  rutStudyTable* table;
  rutStudy* study;
  const rutStudyHost* host;
  rutContext* context;
  OwnContext* own;
  int owned;
  rutStudyTableInfo info;
};

static rutStatus no_memory(rutError* err) {
  *err = (rutError){.status = RUT_ERR_MEMORY, .message = "out of memory"};
  return RUT_ERR_MEMORY;
}

// ---- opening ----

// The study lies where its file is told to be, else beside the database.
static void place_of_study(const viewStudyDef* def, const char* name, char* out, size_t size) {
  const char* slash = strrchr(def->database, '/');
  const int folder = slash ? (int)(slash + 1 - def->database) : 0;
  if (def->file) {
    snprintf(out, size, "%s", def->file);
  } else {
    snprintf(out, size, "%.*s%s.xml", folder, def->database, name);
  }
}

static rutStatus read_study(viewStudy* s, const viewStudyDef* def, rutError* err) {
  char path[PATH];
  place_of_study(def, s->info.name, path, sizeof path);
  const rutText text = {.text = s->info.text, .size = strlen(s->info.text), .name = path};
  return rut_study_parse(def->context, &text, def->host, &s->study, err);
}

rutStatus view_study_open(const viewStudyDef* def, viewStudy** out, rutError* err) {
  *out = NULL;
  viewStudy* s = calloc(1, sizeof *s);
  if (!s) return no_memory(err);
  s->host = def->host;
  s->context = def->context;
  rutStatus status = rut_study_table_open(def->database, &s->table, err);
  if (status == RUT_OK) {
    s->info = rut_study_table_info(s->table);
    status = read_study(s, def, err);
  }
  if (status == RUT_OK) {
    *out = s;
  } else {
    view_study_close(s);
  }
  return status;
}

void view_study_close(viewStudy* s) {
  if (!s) return;
  rut_study_destroy(s->study);
  rut_study_table_close(s->table);
  for (int i = 0; i < s->owned; i++) rut_context_destroy(s->own[i].context);
  free(s->own);
  free(s);
}

// ---- the table ----

static void put_column(cliJson* json, const char* name, const char* unit, const char* kind) {
  cli_json_object(json, NULL);
  cli_json_text(json, "name", name);
  cli_json_text(json, "unit", unit);
  cli_json_text(json, "kind", kind);
  cli_json_end(json);
}

// Measures of angles are shown in degrees.
static bool is_angle(const char* unit) { return strncmp(unit, "rad", 3) == 0; }

static void put_columns(const viewStudy* s, cliJson* json) {
  cli_json_array(json, "columns");
  put_column(json, "run", "", "run");
  for (int i = 0; i < s->info.inputs; i++) {
    const rutStudyInput in = rut_study_table_input(s->table, i);
    put_column(json, in.name, in.unit, "input");
  }
  for (int i = 0; i < s->info.measures; i++) {
    const rutStudyMeasure m = rut_study_table_measure(s->table, i);
    char unit[64];
    snprintf(unit, sizeof unit, "%s%.40s", is_angle(m.unit) ? "deg" : "",
             m.unit + (is_angle(m.unit) ? 3 : 0));
    put_column(json, m.name, unit, "measure");
  }
  put_column(json, "time", "s", "end");
  put_column(json, "ends", "", "end");
  if (s->info.requirements > 0) put_column(json, "pass", "", "end");
  cli_json_end(json);
}

static void put_row(const viewStudy* s, const rutStudyRow* row, cliJson* json) {
  cli_json_array(json, NULL);
  cli_json_integer(json, NULL, row->run);
  for (int i = 0; i < s->info.inputs; i++) {
    if (row->input[i].text) {
      cli_json_text(json, NULL, row->input[i].text);
    } else {
      cli_json_number(json, NULL, row->input[i].number);
    }
  }
  for (int i = 0; i < s->info.measures; i++) {
    const bool angle = is_angle(rut_study_table_measure(s->table, i).unit);
    cli_json_number(json, NULL, row->measure[i] * (angle ? DEGREES : 1));
  }
  cli_json_number(json, NULL, row->time);
  cli_json_text(json, NULL, rut_study_end_name(row->end));
  if (s->info.requirements > 0) cli_json_integer(json, NULL, row->pass == 1);
  cli_json_end(json);
}

viewBytes* view_study_json(const viewStudy* s) {
  viewJsonText text;
  if (!view_json_begin(&text)) return NULL;
  cliJson* json = &text.json;
  cli_json_text(json, "name", s->info.name);
  cli_json_text(json, "description", s->info.description);
  cli_json_integer(json, "runs", s->info.runs);
  cli_json_integer(json, "rows_in_all", s->info.rows);
  put_columns(s, json);
  cli_json_array(json, "rows");
  for (int64_t i = 0; i < s->info.rows && i < MOST_ROWS; i++) {
    const rutStudyRow row = rut_study_table_row(s->table, i);
    put_row(s, &row, json);
  }
  cli_json_end(json);
  cli_json_end(json);
  return view_json_end(&text);
}

// ---- runs ----

// Rows are in order of runs.
static bool find_row(const viewStudy* s, int64_t run, rutStudyRow* out) {
  int64_t low = 0, high = s->info.rows;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    *out = rut_study_table_row(s->table, middle);
    if (out->run == run) return true;
    if (out->run < run) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return false;
}

int64_t view_study_first(const viewStudy* s) {
  for (int64_t i = 0; i < s->info.rows; i++) {
    const rutStudyRow row = rut_study_table_row(s->table, i);
    if (row.end != RUT_STUDY_invalid) return row.run;
  }
  return -1;
}

uint64_t view_study_seed(const viewStudy* s, int64_t run) {
  rutStudyRow row;
  return find_row(s, run, &row) ? row.seed : 0;
}

// Each random world has a context with its own seed, which stays as long as models may be of it: to
// the end.
static rutStatus context_of(viewStudy* s, uint64_t seed, rutContext** out, rutError* err) {
  *out = s->context;
  if (!rut_study_info(s->study).random) return RUT_OK;
  for (int i = 0; i < s->owned; i++) {
    if (s->own[i].seed != seed) continue;
    *out = s->own[i].context;
    return RUT_OK;
  }
  if (s->owned == MOST_CONTEXTS) {
    *err = (rutError){.status = RUT_ERR_CAPACITY};
    snprintf(err->message, sizeof err->message,
             "%d random worlds have been looked at: start rut view again for more", MOST_CONTEXTS);
    return err->status;
  }
  OwnContext* more = realloc(s->own, ((size_t)s->owned + 1) * sizeof *more);
  if (!more) return no_memory(err);
  s->own = more;
  const rutStatus status = s->host->open(seed, out, s->host->user, err);
  if (status == RUT_OK) s->own[s->owned++] = (OwnContext){seed, *out};
  return status;
}

rutStatus view_study_world(viewStudy* s, int64_t run, rutSpec** spec, rutError* err) {
  rutStudyRow row;
  rutContext* context;
  *spec = NULL;
  const bool there = find_row(s, run, &row);
  if (run < 0) {
    err->status = RUT_ERR_ARGUMENT;
    snprintf(err->message, sizeof err->message, "there is no run that was possible");
    return err->status;
  }
  if (!there || row.end == RUT_STUDY_invalid) {
    err->status = RUT_ERR_ARGUMENT;
    snprintf(err->message, sizeof err->message, "run %lld %s%.200s", (long long)run,
             there ? "was not possible: " : "is not in the results", there ? row.reason : "");
    return err->status;
  }
  const rutStatus status = context_of(s, row.seed, &context, err);
  return status == RUT_OK ? rut_study_world(s->study, run, context, spec, err) : status;
}

rutStatus view_study_run(const viewStudy* s, int64_t run, const rutModel* model, viewRun* out,
                         rutError* err) {
  rutStudyRow row;
  *out = VIEW_NO_RUN;
  if (!find_row(s, run, &row)) return RUT_ERR_ARGUMENT;
  out->run = run;
  out->seed = row.seed;
  out->steps = row.steps;
  out->state_hash = strtoull(row.state_hash, NULL, 16);
  return rut_study_set_points(s->study, model, &out->inputs, err);
}
